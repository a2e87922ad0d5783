/* Measures how far values miss a mechanical system: its equations of motion, and its constraints on
 * each level, by the one definition of problem/levels.h. The kinematic equations define q' and are
 * not missed. */
#include "problem/levels.h"
#include "solve/mechanical_simulation.h"

#include <string.h>

/* Notes a miss `found` in a row of the author's equations, or in its derivative of this order. */
static void note(mechanical_simulation *k, double found, size_t row, int order)
{
    if (found <= k->worst.found) return;
    k->worst.found = found;
    k->worst.row = row;
    k->worst.order = order;
}

/* Judges one constraint by k->level and k->size. */
static void judge_row(mechanical_simulation *k, size_t i, int order, double *worst)
{
    double found = miss_of_row(k->level[i], k->size[i]);
    miss_raise(worst, found);
    note(k, found, k->form->nq + k->form->nv + i, order);
}

/* Judges k->level of a level that is linear in x, with G. */
static void judge_level(mechanical_simulation *k, const double *x, int order, double *worst)
{
    const mechanical *m = k->system;
    miss_terms(m->gradient.pattern, m->gradient.value, x, k->form->nominal + k->form->nq, k->size);
    for (size_t i = 0; i < m->constraints; i++)
        judge_row(k, i, i < m->holonomic ? order : order - 1, worst);
}

/* Judges phi at q, by phi_q. */
static dae_status judge_position(mechanical_simulation *k, double t, double *worst)
{
    const mechanical_form *f = k->form;
    dae_status status = mechanical_position(k->system, t, k->point.q, k->level);
    if (status == DAE_OK)
        status = mechanical_position_gradient(k->system, t, k->point.q, k->position);
    if (status != DAE_OK) return status;
    miss_terms(f->position.pattern, k->position, k->point.q, f->nominal, k->size);
    for (size_t i = 0; i < f->holonomic; i++) judge_row(k, i, 0, worst);
    return DAE_OK;
}

static dae_status judge_constraints(mechanical_simulation *k, double t, double *worst)
{
    const mechanical_point *p = &k->point;
    const mechanical *m = k->system;
    dae_status status = DAE_OK;
    if (k->form->holonomic) status = judge_position(k, t, worst++);
    if (status == DAE_OK) status = mechanical_velocity(k->system, t, p->q, p->v, k->level);
    if (status == DAE_OK) judge_level(k, p->v, 1, worst++);
    if (status == DAE_OK) status = mechanical_gamma(k->system, t, p->q, p->v, k->level);
    if (status != DAE_OK) return status;
    mechanical_gradient_times(m, p->vp, k->size);
    for (size_t i = 0; i < m->constraints; i++) k->level[i] += k->size[i];
    judge_level(k, p->vp, 2, worst);
    return DAE_OK;
}

static double worst_motion(const mechanical_simulation *k, size_t *row)
{
    double worst = miss_largest(k->form->nv, k->motion, k->terms, row);
    *row += k->form->nq;
    return worst;
}

/* Judges the equations of motion. Terms with v' and lambda come first. Where these already show
 * that the residual is small, the other terms, which cost a linearisation, are not needed. */
static dae_status judge_motion(mechanical_simulation *k, double t, double *worst)
{
    mechanical *m = k->system;
    const mechanical_point *p = &k->point;
    const double *nominal = k->form->nominal, *nominal_v = nominal + k->form->nq;
    dae_status status = mechanical_motion(m, t, p->q, p->v, p->vp, p->lambda, NULL, k->motion);
    if (status != DAE_OK) return status;
    memset(k->terms, 0, k->form->nv * sizeof *k->terms);
    miss_add_terms(m->mass.pattern, m->mass.value, p->vp, nominal_v, k->terms);
    miss_add_transposed(m->gradient.pattern, m->gradient.value, p->lambda, nominal_v + k->form->nv,
                        k->terms);
    size_t row = 0;
    if (worst_motion(k, &row) <= *worst) return DAE_OK;
    status = mechanical_linearize(m, t, p->q, p->v, p->vp, p->lambda);
    if (status == DAE_NOT_EVALUABLE) return DAE_OK; /* only the Jacobian lacks a value */
    if (status != DAE_OK) return status;
    miss_add_terms(m->stiffness.pattern, m->stiffness.value, p->q,
                   k->form->given.kinematics ? nominal_v : nominal, k->terms);
    miss_add_terms(m->damping.pattern, m->damping.value, p->v, nominal_v, k->terms);
    row = 0;
    double found = worst_motion(k, &row);
    miss_raise(worst, found);
    note(k, found, row, 0);
    return DAE_OK;
}

dae_status mechanical_simulation_judge(mechanical_simulation *k, double t, double *equation,
                                       double *constraint)
{
    dae_status status = judge_motion(k, t, equation);
    if (status != DAE_OK || k->form->constraints == 0) return status;
    status = mechanical_evaluate(k->system, t, k->point.q);
    return status == DAE_OK ? judge_constraints(k, t, constraint) : status;
}

dae_status mechanical_simulation_measure(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    dae_status status = mechanical_simulation_judge(k, t, &c->solver.stats->max_residual,
                                                    c->constraint);
    if (status != DAE_OK || k->system->invariants == 0) return status;
    return mechanical_miss_invariants(k->system, t, k->point.q, k->point.v, k->kept,
                                      &c->constraint[c->constraint_levels - 1]);
}
