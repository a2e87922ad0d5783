/* Where no step succeeds: whether the solution comes to a point at which its derivative becomes
 * infinite, and what the message says of it. */
#include "base/round_off.h"
#include "event/changes.h"
#include "solve/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The curve is followed from the end of the last step for this part of the run, and for some steps
 * of the length tried last. */
static const double REACH = 1e-2, REACH_STEPS = 3;

/* A variable this many times as large as its nominal size, that changes fastest where no step
 * succeeds and no curve can be followed any more, has a pole. */
static const double BIG = 1e5;

/* The tolerance of a second search, for poles alone. */
static const double LOOSE = 1e-3;

/* A root is 0 where time turns, or has left 0 beside it, in parts of what cannot be told from 0. */
static const double AT_TURN = 1e-3;

/* A point where time turns is that of an event up to this part of the time. */
static const double SAME_TIME = 1e-12;

/* The curve is that of the engine's unknowns: index 1, in one formulation for the whole run. */
static bool can_look(const dae_solver *s)
{
    const simulation *c = s->simulation;
    return s->engine && c->problem && !c->ops->renew && !(c->levels && c->levels->count > 1);
}

/* The values of the root functions at a part of the last step along the curve. Derivatives are
 * infinite where time turns, and what depends on them has no value there. */
static bool find_roots(events *v, solution_curve *c, double part)
{
    const curve_point *at;
    if (curve_within(c, part, &at) != DAE_OK) return false;
    curve_values(c, at, v->y, v->yp);
    return events_evaluate(v, at->u[curve_order(c)], v->value) == DAE_OK;
}

/* Takes a point beside the turn where root function k has changed its sign, clearly if there is
 * one: beyond it, or before it where an error has brought the state past the turn. */
static bool take_changed(events *v, solution_curve *c, double turn, size_t k)
{
    double best = 0, most = 0;
    for (double way = 2 * DBL_EPSILON; way < 1 && most <= AT_TURN * v->turn_band[k]; way *= 2)
        for (int side = 1; side >= -1; side -= 2) {
            double part = fmax(turn + side * way, DBL_EPSILON);
            if (part > 1 || !find_roots(v, c, part)) continue;
            double changed = -v->value[k] * v->sign[k];
            if (changed > most) best = part, most = changed;
        }
    return most > 0 && find_roots(v, c, best);
}

/* Marks the roots that are 0 at a point where time turns along the curve: relations that change
 * there, as q < 0 in h = q*abs(q), or have just done so at an event. */
static bool roots_at_turn(void *self, solution_curve *c, double turn)
{
    dae_solver *s = self;
    events *v = &s->events;
    bool any = false;
    if (!find_roots(v, c, turn)) return false;
    s->turn_stays = fabs(s->engine->t - s->event.t) <= SAME_TIME * fabs(s->engine->t);
    memset(v->turned_to, 0, v->count);
    v->source->ops->bands(v->source->self, v->turn_band, v->turn_edge);
    for (size_t k = 0; k < v->count; k++) {
        if (v->sign[k] == 0 || !(fabs(v->value[k]) <= AT_TURN * v->turn_band[k])) continue;
        v->turned_to[k] = (signed char)(s->turn_stays ? v->sign[k] : -v->sign[k]);
        s->turned_root = k;
        any = true;
    }
    return any && (s->turn_stays || take_changed(v, c, turn, s->turned_root));
}

/* Looks from a point along the curve, at least for some steps of this length, with errors below
 * `rtol` times the scale. */
static dae_status look_from(dae_solver *s, const engine_point *at, double step, bool loosely)
{
    const engine *e = s->engine;
    double whole = s->judge.whole > 0 ? s->judge.whole : 1;
    curve_options options = {.rtol = loosely ? LOOSE : s->options.rtol,
                             .atol = loosely ? LOOSE : s->options.atol,
                             .atols = loosely ? NULL : s->inner_atols,
                             .time_unit = whole};
    singular_search search = {.direction = e->options.direction,
                              .reach = fmax(REACH * whole, REACH_STEPS * fabs(step)),
                              .at_start = e->counts.steps == 0,
                              .self = s};
    const event_source *source = s->events.source;
    if (source && source->ops->bands && !loosely) search.switches = roots_at_turn;
    solution_curve *c;
    s->singular = (singular_point){.kind = SINGULAR_NONE};
    dae_status status = curve_create(&c, e->problem, &options, at->t, at->y, at->yp);
    if (status != DAE_OK) return status;
    status = singular_look(c, &search, &s->singular);
    curve_free(c);
    return status;
}

/* Whether the variable that changes fastest has become BIG while no step succeeds, and changes BIG
 * times its size in the time of the run. */
static void look_at_size(dae_solver *s)
{
    const engine *e = s->engine;
    size_t j = branch_fastest(&s->judge.branch, e, s->judge.whole);
    if (j == PROBLEM_NOWHERE || !(fabs(e->y[j]) > BIG * e->problem->nominal[j])) return;
    if (!(s->judge.branch.rate[j] * s->judge.whole > BIG * fabs(e->y[j]))) return;
    s->singular = (singular_point){.kind = SINGULAR_POLE, .t = e->t, .named = 1, .unknown = {j}};
}

