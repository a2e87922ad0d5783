#include "linalg/linear_solver.h"

#include "linalg/linear_solver_rows.h"

#include <complex.h>

/* Times of one factorisation and two solutions, in nanoseconds, fitted to runs of problems with 3
 * to 160 unknowns: good to a factor of two, which is all a choice needs. */
static double dense_time(double n)
{
    return 400 + 60 * n + 4.5 * n * n + 0.30 * n * n * n;
}

static double sparse_time(double n, double nonzeros, double operations)
{
    return 250 + 60 * n + 10 * nonzeros + 1.0 * operations;
}

dae_status linear_solver_create(linear_solver **solver, const sparse_pattern *pattern,
                                bool is_complex)
{
    double n = (double)pattern->rows, operations = 0;
    if (pattern->rows == 0) return dense_lu_create(solver, pattern, is_complex);
    linear_solver *sparse = NULL;
    dae_status status = sparse_lu_create(&sparse, pattern, is_complex, &operations);
    if (status != DAE_OK) return status;
    if (dense_time(n) >= sparse_time(n, (double)sparse->nonzeros, operations)) {
        *solver = sparse;
        return DAE_OK;
    }
    linear_solver_free(sparse);
    return dense_lu_create(solver, pattern, is_complex);
}

void linear_solver_scale_columns(linear_solver *solver, void *values, const double *scale)
{
    const sparse_pattern *p = solver->pattern;
    solver->column_scale = scale;
    for (size_t j = 0; scale && j < p->columns; j++) {
        if (scale[j] == 1) continue;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            if (solver->is_complex)
                ((double complex *)values)[k] *= scale[j];
            else
                ((double *)values)[k] *= scale[j];
        }
    }
}

dae_status linear_solver_factor(linear_solver *solver, const void *values)
{
    solver->singular_row = solver->singular_column = LINEAR_SOLVER_NOWHERE;
    return solver->row->factor(solver, values);
}

size_t linear_solver_singular_row(const linear_solver *solver)
{
    return solver->singular_row;
}

size_t linear_solver_singular_column(const linear_solver *solver)
{
    return solver->singular_column;
}

void linear_solver_solve(linear_solver *solver, void *b)
{
    const double *scale = solver->column_scale;
    solver->row->solve(solver, b);
    for (size_t j = 0; scale && j < solver->pattern->columns; j++) {
        if (solver->is_complex)
            ((double complex *)b)[j] *= scale[j];
        else
            ((double *)b)[j] *= scale[j];
    }
}

double linear_solver_rcond(linear_solver *solver)
{
    return solver->row->rcond(solver);
}

size_t linear_solver_nonzeros(const linear_solver *solver)
{
    return solver->nonzeros;
}

size_t linear_solver_reordered(const linear_solver *solver)
{
    return solver->reordered;
}

const char *linear_solver_name(const linear_solver *solver)
{
    return solver->row->name;
}

void linear_solver_prefer_diagonal(linear_solver *solver, double part)
{
    if (solver->row->prefer_diagonal) solver->row->prefer_diagonal(solver, part);
}

void linear_solver_free(linear_solver *solver)
{
    if (solver) solver->row->free(solver);
}
