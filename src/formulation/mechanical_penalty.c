/* The penalty formulations of mechanical_elimination.h: forces proportional to the violation of
 * constraints hold the constraints. */
#include "formulation/mechanical_elimination.h"
#include "linalg/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* c without its term G v': gamma + 2 xi omega (G v + phi_t) + omega^2 phi. */
static dae_status miss(elimination *c, double t, const double *q, const double *v)
{
    mechanical *m = c->base.mechanical;
    double xi = c->base.parameter[PENALTY_XI], omega = c->base.parameter[PENALTY_OMEGA];
    dae_status status = mechanical_gamma(m, t, q, v, c->level);
    if (status == DAE_OK) status = mechanical_velocity(m, t, q, v, c->pulled);
    for (size_t i = 0; i < c->constraints; i++) c->level[i] += 2 * xi * omega * c->pulled[i];
    if (status == DAE_OK) status = mechanical_position(m, t, q, c->pulled);
    for (size_t i = 0; i < m->holonomic; i++) c->level[i] += omega * omega * c->pulled[i];
    return status;
}

/* Convert alpha: the parameter is in units of the largest entry of M. */
static void scale_penalty(elimination *c)
{
    const mechanical *m = c->base.mechanical;
    const sparse_pattern *p = m->mass.pattern;
    const double *size = m->form->nominal + m->nq;
    double mass = 0;
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            mass = fmax(mass, fabs(m->mass.value[k]) * size[j] * size[p->row[k]]);
    c->alpha = c->base.parameter[PENALTY_ALPHA] * (mass > 0 ? mass : 1);
}

/* Set c->weight (constraints). With weights inverse to the squared lengths of the rows, multipliers
 * of dependent constraints become the shortest relative to the lengths of their rows. The reason is
 * that lambda = -W c lies in the range of W G. */
static void weigh(elimination *c)
{
    const mechanical *m = c->base.mechanical;
    sparse_row_squares(m->gradient.pattern, m->gradient.value, m->form->nominal + m->nq, c->weight);
    for (size_t i = 0; i < c->constraints; i++)
        c->weight[i] = c->alpha / (c->weight[i] > 0 ? c->weight[i] : 1);
}

/* Factor M + G^T W G as [M, -G^T; G, W^-1], which loses no digits when weights are large. */
static dae_status factor_penalised(elimination *c)
{
    const mechanical *m = c->base.mechanical;
    size_t nv = c->nv, all = nv + c->constraints;
    double *a = c->penalised;
    weigh(c);
    sparse_spread(m->mass.pattern, m->mass.value, all, a);
    sparse_spread(m->gradient.pattern, m->gradient.value, all, a + nv);
    memset(a + nv * all, 0, c->constraints * all * sizeof *a);
    for (size_t i = nv; i < all; i++) {
        for (size_t j = 0; j < nv; j++) a[i * all + j] = -a[j * all + i];
        a[i * all + i] = 1 / c->weight[i - nv];
    }
    dae_status status = linear_solver_factor(c->solver, a);
    return status == DAE_SINGULAR ? elimination_name_singular(c) : status;
}

/* One round: lambda -= W c, and v' from the new lambda. Returns the change of v', relative to v'.
 */
static double pull(elimination *c, double *vp)
{
    double *x = c->right, *lambda = c->right + c->nv;
    memcpy(x, c->force, c->nv * sizeof *x);
    for (size_t i = 0; i < c->constraints; i++)
        lambda[i] = c->lambda[i] / c->weight[i] - c->level[i];
    linear_solver_solve(c->solver, x);
    double size = vector_largest(c->nv, x), moved = 0;
    for (size_t j = 0; j < c->nv; j++) moved = fmax(moved, fabs(x[j] - vp[j]));
    memcpy(vp, x, c->nv * sizeof *vp);
    memcpy(c->lambda, lambda, c->constraints * sizeof *lambda);
    return size > 0 ? moved / size : 0;
}

/* Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl. Mech. Engng. 71 (1988) 183, Eq. (14), and the
 * augmented Lagrangian by further rounds, Eq. (21). */
static dae_status by_penalty(elimination *c, double t, const double *q, const double *v, double *vp)
{
    const int *rounds = c->base.ops->kind;
    mechanical *m = c->base.mechanical;
    dae_status status = mechanical_force(m, t, q, v, c->force);
    if (status == DAE_OK) status = miss(c, t, q, v);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = factor_penalised(c);
    memset(c->lambda, 0, c->constraints * sizeof *c->lambda);
    memset(vp, 0, c->nv * sizeof *vp);
    double before = HUGE_VAL, moved = HUGE_VAL;
    /* until round-off; a round reduces the change by a factor of about alpha */
    for (int i = 0; status == DAE_OK && i < *rounds; i++) {
        moved = pull(c, vp);
        if (moved < DBL_EPSILON || (moved < 1e-6 && moved >= 0.5 * before)) break;
        before = moved;
    }
    return status;
}

/* In a direction in which a row of G has only a rest s, W adds alpha s^2 to the mass. */
double elimination_look_at_penalty(mechanical_formulation *base, double t, const double *y)
{
    static const double WEAK = 100;
    double least = dependent_constraints_least(base->dependent, t, y);
    base->away = least * least * base->parameter[PENALTY_ALPHA] < WEAK;
    return 1;
}

const formulation_parameter *elimination_observe_penalty(mechanical_formulation *base, double t,
                                                         const double *y)
{
    (void)y;
    bool turns = formulation_turn(base, PENALTY_OMEGA, t);
    return turns ? &base->ops->parameter[PENALTY_OMEGA] : NULL;
}

dae_status elimination_create_penalty(mechanical_formulation *base, double t,
                                      const mechanical_point *p, message *m)
{
    elimination *c = (elimination *)base;
    arena *a = &base->memory;
    c->accelerate = by_penalty;
    dae_status status = elimination_create(base, c, false, m);
    if (status != DAE_OK) return status;
    size_t all = c->nv + c->constraints;
    c->penalised = arena_array(a, all * all, sizeof(double));
    c->right = arena_array(a, all, sizeof(double));
    c->weight = arena_array(a, c->constraints, sizeof(double));
    base->dependent = dependent_constraints_create(a, base->mechanical, 0);
    c->square = sparse_full(a, all, all);
    if (status == DAE_OK) status = linear_solver_create(&c->solver, c->square, false);
    if (status == DAE_OK) status = mechanical_evaluate(base->mechanical, t, p->q);
    if (status == DAE_OK) scale_penalty(c);
    return status;
}
