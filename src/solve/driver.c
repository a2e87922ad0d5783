#include "base/round_off.h"
#include "solve/delays.h"
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The driver: advances from step to step; projects, judges and sends each step. */

/* For a value that is missing, or an assertion that fails, at the end of a step or within it. Finds
 * the instant at which that begins. The run fails there, with the message of that instant, unless
 * an event comes before (*left). */
static dae_status stop_within(dae_solver *s, double bad, bool *left)
{
    const dense_output *step = engine_polynomial(s->engine);
    double good = step->t, end = s->engine->t;
    bool told = s->reported_unmet, instant = s->reported_instant;
    dae_status status = DAE_OK;
    s->reported_unmet = s->reported_instant = true; /* of a search's points nothing is said */
    for (int i = 0; i < SOLVE_BISECTIONS && status == DAE_OK; i++) {
        double middle = good + 0.5 * (bad - good);
        if (middle == good || middle == bad) break;
        status = solve_evaluate(s, middle, step);
        if (status != DAE_OK) break;
        if (solve_holds(s, middle))
            good = middle;
        else
            bad = middle;
    }
    if (status == DAE_OK) status = solve_evaluate(s, bad, bad == end ? NULL : step);
    s->reported_unmet = told;
    s->reported_instant = instant;
    if (status == DAE_OK) status = solve_check(s, bad);
    return status == DAE_OK ? DAE_OK : solve_end_within(s, good, left);
}

static dae_status keep_step(dae_solver *s)
{
    if (!s->options.keep_trajectory) return DAE_OK;
    return message_status(&s->message, trajectory_keep(&s->kept, engine_polynomial(s->engine)));
}

/* Names what the equations hardly determine at a point that the step has passed, and its time. */
static bool name_crossing(dae_solver *s, text *named, double *t)
{
    crossing *x = &s->crossing;
    *t = x->t;
    if (!x->found || x->reported) return false;
    s->simulation->ops->name_determined(s->simulation, x->which, named);
    return true;
}

/* Beyond a point at which solutions meet, another solution may be as valid as the one that is
 * followed. A point beyond an event at which the step is left is none of the solution. */
static void report_crossing(dae_solver *s, const text *named, double t)
{
    if ((t - s->engine->t) * s->engine->options.direction > 0) return;
    s->crossing.reported = true;
    message_note(&s->message,
                 "near t = %.6g the equations hardly determine %s: solutions meet there or come "
                 "close to each other, so that what follows may be another one than before. A "
                 "tighter tolerance shows whether it is",
                 t, text_string(named));
}

static void tell_crossing(dae_solver *s)
{
    text named = {0};
    double t;
    if (name_crossing(s, &named, &t)) report_crossing(s, &named, t);
    text_free(&named);
}

/* What is found at the end of a step: the status of its projection, how the projection went, and
 * whether the run may continue from there. */
typedef struct step_end {
    dae_status status;
    bool far, holds;
} step_end;

/* Where solutions meet, or come too close for any step to separate them: takes the step that first
 * passed the point. Returns whether it was taken. */
static bool passes_crossing(dae_solver *s)
{
    if (!crossing_takes_first(&s->crossing, s->simulation, s->engine)) return false;
    trajectory_cut(&s->kept, s->crossing.step.t);
    return true;
}

/* Whether the step has been undone because it went over to another solution nearby, or met one. */
static bool goes_over(dae_solver *s, step_end *end)
{
    crossing *x = &s->crossing;
    engine *e = s->engine;
    simulation *c = s->simulation;
    if (end->status != DAE_OK || !crossing_look(x, c, e, &s->judge)) return false;
    if (s->options.step > 0 || x->place == CROSSING_PASSING) return false;
    bool again = crossing_makes_again(x, e, &s->judge, end->holds);
    if (!again && !solve_leaps(s) && !passes_crossing(s)) return false;
    if (c->ops->leave) c->ops->leave(c);
    if (again)
        judge_undo(&s->judge, e);
    else
        end->status = solve_project_step(s, &end->far);
    return again;
}

dae_status solve_call_watch(dae_solver *s)
{
    double t = s->engine->t;
    if (!s->watch) return DAE_OK;
    s->place.between = true;
    int answer = s->watch(t, s->watch_user);
    s->place.between = false;
    simulation_report_anew(s->simulation);
    if (s->message.status != DAE_OK || answer == 0)
        return s->message.status; /* the watch may have asked for wrong times */
    return message_fail(&s->message, DAE_STOPPED, "stopped at t = %.9g on request", t);
}

