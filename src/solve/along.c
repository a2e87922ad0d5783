/* A run past impasse points, along the curve of solutions.
 *
 * Rows stay at the times of output: each time the curve comes to one of them it has a row, in the
 * order along the curve, and each impasse point has one. */
#include "solve/along.h"

#include "base/round_off.h"
#include "event/changes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The curve ends after this many times the sizes of the variables and the length of the run. */
static const double MOST_ARC = 1e5;

/* Output times this close to an impasse point, in parts of the run, have its row. */
static const double SAME_TIME = 1e-12;

/* After an instant at which a derivative is infinite the curve is followed for this part of the
 * run: steps grow from there as the distance to that instant does. */
static const double BEHIND = 1e-6;

/* Iterations to a time on a step. */
enum { MOST_ITERATIONS = 60 };

static double time_at(const along *a, const curve_point *at)
{
    return at->u[curve_order(a->curve)];
}

/* The place of a time on the last step up to a part of it, where time is `until`. Time goes one way
 * up to there. */
static dae_status find_time(along *a, double t, double high, double until, const curve_point **at)
{
    solution_curve *c = a->curve;
    size_t last = curve_order(c);
    double from = time_at(a, curve_here(c)), low = 0, part = high;
    dae_status status = DAE_OK;
    if (until != from) part = fmin((t - from) / (until - from), 1) * high;
    for (int i = 0; i < MOST_ITERATIONS && high - low > DBL_EPSILON; i++) {
        if (!(part > low && part < high)) part = 0.5 * (low + high);
        status = curve_within(c, part, at);
        if (status != DAE_OK) return status;
        double miss = time_at(a, *at) - t, rate = (*at)->slope[last] * curve_length(c);
        if (fabs(miss) <= ROUND_OFF_VALUE * fabs(t)) break;
        *(miss * a->way > 0 ? &high : &low) = part;
        part -= miss / rate;
    }
    (*at)->u[last] = t;
    return status;
}

/* Takes a point for the engine's state, and evaluates the author's variables there. */
static dae_status evaluate(along *a, const curve_point *at)
{
    dae_solver *s = a->solver;
    simulation *c = s->simulation;
    engine *e = s->engine;
    curve_values(a->curve, at, e->y, e->yp);
    e->t = time_at(a, at);
    memcpy(c->y, e->y, e->problem->n * sizeof *c->y);
    memcpy(c->yp, e->yp, e->problem->n * sizeof *c->yp);
    c->segment_formulation = c->formulation_number;
    c->passed = c->rated = false;
    c->step = 0;
    return c->ops->evaluate(c, e->t, c->y, c->yp, SIMULATION_UNMET);
}

static dae_status send_at(along *a, const curve_point *at, bool turns)
{
    dae_solver *s = a->solver;
    solve_ask_rates(s, true);
    dae_status status = evaluate(a, at);
    solve_ask_rates(s, false);
    if (status != DAE_OK) return solve_explain_point(s, time_at(a, at), status);
    if (turns && s->simulation->ops->missing(s->simulation) >= 0) return DAE_OK;
    return solve_send_values(s, time_at(a, at), !turns);
}

/* The next output time in the way of time; false: there is none. */
static bool due(const along *a, double *t)
{
    const dae_times *times = &a->solver->times;
    bool forward = a->way * a->solver->engine->options.direction > 0;
    if (!a->solver->output || (forward ? a->next >= times->count : a->next == 0)) return false;
    *t = solve_output_time(times, forward ? a->next : a->next - 1);
    return true;
}

static void pass_time(along *a)
{
    bool forward = a->way * a->solver->engine->options.direction > 0;
    a->next += forward ? 1 : (size_t)-1;
}

