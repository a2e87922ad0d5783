/* Events on the way of a run: what is sent before and after them, and how the run goes on. */
#include "base/round_off.h"
#include "event/changes.h"
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fails with a status of the root functions, or of the update at an event, at t. */
static dae_status fail_at_event(dae_solver *s, double t, dae_status status)
{
    if (s->message.status != DAE_OK || status == DAE_OK) return s->message.status;
    return message_fail(&s->message, status, "at t = %.9g, where events are looked for: %s", t,
                        dae_status_meaning(status));
}

static void count_event(dae_solver *s)
{
    dae_stats *stats = &s->stats;
    stats->events++;
    if (s->event.due) stats->time_events++;
    for (size_t k = 0, any = 0; k < s->event.roots; k++)
        if (s->event.crossed[k] && any++ == 0) stats->state_events++;
    s->at_event = true;
}

/* Room for the signs of roots: of those that are crossed, and of those that stay at 0. */
static dae_status make_crossed(dae_solver *s)
{
    size_t count = s->events.count;
    if (count <= s->event.roots) return DAE_OK;
    signed char *crossed = realloc(s->event_crossed, 2 * count);
    if (!crossed) return DAE_NO_MEMORY;
    s->event_crossed = crossed;
    return DAE_OK;
}

/* An event of time at the start is told as the run begins. */
static dae_status note_start_event(dae_solver *s)
{
    const simulation *c = s->simulation;
    size_t count = s->events.count;
    if (make_crossed(s) != DAE_OK) return message_status(&s->message, DAE_NO_MEMORY);
    if (count > 0) memset(s->event_crossed, 0, 2 * count);
    memcpy(s->event_before, c->before_start, 2 * c->n * sizeof *s->event_before);
    text_clear(&s->event_name);
    text_add(&s->event_name, c->start_event);
    s->event = (dae_event){.t = s->engine->t,
                           .due = true,
                           .roots = count,
                           .crossed = s->event_crossed,
                           .name = text_string(&s->event_name),
                           .n = c->n - c->hidden,
                           .y_before = s->event_before,
                           .yp_before = s->event_before + c->n};
    count_event(s);
    return DAE_OK;
}

dae_status solve_begin_events(dae_solver *s)
{
    simulation *c = s->simulation;
    s->event = (dae_event){0};
    s->short_step = 0;
    s->at_event = s->off_grid = s->stands_before = s->tells_start = s->told_early = false;
    s->turning.reported = false;
    for (int k = 0; k < EVENT_GAPS; k++) s->event_gap[k] = HUGE_VAL;
    s->shrinking[0] = s->shrinking[1] = s->crowded = s->futile = s->accumulated = 0;
    s->accumulates = s->nears = s->recurrence = 0;
    s->events.next = HUGE_VAL;
    if (!c->events) return DAE_OK;
    if (!s->event_before) s->event_before = calloc(3 * c->n + 1, sizeof *s->event_before);
    if (!s->event_before) return message_status(&s->message, DAE_NO_MEMORY);
    s->crawl = (crawl){.y = s->event_before + 2 * c->n, .root = SIZE_MAX};
    dae_status status = events_begin(&s->events, c->events, s->engine);
    s->tells_start = status == DAE_OK && c->start_event;
    if (s->tells_start) return note_start_event(s);
    return fail_at_event(s, s->engine->t, status);
}

void solve_free_events(dae_solver *s)
{
    events_free(&s->events);
    text_free(&s->event_name);
    free(s->earlier);
    free(s->event_before);
    free(s->event_crossed);
}

dae_status solve_look_ahead(dae_solver *s)
{
    double t = s->engine->t;
    dae_status status = fail_at_event(s, t, events_look_ahead(&s->events, s->engine, t));
    if (status == DAE_OK && isfinite(s->events.next)) solve_announce_event(s, s->events.next);
    return status;
}

