#include "structure/local_index.h"

#include "base/round_off.h"
#include "linalg/linear_solver.h"
#include "linalg/linear_solver_rows.h"
#include "linalg/min_norm.h"
#include "linalg/sparse_elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to this many rows plus columns, orthogonal transformations find the rank. */
enum { LARGEST_DENSE = 600, SCALING_SWEEPS = 4 };

/* After scaling, rows with remainders below DEPENDENT are dependent. A sparse matrix is looked at
 * by elimination with larger pivots if the ratio of those of its factorisation is below
 * SPARSE_DOUBTFUL: rounding grows with the size of a matrix that has dependent rows. Where that
 * fills in too much, it counts as singular if the ratio is below SPARSE_DEPENDENT. */
static const double DEPENDENT = 1e-11, SPARSE_DOUBTFUL = 1e-10, SPARSE_DEPENDENT = 1e-14;

/* Ruiz's simultaneous scaling (RAL-TR-2001-034): the largest entries of rows and columns come near
 * 1. */
static void scale(const sparse_pattern *p, double *value, double *row, double *column)
{
    for (int sweep = 0; sweep < SCALING_SWEEPS; sweep++) {
        memset(row, 0, p->rows * sizeof *row);
        memset(column, 0, p->columns * sizeof *column);
        for (size_t j = 0; j < p->columns; j++) {
            for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
                row[p->row[k]] = fmax(row[p->row[k]], fabs(value[k]));
                column[j] = fmax(column[j], fabs(value[k]));
            }
        }
        for (size_t j = 0; j < p->columns; j++)
            for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
                if (value[k] != 0) value[k] /= sqrt(row[p->row[k]]) * sqrt(column[j]);
    }
}

static dae_status dense_rank(const sparse_pattern *p, const double *value, double dependent,
                             double *ones, local_rank *found)
{
    min_norm *m = NULL;
    dae_status status = min_norm_create(&m, p, MIN_NORM_RANK);
    for (size_t j = 0; j < p->columns; j++) ones[j] = 1;
    if (status == DAE_OK) status = min_norm_factor(m, value, ones, dependent);
    if (status == DAE_OK) {
        found->known = min_norm_knows_rank(m);
        found->rank = min_norm_rank(m);
        found->full = found->rank == p->rows;
        found->margin = found->full ? min_norm_margin(m) : 0;
    }
    min_norm_free(m);
    return status;
}

/* How many rows depend on others; SIZE_MAX: not known. */
typedef struct dependent_rows {
    arena memory;
    const sparse_pattern *p;
    const double *value;
    size_t count;
} dependent_rows;

static void count_dependent(void *self)
{
    dependent_rows *d = self;
    const sparse_pattern *p = d->p;
    const sparse_row *row = sparse_transposed_rows(&d->memory, p, d->value);
    const sparse_elimination *e = sparse_eliminate(&d->memory, p->columns, row, p->rows,
                                                   ROUND_OFF_ITERATED);
    if (e) d->count = p->rows - sparse_elimination_rank(e);
}

static dae_status sparse_rank(const sparse_pattern *p, const double *value, local_rank *found)
{
    linear_solver *solver = NULL;
    dependent_rows d = {.p = p, .value = value, .count = SIZE_MAX};
    dae_status status = linear_solver_create(&solver, p, false);
    if (status == DAE_OK) status = linear_solver_factor(solver, value);
    found->margin = status == DAE_OK ? linear_solver_rcond(solver) : 0;
    linear_solver_free(solver);
    if (status == DAE_SINGULAR) status = DAE_OK;
    if (status == DAE_OK && found->margin < SPARSE_DOUBTFUL)
        status = arena_protect(&d.memory, count_dependent, &d);
    arena_free(&d.memory);
    found->known = d.count != SIZE_MAX;
    found->full = found->known ? d.count == 0 : found->margin > SPARSE_DEPENDENT;
    found->rank = found->known ? p->rows - d.count : found->full ? p->rows : 0;
    if (!found->full) found->margin = 0;
    return status;
}

