/* The reduced equations of motion in the tangent, linearised. */
#include "integrate/tangent_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A row of the gradient depends on others where its remainder is below this part of it, as in
 * linalg/saddle_point.c. */
static const double RANK_TOLERANCE = 1e-7;

void tangent_reduce(const tangent *t, const double *x, double *r)
{
    for (size_t j = 0; j < t->freedoms; j++) {
        double sum = 0;
        for (size_t k = 0; k < t->nv; k++) sum += t->basis[j * t->nv + k] * x[k];
        r[j] = sum;
    }
}

/* N, and the rows ready for corrections of least change. */
static dae_status find_basis(tangent *t, const structural *e)
{
    size_t nv = t->nv;
    t->freedoms = nv;
    memset(t->basis, 0, nv * nv * sizeof *t->basis);
    for (size_t k = 0; k < nv; k++) t->basis[k * nv + k] = 1;
    if (!t->rows) return DAE_OK;
    dae_status status = min_norm_factor(t->rows, mechanical_gradient(e->mechanical), t->ones,
                                        RANK_TOLERANCE);
    if (status != DAE_OK) return status;
    if (!min_norm_knows_rank(t->rows)) return DAE_UNSUPPORTED;
    t->freedoms = nv - min_norm_rank(t->rows);
    min_norm_null_space(t->rows, t->basis);
    return DAE_OK;
}

/* x (nv), the least one with G x = -r. */
static void correct_normally(tangent *t, const double *r, double *x)
{
    memset(x, 0, t->nv * sizeof *x);
    if (t->rows) min_norm_solve(t->rows, r, x);
}

/* A way so short that differences between its ends lose about as much to round-off as to curvature:
 * a part of the sizes of what changes. */
static double find_distance(const structural *e, const double *dq, const double *dv)
{
    const double *nominal = e->mechanical->form->nominal, part = cbrt(DBL_EPSILON);
    double distance = HUGE_VAL;
    for (size_t k = 0; k < e->nv; k++) {
        double q = fmax(fabs(e->at.q[k]), nominal[k]);
        double v = fmax(fabs(e->at.v[k]), nominal[e->nv + k]);
        if (dq[k] != 0) distance = fmin(distance, part * q / fabs(dq[k]));
        if (dv && dv[k] != 0) distance = fmin(distance, part * v / fabs(dv[k]));
    }
    return distance;
}

static void move(tangent *t, const structural *e, double distance, const double *dq,
                 const double *dv)
{
    for (size_t k = 0; k < t->nv; k++) {
        t->moved_q[k] = e->at.q[k] + distance * dq[k];
        t->moved_v[k] = e->at.v[k] + (dv ? distance * dv[k] : 0);
    }
}

/* r (constraints) = the derivative of the level of velocities in the direction dq, v held. */
static dae_status turn_velocities(tangent *t, structural *e, const double *dq, double *r)
{
    double distance = find_distance(e, dq, NULL);
    memset(r, 0, t->constraints * sizeof *r);
    if (!t->rows || isinf(distance)) return DAE_OK;
    move(t, e, distance, dq, NULL);
    dae_status status = mechanical_velocity(e->mechanical, e->t_end, t->moved_q, e->at.v, t->after);
    move(t, e, -distance, dq, NULL);
    if (status == DAE_OK)
        status = mechanical_velocity(e->mechanical, e->t_end, t->moved_q, e->at.v, t->before);
    for (size_t i = 0; i < t->constraints; i++)
        r[i] = (t->after[i] - t->before[i]) / (2 * distance);
    return status;
}

/* r (constraints) = G v' + gamma at the point moved to, v' held: of the level of velocities the
 * part that is linear in its argument is taken at v'. */
static dae_status find_accelerations(tangent *t, structural *e, double *r)
{
    mechanical *m = e->mechanical;
    dae_status status = mechanical_gamma(m, e->t_end, t->moved_q, t->moved_v, r);
    if (status == DAE_OK)
        status = mechanical_velocity(m, e->t_end, t->moved_q, t->saved_vp, t->level);
    for (size_t i = 0; status == DAE_OK && i < t->constraints; i++) r[i] += t->level[i];
    memset(t->part, 0, t->nv * sizeof *t->part);
    if (status == DAE_OK) status = mechanical_velocity(m, e->t_end, t->moved_q, t->part, t->level);
    for (size_t i = 0; status == DAE_OK && i < t->constraints; i++) r[i] -= t->level[i];
    return status;
}

