/* Roots that an event has turned back or stopped, as an impact does.
 *
 * Impacts whose rebounds become ever smaller follow each other ever faster. In the end a rebound is
 * so short that no step shows it: the next thing that is seen of a root that was turned back is a
 * value on the side that the event has closed to it. A root that was stopped has no rebound: where
 * the equations move it on to that side, it was crossed already, and no event follows. */
#include "event/changes.h"

#include "base/round_off.h"

#include <math.h>
#include <string.h>

/* After an event that stops a root, its rate is no more than this part of that before. */
static const double STOPPED = 1e-6;

/* A difference of the root functions over a time in which no unknown changes by more than this part
 * of its size: the error of a central difference is the square of that, that by rounding
 * DBL_EPSILON over it. */
static const double ASIDE = 1e-5;

/* Where the one before has turned it back, and all that is between both is no more than errors of
 * the state, an event that leaves a root less than this part of its rate has not let it pass: the
 * rate is an error. */
static const double LESS = 0.5;

/* A root that an event has turned back leaves 0 with its rate: in this part of the first step after
 * the event, by no less than this part of what the rate says. */
static const double BEGIN = 1.0 / 64, SHOWN = 0.5;

/* Steps of polynomials of this degree show rates no better than a straight line. */
enum { STRAIGHT = 2 };

/* An event this many roundings of the time after the last one is at the same instant. */
static const double AT_ONCE = 4;

/* Before this part of the flight a root does not come down: a step that crosses it there has not
 * shown the flight. */
static const double EARLY = 0.5;

/* So many flights in a row are lower than errors of the state and thrown up by them. That is seen
 * where an impact leaves less than this part of the rate. */
enum { MANY_LOW = 8 };
static const double LOSES = 0.99;

/* The time of the difference, in the direction of the run. */
static double aside(const events *v, const engine *e, const engine_point *at)
{
    const problem *p = e->problem;
    double fastest = 1 / fmax(fabs(at->t), 1);
    for (size_t j = 0; j < v->n; j++)
        if (p->dynamic[j])
            fastest = fmax(fastest, fabs(at->yp[j]) / fmax(fabs(at->y[j]), p->nominal[j]));
    return e->options.direction * ASIDE / fastest;
}

/* The root functions at v->y and v->yp. `solves`: algebraic variables and constraints are solved
 * for there, for the differential variables. */
static dae_status evaluate(events *v, double t, bool solves, double *value)
{
    if (!solves) return events_evaluate(v, t, value);
    return v->source->ops->solved_roots(v->source->self, t, v->y, v->yp, value);
}

static void go_to(events *v, const engine_point *at)
{
    memcpy(v->y, at->y, v->n * sizeof *v->y);
    memcpy(v->yp, at->yp, v->n * sizeof *v->yp);
}

static engine_point point_of(const engine *e, double t)
{
    return (engine_point){t, e->y, e->yp};
}

/* The values where the differential variables have gone on by their rates for a time. */
static dae_status values_aside(events *v, const engine *e, const engine_point *at, double after,
                               bool solves, double *value)
{
    const bool *dynamic = e->problem->dynamic;
    go_to(v, at);
    for (size_t j = 0; j < v->n; j++)
        if (dynamic[j]) v->y[j] += after * v->yp[j];
    return evaluate(v, at->t + after, solves, value);
}

/* The same at other algebraic variables and derivatives, whose rates are not known. */
static dae_status values_beside(events *v, const engine *e, const engine_point *at, double *value)
{
    const problem *p = e->problem;
    go_to(v, at);
    for (size_t j = 0; j < v->n; j++) {
        double part = ASIDE * (1 + fabs(p->dynamic[j] ? v->yp[j] : v->y[j]) / p->nominal[j]);
        (p->dynamic[j] ? v->yp : v->y)[j] += part * p->nominal[j];
    }
    return events_evaluate(v, at->t, value);
}

void events_move_unknowns(events *v, const engine *e, bool all)
{
    static const double GOLDEN = 0.6180339887498949;
    for (size_t j = 0; j < v->n; j++) {
        double part = 0.5 + fmod(GOLDEN * (double)j, 1);
        double by = part * engine_tolerance(&e->options, j, v->y[j]);
        if (all || e->problem->dynamic[j]) v->y[j] += by;
        if (all && e->problem->dynamic[j]) v->yp[j] += by / fabs(e->dense.h);
    }
}

/* The same where differential variables are off by their tolerances. */
static dae_status values_off(events *v, const engine *e, const engine_point *at, bool solves,
                             double *value)
{
    go_to(v, at);
    events_move_unknowns(v, e, false);
    return evaluate(v, at->t, solves, value);
}