/* Keeps what is known of an event at t, while its step and its root functions are there. */
static dae_status note_event(dae_solver *s, double t)
{
    const simulation *c = s->simulation;
    const events *v = &s->events;
    if (make_crossed(s) != DAE_OK) return DAE_NO_MEMORY;
    signed char *crossed = s->event_crossed;
    if (v->count > 0) {
        memcpy(crossed, v->crossed, v->count);
        memset(crossed + v->count, 0, v->count);
    }
    text_clear(&s->event_name);
    events_name(v, t, &s->event_name);
    s->event = (dae_event){.t = t,
                           .due = events_are_due(v, t),
                           .roots = v->count,
                           .crossed = crossed,
                           .name = text_string(&s->event_name),
                           .n = c->n - c->hidden,
                           .y_before = s->event_before,
                           .yp_before = s->event_before + c->n};
    solve_ask_rates(s, true);
    dae_status status = solve_evaluate_before(s, t, events_just_before(v, t));
    solve_ask_rates(s, false);
    if (status != DAE_OK) return status;
    memcpy(s->event_before, c->value, c->n * sizeof *c->value);
    memcpy(s->event_before + c->n, simulation_shown_yp(c), c->n * sizeof *c->value_yp);
    return DAE_OK;
}

/* A root that an event has stopped goes on to the side to which it was crossed: nothing holds it
 * there, and no other event follows. Its author may have wanted it to rest. */
static void note_let_go(dae_solver *s)
{
    const events *v = &s->events;
    if (v->let_go == SIZE_MAX || s->reported_let_go) return;
    text name = {0};
    s->reported_let_go = true;
    v->source->ops->name(v->source->self, v->let_go, &name);
    message_note(&s->message,
                 "the event %s at t = %.9g leaves its root at 0 without a rate, and the equations "
                 "move the root on across 0, where no further event follows. A state that is to "
                 "rest there needs an equation for its rest, which a condition turns on",
                 text_string(&name), s->event.t);
    text_free(&name);
}

/* Looks for the first event of the last step, or for the one that follows an event that changed
 * nothing. */
static dae_status look_for_event(dae_solver *s, bool on, double *t, bool *found)
{
    events *v = &s->events;
    dae_status status = (on ? events_look_on : events_look)(v, s->engine, t, found);
    note_let_go(s);
    return status;
}

static dae_status call_event_watch(dae_solver *s)
{
    if (!s->event_watch) return DAE_OK;
    s->place.between = true;
    int answer = s->event_watch(&s->event, s->event_user);
    s->place.between = false;
    simulation_report_anew(s->simulation);
    if (s->message.status != DAE_OK || answer == 0) return s->message.status;
    return message_fail(&s->message, DAE_STOPPED, "stopped at t = %.9g on request", s->event.t);
}

dae_status solve_tell_start_event(dae_solver *s)
{
    double t = s->engine->t;
    if (!s->tells_start) return DAE_OK;
    s->tells_start = false;
    dae_status status = solve_send_left(s, t);
    if (status == DAE_OK && !s->simulation->terminated) status = solve_send_right(s, t, true);
    return status == DAE_OK ? call_event_watch(s) : status;
}

/* Lets the engine stand at a time within the last step. What lies after is forgotten. */
static void stand_at(dae_solver *s, double t)
{
    engine *e = s->engine;
    judge *j = &s->judge;
    if (t != e->t) {
        dense_output_evaluate(engine_polynomial(e), t, j->other_value, j->other_yp);
        engine_restart(e, t, j->other_value, j->other_yp, e->options.first_step, 0);
    }
    s->events.cut = true;
}

/* Root functions that have no values beside the event tell nothing. */
static dae_status hold_roots(dae_solver *s, double t, const event_outcome *outcome)
{
    dae_status status = events_hold(&s->events, s->engine, t, outcome);
    if (status == DAE_OK || status == DAE_STOPPED) return status;
    message unheard = message_take_failure(&s->message);
    message_free(&unheard);
    return DAE_OK;
}

/* Leaves the last step at an event at t; the run continues from the state after it. */
static dae_status leave_step(dae_solver *s, double t, const event_outcome *outcome)
{
    events *v = &s->events;
    dae_status status;
    if (outcome->replaced) {
        status = solve_begin_replaced(s, t);
        v->cut = true;
    } else {
        status = events_leave(v, s->engine, t);
        if (status != DAE_OK) stand_at(s, t);
        if (status == DAE_OK) status = solve_restart(s, t, v->y, v->yp);
        if (status == DAE_OK) solve_pass_restart(s);
    }
    solve_leave_grid(s, t);
    if (status == DAE_OK && outcome->stays) events_keep_open(v, outcome->stays);
    return status == DAE_OK ? hold_roots(s, t, outcome) : status;
}