static void keep_turning(dae_solver *s)
{
    const engine_point here = {s->engine->t, s->engine->y, s->engine->yp};
    simulation *c = s->simulation;
    if (c->ops->turns) c->ops->turns(c, &here, TURNING_KEEPS);
}

/* What follows once the end of a step has been projected. */
static dae_status after_step(dae_solver *s, bool holds)
{
    engine *e = s->engine;
    text named = {0};
    double crossed;
    crossing_keep(&s->crossing, s->simulation, e);
    bool crosses = name_crossing(s, &named, &crossed);
    dae_status status = growth_watch(s);
    if (status == DAE_OK) status = keep_step(s);
    if (status == DAE_OK) status = solve_keep_past(s);
    double bad = e->t;
    bool left = false;
    if (holds) holds = !solve_fails_within(s, &bad);
    if (status == DAE_OK && !holds) status = stop_within(s, bad, &left);
    if (status == DAE_OK && !left) status = solve_pass_events(s, &left);
    if (crosses) report_crossing(s, &named, crossed);
    text_free(&named);
    if (status == DAE_OK) status = left ? solve_warn_behind(s) : solve_warn_within(s);
    if (status == DAE_OK && !left) keep_turning(s); /* else the engine may be another one */
    if (status == DAE_OK && !left) status = solve_send(s, true);
    if (status == DAE_OK) status = solve_call_watch(s);
    solve_keep_sizes(s);
    if (status == DAE_OK) solve_watch_method(s);
    return status == DAE_OK ? solve_renew_formulation(s) : status;
}

/* Whether the step is undone and a shorter one tried. That is so where the constraints are far away
 * or out of reach at its end, or where a value is missing there. A failing assertion is no reason:
 * it is a property of the solution. */
static bool leaves_end(dae_solver *s, const step_end *end)
{
    simulation *c = s->simulation;
    bool out_of_reach = end->far || solve_is_of_state(end->status);
    bool is_missing = end->status == DAE_OK && !end->holds && c->ops->missing(c) >= 0;
    if (s->options.step > 0 || !(out_of_reach || is_missing)) return false;
    if (!judge_leaves_end(&s->judge, s->engine)) return false;
    if (c->ops->leave) c->ops->leave(c);
    return true;
}

/* Whether the step is undone because it does not show the flight before or after an impact, and a
 * shorter one may. Fixed steps return to their grid by and by. */
static bool hides_flight(dae_solver *s, const step_end *end)
{
    simulation *c = s->simulation;
    engine *e = s->engine;
    bool fixed = s->options.step > 0;
    double least = ROUND_OFF_LONG_SUM * fabs(e->t), shorter = JUDGE_SHORTER * fabs(e->dense.h);
    if (end->status != DAE_OK || !(shorter > least)) return false;
    bool hides = !fixed && (events_hide_flight(&s->events, e) ||
                            events_hide_roots(&s->events, e, &s->judge.begun));
    if (!hides && !events_cross_against(&s->events, e, &s->judge.begun)) return false;
    judge_undo(&s->judge, e);
    if (fixed) solve_step_off_grid(s, shorter);
    if (c->ops->leave) c->ops->leave(c);
    return true;
}

/* Says by which formulation and modes the last step is evaluated. */
static void mark_step(dae_solver *s)
{
    s->engine->dense.formulation_number = s->simulation->formulation_number;
    s->engine->dense.mode_number = s->simulation->mode_number;
}

/* The step is made once more at the same length, with other delayed values. */
static dae_status repeat_step(dae_solver *s, bool *again)
{
    if (s->simulation->ops->leave) s->simulation->ops->leave(s->simulation);
    judge_repeat(&s->judge, s->engine);
    *again = true;
    return DAE_OK;
}

