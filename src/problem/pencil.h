/* Factorisations of alpha B + beta A for two sparse matrices of one size and any numbers. */
#ifndef PROBLEM_PENCIL_H
#define PROBLEM_PENCIL_H

#include "linalg/linear_solver.h"

#include <complex.h>

typedef struct pencil pencil;

/* For matrices B and A (n x n) of these patterns, which are copied. In `a`, under its protection.
 */
pencil *pencil_create(arena *a, const sparse_pattern *b, const sparse_pattern *at);

/* Make room for `slots` factorisations, each real or complex, in place of any before.
 * DAE_NO_MEMORY, or DAE_SINGULAR where no numbers could make the sum regular. */
dae_status pencil_reserve(pencil *p, size_t slots, const bool *is_complex);

/* Factor alpha B + beta A into a slot; values in the order of their patterns. Real slots take the
 * real parts of alpha and beta. Allocates nothing. */
dae_status pencil_factor(pencil *p, size_t slot, double complex alpha, const double *b,
                         double complex beta, const double *at);

/* The scales of the columns of a slot (n, all 1 at first), to be changed before its factorisation.
 */
double *pencil_scale(pencil *p, size_t slot);

/* x (n; double or double complex as the slot is) becomes the solution. */
void pencil_solve(pencil *p, size_t slot, void *x);

/* The solver of a slot, for what else it can be asked; NULL where there is none. */
const linear_solver *pencil_solver(const pencil *p, size_t slot);

/* What a factorisation and a solution cost; see linear_solver_factor_cost(). */
void pencil_costs(const pencil *p, size_t slot, double *factor, double *solve);

void pencil_free(pencil *p); /* what the arena does not hold; NULL is fine */

#endif
