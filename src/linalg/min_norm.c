#include "linalg/min_norm.h"

#include "base/round_off.h"
#include "linalg/lapack.h"
#include "linalg/linear_solver.h"
#include "linalg/rows.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows and columns with entries that nothing links to others, decomposed by themselves:
 * B' P = Q R; of a lower rank than rows R' = Q2 R2 */
typedef struct dense_part {
    int rows, columns, rank;
    int *row_at, *column_at; /* which they are of the matrix, ascending */
    double *qr;              /* columns x rows by columns */
    double *second;          /* rows x rank by columns */
    double *tau, *tau2;
    int *pivot;
} dense_part;

struct min_norm {
    const sparse_pattern *pattern;
    int rows, columns, rank;
    min_norm_way way;
    double *row_scale, *scale; /* rows, columns */

    /* dense */
    int parts;
    dense_part *part;
    int *row_from;                  /* rows: the how manieth of its part */
    size_t *row_part, *column_part; /* sparse_parts() */
    double *work, *vector;
    int work_size;

    /* sparse */
    linear_solver *saddle; /* NULL where dense */
    sparse_pattern *saddle_pattern;
    size_t *entry_above, *entry_below, *diagonal; /* where values go in the saddle matrix */
    double *saddle_value, *solution;
    double *scaled;            /* nonzeros: of B */
    double *left;              /* rows: what is left of the right-hand side */
    int directions;            /* how many are sought at most */
    double *direction, *image; /* directions x columns, x rows */
    double *square;            /* directions: of each image with itself */
    arena memory;
};

/* Up to this sum of rows and columns, or to as much work in parts, the dense decomposition is used:
 * the first limit where the rank is wanted, the second where it is not. */
enum { LARGEST_DENSE = 700, LARGEST_FAST = 60, MOST_DIRECTIONS = 20 };

/* The shift in the saddle-point system is large enough to make dependent rows harmless and small
 * enough for a few iterations to remove it. */
static const double SHIFT = 1e-12;

/* With the shift the saddle-point matrix is quasi-definite, so that every diagonal entry may be a
 * pivot (Vanderbei, SIAM J. Optim. 5 (1995)). Only entries smaller than this part of the largest
 * are passed over. Larger pivots would fill the factors of a chain to a hundred times their size.
 * The iterations recover the accuracy that small pivots lose. */
static const double SMALLEST_PIVOT = ROUND_OFF_ELIMINATED;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static void build_saddle(min_norm *m)
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
}

/* What each solver has for itself. */
static void take_saddle_room(min_norm *m)
{
    const sparse_pattern *p = m->pattern;
    size_t n = p->columns, size = n + p->rows;
    arena *a = &m->memory;
    m->saddle_value = arena_array(a, m->saddle_pattern->nonzeros, sizeof(double));
    m->solution = arena_array(a, size, sizeof(double));
    m->scaled = arena_array(a, p->nonzeros, sizeof(double));
    m->left = arena_array(a, p->rows, sizeof(double));
    m->directions = smaller(MOST_DIRECTIONS, m->rows); /* each removes what is left of a row */
    m->direction = arena_array(a, (size_t)m->directions * n, sizeof(double));
    m->image = arena_array(a, (size_t)m->directions * p->rows, sizeof(double));
    m->square = arena_array(a, MOST_DIRECTIONS, sizeof(double));
}

static void build_part(min_norm *m, dense_part *d)
{
    arena *a = &m->memory;
    size_t rows = (size_t)d->rows, columns = (size_t)d->columns;
    d->row_at = arena_array(a, rows, sizeof(int));
    d->column_at = arena_array(a, columns, sizeof(int));
    d->qr = arena_array(a, rows * columns, sizeof(double));
    d->second = arena_array(a, rows * rows, sizeof(double));
    arena_vectors(a, rows + columns + 1, (double **const[]){&d->tau, &d->tau2, NULL});
    d->pivot = arena_array(a, rows, sizeof(int));
    d->rows = d->columns = 0; /* counted again as they are listed */
}

