/* The start of a C program's equations: values that are found, or taken as they are. */
#include "initial/consistent.h"
#include "solve/callback_course.h"
#include "solve/watched_start.h"

#include <math.h>
#include <string.h>

static bool is(const char *option, const char *word)
{
    return strcmp(option, word) == 0;
}

/* What a model can be turned into, and these equations cannot. */
static dae_status refuse_options(const callback_course *k)
{
    const dae_options *o = k->base.solver.options;
    message *m = k->base.solver.message;
    if (!is(o->formulation, "auto") && !is(o->formulation, "direct"))
        return message_fail(m, DAE_UNSUPPORTED,
                            "formulation %s needs the derivatives of the equations, which only a "
                            "model gives: the equations of a C program are integrated as they are "
                            "(formulation direct)",
                            o->formulation);
    if (is(o->projection, "coordinate") && k->equations->invariants == 0)
        return message_fail(m, DAE_UNSUPPORTED,
                            "projection coordinate needs constraints apart from the equations, and "
                            "this problem has none: the invariant form declares them");
    return DAE_OK;
}

static dae_status fail_stopped(callback_course *k, double t)
{
    message *m = k->base.solver.message;
    message_fail(m, DAE_STOPPED, "stopped in the search for the start at t = %.9g: ", t);
    callback_course_tell_stop(&k->base, &m->sentence);
    return m->status;
}

/* The callbacks at work near a start; y (n), NAN where it is not known. */
static dae_status set_to_work(callback_course *k, double t, const double *y)
{
    message *m = k->base.solver.message;
    callback_course_clear(k);
    dae_status status = callbacks_create(&k->callbacks, k->equations, t, y, m);
    if (status == DAE_OK) status = violation_create(&k->violation, k->equations, t, y);
    if (status == DAE_OK) k->base.problem = callbacks_problem(k->callbacks);
    if (status == DAE_STOPPED) return message_fail(m, status, "stopped at the start");
    return status == DAE_OK ? DAE_OK : message_fail(m, status, "%s", dae_status_meaning(status));
}

/* Whether the search has left a value that was given as it was. */
static bool kept(const callback_course *k)
{
    static const double ROUND_OFF = 1e-12;
    for (size_t j = 0; j < k->base.n; j++) {
        double given = k->start[j], size = fmax(fabs(given), k->equations->nominal[j]);
        if (!isnan(given) && fabs(k->z[j] - given) > ROUND_OFF * size) return false;
    }
    return true;
}

static bool all_given(const callback_course *k)
{
    for (size_t j = 0; j < k->base.n; j++)
        if (isnan(k->start[j])) return false;
    return true;
}

/* Notes of the search are news where values were changed or chosen. */
static dae_status take_over(callback_course *k, message *heard)
{
    message *m = k->base.solver.message;
    bool news = heard->status != DAE_OK || !all_given(k) || !kept(k);
    if (news && heard->notes.length) text_add(&m->notes, text_string(&heard->notes));
    if (heard->status != DAE_OK) {
        message_fail(m, heard->status, "%s", "");
        text_add(&m->sentence, message_string(heard));
    }
    message_free(heard);
    return m->status;
}

static dae_status search(callback_course *k, double t)
{
    course *c = &k->base;
    dae_status status = callback_start_create(&k->search, k->callbacks, k->start);
    if (status != DAE_OK)
        return message_fail(c->solver.message, status, "%s", dae_status_meaning(status));
    message heard = {0};
    initial_result result;
    watched_start w;
    watched_start_begin(&w, callback_start_system(k->search), c->watch, c->watch_user);
    initial_consistent(&w.system, t, k->z, &result, &heard);
    if (!w.stopped) return take_over(k, &heard);
    message_free(&heard);
    if (w.by_equation) return fail_stopped(k, t);
    return message_fail(c->solver.message, DAE_STOPPED,
                        "stopped on request in the search for the start");
}