void solve_look_for_impasse(dae_solver *s, dae_status status)
{
    s->singular = (singular_point){.kind = SINGULAR_NONE};
    if (!can_look(s) || status == DAE_STOPPED || status == DAE_NO_MEMORY) return;
    problem *p = s->engine->problem;
    const problem_counts counts = p->counts;
    const engine_point here = {s->engine->t, s->engine->y, s->engine->yp};
    status = look_from(s, &here, s->engine->failure.step, false);
    /* near a pole round-off of time stops steps with tight tolerances */
    if (status == DAE_OK && s->singular.kind == SINGULAR_NONE) {
        look_from(s, &here, s->engine->failure.step, true);
        if (s->singular.kind != SINGULAR_POLE) s->singular.kind = SINGULAR_NONE;
    }
    if (s->singular.kind == SINGULAR_NONE) look_at_size(s);
    p->counts = counts;
}

/* Looks along the curve from the beginning of the last step to an event at t. */
static void look_for_turn(dae_solver *s, double t)
{
    const engine_point begun = s->judge.begun;
    s->singular = (singular_point){.kind = SINGULAR_NONE};
    if (!can_look(s) || s->options.step > 0) return;
    problem *p = s->engine->problem;
    const problem_counts counts = p->counts;
    look_from(s, &begun, t - begun.t, false);
    if (s->singular.kind != SINGULAR_SWITCHES) s->singular.kind = SINGULAR_NONE;
    p->counts = counts;
}

bool solve_passes_turn(dae_solver *s, double t)
{
    engine *e = s->engine;
    const simulation_ops *ops = s->simulation->ops;
    const engine_point end = {e->t, e->y, e->yp};
    bool made = e->t != s->judge.begun.t && s->options.step == 0 && !s->simulation->delays;
    if (!made || !ops->turns || !ops->turns(s->simulation, &end, TURNING_ASKS)) return false;
    look_for_turn(s, t);
    if (s->singular.kind != SINGULAR_SWITCHES) return false;
    bool here = fabs(s->singular.t - t) <= SAME_TIME * fabs(t);
    bool meant = here || s->events.crossed[s->turned_root] != 0;
    if (!meant) s->singular.kind = SINGULAR_NONE;
    return meant;
}

static void name_unknown(dae_solver *s, size_t j, text *t)
{
    problem *p = s->engine->problem;
    size_t k = 0;
    if (j < p->n) {
        p->form->name_variable(p->self, j, t);
        return;
    }
    for (j -= p->n; k < p->n && !(p->dynamic[k] && j-- == 0);) k++;
    text_add(t, "the derivative of ");
    p->form->name_variable(p->self, k, t);
}

static void name_all(dae_solver *s, text *t)
{
    const singular_point *f = &s->singular;
    for (size_t k = 0; k < f->named; k++) {
        if (k > 0) text_add(t, k + 1 == f->named ? " and " : ", ");
        name_unknown(s, f->unknown[k], t);
    }
}

/* Whether to advise what follows the curve: it cannot with delays, and may be at work already. */
static bool offers_pass(const dae_solver *s)
{
    return !s->simulation->delays && !option_is(s->options.singular, "pass");
}

static void report_impasse(dae_solver *s)
{
    const singular_point *f = &s->singular;
    message *m = &s->message;
    message_more(m, "\n  impasse at t = %.9g, %saccessible: %s. There ", f->t,
                 f->accessible ? "" : "in",
                 f->accessible ? "the solution ends, and none goes on in time"
                               : "two solutions begin, and none leads to it");
    name_all(s, &m->sentence);
    message_more(m, " turn%s, and the derivative grows as |t - t*|^(%.3g)",
                 f->named == 1 ? "s" : "", f->exponent);
    message_more(m, "\n  remedy: %s",
                 f->accessible
                     ? "say how the system goes on, as by a small inertia eps*der(x) in the "
                       "equation of what turns"
                     : "start beside the point, on the one of the two that is meant");
    if (f->accessible && offers_pass(s))
        message_more(m,
                     "; option singular pass follows the curve of solutions past the point, along "
                     "which time falls");
}

bool solve_report_impasse(dae_solver *s)
{
    const singular_point *f = &s->singular;
    message *m = &s->message;
    switch (f->kind) {
    case SINGULAR_NONE: return false;
    case SINGULAR_IMPASSE: report_impasse(s); break;
    case SINGULAR_SWITCHES:
        message_more(m, "\n  impasse at t = %.9g, where the equations switch: ", f->t);
        name_all(s, &m->sentence);
        message_more(
            m,
            " turn%s there, and no solution was found that goes on in time\n  remedy: a law "
            "that is linear near 0 has no such point, as a laminar part does for a flow: "
            "q*(abs(q) + eps)",
            f->named == 1 ? "s" : "");
        break;
    case SINGULAR_VERTICAL:
        message_more(m, "\n  at t = %.9g the derivative becomes infinite for an instant, most of ",
                     f->t);
        name_all(s, &m->sentence);
        message_more(m, ", and the solution goes on after it%s",
                     offers_pass(s) ? "; option singular pass follows it" : "");
        break;
    case SINGULAR_POLE:
        message_more(m, "\n  ");
        name_all(s, &m->sentence);
        message_more(m,
                     " grows without bound towards t = %.6g, a pole or another singularity of it, "
                     "and no solution goes on after it",
                     f->t);
        break;
    case SINGULAR_CROSSING:
        message_more(m,
                     "\n  at t = %.9g equations become dependent: curves of solutions cross or "
                     "meet there, and which of them goes on is not determined\n  remedy: start "
                     "after that point, on the one that is meant",
                     f->t);
    }
    return true;
}
