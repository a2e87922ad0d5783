/* Messages on what stopped a run, in the author's names. */
#include "base/round_off.h"
#include "projection/algebraic.h"
#include "solve/solver.h"

#include <float.h>
#include <math.h>

void solve_begin_failure(dae_solver *s, dae_status status, double t)
{
    message_fail(&s->message, status, "stopped at t = %.9g after %zu step%s: ", t,
                 s->engine->counts.steps, s->engine->counts.steps == 1 ? "" : "s");
}

static void add_variable(dae_solver *s, const char *before, size_t j)
{
    problem *p = s->engine->problem;
    message_more(&s->message, "%s", before);
    p->form->name_variable(p->self, j, &s->message.sentence);
}

static void add_equation(dae_solver *s, const char *before, size_t i)
{
    problem *p = s->engine->problem;
    message_more(&s->message, "%s", before);
    p->form->name_equation(p->self, i, &s->message.sentence);
}

bool solve_is_of_equations(dae_status status)
{
    return status == DAE_STEP_TOO_SMALL || status == DAE_NEWTON || status == DAE_ERROR_TEST ||
           status == DAE_SINGULAR;
}

bool solve_is_of_state(dae_status status)
{
    return status == DAE_CONSTRAINT || status == DAE_SINGULAR || status == DAE_NOT_EVALUABLE;
}

/* The variable of smooth equations that ends the solution where no step succeeds. Near folds and
 * poles noise is large too, but it is not the cause. */
static size_t find_end(const dae_solver *s)
{
    const judge *j = &s->judge;
    return j->branch.jumps ? j->branch.suspect : branch_fastest(&j->branch, s->engine, j->whole);
}

/* Appends the noise that makes the step fail, or else another possible cause. */
static void report_noise(dae_solver *s, const char *otherwise)
{
    const step_failure *failure = &s->engine->failure;
    if (!(failure->noise > 0) || find_end(s) != PROBLEM_NOWHERE) {
        message_more(&s->message, ". Perhaps %s", otherwise);
        return;
    }
    add_variable(s, ". Round-off in the equations changes ", failure->noisiest);
    message_more(&s->message,
                 " by %.2g times the error that a step is allowed: loosen the tolerance, write the "
                 "equations with less cancellation, or give derivatives that are more exact",
                 failure->noise);
}

/* Reports why the last attempts failed, whatever status the run ended with. */
static void report_cause(dae_solver *s)
{
    message *m = &s->message;
    const step_failure *failure = &s->engine->failure;
    switch (failure->cause) {
    case DAE_NEWTON:
        add_variable(s, "Newton's iteration does not converge, worst in ", failure->worst);
        add_equation(s, " and in ", failure->worst_row);
        report_noise(s, "the solution ends there, or an equation jumps");
        break;
    case DAE_SINGULAR:
        message_more(m, "the iteration matrix is singular: near this point the equations do not "
                        "determine ");
        if (failure->worst != PROBLEM_NOWHERE)
            add_variable(s, "", failure->worst);
        else
            message_more(m, "all variables");
        if (failure->worst_row != PROBLEM_NOWHERE)
            add_equation(s, "; no unknown enters ", failure->worst_row);
        break;
    case DAE_NOT_EVALUABLE:
        s->simulation->ops->report_missing(s->simulation, failure->worst_row, &m->sentence);
        break;
    default:
        add_variable(s, "the error test fails however small the step, worst in ", failure->worst);
        message_more(m, " = %.6g", s->engine->y[failure->worst]);
        report_noise(s, "it tends to infinity there, or jumps");
    }
}

/* Appends a remedy where the equations may be at fault. Returns whether it names equations that say
 * nothing there. */
static bool report_remedy(dae_solver *s, dae_status status)
{
    bool of_equations = solve_is_of_equations(status) || status == DAE_CONSTRAINT;
    bool has_values = !s->engine || s->engine->failure.cause != DAE_NOT_EVALUABLE;
    bool fits = has_values || s->simulation->flat;
    if (!of_equations || !fits || !s->simulation->ops->report_remedy) return false;
    return s->simulation->ops->report_remedy(s->simulation, &s->message.sentence);
}

/* Reports the variable before whose end no step succeeds. */
static void report_end(dae_solver *s)
{
    const judge *j = &s->judge;
    message *m = &s->message;
    size_t variable = find_end(s);
    if (variable == PROBLEM_NOWHERE) return;
    const double rate = j->branch.rate[variable];
    add_variable(s, "\n  ", variable);
    if (s->engine->t == s->t_start) { /* the start may not be the intended one */
        message_more(m,
                     " changes by %.2g in a unit of time where the run begins: an equation may "
                     "jump there, or the start lie on another branch of the equations than the one "
                     "that is meant, be too small for its nominal size, or stand before a fold or "
                     "a pole\n  remedy: look at the values of the start (daedal init); give start "
                     "values nearer to what is meant, and a nominal to what is far from 1 in size",
                     rate);
    } else if (s->simulation->combined) {
        message_more(m,
                     " changes by %.2g in a unit of time: the combinations of equations that are "
                     "integrated, as the structure of these misleads, may say nothing at this "
                     "point, or the solution ends there\n  remedy: write the equations so that "
                     "each of them shows which variables it is for; a start after this point "
                     "finds other combinations",
                     rate);
    } else {
        message_more(m,
                     " probably stands before a fold or a pole at t = %.6g: it changes by %.2g in "
                     "a unit of time, and its equations have no continuation there",
                     s->engine->t, rate);
        add_variable(s, "\n  remedy: say how the system goes on, as by a small inertia eps*der(",
                     variable);
        add_variable(s, ") in the equation of ", variable);
    }
}

