/* What the engines of variable BDF and of modified extended BDF share, and the parts of each:
 * bdf.c, bdf_choice.c, bdf_start.c; mebdf.c. */
#ifndef INTEGRATE_BDF_PARTS_H
#define INTEGRATE_BDF_PARTS_H

#include "integrate/engines.h"
#include "integrate/stages.h"
#include "stepping/corrector.h"
#include "stepping/history.h"
#include "stepping/stepping.h"

/* The numbers of modified extended BDF (J. R. Cash, Comput. Math. Appl. 9 (1983) 645; Hairer &
 * Wanner, Solving ODEs II, 2nd ed., Sec. V.3), from their conditions.
 *
 * With backward differences, h y'_(n+1) = sum_j nabla^j y_(n+1) / j and h y'_(n+2) = sum_j H_j
 * nabla^j y_(n+1), H_j = 1 + 1/2 + ... + 1/j. The formula of k steps and order k + 1
 *
 *   y_(n+1) + sum_(i < k) a_i y_(n-i) = h (now y'_(n+1) + next y'_(n+2))
 *
 * is the combination of both, cut off after nabla^k, in which nabla^(k+1) vanishes. BDF of k steps,
 * of order k, gives y'_(n+2) and a part of y'_(n+1): now - 1/H_k, so that what remains implicit has
 * its coefficient, 1/H_k, and its matrix. */

/* Formulas with more steps are A(alpha)-stable for an alpha below 45 degrees. */
enum { MEBDF_MOST_STEPS = 7, BDF_MOST_ORDER = 5 };

/* The first fixed steps of BDF, and the steps after an event, are made with this method, whose
 * order is not lower. Radau IIA with 5 stages has order 5 in algebraic variables of index 2 as well
 * (Hairer & Wanner II, Table VII.4.1). */
#define BDF_STARTER "radau-iia5"

typedef struct mebdf_formula {
    int steps;
    /* H_k: h y'_(n+1) = H_k y_(n+1) + older points, in all three stages. Of variable BDF: c h of
     * the formula. A step solves with y' = yp + c (y - predicted), where predicted and yp are the
     * values of the polynomial through the last k + 1 points. */
    double leading;
    double now, next;  /* as above */
    double correction; /* next H_k: this times nabla^(k+1) of the second stage goes to the third */
    double error;      /* of BDF, divided by its difference from its prediction: Milne's device */
} mebdf_formula;

/* steps: 1 ... MEBDF_MOST_STEPS */
mebdf_formula mebdf_formula_make(int steps);

typedef struct bdf {
    engine base;
    history past;
    corrector corrector;
    mebdf_formula formula[MEBDF_MOST_STEPS + 1]; /* by order */
    bool leaves_out;  /* the error test leaves out algebraic variables of index 2 and 3 */
    int most, order;  /* of BDF, which is the number of steps: the highest, the present one */
    int steady;       /* steps accepted since order or spacing changed */
    int failures;     /* failed attempts of the step that is being tried */
    bool leads;       /* the starter makes the steps: bdf_start.c */
    bool shortened;   /* attempts of its last step failed */
    int led, settled; /* steps that it has made since the last start; those that hardly grew */
    bool takes_over;  /* a formula that has not made a step yet */
    bool again;       /* it has failed, and the starter is about to lead again */
    bool from_1;      /* order 1 began after the last event, in place of the starter */
    int wait, waits; /* so many starts until order 1 is tried: that are left, from the last trial */
    double begun;    /* the effort up to the last event */
    double effort[2];    /* from one event to the next in the mean, without and with `from_1` */
    bool chooses, ended; /* order and step are still to be chosen; the last step led to an end */
    double accepted;     /* size of the last accepted step's error, before projection */
    double last_error;   /* size of the error at the last failed error test of this step */
    double proposed; /* the first step by the slopes at the start; 0: there is none to be noted */
    double too_long; /* how many times too long such a step was at the last start; 0: not known */

    /* Of modified extended BDF. */
    double t_end; /* the end of the run, beyond which nothing is evaluated */
    int unsteady; /* attempts with too large an error since the points were last steady */
    int points;   /* of the history at the fixed step */
    double failed_from, failed_step, failed_size; /* of the last error that was too large */
    double tolerance;                             /* of Newton's iteration */
    bool has_guess; /* the results of the last step are for this formula and spacing */

    double caution; /* a step that an error allows is divided by this */

    double *guess, *guess_yp; /* n each: y and y' as predicted, where an iteration begins */
    double *change;           /* n: of the first stage, or of BDF, from its prediction */
    double *end, *end_yp;     /* n each: of the step */
    double *error;            /* n */
    /* Of modified extended BDF, n each: y at t + h as the history continues; `change` of the step
     * before; stage 1, at t + h; stage 2, at t + 2 h, and its change from predicted; the change of
     * stage 3, at t + h, from stage 1. */
    double *predicted, *last_change, *first, *first_yp, *second, *second_yp, *second_change,
        *correction;
    const char *starts_with; /* the method that makes the first fixed steps; NULL: none does */
} bdf;