/* The same where the unknowns are off by a small part of themselves, which shows how large the
 * terms of a root function are. */
static dae_status values_scaled(events *v, const engine_point *at, double *value)
{
    go_to(v, at);
    for (size_t j = 0; j < v->n; j++) v->y[j] *= 1 + ASIDE;
    return events_evaluate(v, at->t, value);
}

/* Central differences of the roots at a point over a time, into rate (count); v->at_low is scratch.
 */
static dae_status take_differences(events *v, const engine *e, const engine_point *at, double h,
                                   bool solves, double *rate)
{
    dae_status status = values_aside(v, e, at, h, solves, rate);
    if (status == DAE_OK) status = values_aside(v, e, at, -h, solves, v->at_low);
    for (size_t k = 0; k < v->count; k++) rate[k] = (rate[k] - v->at_low[k]) / fabs(2 * h);
    return status;
}

/* The errors of the rates in v->value, into v->doubt: what another difference says, and the
 * rounding of the root functions over the time of the difference. */
static dae_status take_doubt(events *v, const engine *e, const engine_point *at, double h,
                             bool solves)
{
    dae_status status = take_differences(v, e, at, 2 * h, solves, v->doubt);
    if (status == DAE_OK) status = values_scaled(v, at, v->at_low);
    for (size_t k = 0; k < v->count; k++) {
        double terms = fabs(v->at_low[k] - v->now[k]) / ASIDE;
        v->doubt[k] = fabs(v->doubt[k] - v->value[k]) + ROUND_OFF_VALUE * terms / fabs(h);
    }
    return status;
}

/* Whether a root that was crossed depends on algebraic variables or derivatives: these have to be
 * solved for along the motion. */
static dae_status depends_on_solved(events *v, const engine *e, const engine_point *at,
                                    bool *depends)
{
    dae_status status = values_beside(v, e, at, v->at_low);
    *depends = false;
    for (size_t k = 0; k < v->count; k++)
        *depends = *depends || (v->crossed[k] && v->at_low[k] != v->now[k]);
    return status;
}

/* Rates of the roots at the engine's state, in the direction of the run, into v->value, and what
 * errors of the state make of the roots, into v->blur. *known: they are known. */
static dae_status take_rates(events *v, const engine *e, double t, bool *known)
{
    engine_point at = point_of(e, t);
    double h = aside(v, e, &at);
    bool solves;
    dae_status status = depends_on_solved(v, e, &at, &solves);
    *known = !solves || v->source->ops->solved_roots;
    if (!*known) return status;
    if (status == DAE_OK) status = take_differences(v, e, &at, h, solves, v->value);
    if (status == DAE_OK) status = take_doubt(v, e, &at, h, solves);
    if (status == DAE_OK) status = values_off(v, e, &at, solves, v->blur);
    for (size_t k = 0; k < v->count; k++) v->blur[k] = fabs(v->blur[k] - v->now[k]);
    return status;
}

dae_status events_rates(events *v, const engine *e, const engine_point *at, double *rate)
{
    bool solves;
    dae_status status = depends_on_solved(v, e, at, &solves);
    solves = solves && v->source->ops->solved_roots;
    if (status == DAE_OK) status = take_differences(v, e, at, aside(v, e, at), solves, rate);
    if (status == DAE_OK && !solves) status = values_beside(v, e, at, v->at_low);
    for (size_t k = 0; k < v->count; k++)
        if (!solves && v->at_low[k] != v->now[k]) rate[k] = 0;
    return status;
}

static bool any_crossed(const events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (v->crossed[k] && v->rate[k] * v->crossed[k] > 0) return true;
    return false;
}

/* Whether the last event that root k was crossed at has turned it back, and what it has done since
 * is no more than errors of the state. */
static bool has_hardly_left(const events *v, size_t k, double t)
{
    double height = 0.5 * fabs(v->rate[k] * (t - v->t_turned[k]));
    return v->turned[k] == v->crossed[k] && fmin(v->extent[k], height) <= v->blur[k];
}

/* Tells when root k, which an event at t has turned back, is back at 0. An impact that leaves a
 * part of the rate makes flights shrink by that part. Where flights that are lower than errors of
 * the state hardly shrink any more, it is these errors that throw the root up. */
static void time_flight(events *v, size_t k, double t, bool near)
{
    double since = fabs(t - v->t_turned[k]), was = fabs(v->leaving[k]), before = fabs(v->rate[k]);
    double pull = was > 0 && since > 0 ? (was + before) / since : v->pull[k];
    v->t_turned[k] = t;
    v->leaving[k] = v->held[k] ? v->value[k] : 0;
    v->flight[k] = pull > 0 ? 2 * fabs(v->leaving[k]) / pull : 0;
    double part = fabs(v->leaving[k]) / before;
    bool thrown = near && v->held[k] && part < LOSES && before * sqrt(part) >= was;
    v->lows[k] = thrown ? v->lows[k] + 1 : 0;
    if (v->lows[k] >= MANY_LOW) v->again = v->thrown = true;
}

