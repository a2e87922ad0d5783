/* The nearest configuration and the nearest velocities that meet the constraints. */
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <string.h>

static const double SHORTEST_DAMPING = 1e-6;

/* Factors serve for corrections that leave less than this part of what was missed. */
static const double FAST = 0.05;

enum { MOST_ITERATIONS = 50, MOST_CORRECTIONS = 5 };

/* Whose change is least, and by what. */
static dae_status prepare(saddle_point **p, const sparse_pattern *block, const sparse_pattern *rows,
                          const double *scale)
{
    return *p ? DAE_OK : saddle_point_create(p, block, rows, scale);
}

/* What may be left of rows that were corrected: of those that count as dependent no more is met. */
static double left_over(const saddle_point *p, size_t rows)
{
    return saddle_point_rank(p) < rows ? SADDLE_POINT_DEPENDENT : MECHANICAL_NEARLY;
}

/* Factors for changes of q, phi_q having been evaluated. */
static dae_status factor_position(mechanical_state *s, double t, const double *q, bool mass)
{
    const mechanical_form *f = s->form;
    saddle_point **p = &s->nearest[mass].position;
    dae_status status = mass ? mechanical_call_mass(s, t, q, s->here.mass) : DAE_OK;
    if (status == DAE_OK)
        status = prepare(p, mass ? f->mass.pattern : s->unit_q, f->position.pattern, s->nominal_q);
    if (status == DAE_OK)
        status = saddle_point_factor(*p, mass ? s->here.mass : s->weight_q, s->here.position);
    if (status == DAE_SINGULAR) s->base.bad_row = saddle_point_undetermined(*p);
    return status;
}

/* s->change_q: the least change of q by which the linearised constraints would be met. */
static void position_change(mechanical_state *s, bool mass)
{
    const mechanical_form *f = s->form;
    memset(s->change_q, 0, f->nq * sizeof(double));
    for (size_t i = 0; i < f->holonomic; i++) s->change_q[f->nq + i] = -s->level[i];
    saddle_point_solve_once(s->nearest[mass].position, s->change_q);
}

/* Go along s->change_q as far as that meets the constraints better, from *missing to what is left,
 * s->level being that of the new q. */
static dae_status advance(mechanical_state *s, double t, double *q, double *missing, size_t *worst)
{
    size_t nq = s->form->nq;
    for (double part = 1; part > SHORTEST_DAMPING; part /= 2) {
        for (size_t j = 0; j < nq; j++) s->trial_q[j] = q[j] + part * s->change_q[j];
        dae_status status = mechanical_call_constraint(s, t, s->trial_q, s->level);
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
        if (status == DAE_NOT_EVALUABLE) continue;
        double after = miss_largest(s->form->holonomic, s->level, s->size, worst);
        if (*missing > MECHANICAL_NEARLY && after > (1 - part / 4) * *missing) continue;
        memcpy(q, s->trial_q, nq * sizeof *q);
        *missing = after;
        return DAE_OK;
    }
    return DAE_NO_START;
}

/* phi_q at q, and how far s->level is missed by it. */
static dae_status look_at_position(mechanical_state *s, double t, const double *q, double *missing,
                                   size_t *worst)
{
    dae_status status = mechanical_call_position(s, t, q, s->here.position);
    if (status != DAE_OK) return status;
    miss_terms(s->form->position.pattern, s->here.position, q, s->nominal_q, s->size);
    *missing = miss_largest(s->form->holonomic, s->level, s->size, worst);
    return DAE_OK;
}

/* Newton's iteration, simplified as long as that is fast. */
static dae_status project_position(mechanical_state *s, double t, double *q, bool by_mass)
{
    bool mass = by_mass && !s->form->kinematics.pattern, factored = false;
    double now = HUGE_VAL, last = HUGE_VAL;
    size_t worst = 0;
    dae_status status = mechanical_call_constraint(s, t, q, s->level);
    for (int k = 0; status == DAE_OK && k < MOST_ITERATIONS; k++) {
        if (!factored) status = look_at_position(s, t, q, &now, &worst);
        if (status != DAE_OK) return status;
        if (mechanical_is_met(now, last)) return DAE_OK;
        if (!factored) status = factor_position(s, t, q, mass);
        if (status != DAE_OK) return status;
        position_change(s, mass);
        last = now;
        status = advance(s, t, q, &now, &worst);
        factored = now < FAST * last;
    }
    if (status != DAE_OK && status != DAE_NO_START) return status;
    s->base.bad_row = s->first_constraint + worst;
    return DAE_NO_START;
}

dae_status mechanical_velocity_norm(mechanical_state *s, bool by_mass, saddle_point **p)
{
    const mechanical_form *f = s->form;
    saddle_point **own = &s->nearest[by_mass].velocity;
    dae_status status = prepare(own, by_mass ? f->mass.pattern : s->unit_v, s->gradient.pattern,
                                s->nominal_v);
    if (status == DAE_OK)
        status = saddle_point_factor(*own, by_mass ? s->here.mass : s->weight_v, s->here.gradient);
    if (status == DAE_SINGULAR) s->base.bad_row = f->nq + saddle_point_undetermined(*own);
    *p = *own;
    return status;
}

static dae_status velocity_change(mechanical_state *s, bool by_mass)
{
    const mechanical_form *f = s->form;
    saddle_point *p = NULL;
    dae_status status = mechanical_velocity_norm(s, by_mass, &p);
    if (status != DAE_OK) return status;
    memset(s->right, 0, f->nv * sizeof(double));
    for (size_t i = 0; i < f->constraints; i++) s->right[f->nv + i] = -s->level[i];
    saddle_point_solve_once(p, s->right);
    return DAE_OK;
}

/* The level is linear in v: what is left after one correction is round-off, which others make
 * smaller for a while, or a contradiction. */
static dae_status project_velocity(mechanical_state *s, double t, const double *q, double *v,
                                   bool by_mass)
{
    const sparse_pattern *rows = s->gradient.pattern;
    double last = HUGE_VAL, now = HUGE_VAL, nearly = MECHANICAL_NEARLY;
    size_t worst = 0;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        dae_status status = mechanical_velocity_of(s, &s->here, t, q, v, s->level);
        if (status != DAE_OK) return status;
        miss_terms(rows, s->here.gradient, v, s->nominal_v, s->size);
        now = miss_largest(rows->rows, s->level, s->size, &worst);
        if (now <= MECHANICAL_MET || now >= last) break;
        status = velocity_change(s, by_mass);
        if (status != DAE_OK) return status;
        for (size_t j = 0; j < s->form->nv; j++) v[j] += s->right[j];
        nearly = left_over(s->nearest[by_mass].velocity, rows->rows);
        last = now;
    }
    if (now <= nearly) return DAE_OK;
    s->base.bad_row = s->first_constraint + worst;
    return DAE_NO_START;
}

dae_status mechanical_project(mechanical *m, double t, double *q, double *v, bool by_mass)
{
    mechanical_state *s = mechanical_inside(m);
    dae_status status = project_position(s, t, q, by_mass);
    if (status == DAE_OK) status = mechanical_evaluate(m, t, q);
    return status == DAE_OK ? project_velocity(s, t, q, v, by_mass) : status;
}
