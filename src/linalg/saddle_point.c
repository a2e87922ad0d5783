#include "linalg/saddle_point.h"

#include "base/workspace.h"
#include "linalg/lapack.h"
#include "linalg/min_norm.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of G whose remainder is below this part of them depend on others. Of rows that depend on the
 * manifold of the constraints alone, as of a mechanism with loops, so much may be left beside it.
 */
static const double RANK_TOLERANCE = 1e-7;

/* The reduced matrix counts as singular where its reciprocal condition, all its rows and columns
 * made comparable, is below this. */
static const double REGULAR = 1e-13;

struct saddle_point {
    const sparse_pattern *h, *g;
    const double *scale;
    size_t n, m, rank, factored, undetermined;
    bool is_factored;          /* the values below */
    double *h_value, *g_value; /* as factored last */

    min_norm *rows;                     /* of G */
    double *basis, *product;            /* n x free: null space N of G, and H N */
    double *reduced, *size;             /* free x free: N' H N, scaled by `size` on both sides */
    double *right, *particular, *force; /* n each */
    double *work;                       /* of LAPACK: 4 n */
    int *pivot, *integers;
    workspace space;
};

static void carve(saddle_point *p, workspace *space)
{
    size_t n = p->n;
    p->h_value = workspace_doubles(space, p->h->nonzeros);
    p->g_value = workspace_doubles(space, p->g->nonzeros);
    p->basis = workspace_doubles(space, n * n);
    p->product = workspace_doubles(space, n * n);
    p->reduced = workspace_doubles(space, n * n);
    p->size = workspace_doubles(space, n);
    p->right = workspace_doubles(space, n);
    p->particular = workspace_doubles(space, n);
    p->force = workspace_doubles(space, n + p->m);
    p->work = workspace_doubles(space, 4 * n);
    p->pivot = workspace_take(space, n, sizeof *p->pivot);
    p->integers = workspace_take(space, n, sizeof *p->integers);
}

dae_status saddle_point_create(saddle_point **created, const sparse_pattern *h,
                               const sparse_pattern *g, const double *scale)
{
    saddle_point *p = calloc(1, sizeof *p);
    if (!p) return DAE_NO_MEMORY;
    *p = (saddle_point){.h = h, .g = g, .scale = scale, .n = h->rows, .m = g->rows};
    carve(p, &p->space);
    dae_status status = workspace_allocate(&p->space);
    if (status == DAE_OK) {
        carve(p, &p->space);
        status = min_norm_create(&p->rows, g, true);
    }
    if (status != DAE_OK) {
        saddle_point_free(p);
        return status;
    }
    *created = p;
    return DAE_OK;
}

static double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* N' H N, its rows and columns divided by the roots of |N|' |H| |N|'s diagonal: entries that are
 * round-off stay below what counts as singular. */
static void reduce(saddle_point *p, size_t freedoms)
{
    size_t n = p->n;
    for (size_t k = 0; k < freedoms; k++) {
        const double *direction = p->basis + k * n;
        double sum = 0;
        sparse_multiply(p->h, p->h_value, direction, p->product + k * n);
        for (size_t j = 0; j < n; j++)
            for (sparse_index e = p->h->start[j]; e < p->h->start[j + 1]; e++)
                sum += fabs(direction[p->h->row[e]] * p->h_value[e] * direction[j]);
        p->size[k] = sum > 0 ? 1 / sqrt(sum) : 1;
    }
    for (size_t k = 0; k < freedoms; k++)
        for (size_t i = 0; i < freedoms; i++)
            p->reduced[k * freedoms + i] = p->size[i] * p->size[k] *
                                           dot(n, p->basis + i * n, p->product + k * n);
}

/* The unknown that has most of the direction in which the reduced matrix is singular: a solution
 * with its factors is nearly that direction (inverse iteration). */
static void find_undetermined(saddle_point *p, int freedoms)
{
    int one = 1, info;
    size_t f = (size_t)freedoms;
    double largest = 0;
    for (size_t k = 0; k < f; k++) {
        if (fabs(p->reduced[k * f + k]) < 1e-20) p->reduced[k * f + k] = 1e-20;
        p->right[k] = 1;
    }
    dgetrs_("N", &freedoms, &one, p->reduced, &freedoms, p->pivot, p->right, &freedoms, &info, 1);
    memset(p->particular, 0, p->n * sizeof(double));
    for (size_t k = 0; k < f; k++)
        for (size_t j = 0; j < p->n; j++)
            p->particular[j] += p->basis[k * p->n + j] * p->size[k] * p->right[k];
    for (size_t j = 0; j < p->n; j++) {
        double part = fabs(p->particular[j]) / p->scale[j];
        if (!(part > largest)) continue;
        largest = part;
        p->undetermined = j;
    }
}

