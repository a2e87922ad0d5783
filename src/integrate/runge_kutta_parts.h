/* What the parts of the engine of Runge-Kutta methods share: runge_kutta.c, estimate.c,
 * interpolant.c, refusal.c, runge_kutta_end.c. */
#ifndef INTEGRATE_RUNGE_KUTTA_PARTS_H
#define INTEGRATE_RUNGE_KUTTA_PARTS_H

#include "integrate/runge_kutta.h"
#include "integrate/stages.h"
#include "integrate/watching.h"
#include "stepping/reuse.h"
#include "stepping/stepping.h"

typedef struct runge_kutta {
    engine base;
    stepping stepping;
    stages stages;
    reuse reuse;
    instant instant; /* of projected methods and on the state-space form, which solve ... */
    bool solves_end; /* ... for y' and algebraic variables at the end of a step */
    int order_levels, order_level;       /* schemes; the one at work */
    scheme *scheme;                      /* order levels; `method` NULL: not made yet */
    const method *which;                 /* of one order or several; borrowed */
    int since_change;                    /* steps accepted with this order level */
    bool unguessed;                      /* started at a level that is known to hold, and no step
                                            since: Newton's rate tells nothing of the level */
    int failures;                        /* of the step that is being tried */
    double last_rate;                    /* of convergence, of the step before; 0: none */
    double *error, *rate, *end, *end_yp; /* n each */
    dense_output next;                   /* of the step that is being tried */
    bool fresh;                          /* the Jacobian was evaluated at the present point */
    bool linearized, has_polynomial;
    watching watching;     /* of an explicit method */
    bool linearized_ahead; /* at the end of the step that is being tried */
    bool keeps_jacobian;   /* the Jacobian of the step that is tried serves for the next */
    workspace space;
} runge_kutta;

/* estimate.c: the error of the stages as solved, 1 being the limit; the estimate is left in
 * e->error. */
dae_status runge_kutta_judge(runge_kutta *e, double h, double *size);

/* order levels.c: set to work with a scheme, which is made when it is first taken; after an
 * accepted step choose the next one's; after a failed attempt fall, where the place is hard. */
dae_status runge_kutta_make_order_level(runge_kutta *e, int order_level);
void runge_kutta_take_order_level(runge_kutta *e, int order_level);
void runge_kutta_choose_order_level(runge_kutta *e);
void runge_kutta_fall_after_failure(runge_kutta *e);

/* interpolant.c: the polynomial of a step with its end in e->end and e->end_yp, into e->next. */
dae_status runge_kutta_interpolate(runge_kutta *e, const stages_step *step);

/* interpolant.c: raise `size` by the error of that polynomial within the step, where the estimate
 * knows nothing of it and values within steps are wanted; then it is left in e->error. */
dae_status runge_kutta_judge_within(runge_kutta *e, const stages_step *step, double *size);

/* runge_kutta_end.c: what solving for the end of a step needs, from the problem as linearised last;
 * and that end, from y by the weights in e->end, into e->end and e->end_yp. */
dae_status runge_kutta_prepare_end(runge_kutta *e, double h);
dae_status runge_kutta_solve_end(runge_kutta *e, const stages_step *step);

/* runge_kutta_end.c: whether nothing damps what the end of a step misses of algebraic equations of
 * index 1: |R(infinity)| is 1 in Gauss's methods, and what the estimate of a next step begins with
 * does not fall with h (Hairer & Wanner II, Sec. VI.1). That is then taken away from y at t, where
 * it counts, with the present factors: DAE_NEWTON where it cannot be. */
bool runge_kutta_carries_missed(const runge_kutta *e);
dae_status runge_kutta_meet_algebraic(runge_kutta *e, double t, double *y, const double *yp);

/* refusal.c: whether the method cannot advance the problem, or not with these options, with the
 * sentence in `m`. */
dae_status runge_kutta_refuse(const runge_kutta *e, const method *which, message *m);

/* refusal.c: whether dF/dy' is regular at the start, where the method needs it to be. */
dae_status runge_kutta_examine(engine *base, message *m);

#endif