/* Reports what ends the solution there, or makes all steps alike. Returns whether something does.
 */
static bool report_end_of_solution(dae_solver *s)
{
    message *m = &s->message;
    const branch *b = &s->judge.branch;
    const step_failure *failure = &s->engine->failure;
    if (s->poles.crossed) {
        message_more(m, "the solution meets a pole just after this time and ends there. A divisor, "
                        "or the coefficient of the unknown, becomes 0 in: ");
        s->simulation->ops->name_divided(s->simulation, s->poles.which, &m->sentence);
        if (s->poles.by)
            message_more(m, " (steps within the tolerance have come past it: tighten that, or the "
                            "nominal size of what it is made of)");
    } else if (b->jumps) {
        add_variable(s, b->turns ? "the derivative of " : "", b->suspect);
        message_more(m,
                     " = %.6g jumps to %.6g in a step however short: it comes to another branch of "
                     "its equations",
                     b->before, b->after);
    } else if (failure->by_round_off) {
        message_more(m,
                     "round-off in the equations is as large as the tolerance allows the error to "
                     "be: steps of %.2g are no more accurate than longer ones",
                     fabs(failure->step));
        add_variable(s, ", worst in ", failure->worst);
        message_more(m, " = %.6g. Loosen the tolerance", s->engine->y[failure->worst]);
    }
    return s->poles.crossed || b->jumps || failure->by_round_off;
}

/* Reports variables that are not determined at the end of the last step, whatever stopped the next
 * one. */
static bool report_undetermined_end(dae_solver *s)
{
    text why = {0};
    if (s->engine->counts.steps == 0 || !s->simulation->projection) return false;
    solve_look_at_end(s);
    bool is_reported = solve_report_undetermined(s, s->engine->t, &why);
    if (is_reported) message_more(&s->message, "; %s", text_string(&why));
    text_free(&why);
    return is_reported;
}

/* Where Newton's iteration fails right after an event, the new modes have usually cut something off
 * or closed it, as where a switch interrupts a current that nothing else takes over. */
static void report_event_before(dae_solver *s, double t)
{
    if (s->stats.events == 0 || s->event.t != t || s->engine->failure.cause != DAE_NEWTON) return;
    message_more(
        &s->message,
        "\n  remedy: this follows at once on the event at that time: where an ideal switch "
        "or diode closes a loop there, or cuts a current off, give it a small resistance "
        "or conductance");
}

/* Reports where the solution is singular. Where an equation says nothing, what it determined tends
 * anywhere within rounding: that is no fold and no pole of it. */
static void report_singularity(dae_solver *s, bool is_lost)
{
    if (is_lost && (s->singular.kind == SINGULAR_NONE || s->singular.kind == SINGULAR_POLE)) return;
    if (!solve_report_impasse(s) && s->options.step == 0) report_end(s);
}

dae_status solve_explain_step(dae_solver *s, dae_status status)
{
    message *m = &s->message;
    double t = s->engine->t;
    solve_begin_failure(s, status, t);
    const simulation *c = s->simulation;
    if (solve_is_of_equations(status) && c->ops->report_beyond &&
        c->ops->report_beyond(c, &m->sentence)) { /* an index that is not solved explains it */
        message_more(m, ". What was computed up to there is kept.");
        return m->status;
    }
    switch (status) {
    case DAE_STEP_TOO_SMALL:
        message_more(m, "the step size falls below %.2g, too small to move t; ",
                     fmax(fabs(t), DBL_MIN) * ROUND_OFF_VALUE);
        if (s->engine->failure.cause != DAE_OK)
            report_cause(s);
        else
            message_more(m, "no step that long was tried, as longer ones are not allowed: allow "
                            "them (max_step, or a later end)");
        break;
    case DAE_NEWTON:
    case DAE_SINGULAR:
    case DAE_NOT_EVALUABLE:
    case DAE_ERROR_TEST:
        if (report_end_of_solution(s)) break;
        if (s->options.step > 0)
            message_more(m, "with the fixed step of %.6g, ", s->options.step);
        else
            message_more(m, "no step succeeds, the last that was tried being %.2g long; ",
                         fabs(s->engine->failure.step));
        report_cause(s);
        break;
    case DAE_MISSED:
        add_equation(s, "the step that leads there misses ", s->judge.end.row);
        message_more(m,
                     " by what a change of its variables by %.2g tolerances would remove, and "
                     "shorter ones do as well. Perhaps an equation jumps there; or try another "
                     "method",
                     s->judge.end.size);
        break;
    case DAE_TOO_MANY_STEPS:
        message_more(m, "%zu steps are allowed (option max_steps), ", s->options.max_steps);
        if (s->engine->counts.attempts > s->engine->counts.steps)
            message_more(m, "and %zu that were rejected count as well; ",
                         s->engine->counts.attempts - s->engine->counts.steps);
        message_more(m,
                     "the last that was tried was %.3g long. Allow more, or loosen the tolerance",
                     fabs(s->engine->failure.step));
        break;
    default: message_more(m, "%s", dae_status_meaning(status));
    }
    bool no_step = solve_is_of_equations(status) || status == DAE_NOT_EVALUABLE;
    bool undetermined = no_step && report_undetermined_end(s);
    message_more(m, ". What was computed up to there is kept.");
    bool is_lost = report_remedy(s, status);
    if (!is_lost) report_event_before(s, t);
    if (no_step) solve_look_for_impasse(s, status);
    if (no_step && !undetermined) report_singularity(s, is_lost);
    return s->message.status;
}

