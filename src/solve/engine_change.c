/* The engine of a run: created at the start, and replaced where another method is to continue. */
#include "base/round_off.h"
#include "solve/delays.h"
#include "solve/solver.h"

#include "integrate/engines.h"
#include "integrate/stages.h"
#include "method/catalogue.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static method_view view_of(const dae_solver *s, double t, const double *y)
{
    return (method_view){.problem = s->simulation->problem,
                         .t = t,
                         .rtol = s->options.rtol,
                         .atol = s->options.atol,
                         .y = y,
                         .atols = s->inner_atols,
                         .fixed_step = s->options.step > 0,
                         .solves_yp = s->simulation->solves_yp,
                         .switches = s->simulation->switches};
}

/* Puts an engine of the method of that name to work for the simulation's problem, at a point; NULL:
 * at that of a state that is restored. */
static dae_status put_to_work(dae_solver *s, const char *name, const engine_options *options,
                              const engine_point *at)
{
    simulation *c = s->simulation;
    engine *next, *last = s->engine;
    bool same = s->method && strcmp(s->method->name, name) == 0;
    method *which = s->method;
    dae_status status = same ? DAE_OK : method_create(&which, name, &s->message);
    if (status != DAE_OK) return status;
    if (at) status = kernel_examine(c->problem, which, options, at, &s->message);
    if (status == DAE_OK) status = engine_create(&next, c->problem, which, options, &s->message);
    if (status != DAE_OK) { /* the last results stay available */
        if (!same) method_free(which);
        return message_fail(&s->message, status, "%s",
                            status == DAE_SINGULAR
                                ? "the iteration matrix is structurally singular: "
                                  "the equations do not determine the variables"
                                : "memory is exhausted");
    }
    engine_start(next, at ? at->t : last->t, at ? at->y : c->y, at ? at->yp : c->yp);
    if (last) next->counts = last->counts;
    engine_free(last);
    if (!same) method_free(s->method);
    s->engine = next;
    s->method = which;
    s->stats.method = which->name;
    if (s->selection.automatic) s->selection.at_work = name;
    return DAE_OK;
}

/* No step is longer than a constant lag, so that what is delayed is known. */
static double longest_step(const dae_solver *s)
{
    const delays *d = s->simulation->delays;
    double most = s->options.max_step;
    if (!d || isinf(d->least)) return most;
    return most > 0 ? fmin(most, d->least) : d->least;
}

static engine_options options_of(const dae_solver *s)
{
    const dae_options *o = &s->options;
    return (engine_options){.rtol = o->rtol,
                            .atol = o->atol,
                            .atols = s->inner_atols,
                            .fixed_step = o->step,
                            .first_step = o->first_step,
                            .max_step = longest_step(s),
                            .stable_steps = o->stable_steps,
                            .max_order = (int)o->max_order,
                            .watch = s->selection.automatic,
                            .direction = 1};
}

static dae_status take_tolerances(dae_solver *s)
{
    const simulation *c = s->simulation;
    free(s->inner_atols);
    s->inner_atols = NULL;
    if (!s->atols && problem_time_unit(c->problem) == 1) return DAE_OK;
    double *own = malloc((c->n + 1) * sizeof *own);
    s->inner_atols = malloc((c->problem->n + 1) * sizeof *s->inner_atols);
    for (size_t i = 0; own && i < c->n; i++) own[i] = s->atols ? s->atols[i] : s->options.atol;
    if (own && s->inner_atols) c->ops->tolerances(c, own, s->inner_atols);
    dae_status status = own && s->inner_atols ? DAE_OK : DAE_NO_MEMORY;
    free(own);
    return message_status(&s->message, status);
}

/* Warns where equations are integrated as given though they could be reduced: methods are known to
 * converge up to index 3, and error tests count index-3 variables with the square of the step. */
