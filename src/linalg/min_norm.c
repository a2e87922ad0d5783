#include "linalg/min_norm.h"

#include "linalg/lapack.h"
#include "linalg/min_norm_parts.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to this sum of rows and columns, or to as much work in parts, the dense decomposition is used:
 * the first limit where the rank is wanted, the second where it is not. */
enum { LARGEST_DENSE = 700, LARGEST_FAST = 60 };

/* Beyond this sum, or as much work in parts, square systems are factored as they are first. */
enum { LARGEST_DENSE_SQUARE = 150 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
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
    m->part_value = arena_array(a, m->pattern->nonzeros, sizeof(double));
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
    double all = (double)m->rows + (double)m->columns;
    double work = m->way == MIN_NORM_RANK_OF_PARTS ? m->work_of_parts : pow(all, 3);
    m->built = true;
    if (work <= pow(m->way == MIN_NORM_FAST ? LARGEST_FAST : LARGEST_DENSE, 3)) {
        build_dense(m);
        return;
    }
    arena_return(&m->memory, m->row_part, (size_t)m->rows, sizeof *m->row_part);
    arena_return(&m->memory, m->column_part, (size_t)m->columns, sizeof *m->column_part);
    arena_return(&m->memory, m->part, (size_t)m->parts, sizeof *m->part);
    m->parts = 0;
    min_norm_build_saddle(m);
}

static void begin(void *self)
{
    min_norm *m = self;
    m->row_scale = arena_array(&m->memory, (size_t)m->rows, sizeof(double));
    m->scale = arena_array(&m->memory, (size_t)m->columns, sizeof(double));
    m->left = arena_array(&m->memory, (size_t)m->rows, sizeof(double));
    m->work_of_parts = find_parts(m);
}

/* What serves matrices of any rank. */
static dae_status build_general(min_norm *m)
{
    dae_status status = arena_protect(&m->memory, build, m);
    return status == DAE_OK && m->saddle_pattern ? min_norm_create_saddle(m, NULL) : status;
}

static bool may_be_determined(const min_norm *m)
{
    return m->way == MIN_NORM_RANK_OF_PARTS && m->rows == m->columns &&
           m->work_of_parts > pow(LARGEST_DENSE_SQUARE, 3);
}

static dae_status create(min_norm **created, const sparse_pattern *pattern, min_norm_way way,
                         const min_norm *other)
{
    if (pattern->rows + pattern->columns > INT_MAX / 128) return DAE_NO_MEMORY;
    min_norm *m = calloc(1, sizeof *m);
    if (!m) return DAE_NO_MEMORY;
    m->pattern = pattern;
    m->rows = (int)pattern->rows;
    m->columns = (int)pattern->columns;
    m->way = way;
    dae_status status = other ? min_norm_create_saddle(m, other)
                              : arena_protect(&m->memory, begin, m);
    m->built = other != NULL;
    if (status == DAE_OK && may_be_determined(m)) status = min_norm_create_square(m);
    if (status == DAE_OK && !m->built && !m->lu) status = build_general(m);
    if (status == DAE_OK)
        *created = m;
    else
        min_norm_free(m);
    return status;
}

dae_status min_norm_create(min_norm **created, const sparse_pattern *pattern, min_norm_way way)
{
    return create(created, pattern, way, NULL);
}

dae_status min_norm_create_like(min_norm **created, const min_norm *other)
{
    return create(created, other->pattern, other->way, other->saddle ? other : NULL);
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

/* Scales the entries of a part; whether they, and what counts as dependent, are those of its last
 * decomposition, as where a search goes along linear rows: it then still holds. */
static bool is_the_same(min_norm *m, dense_part *d, const double *value, double tolerance)
{
    const sparse_pattern *p = m->pattern;
    bool same = d->tolerance == tolerance; /* that of none is 0 */
    for (int c = 0; c < d->columns; c++) {
        int j = d->column_at[c];
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double entry = value[k] * m->scale[j] * m->row_scale[p->row[k]];
            same = same && entry == m->part_value[k];
            m->part_value[k] = entry;
        }
    }
    d->tolerance = tolerance;
    return same;
}

