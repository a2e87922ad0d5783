/* Constraints held by forces in proportion to how far they are missed, of mechanical_elimination.h.
 */
#include "formulation/mechanical_elimination.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 40 };

/* What the equations miss but for G v': gamma + 2 xi omega (G v + phi_t) + omega^2 phi. */
static dae_status miss(elimination *c, double t, const double *q, const double *v)
{
    mechanical *m = c->base.mechanical;
    double xi = c->base.parameter[1], omega = c->base.parameter[2];
    dae_status status = mechanical_gamma(m, t, q, v, c->level);
    if (status == DAE_OK) status = mechanical_velocity(m, t, q, v, c->pulled);
    for (size_t i = 0; i < c->constraints; i++) c->level[i] += 2 * xi * omega * c->pulled[i];
    if (status == DAE_OK) status = mechanical_position(m, t, q, c->pulled);
    for (size_t i = 0; i < m->holonomic; i++) c->level[i] += omega * omega * c->pulled[i];
    return status;
}

static double largest(const double *value, size_t count)
{
    double size = 0;
    for (size_t k = 0; k < count; k++) size = fmax(size, fabs(value[k]));
    return size;
}

/* alpha is a number in the units of M over G^T G, fixed at the start. */
static void scale_penalty(elimination *c)
{
    const mechanical *m = c->base.mechanical;
    double gradient = largest(mechanical_gradient(m), mechanical_gradient_pattern(m)->nonzeros);
    double mass = largest(mechanical_mass(m), mechanical_mass_pattern(m)->nonzeros);
    c->alpha = c->base.parameter[0] * mass / (gradient > 0 ? gradient * gradient : 1);
}

/* M + alpha G^T G, factored. */
static dae_status factor_penalised(elimination *c)
{
    const mechanical *m = c->base.mechanical;
    size_t nv = c->nv, rows = c->constraints;
    const double *g = c->gradient;
    elimination_spread(mechanical_mass_pattern(m), mechanical_mass(m), nv, c->penalised);
    elimination_spread(mechanical_gradient_pattern(m), mechanical_gradient(m), rows, c->gradient);
    for (size_t j = 0; j < nv; j++) {
        for (size_t i = 0; i < nv; i++) {
            double sum = 0;
            for (size_t k = 0; k < rows; k++) sum += g[i * rows + k] * g[j * rows + k];
            c->penalised[j * nv + i] += c->alpha * sum;
        }
    }
    return linear_solver_factor(c->solver, c->penalised);
}

/* One round: lambda -= alpha c, and v' by it. Returns how far v' has changed, relative to it. */
static double pull(elimination *c, double *vp)
{
    mechanical *m = c->base.mechanical;
    for (size_t i = 0; i < c->constraints; i++)
        c->pulled[i] = c->lambda[i] - c->alpha * c->level[i];
    mechanical_gradient_transposed(m, c->pulled, c->change);
    for (size_t j = 0; j < c->nv; j++) c->change[j] += c->force[j];
    linear_solver_solve(c->solver, c->change);
    double size = largest(c->change, c->nv), moved = 0;
    for (size_t j = 0; j < c->nv; j++) moved = fmax(moved, fabs(c->change[j] - vp[j]));
    memcpy(vp, c->change, c->nv * sizeof *vp);
    mechanical_gradient_times(m, vp, c->pulled);
    for (size_t i = 0; i < c->constraints; i++)
        c->lambda[i] -= c->alpha * (c->pulled[i] + c->level[i]);
    return size > 0 ? moved / size : 0;
}

static dae_status pull_for(elimination *c, double t, const double *q, const double *v, double *vp,
                           int rounds)
{
    mechanical *m = c->base.mechanical;
    dae_status status = mechanical_force(m, t, q, v, c->force);
    if (status == DAE_OK) status = miss(c, t, q, v);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = factor_penalised(c);
    memset(c->lambda, 0, c->constraints * sizeof *c->lambda);
    memset(vp, 0, c->nv * sizeof *vp);
    double before = HUGE_VAL, moved = HUGE_VAL;
    /* until round-off: it falls by about alpha a round */
    for (int i = 0; status == DAE_OK && i < rounds; i++) {
        moved = pull(c, vp);
        if (moved < DBL_EPSILON || (moved < 1e-6 && moved >= 0.5 * before)) break;
        before = moved;
    }
    return status;
}

/* Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl. Mech. Engng. 71 (1988) 183, Eq. (14). */
static dae_status by_penalty(elimination *c, double t, const double *q, const double *v, double *vp)
{
    return pull_for(c, t, q, v, vp, 1);
}

/* The same, Eq. (21): the augmented Lagrangian. */
static dae_status by_augmentation(elimination *c, double t, const double *q, const double *v,
                                  double *vp)
{
    return pull_for(c, t, q, v, vp, MOST_ROUNDS);
}

static dae_status prepare(chart *base, elimination *c, double t, const chart_point *p, message *m)
{
    arena *a = &base->memory;
    dae_status status = elimination_create(base, c, false, m);
    c->penalised = arena_array(a, c->nv * c->nv, sizeof(double));
    c->gradient = arena_array(a, c->constraints * c->nv, sizeof(double));
    c->change = arena_array(a, c->nv, sizeof(double));
    c->square = chart_dense_pattern(a, c->nv, c->nv);
    if (status == DAE_OK) status = linear_solver_create(&c->solver, c->square, false);
    if (status == DAE_OK) status = mechanical_evaluate(base->mechanical, t, p->q);
    if (status == DAE_OK) scale_penalty(c);
    return status;
}

dae_status elimination_create_penalty(chart *base, double t, const chart_point *p, message *m)
{
    elimination *c = (elimination *)base;
    c->accelerate = by_penalty;
    return prepare(base, c, t, p, m);
}

dae_status elimination_create_augmented(chart *base, double t, const chart_point *p, message *m)
{
    elimination *c = (elimination *)base;
    c->accelerate = by_augmentation;
    return prepare(base, c, t, p, m);
}
