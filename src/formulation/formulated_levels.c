#include "formulation/mechanical_formulation_parts.h"

formulated_levels *formulated_levels_create(arena *a, mechanical *m)
{
    formulated_levels *l = arena_take(a, sizeof *l);
    l->m = m;
    l->pattern = mechanical_level_pattern(a, m->form);
    arena_vectors(a, l->pattern->nonzeros,
                  (double **const[]){&l->velocity_q, &l->acceleration_q, &l->acceleration_v, NULL});
    l->differences = differences_create(a, l->pattern);
    arena_vectors(a, m->constraints, (double **const[]){&l->here, &l->level, NULL});
    return l;
}

static dae_status velocity_of_q(void *self, const double *q, double *c)
{
    const formulated_levels *l = self;
    return mechanical_velocity(l->m, l->t, q, l->v, c);
}

static dae_status gamma_of_v(void *self, const double *v, double *c)
{
    const formulated_levels *l = self;
    return mechanical_gamma(l->m, l->t, l->q, v, c);
}

static dae_status acceleration_of_q(void *self, const double *q, double *c)
{
    const formulated_levels *l = self;
    dae_status status = mechanical_evaluate(l->m, l->t, q);
    if (status != DAE_OK) return status;
    mechanical_gradient_times(l->m, l->vp, l->level);
    status = mechanical_gamma(l->m, l->t, q, l->v, c);
    for (size_t i = 0; status == DAE_OK && i < l->m->constraints; i++) c[i] += l->level[i];
    return status;
}

static dae_status differentiate(formulated_levels *l,
                                dae_status (*value)(void *, const double *, double *),
                                const double *x, const double *nominal, double *jacobian)
{
    const vector_function f = {.value = value, .self = l};
    dae_status status = value(l, x, l->here);
    if (status != DAE_OK) return status;
    return differences_jacobian(l->differences, f, x, nominal, l->here, DIFFERENCES_FINE, jacobian);
}

dae_status formulated_levels_velocity(formulated_levels *l, double t, const double *q,
                                      const double *v)
{
    l->t = t;
    l->v = v;
    return differentiate(l, velocity_of_q, q, l->m->form->nominal, l->velocity_q);
}

dae_status formulated_levels_acceleration(formulated_levels *l, double t, const double *q,
                                          const double *v, const double *vp)
{
    const double *nominal = l->m->form->nominal;
    l->t = t;
    l->q = q;
    l->v = v;
    l->vp = vp;
    dae_status status = differentiate(l, gamma_of_v, v, nominal + l->m->nq, l->acceleration_v);
    if (status != DAE_OK) return status;
    return differentiate(l, acceleration_of_q, q, nominal, l->acceleration_q);
}
