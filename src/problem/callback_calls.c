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

/* What a callback's return value other than 0 means. */
static dae_status answer(callbacks *c, const char *name, int code)
{
    if (code < 0) stop_ask(c->e->stop, name, code);
    c->refused = name;
    c->code = code;
    c->problem.bad_row = PROBLEM_NOWHERE;
    return code > 0 ? DAE_NOT_EVALUABLE : DAE_STOPPED;
}

/* For each residual, so that it has no frame of its own there. */
static inline dae_status call(callbacks *c, const form_call *f, double t, const double *y,
                              const double *second, double *out)
{
    void *user = c->e->user;
    int code;
    if (f->of_y)
        code = f->of_y(t, y, out, user);
    else if (f->of_two)
        code = f->of_two(t, y, second, out, user);
    else if (f->of_both)
        code = f->of_both(t, y, second, out, c->author_mass, user);
    else
        code = f->of_t(t, out, user);
    return code == 0 ? DAE_OK : answer(c, f->name, code);
}

dae_status callback_call(callbacks *c, const form_call *f, double t, const double *y,
                         const double *second, double *out)
{
    return call(c, f, t, y, second, out);
}

/* Of the linear form: A y + b(t). */
static dae_status linear_right_side(callbacks *c, double t, const double *y, double *f)
{
    const equations *e = c->e;
    const form_call *b = &e->calls.value[0];
    memset(f, 0, e->n * sizeof *f);
    dae_status status = form_call_given(b) ? callback_call(c, b, t, y, y + e->split, f) : DAE_OK;
    if (status == DAE_OK) sparse_add_product(e->jacobian.pattern, e->constant_jacobian, y, f);
    return status;
}

/* Of the semi-explicit form: f and g, which have one shape. */
static dae_status split_right_side(callbacks *c, double t, const double *y, double *right)
{
    const equations *e = c->e;
    const form_call *f = &e->calls.value[0], *g = &e->calls.value[1];
    const double *z = y + e->split;
    int code = e->split > 0 ? f->of_two(t, y, z, right, e->user) : 0;
    if (code != 0) return answer(c, f->name, code);
    code = g->of_two(t, y, z, right + e->split, e->user);
    return code == 0 ? DAE_OK : answer(c, g->name, code);
}

dae_status callback_right_side(callbacks *c, double t, const double *y, double *f)
{
    const equations *e = c->e;
    if (callback_is_stopped(c)) return DAE_STOPPED;
    if (e->constant_jacobian) return linear_right_side(c, t, y, f);
    if (e->split < e->n) return split_right_side(c, t, y, f);
    return call(c, e->calls.value, t, y, y + e->split, f);
}

/* M(t, y) in the author's layout. */
static dae_status call_mass(callbacks *c, double t, const double *y)
{
    if (callback_is_stopped(c)) return DAE_STOPPED;
    memset(c->author_mass, 0, c->e->mass.length * sizeof(double));
    return call(c, &c->e->calls.mass, t, y, NULL, c->author_mass);
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
    if (e->row->implicit) return call(c, e->calls.value, t, y, yp, r);
    dae_status status = callback_right_side(c, t, y, r);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < e->n; i++) r[i] = -r[i];
    if (!e->constant_mass) return callback_add_momentum(c, t, y, yp, r);
    sparse_add_product(e->mass.pattern, e->constant_mass, yp, r);
    return DAE_OK;
}

bool callback_has_time_derivative(const equations *e)
{
    bool steady = e->constant_jacobian && !form_call_given(&e->calls.value[0]);
    return steady || form_call_given(&e->calls.by_t);
}

dae_status callback_time_derivative(void *self, double t, const double *y, const double *yp,
                                    double *r)
{
    callbacks *c = self;
    const equations *e = c->e;
    dae_status status = DAE_OK;
    if (callback_is_stopped(c)) return DAE_STOPPED;
    if (form_call_given(&e->calls.by_t))
        status = callback_call(c, &e->calls.by_t, t, y, e->row->implicit ? yp : y + e->split, r);
    else
        memset(r, 0, e->n * sizeof *r);
    for (size_t i = 0; status == DAE_OK && !e->row->implicit && i < e->n; i++) r[i] = -r[i];
    return status;
}
