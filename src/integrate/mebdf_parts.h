/* What the parts of the engine of modified extended BDF share: mebdf.c, mebdf_stages.c,
 * mebdf_choice.c. */
#ifndef INTEGRATE_MEBDF_PARTS_H
#define INTEGRATE_MEBDF_PARTS_H

#include "integrate/corrector.h"
#include "integrate/history.h"
#include "integrate/mebdf.h"
#include "integrate/mebdf_formula.h"
#include "integrate/stepping.h"

typedef struct mebdf {
    engine base;
    stepping stepping;
    history past;
    corrector corrector;
    mebdf_formula formula[MEBDF_MOST_STEPS + 1];
    int most, steps;   /* of the formula: the most, and at present */
    int steady;        /* steps accepted since steps or spacing changed */
    int failures;      /* of the step that is being tried */
    int unsteady;      /* attempts that failed since so many were */
    double rate;       /* of Newton's iteration, where it was seen last */
    bool has_guess;    /* what the last step found is of this spacing and formula */
    double *predicted; /* n: y at t + h as the history continues */
    double *first, *first_slope, *first_change;    /* n each: stage 1, at t + h, over predicted */
    double *second, *second_slope, *second_change; /* n each: stage 2, at t + 2 h, the same */
    double *end, *end_slope, *correction;          /* n each: stage 3, at t + h, over stage 1 */
    double *last_change; bool had_guess;
    double *guess, *guess_slope, *error;           /* n each */
    workspace space;
} mebdf;

/* The stages of a step h: stage 1; then, where t + 2 h is not beyond t_end, the others. Statuses of
 * corrector_solve(). */
dae_status mebdf_solve_first(mebdf *e, double h);
dae_status mebdf_solve_others(mebdf *e, double h);

/* The size of the error, 1 being the limit, of BDF of so many steps that is off its prediction by x
 * (n); it is left in e->error. */
double mebdf_size(mebdf *e, int steps, const double *x);

/* After an accepted step with an error of that size: steps and spacing of the next one. */
void mebdf_choose(mebdf *e, double size);

/* After an error beyond the limit. */
void mebdf_retreat(mebdf *e, double size);

#endif