/* The last event of a run, at the engine's time. *any: there was one. */
static dae_status finish_events(dae_solver *s, bool *any)
{
    events *v = &s->events;
    double t = s->engine->t;
    event_outcome outcome = {0};
    *any = false;
    if (!v->source || !v->source->ops->finish) return DAE_OK;
    memset(v->crossed, 0, v->count);
    memcpy(v->y, s->engine->y, v->n * sizeof *v->y);
    memcpy(v->yp, s->engine->yp, v->n * sizeof *v->yp);
    dae_status status = note_event(s, t);
    if (status == DAE_OK)
        status = v->source->ops->finish(v->source->self, t, v->crossed, v->y, v->yp, &outcome);
    *any = status == DAE_OK && !outcome.unchanged;
    if (!*any) return fail_at_event(s, t, status);
    s->stats.events++;
    text_add(&s->event_name, "terminal()");
    s->event.name = text_string(&s->event_name);
    s->event.due = true;
    return fail_at_event(s, t, leave_step(s, t, &outcome));
}

dae_status solve_terminate(dae_solver *s, const char *reason)
{
    bool any;
    dae_status status = finish_events(s, &any);
    if (status == DAE_OK) status = solve_send_end(s, any);
    if (status != DAE_OK) return status;
    return message_fail(&s->message, DAE_TERMINATED, "terminated at t = %.9g: %s", s->engine->t,
                        reason);
}

static dae_status finish(dae_solver *s)
{
    bool any = false;
    if (s->message.status != DAE_OK || s->finished) return s->message.status;
    if (!s->started)
        return message_fail(&s->message, DAE_USAGE, "a run that has not begun cannot be finished");
    dae_status status = finish_events(s, &any);
    s->finished = true;
    return status == DAE_OK && any && s->t_row == s->engine->t ? solve_send_end(s, true) : status;
}

dae_status dae_solver_finish(dae_solver *s)
{
    if (!s || !solve_enter(s, "dae_solver_finish", false)) return DAE_USAGE;
    return solve_leave(s, finish(s));
}

/* The values before an event, and what is done at it. A run that fails stands before it. */
static dae_status update(dae_solver *s, double t, event_outcome *outcome)
{
    simulation *c = s->simulation;
    double before = s->event.t;
    dae_status status = solve_send_before(s, t);
    if (status == DAE_OK) status = note_event(s, t);
    bool noted = status == DAE_OK;
    if (noted) solve_count_gaps(s, before);
    outcome->accumulates = solve_accumulates(s);
    outcome->nears = s->nears;
    outcome->recurrence = s->recurrence;
    outcome->recurs = true;
    if (noted && s->event.roots > 0) outcome->stays = s->event_crossed + s->event.roots;
    if (status == DAE_OK) status = solve_send_left(s, t);
    bool forgets = s->options.keep_trajectory && s->events.source->ops->forgets;
    if (status == DAE_OK && forgets) status = trajectory_take_values(s, t);
    if (status == DAE_OK && t != s->engine->t && c->ops->leave) c->ops->leave(c);
    if (status == DAE_OK) status = solve_cut_past(s, t);
    if (status == DAE_OK) status = events_update(&s->events, s->engine, t, outcome);
    if (status == DAE_OK) return DAE_OK;
    stand_at(s, t);
    s->stands_before = noted;
    return fail_at_event(s, t, status);
}

/* Tries whether everything is at rest at the beginning of the last step, a time `rest` before the
 * instant at which events accumulate. If so, the run continues from that beginning, and *left is
 * set. Equations given by callbacks are not tried: only the user's program knows their modes. */
static dae_status rest_at_last(dae_solver *s, double rest, bool *left)
{
    simulation *c = s->simulation;
    events *v = &s->events;
    double t = engine_polynomial(s->engine)->t;
    event_outcome outcome = {.accumulates = fmax(rest, ROUND_OFF_VALUE * fabs(t))};
    *left = false;
    if (!events_know_signs(v)) return DAE_OK;
    memset(v->crossed, 0, v->count);
    if (c->ops->leave) c->ops->leave(c);
    dae_status status = events_update(v, s->engine, t, &outcome);
    if (status != DAE_OK) return fail_at_event(s, t, status);
    if (!outcome.rests) return DAE_OK;
    *left = true;
    solve_note_early_rest(s, t, rest);
    s->shrinking[0] = s->shrinking[1] = 0;
    s->accumulates = 0;
    events_forget_flights(v);
    status = leave_step(s, t, &outcome);
    return status == DAE_OK ? fail_at_event(s, t, events_look_ahead(v, s->engine, t)) : status;
}

