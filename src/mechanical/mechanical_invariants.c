/* Invariants of the motion: their values and gradients, and the projection of states onto them.
 *
 * Positions and velocities already meet the constraints. The remaining miss of invariants is
 * corrected along the projections of the gradients dc/dv onto the null space of G,
 *
 *   H d_k - G^T mu = (dc_k/dv)^T,   G d_k = 0,
 *
 * where H is the norm. This change and the least change that met the constraints are orthogonal in
 * that norm, so their sum is, to first order, the least change that meets both. Where velocities
 * vanish, the gradient of an energy by v vanishes too, and the change of v would be too large. Then
 * positions move along the projection of (dc/dq S)^T onto the null space, and velocities follow the
 * turning constraints. */
#include "mechanical/mechanical_state.h"
#include "nonlinear/corrections.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* LEFT: the fraction of a miss that a correction of velocities may leave, and that of positions.
 * MOVED: the distance of positions for differences, relative to their sizes. */
static const double LEFT[] = {1e-3, 0.25}, MOVED = 0x1p-20;

enum { MOST_CORRECTIONS = 10 };

static dae_status invariant_of_q(void *self, const double *q, double *c)
{
    mechanical_state *s = self;
    return mechanical_invariants(&s->base, s->at_t, q, s->at_v, c);
}

static dae_status invariant_of_v(void *self, const double *v, double *c)
{
    mechanical_state *s = self;
    return mechanical_invariants(&s->base, s->at_t, s->at_q, v, c);
}

static dae_status differentiate(mechanical_state *s, bool by_q)
{
    const mechanical_invariance *k = &s->invariance;
    const vector_function of_q = {.value = invariant_of_q, .self = s},
                          of_v = {.value = invariant_of_v, .self = s};
    dae_status status = invariant_of_v(s, s->at_v, k->here);
    if (status == DAE_OK)
        status = differences_jacobian(k->v_differences, of_v, s->at_v, s->nominal_v, k->here,
                                      DIFFERENCES_FINE, k->by_v);
    if (status == DAE_OK && by_q)
        status = differences_jacobian(k->q_differences, of_q, s->at_q, s->nominal_q, k->here,
                                      DIFFERENCES_FINE, k->by_q);
    return status;
}

dae_status mechanical_invariant_gradient(mechanical *m, double t, const double *q, const double *v,
                                         const double **by_q, const double **by_v)
{
    mechanical_state *s = mechanical_inside(m);
    mechanical_invariance *k = &s->invariance;
    if (by_q) *by_q = k->by_q;
    if (by_v) *by_v = k->by_v;
    if (s->form->given.invariant_gradient)
        return mechanical_call_invariant_gradient(s, t, q, v, k->by_q, k->by_v);
    s->at_t = t;
    s->at_q = q;
    s->at_v = v;
    return differentiate(s, by_q != NULL);
}

dae_status mechanical_miss_invariants(mechanical *m, double t, const double *q, const double *v,
                                      const double *kept, double *worst)
{
    const mechanical_state *s = mechanical_look(m);
    const mechanical_invariance *k = &s->invariance;
    const double *by_q, *by_v;
    dae_status status = mechanical_invariant_gradient(m, t, q, v, &by_q, &by_v);
    if (status == DAE_OK) status = mechanical_invariants(m, t, q, v, k->here);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < m->invariants; i++) k->missed[i] = k->here[i] - kept[i];
    miss_terms(k->q_pattern, by_q, q, s->nominal_q, k->size);
    miss_add_terms(k->v_pattern, by_v, v, s->nominal_v, k->size);
    miss_raise(worst, miss_largest(m->invariants, k->missed, k->size, NULL));
    return DAE_OK;
}

/* k->missed becomes the miss of each invariant from `kept`. Returns the largest, relative to its
 * terms. */
static double take_missed(const mechanical_state *s, const double *v, const double *kept)
{
    const mechanical_invariance *k = &s->invariance;
    size_t count = s->base.invariants;
    for (size_t i = 0; i < count; i++) {
        k->size[i] = fabs(kept[i]);
        k->missed[i] = k->here[i] - kept[i];
    }
    miss_add_terms(k->v_pattern, k->by_v, v, s->nominal_v, k->size);
    return miss_largest(count, k->missed, k->size, NULL);
}

/* Find the direction of velocities of each invariant. */
static void take_directions(mechanical_state *s, saddle_point *norm)
{
    mechanical_invariance *k = &s->invariance;
    size_t count = s->base.invariants, nv = s->base.nv, tall = nv + s->base.constraints;
    for (size_t i = 0; i < count; i++) {
        double *d = k->direction + i * tall;
        memset(d, 0, tall * sizeof *d);
        for (size_t j = 0; j < nv; j++) d[j] = k->by_v[j * count + i];
        saddle_point_solve(norm, d);
    }
}

