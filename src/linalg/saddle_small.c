/* Small saddle-point systems with a positive definite first block, such as a mass matrix: H = L L',
 * W = L^-1 G', S = W' W = G H^-1 G'. Each is factored by Cholesky's method in loops of its own:
 * calls to libraries would take longer than the work itself (Benzi, Golub & Liesen, Acta Numerica
 * 14 (2005), Sec. 5). Rows of L begin where those of H do. */
#include "base/round_off.h"
#include "linalg/saddle_point_parts.h"

#include <math.h>
#include <string.h>

/* The most rows of both kinds; the smallest acceptable pivots of H and S relative to their
 * diagonals; the largest difference between two entries of H that count as equal. */
enum { LARGEST = 40 };
static const double DEFINITE = 1e-8, INDEPENDENT = 1e-9, SYMMETRIC = ROUND_OFF_SOLVED;

/* With pivots above this part of the diagonal, solutions need no refinement. */
static const double GOOD = 1e-4;

/* Where rows of H begin, and the entry below the diagonal for each one above. False where one is
 * missing. */
static bool find_twins(saddle_point *p)
{
    const sparse_pattern *h = p->h;
    saddle_small *s = &p->small;
    for (size_t j = 0; j < p->n; j++) {
        s->first[j] = j;
        for (sparse_index k = h->start[j]; k < h->start[j + 1]; k++) {
            size_t i = (size_t)h->row[k];
            if (i < s->first[j]) s->first[j] = i;
            sparse_index e = h->start[i];
            while (e < h->start[i + 1] && (size_t)h->row[e] != j) e++;
            if (e == h->start[i + 1]) return false;
            s->twin[k] = (size_t)e;
        }
        s->nonzeros += j - s->first[j] + 1;
    }
    return true;
}

void saddle_small_build(saddle_point *p)
{
    saddle_small *s = &p->small;
    arena *a = &p->memory;
    if (p->n + p->m > LARGEST || p->m > p->n) return;
    s->first = arena_array(a, p->n, sizeof *s->first);
    s->twin = arena_array(a, p->h->nonzeros, sizeof *s->twin);
    s->lower = arena_array(a, p->n * p->n, sizeof(double));
    s->forces = arena_array(a, p->n * p->m, sizeof(double));
    s->product = arena_array(a, p->m * p->m, sizeof(double));
    s->diagonal = arena_array(a, p->n + p->m, sizeof(double));
    s->nonzeros = p->m * (p->m + 1) / 2;
    s->fits = find_twins(p);
}

/* Replace the lower triangle of a (size x size, by rows) by its Cholesky factor; reciprocals of the
 * diagonal are stored apart. Rows begin at `first`; NULL: at 0. False where a pivot is too small.
 * *good: no pivot comes near that. */
