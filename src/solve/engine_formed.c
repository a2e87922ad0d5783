/* How a run goes on after an event, and with equations that were formed anew. */
#include "base/round_off.h"
#include "solve/solver.h"

#include "method/catalogue.h"

#include <math.h>
#include <string.h>

/* Chooses a method for other equations, where the choice is free. */
static dae_status select_again(dae_solver *s, double t)
{
    if (!s->selection.automatic) return DAE_OK;
    text unheard = {0};
    method_view view = solve_method_view(s, t, s->simulation->y);
    dae_status status = method_selection_begin(&s->selection, &view, &unheard);
    text_free(&unheard);
    return message_status(&s->message, status);
}

/* Whether the author's method computes derivatives from values alone. */
static bool is_of_slopes(const dae_solver *s)
{
    const method *m = s->method;
    return m->stages > 0 && method_is_explicit(m) && m->family != METHOD_HALF_EXPLICIT;
}

static bool has_algebraic(const problem *p)
{
    for (size_t k = 0; k < p->n; k++)
        if (!p->dynamic[k]) return true;
    return false;
}

bool solve_is_on_state_space(const dae_solver *s)
{
    const char *prefix = derived_prefix(METHOD_STATE_SPACE);
    return s->method && !s->selection.automatic && s->method->family == METHOD_STATE_SPACE &&
           strncmp(s->options.method, prefix, strlen(prefix)) != 0;
}

const char *solve_name_of(const dae_solver *s, bool on_state_space, text *name)
{
    if (!on_state_space) return solve_is_on_state_space(s) ? s->options.method : s->method->name;
    text_format(name, "%s%s", derived_prefix(METHOD_STATE_SPACE), s->options.method);
    return text_string(name);
}

/* An explicit Runge-Kutta method goes on on the state-space form where equations have algebraic
 * variables, as the share of a sliding motion: it solves for them at each stage. */
const char *solve_method_of_formed(dae_solver *s, double t, text *name)
{
    if (s->selection.automatic) return s->selection.name;
    bool derived = solve_is_on_state_space(s);
    if (!derived && (s->method->family == METHOD_STATE_SPACE || !is_of_slopes(s)))
        return s->method->name;
    if (!has_algebraic(s->simulation->problem)) return s->options.method;
    if (derived) return s->method->name;
    solve_name_of(s, true, name);
    if (!strstr(dae_solver_notes(s), text_string(name)))
        message_note(
            &s->message,
            "from t = %.9g on, where the equations have algebraic variables, %s solves for "
            "them at each stage (%s)",
            t, s->options.method, text_string(name));
    return text_string(name);
}

/* Goes on with equations that were formed anew, from the state in their unknowns. `first_step`: 0
 * if it is not known. */
static dae_status begin_formed(dae_solver *s, double t, double first_step)
{
    text derived = {0};
    dae_status status = solve_form_engine(s, solve_method_of_formed(s, t, &derived), t, first_step);
    text_free(&derived);
    return status;
}

/* After an event no polynomial predicts the stages of an implicit method. So the first step there
 * is this part of the last one, or of the one that its error would allow next: a known time may
 * have cut the last one short. The first step of a multistep method is one of its starter, in place
 * of as many as the order says. */
static const double PART_OF_LAST = 0.5;

/* Steps that were no longer than so many of those that are too short to move time, as where they
 * led to the end of a root's domain, tell nothing of what is behind. */
static const double TELLING = 1e4;

static double first_step_behind(const dae_solver *s)
{
    const engine *e = s->engine;
    double last = fmax(fabs(e->dense.h), e->stepping.step);
    bool tells = last > TELLING * ROUND_OFF_VALUE * fabs(e->t);
    bool begins = !s->method->multistep || e->starter.engine; /* else with order 1 */
    if (s->method->multistep) last *= e->order_level;
    if (!tells || !begins || last == 0) return e->options.first_step;
    return PART_OF_LAST * last;
}

/* Says where the author's method cannot go on, before why. */
static dae_status report_method(dae_solver *s, double t, dae_status status)
{
    if (status != DAE_UNSUPPORTED && status != DAE_INDEX) return status;
    text why = {0};
    const char *name = s->event.name;
    text_add(&why, message_string(&s->message));
    message_replace(&s->message, status,
                    "after the event at t = %.9g%s%s the equations are others: %s", t,
                    *name ? ", " : "", name, text_string(&why));
    text_free(&why);
    return status;
}

dae_status solve_begin_replaced(dae_solver *s, double t)
{
    dae_status status = solve_take_tolerances(s);
    solve_forget_weakest(s);
    if (status == DAE_OK) status = select_again(s, t);
    if (status == DAE_OK) status = report_method(s, t, begin_formed(s, t, first_step_behind(s)));
    if (status == DAE_OK) status = events_begin(&s->events, s->simulation->events, s->engine);
    return status;
}

dae_status solve_restart(dae_solver *s, double t, const double *y, const double *yp)
{
    engine *e = s->engine;
    double longest = s->judge.longest;
    engine_restart(e, t, y, yp, first_step_behind(s), e->order_level);
    dae_status status = solve_begin_watches(s);
    s->judge.longest = longest; /* steps as long as those before the event are nothing new */
    return status;
}

dae_status solve_restart_afresh(dae_solver *s, double t, const double *y, const double *yp)
{
    engine *e = s->engine;
    engine_restart(e, t, y, yp, e->options.first_step, 0);
    return solve_begin_watches(s);
}

static dae_status carry(void *self, double t, double *y)
{
    simulation *c = self;
    return c->ops->carry(c, t, y);
}

