/* The reduced equations of motion in the tangent, linearised. */
#include "integrate/tangent_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A row of the gradient depends on others if its remainder is below this part of it, as in
 * linalg/saddle_point.c. */
static const double RANK_TOLERANCE = 1e-7;

void tangent_reduce(const tangent *t, size_t count, const double *x, double *r)
{
    for (size_t j = 0; j < count; j++) {
        double sum = 0;
        for (size_t k = 0; k < t->nv; k++) sum += t->basis[j * t->nv + k] * t->weight[k] * x[k];
        r[j] = sum;
    }
}

static const double *nominal_velocities(const structural *e)
{
    return e->mechanical->form->nominal + e->nq;
}

/* Removes from a column its parts along `count` orthonormal ones. Round-off makes a second pass
 * necessary (Bjorck, Numerical Methods for Least Squares Problems (1996), Sec. 2.4.5). Returns the
 * length of the column. */
static double make_orthogonal(const tangent *t, size_t count, double *column)
{
    double square = 0;
    for (int twice = 0; twice < 2; twice++)
        for (size_t j = 0; j < count; j++) {
            const double *other = t->basis + j * t->nv;
            double part = 0;
            for (size_t k = 0; k < t->nv; k++) part += other[k] * t->weight[k] * column[k];
            for (size_t k = 0; k < t->nv; k++) column[k] -= part * other[k];
        }
    for (size_t k = 0; k < t->nv; k++) square += t->weight[k] * column[k] * column[k];
    return sqrt(square);
}

/* Extends the basis of velocities to one of positions. `all` (nv x places) is another basis of
 * positions. The column of it with the longest remainder is added in turn. */
static void extend_basis(tangent *t, double *all)
{
    size_t nv = t->nv;
    for (size_t count = t->freedoms; count < t->places; count++) {
        double *next = t->basis + count * nv, most = 0;
        size_t which = 0;
        for (size_t j = 0; j < t->places; j++) {
            double length = make_orthogonal(t, count, all + j * nv);
            if (!(length > most)) continue;
            most = length;
            which = j;
        }
        for (size_t k = 0; k < nv; k++) next[k] = all[which * nv + k] / most;
    }
}

/* Finds the null space of the constraints on positions alone. It is larger than that of all
 * constraints, which restrict velocities as well. */
static dae_status find_places(tangent *t, const structural *e)
{
    const sparse_pattern *p = e->mechanical->gradient.pattern;
    const double *gradient = e->mechanical->gradient.value;
    double *all = t->matrix; /* room */
    for (size_t k = 0; k < p->nonzeros; k++)
        t->values[k] = (size_t)p->row[k] < t->holonomic ? gradient[k] : 0;
    dae_status status = min_norm_factor(t->held, t->values, nominal_velocities(e), RANK_TOLERANCE);
    if (status != DAE_OK) return status;
    t->places = t->nv - min_norm_rank(t->held);
    min_norm_null_space(t->held, all);
    extend_basis(t, all);
    return DAE_OK;
}

/* Finds N, and factors the rows for corrections of minimum norm. */
static dae_status find_basis(tangent *t, const structural *e)
{
    size_t nv = t->nv;
    t->freedoms = t->places = nv;
    memset(t->basis, 0, nv * nv * sizeof *t->basis);
    for (size_t k = 0; k < nv; k++) t->basis[k * nv + k] = nominal_velocities(e)[k];
    if (!t->rows) return DAE_OK;
    dae_status status = min_norm_factor(t->rows, e->mechanical->gradient.value,
                                        nominal_velocities(e), RANK_TOLERANCE);
    if (status != DAE_OK) return status;
    t->freedoms = t->places = nv - min_norm_rank(t->rows);
    min_norm_null_space(t->rows, t->basis);
    return t->held ? find_places(t, e) : DAE_OK;
}

/* x (nv) becomes the vector of minimum norm with G x = -r. */
static void correct_normally(tangent *t, min_norm *rows, const double *r, double *x)
{
    memset(x, 0, t->nv * sizeof *x);
    if (rows) min_norm_solve(rows, r, x);
}

/* A distance so short that differences between its ends lose about as much to round-off as to
 * curvature. It is a part of the sizes of what changes. */
static double find_distance(const tangent *t, const structural *e, const double *dv)
{
    const double *nominal = e->mechanical->form->nominal, part = cbrt(DBL_EPSILON);
    double distance = HUGE_VAL;
    for (size_t k = 0; k < e->nq; k++) {
        double q = fmax(fabs(e->at.q[k]), nominal[k]);
        if (t->way[k] != 0) distance = fmin(distance, part * q / fabs(t->way[k]));
    }
    for (size_t k = 0; dv && k < e->nv; k++) {
        double v = fmax(fabs(e->at.v[k]), nominal[e->nq + k]);
        if (dv[k] != 0) distance = fmin(distance, part * v / fabs(dv[k]));
    }
    return distance;
}

