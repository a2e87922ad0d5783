/* The sparse back end of the linear solver: KLU. Davis & Palamadai Natarajan, Algorithm 907: KLU,
 * ACM TOMS 37 (2010). There is one analysis for a pattern and one refactorisation with the old
 * pivots for a matrix. A new pivot order is chosen only when the old one has become bad. */
#include "base/scatter.h"
#include "linalg/linear_solver_rows.h"
#include "linalg/sparse.h"

#include <math.h>
#include <stdlib.h>

/* Old pivots are given up when the growth of entries during the elimination exceeds 1 over the
 * first number. Measuring the growth takes a fifth of the time. It is measured only where the ratio
 * of smallest to largest pivot has fallen by the second number since the last time, because entries
 * grow where a pivot is small. */
static const double WORST_GROWTH = 1e-8, SMALLER_PIVOT = 0.1;

/* The most visits to entries, for each nonzero, in the search for a matching. Most matrices need
 * one. */
static const double MATCHING_WORK = 50;

/* KLU's number for the column order COLAMD (Davis, Gilbert, Larimore & Ng, ACM TOMS 30 (2004)), in
 * place of AMD; and its number for an unknown rank. */
enum { COLAMD = 1, NOT_KNOWN = -1 };

/* Rearranging factors by rows costs as much as this many solutions save. It is done once factors
 * have served that often. */
enum { MANY_SOLUTIONS = 5 };

/* The order of a pattern, shared by solvers. */
typedef struct sparse_order {
    size_t users;
    klu_symbolic *symbolic;
} sparse_order;

typedef struct sparse_lu {
    linear_solver base;
    klu_common common;
    sparse_order *order;
    klu_symbolic *symbolic;           /* of the order */
    klu_numeric *numeric;             /* NULL before the first factorisation */
    double least_pivot;               /* over the largest, when the growth was looked at last */
    sparse_substitution substitution; /* of real factors */
    size_t factors, solutions;        /* that served so far, and those with them */
    bool served;                      /* the present factors did */
    bool by_rows;                     /* the substitution has these factors */
    bool odd;                         /* rows and columns are exchanged an odd number of times */
} sparse_lu;

/* Smallest over largest pivot of the last factorisation. */
static double least_pivot(sparse_lu *lu)
{
    if (lu->base.is_complex)
        klu_z_rcond(lu->symbolic, lu->numeric, &lu->common);
    else
        klu_rcond(lu->symbolic, lu->numeric, &lu->common);
    return lu->common.rcond;
}

/* Nonzeros and operations of the factors; a complex operation counts as one. */
static void take_counts(sparse_lu *lu, klu_numeric *numeric, bool is_complex)
{
    sparse_index counted = is_complex ? klu_z_flops(lu->symbolic, numeric, &lu->common)
                                      : klu_flops(lu->symbolic, numeric, &lu->common);
    lu->base.nonzeros = (size_t)numeric->lnz + (size_t)numeric->unz + (size_t)numeric->nzoff;
    if (counted) lu->base.operations = lu->common.flops;
}

/* Whether a permutation is odd. `seen` (n) is false on input and true on output. */
static bool is_odd(size_t n, const sparse_index *to, bool *seen)
{
    bool odd = false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i; !seen[k]; k = (size_t)to[k]) {
            seen[k] = true;
            if (k != i) odd = !odd;
        }
    return odd;
}

static dae_status find_parity(sparse_lu *lu)
{
    size_t n = lu->base.pattern->rows;
    bool *seen = calloc(2 * n, sizeof *seen);
    if (!seen) return DAE_NO_MEMORY;
    lu->odd = is_odd(n, lu->numeric->Pnum, seen) != is_odd(n, lu->symbolic->Q, seen + n);
    free(seen);
    return DAE_OK;
}

static int sparse_sign(const linear_solver *solver)
{
    const sparse_lu *lu = (const sparse_lu *)solver;
    const double *diagonal = lu->numeric->Udiag;
    bool minus = lu->odd;
    for (size_t i = 0; i < solver->pattern->rows; i++)
        if (diagonal[i] < 0) minus = !minus;
    return minus ? -1 : 1;
}

static void forget_factors(sparse_lu *lu)
{
    if (lu->base.is_complex)
        klu_z_free_numeric(&lu->numeric, &lu->common);
    else
        klu_free_numeric(&lu->numeric, &lu->common);
}

static dae_status take_factors(sparse_lu *lu)
{
    take_counts(lu, lu->numeric, lu->base.is_complex);
    lu->least_pivot = least_pivot(lu);
    dae_status status = find_parity(lu);
    lu->by_rows = !lu->base.is_complex;
    if (status != DAE_OK || !lu->by_rows) return status;
    return sparse_substitution_make(&lu->substitution, lu->symbolic, lu->numeric);
}

