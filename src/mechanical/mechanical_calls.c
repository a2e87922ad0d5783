/* The author's functions of a mechanical system, called and their answers understood. */
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

/* The author is told of a point that is another one than the last. */
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

/* Before each of the functions. */
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

dae_status mechanical_finite(mechanical_state *s, const char *member, const double *value,
                             size_t count, size_t first)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(value[i])) return not_finite(s, member, first + i);
    return DAE_OK;
}

/* A matrix that was laid out in s->laid, `code` being what its function returned. */
static dae_status gather(mechanical_state *s, const char *name, int code, const author_matrix *a,
                         size_t first, double *value)
{
    dae_status status = answer(s, name, code);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < a->pattern->nonzeros; k++) {
        value[k] = s->laid[a->place[k]];
        if (!isfinite(value[k])) return not_finite(s, name, first + (size_t)a->pattern->row[k]);
    }
    return DAE_OK;
}

static double *lay_out(mechanical_state *s, const author_matrix *a)
{
    memset(s->laid, 0, a->length * sizeof *s->laid);
    return s->laid;
}

static dae_status vector(mechanical_state *s, const char *name, int code, const double *value,
                         size_t count, size_t first)
{
    dae_status status = answer(s, name, code);
    return status == DAE_OK ? mechanical_finite(s, name, value, count, first) : status;
}

dae_status mechanical_call_force(mechanical_state *s, double t, const double *q, const double *v,
                                 double *f)
{
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.force(t, q, v, f, s->form->user);
    s->base.forces++;
    return vector(s, "force", code, f, s->form->nv, s->first_motion);
}

dae_status mechanical_call_gamma(mechanical_state *s, double t, const double *q, const double *v,
                                 double *gamma)
{
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.gamma(t, q, v, gamma, s->form->user);
    return vector(s, "gamma", code, gamma, s->form->constraints, s->first_constraint);
}

dae_status mechanical_call_constraint(mechanical_state *s, double t, const double *q, double *phi)
{
    if (s->form->holonomic == 0) return DAE_OK;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.constraint(t, q, phi, s->form->user);
    return vector(s, "constraint", code, phi, s->form->holonomic, s->first_constraint);
}

dae_status mechanical_call_constraint_t(mechanical_state *s, double t, const double *q, double *dt)
{
    size_t count = s->form->holonomic;
    if (count == 0 || !s->form->given.constraint_t) {
        memset(dt, 0, count * sizeof *dt);
        return DAE_OK;
    }
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.constraint_t(t, q, dt, s->form->user);
    return vector(s, "constraint_t", code, dt, count, s->first_constraint);
}

dae_status mechanical_call_velocity_right(mechanical_state *s, double t, const double *q, double *b)
{
    size_t count = s->form->nonholonomic;
    if (count == 0 || !s->form->given.velocity_right) {
        memset(b, 0, count * sizeof *b);
        return DAE_OK;
    }
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.velocity_right(t, q, b, s->form->user);
    return vector(s, "velocity_right", code, b, count, s->first_constraint + s->form->holonomic);
}

dae_status mechanical_call_force_q(mechanical_state *s, double t, const double *q, const double *v,
                                   double *value)
{
    const author_matrix *a = &s->form->stiffness;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.force_q(t, q, v, lay_out(s, a), s->form->user);
    return gather(s, "force_q", code, a, s->first_motion, value);
}

dae_status mechanical_call_force_v(mechanical_state *s, double t, const double *q, const double *v,
                                   double *value)
{
    const author_matrix *a = &s->form->damping;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.force_v(t, q, v, lay_out(s, a), s->form->user);
    return gather(s, "force_v", code, a, s->first_motion, value);
}

/* No equation of the author's has them. */
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
    const author_matrix *a = &s->form->mass;
    if (s->form->constant_mass) return DAE_OK;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.mass(t, q, lay_out(s, a), s->form->user);
    return gather(s, "mass", code, a, s->first_motion, mass);
}

static dae_status call_kinematics(mechanical_state *s, double t, const double *q, double *value)
{
    const author_matrix *a = &s->form->kinematics;
    if (!a->pattern) return DAE_OK;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.kinematics(t, q, lay_out(s, a), s->form->user);
    return gather(s, "kinematics", code, a, 0, value);
}

dae_status mechanical_call_position(mechanical_state *s, double t, const double *q, double *value)
{
    const author_matrix *a = &s->form->position;
    if (s->form->holonomic == 0) return DAE_OK;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.constraint_q(t, q, lay_out(s, a), s->form->user);
    return gather(s, "constraint_q", code, a, s->first_constraint, value);
}

static dae_status call_velocity(mechanical_state *s, double t, const double *q, double *value)
{
    const author_matrix *a = &s->form->velocity;
    if (s->form->nonholonomic == 0) return DAE_OK;
    dae_status status = configure(s, t, q);
    if (status != DAE_OK) return status;
    int code = s->form->given.velocity_constraint(t, q, lay_out(s, a), s->form->user);
    return gather(s, "velocity_constraint", code, a, s->first_constraint + s->form->holonomic,
                  value);
}

dae_status mechanical_call_parts(mechanical_state *s, double t, const double *q,
                                 mechanical_values *values)
{
    dae_status status = call_kinematics(s, t, q, values->kinematics);
    if (status == DAE_OK) status = mechanical_call_position(s, t, q, values->position);
    if (status == DAE_OK) status = call_velocity(s, t, q, values->velocity);
    return status;
}

const char *mechanical_refused(const mechanical *m, int *code)
{
    *code = mechanical_look(m)->code;
    return mechanical_look(m)->refused;
}