/* Moves positions along t->way and velocities along dv. */
static void move(tangent *t, const structural *e, double distance, const double *dv)
{
    for (size_t k = 0; k < t->nq; k++) t->moved_q[k] = e->at.q[k] + distance * t->way[k];
    for (size_t k = 0; k < t->nv; k++) t->moved_v[k] = e->at.v[k] + (dv ? distance * dv[k] : 0);
}

/* Values of the constraints (constraints) at the point moved to. */
typedef dae_status (*moved_values)(tangent *t, structural *e, double *r);

static dae_status find_velocities(tangent *t, structural *e, double *r)
{
    return mechanical_velocity(e->mechanical, e->t_end, t->moved_q, t->moved_v, r);
}

/* r (constraints) = G v' + gamma at the point moved to, with v' held. G v' comes from the level of
 * velocities, which is affine in v: its value at v' less its value at 0. */
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

/* r (constraints) = the derivative of these values in the direction dq of positions and dv of
 * velocities. dv NULL: velocities are held. */
static dae_status turn(tangent *t, structural *e, moved_values find, const double *dq,
                       const double *dv, double *r)
{
    memset(r, 0, t->constraints * sizeof *r);
    dae_status status = mechanical_kinematics(e->mechanical, e->t_end, e->at.q, dq, t->way);
    double distance = find_distance(t, e, dv);
    if (status != DAE_OK || !t->rows || isinf(distance)) return status;
    move(t, e, distance, dv);
    status = find(t, e, t->after);
    move(t, e, -distance, dv);
    if (status == DAE_OK) status = find(t, e, t->before);
    for (size_t i = 0; i < t->constraints; i++)
        r[i] = (t->after[i] - t->before[i]) / (2 * distance);
    return status;
}

/* r (places) = N^T of the change of v' that (dq, dv) causes. The equations of motion and the
 * constraints on accelerations hold at the changed point as well. */
static dae_status respond(tangent *t, structural *e, const double *dq, const double *dv, double *r)
{
    mechanical *m = e->mechanical;
    double *force = t->right, *turned = t->right + t->nv;
    dae_status status = turn(t, e, find_accelerations, dq, dv, turned);
    if (status != DAE_OK) return status;
    memset(force, 0, t->nv * sizeof *force);
    sparse_add_product(m->stiffness.pattern, m->stiffness.value, dq, force);
    sparse_add_product(m->damping.pattern, m->damping.value, dv, force);
    for (size_t k = 0; k < t->nv + t->constraints; k++) t->right[k] = -t->right[k];
    mechanical_solve(m, 0, t->right);
    tangent_reduce(t, t->places, t->right, r);
    return DAE_OK;
}

/* Finds the corrections with which the linearised constraints are met. */
static dae_status find_normal(tangent *t, structural *e)
{
    mechanical *m = e->mechanical;
    size_t count = t->constraints;
    if (!t->rows) return DAE_OK;
    memset(t->level, 0, count * sizeof *t->level);
    dae_status status = mechanical_position(m, e->t_end, e->at.q, t->level);
    if (status != DAE_OK) return status;
    correct_normally(t, t->held ? t->held : t->rows, t->level, t->normal_q);
    status = turn(t, e, find_velocities, t->normal_q, NULL, t->right);
    if (status == DAE_OK) status = mechanical_velocity(m, e->t_end, e->at.q, e->at.v, t->level);
    for (size_t i = 0; i < count; i++) t->level[i] += t->right[i];
    correct_normally(t, t->rows, t->level, t->normal_v);
    return status == DAE_OK ? respond(t, e, t->normal_q, t->normal_v, t->normal) : status;
}

/* Finds one column of by_q, by_v and `turn`. */
static dae_status find_column(tangent *t, structural *e, size_t j)
{
    double *direction = t->basis + j * t->nv, *turned = t->turn + j * t->nv;
    dae_status status = turn(t, e, find_velocities, direction, NULL, t->level);
    if (status != DAE_OK) return status;
    correct_normally(t, t->rows, t->level, turned);
    status = respond(t, e, direction, turned, t->by_q + j * t->places);
    if (status != DAE_OK || j >= t->freedoms) return status;
    memset(t->rest, 0, t->nv * sizeof *t->rest);
    return respond(t, e, t->rest, direction, t->by_v + j * t->places);
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
    memset(t->normal, 0, t->places * sizeof(double));
    status = find_normal(t, e);
    for (size_t j = 0; status == DAE_OK && j < t->places; j++) status = find_column(t, e, j);
    t->known = status == DAE_OK;
    return status;
}
