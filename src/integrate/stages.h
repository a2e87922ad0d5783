/* The stage equations of a collocation method and their Newton iteration; for collocation.c. */
#ifndef INTEGRATE_STAGES_H
#define INTEGRATE_STAGES_H

#include "base/workspace.h"
#include "integrate/engine.h"
#include "method/collocation_rows.h"

typedef struct stages {
    problem *problem;
    const collocation_row *row;
    size_t n;
    double *z;                    /* stages x n, rows contiguous: Y_i - y */
    double *value, *slope;        /* n: Y_i and Y_i' of the stage that is evaluated */
    double *residual;             /* stages x n */
    double *correction;           /* stages x n */
    double *softened;             /* n */
    double *real_part;            /* n: right side and solution of a real block */
    double complex *complex_part; /* n: of a complex block */
    double factored_step;         /* h for which the blocks are factored; 0: for none */
    double rate;                  /* of convergence in the last solution */
    double rtol;                  /* relative tolerance that the weights are made of */
    int iterations;               /* of the last solution */
    double suggested; /* after failure: factor for the step, 0 if nothing better than one half */
} stages;

/* Place the arrays in `space`, or measure. */
void stages_carve(stages *s, workspace *space, problem *p, const collocation_row *row);

/* Reserve the problem's factorisations. */
dae_status stages_reserve(stages *s);

/* Factor all blocks for the step h, from the problem as linearised last. */
dae_status stages_factor(stages *s, double h);

/* The norm of a change of y in a step h, in which variables and directions of higher index count
 * with powers of h. */
double stages_norm(stages *s, const double *x, const double *weight, double h);

/* Solve for z from what it holds, until the correction left is below `tolerance`. DAE_NEWTON,
 * DAE_NOT_EVALUABLE. */
dae_status stages_solve(stages *s, double t, double h, const double *y, const double *weight,
                        double tolerance, engine_trouble *trouble);

/* The same down to round-off, for fixed steps: there is no shorter one to try instead. */
dae_status stages_solve_exactly(stages *s, double t, double h, const double *y,
                                const double *weight, engine_trouble *trouble);

/* Y_i' = sum_j (A^-1)_ij Z_j / h of stage i into `slope` (n). */
void stages_slope(const stages *s, int i, double h, double *slope);

#endif
