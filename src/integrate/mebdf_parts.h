/* What the parts of the engine of modified extended BDF share: mebdf.c, mebdf_stages.c,
 * mebdf_choice.c, mebdf_stages.c. */
#ifndef INTEGRATE_MEBDF_PARTS_H
#define INTEGRATE_MEBDF_PARTS_H

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
enum { MEBDF_MOST_STEPS = 7 };

typedef struct mebdf_formula {
    int steps;
    double leading;    /* H_k: h y'_(n+1) = H_k y_(n+1) + older points, in all three stages */
    double now, next;  /* as above */
    double correction; /* next H_k: this times nabla^(k+1) of the second stage goes to the third */
    double error;      /* of BDF, divided by its difference from its prediction: Milne's device */
} mebdf_formula;

/* steps: 1 ... MEBDF_MOST_STEPS */
mebdf_formula mebdf_formula_make(int steps);

typedef struct mebdf {
    engine base;
    stepping stepping;
    history past;
    corrector corrector;
    mebdf_formula formula[MEBDF_MOST_STEPS + 1];
    double t_end;    /* the end of the run, beyond which nothing is evaluated */
    int most, steps; /* steps of the formula: the most, and at present */
    int steady;      /* steps accepted since formula or spacing changed */
    int failures;    /* failed attempts of the step that is being tried */
    int unsteady;    /* attempts with too large an error since the points were last steady */
    double failed_from, failed_step, failed_size; /* of the last error that was too large */
    double tolerance;                             /* of Newton's iteration */
    bool has_guess;      /* the results of the last step are for this formula and spacing */
    double *predicted;   /* n: y at t + h as the history continues */
    double *last_change; /* n: first_change of the step before */
    double *first, *first_yp, *first_change;    /* n each: stage 1, at t + h; its change from
                                                 * predicted */
    double *second, *second_yp, *second_change; /* n each: stage 2, at t + 2 h; likewise */
    double *end, *end_yp, *correction;          /* n each: stage 3, at t + h; its change from stage
                                                 * 1 */
    double *guess, *guess_yp, *error;           /* n each */
    dense_output polynomial;                    /* of the last step, but for those of starter */
    starter starter;                            /* of fixed steps */
    int points;                                 /* of the history at the fixed step */
    workspace space;
} mebdf;

/* t + h, or the end of the run if only round-off leads beyond it. */
double mebdf_time_after(const mebdf *e, double h);

/* Solves stage 1 of a step h, and then stages 2 and 3. Statuses of corrector_solve(). */
dae_status mebdf_solve_first(mebdf *e, double h);
dae_status mebdf_solve_others(mebdf *e, double h);

/* The size of the error, 1 being the limit, of BDF of `steps` steps whose result differs from its
 * prediction by x (n). The error itself is left in e->error. */
double mebdf_size(mebdf *e, int steps, const double *x);

/* After an accepted step: checks whether round-off shows at order 1. */
void mebdf_look_back(mebdf *e);

/* After an accepted step with an error of that size: chooses steps and spacing of the next one.
 * `last`: the step led to an end. */
void mebdf_choose(mebdf *e, double size, bool last);

/* After an error beyond the limit: chooses steps and spacing of the next attempt. */
void mebdf_retreat(mebdf *e, double size);

/* With fixed steps: whether the starter has to make the step h, and that step. */
bool mebdf_is_to_start(const mebdf *e, double h);
dae_status mebdf_begin(mebdf *e, double h);

#endif