/* bdf.c: what both engines do alike. The first begins at the engine's state, with the present
 * order. */
void bdf_begin(bdf *e);
/* After that, at a start: sets the first step where it is not given. */
void bdf_propose_step(bdf *e);
/* Before an error of that size is accepted: notes how long the first step after a start is. */
void bdf_note_first(bdf *e, double size);
/* Begins the history anew with order 1, from the engine's point and the derivatives e->guess_yp. */
void bdf_begin_history(bdf *e);
/* Solves the formula of the present order at t, for a step h: x (n), to which the change from
 * e->guess and e->guess_yp is added, with y and yp (n each) there. If the step has failed before, a
 * longer one, a stopped iteration restarts from the point that it has reached, with the Jacobian of
 * that point: the predicted point of a shorter step may be just as far from the solution. It does
 * so after a rate of 1 and more only `at_any_rate`. Statuses of corrector_solve(). */
dae_status bdf_solve(bdf *e, double t, double h, bool at_any_rate, double *x, double *y,
                     double *yp);
/* Moves the points of the history to the spacing h, and the newest one to the engine's time. */
void bdf_align(bdf *e, double h);
/* Accepts the step to e->end, whose change from the prediction by the history is `change` (n), with
 * a polynomial of this degree. */
void bdf_accept(bdf *e, const double *change, int degree);
/* The steps of the engine's seam. */
void bdf_carve(engine *base, workspace *space);
dae_status bdf_reserve(engine *base, const method *which, message *m);
void bdf_shortened(engine *base, dae_status status, double *factor);
bool bdf_follow(engine *base, const double *to, double *y);
void bdf_replace(engine *base, const double *y);
dae_status bdf_carry(engine *base, point_map map, void *self);
void bdf_interpolate(engine *base);
void bdf_lend(engine *base);
void bdf_state(engine *base, state_visit *s);

/* The size of the error, 1 being the limit, of the formula of that order, where nabla^(order + 1)
 * y, its difference from its prediction, is x (n). The error itself is left in e->error. */
double bdf_size(bdf *e, int order, const double *x);

/* The size of the error of the step just solved, whose change from its prediction is e->change. In
 * the first step after a start that is one of corrector_error_at_start(). */
double bdf_size_of_step(bdf *e);

/* The largest factor by which a step can grow with a formula of this order and an error of this
 * size. */
double bdf_longest(int order, double size);

/* Takes a formula of this order and a step that is `factor` times the spacing. */
void bdf_change(bdf *e, int order, double factor);

/* After an accepted step: checks whether round-off shows at order 1. */
void bdf_look_back(bdf *e);

/* Before the step that follows an accepted one: chooses its order and length. By then the newest
 * point has been projected like the older ones. The part that projection removes at every point
 * would be in all differences of an unprojected point, and would count against every other
 * order. */
void bdf_choose(bdf *e);

/* After an error beyond the limit: chooses order and length of the next attempt. */
void bdf_retreat(bdf *e, double size);

/* bdf_start.c: the starter leads after an event. Where the engine starts with a level that is known
 * to hold, the starter starts there as well. */
void bdf_begin_leading(bdf *e);
/* Whether it leads at all: not where the author bounds the order. */
static inline bool bdf_leads_ever(const bdf *e)
{
    return e->base.options.events && !(e->base.options.max_order > 0);
}
/* Of the engine's seam: a step of the starter. */
bool bdf_lead(engine *base, double t_end, dae_status *status);
/* After a failed attempt: the starter leads again where it had just left the place to a formula. */
void bdf_lead_again(bdf *e);
/* Before a step towards t_end: a formula takes over where its step is long enough. */
void bdf_end_leading(bdf *e, double t_end);

/* bdf_choice.c: the formulas of variable BDF. */
void bdf_make_formulas(bdf *e);

#endif