/* Projects the end of a step. The step is repeated where its end is rejected. */
static dae_status take_end(dae_solver *s, bool *again)
{
    engine *e = s->engine;
    simulation *c = s->simulation;
    step_end end = {DAE_OK, false, false};
    mark_step(s);
    end.status = solve_project_step(s, &end.far);
    if (s->across_flat && solve_is_of_state(end.status)) end.status = DAE_OK;
    bool repeats = false;
    end.far = end.far || (end.status == DAE_OK && solve_misses_past(s, &repeats));
    if (repeats) return repeat_step(s, again);
    end.holds = end.status == DAE_OK &&
                (!c->ops->step_holds || c->ops->step_holds(c, e->t, e->y, e->yp));
    *again = goes_over(s, &end) || leaves_end(s, &end) ||
             (!s->across_flat && hides_flight(s, &end));
    if (*again) return DAE_OK;
    poles_keep(&s->poles);
    if (end.status == DAE_OK) return after_step(s, end.holds);
    tell_crossing(s);
    return solve_explain_point(s, e->t, end.status);
}

/* Handles a step that has passed a pole of the equations: it is repeated with a shorter length
 * (*again), or refused. */
static dae_status look_for_pole(dae_solver *s, bool *again)
{
    poles *p = &s->poles;
    double whole = s->judge.whole;
    *again = false;
    if (!poles_look(p, s->simulation, s->engine, &s->judge.begun, whole)) return DAE_OK;
    *again = s->options.step == 0 && poles_can_shorten(p, s->engine, JUDGE_SHORTER, whole);
    p->crossed = !*again;
    judge_undo(&s->judge, s->engine);
    return *again ? DAE_OK : DAE_SINGULAR;
}

/* Whether the last step has to be repeated because it misses the equations. */
static dae_status judge_last(dae_solver *s, double t_end, bool *again)
{
    judge *j = &s->judge;
    j->whole = fabs(t_end - s->t_start);
    dae_status status = look_for_pole(s, again);
    if (status != DAE_OK || *again || s->options.step > 0) return status;
    status = judge_look(j, s->engine, &s->events, j->whole);
    if (status == DAE_OK) status = solve_look_within(s);
    if (status != DAE_OK) return status;
    *again = judge_makes_again(j, s->engine) || solve_passes_pivot(s);
    if (*again || !j->refused) return DAE_OK;
    judge_undo(j, s->engine); /* no method continues from there */
    return j->branch.jumps ? DAE_SINGULAR : DAE_MISSED;
}

static bool solve_forms_anew(dae_solver *s, dae_status status)
{
    bool formed = false;
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return false;
    return solve_form_anew(s, true, &formed) == DAE_OK && formed;
}

/* Makes a step that meets the equations. *left: none is possible, but an event at the present time
 * changes the equations. */
static dae_status try_step(dae_solver *s, double t_end, bool *left)
{
    dae_status status, across;
    bool again, made = false;
    do {
        status = s->selection.next ? solve_change_engine(s) : DAE_OK;
        if (status == DAE_OK) status = solve_form_anew(s, false, &again);
        if (status != DAE_OK) return status;
        if (s->engine->counts.attempts >= s->options.max_steps)
            return solve_explain_step(s, DAE_TOO_MANY_STEPS);
        engine_point_keep(&s->judge.begun, s->engine);
        if (s->selection.automatic)
            retreat_keep(&s->retreat, s->engine, s->simulation->formulation_number);
        s->crossing.limit = t_end;
        if (crossing_wants_leap(&s->crossing) && solve_leaps(s)) return DAE_OK;
        if (crossing_rests(&s->crossing, s->simulation, s->engine)) return solve_report_rest(s);
        across = solve_step_across_flat(s, DAE_OK, t_end, &made);
        if (made || across != DAE_OK) return message_status(&s->message, across);
        status = engine_step(s->engine, t_end);
        mark_step(s);
        again = false;
        if (status == DAE_OK) status = judge_last(s, t_end, &again);
        bool of_library = status == DAE_STOPPED || status == DAE_NO_MEMORY;
        if (status != DAE_OK && !of_library && (solve_leaps(s) || passes_crossing(s)))
            return DAE_OK;
        if (solve_shortens_fixed(s, status)) {
            t_end = solve_limit(s, t_end);
            again = true;
            continue;
        }
        if (status != DAE_OK && !of_library)
            across = solve_step_across_flat(s, status, t_end, &made);
        if (made || across != DAE_OK) return message_status(&s->message, across);
        bool ends = status == DAE_STEP_TOO_SMALL || s->options.step > 0;
        if (ends && status != DAE_OK && solve_pass_ending(s, left) != DAE_OK)
            return s->message.status;
        if (*left) return DAE_OK;
        if (status != DAE_OK)
            again = solve_loosens_formulation(s, status) || solve_forms_anew(s, status) ||
                    solve_tries_another(s, status);
    } while (again);
    return status == DAE_OK ? DAE_OK : solve_explain_step(s, status);
}