static void build_dense(min_norm *m)
{
    arena *a = &m->memory;
    size_t largest = (size_t)m->rows + (size_t)m->columns + 1; /* empty ones are free, too */
    m->row_from = arena_array(a, (size_t)m->rows, sizeof(int));
    for (int k = 0; k < m->parts; k++) build_part(m, &m->part[k]);
    for (int i = 0; i < m->rows; i++) {
        if (m->row_part[i] == SPARSE_NO_PART) continue;
        dense_part *d = &m->part[m->row_part[i]];
        m->row_from[i] = d->rows;
        d->row_at[d->rows++] = i;
    }
    for (int j = 0; j < m->columns; j++) {
        if (m->column_part[j] == SPARSE_NO_PART) continue;
        dense_part *d = &m->part[m->column_part[j]];
        d->column_at[d->columns++] = j;
    }
    m->work_size = (int)(64 * largest);
    m->vector = arena_array(a, largest, sizeof(double));
    m->work = arena_array(a, (size_t)m->work_size, sizeof(double));
}

/* Finds the parts and their sizes. Empty rows and columns are in none: a start of which half is
 * known has many. Returns the work of decomposing them, as a sum of cubes. */
static double find_parts(min_norm *m)
{
    arena *a = &m->memory;
    double work = 0;
    m->row_part = arena_array(a, (size_t)m->rows, sizeof *m->row_part);
    m->column_part = arena_array(a, (size_t)m->columns, sizeof *m->column_part);
    m->parts = (int)sparse_parts(a, m->pattern, m->row_part, m->column_part);
    m->part = arena_array(a, (size_t)m->parts, sizeof *m->part);
    for (int i = 0; i < m->rows; i++)
        if (m->row_part[i] != SPARSE_NO_PART) m->part[m->row_part[i]].rows++;
    for (int j = 0; j < m->columns; j++)
        if (m->column_part[j] != SPARSE_NO_PART) m->part[m->column_part[j]].columns++;
    for (const dense_part *d = m->part; d < m->part + m->parts; d++)
        work += pow((double)d->rows + (double)d->columns, 3);
    return work;
}

static void build(void *self)
{
    min_norm *m = self;
    m->row_scale = arena_array(&m->memory, (size_t)m->rows, sizeof(double));
    m->scale = arena_array(&m->memory, (size_t)m->columns, sizeof(double));
    double work = find_parts(m), all = (double)m->rows + (double)m->columns;
    if (m->way != MIN_NORM_RANK_OF_PARTS) work = pow(all, 3);
    if (work <= pow(m->way == MIN_NORM_FAST ? LARGEST_FAST : LARGEST_DENSE, 3)) {
        build_dense(m);
        return;
    }
    arena_return(&m->memory, m->row_part, (size_t)m->rows, sizeof *m->row_part);
    arena_return(&m->memory, m->column_part, (size_t)m->columns, sizeof *m->column_part);
    arena_return(&m->memory, m->part, (size_t)m->parts, sizeof *m->part);
    m->parts = 0;
    build_saddle(m);
    take_saddle_room(m);
}

static void build_like(void *self)
{
    min_norm *m = self;
    m->row_scale = arena_array(&m->memory, (size_t)m->rows, sizeof(double));
    m->scale = arena_array(&m->memory, (size_t)m->columns, sizeof(double));
    take_saddle_room(m);
}

dae_status min_norm_create(min_norm **created, const sparse_pattern *pattern, min_norm_way way)
{
    if (pattern->rows + pattern->columns > INT_MAX / 128) return DAE_NO_MEMORY;
    min_norm *m = calloc(1, sizeof *m);
    if (!m) return DAE_NO_MEMORY;
    m->pattern = pattern;
    m->rows = (int)pattern->rows;
    m->columns = (int)pattern->columns;
    m->way = way;
    dae_status status = arena_protect(&m->memory, build, m);
    if (status == DAE_OK && m->saddle_pattern)
        status = linear_solver_create(&m->saddle, m->saddle_pattern, false);
    if (status != DAE_OK) {
        min_norm_free(m);
        return status;
    }
    if (m->saddle) linear_solver_prefer_diagonal(m->saddle, SMALLEST_PIVOT);
    *created = m;
    return DAE_OK;
}

dae_status min_norm_create_like(min_norm **created, const min_norm *other)
{
    if (!other->saddle) return min_norm_create(created, other->pattern, other->way);
    min_norm *m = calloc(1, sizeof *m);
    if (!m) return DAE_NO_MEMORY;
    *m = (min_norm){.pattern = other->pattern,
                    .rows = other->rows,
                    .columns = other->columns,
                    .way = other->way,
                    .saddle_pattern = other->saddle_pattern,
                    .entry_above = other->entry_above,
                    .entry_below = other->entry_below,
                    .diagonal = other->diagonal};
    dae_status status = arena_protect(&m->memory, build_like, m);
    if (status == DAE_OK) status = linear_solver_create_like(&m->saddle, other->saddle, false);
    if (status != DAE_OK) {
        min_norm_free(m);
        return status;
    }
    linear_solver_prefer_diagonal(m->saddle, SMALLEST_PIVOT);
    *created = m;
    return DAE_OK;
}