static dae_status factor_anew(sparse_lu *lu, double *values)
{
    const sparse_pattern *p = lu->base.pattern;
    if (lu->numeric) {
        lu->base.reordered++;
        forget_factors(lu);
    }
    lu->numeric = lu->base.is_complex
                      ? klu_z_factor(p->start, p->row, values, lu->symbolic, &lu->common)
                      : klu_factor(p->start, p->row, values, lu->symbolic, &lu->common);
    if (!lu->numeric) {
        if (lu->common.singular_col < (sparse_index)p->columns)
            lu->base.singular_column = (size_t)lu->common.singular_col;
        return lu->common.status == KLU_OUT_OF_MEMORY ? DAE_NO_MEMORY : DAE_SINGULAR;
    }
    dae_status status = take_factors(lu);
    if (status != DAE_OK) forget_factors(lu);
    return status;
}

static bool grows(sparse_lu *lu, double *values)
{
    const sparse_pattern *p = lu->base.pattern;
    sparse_index done =
        lu->base.is_complex
            ? klu_z_rgrowth(p->start, p->row, values, lu->symbolic, lu->numeric, &lu->common)
            : klu_rgrowth(p->start, p->row, values, lu->symbolic, lu->numeric, &lu->common);
    return !done || lu->common.rgrowth <= WORST_GROWTH;
}

/* Whether the pivots of the last factorisation served this matrix well. */
static bool refactor(sparse_lu *lu, double *values)
{
    const sparse_pattern *p = lu->base.pattern;
    sparse_index done =
        lu->base.is_complex
            ? klu_z_refactor(p->start, p->row, values, lu->symbolic, lu->numeric, &lu->common)
            : klu_refactor(p->start, p->row, values, lu->symbolic, lu->numeric, &lu->common);
    if (!done || lu->common.status != KLU_OK) return false;
    double least = least_pivot(lu);
    if (least >= SMALLER_PIVOT * lu->least_pivot && least > 0) return true;
    if (!(least > 0) || grows(lu, values) || lu->common.status != KLU_OK) return false;
    lu->least_pivot = least;
    return true;
}

/* The first row of zeros, if there is one and memory suffices for the search. */
static void find_zero_row(linear_solver *solver, const double *value)
{
    const sparse_pattern *p = solver->pattern;
    size_t parts = solver->is_complex ? 2 : 1;
    bool *filled = calloc(p->rows + 1, sizeof *filled);
    if (!filled) return;
    for (size_t k = 0; k < p->nonzeros * parts; k++)
        if (value[k] != 0) filled[p->row[k / parts]] = true;
    for (size_t i = p->rows; i-- > 0;)
        if (!filled[i]) solver->singular_row = i;
    free(filled);
}

static dae_status sparse_factor(linear_solver *solver, const void *values)
{
    sparse_lu *lu = (sparse_lu *)solver;
    size_t parts = solver->is_complex ? 2 : 1;
    double *value = (double *)values; /* KLU does not change it */
    for (size_t k = 0; k < solver->pattern->nonzeros * parts; k++) {
        if (isfinite(value[k])) continue;
        solver->singular_row = (size_t)solver->pattern->row[k / parts];
        return DAE_SINGULAR;
    }
    lu->served = false;
    if (lu->numeric && refactor(lu, value)) {
        lu->by_rows = !solver->is_complex && lu->solutions >= MANY_SOLUTIONS * lu->factors;
        if (lu->by_rows) sparse_substitution_take(&lu->substitution);
        return DAE_OK;
    }
    dae_status status = factor_anew(lu, value);
    if (status == DAE_SINGULAR) find_zero_row(solver, value);
    return status;
}

static void sparse_solve(linear_solver *solver, void *b)
{
    sparse_lu *lu = (sparse_lu *)solver;
    sparse_index n = (sparse_index)solver->pattern->rows;
    if (!lu->served) lu->factors++;
    lu->served = true;
    lu->solutions++;
    if (lu->by_rows)
        sparse_substitution_solve(&lu->substitution, b);
    else if (solver->is_complex)
        klu_z_solve(lu->symbolic, lu->numeric, n, 1, b, &lu->common);
    else
        klu_solve(lu->symbolic, lu->numeric, n, 1, b, &lu->common);
}

static double sparse_rcond(linear_solver *solver)
{
    return least_pivot((sparse_lu *)solver);
}

static void sparse_prefer_diagonal(linear_solver *solver, double part)
{
    ((sparse_lu *)solver)->common.tol = part;
}

static void sparse_forget(linear_solver *solver)
{
    sparse_lu *lu = (sparse_lu *)solver;
    if (lu->numeric) forget_factors(lu);
    lu->factors = lu->solutions = 0;
}

static void sparse_free(linear_solver *solver)
{
    sparse_lu *lu = (sparse_lu *)solver;
    if (lu->numeric) forget_factors(lu);
    sparse_substitution_free(&lu->substitution);
    if (lu->order && --lu->order->users == 0) {
        if (lu->order->symbolic) klu_free_symbolic(&lu->order->symbolic, &lu->common);
        free(lu->order);
    }
    free(lu);
}