static bool factor(double *a, size_t size, const size_t *first, double least, double *reciprocal,
                   bool *good)
{
    *good = true;
    for (size_t i = 0; i < size; i++) {
        double *row = a + i * size, whole = row[i], rest = whole;
        size_t begin = first ? first[i] : 0;
        for (size_t j = begin; j < i; j++) {
            const double *other = a + j * size;
            double sum = row[j];
            for (size_t k = first && first[j] > begin ? first[j] : begin; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum * reciprocal[j];
            rest -= row[j] * row[j];
        }
        if (!(rest > least * whole)) return false;
        *good = *good && rest > GOOD * whole;
        row[i] = sqrt(rest);
        reciprocal[i] = 1 / row[i];
    }
    return true;
}

/* The lower triangle of H is read from the upper one, by columns. */
static bool factor_first_block(saddle_point *p)
{
    saddle_small *s = &p->small;
    const double *value = p->h_value;
    memset(s->lower, 0, p->n * p->n * sizeof *s->lower);
    for (size_t i = 0; i < p->n; i++) {
        for (sparse_index k = p->h->start[i]; k < p->h->start[i + 1]; k++) {
            size_t j = (size_t)p->h->row[k];
            if (j > i) break;
            double other = value[s->twin[k]];
            if (!(fabs(value[k] - other) <= SYMMETRIC * fabs(other))) return false;
            s->lower[i * p->n + j] = value[k];
        }
    }
    return factor(s->lower, p->n, s->first, DEFINITE, s->diagonal, &s->good[0]);
}

/* W, all columns at once; many of its rows are 0. */
static void form_forces(saddle_point *p)
{
    saddle_small *s = &p->small;
    size_t n = p->n, m = p->m;
    memset(s->forces, 0, n * m * sizeof *s->forces);
    for (size_t j = 0; j < n; j++) {
        double *row = s->forces + j * m, reciprocal = s->diagonal[j];
        for (sparse_index k = p->g->start[j]; k < p->g->start[j + 1]; k++)
            row[p->g->row[k]] = p->g_value[k];
        for (size_t k = s->first[j]; k < j; k++) {
            const double *above = s->forces + k * m;
            double entry = s->lower[j * n + k];
            for (size_t i = 0; i < m; i++) row[i] -= entry * above[i];
        }
        for (size_t i = 0; i < m; i++) row[i] *= reciprocal;
    }
}

/* The lower triangle of S, by the rows of W. */
static void form_product(saddle_point *p)
{
    saddle_small *s = &p->small;
    size_t m = p->m;
    memset(s->product, 0, m * m * sizeof *s->product);
    for (const double *row = s->forces; row < s->forces + p->n * m; row += m) {
        for (size_t i = 0; i < m; i++) {
            double entry = row[i], *sum = s->product + i * m;
            if (entry == 0) continue;
            for (size_t j = 0; j <= i; j++) sum[j] += entry * row[j];
        }
    }
}

bool saddle_small_factor(saddle_point *p)
{
    saddle_small *s = &p->small;
    if (!s->factored) s->factored = factor_first_block(p);
    if (!s->factored) return false;
    form_forces(p);
    form_product(p);
    return factor(s->product, p->m, NULL, INDEPENDENT, s->diagonal + p->n, &s->good[1]);
}

/* x = L^-1 x, and x = L'^-1 x, of a factor by rows that begin at `first`; NULL: at 0. */
static void go_forward(const double *l, size_t size, const size_t *first, const double *reciprocal,
                       double *x)
{
    for (size_t i = 0; i < size; i++) {
        const double *row = l + i * size;
        double sum = x[i];
        for (size_t k = first ? first[i] : 0; k < i; k++) sum -= row[k] * x[k];
        x[i] = sum * reciprocal[i];
    }
}

static void go_back(const double *l, size_t size, const size_t *first, const double *reciprocal,
                    double *x)
{
    for (size_t i = size; i-- > 0;) {
        const double *row = l + i * size;
        double value = x[i] *= reciprocal[i];
        for (size_t k = first ? first[i] : 0; k < i; k++) x[k] -= row[k] * value;
    }
}

/* y = L^-1 r, S lambda = s - W' y, x = L'^-1 (y + W lambda). */
void saddle_small_solve(saddle_point *p, double *x)
{
    const saddle_small *s = &p->small;
    size_t n = p->n, m = p->m;
    double *lambda = x + n;
    go_forward(s->lower, n, s->first, s->diagonal, x);
    for (size_t k = 0; k < n; k++) {
        const double *row = s->forces + k * m;
        for (size_t i = 0; i < m; i++) lambda[i] -= row[i] * x[k];
    }
    go_forward(s->product, m, NULL, s->diagonal + n, lambda);
    go_back(s->product, m, NULL, s->diagonal + n, lambda);
    for (size_t k = 0; k < n; k++) {
        const double *row = s->forces + k * m;
        double sum = x[k];
        for (size_t i = 0; i < m; i++) sum += row[i] * lambda[i];
        x[k] = sum;
    }
    go_back(s->lower, n, s->first, s->diagonal, x);
}
