#include "integrate/tangent_parts.h"

#include "linalg/lapack.h"

#include <complex.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds a at the end from v' there, and the residuals of the method's equations. */
static void find_misses(tangent *t, structural *e)
{
    const double *v = e->base.y + t->nq, h = e->h, shift = e->delta * h * h;
    double *of_q = t->part, *of_v = t->moved_v; /* room */
    for (size_t k = 0; k < t->nv; k++) {
        double a = e->share * e->at.vp[k] + e->old[k], carried = v[k] + shift * t->jerk_start[k];
        e->at.a[k] = a;
        of_q[k] = h * carried + h * h * ((0.5 - e->beta) * e->a[k] + e->beta * a) - e->increment[k];
        of_v[k] = carried + h * ((1 - e->gamma) * e->a[k] + e->gamma * a) - shift * t->jerk[k] -
                  e->at.v[k];
    }
    tangent_reduce(t, t->places, of_q, t->miss_q);
    tangent_reduce(t, t->freedoms, of_v, t->miss_v);
}

/* Forms the linear system for the changes s of N^T a and w of alpha'. w and s' are those of the
 * columns of N that belong to velocities, which come first:
 *
 *   s - share (by_q h^2 beta s + by_v w) = share (normal + by_q miss_q),
 *   w - h gamma s' + delta h^2 (by_q w + by_v s' / share)' = miss_v.
 *
 * The derivatives of v'' are approximately those of alpha''' = by_q alpha' + by_v alpha''. */
static void form_system(tangent *t, const structural *e)
{
    size_t p = t->places, f = t->freedoms, rows = p + f;
    double h = e->h, of_q = e->share * h * h * e->beta, jerk = e->delta * h * h;
    memset(t->matrix, 0, rows * rows * sizeof *t->matrix);
    for (size_t j = 0; j < p; j++) {
        for (size_t i = 0; i < p; i++)
            t->matrix[j * rows + i] = (i == j) - of_q * t->by_q[j * p + i];
        for (size_t i = 0; i < p && j < f; i++)
            t->matrix[(p + j) * rows + i] = -e->share * t->by_v[j * p + i];
        for (size_t i = 0; i < f && j < f; i++) {
            t->matrix[j * rows + p + i] = -h * e->gamma * (i == j) +
                                          jerk / e->share * t->by_v[j * p + i];
            t->matrix[(p + j) * rows + p + i] = (i == j) + jerk * t->by_q[j * p + i];
        }
    }
    for (size_t i = 0; i < p; i++) {
        double sum = t->normal[i];
        for (size_t j = 0; j < p; j++) sum += t->by_q[j * p + i] * t->miss_q[j];
        t->unknown[i] = e->share * sum;
    }
    memcpy(t->unknown + p, t->miss_v, f * sizeof *t->unknown);
}

static dae_status solve_system(tangent *t)
{
    int n = (int)(t->places + t->freedoms), one = 1, info = 0;
    if (n == 0) return DAE_OK;
    dgetrf_(&n, &n, t->matrix, &n, t->pivot, &info);
    if (info != 0) return DAE_SINGULAR;
    dgetrs_("N", &n, &one, t->matrix, &n, t->pivot, t->unknown, &n, &info, 1);
    return DAE_OK;
}

/* Moves positions and velocities. e->change becomes their change. */
static dae_status move_point(tangent *t, structural *e)
{
    size_t nv = t->nv, p = t->places;
    double *way = t->part, *of_v = e->change + t->nq; /* room */
    memset(e->change, 0, e->base.problem->n * sizeof *e->change);
    memcpy(way, t->normal_q, nv * sizeof *way);
    memcpy(of_v, t->normal_v, nv * sizeof *of_v);
    for (size_t j = 0; j < p; j++) {
        double alpha = t->miss_q[j] + e->h * e->h * e->beta * t->unknown[j];
        double rate = j < t->freedoms ? t->unknown[p + j] : 0;
        for (size_t k = 0; k < nv; k++) {
            way[k] += t->basis[j * nv + k] * alpha;
            of_v[k] += t->basis[j * nv + k] * rate + t->turn[j * nv + k] * alpha;
        }
    }
    dae_status status = mechanical_kinematics(e->mechanical, e->t_end, e->at.q, way, e->change);
    for (size_t k = 0; k < nv; k++) {
        e->increment[k] += way[k];
        e->at.v[k] += of_v[k];
    }
    if (status != DAE_OK) return status;
    return structural_move(e, e->base.t, e->h, e->base.y, e->increment, e->at.q);
}