/* Whether steps hardly move time, as towards an infinite derivative that no step meets: the curve
 * of solutions leads past it. Other steps of that length go on. */
static bool creeps_to_vertical(dae_solver *s)
{
    static const double HARDLY = 32 * ROUND_OFF_VALUE;
    enum { MANY = 1000 };
    const engine *e = s->engine;
    bool moves = s->options.step > 0 || fabs(e->dense.h) > HARDLY * fabs(e->t);
    s->creeping = moves ? 0 : s->creeping + 1;
    if (s->creeping < MANY) return false;
    s->creeping = 0;
    solve_look_for_impasse(s, DAE_STEP_TOO_SMALL);
    return s->singular.kind == SINGULAR_VERTICAL || s->singular.kind == SINGULAR_SWITCHES;
}

static dae_status one_step(dae_solver *s, double t_end)
{
    dae_status status;
    bool again = true, left = false;
    do {
        status = try_step(s, solve_limit(s, t_end), &left);
        if (left) return status;
        if (status == DAE_OK) status = take_end(s, &again);
    } while (status == DAE_OK && again);
    if (status == DAE_OK) solve_note_noise(s);
    if (status != DAE_OK || s->at_event || !creeps_to_vertical(s)) return status;
    message_fail(&s->message, DAE_STEP_TOO_SMALL, "stopped at t = %.9g: steps hardly move time",
                 s->engine->t);
    solve_report_impasse(s);
    return s->message.status;
}

/* Steps to the end of a run, or to an impasse point. */
static dae_status make_steps(dae_solver *s, double t_end, bool once)
{
    dae_status status = DAE_OK;
    while (status == DAE_OK && s->engine->t != t_end) {
        s->at_event = false;
        status = one_step(s, t_end);
        if (status == DAE_OK) status = turning_look(s, t_end);
        if (status == DAE_OK) status = success_look(s, t_end);
        if (status == DAE_OK && s->at_event) status = solve_look_for_crawl(s, t_end);
        if (status == DAE_OK && s->at_event) solve_begin_along(s, t_end);
        if (once || (s->at_event && s->options.stop_at_events)) break;
    }
    return status;
}

static dae_status advance(dae_solver *s, double t_end, bool once)
{
    solve_begin_along(s, t_end);
    dae_status status = solve_tell_start_event(s);
    if (status == DAE_OK && s->simulation->terminated)
        return solve_terminate(s, s->simulation->terminated);
    if (status == DAE_OK) status = solve_send(s, false);
    if (status == DAE_OK) status = solve_look_ahead(s);
    bool goes_on = status == DAE_OK;
    double handed_over = (double)NAN; /* at that time, */
    size_t after = SIZE_MAX;          /* after so many events after an impasse point */
    while (goes_on) {
        status = make_steps(s, t_end, once);
        if (status == DAE_OK || !solve_passes_impasse(s)) break;
        if (s->stats.events == after) return solve_report_event_at_impasse(s);
        status = solve_pass_impasse(s, t_end, &goes_on);
        if (status != DAE_OK || !goes_on) break;
        if (s->engine->t == handed_over) return solve_report_event_at_impasse(s);
        handed_over = s->engine->t;
        after = s->passed_turns > 0 ? s->stats.events : SIZE_MAX;
        goes_on = !once;
    }
    return status;
}

static dae_status refuse_backward(dae_solver *s)
{
    const sym_delay *d = &s->simulation->delays->system->delay.item[0];
    return message_fail(&s->message, DAE_UNSUPPORTED,
                        "a run backward in time needs values that %s (%s:%u) does not have yet",
                        d->text, s->simulation->delays->system->file, d->at.line);
}

