/* Factorisations of alpha B + beta A for two sparse matrices of one size and any alpha and beta.
 *
 * Rows of the sum with two entries are solved by themselves (pair_rows.h), and only the smaller
 * matrix of the other rows is factored: q' = v costs nothing. The pattern holds the entries that
 * are said to occur, and may grow. */
#ifndef PROBLEM_PENCIL_H
#define PROBLEM_PENCIL_H

#include "base/state.h"
#include "linalg/linear_solver.h"
#include "linalg/sparse.h"

#include <complex.h>

typedef struct pencil pencil;

/* A matrix: its pattern, and for each nonzero whether it occurs; the others are 0. NULL: all do. */
typedef struct pencil_matrix {
    const sparse_pattern *pattern;
    const bool *occurs;
} pencil_matrix;

/* For matrices B and A (n x n), the patterns borrowed. In `a`, under its protection. */
pencil *pencil_create(arena *a, pencil_matrix b, pencil_matrix at);

/* More entries occur: later factorisations take them in, each slot at its next one. In `a`, under
 * its protection. */
void pencil_extend(pencil *p, arena *a);

/* Make room for `slots` factorisations, each real or complex, in place of any before.
 * DAE_NO_MEMORY, or DAE_SINGULAR if the sum is structurally singular. */
dae_status pencil_reserve(pencil *p, size_t slots, const bool *is_complex);

/* The kinds of the slots, and their number. */
size_t pencil_slots(const pencil *p, bool *is_complex);

/* Factor alpha B + beta A into a slot; b and at are the values in the order of their patterns. Real
 * slots take the real parts of alpha and beta. scale (n, > 0, NULL: 1): units of the columns.
 * Allocates only after the pattern was extended. DAE_SINGULAR, DAE_NO_MEMORY. */
dae_status pencil_factor(pencil *p, size_t slot, double complex alpha, const double *b,
                         double complex beta, const double *at, const double *scale);

/* The next factorisation into a slot depends on its matrix only: see linear_solver_forget(). */
void pencil_forget(pencil *p, size_t slot);

/* Where the last factorisation found the matrix singular: see linear_solver.h. */
void pencil_singular(const pencil *p, size_t slot, size_t *row, size_t *column);

/* The sign of the determinant, after a successful factorisation into a real slot. */
int pencil_sign(const pencil *p, size_t slot);

/* Solve in place: x (n; double or double complex, as the slot is) becomes the solution. */
void pencil_solve(pencil *p, size_t slot, void *x);

/* What a factorisation and each of many solutions cost; see linear_solver_factor_cost(). */
void pencil_costs(const pencil *p, size_t slot, double *factor, double *solve);

/* Whether the pattern was extended since a slot was made: its next factorisation makes another
 * solver. */
bool pencil_outgrown(const pencil *p, size_t slot);

/* The linear solver of a slot, for its name and counts. NULL if there is no such slot. */
const linear_solver *pencil_solver(const pencil *p, size_t slot);

void pencil_free(pencil *p); /* frees what the arena does not hold; NULL is fine */

/* The matrices and factors of all slots. Saving factors each matrix once more, with pivots of its
 * own, so that the one that is saved and the one that is restored have the same factors. A slot
 * that has not been factored since the pattern was extended is empty. Restoring makes the slots
 * that were saved. DAE_NO_MEMORY, DAE_SINGULAR. */
void pencil_state(pencil *p, state_visit *s);

/* Scales for which the entries of alpha B + A are of similar size. */

/* A matrix (n x n): its pattern and values. */
typedef struct pencil_values {
    const sparse_pattern *pattern;
    const double *value;
} pencil_values;

/* Factors for which row_i |a_ij| column_j and row_i alpha |b_ij| column_j are near 1: the least
 * squares of the logarithms of all nonzeros (Curtis & Reid, On the automatic scaling of matrices
 * for Gaussian elimination, 1972), solved to a few sweeps. They follow the units in which
 * equations, variables and time are written. */
typedef struct pencil_scales {
    double *row, *column; /* n each: powers of 2, which add no round-off */
    double alpha;
    struct pencil_logarithms *logarithms;
} pencil_scales;

/* For matrices B and A, with the best alpha. In `memory`, under its protection. */
pencil_scales pencil_scales_find(arena *memory, pencil_values b, pencil_values a);

/* The same matrices with this alpha > 0. */
void pencil_scales_at(pencil_scales *s, double alpha);

#endif