static void factor_part(min_norm *m, dense_part *d, const double *value, double tolerance)
{
    const sparse_pattern *p = m->pattern;
    int info;
    size_t rows = (size_t)d->rows, columns = (size_t)d->columns;
    if (is_the_same(m, d, value, tolerance)) return;
    memset(d->qr, 0, rows * columns * sizeof *d->qr);
    for (size_t c = 0; c < columns; c++) {
        int j = d->column_at[c];
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            d->qr[(size_t)m->row_from[p->row[k]] * columns + c] = m->part_value[k];
    }
    memset(d->pivot, 0, rows * sizeof *d->pivot);
    if (rows == 1) {
        int one = 1;
        d->pivot[0] = 1;
        dlarfg_(&d->columns, d->qr, d->qr + 1, &one, d->tau);
    } else {
        dgeqp3_(&d->columns, &d->rows, d->qr, &d->columns, d->pivot, d->tau, m->work, &m->work_size,
                &info);
    }
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

void min_norm_forget(min_norm *m)
{
    if (m->saddle) linear_solver_forget(m->saddle);
    if (m->lu) linear_solver_forget(m->lu);
}

dae_status min_norm_factor(min_norm *m, const double *value, const double *scale, double tolerance)
{
    dae_status status = scale_matrix(m, value, scale);
    m->determined = false;
    m->dependences = 0;
    if (m->dropped) memset(m->dropped, 0, (size_t)m->rows * sizeof *m->dropped);
    if (status == DAE_OK && m->lu && m->rows == m->columns)
        status = min_norm_factor_square(m, value);
    if (status != DAE_OK || m->determined) return status;
    if (!m->built) status = build_general(m);
    if (status != DAE_OK) return status;
    if (m->saddle) return min_norm_factor_saddle(m, value, tolerance);
    factor_dense(m, value, tolerance);
    return DAE_OK;
}

/* x = (I - tau v v') x with v = (1, tail) (Golub and Van Loan, Matrix Computations, Sec. 5.1). */
static void reflect(int n, const double *tail, double tau, double *x)
{
    double sum = x[0];
    for (int c = 1; c < n; c++) sum += tail[c - 1] * x[c];
    sum *= tau;
    if (sum == 0) return;
    x[0] -= sum;
    for (int c = 1; c < n; c++) x[c] -= sum * tail[c - 1];
}

/* One vector x = Q x, or Q' x, n long, by reflectors as dgeqrf() leaves them: dormqr() would form
 * blocks of them first, which costs more than what they are applied to. */
static void reflect_all(int n, int reflectors, const double *qr, const double *tau, bool transposed,
                        double *x)
{
    for (int i = 0; i < reflectors; i++) {
        int k = transposed ? i : reflectors - 1 - i;
        const double *diagonal = qr + (size_t)k * (size_t)n + k;
        reflect(n - k, diagonal + 1, tau[k], x + k);
    }
}

/* x = Q x, or Q' x, of the columns of a part; `count` such. */
static void turn(min_norm *m, const dense_part *d, bool transposed, double *x, int count)
{
    int n = d->columns, reflectors = smaller(d->rows, n), info;
    if (d->rank == 0) return; /* nothing was decomposed, or of no use */
    if (d->rows == 1 || count == 1) {
        for (int k = 0; k < count; k++)
            reflect_all(n, reflectors, d->qr, d->tau, transposed, x + (size_t)k * (size_t)n);
        return;
    }
    dormqr_("L", transposed ? "T" : "N", &n, &count, &reflectors, d->qr, &n, d->tau, x, &n, m->work,
            &m->work_size, &info, 1, 1);
}

static void solve_part(min_norm *m, const dense_part *d, const double *r, double *dz)
{
    int one = 1, rows = d->rows, columns = d->columns;
    double *b = m->vector, *x = m->vector + rows;
    if (d->rank == 0) return;
    for (int i = 0; i < rows; i++) {
        int from = d->row_at[d->pivot[i] - 1];
        b[i] = -r[from] * m->row_scale[from];
    }
    if (d->rank < rows) {
        reflect_all(rows, d->rank, d->second, d->tau2, true, b);
        dtrsv_("U", "N", "N", &d->rank, d->second, &rows, b, &one, 1, 1, 1);
    } else {
        if (rows == 1)
            b[0] /= d->qr[0];
        else
            dtrsv_("U", "T", "N", &d->rank, d->qr, &columns, b, &one, 1, 1, 1);
    }
    memset(x, 0, (size_t)columns * sizeof *x);
    memcpy(x, b, (size_t)d->rank * sizeof *x);
    turn(m, d, false, x, 1);
    for (int c = 0; c < columns; c++) dz[d->column_at[c]] = x[c] * m->scale[d->column_at[c]];
}

static void solve_dense(min_norm *m, const double *r, double *dz)
{
    memset(dz, 0, (size_t)m->columns * sizeof *dz);
    for (int k = 0; k < m->parts; k++) solve_part(m, &m->part[k], r, dz);
}

void min_norm_solve(min_norm *m, const double *r, double *dz)
{
    if (m->determined)
        min_norm_solve_square(m, r, dz);
    else if (m->saddle)
        min_norm_solve_saddle(m, r, dz);
    else
        solve_dense(m, r, dz);
}

size_t min_norm_rank(const min_norm *m)
{
    return (size_t)m->rank;
}

bool min_norm_knows_rank(const min_norm *m)
{
    return m->determined || !m->saddle || m->rank_known;
}

bool min_norm_knows_null_space(const min_norm *m)
{
    return m->determined || !m->saddle;
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
    if (rank < n) turn(m, d, false, basis, (int)(n - rank));
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
    if (m->determined) return DAE_OK; /* none is */
    if (m->saddle) return min_norm_free_columns_of_saddle(m, preference, chosen);
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
    linear_solver_free(m->lu);
    arena_free(&m->memory);
    free(m);
}

static void solve_part_transposed(min_norm *m, const dense_part *d, const double *w, double *mu)
{
    int one = 1, rows = d->rows;
    double *b = m->vector;
    if (d->rank == 0) return;
    for (int c = 0; c < d->columns; c++) b[c] = w[d->column_at[c]] * m->scale[d->column_at[c]];
    turn(m, d, true, b, 1);
    if (d->rank < rows) {
        for (int i = d->rank; i < rows; i++) b[i] = 0;
        dtrsv_("U", "T", "N", &d->rank, d->second, &rows, b, &one, 1, 1, 1);
        reflect_all(rows, d->rank, d->second, d->tau2, false, b);
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