static dae_status scale_matrix(min_norm *m, const double *value, const double *scale)
{
    const sparse_pattern *p = m->pattern;
    memset(m->row_scale, 0, p->rows * sizeof *m->row_scale);
    if (p->columns) memcpy(m->scale, scale, p->columns * sizeof *scale);
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double entry = value[k] * scale[j];
            if (!isfinite(entry)) return DAE_SINGULAR;
            m->row_scale[p->row[k]] = hypot(m->row_scale[p->row[k]], entry);
        }
    }
    for (size_t i = 0; i < p->rows; i++)
        m->row_scale[i] = m->row_scale[i] > 0 ? 1 / m->row_scale[i] : 1;
    return DAE_OK;
}

/* R' of the pivoted factorisation is lower trapezoidal where rows depend on each other. A second QR
 * factorisation makes the least-squares problem triangular. */
static void factor_second(min_norm *m, dense_part *d)
{
    int info;
    for (int k = 0; k < d->rank; k++)
        for (int i = 0; i < d->rows; i++)
            d->second[k * d->rows + i] = i >= k ? d->qr[i * d->columns + k] : 0;
    dgeqrf_(&d->rows, &d->rank, d->second, &d->rows, d->tau2, m->work, &m->work_size, &info);
}

static void factor_part(min_norm *m, dense_part *d, const double *value, double tolerance)
{
    const sparse_pattern *p = m->pattern;
    int info;
    size_t rows = (size_t)d->rows, columns = (size_t)d->columns;
    memset(d->qr, 0, rows * columns * sizeof *d->qr);
    for (size_t c = 0; c < columns; c++) {
        int j = d->column_at[c];
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            d->qr[(size_t)m->row_from[p->row[k]] * columns + c] = value[k] * m->scale[j] *
                                                                  m->row_scale[p->row[k]];
    }
    memset(d->pivot, 0, rows * sizeof *d->pivot);
    dgeqp3_(&d->columns, &d->rows, d->qr, &d->columns, d->pivot, d->tau, m->work, &m->work_size,
            &info);
    int most = smaller(d->rows, d->columns);
    d->rank = 0;
    while (d->rank < most && fabs(d->qr[d->rank * d->columns + d->rank]) > tolerance) d->rank++;
    if (d->rank > 0 && d->rank < d->rows) factor_second(m, d);
}

static void factor_dense(min_norm *m, const double *value, double tolerance)
{
    m->rank = 0;
    for (int k = 0; k < m->parts; k++) {
        factor_part(m, &m->part[k], value, tolerance);
        m->rank += m->part[k].rank;
    }
}

static dae_status factor_sparse(min_norm *m, const double *value)
{
    const sparse_pattern *p = m->pattern;
    for (size_t i = 0; i < p->columns + p->rows; i++)
        m->saddle_value[m->diagonal[i]] = i < p->columns ? 1 : -SHIFT;
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double entry = value[k] * m->scale[j] * m->row_scale[p->row[k]];
            m->saddle_value[m->entry_above[k]] = m->saddle_value[m->entry_below[k]] = entry;
            m->scaled[k] = entry;
        }
    }
    m->rank = smaller(m->rows, m->columns);
    return linear_solver_factor(m->saddle, m->saddle_value);
}

void min_norm_forget(min_norm *m)
{
    if (m->saddle) linear_solver_forget(m->saddle);
}

dae_status min_norm_factor(min_norm *m, const double *value, const double *scale, double tolerance)
{
    dae_status status = scale_matrix(m, value, scale);
    if (status != DAE_OK) return status;
    if (m->saddle) return factor_sparse(m, value);
    factor_dense(m, value, tolerance);
    return DAE_OK;
}

