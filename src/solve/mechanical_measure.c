/* How far a mechanical system is met by values: its equations of motion, and its constraints on
 * each level, by the one definition of problem/levels.h. The kinematic equations give q' itself. */
#include "problem/levels.h"
#include "solve/mechanical_simulation.h"

#include <math.h>
#include <string.h>

static void raise(double *worst, double found)
{
    if (!(found <= *worst)) *worst = found;
}

/* `found` in a row of the author's equations, or in its derivative of that order. */
static void note(mechanical_simulation *k, double found, size_t row, int order)
{
    if (found <= k->worst.found) return;
    k->worst.found = found;
    k->worst.row = row;
    k->worst.order = order;
}

/* A constraint by k->level and k->size. */
static void judge_row(mechanical_simulation *k, size_t i, int order, double *worst)
{
    double found = constraint_violation(k->level[i], k->size[i]);
    raise(worst, found);
    note(k, found, k->form->nq + k->form->nv + i, order);
}

/* k->level of a level that is linear in x, with G. */
static void judge_level(mechanical_simulation *k, const double *x, int order, double *worst)
{
    const mechanical *m = k->system;
    mechanical_row_sizes(mechanical_gradient_pattern(m), mechanical_gradient(m), x,
                         k->form->nominal + k->form->nq, k->size);
    for (size_t i = 0; i < m->constraints; i++)
        judge_row(k, i, i < m->holonomic ? order : order - 1, worst);
}

/* phi at q, by phi_q. */
static dae_status judge_position(mechanical_simulation *k, double t, double *worst)
{
    const mechanical_form *f = k->form;
    dae_status status = mechanical_position(k->system, t, k->point.q, k->level);
    if (status == DAE_OK)
        status = mechanical_position_gradient(k->system, t, k->point.q, k->position);
    if (status != DAE_OK) return status;
    mechanical_row_sizes(f->position.pattern, k->position, k->point.q, f->nominal, k->size);
    for (size_t i = 0; i < f->holonomic; i++) judge_row(k, i, 0, worst);
    return DAE_OK;
}

static dae_status judge_constraints(mechanical_simulation *k, double t, double *worst)
{
    const chart_point *p = &k->point;
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
    double worst = 0;
    for (size_t i = 0; i < k->form->nv; i++) {
        double found = constraint_violation(k->motion[i], k->terms[i]);
        if (found > worst) *row = k->form->nq + i;
        raise(&worst, found);
    }
    return worst;
}

/* Terms with v' and lambda first: where those show the residual to be small, the others, which cost
 * a linearisation, need not be known. */
static dae_status judge_motion(mechanical_simulation *k, double t, double *worst)
{
    mechanical *m = k->system;
    const chart_point *p = &k->point;
    const double *nominal = k->form->nominal, *nominal_v = nominal + k->form->nq;
    dae_status status = mechanical_motion(m, t, p->q, p->v, p->vp, p->lambda, NULL, k->motion);
    if (status != DAE_OK) return status;
    memset(k->terms, 0, k->form->nv * sizeof *k->terms);
    mechanical_add_sizes(mechanical_mass_pattern(m), mechanical_mass(m), false, p->vp, nominal_v,
                         k->terms);
    mechanical_add_sizes(mechanical_gradient_pattern(m), mechanical_gradient(m), true, p->lambda,
                         nominal_v + k->form->nv, k->terms);
    size_t row = k->form->nq;
    if (worst_motion(k, &row) <= *worst) return DAE_OK;
    status = mechanical_linearize(m, t, p->q, p->v, p->vp, p->lambda);
    if (status == DAE_NOT_EVALUABLE) return DAE_OK; /* of the Jacobian alone: nothing is known */
    if (status != DAE_OK) return status;
    mechanical_add_sizes(mechanical_stiffness_pattern(m), mechanical_stiffness(m), false, p->q,
                         k->form->given.kinematics ? nominal_v : nominal, k->terms);
    mechanical_add_sizes(mechanical_damping_pattern(m), mechanical_damping(m), false, p->v,
                         nominal_v, k->terms);
    double found = worst_motion(k, &row);
    raise(worst, found);
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

/* By how much invariants have changed, beside the terms of their gradients. */
static dae_status judge_invariants(mechanical_simulation *k, double t, double *worst)
{
    mechanical *m = k->system;
    const mechanical_form *f = k->form;
    const double *q = k->point.q, *v = k->point.v, *by_q, *by_v, *nominal_v = f->nominal + f->nq;
    size_t count = m->invariants;
    dae_status status = mechanical_invariant_gradient(m, t, q, v, &by_q, &by_v);
    if (status == DAE_OK) status = mechanical_invariants(m, t, q, v, k->now);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < count; i++) {
        double size = 0;
        for (size_t j = 0; j < f->nq; j++)
            size += fabs(by_q[j * count + i]) * fmax(fabs(q[j]), f->nominal[j]);
        for (size_t j = 0; j < f->nv; j++)
            size += fabs(by_v[j * count + i]) * fmax(fabs(v[j]), nominal_v[j]);
        raise(worst, constraint_violation(k->now[i] - k->kept[i], size));
    }
    return DAE_OK;
}

dae_status mechanical_simulation_measure(simulation *c, double t)
{
    mechanical_simulation *k = (mechanical_simulation *)c;
    dae_status status = mechanical_simulation_judge(k, t, &c->solver.stats->max_residual,
                                                    c->constraint);
    if (status != DAE_OK || k->system->invariants == 0) return status;
    return judge_invariants(k, t, &c->constraint[c->constraint_levels - 1]);
}
