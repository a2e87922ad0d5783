/* What the parts of the engine of modified extended BDF share: mebdf.c, mebdf_stages.c,
 * mebdf_choice.c, mebdf_start.c. */
#ifndef INTEGRATE_MEBDF_PARTS_H
#define INTEGRATE_MEBDF_PARTS_H

#include "integrate/mebdf.h"
#include "integrate/mebdf_formula.h"
#include "integrate/starter.h"
#include "stepping/corrector.h"
#include "stepping/history.h"
#include "stepping/stepping.h"

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