/* x = Q x, or Q' x, of the columns of a part; `count` such. */
static void turn(min_norm *m, const dense_part *d, const char *transposed, double *x, int count)
{
    int n = d->columns, reflectors = smaller(d->rows, n), info;
    if (d->rank == 0) return; /* nothing was decomposed, or of no use */
    dormqr_("L", transposed, &n, &count, &reflectors, d->qr, &n, d->tau, x, &n, m->work,
            &m->work_size, &info, 1, 1);
}

static void solve_part(min_norm *m, const dense_part *d, const double *r, double *dz)
{
    int one = 1, info, rows = d->rows, columns = d->columns;
    double *b = m->vector, *x = m->vector + rows;
    if (d->rank == 0) return;
    for (int i = 0; i < rows; i++) {
        int from = d->row_at[d->pivot[i] - 1];
        b[i] = -r[from] * m->row_scale[from];
    }
    if (d->rank < rows) {
        dormqr_("L", "T", &rows, &one, &d->rank, d->second, &rows, d->tau2, b, &rows, m->work,
                &m->work_size, &info, 1, 1);
        dtrsv_("U", "N", "N", &d->rank, d->second, &rows, b, &one, 1, 1, 1);
    } else {
        dtrsv_("U", "T", "N", &d->rank, d->qr, &columns, b, &one, 1, 1, 1);
    }
    memset(x, 0, (size_t)columns * sizeof *x);
    memcpy(x, b, (size_t)d->rank * sizeof *x);
    turn(m, d, "N", x, 1);
    for (int c = 0; c < columns; c++) dz[d->column_at[c]] = x[c] * m->scale[d->column_at[c]];
}

static void solve_dense(min_norm *m, const double *r, double *dz)
{
    memset(dz, 0, (size_t)m->columns * sizeof *dz);
    for (int k = 0; k < m->parts; k++) solve_part(m, &m->part[k], r, dz);
}

static void add(size_t n, double factor, const double *a, double *sum)
{
    for (size_t i = 0; i < n; i++) sum[i] += factor * a[i];
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
    for (int before = 0; before < k; before++) {
        const double *other = m->image + (size_t)before * rows;
        double size = m->square[before];
        double part = size > 0 ? vector_dot(rows, other, image) / size : 0;
        add(rows, -part, other, image);
        add(n, -part, m->direction + (size_t)before * n, direction);
    }
}

/* Solves with the shifted system serve as preconditioner for the one without the shift, in
 * generalised conjugate residuals (Eisenstat, Elman & Schultz, SIAM J. Numer. Anal. 20 (1983)).
 * Iterative refinement would gain next to nothing in directions whose singular value is below the
 * square root of the shift. Unlike conjugate gradients, conjugate residuals tolerate contradicting
 * rows. */
