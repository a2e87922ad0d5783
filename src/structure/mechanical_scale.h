/* Finds factors of the equations of motion for which a system is mechanical at all given points. */
#ifndef STRUCTURE_MECHANICAL_SCALE_H
#define STRUCTURE_MECHANICAL_SCALE_H

#include "base/arena.h"

#include <stdbool.h>

/* The matrices of mechanism.h at one point, by rows. Row i of the first two belongs to the equation
 * of motion of the i-th of n coordinates; there are m constraints. */
typedef struct mechanical_sample {
    double *mass;      /* n x n */
    double *direction; /* n x m */
    double *jacobian;  /* m x n */
} mechanical_sample;

/* Find scale[i] (n), the same for all samples, for which scale[i] mass_ij is symmetric and positive
 * semidefinite, and the columns of scale[i] direction_il span the same space as the rows of the
 * jacobian, up to rounding. If signs suffice, only signs are used. Otherwise |scale[0]| is 1, and
 * of several solutions one without needless differences is taken. False if there is none. In `a`,
 * under its protection; work grows with n^2 (n + m) for each sample. */
bool mechanical_scale(arena *a, size_t n, size_t m, size_t samples, const mechanical_sample *at,
                      double *scale);

#endif