static dae_status rank_of_scaled(const sparse_pattern *p, const double *value, double dependent,
                                 double *ones, local_rank *found)
{
    *found = (local_rank){.of = p->rows};
    return p->rows + p->columns <= LARGEST_DENSE || p->rows != p->columns
               ? dense_rank(p, value, dependent, ones, found)
               : sparse_rank(p, value, found);
}

static dae_status scale_by_logarithms(const sparse_pattern *p, const double *value, double *scaled,
                                      double *row, double *column)
{
    dae_status status = equilibrate(p, value, row, column);
    for (size_t j = 0; status == DAE_OK && j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            scaled[k] = value[k] * row[p->row[k]] * column[j];
    return status;
}

/* Try another scaling. No scaling changes a rank, but a bad one hides rows, so the higher of two
 * ranks is right. A regular matrix whose largest entries are all near 1 may still be nearly
 * singular. */
static dae_status rank_by_logarithms(const sparse_pattern *p, const double *value, double dependent,
                                     double *scaled, double *row, double *column, local_rank *found)
{
    local_rank other;
    dae_status status = scale_by_logarithms(p, value, scaled, row, column);
    if (status == DAE_OK) status = rank_of_scaled(p, scaled, dependent, column, &other);
    if (status == DAE_OK && other.rank > found->rank) *found = other;
    return status;
}

/* Room for scaled values, and after it for the scales of rows and columns. */
static double *scratch(const sparse_pattern *p, double **row, double **column)
{
    double *scaled = calloc(p->nonzeros + p->rows + p->columns + 1, sizeof *scaled);
    *row = scaled ? scaled + p->nonzeros : NULL;
    *column = scaled ? *row + p->rows : NULL;
    return scaled;
}

static dae_status find_rank(const sparse_pattern *p, const double *value, double dependent,
                            local_rank *found)
{
    double *row, *column, *scaled = scratch(p, &row, &column);
    dae_status status = scaled ? DAE_OK : DAE_NO_MEMORY;
    *found = (local_rank){.of = p->rows};
    for (size_t k = 0; status == DAE_OK && k < p->nonzeros; k++) {
        scaled[k] = value[k];
        if (!isfinite(value[k])) status = DAE_NOT_EVALUABLE;
    }
    if (status == DAE_OK) {
        scale(p, scaled, row, column);
        status = rank_of_scaled(p, scaled, dependent, column, found);
    }
    if (status == DAE_OK && !found->full)
        status = rank_by_logarithms(p, value, dependent, scaled, row, column, found);
    free(scaled);
    return status;
}

dae_status structure_local_rank(const sparse_pattern *p, const double *value, local_rank *found)
{
    return find_rank(p, value, DEPENDENT, found);
}

dae_status structure_local_rank_of_exact(const sparse_pattern *p, const double *value,
                                         local_rank *found)
{
    return find_rank(p, value, ROUND_OFF_ELIMINATED, found);
}

bool structure_is_clearly_regular(const sparse_pattern *p, const double *value)
{
    linear_solver *solver = NULL;
    double *row, *column, *scaled = scratch(p, &row, &column);
    bool finite = scaled && p->rows == p->columns, regular = false;
    for (size_t k = 0; finite && k < p->nonzeros; k++) {
        scaled[k] = value[k];
        finite = isfinite(value[k]);
    }
    if (finite) {
        scale(p, scaled, row, column);
        regular = linear_solver_create(&solver, p, false) == DAE_OK &&
                  linear_solver_factor(solver, scaled) == DAE_OK &&
                  linear_solver_rcond(solver) >= SPARSE_DOUBTFUL;
    }
    linear_solver_free(solver);
    free(scaled);
    return regular;
}

dae_status structure_variable_index(const sparse_pattern *jacobian, const double *value,
                                    const unsigned *c, const unsigned *d, unsigned *index)
{
    size_t n = jacobian->rows;
    linear_solver *solver = NULL;
    double *row, *column, *scaled = scratch(jacobian, &row, &column);
    dae_status status = scaled ? DAE_OK : DAE_NO_MEMORY;
    if (status == DAE_OK) status = scale_by_logarithms(jacobian, value, scaled, row, column);
    if (status == DAE_OK) status = linear_solver_create(&solver, jacobian, false);
    if (status == DAE_OK) status = linear_solver_factor(solver, scaled);
    for (size_t j = 0; j < n; j++) index[j] = d[j] == 0; /* it depends on some equation */
    for (size_t i = 0; status == DAE_OK && i < n; i++) {
        if (c[i] == 0) continue;
        memset(column, 0, n * sizeof *column);
        column[i] = 1;
        linear_solver_solve(solver, column);
        for (size_t j = 0; j < n; j++) {
            unsigned needed = c[i] + 1 > d[j] ? c[i] + 1 - d[j] : 0;
            if (needed > index[j] && fabs(column[j]) > DEPENDENT) index[j] = needed;
        }
    }
    linear_solver_free(solver);
    free(scaled);
    return status;
}

typedef struct part {
    arena memory;
    const sparse_pattern *array;
    size_t n;
    unsigned highest, k;   /* derivatives of equations from 0 to k are taken */
    unsigned lowest_order; /* of the columns that are taken */
    const unsigned *order;
    const double *from;
    sparse_pattern *pattern;
    double *value;
} part;

/* Take the rows of derivatives up to k, and the columns from an order on. */
static void take_part(void *self)
{
    part *p = self;
    arena *a = &p->memory;
    const sparse_pattern *w = p->array;
    size_t *row = arena_array(a, w->nonzeros, sizeof *row);
    size_t *column = arena_array(a, w->nonzeros, sizeof *column);
    size_t *where = arena_array(a, w->nonzeros, sizeof *where);
    double *value = arena_array(a, w->nonzeros, sizeof *value);
    size_t columns = 0, entries = 0;
    for (size_t j = 0; j < w->columns; j++) {
        if (p->order[j] < p->lowest_order || p->order[j] > p->k + 1) continue;
        for (sparse_index e = w->start[j]; e < w->start[j + 1]; e++) {
            size_t equation = (size_t)w->row[e] / (p->highest + 1);
            size_t derivative = (size_t)w->row[e] % (p->highest + 1);
            if (derivative > p->k) continue;
            row[entries] = equation * (p->k + 1) + derivative;
            column[entries] = columns;
            value[entries++] = p->from[e];
        }
        columns++;
    }
    p->pattern = sparse_build(a, p->n * (p->k + 1), columns, entries, row, column, where);
    p->value = arena_array(a, entries, sizeof *p->value);
    for (size_t e = 0; e < entries; e++) p->value[where[e]] = value[e];
}

static dae_status rank_of_part(part p, unsigned lowest_order, size_t *rank)
{
    local_rank found = {0};
    p.lowest_order = lowest_order;
    p.memory = (arena){0};
    dae_status status = arena_protect(&p.memory, take_part, &p);
    if (status == DAE_OK) status = structure_local_rank(p.pattern, p.value, &found);
    *rank = found.rank;
    arena_free(&p.memory);
    return status;
}

dae_status structure_local_index(const sparse_pattern *array, const double *value, size_t n,
                                 unsigned highest, const unsigned *order, int *index)
{
    part p = {.array = array, .n = n, .highest = highest, .order = order, .from = value};
    dae_status status = DAE_OK;
    *index = -1;
    for (p.k = 0; p.k <= highest && *index < 0 && status == DAE_OK; p.k++) {
        size_t all, higher;
        status = rank_of_part(p, 1, &all);
        if (status == DAE_OK) status = rank_of_part(p, 2, &higher);
        if (status == DAE_OK && all == higher + n) *index = (int)p.k;
    }
    return status;
}
