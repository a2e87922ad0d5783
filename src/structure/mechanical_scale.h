/* Factors of the equations of motion with which a system is mechanical at all points given. */
#ifndef STRUCTURE_MECHANICAL_SCALE_H
#define STRUCTURE_MECHANICAL_SCALE_H

#include "base/arena.h"

#include <stdbool.h>

/* The matrices of mechanism.h at one point, by rows, the i-th row of the first two that of
 * the equation of motion for the i-th of n coordinates; m constraints. */
typedef struct mechanical_sample {
    double *mass;      /* n x n */
    double *direction; /* n x m */
    double *jacobian;  /* m x n */
} mechanical_sample;

/* Find scale[i] (n), the same for all samples, so that scale[i] mass_ij is symmetric and positive
 * semidefinite, and the columns of scale[i] direction_il span what the rows of the jacobian span,
 * all but for rounding. Signs alone where they will do; else |scale[0]| is 1, and of several
 * solutions one without needless differences is taken. False where there is none. In `a`, under its
 * protection; work grows with n^2 (n + m) for each sample. */
bool mechanical_scale(arena *a, size_t n, size_t m, size_t samples, const mechanical_sample *at,
                      double *scale);

#endif
