/* Whether multipliers push where constraints hold, and inertia is symmetric: by numbers. */
#ifndef STRUCTURE_MECHANICAL_PROOF_H
#define STRUCTURE_MECHANICAL_PROOF_H

#include "structure/mechanism.h"

/* An expression that must vanish, and one to compare its size with. */
typedef struct mechanical_zero {
    sym value, of;
} mechanical_zero;

typedef LIST(mechanical_zero) mechanical_zeros;

/* Test a form of which all but row scales and the order of motion equations is known. True: it is
 * one; then row[i] (coordinates) is the motion equation, as they are ordered so far, that belongs
 * to coordinate i, and scale[i] its factor, after division by its own coefficient of q_i'' where
 * *divided. In the system's arena, under its protection. */
bool mechanical_proof(const mechanism *form, const mechanical_zeros *zeros, uint32_t *row,
                      double *scale, bool *divided);

#endif