static void note_direct(dae_solver *s)
{
    enum { KNOWN = 3 };
    long index = s->stats.structural_index;
    if (!option_is(s->options.formulation, "direct") || index < KNOWN) return;
    if (index > KNOWN)
        message_note(&s->message,
                     "these equations have index %ld as they are given, and %s promises nothing "
                     "beyond %d: variables can be wrong however small the step; formulation auto "
                     "reduces them to index 1",
                     index, s->method->name, KNOWN);
    else if (!(s->options.step > 0) && !strstr(dae_solver_notes(s), "has index 3: it can be"))
        message_note(&s->message,
                     "an error of what has index %d counts with the square of the step where these "
                     "equations are integrated as they are given: it can be less accurate than the "
                     "tolerance says; formulation auto reduces them to index 1",
                     KNOWN);
}

/* The most retreats of a run. From each point, the methods are tried in turn. */
enum { MOST_BACKS = 5 };

void retreat_keep(retreat *r, const engine *e, size_t formulation_number)
{
    size_t at = r->count++ % RETREAT_POINTS;
    r->formulation_number[at] = formulation_number;
    engine_point_keep(&r->point[at], e);
}

/* Brings the engine to the earliest kept point in that formulation. False where there is none, or
 * where the run has gone back often enough. */
static bool go_back(retreat *r, engine *e, size_t formulation_number)
{
    size_t first = r->count > RETREAT_POINTS ? r->count - RETREAT_POINTS : 0;
    while (first < r->count && r->formulation_number[first % RETREAT_POINTS] != formulation_number)
        first++;
    if (first == r->count || r->backs == MOST_BACKS) return false;
    const engine_point *p = &r->point[first % RETREAT_POINTS];
    if (p->t == e->t) return false;
    r->backs++;
    r->count = 0;
    engine_start(e, p->t, p->y, p->yp);
    return true;
}

static void carve_watches(dae_solver *s)
{
    const simulation *c = s->simulation;
    size_t n = c->problem->n;
    judge_carve(&s->judge, &s->watches);
    poles_carve(&s->poles, n, &s->watches);
    crossing_carve(&s->crossing, n, &s->watches);
    for (int k = 0; k < RETREAT_POINTS; k++)
        engine_point_carve(&s->retreat.point[k], n, &s->watches);
    growth_carve(&s->growth, n, &s->watches);
    s->constraint = workspace_doubles(&s->watches, c->constraint_levels);
}

/* Prepares everything that watches the steps of an engine with new equations. */
static dae_status begin_watches(dae_solver *s)
{
    simulation *c = s->simulation;
    const simulation_ops *ops = c->ops;
    solve_free_watches(s);
    s->judge = (judge){.n = c->problem->n};
    s->judge.branch = (branch){.smooth = c->smooth, .bent = c->smooth && c->bent};
    s->poles = (poles){.count = ops->divisors ? c->divisors : 0};
    s->crossing = (crossing){.count = ops->determinants ? c->determinants : 0};
    s->turning = (turning){.reported = s->turning.reported};
    s->retreat = (retreat){0};
    s->growth = (growth){.watches = s->options.step > 0 && engine_can_lend(s->engine)};
    carve_watches(s);
    if (workspace_allocate(&s->watches) != DAE_OK)
        return message_status(&s->message, DAE_NO_MEMORY);
    carve_watches(s);
    poles_begin(&s->poles, c, s->engine);
    crossing_begin(&s->crossing, c, s->engine);
    growth_begin(s);
    return DAE_OK;
}

void solve_free_watches(dae_solver *s)
{
    free(s->crossing.step.coefficient);
    s->crossing.step.coefficient = NULL;
    workspace_free(&s->watches);
}

/* Pointers that are restored with the rest are those of the other solver: they are set anew. */
void solve_watches_state(dae_solver *s, state_visit *v)
{
    double *coefficient = s->crossing.step.coefficient;
    STATE_MEMBERS(v, dae_solver, s, judge, constraint);
    s->crossing.step.coefficient = coefficient;
    s->watches.used = 0;
    carve_watches(s);
    state_bytes(v, s->watches.base, s->watches.size);
    dense_output_state(&s->crossing.step, v);
}

/* Prepares a new engine, and checks whether its method can advance the equations from its state. */
static dae_status prepare(dae_solver *s, dae_status status)
{
    if (status == DAE_OK) status = begin_watches(s);
    return status == DAE_OK ? engine_examine(s->engine, &s->message) : status;
}

