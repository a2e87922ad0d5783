#include "base/round_off.h"
#include "linalg/lapack.h"
#include "linalg/min_norm_parts.h"
#include "linalg/rows.h"
#include "linalg/staged_elimination.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The shift in the saddle-point system is large enough to make dependent rows harmless and small
 * enough for a few iterations to remove it. */
static const double SHIFT = 1e-12;

/* With the shift the saddle-point matrix is quasi-definite, so that every diagonal entry may be a
 * pivot (Vanderbei, SIAM J. Optim. 5 (1995)). Only entries smaller than this part of the largest
 * are passed over. Larger pivots would fill the factors of a chain to a hundred times their size.
 * The iterations recover the accuracy that small pivots lose. */
static const double SMALLEST_PIVOT = ROUND_OFF_ELIMINATED;

/* Where the smallest pivot is a smaller part of the largest, rows may depend on others. Those that
 * do, at most MOST_DEPENDENCES of them, share in what is missed where rows contradict each other;
 * of more, those that are left out miss it alone. */
static const double DOUBTFUL = 1e-8;

enum { MOST_DIRECTIONS = 20, MOST_DEPENDENCES = 200 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* What each solver has for itself. */
static void take_room(void *self)
{
    min_norm *m = self;
    const sparse_pattern *p = m->pattern;
    size_t n = p->columns, size = n + p->rows;
    arena *a = &m->memory;
    if (!m->row_scale) m->row_scale = arena_array(a, p->rows, sizeof(double));
    if (!m->scale) m->scale = arena_array(a, n, sizeof(double));
    m->saddle_value = arena_array(a, m->saddle_pattern->nonzeros, sizeof(double));
    m->solution = arena_array(a, size, sizeof(double));
    m->scaled = arena_array(a, p->nonzeros, sizeof(double));
    if (!m->left) m->left = arena_array(a, p->rows, sizeof(double));
    m->directions = smaller(MOST_DIRECTIONS, m->rows); /* each removes what is left of a row */
    m->direction = arena_array(a, (size_t)m->directions * n, sizeof(double));
    m->image = arena_array(a, (size_t)m->directions * p->rows, sizeof(double));
    m->square = arena_array(a, MOST_DIRECTIONS, sizeof(double));
    if (m->way == MIN_NORM_FAST) return;
    m->dropped = arena_array(a, p->rows, sizeof *m->dropped);
    m->found = arena_part(a);
}

void min_norm_build_saddle(min_norm *m)
{
    const sparse_pattern *p = m->pattern;
    size_t n = p->columns, size = n + p->rows;
    arena *a = &m->memory;
    sparse_entries e = sparse_entries_take(a, 2 * p->nonzeros + size);
    sparse_entries_add_transposed(&e, p, 0, n);
    sparse_entries_add_all(&e, p, n, 0);
    for (size_t i = 0; i < size; i++) sparse_entries_add(&e, i, i);
    m->saddle_pattern = sparse_entries_build(a, &e, size, size);
    m->entry_above = e.where;
    m->entry_below = e.where + p->nonzeros;
    m->diagonal = e.where + 2 * p->nonzeros;
    take_room(m);
}

dae_status min_norm_create_saddle(min_norm *m, const min_norm *other)
{
    dae_status status = DAE_OK;
    if (other) {
        m->saddle_pattern = other->saddle_pattern;
        m->entry_above = other->entry_above;
        m->entry_below = other->entry_below;
        m->diagonal = other->diagonal;
        status = arena_protect(&m->memory, take_room, m);
    }
    if (status == DAE_OK)
        status = other ? linear_solver_create_like(&m->saddle, other->saddle, false)
                       : linear_solver_create(&m->saddle, m->saddle_pattern, false);
    if (status == DAE_OK) linear_solver_prefer_diagonal(m->saddle, SMALLEST_PIVOT);
    return status;
}

/* Factor the saddle-point matrix. Rows that are left out have multipliers of 0. */
static dae_status factor(min_norm *m)
{
    const sparse_pattern *p = m->pattern;
    for (size_t i = 0; i < p->columns + p->rows; i++) {
        bool left_out = i >= p->columns && m->dropped && m->dropped[i - p->columns];
        m->saddle_value[m->diagonal[i]] = i < p->columns ? 1 : left_out ? -1 : -SHIFT;
    }
    for (size_t k = 0; k < p->nonzeros; k++) {
        double entry = m->dropped && m->dropped[p->row[k]] ? 0 : m->scaled[k];
        m->saddle_value[m->entry_above[k]] = m->saddle_value[m->entry_below[k]] = entry;
    }
    return linear_solver_factor(m->saddle, m->saddle_value);
}

static void take_gram(min_norm *m)
{
    size_t n = (size_t)m->dependences;
    int size = m->dependences, info = 0;
    double *full = arena_array(m->found, m->pattern->rows, sizeof *full);
    m->gram = arena_array(m->found, n * n, sizeof *m->gram);
    for (size_t i = 0; i < n; i++) {
        const sparse_vector *v = &m->dependence[i];
        for (size_t e = 0; e < v->count; e++) full[v->place[e]] = v->value[e];
        for (size_t k = 0; k <= i; k++) {
            const sparse_vector *other = &m->dependence[k];
            double sum = 0;
            for (size_t e = 0; e < other->count; e++)
                sum += other->value[e] * full[other->place[e]];
            m->gram[k * n + i] = sum;
        }
        for (size_t e = 0; e < v->count; e++) full[v->place[e]] = 0;
    }
    dpotrf_("L", &size, m->gram, &size, &info, 1);
    if (info != 0) m->dependences = 0;
}

typedef struct rank_search {
    min_norm *m;
    double tolerance;
} rank_search;

static void find_dependent(void *self)
{
    rank_search *s = self;
    min_norm *m = s->m;
    size_t rows = m->pattern->rows;
    arena *a = m->found;
    sparse_elimination *e = sparse_eliminate(a, m->pattern->columns,
                                             sparse_transposed_rows(a, m->pattern, m->scaled), rows,
                                             s->tolerance);
    m->rank_known = e != NULL;
    if (!e) return;
    m->rank = (int)sparse_elimination_rank(e);
    size_t open = rows - (size_t)m->rank;
    if (open <= MOST_DEPENDENCES) m->dependence = arena_array(a, open, sizeof *m->dependence);
    for (size_t i = 0; i < rows; i++) {
        m->dropped[i] = sparse_elimination_is_open(e, i);
        if (m->dropped[i] && open <= MOST_DEPENDENCES)
            m->dependence[m->dependences++] = sparse_elimination_vector(e, i);
    }
    if (m->dependences) take_gram(m);
}

/* More rows than columns: where they determine all of these, as those of a steady start do that
 * repeats what a boundary says, those that are not left out are factored themselves. The iterations
 * would not reach what B B' has below the shift. */
static dae_status factor_longer(min_norm *m, const double *value, rank_search *search)
{
    dae_status status = arena_protect(&m->memory, find_dependent, search);
    if (status == DAE_OK && m->rank_known) status = min_norm_factor_independent(m, value);
    return status == DAE_OK && !m->determined ? factor(m) : status;
}

dae_status min_norm_factor_saddle(min_norm *m, const double *value, double tolerance)
{
    const sparse_pattern *p = m->pattern;
    rank_search search = {m, tolerance};
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            m->scaled[k] = value[k] * m->scale[j] * m->row_scale[p->row[k]];
    m->rank = smaller(m->rows, m->columns);
    m->rank_known = false;
    if (m->found) arena_back(m->found, (arena_mark){0});
    if (m->rows > m->columns && m->way != MIN_NORM_FAST) return factor_longer(m, value, &search);
    dae_status status = factor(m);
    if (status != DAE_OK || m->way == MIN_NORM_FAST) return status;
    if (linear_solver_least_pivot(m->saddle) > DOUBTFUL) {
        m->rank_known = true;
        return DAE_OK;
    }
    status = arena_protect(&m->memory, find_dependent, &search);
    if (status != DAE_OK || m->rank == m->rows) return status;
    return m->rank_known ? factor(m) : DAE_OK;
}

static void add(size_t n, double by, const double *a, double *sum)
{
    for (size_t i = 0; i < n; i++) sum[i] += by * a[i];
}

/* Rows that are left out count for nothing. */
static void leave_out(const min_norm *m, double *row)
{
    for (size_t i = 0; m->dropped && i < m->pattern->rows; i++)
        if (m->dropped[i]) row[i] = 0;
}

/* The k-th direction, B' of a vector, chosen so that it would remove the remainder if there were no
 * shift; and its image, orthogonal to the images before it. */
static void find_direction(min_norm *m, int k)
{
    size_t n = m->pattern->columns, rows = m->pattern->rows;
    double *direction = m->direction + (size_t)k * n, *image = m->image + (size_t)k * rows;
    memset(m->solution, 0, n * sizeof *m->solution);
    memcpy(m->solution + n, m->left, rows * sizeof *m->left);
    linear_solver_solve(m->saddle, m->solution);
    memcpy(direction, m->solution, n * sizeof *direction);
    sparse_multiply(m->pattern, m->scaled, direction, image);
    leave_out(m, image);
    for (int before = 0; before < k; before++) {
        const double *other = m->image + (size_t)before * rows;
        double size = m->square[before];
        double part = size > 0 ? vector_dot(rows, other, image) / size : 0;
        add(rows, -part, other, image);
        add(n, -part, m->direction + (size_t)before * n, direction);
    }
}

/* Take what dependent rows contradict out of the right-hand side: what is left can be met. */
static void make_consistent(min_norm *m, double *right)
{
    int one = 1, size = m->dependences, info = 0;
    double part[MOST_DEPENDENCES];
    if (size == 0) return;
    for (int k = 0; k < size; k++) {
        const sparse_vector *v = &m->dependence[k];
        part[k] = 0;
        for (size_t i = 0; i < v->count; i++) part[k] += v->value[i] * right[v->place[i]];
    }
    dpotrs_("L", &size, &one, m->gram, &size, part, &size, &info, 1);
    for (int k = 0; k < size; k++) {
        const sparse_vector *v = &m->dependence[k];
        for (size_t i = 0; i < v->count; i++) right[v->place[i]] -= part[k] * v->value[i];
    }
}

void min_norm_begin_right(min_norm *m, const double *r)
{
    for (size_t i = 0; i < m->pattern->rows; i++) m->left[i] = -r[i] * m->row_scale[i];
    make_consistent(m, m->left);
    leave_out(m, m->left);
}

/* Solves with the shifted system serve as preconditioner for the one without the shift, in
 * generalised conjugate residuals (Eisenstat, Elman & Schultz, SIAM J. Numer. Anal. 20 (1983)).
 * Iterative refinement would gain next to nothing in directions whose singular value is below the
 * square root of the shift. Unlike conjugate gradients, conjugate residuals tolerate contradicting
 * rows, where it is not known which depend on others. */
void min_norm_solve_saddle(min_norm *m, const double *r, double *dz)
{
    size_t n = m->pattern->columns, rows = m->pattern->rows;
    min_norm_begin_right(m, r);
    memset(dz, 0, n * sizeof *dz);
    double whole = vector_dot(rows, m->left, m->left);
    for (int k = 0; k < m->directions; k++) {
        find_direction(m, k);
        const double *direction = m->direction + (size_t)k * n;
        const double *image = m->image + (size_t)k * rows;
        double size = m->square[k] = vector_dot(rows, image, image);
        if (!(size > 0)) break;
        double step = vector_dot(rows, image, m->left) / size;
        add(rows, -step, image, m->left);
        add(n, step, direction, dz);
        if (vector_dot(rows, m->left, m->left) <= ROUND_OFF_NORM * ROUND_OFF_NORM * whole) break;
        if (step * step * vector_dot(n, direction, direction) <=
            ROUND_OFF_NORM * ROUND_OFF_NORM * vector_dot(n, dz, dz))
            break;
    }
    for (size_t j = 0; j < n; j++) dz[j] *= m->scale[j];
}

/* --- columns that are free --- */

typedef struct choice {
    min_norm *m;
    const double *preference;
    size_t *chosen;
    bool known;
} choice;

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The columns in the order of their preferences, as far as there are levels for them. */
static unsigned char *find_levels(const choice *c, arena *a, size_t *levels)
{
    size_t n = c->m->pattern->columns, different = 0;
    unsigned char *level = arena_array(a, n, sizeof *level);
    double *sorted = arena_duplicate(a, c->preference, n, sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t j = 0; j < n; j++)
        if (j == 0 || sorted[j] > sorted[different - 1]) sorted[different++] = sorted[j];
    for (size_t j = 0; j < n; j++) {
        const double *at = bsearch(&c->preference[j], sorted, different, sizeof *sorted, ascending);
        size_t place = (size_t)(at - sorted);
        level[j] = (unsigned char)(place < UCHAR_MAX ? place : UCHAR_MAX - 1);
    }
    *levels = different < UCHAR_MAX ? different : UCHAR_MAX;
    return level;
}

/* Columns of small preference are determined first, as far as the rows do (a greedy choice, which
 * is the best of a matroid: Edmonds, Math. Programming 1 (1971)). */
static void choose_free(void *self)
{
    choice *c = self;
    const min_norm *m = c->m;
    const sparse_pattern *p = m->pattern;
    size_t levels;
    arena *a = m->found;
    const unsigned char *level = find_levels(c, a, &levels);
    double *ones = arena_array(a, p->columns, sizeof *ones);
    bool *given = arena_array(a, p->columns, sizeof *given);
    for (size_t j = 0; j < p->columns; j++) ones[j] = 1;
    const staged_elimination *e = staged_elimination_create(a, p, m->scaled, level, levels, ones);
    size_t pivots = e->first[levels];
    for (size_t k = 0; k < pivots; k++) given[e->pivot_column[k]] = true;
    c->known = pivots == (size_t)m->rank;
    for (size_t j = 0; c->known && j < p->columns; j++)
        if (!given[j]) *c->chosen++ = j;
}

dae_status min_norm_free_columns_of_saddle(min_norm *m, const double *preference, size_t *chosen)
{
    choice c = {.m = m, .preference = preference, .chosen = chosen};
    dae_status status = arena_protect(&m->memory, choose_free, &c);
    return status == DAE_OK && !c.known ? DAE_SINGULAR : status;
}