/* Find the direction of positions of an invariant: k->along (nq) = S eta, where eta solves the
 * system above. */
static void move_along(mechanical_state *s, saddle_point *norm, size_t i)
{
    mechanical_invariance *k = &s->invariance;
    const sparse_pattern *kinematics = s->form->kinematics.pattern;
    size_t count = s->base.invariants, nq = s->base.nq, tall = s->base.nv + s->base.constraints;
    double *d = k->direction + i * tall, *along = k->along + i * nq;
    for (size_t j = 0; j < nq; j++) along[j] = k->by_q[j * count + i];
    memset(d, 0, tall * sizeof *d);
    if (kinematics)
        sparse_add_transposed(kinematics, s->here.kinematics, 1, along, d);
    else
        memcpy(d, along, nq * sizeof *d);
    saddle_point_solve(norm, d);
    mechanical_rate(s, &s->here, d, along);
}

/* Find the change of velocities for this direction: G d + d/de (G(q + e along) v) = 0. */
static dae_status turn_along(mechanical_state *s, saddle_point *norm, double t, const double *q,
                             const double *v, size_t i)
{
    mechanical_invariance *k = &s->invariance;
    size_t nq = s->base.nq, nv = s->base.nv, constraints = s->base.constraints;
    double *d = k->direction + i * (nv + constraints), size = 0;
    const double *along = k->along + i * nq;
    dae_status status = DAE_OK;
    for (size_t j = 0; j < nq; j++) size = fmax(size, fabs(along[j]) / s->nominal_q[j]);
    memset(d, 0, (nv + constraints) * sizeof *d);
    double part = size > 0 ? MOVED / size : 0;
    for (int side = -1; status == DAE_OK && part > 0 && side <= 1; side += 2) {
        for (size_t j = 0; j < nq; j++) s->trial_q[j] = q[j] + side * part * along[j];
        status = mechanical_velocity(&s->base, t, s->trial_q, v, s->level);
        for (size_t l = 0; l < constraints; l++) d[nv + l] -= side * s->level[l] / (2 * part);
    }
    if (status == DAE_OK) saddle_point_solve(norm, d);
    return status;
}

/* k->product becomes the change of each invariant along each direction. It is scaled by k->length,
 * which is made of each invariant's change along its own direction. Returns false if one of these
 * is not positive. */