dae_status solve_begin_engine(dae_solver *s, double t)
{
    simulation *c = s->simulation;
    const engine_point at = {.t = t, .y = c->y, .yp = c->yp};
    bool chosen = strcmp(s->options.method, "auto") == 0;
    dae_status status = take_tolerances(s);
    if (status == DAE_OK) status = solve_begin_sizes(s);
    if (status != DAE_OK) return status;
    method_view view = view_of(s, t, c->y);
    if (chosen && method_selection_begin(&s->selection, &view, &s->reasons) != DAE_OK)
        return message_status(&s->message, DAE_NO_MEMORY);
    engine_options options = options_of(s);
    s->stats.method = chosen ? s->selection.name : solve_name_of(s, false, NULL);
    status = put_to_work(s, s->stats.method, &options, &at);
    if (status != DAE_OK) return status;
    simulation_reason(c, "%s, of the %s", s->method->name,
                      method_family_sentence(s->method->family));
    if (c->keep_values && !method_goes_on_from_yp(s->method))
        message_note(&s->message,
                     "%s continues from values alone, and projection derivative changes no values: "
                     "it acts on the output, not on the steps",
                     s->method->name);
    note_direct(s);
    solve_keep_sizes(s);
    return prepare(s, DAE_OK);
}

dae_status solve_take_engine(dae_solver *s, const char *name, bool anew)
{
    dae_status status = anew ? take_tolerances(s) : DAE_OK;
    engine_options options = options_of(s);
    if (status == DAE_OK) status = put_to_work(s, name, &options, NULL);
    return status == DAE_OK && anew ? begin_watches(s) : status;
}

dae_status solve_change_engine(dae_solver *s)
{
    const engine *e = s->engine;
    const engine_point at = {.t = e->t, .y = e->y, .yp = e->yp};
    engine_options options = options_of(s);
    options.direction = e->options.direction;
    options.first_step = method_selection_first_step(&s->selection, e->dense.h);
    const char *name = s->selection.next;
    s->selection.next = NULL;
    dae_status status = put_to_work(s, name, &options, &at);
    if (status != DAE_OK) return status;
    s->stats.method_changes++;
    s->crossing.place = CROSSING_AWAY;
    s->growth.watches = s->growth.watches && engine_can_lend(s->engine);
    growth_begin(s); /* what grew before grew by another method, and may lie ahead of here */
    return engine_examine(s->engine, &s->message);
}

/* Chooses a method for other equations, where the choice is free. */
static dae_status select_again(dae_solver *s, double t)
{
    if (!s->selection.automatic) return DAE_OK;
    text unheard = {0};
    method_view view = view_of(s, t, s->simulation->y);
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

/* The method that goes on with equations that were formed anew. An explicit Runge-Kutta method goes
 * on on the state-space form where these have algebraic variables, as the share of a sliding
 * motion: it solves for them at each stage. */
static const char *method_of_formed(dae_solver *s, double t, text *name)
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
    simulation *c = s->simulation;
    const engine *last = s->engine;
    const engine_point at = {.t = t, .y = c->y, .yp = c->yp};
    dae_status status = take_tolerances(s);
    engine_options options = options_of(s); /* with the new tolerances */
    options.direction = last->options.direction;
    options.first_step = first_step > 0 ? first_step : options.first_step;
    text derived = {0};
    const char *name = method_of_formed(s, t, &derived);
    status = prepare(s, status == DAE_OK ? put_to_work(s, name, &options, &at) : status);
    text_free(&derived);
    return status;
}

/* Behind an event no polynomial predicts the stages of an implicit method. So the first step there
 * is this part of the last one, or of the one that its error would allow next: a known time may
 * have cut the last one short. */
static const double PART_OF_LAST = 0.5;

/* Steps that were no longer than so many of those that are too short to move time, as where they
 * led to the end of a root's domain, tell nothing of what is behind. */
static const double TELLING = 1e4;

static double first_step_behind(const dae_solver *s)
{
    const engine *e = s->engine;
    double last = fmax(fabs(e->dense.h), e->stepping.step);
    bool tells = last > TELLING * ROUND_OFF_VALUE * fabs(e->t);
    if (s->method->multistep || !tells) return e->options.first_step;
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
                    "behind the event at t = %.9g%s%s the equations are others: %s", t,
                    *name ? ", " : "", name, text_string(&why));
    text_free(&why);
    return status;
}