static dae_status accelerate(structural *e)
{
    return mechanical_accelerate(e->mechanical, e->t_end, e->at.q, e->at.v, e->at.vp, e->at.lambda);
}

static dae_status correct(void *self, double *size)
{
    structural *e = self;
    tangent *t = e->tangent;
    dae_status status = accelerate(e);
    if (status == DAE_OK && e->delta != 0)
        status = structural_jerk(e, e->t_end, e->at.q, e->at.v, e->at.vp, e->room, t->jerk);
    if (status == DAE_OK) status = tangent_linearize(t, e);
    if (status != DAE_OK) return status;
    find_misses(t, e);
    form_system(t, e);
    status = solve_system(t);
    if (status == DAE_OK) status = move_point(t, e);
    if (status != DAE_OK) return status;
    *size = t->unit * control_norm(t->nq + t->nv, e->change, e->base.stepping.weight, NULL, 1);
    return isfinite(*size) ? DAE_OK : DAE_NEWTON;
}

/* The first guess of the iteration: the formulas of the method with the acceleration of the start,
 * or, with `still`, no motion at all. */
static dae_status guess(structural *e, bool still)
{
    memcpy(e->at.vp, e->base.yp + e->nq, e->nv * sizeof(double));
    if (!still) return structural_find_point(e);
    memset(e->increment, 0, e->nv * sizeof *e->increment);
    memcpy(e->at.y, e->base.y, (e->nq + e->nv) * sizeof(double));
    return DAE_OK;
}

static dae_status iterate(structural *e, bool still)
{
    dae_status status = guess(e, still);
    return status == DAE_OK ? newton_solve(&e->newton, correct, e) : status;
}

/* Near a configuration in which constraints lose rank, the round-off of their levels enters motions
 * that they hardly restrict, by more than some tolerances allow. The remaining error has the size
 * of round-off, and shorter steps would not reduce it. */
static dae_status iterate_to_round_off(tangent *t, structural *e)
{
    if (e->base.options.fixed_step > 0) return DAE_NEWTON;
    t->unit = e->base.stepping.rtol; /* of the variables themselves */
    e->newton.exactly = true;
    dae_status status = iterate(e, false);
    e->newton.exactly = false;
    t->unit = 1;
    return status;
}

dae_status tangent_solve(tangent *t, structural *e)
{
    const double *q = e->base.y, *v = q + t->nq, *vp = e->base.yp + t->nq;
    dae_status status = DAE_OK;
    if (e->delta != 0) status = structural_jerk(e, e->base.t, q, v, vp, e->room, t->jerk_start);
    if (status != DAE_OK) return status;
    status = iterate(e, false);
    if (status == DAE_NEWTON || status == DAE_NOT_EVALUABLE) status = iterate(e, true);
    if (status == DAE_NEWTON) status = iterate_to_round_off(t, e);
    if (status == DAE_OK) status = accelerate(e);
    for (size_t k = 0; status == DAE_OK && k < t->nv; k++)
        e->at.a[k] = e->share * e->at.vp[k] + e->old[k];
    return status;
}

void tangent_keep(tangent *t, double *x)
{
    size_t nv = t->nv;
    tangent_reduce(t, t->places, x, t->miss_q);
    memset(x, 0, nv * sizeof *x);
    for (size_t j = 0; j < t->places; j++)
        for (size_t k = 0; k < nv; k++) x[k] += t->basis[j * nv + k] * t->miss_q[j];
}

void tangent_start(tangent *t, structural *e)
{
    if (accelerate(e) == DAE_OK) (void)tangent_linearize(t, e);
    t->known = false;
}

/* --- natural frequencies --- */

/* An eigenvector as LAPACK stores it: real and imaginary parts, the latter NULL for a real one. */
typedef struct mode {
    const double *re, *im;
} mode;

static double complex entry(const mode *x, size_t i)
{
    return x->im ? x->re[i] + (double complex)I * x->im[i] : x->re[i];
}