/* A root has gone on to the side to which it was crossed at an event that had stopped it or turned
 * it back: that event was the last one that can be told from those that follow. One that was
 * stopped has no flights before it. Unless all is at rest there, the run stands there, and has
 * failed. */
static dae_status end_passed(dae_solver *s, bool *left)
{
    const events *v = &s->events;
    double *gap = s->event_gap, part = v->leaving[v->passed] != 0 ? gap[0] / gap[1] : 0;
    double rest = part < 1 ? gap[0] * part / (1 - part) : 0;
    text name = {0};
    v->source->ops->name(v->source->self, v->passed, &name);
    dae_status status = rest_at_last(s, rest, left);
    if (status == DAE_OK && !*left) {
        solve_report_accumulation(s, rest, text_string(&name));
        status = solve_end_within(s, engine_polynomial(s->engine)->t, left);
    }
    text_free(&name);
    return status;
}

/* Handles an event at t within the last step. *left: the step has been left there. */
static dae_status pass_event(dae_solver *s, double t, bool *left)
{
    event_outcome outcome = {0};
    dae_status status = update(s, t, &outcome);
    if (status != DAE_OK) return status;
    bool due = s->event.due, shortened = due && s->options.step > 0;
    *left = !outcome.unchanged || outcome.ends || s->options.stop_at_events || shortened;
    if (*left) status = leave_step(s, t, &outcome);
    count_event(s);
    if (status == DAE_OK && (due || *left)) status = events_look_ahead(&s->events, s->engine, t);
    if (status != DAE_OK) return fail_at_event(s, t, status);
    if (!outcome.reason) status = solve_send_right(s, t, *left);
    if (status == DAE_OK) status = call_event_watch(s);
    if (status == DAE_OK && outcome.reason) return solve_terminate(s, outcome.reason);
    /* that the event is the last one that can be told is known only after it */
    bool untried = s->events.again && !outcome.rests && outcome.accumulates == 0;
    if (status == DAE_OK && untried) status = rest_at_last(s, s->nears, &outcome.rests);
    if (status == DAE_OK && untried && outcome.rests) s->events.again = false;
    if (status == DAE_OK) solve_follow_crawl(s);
    if (status == DAE_OK) status = solve_look_for_accumulation(s, &outcome);
    if (status != DAE_OK || !outcome.ends) return status;
    const char *name = s->event.name;
    return message_fail(&s->message, DAE_STOPPED, "stopped at t = %.9g by the event%s%s", t,
                        *name ? " " : "", name);
}

/* Handles an event at the engine's time that ends a branch without values beyond. */
static dae_status pass_ending(dae_solver *s, bool closely, bool *left)
{
    if (!events_find_ending(&s->events, s->engine, closely)) return DAE_OK;
    return pass_event(s, s->engine->t, left);
}

dae_status solve_pass_turn(dae_solver *s)
{
    engine *e = s->engine;
    events *v = &s->events;
    double t = s->singular.t;
    bool left;
    memcpy(v->crossed, v->turned_to, v->count);
    engine_restart(e, t, v->y, e->yp, e->options.first_step, 0);
    events_take_state(v, e, t);
    dae_status status = events_evaluate(v, t, v->at_high);
    v->low = v->high = t;
    return status == DAE_OK ? pass_event(s, t, &left) : status;
}

/* Several roots end together, as the flows of equal valves do: the curve of solutions, which leads
 * past one of them, has no direction there. */
static dae_status pass_common_ending(dae_solver *s, bool *left)
{
    const events *v = &s->events;
    size_t ends = 0;
    if (!events_find_ending(&s->events, s->engine, false)) return DAE_OK;
    for (size_t k = 0; k < v->count; k++) ends += v->crossed[k] != 0;
    return ends > 1 ? pass_event(s, s->engine->t, left) : DAE_OK;
}

dae_status solve_pass_ending(dae_solver *s, bool *left)
{
    *left = false;
    return s->engine->failure.cause == DAE_NOT_EVALUABLE ? pass_ending(s, false, left)
                                                         : pass_common_ending(s, left);
}