static void solve_sparse(min_norm *m, const double *r, double *dz)
{
    size_t n = m->pattern->columns, rows = m->pattern->rows;
    for (size_t i = 0; i < rows; i++) m->left[i] = -r[i] * m->row_scale[i];
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

void min_norm_solve(min_norm *m, const double *r, double *dz)
{
    if (m->saddle)
        solve_sparse(m, r, dz);
    else
        solve_dense(m, r, dz);
}

size_t min_norm_rank(const min_norm *m)
{
    return (size_t)m->rank;
}

bool min_norm_knows_rank(const min_norm *m)
{
    return !m->saddle;
}

double min_norm_margin(const min_norm *m)
{
    if (m->saddle || m->rank == 0) return m->saddle ? (double)NAN : 1;
    double smallest = HUGE_VAL, largest = 0;
    for (const dense_part *d = m->part; d < m->part + m->parts; d++)
        for (int k = 0; k < d->rank; k++) {
            double size = fabs(d->qr[k * d->columns + k]);
            smallest = fmin(smallest, size);
            largest = fmax(largest, size);
        }
    return smallest / largest;
}

/* The pivots of B B' are squares of the remainders of rows. */
double min_norm_weakest(const min_norm *m)
{
    return m->saddle ? sqrt(linear_solver_least_pivot(m->saddle)) : min_norm_margin(m);
}

/* The vectors that the rows of a part do not see, over its columns, one after the other: in units
 * of the scale. basis: columns x (columns - rank), all 0. */
static void null_space_of(min_norm *m, const dense_part *d, double *basis)
{
    size_t n = (size_t)d->columns, rank = (size_t)d->rank;
    for (size_t k = rank; k < n; k++) basis[(k - rank) * n + k] = 1;
    if (rank < n) turn(m, d, "N", basis, (int)(n - rank));
}

/* Vectors over the columns of a part, stored one after the other, become vectors over all columns,
 * in place. */
static void spread(const min_norm *m, const dense_part *d, double *basis, size_t count)
{
    size_t all = (size_t)m->columns, n = (size_t)d->columns;
    for (size_t k = count; k-- > 0;) {
        size_t c = n;
        for (size_t j = all; j-- > 0;) {
            bool own = c > 0 && d->column_at[c - 1] == (int)j;
            if (own) c--;
            basis[k * all + j] = own ? basis[k * n + c] * m->scale[j] : 0;
        }
    }
}

void min_norm_null_space(min_norm *m, double *basis)
{
    size_t all = (size_t)m->columns;
    memset(basis, 0, all * (all - (size_t)m->rank) * sizeof *basis);
    for (const dense_part *d = m->part; d < m->part + m->parts; d++) {
        size_t count = (size_t)(d->columns - d->rank);
        null_space_of(m, d, basis);
        spread(m, d, basis, count);
        basis += count * all;
    }
    for (size_t j = 0; j < all; j++) {
        if (m->column_part[j] != SPARSE_NO_PART) continue;
        basis[j] = m->scale[j];
        basis += all;
    }
}

/* The free columns of a part: those with the largest pivots of the null space in units of the
 * preference. */
static dae_status free_columns_of(min_norm *m, const dense_part *d, const double *preference,
                                  size_t *chosen)
{
    int n = d->columns, count = n - d->rank, info;
    if (count == 0) return DAE_OK;
    size_t size = (size_t)n * (size_t)count;
    double *room = calloc(2 * size + (size_t)n, sizeof *room);
    int *pivot = calloc((size_t)n, sizeof *pivot);
    if (room && pivot) {
        double *turned = room + size, *tau = turned + size;
        null_space_of(m, d, room);
        for (int c = 0; c < n; c++)
            for (int k = 0; k < count; k++)
                turned[c * count + k] = room[k * n + c] * preference[d->column_at[c]];
        dgeqp3_(&count, &n, turned, &count, pivot, tau, m->work, &m->work_size, &info);
        for (int k = 0; k < count; k++) chosen[k] = (size_t)d->column_at[pivot[k] - 1];
    }
    dae_status status = room && pivot ? DAE_OK : DAE_NO_MEMORY;
    free(room);
    free(pivot);
    return status;
}

dae_status min_norm_free_columns(min_norm *m, const double *preference, size_t *chosen)
{
    dae_status status = DAE_OK;
    for (const dense_part *d = m->part; status == DAE_OK && d < m->part + m->parts; d++) {
        status = free_columns_of(m, d, preference, chosen);
        chosen += d->columns - d->rank;
    }
    for (size_t j = 0; status == DAE_OK && j < (size_t)m->columns; j++)
        if (m->column_part[j] == SPARSE_NO_PART) *chosen++ = j;
    return status;
}

void min_norm_free(min_norm *m)
{
    if (!m) return;
    linear_solver_free(m->saddle);
    arena_free(&m->memory);
    free(m);
}

static void solve_part_transposed(min_norm *m, const dense_part *d, const double *w, double *mu)
{
    int one = 1, info, rows = d->rows;
    double *b = m->vector;
    if (d->rank == 0) return;
    for (int c = 0; c < d->columns; c++) b[c] = w[d->column_at[c]] * m->scale[d->column_at[c]];
    turn(m, d, "T", b, 1);
    if (d->rank < rows) {
        for (int i = d->rank; i < rows; i++) b[i] = 0;
        dtrsv_("U", "T", "N", &d->rank, d->second, &rows, b, &one, 1, 1, 1);
        dormqr_("L", "N", &rows, &one, &d->rank, d->second, &rows, d->tau2, b, &rows, m->work,
                &m->work_size, &info, 1, 1);
    } else {
        dtrsv_("U", "N", "N", &d->rank, d->qr, &d->columns, b, &one, 1, 1, 1);
    }
    for (int i = 0; i < rows; i++) {
        int to = d->row_at[d->pivot[i] - 1];
        mu[to] = b[i] * m->row_scale[to];
    }
}

void min_norm_solve_transposed(min_norm *m, const double *w, double *mu)
{
    memset(mu, 0, (size_t)m->rows * sizeof *mu);
    for (int k = 0; k < m->parts; k++) solve_part_transposed(m, &m->part[k], w, mu);
}