int callback_course_index(const equations *e)
{
    int highest = 1;
    for (size_t j = 0; j < e->n; j++)
        if (e->index[j] > highest) highest = e->index[j];
    if (highest > 1) return highest;
    return e->kind == EQUATIONS_INVARIANT ? 0 : -1;
}

/* From (y, y') in z on. */
static dae_status settle(callback_course *k, double t)
{
    course *c = &k->base;
    memcpy(c->y, k->z, c->n * sizeof *c->y);
    memcpy(c->yp, k->z + c->n, c->n * sizeof *c->yp);
    callbacks_check_jacobian(k->callbacks, t, c->y, c->yp, c->solver.message);
    c->constraint_levels = violation_algebraic(k->violation) > 0;
    dae_status status = DAE_OK;
    if (k->equations->invariants) {
        status = invariant_levels_create(&k->invariants, k->callbacks);
        if (status == DAE_OK) status = invariant_levels_begin(k->invariants, t, c->y);
        if (status == DAE_STOPPED) return fail_stopped(k, t);
        if (status != DAE_OK)
            return message_fail(c->solver.message, status, "the invariants at the start: %s",
                                dae_status_meaning(status));
        c->levels = invariant_levels_form(k->invariants);
        c->constraint_levels = 1;
    }
    c->constraint[0] = 0;
    c->solver.stats->index = callback_course_index(k->equations);
    course_reason(c, "equations of a C program in the %s form, integrated as given",
                  k->equations->form_name);
    bool projected = is(c->solver.options->projection, "coordinate");
    return course_create_projection(c, projected, projected);
}

dae_status callback_course_start(course *c, double t, const double *start)
{
    callback_course *k = (callback_course *)c;
    dae_status status = refuse_options(k);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < c->n; j++)
        k->start[j] = start && !isnan(start[j]) ? start[j] : k->given[j];
    status = set_to_work(k, t, k->start);
    if (status == DAE_OK) status = search(k, t);
    return status == DAE_OK ? settle(k, t) : status;
}

static dae_status refuse_missing(const callback_course *k, const double *y, const double *yp)
{
    for (size_t j = 0; j < k->base.n; j++) {
        bool derivative = isfinite(y[j]);
        if (derivative && (!k->base.problem->dynamic[j] || isfinite(yp[j]))) continue;
        return message_fail(k->base.solver.message, DAE_USAGE,
                            "the %s of %s that is given for the start is not a finite number",
                            derivative ? "derivative" : "value", k->equations->variable[j]);
    }
    return DAE_OK;
}

/* y and y' (k->z) are what they are said to be. */
static dae_status refuse_violation(callback_course *k, double t)
{
    const course *c = &k->base;
    message *m = c->solver.message;
    violations found;
    dae_status status = violation_find(k->violation, t, k->z, k->z + c->n, &found);
    if (status == DAE_STOPPED) return fail_stopped(k, t);
    if (status != DAE_OK) return message_fail(m, status, "%s", dae_status_meaning(status));
    if (found.equation <= c->solver.options->rtol) return DAE_OK;
    message_fail(m, DAE_NO_START,
                 "the values and derivatives given for the start at t = %.9g do "
                 "not meet the equations: the relative residual is %.3g in ",
                 t, found.equation);
    c->problem->form->name_equation(c->problem->self, found.row, &m->sentence);
    message_more(m, ", and %.3g is allowed (rtol)\n  remedy: let dae_solver_start() find them",
                 c->solver.options->rtol);
    return m->status;
}

dae_status callback_course_start_with(course *c, double t, const double *y, const double *yp)
{
    callback_course *k = (callback_course *)c;
    dae_status status = refuse_options(k);
    if (status == DAE_OK) status = set_to_work(k, t, y);
    if (status == DAE_OK) status = refuse_missing(k, y, yp);
    if (status != DAE_OK) return status;
    memcpy(k->z, y, c->n * sizeof *y);
    for (size_t j = 0; j < c->n; j++) k->z[c->n + j] = c->problem->dynamic[j] ? yp[j] : 0;
    status = refuse_violation(k, t);
    return status == DAE_OK ? settle(k, t) : status;
}
