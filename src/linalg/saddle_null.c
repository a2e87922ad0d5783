/* Saddle-point systems by a rank-revealing decomposition of G' and the null space of G. */
#include "base/round_off.h"
#include "linalg/lapack.h"
#include "linalg/rows.h"
#include "linalg/saddle_point_parts.h"

#include <math.h>
#include <string.h>

/* The reduced matrix counts as singular where its reciprocal condition number, after scaling of
 * rows and columns, is below this. */
static const double REGULAR = ROUND_OFF_ELIMINATED;

static void build(void *self)
{
    saddle_point *p = self;
    arena *a = &p->memory;
    size_t n = p->n;
    saddle_null *z = arena_take(a, sizeof *z);
    arena_vectors(a, n * n, (double **const[]){&z->basis, &z->product, &z->reduced, NULL});
    arena_vectors(a, n, (double **const[]){&z->size, &z->right, &z->particular, NULL});
    z->force = arena_array(a, n + p->m, sizeof(double));
    z->work = arena_array(a, 4 * n, sizeof(double));
    z->pivot = arena_array(a, n, sizeof *z->pivot);
    z->integers = arena_array(a, n, sizeof *z->integers);
    p->null = z;
}

static dae_status create(saddle_point *p)
{
    dae_status status = arena_protect(&p->memory, build, p);
    if (status == DAE_OK) status = min_norm_create(&p->null->rows, p->g, MIN_NORM_RANK);
    if (status != DAE_OK) p->null = NULL;
    return status;
}

/* N' H N, rows and columns divided by the square roots of the diagonal of |N|' |H| |N|. Entries
 * that are round-off then stay below what counts as singular. */
static void reduce(saddle_point *p, size_t freedoms)
{
    saddle_null *z = p->null;
    size_t n = p->n;
    for (size_t k = 0; k < freedoms; k++) {
        const double *direction = z->basis + k * n;
        double sum = 0;
        sparse_multiply(p->h, p->h_value, direction, z->product + k * n);
        for (size_t j = 0; j < n; j++)
            for (sparse_index e = p->h->start[j]; e < p->h->start[j + 1]; e++)
                sum += fabs(direction[p->h->row[e]] * p->h_value[e] * direction[j]);
        z->size[k] = sum > 0 ? 1 / sqrt(sum) : 1;
    }
    for (size_t k = 0; k < freedoms; k++)
        for (size_t i = 0; i < freedoms; i++)
            z->reduced[k * freedoms + i] = z->size[i] * z->size[k] *
                                           vector_dot(n, z->basis + i * n, z->product + k * n);
}

/* The unknown with the largest component in the direction in which the reduced matrix is singular.
 * A solution with its factors is nearly that direction (inverse iteration). */
static void find_undetermined(saddle_point *p, int freedoms)
{
    saddle_null *z = p->null;
    int one = 1, info;
    size_t f = (size_t)freedoms;
    double largest = 0;
    for (size_t k = 0; k < f; k++) {
        if (fabs(z->reduced[k * f + k]) < 1e-20) z->reduced[k * f + k] = 1e-20;
        z->right[k] = 1;
    }
    dgetrs_("N", &freedoms, &one, z->reduced, &freedoms, z->pivot, z->right, &freedoms, &info, 1);
    memset(z->particular, 0, p->n * sizeof(double));
    for (size_t k = 0; k < f; k++)
        for (size_t j = 0; j < p->n; j++)
            z->particular[j] += z->basis[k * p->n + j] * z->size[k] * z->right[k];
    for (size_t j = 0; j < p->n; j++) {
        double part = fabs(z->particular[j]) / p->scale[j];
        if (!(part > largest)) continue;
        largest = part;
        p->undetermined = j;
    }
}

static dae_status factor_reduced(saddle_point *p)
{
    saddle_null *z = p->null;
    int freedoms = (int)(p->n - p->rank), info;
    double norm = 0, condition = 0;
    if (freedoms == 0) return DAE_OK;
    min_norm_null_space(z->rows, z->basis);
    reduce(p, (size_t)freedoms);
    for (int k = 0; k < freedoms; k++) {
        double sum = 0;
        for (int i = 0; i < freedoms; i++) sum += fabs(z->reduced[k * freedoms + i]);
        norm = fmax(norm, sum);
    }
    dgetrf_(&freedoms, &freedoms, z->reduced, &freedoms, z->pivot, &info);
    if (info == 0)
        dgecon_("1", &freedoms, z->reduced, &freedoms, &norm, &condition, z->work, z->integers,
                &info, 1);
    if (condition > REGULAR) return DAE_OK;
    find_undetermined(p, freedoms);
    return DAE_SINGULAR;
}

dae_status saddle_null_factor(saddle_point *p)
{
    dae_status status = p->null ? DAE_OK : create(p);
    if (status == DAE_OK)
        status = min_norm_factor(p->null->rows, p->g_value, p->scale, SADDLE_POINT_DEPENDENT);
    if (status != DAE_OK) return status;
    p->rank = min_norm_rank(p->null->rows);
    return factor_reduced(p);
}

/* x = x_p + N y with G x_p = s and N' H N y = N' (r - H x_p), then G' lambda = H x - r. */
void saddle_null_solve(saddle_point *p, double *x)
{
    saddle_null *z = p->null;
    size_t n = p->n;
    int freedoms = (int)(n - p->rank), one = 1, info;
    double *r = x, *s = x + n;
    for (size_t i = 0; i < p->m; i++) s[i] = -s[i];
    min_norm_solve(z->rows, s, z->particular);
    sparse_multiply(p->h, p->h_value, z->particular, z->force);
    for (size_t j = 0; j < n; j++) z->force[j] = r[j] - z->force[j];
    for (int k = 0; k < freedoms; k++)
        z->right[k] = z->size[k] * vector_dot(n, z->basis + (size_t)k * n, z->force);
    if (freedoms > 0)
        dgetrs_("N", &freedoms, &one, z->reduced, &freedoms, z->pivot, z->right, &freedoms, &info,
                1);
    for (int k = 0; k < freedoms; k++) {
        double part = z->size[k] * z->right[k];
        for (size_t j = 0; j < n; j++) z->particular[j] += z->basis[(size_t)k * n + j] * part;
    }
    sparse_multiply(p->h, p->h_value, z->particular, z->force);
    for (size_t j = 0; j < n; j++) z->force[j] -= r[j];
    min_norm_solve_transposed(z->rows, z->force, s);
    memcpy(r, z->particular, n * sizeof *r);
}
