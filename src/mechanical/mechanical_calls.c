/* Calls of the author's functions of a mechanical system, and interpretation of their return
 * values. */
#include "mechanical/mechanical_state.h"

#include <math.h>
#include <string.h>

static dae_status answer(mechanical_state *s, const char *name, int code)
{
    s->base.bad_row = PROBLEM_NOWHERE;
    s->base.bad_value = NULL;
    s->refused = code == 0 ? NULL : name;
    s->code = code;
    if (code == 0) return DAE_OK;
    if (code < 0) stop_ask(s->form->stop, name, code);
    return code > 0 ? DAE_NOT_EVALUABLE : DAE_STOPPED;
}

/* Call the author's configure() if the point differs from the last one. */
static dae_status report(mechanical_state *s, double t, const double *q)
{
    const mechanical_form *f = s->form;
    mechanical_reported *reported = f->reported;
    size_t bytes = f->nq * sizeof *q;
    if (reported->known && reported->t == t && memcmp(reported->q, q, bytes) == 0) return DAE_OK;
    dae_status status = answer(s, "configure", f->given.configure(t, q, f->user));
    reported->known = status == DAE_OK;
    reported->t = t;
    memcpy(reported->q, q, bytes);
    return status;
}

/* Called before each of the author's functions. */
static dae_status configure(mechanical_state *s, double t, const double *q)
{
    if (stop_is_asked(s->form->stop)) return DAE_STOPPED;
    return s->form->given.configure ? report(s, t, q) : DAE_OK;
}

static dae_status not_finite(mechanical_state *s, const char *member, size_t row)
{
    s->refused = NULL;
    s->base.bad_value = member;
    s->base.bad_row = row;
    return DAE_NOT_EVALUABLE;
}

/* One of the author's functions of t and q, or of v too. */
typedef struct author_call {
    const char *name;
    int (*of_q)(double t, const double *q, double *out, void *user);
    int (*of_v)(double t, const double *q, const double *v, double *out, void *user);
    size_t count, first;         /* number of values; equation of the first one */
    const author_matrix *matrix; /* the values are its entries; NULL: a vector */
} author_call;

/* Copy the entries of a matrix from the author's layout in s->laid. */
static dae_status gather(mechanical_state *s, const author_call *c, double *value)
{
    const author_matrix *a = c->matrix;
    for (size_t k = 0; k < a->pattern->nonzeros; k++) {
        value[k] = s->laid[a->place[k]];
        if (!isfinite(value[k]))
            return not_finite(s, c->name, c->first + (size_t)a->pattern->row[k]);
    }
    return DAE_OK;
}

static dae_status call(mechanical_state *s, const author_call *c, double t, const double *q,
                       const double *v, double *value)
{
    void *user = s->form->user;
    double *out = c->matrix ? s->laid : value;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    if (c->matrix) memset(out, 0, c->matrix->length * sizeof *out);
    status = answer(s, c->name, c->of_v ? c->of_v(t, q, v, out, user) : c->of_q(t, q, out, user));
    if (status != DAE_OK) return status;
    if (c->matrix) return gather(s, c, value);
    for (size_t i = 0; i < c->count; i++)
        if (!isfinite(value[i])) return not_finite(s, c->name, c->first + i);
    return DAE_OK;
}

/* Functions that the author did not give count as 0. */
static dae_status call_or_clear(mechanical_state *s, const author_call *c, double t,
                                const double *q, double *value)
{
    if (c->count > 0 && c->of_q) return call(s, c, t, q, NULL, value);
    memset(value, 0, c->count * sizeof *value);
    return DAE_OK;
}

dae_status mechanical_call_force(mechanical_state *s, double t, const double *q, const double *v,
                                 double *f)
{
    const author_call c = {"force", NULL, s->form->given.force, s->form->nv, s->first_motion, NULL};
    s->base.forces++;
    return call(s, &c, t, q, v, f);
}

dae_status mechanical_call_gamma(mechanical_state *s, double t, const double *q, const double *v,
                                 double *gamma)
{
    const author_call c = {
        "gamma", NULL, s->form->given.gamma, s->form->constraints, s->first_constraint, NULL};
    return call(s, &c, t, q, v, gamma);
}

dae_status mechanical_call_constraint(mechanical_state *s, double t, const double *q, double *phi)
{
    const author_call c = {"constraint",       s->form->given.constraint, NULL,
                           s->form->holonomic, s->first_constraint,       NULL};
    return c.count > 0 ? call(s, &c, t, q, NULL, phi) : DAE_OK;
}

