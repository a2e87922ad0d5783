/* Calls of the author's functions of a mechanical system, and interpretation of their return
 * values. */
#include "linalg/rows.h"
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
    for (size_t i = 0; i < c->rows; i++)
        if (!isfinite(value[i])) return not_finite(s, c->name, c->first + i);
    return DAE_OK;
}

dae_status mechanical_call(mechanical_state *s, mechanical_member member, double t, const double *q,
                           const double *v, double *value)
{
    const author_call *c = &s->call[member];
    if (c->rows > 0 && (c->of_q || c->of_v)) return call(s, c, t, q, v, value);
    if (!c->matrix) memset(value, 0, c->rows * sizeof *value);
    return DAE_OK;
}

void mechanical_make_calls(mechanical_state *s)
{
    const mechanical_form *f = s->form;
    const dae_mechanical_form *g = &f->given;
    size_t nv = f->nv, phi = f->holonomic, others = f->nonholonomic, all = f->constraints;
    size_t motion = s->first_motion, first = s->first_constraint, second = first + phi;
    const author_call calls[] = {
        [CALL_FORCE] = {"force", NULL, g->force, nv, motion, NULL},
        [CALL_FORCE_Q] = {"force_q", NULL, g->force_q, nv, motion, &f->stiffness},
        [CALL_FORCE_V] = {"force_v", NULL, g->force_v, nv, motion, &f->damping},
        [CALL_MASS] = {"mass", g->mass, NULL, nv, motion, &f->mass},
        [CALL_KINEMATICS] = {"kinematics", g->kinematics, NULL, f->nq, 0, &f->kinematics},
        [CALL_CONSTRAINT] = {"constraint", g->constraint, NULL, phi, first, NULL},
        [CALL_CONSTRAINT_Q] = {"constraint_q", g->constraint_q, NULL, phi, first, &f->position},
        [CALL_CONSTRAINT_T] = {"constraint_t", g->constraint_t, NULL, phi, first, NULL},
        [CALL_VELOCITY] = {"velocity_constraint", g->velocity_constraint, NULL, others, second,
                           &f->velocity},
        [CALL_VELOCITY_RIGHT] = {"velocity_right", g->velocity_right, NULL, others, second, NULL},
        [CALL_GAMMA] = {"gamma", NULL, g->gamma, all, first, NULL},
    };
    memcpy(s->call, calls, sizeof calls);
}

dae_status mechanical_force(mechanical *m, double t, const double *q, const double *v, double *f)
{
    m->forces++;
    return mechanical_call(mechanical_inside(m), CALL_FORCE, t, q, v, f);
}

dae_status mechanical_position_gradient(mechanical *m, double t, const double *q, double *value)
{
    return mechanical_call(mechanical_inside(m), CALL_CONSTRAINT_Q, t, q, NULL, value);
}

/* Check values that belong to none of the author's equations. */
static dae_status whole(mechanical_state *s, const char *name, const double *value, size_t count)
{
    return vector_is_finite(count, value) ? DAE_OK : not_finite(s, name, PROBLEM_NOWHERE);
}

dae_status mechanical_invariants(mechanical *m, double t, const double *q, const double *v,
                                 double *c)
{
    mechanical_state *s = mechanical_inside(m);
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

dae_status mechanical_call_parts(mechanical_state *s, double t, const double *q,
                                 mechanical_values *values)
{
    dae_status status = mechanical_call(s, CALL_KINEMATICS, t, q, NULL, values->kinematics);
    if (status == DAE_OK)
        status = mechanical_call(s, CALL_CONSTRAINT_Q, t, q, NULL, values->position);
    if (status != DAE_OK) return status;
    return mechanical_call(s, CALL_VELOCITY, t, q, NULL, values->velocity);
}

const char *mechanical_refused(const mechanical *m, int *code)
{
    *code = mechanical_look(m)->code;
    return mechanical_look(m)->refused;
}
