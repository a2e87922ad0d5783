/* What a back end of linear_solver.h provides; for linear_solver.c and the back ends alone. */
#ifndef LINALG_LINEAR_SOLVER_ROWS_H
#define LINALG_LINEAR_SOLVER_ROWS_H

#include "linalg/linear_solver.h"
#include "linalg/sparse.h"

#include <daedal/status.h>

/* Scales of rows and columns that do not depend on the units they are written in.
 *
 * The logarithms of the scaled entries are least in the sense of least squares (Curtis & Reid, J.
 * Inst. Maths Applics 10 (1972)): a row or a column in another unit is scaled to the same numbers.
 * Scaling by largest entries has no such property, as it depends on the entry it begins with. */

/* row (rows) and column (columns) become powers of 2 for which row_i |a_ij| column_j is near 1.
 * Zeros and values that are not finite do not count. DAE_NO_MEMORY. */
dae_status equilibrate(const sparse_pattern *p, const double *value, double *row, double *column);

struct linear_solver_row {
    bool is_sparse;
    dae_status (*like)(linear_solver **solver, const linear_solver *other, bool is_complex);
    dae_status (*factor)(linear_solver *solver, const void *values);
    void (*solve)(linear_solver *solver, void *b);
    double (*rcond)(linear_solver *solver);
    int (*sign)(const linear_solver *solver);
    double (*least_pivot)(linear_solver *solver);
    void (*prefer_diagonal)(linear_solver *solver, double part); /* NULL: it makes no difference */
    void (*forget)(linear_solver *solver); /* NULL: there is nothing to forget */
    void (*free)(linear_solver *solver);
};

/* Both make a solver or fail with DAE_NO_MEMORY; the sparse one also with DAE_SINGULAR. */
dae_status dense_lu_create(linear_solver **solver, const sparse_pattern *pattern, bool is_complex);
dae_status sparse_lu_create(linear_solver **solver, const sparse_pattern *pattern, bool is_complex,
                            bool any_pivots);

/* Count the nonzeros and operations of a sparse solver by a trial factorisation, to replace the
 * bounds with which it begins. */
void sparse_lu_count(linear_solver *solver);

#endif
