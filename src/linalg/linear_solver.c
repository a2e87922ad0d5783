#include "linalg/linear_solver.h"

#include "linalg/linear_solver_rows.h"

#include <complex.h>

/* Above this size a matrix with a sparse pattern is never factored as a dense one. */
enum { LARGEST_TRIAL = 1000 };

/* The choice assumes one factorisation followed by this many solutions, as in a Rosenbrock method
 * with eight stages. Other methods solve more often with the same factors. */
static const double SOLUTIONS = 8;

/* Fitted to measured times of LAPACK with the reference BLAS and of KLU with old pivots, for 3 to
 * 160 unknowns. Complex arithmetic costs both about the same, a little over twice as much. */
static const double COMPLEX = 2.2;

static double dense_factor_cost(double n)
{
    return 12 * n + n * n + 0.10 * n * n * n;
}

static double dense_solve_cost(double n)
{
    return 5 + 7 * n + 0.13 * n * n;
}

static double sparse_factor_cost(double n, double entries, double operations)
{
    return 30 + 8 * n + 2.5 * entries + 0.25 * operations;
}

static double sparse_solve_cost(double n, double nonzeros)
{
    return 20 + 7 * n + 0.4 * nonzeros;
}

double linear_solver_factor_cost(const linear_solver *solver)
{
    double n = (double)solver->pattern->rows, entries = (double)solver->pattern->nonzeros;
    double cost = solver->row->is_sparse ? sparse_factor_cost(n, entries, solver->operations)
                                         : dense_factor_cost(n);
    return solver->is_complex ? COMPLEX * cost : cost;
}

double linear_solver_solve_cost(const linear_solver *solver)
{
    double n = (double)solver->pattern->rows;
    double cost = solver->row->is_sparse ? sparse_solve_cost(n, (double)solver->nonzeros)
                                         : dense_solve_cost(n);
    return solver->is_complex ? COMPLEX * cost : cost;
}

/* The number of solutions for which the factors are rearranged by rows; complex factors never are.
 */
static const double BY_ROWS = 0.55;

double linear_solver_many_solves_cost(const linear_solver *solver)
{
    bool by_rows = solver->row->is_sparse && !solver->is_complex;
    return (by_rows ? BY_ROWS : 1) * linear_solver_solve_cost(solver);
}

/* Whether sparse factors with these counts of nonzeros and operations are cheaper than dense ones.
 */
static bool sparse_pays(const sparse_pattern *p, double nonzeros, double operations)
{
    double n = (double)p->rows;
    return sparse_factor_cost(n, (double)p->nonzeros, operations) +
               SOLUTIONS * sparse_solve_cost(n, nonzeros) <=
           dense_factor_cost(n) + SOLUTIONS * dense_solve_cost(n);
}

/* Decides by the bounds of the analysis where they suffice: fill-in is at least zero and at most
 * what they say. Otherwise decides by counting. */
static bool choose_sparse(linear_solver *sparse)
{
    const sparse_pattern *p = sparse->pattern;
    double entries = (double)p->nonzeros;
    if (p->rows > LARGEST_TRIAL) return true;
    if (sparse_pays(p, (double)sparse->nonzeros, sparse->operations)) return true;
    if (!sparse_pays(p, entries, entries - (double)p->rows)) return false;
    sparse_lu_count(sparse);
    return sparse_pays(p, (double)sparse->nonzeros, sparse->operations);
}

static dae_status create(linear_solver **solver, const sparse_pattern *pattern, bool is_complex,
                         bool any_pivots)
{
    if (pattern->rows == 0) return dense_lu_create(solver, pattern, is_complex);
    linear_solver *sparse = NULL;
    dae_status status = sparse_lu_create(&sparse, pattern, is_complex, any_pivots);
    if (status != DAE_OK) return status;
    if (choose_sparse(sparse)) {
        *solver = sparse;
        return DAE_OK;
    }
    linear_solver_free(sparse);
    return dense_lu_create(solver, pattern, is_complex);
}

dae_status linear_solver_create(linear_solver **solver, const sparse_pattern *pattern,
                                bool is_complex)
{
    return create(solver, pattern, is_complex, false);
}

dae_status linear_solver_create_for_any_pivots(linear_solver **solver,
                                               const sparse_pattern *pattern)
{
    return create(solver, pattern, false, true);
}

dae_status linear_solver_create_like(linear_solver **solver, const linear_solver *other,
                                     bool is_complex)
{
    return other->row->like(solver, other, is_complex);
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

void linear_solver_forget(linear_solver *solver)
{
    if (solver->row->forget) solver->row->forget(solver);
}

void linear_solver_solve(linear_solver *solver, void *b)
{
    const double *scale = solver->column_scale;
    size_t n = scale ? solver->pattern->columns : 0;
    double complex *z = b;
    double *x = b;
    solver->row->solve(solver, b);
    if (solver->is_complex)
        for (size_t j = 0; j < n; j++) z[j] *= scale[j];
    else
        for (size_t j = 0; j < n; j++) x[j] *= scale[j];
}

double linear_solver_rcond(linear_solver *solver)
{
    return solver->row->rcond(solver);
}

int linear_solver_sign(const linear_solver *solver)
{
    return solver->row->sign(solver);
}

double linear_solver_least_pivot(linear_solver *solver)
{
    return solver->row->least_pivot(solver);
}

void linear_solver_prefer_diagonal(linear_solver *solver, double part)
{
    if (solver->row->prefer_diagonal) solver->row->prefer_diagonal(solver, part);
}

void linear_solver_free(linear_solver *solver)
{
    if (solver) solver->row->free(solver);
}