dae_status solve_begin_replaced(dae_solver *s, double t)
{
    dae_status status = take_tolerances(s);
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
    dae_status status = begin_watches(s);
    s->judge.longest = longest; /* steps as long as those before the event are nothing new */
    return status;
}

dae_status solve_restart_afresh(dae_solver *s, double t, const double *y, const double *yp)
{
    engine *e = s->engine;
    engine_restart(e, t, y, yp, e->options.first_step, 0);
    return begin_watches(s);
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

/* Whether little is left of the weakest constraint, relative to its value after the first step. */
static bool says_little(dae_solver *s)
{
    static const double LITTLE = 0.1;
    const double left = s->simulation->left;
    if (s->engine->dense.h == 0) return false;
    if (s->left_at_first == 0) s->left_at_first = left;
    if (!(left < LITTLE * s->left_at_first)) return false;
    s->left_at_first = left; /* answers true again only after another such loss */
    return true;
}

/* Whether the run creeps towards a point where the combinations determine nothing. Beside it, they
 * amplify rounding without limit. */
static bool creeps(dae_solver *s)
{
    static const double TINY = 1e-7;
    enum { MANY = 30 };
    bool tiny = fabs(s->engine->dense.h) < TINY * s->longest_step;
    s->longest_step = fmax(s->longest_step, fabs(s->engine->dense.h));
    s->tiny_steps = tiny ? s->tiny_steps + 1 : 0;
    return s->tiny_steps > MANY;
}

dae_status solve_form_anew(dae_solver *s, bool failed, bool *formed)
{
    simulation *c = s->simulation;
    const engine *e = s->engine;
    *formed = false;
    if (!c->ops->form_anew || !c->combined) return DAE_OK;
    if (!failed && creeps(s)) return solve_explain_step(s, DAE_ERROR_TEST);
    if (s->formed_steps > 0 && e->counts.steps < s->formed_steps + FEW_STEPS) return DAE_OK;
    bool doubt = failed || says_little(s);
    dae_status status = c->ops->form_anew(c, e->t, e->y, e->yp, doubt, formed);
    if (status == DAE_OK && !*formed && doubt) solve_report_dependence(s);
    if (status != DAE_OK || !*formed) return status;
    s->stats.chart_changes++;
    s->formed_steps = e->counts.steps + 1;
    s->most_left[0] = s->most_left[1] = s->left_at_first = 0;
    s->least_left = c->left = 1;
    return begin_formed(s, e->t, fabs(e->dense.h));
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

bool solve_tries_another(dae_solver *s, dae_status status)
{
    const engine *e = s->engine;
    if (!solve_is_of_equations(status) || !s->selection.automatic) return false;
    method_view view = view_of(s, e->t, e->y);
    if (method_selection_after_failure(&s->selection, &view, &s->reasons)) return true;
    if (!go_back(&s->retreat, s->engine, s->simulation->formulation_number)) return false;
    trajectory_cut(&s->kept, e->t);
    view.t = e->t;
    method_selection_go_back(&s->selection, &view, &s->reasons);
    return true;
}

void solve_watch_method(dae_solver *s)
{
    const engine *e = s->engine;
    if (!s->selection.automatic || s->crossing.place == CROSSING_NEAR) return;
    method_view view = view_of(s, e->t, e->y);
    method_selection_watch(&s->selection, &view, e->dense.h, e->stiffness, &s->reasons);
}

void solve_announce_event(dae_solver *s, double next)
{
    if (!s->selection.automatic) return;
    method_view view = view_of(s, s->engine->t, s->engine->y);
    method_selection_announce(&s->selection, &view, next, &s->reasons);
}

void solve_pass_announced(dae_solver *s)
{
    const engine *e = s->engine;
    if (!s->selection.automatic) return;
    method_view view = view_of(s, e->t, e->y);
    method_selection_pass_event(&s->selection, &view, e->dense.h, &s->reasons);
}
