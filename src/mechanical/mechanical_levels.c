/* The levels of constraints and the equations of motion. */
#include "base/round_off.h"
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <string.h>

/* Sums below this fraction of their terms are round-off. */

/* A row that constrains coordinates but no velocity, such as the norm of a quaternion, is 0 in
 * exact arithmetic. Its round-off is set to 0, so that the row has no direction. */
static void drop_round_off(mechanical_state *s, const mechanical_values *values)
{
    const sparse_product *p = s->position_product;
    memset(s->terms, 0, p->pattern->nonzeros * sizeof *s->terms);
    for (size_t k = 0; k < p->terms; k++)
        s->terms[p->where[k]] += fabs(values->position[p->left[k]] *
                                      values->kinematics[p->right[k]]);
    for (size_t k = 0; k < p->pattern->nonzeros; k++)
        if (fabs(s->product[k]) <= ROUND_OFF_SUM * s->terms[k]) s->product[k] = 0;
}

/* G from phi_q S and A. */
static void form_gradient(mechanical_state *s, mechanical_values *values)
{
    const double *position = values->position;
    size_t holonomic = s->form->position.pattern->nonzeros;
    if (s->position_product) {
        sparse_product_form(s->position_product, values->position, values->kinematics, s->product);
        drop_round_off(s, values);
        position = s->product;
        holonomic = s->position_product->pattern->nonzeros;
    }
    for (size_t k = 0; k < holonomic; k++) values->gradient[s->gradient.first[k]] = position[k];
    for (size_t k = 0; k < s->form->velocity.pattern->nonzeros; k++)
        values->gradient[s->gradient.second[k]] = values->velocity[k];
}

dae_status mechanical_values_at(mechanical_state *s, double t, const double *q,
                                mechanical_values *values)
{
    dae_status status = mechanical_call(s, CALL_MASS, t, q, NULL, values->mass);
    if (status == DAE_OK) status = mechanical_call_parts(s, t, q, values);
    if (status == DAE_OK) form_gradient(s, values);
    return status;
}

dae_status mechanical_evaluate(mechanical *m, double t, const double *q)
{
    mechanical_state *s = mechanical_inside(m);
    dae_status status = mechanical_values_at(s, t, q, &s->here);
    const sparse_pattern *p = s->gradient.pattern;
    for (size_t k = 0; status == DAE_OK && m->out && k < p->nonzeros; k++)
        if (m->out[p->row[k]]) s->here.gradient[k] = 0;
    return status;
}

void mechanical_leave_out(const mechanical *m, size_t count, double *level)
{
    for (size_t i = 0; m->out && i < count; i++)
        if (m->out[i]) level[i] = 0;
}

void mechanical_rate(const mechanical_state *s, const mechanical_values *values, const double *v,
                     double *rate)
{
    if (s->form->kinematics.pattern)
        sparse_multiply(s->form->kinematics.pattern, values->kinematics, v, rate);
    else
        memcpy(rate, v, s->form->nq * sizeof *rate);
}

dae_status mechanical_kinematics(mechanical *m, double t, const double *q, const double *v,
                                 double *qp)
{
    mechanical_state *s = mechanical_inside(m);
    dae_status status = DAE_OK;
    if (s->form->kinematics.pattern) status = mechanical_call_parts(s, t, q, &s->there);
    if (status == DAE_OK) mechanical_rate(s, &s->there, v, qp);
    return status;
}

dae_status mechanical_position(mechanical *m, double t, const double *q, double *phi)
{
    dae_status status = mechanical_call(mechanical_inside(m), CALL_CONSTRAINT, t, q, NULL, phi);
    mechanical_leave_out(m, m->holonomic, phi);
    return status;
}

dae_status mechanical_velocity_of(mechanical_state *s, const mechanical_values *values, double t,
                                  const double *q, const double *v, double *c)
{
    size_t holonomic = s->form->holonomic;
    dae_status status = mechanical_call(s, CALL_CONSTRAINT_T, t, q, NULL, c);
    if (status == DAE_OK)
        status = mechanical_call(s, CALL_VELOCITY_RIGHT, t, q, NULL, c + holonomic);
    if (status != DAE_OK) return status;
    mechanical_rate(s, values, v, s->rate);
    sparse_add_product(s->form->position.pattern, values->position, s->rate, c);
    for (size_t i = holonomic; i < s->form->constraints; i++) c[i] = -c[i];
    sparse_add_product(s->form->velocity.pattern, values->velocity, v, c + holonomic);
    return DAE_OK;
}

dae_status mechanical_velocity(mechanical *m, double t, const double *q, const double *v, double *c)
{
    mechanical_state *s = mechanical_inside(m);
    if (s->form->constraints == 0) return DAE_OK;
    dae_status status = mechanical_call_parts(s, t, q, &s->there);
    if (status == DAE_OK) status = mechanical_velocity_of(s, &s->there, t, q, v, c);
    mechanical_leave_out(m, m->constraints, c);
    return status;
}

dae_status mechanical_motion(mechanical *m, double t, const double *q, const double *v,
                             const double *vp, const double *lambda, const double *f, double *r)
{
    mechanical_state *s = mechanical_inside(m);
    dae_status status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK && !f) status = mechanical_force(&s->base, t, q, v, s->force_here);
    if (status != DAE_OK) return status;
    const double *force = f ? f : s->force_here;
    mechanical_mass_times(m, vp, r);
    for (size_t i = 0; i < s->form->nv; i++) r[i] -= force[i];
    sparse_add_transposed(s->gradient.pattern, s->here.gradient, -1, lambda, r);
    return DAE_OK;
}

/* A coordinate that needs half a million years to move by its size is at rest: slower rates are the
 * round-off of velocities. */
static const double SLOWEST = 0x1p-44;

/* The rate, in 1/s, of the fastest coordinate, from s->rate_q: a derivative of order `power`. */
static double fastest(const mechanical_state *s, const double *q, double power)
{
    double most = 0;
    for (size_t j = 0; j < s->form->nq; j++)
        most = fmax(most, fabs(s->rate_q[j]) / fmax(fabs(q[j]), s->nominal_q[j]));
    return pow(most, 1 / power);
}

dae_status mechanical_time_unit(mechanical *m, double t, const double *q, const double *v,
                                const double *vp, double *unit)
{
    mechanical_state *s = mechanical_inside(m);
    *unit = 1;
    dae_status status = mechanical_call_parts(s, t, q, &s->there);
    if (status != DAE_OK) return status;
    mechanical_rate(s, &s->there, v, s->rate_q);
    double speed = fastest(s, q, 1);
    if (vp) mechanical_rate(s, &s->there, vp, s->rate_q);
    if (vp) speed = fmax(speed, fastest(s, q, 2));
    if (speed > SLOWEST && isfinite(speed)) *unit = exp2(round(-log2(speed)));
    return DAE_OK;
}