static bool take_product(mechanical_state *s, bool by_position)
{
    mechanical_invariance *k = &s->invariance;
    size_t count = s->base.invariants, nq = s->base.nq, nv = s->base.nv;
    size_t tall = nv + s->base.constraints;
    for (size_t i = 0; i < count; i++) {
        for (size_t l = 0; l < count; l++) {
            double by_v = 0, by_q = 0;
            for (size_t j = 0; j < nv; j++)
                by_v += k->by_v[j * count + i] * k->direction[l * tall + j];
            for (size_t j = 0; j < nq && by_position; j++)
                by_q += k->by_q[j * count + i] * k->along[l * nq + j];
            k->product[l * count + i] = by_v + by_q;
            if (i == l) k->length[i] = sqrt(by_position ? by_q : by_v);
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t l = 0; l < count; l++) k->product[l * count + i] /= k->length[i] * k->length[l];
    for (size_t i = 0; i < count; i++)
        if (!(k->length[i] > 0)) return false;
    return true;
}

/* k->part: the lengths along the directions for which the linearised invariants are met. */
static dae_status share(mechanical_state *s)
{
    mechanical_invariance *k = &s->invariance;
    size_t count = s->base.invariants;
    dae_status status = min_norm_factor(k->solver, k->product, k->ones, SADDLE_POINT_DEPENDENT);
    if (status != DAE_OK) return status == DAE_SINGULAR ? DAE_NOT_EVALUABLE : status;
    for (size_t i = 0; i < count; i++) k->missed[i] /= k->length[i];
    min_norm_solve(k->solver, k->missed, k->part);
    for (size_t i = 0; i < count; i++) k->part[i] /= k->length[i];
    return DAE_OK;
}

/* Correct v so that the linearised invariants are met; if q is not NULL, correct q, and v with it.
 */
static dae_status correct(mechanical_state *s, saddle_point *norm, double t, double *q, double *v)
{
    mechanical_invariance *k = &s->invariance;
    size_t count = s->base.invariants, nq = s->base.nq, nv = s->base.nv;
    dae_status status = DAE_OK;
    if (!q) take_directions(s, norm);
    for (size_t i = 0; q && status == DAE_OK && i < count; i++) {
        move_along(s, norm, i);
        status = turn_along(s, norm, t, q, v, i);
    }
    if (status != DAE_OK) return status;
    if (!take_product(s, q != NULL)) return DAE_NOT_EVALUABLE;
    status = share(s);
    for (size_t i = 0; status == DAE_OK && i < count; i++) {
        const double *d = k->direction + i * (nv + s->base.constraints);
        for (size_t j = 0; j < nv; j++) v[j] += k->part[i] * d[j];
        for (size_t j = 0; q && j < nq; j++) q[j] += k->part[i] * k->along[i * nq + j];
    }
    return status;
}

/* Reuses the factors of the projection of velocities. */
static dae_status take_norm(mechanical_state *s, mechanical_norm norm, const double *v,
                            saddle_point **p)
{
    if (norm == MECHANICAL_FROZEN) {
        *p = s->slot[0].of_mass;
        return DAE_OK;
    }
    return mechanical_velocity_norm(s, norm == MECHANICAL_MASS, v, p);
}

typedef struct keeping {
    mechanical_state *s;
    mechanical_norm norm;
    double t, *q, *v;
    const double *kept;
    int most;
    bool by_position;
} keeping;

static dae_status look(void *self, double *size)
{
    const keeping *k = self;
    mechanical *m = &k->s->base;
    const double *by_q, *by_v;
    dae_status status = mechanical_invariant_gradient(m, k->t, k->q, k->v,
                                                      k->by_position ? &by_q : NULL, &by_v);
    if (status == DAE_OK)
        status = mechanical_invariants(m, k->t, k->q, k->v, k->s->invariance.here);
    if (status == DAE_OK) *size = take_missed(k->s, k->v, k->kept);
    return status;
}

static dae_status move(void *self, double part, double size)
{
    keeping *k = self;
    saddle_point *p = NULL;
    (void)part, (void)size;
    if (k->most-- == 0) return DAE_OK;
    dae_status status = take_norm(k->s, k->norm, k->v, &p);
    if (status == DAE_OK) status = correct(k->s, p, k->t, k->by_position ? k->q : NULL, k->v);
    if (status == DAE_OK && k->by_position && k->norm != MECHANICAL_FROZEN)
        status = mechanical_project(&k->s->base, k->t, k->q, k->v, k->norm == MECHANICAL_MASS);
    return status;
}

/* Newton's iteration for v, or for q and v, judged by the miss. DAE_NEWTON if it does not converge.
 * The invariants do not form a constraint level with rows in addition to G: their gradients may
 * depend on one another, which differences show only to 1e-8, and such a level would separate them
 * from constraints no better. */
static dae_status iterate(keeping k)
{
    static const correction_ops OPS = {.find = look, .move = move};
    const correction_rules rules = {.most = k.most + 1,
                                    .enough = true,
                                    .by_miss = true,
                                    .round_off = MECHANICAL_MET,
                                    .nearly = MECHANICAL_NEARLY,
                                    .falls = LEFT[k.by_position],
                                    .must_fall = true};
    return corrections_run(&OPS, &k, &rules, NULL);
}

/* Whether the status means that the search for a state failed. */
static bool is_lost(const mechanical_state *s, dae_status status)
{
    return status == DAE_NO_START || status == DAE_SINGULAR || status == DAE_NEWTON ||
           (status == DAE_NOT_EVALUABLE && !s->refused);
}

dae_status mechanical_keep(mechanical *m, double t, double *q, double *v, const double *kept,
                           mechanical_norm norm, int corrections)
{
    mechanical_state *s = mechanical_inside(m);
    if (m->invariants == 0) return DAE_OK;
    double *before_v = s->invariance.before, *before_q = before_v + m->nv;
    int most = corrections > 0 ? corrections : MOST_CORRECTIONS;
    memcpy(before_q, q, m->nq * sizeof *q);
    memcpy(before_v, v, m->nv * sizeof *v);
    dae_status status = DAE_NOT_EVALUABLE;
    for (int by_position = 0; by_position < 2; by_position++) {
        status = iterate((keeping){s, norm, t, q, v, kept, most, by_position});
        if (!is_lost(s, status)) return status;
        memcpy(q, before_q, m->nq * sizeof *q);
        memcpy(v, before_v, m->nv * sizeof *v);
    }
    m->unkept++;
    return DAE_OK;
}