static dae_status go_on(dae_solver *s, double t_end, bool once)
{
    if (s->message.status != DAE_OK) return s->message.status;
    if (!isfinite(t_end))
        return message_fail(&s->message, DAE_USAGE, "the end of the run is not a finite time");
    if (!s->started && solve_start(s, 0, NULL) != DAE_OK) return s->message.status;
    if (solve_look_at_times(s, t_end) != DAE_OK) return s->message.status;
    if (s->finished)
        return message_fail(&s->message, DAE_USAGE,
                            "the run was finished by dae_solver_finish(): start it anew");
    clock_t begun = clock();
    simulation_report_anew(s->simulation);
    solve_forget_stop(s);
    s->engine->options.direction = t_end >= s->engine->t ? 1 : -1;
    if (t_end < s->engine->t && s->simulation->delays) return refuse_backward(s);
    dae_status status = solve_heed_stop(s, advance(s, t_end, once));
    if (status == DAE_OK && !once) solve_note_small(s);
    s->stats.cpu_seconds += (double)(clock() - begun) / CLOCKS_PER_SEC;
    return status;
}

static dae_status enter_and_go_on(dae_solver *s, double t_end, bool once)
{
    if (!s || !solve_enter(s, once ? "dae_solver_step" : "dae_solver_run", false)) return DAE_USAGE;
    return solve_leave(s, go_on(s, t_end, once));
}

dae_status dae_solver_run(dae_solver *s, double t_end)
{
    return enter_and_go_on(s, t_end, false);
}

dae_status dae_solver_step(dae_solver *s, double t_limit)
{
    return enter_and_go_on(s, t_limit, true);
}

/* Copies the author's variables that were evaluated last. */
static void copy_values(const simulation *c, double *y, double *yp)
{
    size_t shown = c->n - c->hidden;
    memcpy(y, c->value, shown * sizeof *y);
    if (yp) memcpy(yp, simulation_shown_yp(c), shown * sizeof *yp);
}

/* The polynomial that holds at t; NULL: there is none, or t is where the engine stands. `left`: of
 * the two at an event that which led to it. */
static const dense_output *polynomial_at(dae_solver *s, double t, bool left)
{
    const engine *e = s->engine;
    if ((t - e->t) * e->options.direction > 0 && s->events.cut) return NULL;
    const dense_output *step = trajectory_find(&s->kept, t, left);
    if (step || e->dense.h == 0) return step;
    double x = (t - e->dense.t) / e->dense.h, reached = (e->t - e->dense.t) / e->dense.h;
    /* the polynomial of a step that was undone tells nothing */
    double most = s->events.cut ? reached : 1 + 1e-12;
    bool within = x >= -1e-12 && x <= most && (s->events.cut || reached > 0.5);
    return within ? engine_polynomial(s->engine) : NULL;
}

/* The values before an event that the run stands at, or has passed last, were evaluated there. */
static bool before_event(const dae_solver *s, double t, double *y, double *yp)
{
    const dae_event *e = &s->event;
    if (!e->y_before || e->t != t || !s->started) return false;
    memcpy(y, e->y_before, e->n * sizeof *y);
    if (yp) memcpy(yp, e->yp_before, e->n * sizeof *yp);
    return true;
}

static dae_status report_at(dae_solver *s, double t, bool left, double *y, double *yp)
{
    if (!s->started) return s->message.status != DAE_OK ? s->message.status : DAE_USAGE;
    const dense_output *step = polynomial_at(s, t, left);
    if (t == s->engine->t)
        step = NULL;
    else if (!step)
        return DAE_USAGE;
    dae_status kept = s->message.status;
    if (s->stands_before && before_event(s, t, y, yp)) return DAE_OK;
    if (trajectory_values(s, step, t, s->simulation->value, s->simulation->value_yp)) {
        s->simulation->rated = false;
        copy_values(s->simulation, y, yp);
        return DAE_OK;
    }
    simulation_report_anew(s->simulation);
    solve_forget_stop(s);
    dae_status status = solve_evaluate_to_show(s, t, step);
    if (kept == DAE_OK) status = solve_heed_stop(s, status);
    if (status != DAE_OK) return kept != DAE_OK ? kept : status;
    copy_values(s->simulation, y, yp);
    return DAE_OK;
}

dae_status dae_solver_at(dae_solver *s, double t, double *y, double *yp)
{
    if (!s || !y || !solve_enter(s, "dae_solver_at", true)) return DAE_USAGE;
    return solve_leave(s, report_at(s, t, false, y, yp));
}

dae_status dae_solver_at_left(dae_solver *s, double t, double *y, double *yp)
{
    if (!s || !y || !solve_enter(s, "dae_solver_at_left", true)) return DAE_USAGE;
    return solve_leave(s, before_event(s, t, y, yp) ? DAE_OK : report_at(s, t, true, y, yp));
}