/* Sends the rows of the last step up to a part of it, where time is `until`. */
static dae_status send_step(along *a, double part, double until)
{
    double t;
    while (due(a, &t) && (t - until) * a->way <= 0) {
        const curve_point *at;
        pass_time(a);
        if (fabs(t - a->turned) <= SAME_TIME * a->unit) continue;
        if ((t - a->solver->t_output) * a->solver->engine->options.direction < 0) continue;
        dae_status status = find_time(a, t, part, until, &at);
        if (status == DAE_OK) status = send_at(a, at, false);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

/* Ends the last step where time turns, with the row of that point. */
static dae_status turn(along *a, double part)
{
    dae_solver *s = a->solver;
    solution_curve *c = a->curve;
    const curve_point *at;
    singular_point found = {.kind = SINGULAR_IMPASSE};
    dae_status status = singular_classify(c, a->way, part, &found);
    if (status == DAE_OK) status = curve_within(c, part, &at);
    if (status != DAE_OK) return status;
    a->turned = time_at(a, at);
    message_note(&s->message,
                 "impasse at t = %.9g, %saccessible: the run goes on past it along "
                 "the curve of solutions, with time that %s",
                 a->turned, (found.accessible) == (a->way > 0) ? "" : "in",
                 a->way > 0 ? "falls" : "rises");
    a->turns++;
    if (s->output) status = send_at(a, at, true);
    curve_move(c, at);
    if (a->beyond) curve_reverse(c);
    a->beyond = false;
    a->way = -a->way;
    along_look_ahead(a);
    return status;
}

/* Whether time passes `border` in the way it goes; the last step then ends there. */
static dae_status end_at(along *a, double border, bool *ends)
{
    solution_curve *c = a->curve;
    const curve_point *at;
    *ends = (time_at(a, curve_next(c)) - border) * a->way >= 0;
    if (!*ends) return DAE_OK;
    double until = time_at(a, curve_next(c));
    dae_status status = send_step(a, 1, border);
    if (status == DAE_OK) status = find_time(a, border, 1, until, &at);
    if (status != DAE_OK) return status;
    status = evaluate(a, at);
    curve_move(c, at);
    return status;
}

/* What changes while time falls has no event: an event says what is behind it as time rises. */
static dae_status report_event(along *a)
{
    dae_solver *s = a->solver;
    text named = {0};
    along_name_event(a, &named);
    message_fail(
        &s->message, DAE_EVENT,
        "stopped at t = %.9g after %zu impasse point%s: %s changes there while time falls "
        "along the curve of solutions, and events tell only what follows as time rises. "
        "What was computed up to there is kept\n  remedy: end the run at the impasse point, "
        "or write without an event what changes there, by noEvent()",
        a->found, a->turns, a->turns == 1 ? "" : "s", text_string(&named));
    text_free(&named);
    return s->message.status;
}

/* Ends the curve at an event at a part of the last step. As time rises, a run as any other goes on
 * from half the way there, and finds the event by itself. */
static dae_status meet_event(along *a, double part)
{
    const curve_point *at;
    bool forward = a->way * a->solver->engine->options.direction > 0;
    double x = forward ? 0.5 * part : part;
    dae_status status = curve_within(a->curve, x, &at);
    if (status == DAE_OK) status = send_step(a, x, time_at(a, at));
    if (status == DAE_OK) status = curve_within(a->curve, x, &at);
    if (status == DAE_OK) status = evaluate(a, at);
    if (status != DAE_OK) return status;
    curve_move(a->curve, at);
    a->ended = a->hands_over = forward;
    return forward ? DAE_OK : report_event(a);
}

static dae_status one_step(along *a)
{
    dae_solver *s = a->solver;
    solution_curve *c = a->curve;
    double part, place, border = a->way * s->engine->options.direction > 0 ? a->end : s->t_start;
    bool found;
    dae_status status = curve_step(c, 0);
    if (status != DAE_OK) return status;
    a->arc += curve_length(c);
    s->engine->counts.steps++;
    s->engine->counts.attempts++;
    bool turns = singular_turns(c, a->way, &part);
    place = turns ? part : 1;
    status = along_find_event(a, border, &place, &found);
    if (status != DAE_OK || found) return status == DAE_OK ? meet_event(a, place) : status;
    bool passes = option_is(s->options.singular, "pass") && !a->switches;
    if (turns && a->vertical && !passes) return DAE_SINGULAR;
    if (turns) {
        const curve_point *at;
        status = curve_within(c, part, &at);
        a->turned = time_at(a, at);
        if (status == DAE_OK && !a->beyond) status = send_step(a, part, a->turned);
        return status == DAE_OK ? turn(a, part) : status;
    }
    status = end_at(a, border, &a->ended);
    if (status != DAE_OK || a->ended) return status;
    if (!a->beyond) status = send_step(a, 1, time_at(a, curve_next(c)));
    curve_move(c, curve_next(c));
    if (status == DAE_OK) status = evaluate(a, curve_here(c));
    double passed = time_at(a, curve_here(c)) - a->begun;
    if (a->vertical && a->turns == 0 && fabs(passed) >= BEHIND * a->unit)
        a->ended = a->hands_over = true;
    return status == DAE_OK ? solve_call_watch(s) : status;
}

static dae_status follow(along *a)
{
    dae_solver *s = a->solver;
    while (!a->ended) {
        dae_status status = one_step(a);
        if (s->message.status != DAE_OK) return s->message.status;
        if (status == DAE_OK && s->engine->counts.attempts >= s->options.max_steps)
            status = DAE_TOO_MANY_STEPS;
        if (status != DAE_OK || a->arc > MOST_ARC) {
            double t = time_at(a, curve_here(a->curve));
            return message_fail(&s->message, status == DAE_OK ? DAE_SINGULAR : status,
                                "stopped at t = %.9g after %zu impasse point%s: the curve of "
                                "solutions %s. What was computed up to there is kept.",
                                t, a->turns, a->turns == 1 ? "" : "s",
                                status == DAE_OK ? "does not come to the end of the run"
                                                 : dae_status_meaning(status));
        }
    }
    return DAE_OK;
}

bool solve_passes_impasse(const dae_solver *s)
{
    const singular_point *f = &s->singular;
    if (s->simulation->delays) return false;
    bool passes = option_is(s->options.singular, "pass");
    if (f->kind == SINGULAR_VERTICAL || f->kind == SINGULAR_SWITCHES)
        return passes || s->options.step == 0;
    return passes && f->kind == SINGULAR_IMPASSE && f->accessible;
}

static dae_status create(dae_solver *s, double t_end, solution_curve **c)
{
    const engine *e = s->engine;
    curve_options options = {.rtol = s->options.rtol,
                             .atol = s->options.atol,
                             .atols = s->inner_atols,
                             .time_unit = fabs(t_end - s->t_start)};
    *c = NULL;
    if (!(options.time_unit > 0)) return DAE_UNSUPPORTED;
    dae_status status = curve_create(c, e->problem, &options, e->t, e->y, e->yp);
    /* the first tangent has time rise */
    if (status == DAE_OK && e->options.direction < 0) curve_reverse(*c);
    return status;
}

/* Near an impasse point an error may bring a step past it. The orientation of the curve in the
 * direction of time tells: it is that of the start before the point, and the opposite beyond. */
void solve_begin_along(dae_solver *s, double t_end)
{
    solution_curve *c;
    s->orientation = 0;
    if (!option_is(s->options.singular, "pass") || !engine_can_lend(s->engine)) return;
    if (create(s, t_end, &c) == DAE_OK) s->orientation = curve_here(c)->orientation;
    curve_free(c);
    engine_lend(s->engine);
}

static dae_status take_room(along *a, workspace *space)
{
    size_t roots = a->solver->events.count, size = curve_order(a->curve) + 1;
    for (int placing = 0; placing < 2; placing++) {
        a->side = workspace_take(space, roots, sizeof *a->side);
        a->point.u = workspace_doubles(space, size);
        a->point.slope = workspace_doubles(space, size);
        if (!placing && workspace_allocate(space) != DAE_OK) return DAE_NO_MEMORY;
    }
    return DAE_OK;
}

/* The run stands where the curve has ended. */
static dae_status stand_there(along *a)
{
    dae_solver *s = a->solver;
    engine *e = s->engine;
    s->next_time = a->hands_over ? a->next : s->times.count;
    if (a->way * e->options.direction < 0)
        message_note(&s->message, "the curve comes back to the start time, where the run ends");
    if (a->hands_over) trajectory_cut(&s->kept, e->t);
    dae_status status = solve_restart_afresh(s, e->t, s->simulation->y, s->simulation->yp);
    if (status != DAE_OK || !a->hands_over) return status;
    status = events_begin(&s->events, s->events.source, e);
    return status == DAE_OK ? solve_look_ahead(s) : status;
}

/* Time is at rest along the curve where the equations change, and tells no way: the curve goes to
 * the side to which the relation has changed. */
static dae_status turn_to_side(along *a, signed char side)
{
    dae_solver *s = a->solver;
    events *v = &s->events;
    solution_curve *c = a->curve;
    for (int k = 0; k < 2; k++) {
        dae_status status = curve_step(c, 0);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status == DAE_OK) {
            curve_values(c, curve_next(c), v->y, v->yp);
            status = events_evaluate(v, time_at(a, curve_next(c)), v->value);
        }
        if (status == DAE_OK && v->value[s->turned_root] * side > 0) return DAE_OK;
        curve_reverse(c);
    }
    return DAE_SINGULAR;
}

/* Past an impasse point there is an event, to which no steps lead. */
dae_status solve_report_event_at_impasse(dae_solver *s)
{
    return message_replace(
        &s->message, DAE_EVENT,
        "stopped at t = %.9g: the event that follows lies at an impasse point, where "
        "no step leads to it\n  remedy: let it happen a little before or after the "
        "point",
        s->engine->t);
}

/* From the point at which no step succeeds to where a run as any other goes on. */
static dae_status pass(along *a, double t_end)
{
    dae_solver *s = a->solver;
    workspace space = {0};
    bool switches = a->switches;
    signed char side = switches ? s->events.turned_to[s->turned_root] : 0;
    dae_status status = switches && !s->turn_stays ? solve_pass_turn(s) : DAE_OK;
    engine *e = s->engine; /* the event may have brought another one */
    if (status == DAE_OK) status = create(s, t_end, &a->curve);
    if (status == DAE_OK && switches) status = turn_to_side(a, side);
    if (status == DAE_OK) status = take_room(a, &space);
    if (status == DAE_OK) {
        a->way = e->options.direction;
        a->begun = e->t;
        a->beyond = s->orientation * curve_here(a->curve)->orientation < 0;
        along_watch_events(a);
        status = follow(a);
        s->next_time = s->times.count;
        memcpy(s->simulation->y, e->y, e->problem->n * sizeof *e->y);
        memcpy(s->simulation->yp, e->yp, e->problem->n * sizeof *e->yp);
    }
    curve_free(a->curve);
    if (status == DAE_OK) status = stand_there(a);
    workspace_free(&space);
    return status == DAE_OK ? DAE_OK : message_status(&s->message, status);
}

dae_status solve_pass_impasse(dae_solver *s, double t_end, bool *goes_on)
{
    along a = {.solver = s,
               .end = t_end,
               .unit = fabs(t_end - s->t_start),
               .next = s->next_time,
               .vertical = s->singular.kind != SINGULAR_IMPASSE,
               .switches = s->singular.kind == SINGULAR_SWITCHES,
               .turned = (double)NAN};
    message why = message_take_failure(&s->message);
    text_clear(&s->message.sentence);
    double t = s->singular.t;
    dae_status status = pass(&a, t_end);
    s->singular.kind = SINGULAR_NONE;
    s->passed_turns = a.turns;
    *goes_on = a.hands_over;
    if (status == DAE_OK && a.vertical && !s->told_vertical) {
        message_note(
            &s->message,
            "at t = %.9g a derivative becomes infinite for an instant: the run goes on past "
            "it along the curve of solutions, here and at others like it",
            t);
        s->told_vertical = true;
    }
    bool of_library = status == DAE_STOPPED || status == DAE_NO_MEMORY;
    if (status != DAE_OK && !of_library && a.vertical && a.turns == 0) {
        message unheard = message_take_failure(&s->message);
        message_free(&unheard);
        message_move(&s->message, &why); /* the first failure says more */
        if (a.switches && option_is(s->options.singular, "pass")) solve_report_event_at_impasse(s);
    }
    message_free(&why);
    return s->message.status;
}