/* Decides what the event at t has done to a root that it has crossed, by its rate after the event.
 * One that was turned back and has hardly left 0 is turned back again. If its rate lets it pass,
 * nothing more can be told of the impacts that follow. If it has none, it may rest: what the
 * equations do with it next tells whether they hold it there. Where the event has given it other
 * equations, these say so. */
static void hold(events *v, size_t k, double t, bool switched)
{
    signed char side = v->crossed[k];
    double before = fabs(v->rate[k]), along = v->value[k] * side;
    double doubt = v->doubt[k] + ROUND_OFF_ITERATED * before;
    bool moved = v->beside[k] && v->now[k] * side < 0; /* back from 0, by reinit() */
    bool there = fabs(v->now[k]) <= v->slack[k] + v->blur[k] && !moved;
    bool stopped = there && along <= STOPPED * before, lost = stopped && along >= -doubt;
    bool near = there && has_hardly_left(v, k, t), passes = !stopped && along < LESS * before;
    bool rests = lost && switched && fabs(along) <= ROUND_OFF_ITERATED * before;
    if (near && passes && v->extent[k] <= v->blur[k]) v->again = true;
    v->held[k] = stopped && (near || !lost) && !rests ? side : 0;
    v->stopped[k] = lost && !near && !rests ? side : 0;
    v->turned[k] = v->held[k] || (near && !rests) ? side : 0;
    time_flight(v, k, t, near);
}

/* Whether root k is in a flight so low that it has not left the side that is closed to it. Other
 * events in between, as that at the top, tell nothing of it. */
static bool flies_unseen(const events *v, size_t k, double t)
{
    bool flies = v->held[k] && !v->crossed[k] && fabs(t - v->t_turned[k]) < v->flight[k];
    return flies && v->now[k] * v->held[k] > 0;
}

dae_status events_hold(events *v, const engine *e, double t, const event_outcome *outcome)
{
    bool later = fabs(t - v->t_held) > events_resolution(e);
    for (size_t k = 0; later && k < v->count; k++)
        if (!flies_unseen(v, k, t)) v->held[k] = 0;
    if (later) memset(v->stopped, 0, v->count);
    v->t_held = t;
    if (!outcome->moved || !any_crossed(v)) return DAE_OK;
    bool known = false;
    dae_status status = take_rates(v, e, t, &known);
    engine_point at = point_of(e, t);
    go_to(v, &at);
    for (size_t k = 0; status == DAE_OK && known && k < v->count; k++)
        if (v->crossed[k] && v->rate[k] * v->crossed[k] > 0) hold(v, k, t, outcome->switched);
    return status;
}

bool events_hide_flight(events *v, engine *e)
{
    bool hides = false;
    if (!v->source || !v->fresh || !events_hold_some(v)) return false;
    if (engine_polynomial(e)->t != v->t_held) return false;
    double after = BEGIN * (e->t - v->t_held);
    if (events_roots_at(v, e, v->t_held + after, v->value) != DAE_OK) return false;
    for (size_t k = 0; k < v->count; k++) {
        double expected = -v->leaving[k] * v->held[k] * fabs(after);
        double way = -(v->value[k] - v->now[k]) * v->held[k];
        double height = fabs(v->leaving[k]) * v->flight[k] / 4;
        bool high = height > fmax(v->blur[k], v->band[k]);
        hides = hides || (high && expected > 0 && way < SHOWN * expected);
    }
    return hides;
}

/* Marks the roots that change their signs in a step from v->now to v->at_end, by more than their
 * errors. */
static bool any_changes(events *v)
{
    const signed char *wanted = v->source->direction;
    bool any = false;
    for (size_t k = 0; k < v->count; k++) {
        signed char to = sign_of(v->at_end[k]);
        bool changes = v->sign[k] * to < 0 || (to && v->held[k] == to);
        changes = changes && (v->at_end[k] - v->now[k]) * to > 0 && v->equal[k] == 0;
        changes = changes && !(v->band[k] > 0 && fabs(v->at_end[k]) <= v->band[k]);
        v->crossed[k] = changes && (!wanted || wanted[k] * to >= 0) ? to : 0;
        any = any || v->crossed[k];
    }
    return any;
}

/* Whether root k, which is crossed in a step of a straight line, has a rate there that clearly
 * leads to the other side; begin, end: its rates. */
