/* Square systems whose rows determine all columns: there is one solution, whatever its norm. The
 * factors of the matrix itself lose as many digits as its condition number has, where the
 * saddle-point system loses twice as many; in a chain they cost a few operations an entry. */
#include "linalg/min_norm_parts.h"

#include <math.h>
#include <string.h>

/* Where the smallest pivot is a smaller part of the largest, rows may depend on others, and the
 * other decompositions find the rank. */
static const double DOUBTFUL = 1e-8;

static bool is_left_out(const min_norm *m, size_t row)
{
    return m->dropped && m->dropped[row];
}

static void take_room(void *self)
{
    min_norm *m = self;
    const sparse_pattern *p = m->pattern;
    if (!m->lu_room) m->lu_room = arena_part(&m->memory);
    arena *a = m->lu_room;
    arena_back(a, (arena_mark){0});
    sparse_entries e = sparse_entries_take(a, p->nonzeros);
    size_t *place = arena_array(a, p->rows, sizeof *place), rows = 0;
    m->lu_row = arena_array(a, p->columns, sizeof *m->lu_row);
    for (size_t i = 0; i < p->rows; i++) {
        if (is_left_out(m, i)) continue;
        place[i] = rows;
        m->lu_row[rows++] = i;
    }
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if (!is_left_out(m, (size_t)p->row[k]))
                sparse_entries_add_from(&e, place[p->row[k]], j, (size_t)k);
    m->lu_pattern = sparse_entries_build_from(a, &e, rows, p->columns, &m->lu_from);
    m->lu_value = arena_array(a, m->lu_pattern->nonzeros, sizeof(double));
    arena_vectors(a, p->columns, (double **const[]){&m->lu_balance, &m->lu_left, &m->lu_x, NULL});
}

/* No values make some patterns regular; they have no such factors. */
dae_status min_norm_create_square(min_norm *m)
{
    dae_status status = arena_protect(&m->memory, take_room, m);
    if (status == DAE_OK) status = linear_solver_create(&m->lu, m->lu_pattern, false);
    if (status != DAE_SINGULAR) return status;
    m->lu = NULL;
    return DAE_OK;
}

/* The rows are unit vectors in the weights of the columns, which differ by many orders of
 * magnitude; so that pivots tell something, the columns become unit vectors, too. */
static void balance(min_norm *m, const double *value)
{
    const sparse_pattern *p = m->lu_pattern;
    for (size_t j = 0; j < p->columns; j++) {
        double largest = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double row_scale = m->row_scale[m->lu_row[p->row[k]]];
            m->lu_value[k] = value[m->lu_from[k]] * m->scale[j] * row_scale;
            largest = fmax(largest, fabs(m->lu_value[k]));
        }
        m->lu_balance[j] = largest > 0 ? exp2(-ilogb(largest)) : 1;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            m->lu_value[k] *= m->lu_balance[j];
    }
}

dae_status min_norm_factor_square(min_norm *m, const double *value)
{
    balance(m, value);
    dae_status status = linear_solver_factor(m->lu, m->lu_value);
    m->determined = status == DAE_OK && linear_solver_least_pivot(m->lu) > DOUBTFUL;
    if (m->determined) m->rank = m->columns;
    return status == DAE_SINGULAR ? DAE_OK : status;
}

/* Whether the rows that are left are those that were factored last. */
static bool are_the_same(const min_norm *m)
{
    size_t rows = 0;
    for (size_t i = 0; i < m->pattern->rows; i++)
        if (!is_left_out(m, i) && (rows >= m->pattern->columns || m->lu_row[rows++] != i))
            return false;
    return true;
}

dae_status min_norm_factor_independent(min_norm *m, const double *value)
{
    dae_status status = DAE_OK;
    if (m->rank != m->columns) return DAE_OK;
    if (!m->lu_pattern || !are_the_same(m)) {
        linear_solver_free(m->lu);
        m->lu = NULL;
        status = min_norm_create_square(m);
    }
    return status == DAE_OK && m->lu ? min_norm_factor_square(m, value) : status;
}

/* With one refinement, by which the rows are met to round-off of their terms whatever the sizes of
 * the pivots (Skeel, Math. Comp. 35 (1980)). */
void min_norm_solve_square(min_norm *m, const double *r, double *dz)
{
    const sparse_pattern *p = m->lu_pattern;
    double *x = m->lu_x, *left = m->lu_left;
    memset(dz, 0, p->columns * sizeof *dz);
    min_norm_begin_right(m, r);
    for (size_t i = 0; i < p->rows; i++) left[i] = m->left[m->lu_row[i]];
    for (int k = 0; k < 2; k++) {
        memcpy(x, left, p->columns * sizeof *x);
        linear_solver_solve(m->lu, x);
        for (size_t j = 0; j < p->columns; j++) dz[j] += x[j];
        for (size_t j = 0; j < p->columns; j++) x[j] = -x[j];
        sparse_add_product(p, m->lu_value, x, left);
    }
    for (size_t j = 0; j < p->columns; j++) dz[j] *= m->lu_balance[j] * m->scale[j];
}