/* Its derivative in the direction (dq, dv). */
static dae_status turn_accelerations(tangent *t, structural *e, const double *dq, const double *dv,
                                     double *r)
{
    double distance = find_distance(e, dq, dv);
    memset(r, 0, t->constraints * sizeof *r);
    if (!t->rows || isinf(distance)) return DAE_OK;
    move(t, e, distance, dq, dv);
    dae_status status = find_accelerations(t, e, t->after);
    move(t, e, -distance, dq, dv);
    if (status == DAE_OK) status = find_accelerations(t, e, t->before);
    for (size_t i = 0; i < t->constraints; i++)
        r[i] = (t->after[i] - t->before[i]) / (2 * distance);
    return status;
}

/* r (freedoms) = N^T of the change of v' that (dq, dv) makes, all equations of motion and the
 * constraints on accelerations being met there as well. */
static dae_status respond(tangent *t, structural *e, const double *dq, const double *dv, double *r)
{
    mechanical *m = e->mechanical;
    double *force = t->right, *turned = t->right + t->nv;
    dae_status status = turn_accelerations(t, e, dq, dv, turned);
    if (status != DAE_OK) return status;
    memset(force, 0, t->nv * sizeof *force);
    sparse_add_product(mechanical_stiffness_pattern(m), mechanical_stiffness(m), dq, force);
    sparse_add_product(mechanical_damping_pattern(m), mechanical_damping(m), dv, force);
    for (size_t k = 0; k < t->nv + t->constraints; k++) t->right[k] = -t->right[k];
    mechanical_solve(m, 0, t->right);
    tangent_reduce(t, t->right, r);
    return DAE_OK;
}

/* The corrections by which the linearised constraints are met. */
static dae_status find_normal(tangent *t, structural *e)
{
    mechanical *m = e->mechanical;
    size_t count = t->constraints;
    if (!t->rows) return DAE_OK;
    dae_status status = mechanical_position(m, e->t_end, e->at.q, t->level);
    if (status != DAE_OK) return status;
    correct_normally(t, t->level, t->normal_q);
    status = turn_velocities(t, e, t->normal_q, t->right);
    if (status == DAE_OK) status = mechanical_velocity(m, e->t_end, e->at.q, e->at.v, t->level);
    for (size_t i = 0; i < count; i++) t->level[i] += t->right[i];
    correct_normally(t, t->level, t->normal_v);
    return status == DAE_OK ? respond(t, e, t->normal_q, t->normal_v, t->normal) : status;
}

/* One column of by_q, by_v and `turn`. */
static dae_status find_column(tangent *t, structural *e, size_t j)
{
    double *direction = t->basis + j * t->nv, *turned = t->turn + j * t->nv;
    dae_status status = turn_velocities(t, e, direction, t->level);
    if (status != DAE_OK) return status;
    correct_normally(t, t->level, turned);
    status = respond(t, e, direction, turned, t->by_q + j * t->freedoms);
    memset(t->rest, 0, t->nv * sizeof *t->rest);
    if (status == DAE_OK) status = respond(t, e, t->rest, direction, t->by_v + j * t->freedoms);
    return status;
}

dae_status tangent_linearize(tangent *t, structural *e)
{
    mechanical *m = e->mechanical;
    const structural_point *at = &e->at;
    memcpy(t->saved_vp, at->vp, t->nv * sizeof(double));
    dae_status status = mechanical_linearize(m, e->t_end, at->q, at->v, at->vp, at->lambda);
    if (status == DAE_OK) status = mechanical_factor(m, 0, 1, 0, 0);
    if (status == DAE_OK) status = find_basis(t, e);
    if (status != DAE_OK) return status;
    memset(t->normal, 0, t->freedoms * sizeof(double));
    status = find_normal(t, e);
    for (size_t j = 0; status == DAE_OK && j < t->freedoms; j++) status = find_column(t, e, j);
    t->known = status == DAE_OK;
    return status;
}