dae_status solve_renew_formulation(dae_solver *s)
{
    simulation *c = s->simulation;
    engine *e = s->engine;
    bool renewed = false;
    if (!c->ops->renew) return DAE_OK;
    dae_status status = c->ops->renew(c, e->t, e->y, e->yp, &renewed);
    if (status != DAE_OK) return solve_explain_point(s, e->t, status);
    if (!renewed) return DAE_OK;
    s->stats.chart_changes++;
    status = engine_carry(e, c->y, c->yp, carry, c);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY)
        return status == DAE_OK ? DAE_OK : solve_explain_point(s, e->t, status);
    if (!s->method->multistep) /* multistep methods begin with order 1 and a step of their own */
        e->options.first_step = 2 * fabs(e->dense.h);
    engine_start(e, e->t, c->y, c->yp);
    return DAE_OK;
}

/* If newly formed combinations fail again within this many steps, there is nothing better to form.
 */
enum { FEW_STEPS = 5 };

/* Little is left of a constraint where this part is. */
static const double LITTLE = 0.1;

/* Whether little is left of the weakest constraint, relative to its value after the first step. */
static bool says_little(dae_solver *s)
{
    const double left = s->simulation->left;
    if (s->engine->dense.h == 0) return false;
    if (s->left_at_first == 0) s->left_at_first = left;
    if (!(left < LITTLE * s->left_at_first)) return false;
    s->left_at_first = left; /* answers true again only after another such loss */
    return true;
}

/* Whether the run creeps towards a point where the combinations determine nothing. Beside it, they
 * amplify rounding without limit. Where they say as much as ever, steps are as short as the
 * solution needs, as in the 1e-8 s in which a diode takes over a current. */
static bool creeps(dae_solver *s)
{
    static const double TINY = 1e-7;
    enum { MANY = 30 };
    bool tiny = fabs(s->engine->dense.h) < TINY * s->longest_step && s->simulation->left < LITTLE;
    s->longest_step = fmax(s->longest_step, fabs(s->engine->dense.h));
    s->tiny_steps = tiny ? s->tiny_steps + 1 : 0;
    return s->tiny_steps > MANY;
}

/* What is left of pivots at a point within the last step. */
static double left_within(dae_solver *s, size_t point)
{
    const simulation *c = s->simulation;
    judge *j = &s->judge;
    const dense_output *step = engine_polynomial(s->engine);
    double t = judge_time(j, step, point);
    dense_output_evaluate(step, t, j->value, j->value_yp);
    return c->ops->pivot_left(s->simulation, t, j->value, j->value_yp);
}

bool solve_passes_pivot(dae_solver *s)
{
    simulation *c = s->simulation;
    engine *e = s->engine;
    const engine_point *begun = &s->judge.begun;
    double shorter = JUDGE_SHORTER * fabs(e->dense.h);
    if (!c->ops->pivot_left || !c->combined) return false;
    if (shorter <= ROUND_OFF_LONG_SUM * fabs(e->t)) return false;
    if (c->ops->pivot_left(c, begun->t, begun->y, begun->yp) < PIVOT_WORN) return false;
    bool passes = c->ops->pivot_left(c, e->t, e->y, e->yp) < 0;
    for (size_t i = 0; i < s->judge.points && !passes; i++) passes = left_within(s, i) < 0;
    if (passes) judge_undo(&s->judge, e);
    return passes;
}

/* Whether what is integrated divides by pivots. */
static bool divides_at(dae_solver *s, double t, const double *y, const double *yp)
{
    simulation *c = s->simulation;
    return c->ops->pivot_left && c->ops->pivot_left(c, t, y, yp) < HUGE_VAL;
}

/* Root functions are looked at in the unknowns of the new equations. */
static dae_status begin_anew(dae_solver *s, double t, double first_step)
{
    double next = s->events.next;
    dae_status status = begin_formed(s, t, first_step);
    if (status != DAE_OK || !s->simulation->events) return status;
    status = events_begin(&s->events, s->simulation->events, s->engine);
    s->events.next = next;
    return message_status(&s->message, status);
}

dae_status solve_form_anew(dae_solver *s, bool failed, bool *formed)
{
    simulation *c = s->simulation;
    const engine *e = s->engine;
    *formed = false;
    if (!c->ops->form_anew || !c->combined) return DAE_OK;
    bool crept = !failed && creeps(s), divides = divides_at(s, e->t, e->y, e->yp);
    bool soon = s->formed_steps > 0 && e->counts.steps < s->formed_steps + FEW_STEPS;
    if (soon && !crept) return DAE_OK;
    bool doubt = failed || crept || says_little(s);
    dae_status status = c->ops->form_anew(c, e->t, e->y, e->yp, doubt, formed);
    if (status == DAE_OK && !*formed && crept && divides)
        return solve_explain_step(s, DAE_ERROR_TEST);
    if (status == DAE_OK && !*formed && doubt) solve_report_dependence(s);
    if (status != DAE_OK || !*formed) return status;
    s->tiny_steps = 0;
    s->stats.chart_changes++;
    s->formed_steps = e->counts.steps + 1;
    solve_forget_weakest(s);
    if (s->selection.automatic && method_selection_make(&s->selection, c->problem) != DAE_OK)
        return message_status(&s->message, DAE_NO_MEMORY);
    return begin_anew(s, e->t, fabs(e->dense.h));
}

bool solve_loosens_formulation(dae_solver *s, dae_status status)
{
    simulation *c = s->simulation;
    const engine *e = s->engine;
    bool has_values = e->failure.cause != DAE_NOT_EVALUABLE;
    if (!solve_is_of_equations(status) || !has_values || !c->ops->loosen) return false;
    if (!c->ops->loosen(c, e->t, e->y)) return false;
    return solve_renew_formulation(s) == DAE_OK;
}
