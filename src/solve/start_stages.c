#include "solve/start_stages.h"

#include "base/scatter.h"
#include "initial/consistent.h"

#include <math.h>

static dae_status stage(dae_status (*run)(simulation *c, double t), simulation *c, double t,
                        dae_status before)
{
    return before == DAE_OK && run ? run(c, t) : before;
}

/* From a search, or what took its place, that ended with `status`. */
static dae_status go_on(simulation *c, const start_stages *s, double t, dae_status status)
{
    if (s->verify_derivatives) status = s->verify_derivatives(c, t, status);
    status = stage(s->formulate, c, t, status);
    status = stage(s->project, c, t, status);
    return stage(s->verify_invariants, c, t, status);
}

dae_status simulation_start(simulation *c, double t, const double *start)
{
    const start_stages *s = c->ops->start;
    c->ends = 0;
    dae_status status = s->take(c, t, start);
    if (status != DAE_OK) return status;
    status = go_on(c, s, t, s->search(c, t));
    return stage(s->note, c, t, status);
}

static dae_status refuse_missing(const simulation *c, const double *y, const double *yp)
{
    message *m = c->solver.message;
    for (size_t j = 0; j < c->n; j++) {
        bool known = isfinite(y[j]);
        if (known && (!c->ops->start->is_differentiated(c, j) || isfinite(yp[j]))) continue;
        message_fail(m, DAE_USAGE,
                     "the %s of %s that is given for the start is not a finite number",
                     known ? "derivative" : "value", c->variable[j]);
        return m->status;
    }
    return DAE_OK;
}

/* Refuses values that miss the equations by more than is allowed. */
static dae_status refuse_miss(const simulation *c, double t, double miss, const text *where)
{
    double allowed = c->solver.options->rtol;
    if (miss <= allowed) return DAE_OK;
    return message_fail(c->solver.message, DAE_NO_START,
                        "the values and derivatives given for the start at t = %.9g do not meet "
                        "the equations, worst in %s: the relative residual is %.3g, and %.3g is "
                        "allowed (rtol)\n  remedy: let dae_solver_start() find them",
                        t, text_string(where), miss, allowed);
}

dae_status simulation_start_with(simulation *c, double t, const double *y, const double *yp)
{
    const start_stages *s = c->ops->start;
    c->ends = 0;
    dae_status status = s->take(c, t, y);
    if (status == DAE_OK) status = refuse_missing(c, y, yp);
    if (status != DAE_OK) return status;
    double miss = 0;
    text where = {0};
    status = s->accept(c, t, y, yp, &miss, &where);
    if (status == DAE_OK) status = refuse_miss(c, t, miss, &where);
    text_free(&where);
    return go_on(c, s, t, status);
}

dae_status start_refuse_invariant(const simulation *c, double t, const invariant_fault *f,
                                  const char *form, const char *member, const char *gradient)
{
    message *m = c->solver.message;
    message_replace(m, DAE_USAGE, "the %s form is wrong: ", form);
    invariant_fault_report(f, t, member, gradient, f->changes ? NULL : c->variable[f->column],
                           &m->sentence);
    return m->status;
}

/* How far from the start another state is, in parts of the sizes, and how much later in the unit of
 * time: at the start itself much is 0. */
static const double REACH = 0.1, LATER = 0.1;

void start_go_beside(size_t n, const double *value, const double *nominal, double *z)
{
    for (size_t j = 0; j < n; j++)
        z[j] = value[j] + REACH * fmax(fabs(value[j]), nominal[j]) * scattered(j);
}

double start_time_beside(double t, double unit)
{
    return t + LATER * unit;
}

dae_status start_search(const simulation *c, const start_system *plain, double t, double *z,
                        message *collected)
{
    start_watch w = {.ask = c->watch, .user = c->watch_user, .reported = c->reported};
    start_system watched = *plain;
    watched.watch = &w;
    initial_result result;
    dae_status status = initial_consistent(&watched, t, z, &result, collected);
    if (w.stopped) { /* whatever the search says of it */
        text_clear(&collected->sentence);
        collected->status = DAE_OK;
        return message_fail(collected, DAE_STOPPED,
                            "stopped on request in the search for the start");
    }
    return status == DAE_OK ? DAE_OK : message_fail(collected, status, "%s", "");
}

dae_status start_take_failure(const simulation *c, message *collected)
{
    dae_status status = collected->status;
    if (status != DAE_OK) {
        message_fail(c->solver.message, status, "%s", "");
        text_add(&c->solver.message->sentence, message_string(collected));
    }
    message_free(collected);
    return status;
}
