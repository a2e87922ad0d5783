/* Calls of the author's functions, and the meaning of their return values. */
#include "problem/callback_state.h"

#include <string.h>

bool callback_is_stopped(callbacks *c)
{
    const stop_request *stop = c->e->stop;
    if (!stop_is_asked(stop)) return false;
    c->refused = stop->callback;
    c->code = stop->code;
    return true;
}

dae_status callback_answer(callbacks *c, const char *name, int code)
{
    if (code == 0) return DAE_OK;
    if (code < 0) stop_ask(c->e->stop, name, code);
    c->refused = name;
    c->code = code;
    c->problem.bad_row = PROBLEM_NOWHERE;
    return code > 0 ? DAE_NOT_EVALUABLE : DAE_STOPPED;
}

static dae_status semi_explicit_right_side(callbacks *c, double t, const double *y, double *f)
{
    const dae_semi_explicit_form *s = &c->e->form.semi_explicit;
    dae_status status = DAE_OK;
    if (s->nx > 0) status = callback_answer(c, "f", s->f(t, y, y + s->nx, f, c->e->user));
    if (status != DAE_OK || s->nz == 0) return status;
    return callback_answer(c, "g", s->g(t, y, y + s->nx, f + s->nx, c->e->user));
}

static dae_status linear_right_side(callbacks *c, double t, const double *y, double *f)
{
    const dae_linear_form *l = &c->e->form.linear;
    dae_status status = DAE_OK;
    if (l->b)
        status = callback_answer(c, "b", l->b(t, f, c->e->user));
    else
        memset(f, 0, c->e->n * sizeof *f);
    if (status == DAE_OK) sparse_add_product(c->e->jacobian.pattern, c->e->constant_jacobian, y, f);
    return status;
}

dae_status callback_right_side(callbacks *c, double t, const double *y, double *f)
{
    const equations *e = c->e;
    if (callback_is_stopped(c)) return DAE_STOPPED;
    switch (e->kind) {
    case EQUATIONS_MASS: return callback_answer(c, "f", e->form.mass.f(t, y, f, e->user));
    case EQUATIONS_SEMI_EXPLICIT: return semi_explicit_right_side(c, t, y, f);
    case EQUATIONS_LINEAR: return linear_right_side(c, t, y, f);
    default: return callback_answer(c, "f", e->form.invariant.f(t, y, f, e->user));
    }
}

/* M(t, y) of the mass form in the author's layout. */
static dae_status call_mass(callbacks *c, double t, const double *y)
{
    if (callback_is_stopped(c)) return DAE_STOPPED;
    memset(c->author_mass, 0, c->e->mass.length * sizeof(double));
    return callback_answer(c, "mass", c->e->form.mass.mass(t, y, c->author_mass, c->e->user));
}

dae_status callback_mass(callbacks *c, double t, const double *y, double *mass)
{
    const author_matrix *m = &c->e->mass;
    dae_status status = call_mass(c, t, y);
    for (size_t k = 0; k < m->pattern->nonzeros; k++) mass[k] = c->author_mass[m->place[k]];
    return status;
}

/* r += A x. A dense matrix is read by whole columns, without a look-up of places. */
static void add_product(const author_matrix *m, const double *value, const double *x, double *r)
{
    const sparse_pattern *p = m->pattern;
    for (size_t j = 0; j < p->columns; j++) {
        const double *column = value + j * p->rows;
        for (size_t i = 0; m->dense && i < p->rows; i++) r[i] += column[i] * x[j];
        for (sparse_index k = p->start[j]; !m->dense && k < p->start[j + 1]; k++)
            r[p->row[k]] += value[m->place[k]] * x[j];
    }
}

dae_status callback_add_momentum(callbacks *c, double t, const double *y, const double *x,
                                 double *r)
{
    dae_status status = call_mass(c, t, y);
    if (status == DAE_OK) add_product(&c->e->mass, c->author_mass, x, r);
    return status;
}

dae_status callback_residual(callbacks *c, double t, const double *y, const double *yp, double *r)
{
    const equations *e = c->e;
    if (callback_is_stopped(c)) return DAE_STOPPED;
    if (e->kind == EQUATIONS_RESIDUAL)
        return callback_answer(c, "residual", e->form.residual.residual(t, y, yp, r, e->user));
    dae_status status = callback_right_side(c, t, y, r);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < e->n; i++) r[i] = -r[i];
    if (!e->constant_mass) return callback_add_momentum(c, t, y, yp, r);
    sparse_add_product(e->mass.pattern, e->constant_mass, yp, r);
    return DAE_OK;
}

bool callback_has_time_derivative(const equations *e)
{
    switch (e->kind) {
    case EQUATIONS_RESIDUAL: return e->form.residual.time_derivative != NULL;
    case EQUATIONS_MASS:
        return e->form.mass.f_t && !e->form.mass.mass; /* f_t says nothing of M y' */
    case EQUATIONS_SEMI_EXPLICIT: return e->form.semi_explicit.time_derivative != NULL;
    case EQUATIONS_LINEAR: return !e->form.linear.b || e->form.linear.b_t;
    default: return e->form.invariant.f_t != NULL;
    }
}

static dae_status right_side_by_time(callbacks *c, double t, const double *y, double *r)
{
    const equations *e = c->e;
    const dae_semi_explicit_form *s = &e->form.semi_explicit;
    switch (e->kind) {
    case EQUATIONS_MASS: return callback_answer(c, "f_t", e->form.mass.f_t(t, y, r, e->user));
    case EQUATIONS_SEMI_EXPLICIT:
        return callback_answer(c, "time_derivative",
                               s->time_derivative(t, y, y + s->nx, r, e->user));
    case EQUATIONS_LINEAR:
        if (e->form.linear.b_t) return callback_answer(c, "b_t", e->form.linear.b_t(t, r, e->user));
        memset(r, 0, e->n * sizeof *r);
        return DAE_OK;
    default: return callback_answer(c, "f_t", e->form.invariant.f_t(t, y, r, e->user));
    }
}

dae_status callback_time_derivative(void *self, double t, const double *y, const double *yp,
                                    double *r)
{
    callbacks *c = self;
    const equations *e = c->e;
    if (callback_is_stopped(c)) return DAE_STOPPED;
    if (e->kind == EQUATIONS_RESIDUAL)
        return callback_answer(c, "time_derivative",
                               e->form.residual.time_derivative(t, y, yp, r, e->user));
    dae_status status = right_side_by_time(c, t, y, r);
    for (size_t i = 0; status == DAE_OK && i < e->n; i++) r[i] = -r[i];
    return status;
}
