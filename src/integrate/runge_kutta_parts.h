/* What the parts of the engine of Runge-Kutta methods share: runge_kutta.c, estimate.c,
 * interpolant.c, refusal.c, runge_kutta_end.c. */
#ifndef INTEGRATE_RUNGE_KUTTA_PARTS_H
#define INTEGRATE_RUNGE_KUTTA_PARTS_H

#include "integrate/refusal.h"
#include "integrate/stages.h"
#include "stepping/newton.h"
#include "stepping/stepping.h"

typedef struct runge_kutta {
    engine base;
    stages stages;
    reuse reuse;
    instant instant; /* for projected methods and the state-space form, which solve ... */
    bool solves_end; /* ... for y' and algebraic variables at the end of a step */
    int order_levels, order_level;       /* number of levels; the one in use */
    const method *which;                 /* the method, of one order or several; borrowed */
    int since_change;                    /* steps accepted with this order level */
    bool unguessed;                      /* the run started at a level that is known to hold and has
                                          * made no step since: Newton's rate tells nothing of the
                                          * level */
    int failures;                        /* failed attempts of the step that is being tried */
    double last_rate;                    /* of convergence in the step before; 0: none */
    double *error, *rate, *end, *end_yp; /* n each */
    bool fresh;                          /* the Jacobian was evaluated at the present point */
    bool linearized, has_polynomial;
    watching watching;     /* of explicit methods */
    bool linearized_ahead; /* the Jacobian is that of the end of the step being tried */
    bool keeps_jacobian;   /* the Jacobian of the step being tried serves for the next */
    scheme *scheme;        /* one per order level; `method` NULL: not made yet */
} runge_kutta;

/* estimate.c: finds the error of the stages as solved, 1 being the limit. The estimate is left in
 * e->error. */
dae_status runge_kutta_judge(runge_kutta *e, double h, double *size);

/* interpolant.c: makes the polynomial of a step with its end in e->end and e->end_yp, into
 * e->base.next. */
dae_status runge_kutta_interpolate(runge_kutta *e, double h);

/* interpolant.c: raises `size` to the error of that polynomial within the step, if the estimate
 * does not see this error and values within steps are wanted. Then the error is left in
 * e->error. */
dae_status runge_kutta_judge_within(runge_kutta *e, double h, double *size);

/* interpolant.c: one Newton step from given values and derivatives towards the solution, with the
 * factors of the last attempt, to be subtracted. In stiff components and algebraic variables it is
 * their error, elsewhere it is about as large. */
dae_status runge_kutta_correction(runge_kutta *e, double t, const double *y, const double *yp,
                                  double *off);

/* runge_kutta_end.c: prepares the solution for the end of a step, from the problem as linearised
 * last; finds that end, from y by the weights in e->end, into e->end and e->end_yp. */
dae_status runge_kutta_prepare_end(runge_kutta *e, double h);
dae_status runge_kutta_solve_end(runge_kutta *e, double h);

/* runge_kutta_end.c: whether nothing damps what the end of a step misses of algebraic equations of
 * index 1. In Gauss methods |R(infinity)| is 1, and the miss at the beginning of the next estimate
 * does not fall with h (Hairer & Wanner II, Sec. VI.1). The second function subtracts the miss from
 * y at t, where it counts, with the present factors: DAE_NEWTON if it cannot. */
bool runge_kutta_carries_missed(const runge_kutta *e);
dae_status runge_kutta_meet_algebraic(runge_kutta *e, double t, double *y, const double *yp);

/* refusal.c: refuses problems that the method cannot advance, or not with these options, with the
 * sentence in `m`. */
dae_status runge_kutta_refuse(const runge_kutta *e, const method *which, message *m);

/* refusal.c: examines whether dF/dy' is regular at the start, if the method needs that. */
dae_status runge_kutta_examine(engine *base, message *m);

#endif
