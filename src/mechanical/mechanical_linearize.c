/* Stiffness and damping of the equations of motion. */
#include "mechanical/mechanical_state.h"

#include <string.h>

/* M v' - G^T lambda as a function of q; minus f, if the author did not give df/dq. */
static dae_status motion_of_q(void *self, const double *q, double *r)
{
    mechanical_state *s = self;
    const mechanical_form *f = s->form;
    dae_status status = mechanical_values_at(s, s->at_t, q, &s->there);
    if (status != DAE_OK) return status;
    memset(r, 0, f->nv * sizeof *r);
    if (!f->constant_mass) sparse_add_product(f->mass.pattern, s->there.mass, s->at_vp, r);
    sparse_add_transposed(s->gradient.pattern, s->there.gradient, -1, s->at_lambda, r);
    if (f->given.force_q) return DAE_OK;
    status = mechanical_force(&s->base, s->at_t, q, s->at_v, s->force_there);
    for (size_t i = 0; status == DAE_OK && i < f->nv; i++) r[i] -= s->force_there[i];
    return status;
}

static dae_status force_of_v(void *self, const double *v, double *f)
{
    mechanical_state *s = self;
    return mechanical_force(&s->base, s->at_t, s->at_q, v, f);
}

static dae_status take_differences(mechanical_state *s, differences *d,
                                   dae_status (*value)(void *, const double *, double *),
                                   const double *x, const double *nominal, double *jacobian)
{
    const vector_function f = {.value = value, .self = s};
    dae_status status = value(s, x, s->force_here);
    if (status == DAE_OK)
        status = differences_jacobian(d, f, x, nominal, s->force_here, DIFFERENCES_FINE, jacobian);
    if (status == DAE_NOT_EVALUABLE && !s->refused && !s->base.bad_value) {
        s->base.bad_value = "force"; /* finite values, but their quotient is not finite */
        s->base.bad_row = s->first_motion + d->bad_row;
    }
    return status;
}

static dae_status find_damping(mechanical_state *s, double t, const double *q, const double *v)
{
    const mechanical_form *f = s->form;
    dae_status status = f->given.force_v ? mechanical_call(s, CALL_FORCE_V, t, q, v, s->damping)
                                         : take_differences(s, s->v_differences, force_of_v, v,
                                                            s->nominal_v, s->damping);
    for (size_t k = 0; k < f->damping.pattern->nonzeros; k++) s->damping[k] = -s->damping[k];
    return status;
}

static dae_status find_stiffness(mechanical_state *s, double t, const double *q, const double *v)
{
    const author_matrix *a = &s->form->stiffness;
    dae_status status = DAE_OK;
    memset(s->stiffness_by_q, 0, s->by_q.pattern->nonzeros * sizeof(double));
    if (s->q_differences)
        status = take_differences(s, s->q_differences, motion_of_q, q, s->nominal_q,
                                  s->stiffness_by_q);
    if (status != DAE_OK || !s->form->given.force_q) return status;
    status = mechanical_call(s, CALL_FORCE_Q, t, q, v, s->product);
    for (size_t k = 0; status == DAE_OK && k < a->pattern->nonzeros; k++)
        s->stiffness_by_q[s->by_q.first[k]] -= s->product[k];
    return status;
}

dae_status mechanical_linearize(mechanical *m, double t, const double *q, const double *v,
                                const double *vp, const double *lambda)
{
    mechanical_state *s = mechanical_inside(m);
    s->at_t = t;
    s->at_q = q;
    s->at_v = v;
    s->at_vp = vp;
    s->at_lambda = lambda;
    m->jacobians++;
    dae_status status = mechanical_evaluate(m, t, q);
    if (status == DAE_OK) status = find_damping(s, t, q, v);
    if (status == DAE_OK) status = find_stiffness(s, t, q, v);
    if (status != DAE_OK) return status;
    if (s->stiffness_product)
        sparse_product_form(s->stiffness_product, s->stiffness_by_q, s->here.kinematics,
                            s->stiffness);
    return DAE_OK;
}