/* Longer steps have no values, and a state that is rounded does not move in shorter ones, as a
 * level of 0.2 that sinks to a weir at 0.2: the branch ends there. */
static dae_status pass_creeping(dae_solver *s, bool *left)
{
    return s->engine->stepping.lacks ? pass_ending(s, true, left) : DAE_OK;
}

dae_status solve_end_within(dae_solver *s, double good, bool *left)
{
    message why = message_take_failure(&s->message);
    bool any = good != engine_polynomial(s->engine)->t;
    stand_at(s, good);
    s->ends_within = true;
    dae_status status = any ? solve_pass_events(s, left) : DAE_OK;
    s->ends_within = false;
    if (status == DAE_OK && !*left && any && why.status == DAE_NOT_EVALUABLE)
        status = pass_ending(s, false, left);
    if (status == DAE_OK && !*left && any) status = solve_warn_within(s);
    if (status == DAE_OK && !*left && any) status = solve_send(s, true);
    s->events.cut = true;
    if (status == DAE_OK && !*left)
        message_move(&s->message, &why);
    else
        message_free(&why);
    return s->message.status;
}

/* Whether root functions have values at a time of the last step. The failure that is kept becomes
 * that of the last time at which they have none. */
static bool has_roots(dae_solver *s, double t)
{
    message why = message_take_failure(&s->message);
    dae_status status = events_try(&s->events, s->engine, t);
    fail_at_event(s, t, status);
    if (status == DAE_OK)
        message_move(&s->message, &why);
    else
        message_free(&why);
    return status == DAE_OK;
}

/* For root functions that have no values at a time of the last step: the run fails where they begin
 * to have none, or is left at an event before. */
static dae_status end_with_roots(dae_solver *s, dae_status status, bool *left)
{
    enum { BISECTIONS = 60 };
    const events *v = &s->events;
    double good = events_found_until(v, s->engine), bad = v->t_tried;
    fail_at_event(s, bad, status);
    for (int i = 0; i < BISECTIONS && status == DAE_NOT_EVALUABLE; i++) {
        double middle = good + 0.5 * (bad - good);
        if (middle == good || middle == bad) break;
        *(has_roots(s, middle) ? &good : &bad) = middle;
    }
    return solve_end_within(s, good, left);
}

/* Handles an event that was found at t within the last step. */
static dae_status pass_found(dae_solver *s, double t, bool *left)
{
    if (!solve_passes_turn(s, t)) return pass_event(s, t, left);
    message_fail(&s->message, DAE_SINGULAR, "stopped at t = %.9g: the last step has gone past it",
                 s->singular.t);
    solve_report_impasse(s);
    return s->message.status;
}

dae_status solve_pass_events(dae_solver *s, bool *left)
{
    engine *e = s->engine;
    events *v = &s->events;
    double t = e->t;
    bool found = false;
    *left = false;
    if (!v->source) return DAE_OK;
    dae_status status = look_for_event(s, false, &t, &found);
    bool told = s->ends_within && status != DAE_NO_MEMORY; /* why it ends is known already */
    if (status != DAE_OK && told) return DAE_OK;
    if (status != DAE_OK) return end_with_roots(s, status, left);
    if (v->passed != SIZE_MAX) return end_passed(s, left);
    while (status == DAE_OK && found && !*left) {
        status = pass_found(s, t, left);
        if (status != DAE_OK || *left) break;
        status = look_for_event(s, true, &t, &found);
        if (status == DAE_OK && v->passed == SIZE_MAX) continue;
        if (status == DAE_OK) return end_passed(s, left);
        fail_at_event(s, v->t_tried, status);
        stand_at(s, events_found_until(v, e));
    }
    if (status == DAE_OK && !*left && events_are_due(v, e->t)) status = pass_event(s, e->t, left);
    if (status == DAE_OK && !*left && !s->ends_within) status = pass_creeping(s, left);
    if (status == DAE_OK && !*left) solve_return_to_grid(s);
    return status;
}

const dae_event *dae_solver_event(const dae_solver *s)
{
    return s && s->event.y_before ? &s->event : NULL;
}

void dae_solver_watch_events(dae_solver *s, dae_event_watch watch, void *user)
{
    if (!s) return;
    s->event_watch = watch;
    s->event_user = user;
}