/* Begins a message at the start or after some steps. */
static void begin_at(dae_solver *s, dae_status status, double t)
{
    if (s->engine && s->engine->counts.steps > 0)
        solve_begin_failure(s, status, t);
    else
        message_fail(&s->message, status, "at the start, t = %.9g: ", t);
}

void solve_forget_stop(dae_solver *s)
{
    if (s->simulation && s->simulation->stop) *s->simulation->stop = (stop_request){0};
}

dae_status solve_heed_stop(dae_solver *s, dae_status status)
{
    const simulation *c = s->simulation;
    message *m = &s->message;
    if (!c || !c->stop || !stop_is_asked(c->stop)) return status;
    size_t steps = s->engine ? s->engine->counts.steps : 0;
    if (s->engine)
        message_replace(m, DAE_STOPPED,
                        "stopped at t = %.9g after %zu step%s: ", dae_solver_time(s), steps,
                        steps == 1 ? "" : "s");
    else
        message_replace(m, DAE_STOPPED,
                        "stopped in the search for the start at t = %.9g: ", s->t_start);
    message_more(m, "the callback %s asked to stop (it returned %d)%s", c->stop->callback,
                 c->stop->code, s->engine ? ". What was computed up to there is kept." : "");
    return m->status;
}

dae_status solve_explain_missing(dae_solver *s, double t, size_t variable)
{
    simulation *c = s->simulation;
    begin_at(s, DAE_NOT_EVALUABLE, t);
    message_more(&s->message, "%s has no finite value: ", c->variable[variable]);
    if (c->ops->blame)
        c->ops->blame(c, &s->message.sentence);
    else
        message_more(&s->message,
                     "a division by zero, a root or logarithm where it ends, or a number that is "
                     "too large, in %s",
                     c->variable[variable]);
    message_more(&s->message, ". What was computed before is kept.");
    return s->message.status;
}

bool solve_report_undetermined(const dae_solver *s, double t, text *reported)
{
    static const char REMEDY[] = ". Give them what determines them everywhere, as a small leak or "
                                 "friction does";
    const simulation *c = s->simulation;
    if (!c->levels || !c->projection) return false;
    const double *z = projection_failure_point(c->projection);
    bool is_reported = levels_report_undetermined(c->levels, t, z, reported);
    if (is_reported) text_add(reported, REMEDY);
    return is_reported;
}

static void report_projection(dae_solver *s, double t)
{
    const constraint_levels *levels = s->simulation->levels;
    size_t level, row;
    projection_failure(s->simulation->projection, &level, &row);
    if (solve_report_undetermined(s, t, &s->message.sentence)) return;
    if (level >= levels->count) {
        message_more(&s->message, "the Jacobian of the constraints, or of the equations for "
                                  "derivatives, has no finite value there");
    } else {
        message_more(&s->message, "the state cannot be brought back to the constraints, worst in ");
        levels->form->name_row(levels->self, level, row, &s->message.sentence);
        message_more(&s->message, ". Constraints may become dependent at this point");
    }
}

dae_status solve_explain_point(dae_solver *s, double t, dae_status status)
{
    if (s->message.status != DAE_OK) return s->message.status;
    bool projected = status == DAE_SINGULAR || status == DAE_CONSTRAINT;
    begin_at(s, projected ? DAE_CONSTRAINT : status, t);
    if (s->simulation->ops->report_point)
        s->simulation->ops->report_point(s->simulation, status, &s->message.sentence);
    else if (projected || (status == DAE_NOT_EVALUABLE && s->simulation->projection))
        report_projection(s, t);
    else
        message_more(&s->message, "%s", dae_status_meaning(status));
    message_more(&s->message, ". What was computed up to there is kept.");
    report_remedy(s, s->message.status);
    return s->message.status;
}