dae_status mechanical_call_constraint_t(mechanical_state *s, double t, const double *q, double *dt)
{
    const author_call c = {"constraint_t",     s->form->given.constraint_t, NULL,
                           s->form->holonomic, s->first_constraint,         NULL};
    return call_or_clear(s, &c, t, q, dt);
}

dae_status mechanical_call_velocity_right(mechanical_state *s, double t, const double *q, double *b)
{
    const mechanical_form *f = s->form;
    const author_call c = {"velocity_right",
                           f->given.velocity_right,
                           NULL,
                           f->nonholonomic,
                           s->first_constraint + f->holonomic,
                           NULL};
    return call_or_clear(s, &c, t, q, b);
}

dae_status mechanical_call_force_q(mechanical_state *s, double t, const double *q, const double *v,
                                   double *value)
{
    const author_call c = {"force_q",          NULL, s->form->given.force_q, 0, s->first_motion,
                           &s->form->stiffness};
    return call(s, &c, t, q, v, value);
}

dae_status mechanical_call_force_v(mechanical_state *s, double t, const double *q, const double *v,
                                   double *value)
{
    const author_call c = {"force_v",        NULL, s->form->given.force_v, 0, s->first_motion,
                           &s->form->damping};
    return call(s, &c, t, q, v, value);
}

/* Check values that belong to none of the author's equations. */
static dae_status whole(mechanical_state *s, const char *name, const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(value[i])) return not_finite(s, name, PROBLEM_NOWHERE);
    return DAE_OK;
}

dae_status mechanical_call_invariant(mechanical_state *s, double t, const double *q,
                                     const double *v, double *c)
{
    if (stop_is_asked(s->form->stop)) return DAE_STOPPED;
    int code = s->form->given.invariant(t, q, v, c, s->form->user);
    dae_status status = answer(s, "invariant", code);
    return status == DAE_OK ? whole(s, "invariant", c, s->base.invariants) : status;
}

dae_status mechanical_call_invariant_gradient(mechanical_state *s, double t, const double *q,
                                              const double *v, double *by_q, double *by_v)
{
    static const char NAME[] = "invariant_gradient";
    size_t count = s->base.invariants;
    if (stop_is_asked(s->form->stop)) return DAE_STOPPED;
    memset(by_q, 0, count * s->form->nq * sizeof *by_q);
    memset(by_v, 0, count * s->form->nv * sizeof *by_v);
    int code = s->form->given.invariant_gradient(t, q, v, by_q, by_v, s->form->user);
    dae_status status = answer(s, NAME, code);
    if (status == DAE_OK) status = whole(s, NAME, by_q, count * s->form->nq);
    return status == DAE_OK ? whole(s, NAME, by_v, count * s->form->nv) : status;
}

dae_status mechanical_call_mass(mechanical_state *s, double t, const double *q, double *mass)
{
    const mechanical_form *f = s->form;
    const author_call c = {"mass", f->given.mass, NULL, 0, s->first_motion, &f->mass};
    return f->constant_mass ? DAE_OK : call(s, &c, t, q, NULL, mass);
}

dae_status mechanical_call_position(mechanical_state *s, double t, const double *q, double *value)
{
    const mechanical_form *f = s->form;
    const author_call c = {"constraint_q",      f->given.constraint_q, NULL, 0,
                           s->first_constraint, &f->position};
    return f->holonomic > 0 ? call(s, &c, t, q, NULL, value) : DAE_OK;
}

dae_status mechanical_call_parts(mechanical_state *s, double t, const double *q,
                                 mechanical_values *values)
{
    const mechanical_form *f = s->form;
    const author_call turn = {"kinematics", f->given.kinematics, NULL, 0, 0, &f->kinematics};
    const author_call a = {"velocity_constraint",
                           f->given.velocity_constraint,
                           NULL,
                           0,
                           s->first_constraint + f->holonomic,
                           &f->velocity};
    dae_status status = DAE_OK;
    if (f->kinematics.pattern) status = call(s, &turn, t, q, NULL, values->kinematics);
    if (status == DAE_OK) status = mechanical_call_position(s, t, q, values->position);
    if (status == DAE_OK && f->nonholonomic > 0) status = call(s, &a, t, q, NULL, values->velocity);
    return status;
}

const char *mechanical_refused(const mechanical *m, int *code)
{
    *code = mechanical_look(m)->code;
    return mechanical_look(m)->refused;
}