/* 2 xi omega = y* C x / (y* M x), with the right eigenvector x and the left one y* M. */
static double find_ratio(const tangent *t, const mode *left, const mode *right, double omega)
{
    size_t f = t->freedoms, p = t->places;
    double complex damping = 0, size = 0;
    for (size_t i = 0; i < f; i++) {
        double complex y = conj(entry(left, i));
        size += y * entry(right, i);
        for (size_t j = 0; j < f; j++) damping -= y * t->by_v[j * p + i] * entry(right, j);
    }
    return size != 0 ? creal(damping / size) / (2 * omega) : 0;
}

bool tangent_frequency(tangent *t, double *omega, double *ratio)
{
    size_t f = t->freedoms;
    int n = (int)f, work = 8 * n, info = 0, most = -1;
    if (!t->known || n == 0) return false;
    double *copy = t->eigen, *re = copy + f * f, *im = re + f, *left = im + f;
    double *right = left + f * f, *room = right + f * f;
    for (size_t k = 0; k < f * f; k++) copy[k] = -t->by_q[k / f * t->places + k % f];
    dgeev_("V", "V", &n, copy, &n, re, im, left, &n, right, &n, room, &work, &info, 1, 1);
    if (info != 0) return false;
    for (int k = 0; k < n; k++)
        if (re[k] > 0 && (most < 0 || re[k] > re[most])) most = k;
    if (most < 0) return false;
    *omega = sqrt(hypot(re[most], im[most]));
    size_t at = (size_t)most * f;
    bool is_complex = im[most] !=
                      0; /* the first of a pair, whose second column is the other part */
    mode x = {right + at, is_complex ? right + at + f : NULL};
    mode y = {left + at, is_complex ? left + at + f : NULL};
    *ratio = find_ratio(t, &y, &x, *omega);
    return true;
}

/* --- creation --- */

static void carve(tangent *t, size_t entries, workspace *space)
{
    size_t nv = t->nv;
    double **const square[] = {&t->basis, &t->turn, &t->by_q, &t->by_v};
    for (size_t i = 0; i < sizeof square / sizeof *square; i++)
        *square[i] = workspace_take(space, nv, nv * sizeof(double));
    workspace_vectors(space, nv,
                      (double **[]){&t->weight, &t->miss_q, &t->miss_v, &t->normal, &t->normal_q,
                                    &t->jerk, &t->normal_v, &t->part, &t->jerk_start, &t->moved_v,
                                    &t->saved_vp, &t->rest, NULL});
    workspace_vectors(space, nv + t->constraints,
                      (double **[]){&t->level, &t->before, &t->after, &t->right, NULL});
    workspace_vectors(space, t->nq, (double **[]){&t->way, &t->moved_q, NULL});
    t->values = workspace_doubles(space, entries);
    t->matrix = workspace_take(space, nv, 4 * nv * sizeof(double));
    t->eigen = workspace_take(space, nv, (3 * nv + 10) * sizeof(double));
    t->unknown = workspace_doubles(space, 2 * nv);
    t->pivot = workspace_take(space, 2 * nv, sizeof *t->pivot);
}

dae_status tangent_create(tangent **created, const structural *e)
{
    if (e->nv > INT_MAX / 16) return DAE_NO_MEMORY;
    tangent *t = calloc(1, sizeof *t);
    if (!t) return DAE_NO_MEMORY;
    *created = t;
    const sparse_pattern *gradient = e->mechanical->gradient.pattern;
    t->unit = 1;
    t->nq = e->nq;
    t->nv = e->nv;
    t->holonomic = e->mechanical->holonomic;
    t->constraints = e->constraints;
    carve(t, gradient->nonzeros, &t->space);
    dae_status status = workspace_allocate(&t->space);
    if (status != DAE_OK) return status;
    carve(t, gradient->nonzeros, &t->space);
    for (size_t k = 0; k < t->nv; k++) {
        double nominal = e->mechanical->form->nominal[t->nq + k];
        t->weight[k] = 1 / (nominal * nominal);
    }
    if (t->constraints == 0) return DAE_OK;
    status = min_norm_create(&t->rows, gradient, MIN_NORM_RANK);
    if (status == DAE_OK && t->holonomic < t->constraints)
        status = min_norm_create(&t->held, gradient, MIN_NORM_RANK);
    return status == DAE_OK && !min_norm_knows_null_space(t->rows) ? DAE_UNSUPPORTED : status;
}

void tangent_free(tangent *t)
{
    if (!t) return;
    min_norm_free(t->rows);
    min_norm_free(t->held);
    workspace_free(&t->space);
    free(t);
}