static dae_status factor_reduced(saddle_point *p)
{
    int freedoms = (int)(p->n - p->rank), info;
    double norm = 0, condition = 0;
    if (freedoms == 0) return DAE_OK;
    min_norm_null_space(p->rows, p->basis);
    reduce(p, (size_t)freedoms);
    for (int k = 0; k < freedoms; k++) {
        double sum = 0;
        for (int i = 0; i < freedoms; i++) sum += fabs(p->reduced[k * freedoms + i]);
        norm = fmax(norm, sum);
    }
    dgetrf_(&freedoms, &freedoms, p->reduced, &freedoms, p->pivot, &info);
    if (info == 0)
        dgecon_("1", &freedoms, p->reduced, &freedoms, &norm, &condition, p->work, p->integers,
                &info, 1);
    if (condition > REGULAR) return DAE_OK;
    find_undetermined(p, freedoms);
    return DAE_SINGULAR;
}

/* Whether these values were factored last; they are kept. */
static bool are_factored(saddle_point *p, const double *h, const double *g)
{
    size_t of_h = p->h->nonzeros * sizeof *h, of_g = p->g->nonzeros * sizeof *g;
    if (p->is_factored && memcmp(h, p->h_value, of_h) == 0 && memcmp(g, p->g_value, of_g) == 0)
        return true;
    if (of_h) memcpy(p->h_value, h, of_h);
    if (of_g) memcpy(p->g_value, g, of_g);
    return false;
}

static bool all_finite(size_t count, const double *value)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(value[k])) return false;
    return true;
}

dae_status saddle_point_factor(saddle_point *p, const double *h, const double *g)
{
    if (are_factored(p, h, g)) return DAE_OK;
    p->is_factored = false;
    p->factored++;
    p->undetermined = 0;
    if (!all_finite(p->h->nonzeros, h)) return DAE_SINGULAR;
    dae_status status = min_norm_factor(p->rows, g, p->scale, RANK_TOLERANCE);
    p->rank = min_norm_rank(p->rows);
    if (status == DAE_OK) status = factor_reduced(p);
    p->is_factored = status == DAE_OK;
    return status;
}

/* x = x_p + N y with G x_p = s and N' H N y = N' (r - H x_p), then G' lambda = H x - r. */
void saddle_point_solve(saddle_point *p, double *x)
{
    size_t n = p->n;
    int freedoms = (int)(n - p->rank), one = 1, info;
    double *r = x, *s = x + n;
    for (size_t i = 0; i < p->m; i++) s[i] = -s[i];
    min_norm_solve(p->rows, s, p->particular);
    sparse_multiply(p->h, p->h_value, p->particular, p->force);
    for (size_t j = 0; j < n; j++) p->force[j] = r[j] - p->force[j];
    for (int k = 0; k < freedoms; k++)
        p->right[k] = p->size[k] * dot(n, p->basis + (size_t)k * n, p->force);
    if (freedoms > 0)
        dgetrs_("N", &freedoms, &one, p->reduced, &freedoms, p->pivot, p->right, &freedoms, &info,
                1);
    for (int k = 0; k < freedoms; k++) {
        double part = p->size[k] * p->right[k];
        for (size_t j = 0; j < n; j++) p->particular[j] += p->basis[(size_t)k * n + j] * part;
    }
    sparse_multiply(p->h, p->h_value, p->particular, p->force);
    for (size_t j = 0; j < n; j++) p->force[j] -= r[j];
    min_norm_solve_transposed(p->rows, p->force, s);
    memcpy(r, p->particular, n * sizeof *r);
}

size_t saddle_point_rank(const saddle_point *p)
{
    return p->rank;
}

size_t saddle_point_factored(const saddle_point *p)
{
    return p->factored;
}

size_t saddle_point_undetermined(const saddle_point *p)
{
    return p->undetermined;
}

void saddle_point_free(saddle_point *p)
{
    if (!p) return;
    min_norm_free(p->rows);
    workspace_free(&p->space);
    free(p);
}