static bool is_against(const events *v, size_t k, double begin, double end)
{
    double x = v->now[k] / (v->now[k] - v->at_end[k]);
    x = x > 0 ? fmin(x, 1) : 0;
    double along = (begin + x * (end - begin)) * v->crossed[k];
    return along < -STOPPED * fmax(fabs(begin), fabs(end));
}

bool events_cross_against(events *v, engine *e, const engine_point *begin)
{
    bool solves, against = false;
    double *first = v->value, *last = v->at_high;
    if (!v->source || v->count == 0 || v->t_now != begin->t) return false;
    if (engine_polynomial(e)->degree > STRAIGHT) return false;
    engine_point end = point_of(e, e->t);
    go_to(v, &end);
    if (events_evaluate(v, e->t, v->at_end) != DAE_OK) return false;
    if (!any_changes(v)) return false;
    if (depends_on_solved(v, e, begin, &solves) != DAE_OK) return false;
    if (solves && !v->source->ops->solved_roots) return false;
    dae_status status = take_differences(v, e, begin, aside(v, e, begin), solves, first);
    if (status == DAE_OK) status = take_differences(v, e, &end, aside(v, e, &end), solves, last);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++)
        against = against || (v->crossed[k] && is_against(v, k, first[k], last[k]));
    return against;
}

void events_forget_flights(events *v)
{
    memset(v->held, 0, v->count);
    memset(v->stopped, 0, v->count);
    v->passed = SIZE_MAX;
}

bool events_hold_some(const events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (v->held[k]) return true;
    return false;
}

/* Whether a root that is crossed to the side that the last event has closed to it shows no rebound:
 * it began on that side and was there just before, or a flight with the rate at its end is not
 * higher than what the roots at both ends, or their terms, are off by. */
static bool has_not_left(const events *v, size_t k)
{
    signed char side = v->held[k];
    if (!side || v->crossed[k] != side) return false;
    double height = 0.25 * fabs(v->rate[k] * (v->high - v->t_held));
    if (height <= fmax(v->slack[k], v->rounded[k])) return true;
    return v->now[k] * side > 0 && v->at_low[k] * side > 0;
}

/* Whether root k has fallen on beyond the end of its flight, on the side that is closed to it:
 * after as long again, by more than the 8 heights of a flight that nothing ends. */
static bool has_fallen(const events *v, size_t k, double t, double value)
{
    double flight = v->flight[k], fall = 2 * fabs(v->leaving[k]) * flight;
    bool beyond = flight > 0 && fabs(t - v->t_turned[k]) > 2 * flight;
    return beyond && value * v->held[k] > fmax(fall, fmax(v->slack[k], v->rounded[k]));
}

/* Whether the step shows a flight of root k up to where it is crossed that is shorter than its
 * rates before said, as where a force grows that leads it back: half way it is as high as the rate
 * after the impact takes it, above errors of the state. */
static bool shows_short_flight(events *v, engine *e, size_t k)
{
    double since = v->high - v->t_held, height = 0.25 * fabs(v->leaving[k] * since);
    if (engine_polynomial(e)->t != v->t_held || !(height > fmax(v->blur[k], v->band[k])))
        return false;
    if (events_roots_at(v, e, v->t_held + 0.5 * since, v->value) != DAE_OK) return false;
    return -(v->value[k] - v->now[k]) * v->held[k] >= SHOWN * height;
}

void held_look(events *v, engine *e, bool found)
{
    const double *value = found ? v->at_low : v->at_end, rtol = e->options.rtol;
    bool at_once = found && fabs(v->high - v->t_held) <= AT_ONCE * events_resolution(e);
    v->again = v->thrown = false;
    for (size_t k = 0; k < v->count; k++) {
        if (v->equal[k] > 0) v->held[k] = v->stopped[k] = 0;
        bool early = found && fabs(v->high - v->t_held) <= EARLY * v->flight[k];
        bool back = (at_once || early) && v->held[k] && v->crossed[k] == v->held[k];
        if (back && (at_once || !shows_short_flight(v, e, k))) v->again = true;
        if (found && has_not_left(v, k)) v->passed = k;
        if (found && v->crossed[k]) continue;
        double least = fmax(fmax(v->slack[k], v->band[k]), rtol * v->extent[k]);
        bool fallen = has_fallen(v, k, found ? v->low : e->t, value[k]);
        if (!fallen && !(fabs(value[k]) > least)) continue;
        if (value[k] * v->held[k] > 0) v->passed = k;
        if (value[k] * v->stopped[k] > 0) v->let_go = k;
        v->held[k] = v->stopped[k] = 0;
    }
}
