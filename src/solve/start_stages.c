#include "solve/simulation.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "initial/consistent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dae_status stage(dae_status (*run)(simulation *c, double t), simulation *c, double t,
                        dae_status before)
{
    return before == DAE_OK && run ? run(c, t) : before;
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

/* In place of a search. */
static dae_status accept(simulation *c, double t, const double *y, const double *yp)
{
    double miss = 0;
    text where = {0};
    dae_status status = c->ops->start->accept(c, t, y, yp, &miss, &where);
    if (status == DAE_OK) status = refuse_miss(c, t, miss, &where);
    text_free(&where);
    return status;
}

dae_status simulation_start(simulation *c, double t, const double *y, const double *yp)
{
    const start_stages *s = c->ops->start;
    c->ends = 0;
    for (size_t j = 0; j < c->n; j++) {
        bool given = y && j < c->n - c->hidden && !isnan(y[j]);
        c->start[j] = given ? y[j] : c->given[j];
    }
    dae_status status = s->take(c, t);
    if (status == DAE_OK && yp) status = refuse_missing(c, y, yp);
    if (status != DAE_OK) return status;
    status = yp ? accept(c, t, y, yp) : s->search(c, t);
    if (s->verify_derivatives) status = s->verify_derivatives(c, t, status);
    status = stage(s->formulate, c, t, status);
    status = stage(s->project, c, t, status);
    status = stage(s->verify_invariants, c, t, status);
    return yp ? status : stage(s->note, c, t, status);
}

dae_status simulation_start_behind(simulation *c, double t, const double *y)
{
    const start_stages *s = c->ops->start;
    text *reasons = c->solver.reasons, *notes = &c->solver.message->notes;
    size_t told = reasons->length, noted = notes->length;
    dae_stats *stats = c->solver.stats, before = *stats;
    memcpy(c->start, y, c->n * sizeof *y);
    dae_status status = s->take(c, t);
    status = stage(s->search, c, t, status);
    status = stage(s->formulate, c, t, status);
    status = stage(s->project, c, t, status);
    text_shorten(reasons, told);
    text_shorten(notes, noted);
    stats->index = before.index;
    return status;
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

/* Appends "y1 = 2 (given 1)" to a list, or "y1 = 2 (given 2, 1e-10 more)" where the digits are
 * equal. */
static void list_value(const start_notes *s, size_t j, text *list)
{
    static const double SHOWN = 1e-5;
    double more = s->found[j] - s->simulation->start[j];
    if (list->length) text_add(list, ", ");
    text_format(list, "%s = %.6g", s->simulation->variable[j], s->found[j]);
    if (isnan(s->simulation->start[j])) return;
    text_format(list, " (given %.6g", s->simulation->start[j]);
    if (fabs(more) < SHOWN * fabs(s->simulation->start[j]))
        text_format(list, ", %.1g %s", fabs(more), more > 0 ? "more" : "less");
    text_add(list, ")");
}

void start_note_changes(const start_notes *s)
{
    text list = {0};
    for (size_t j = 0; j < s->n; j++) {
        if (s->counts && !s->counts[j]) continue;
        double given = s->simulation->start[j], size = fmax(fabs(given), s->simulation->nominal[j]);
        if (!isnan(given) && fabs(s->found[j] - given) > ROUND_OFF_ITERATED * size)
            list_value(s, j, &list);
    }
    if (list.length)
        message_note(s->simulation->solver.message,
                     "start values changed, by as little as meets the equations: %s",
                     text_string(&list));
    text_free(&list);
}

/* Appends the variables from `first` to before `end` that one system leaves open. */
static dae_status list_open(const start_notes *s, const start_system *system, size_t first,
                            size_t end, double t, text *list)
{
    size_t found = 0, *chosen = calloc(system->size + 1, sizeof *chosen);
    bool known = false, any = false;
    for (size_t j = first; j < end; j++) any = any || isnan(s->simulation->start[j]);
    dae_status status = chosen ? DAE_OK : DAE_NO_MEMORY;
    if (any && chosen) status = initial_states(system, t, s->found + first, chosen, &found, &known);
    for (size_t i = 0; status == DAE_OK && i < found; i++) {
        size_t j = first + chosen[i];
        if (j < end && isnan(s->simulation->start[j])) list_value(s, j, list);
    }
    free(chosen);
    /* Other failures only lose a note. */
    return status == DAE_NO_MEMORY ? status : DAE_OK;
}

dae_status start_note_open(const start_notes *s, const start_system *const *system, size_t count,
                           double t)
{
    text list = {0};
    dae_status status = DAE_OK;
    for (size_t k = 0, first = 0; status == DAE_OK && k < count; k++) {
        size_t end = k + 1 == count ? s->n : first + system[k]->size;
        status = list_open(s, system[k], first, end, t, &list);
        first = end;
    }
    if (list.length)
        message_note(s->simulation->solver.message,
                     "the equations and their first derivatives leave open: %s. These values were "
                     "chosen; give start values for them",
                     text_string(&list));
    text_free(&list);
    return message_status(s->simulation->solver.message, status);
}