static dae_status sparse_like(linear_solver **solver, const linear_solver *other, bool is_complex);

static const linear_solver_row sparse_row = {
    .is_sparse = true,
    .like = sparse_like,
    .factor = sparse_factor,
    .solve = sparse_solve,
    .rcond = sparse_rcond,
    .sign = sparse_sign,
    .least_pivot = sparse_rcond,
    .prefer_diagonal = sparse_prefer_diagonal,
    .forget = sparse_forget,
    .free = sparse_free,
};

/* The analysis bounds nonzeros and operations for the worst pivots. Where parts are dense, the
 * bounds are several times too large, and a factorisation of a matrix of pseudo-random numbers
 * counts the actual ones. If it fails, the bounds stay. */
void sparse_lu_count(linear_solver *solver)
{
    sparse_lu *lu = (sparse_lu *)solver;
    const sparse_pattern *p = solver->pattern;
    double *value = malloc((p->nonzeros + 1) * sizeof *value);
    if (!value) return;
    for (size_t k = 0; k < p->nonzeros; k++) value[k] = 1 + 0.5 * scattered(k);
    klu_numeric *trial = klu_factor(p->start, p->row, value, lu->symbolic, &lu->common);
    if (trial) take_counts(lu, trial, false);
    klu_free_numeric(&trial, &lu->common);
    free(value);
}

static sparse_lu *new_solver(const sparse_pattern *pattern, bool is_complex)
{
    sparse_lu *lu = calloc(1, sizeof *lu);
    if (!lu) return NULL;
    lu->base = (linear_solver){
        .row = &sparse_row, .name = "klu", .pattern = pattern, .is_complex = is_complex};
    klu_defaults(&lu->common);
    return lu;
}

static dae_status sparse_like(linear_solver **solver, const linear_solver *other, bool is_complex)
{
    const sparse_lu *from = (const sparse_lu *)other;
    sparse_lu *lu = new_solver(other->pattern, is_complex);
    if (!lu) return DAE_NO_MEMORY;
    lu->order = from->order;
    lu->order->users++;
    lu->symbolic = from->symbolic;
    lu->base.nonzeros = other->nonzeros;
    lu->base.operations = other->operations;
    lu->common.tol = from->common.tol;
    *solver = &lu->base;
    return DAE_OK;
}

/* The order of a pattern, by diagonal blocks where they are found with little work: the matching in
 * their search takes N^2 operations for the N links of a chain (Duff, Kaya & Ucar, ACM TOMS 38
 * (2011)). Otherwise one block ordered by COLAMD, which needs no diagonal; the factorisation then
 * finds out whether the pattern can be regular. */
static klu_symbolic *find_order(const sparse_pattern *p, klu_common *common)
{
    common->maxwork = MATCHING_WORK;
    klu_symbolic *found = klu_analyze((sparse_index)p->rows, p->start, p->row, common);
    if (!found || common->work >= 0) return found;
    klu_free_symbolic(&found, common);
    common->btf = 0;
    common->ordering = COLAMD;
    return klu_analyze((sparse_index)p->rows, p->start, p->row, common);
}

static dae_status analyze(sparse_lu *lu)
{
    const sparse_pattern *p = lu->base.pattern;
    sparse_order *order = lu->order = calloc(1, sizeof *order);
    if (!order) return DAE_NO_MEMORY;
    order->users = 1;
    order->symbolic = find_order(p, &lu->common);
    sparse_index rank = order->symbolic ? order->symbolic->structural_rank : 0;
    if (!order->symbolic || (rank != NOT_KNOWN && rank < (sparse_index)p->rows))
        return lu->common.status == KLU_OUT_OF_MEMORY ? DAE_NO_MEMORY : DAE_SINGULAR;
    lu->symbolic = order->symbolic;
    lu->base.operations = fmax(order->symbolic->est_flops, 0);
    lu->base.nonzeros = p->nonzeros;
    if (order->symbolic->lnz > 0 && order->symbolic->unz > 0)
        lu->base.nonzeros = (size_t)(order->symbolic->lnz + order->symbolic->unz) +
                            (size_t)order->symbolic->nzoff;
    return DAE_OK;
}

dae_status sparse_lu_create(linear_solver **solver, const sparse_pattern *pattern, bool is_complex,
                            bool any_pivots)
{
    sparse_lu *lu = new_solver(pattern, is_complex);
    if (!lu) return DAE_NO_MEMORY;
    if (any_pivots) lu->common.ordering = COLAMD;
    dae_status status = analyze(lu);
    if (status != DAE_OK) {
        sparse_free(&lu->base);
        return status;
    }
    if (lu->symbolic->lnz < 0) sparse_lu_count(&lu->base); /* COLAMD says nothing of fill */
    *solver = &lu->base;
    return DAE_OK;
}
