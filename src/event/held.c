/* Roots that an event has stopped or turned back, as an impact does.
 *
 * Impacts whose rebounds become ever smaller follow each other ever faster. In the end a rebound is
 * so short that no step shows it: the next thing that is seen of the root is a value on the side
 * that the event has closed to it. */
#include "event/changes.h"

#include <math.h>
#include <string.h>

/* Behind an event that stops a root, its rate is no more than this part of that before. */
static const double STOPPED = 1e-6;

/* A difference of the root functions over a time in which no unknown changes by more than this part
 * of its size: the error of a central difference is the square of that, that by rounding
 * DBL_EPSILON over it. */
static const double ASIDE = 1e-5;

/* Where the one before has turned it back, and all that is between both is no more than errors of
 * the state, an event that leaves a root less than this part of its rate has not let it pass: the
 * rate is an error. */
static const double LESS = 0.5;

/* An event this many roundings of the time after the last one is at the same instant. */
static const double AT_ONCE = 4;

/* The time of the difference. */
static double aside(const events *v, const engine *e, double t)
{
    const problem *p = e->problem;
    double fastest = 1 / fmax(fabs(t), 1);
    for (size_t j = 0; j < v->n; j++)
        if (p->dynamic[j])
            fastest = fmax(fastest, fabs(v->yp[j]) / fmax(fabs(v->y[j]), p->nominal[j]));
    return ASIDE / fastest;
}

/* The values where the unknowns have gone on by their rates for a time. */
static dae_status values_aside(events *v, const engine *e, double t, double after, double *value)
{
    const bool *dynamic = e->problem->dynamic;
    for (size_t j = 0; j < v->n; j++)
        if (dynamic[j]) v->y[j] += after * v->yp[j];
    return events_evaluate(v, t + after, value);
}

/* The same at other algebraic variables and derivatives, whose rates are not known. */
static dae_status values_beside(events *v, const engine *e, double t, double *value)
{
    const problem *p = e->problem;
    for (size_t j = 0; j < v->n; j++) {
        double part = ASIDE * (1 + fabs(p->dynamic[j] ? v->yp[j] : v->y[j]) / p->nominal[j]);
        (p->dynamic[j] ? v->yp : v->y)[j] += part * p->nominal[j];
    }
    return events_evaluate(v, t, value);
}

/* The same where the unknowns are off by their tolerances, by parts of 1/2 to 3/2 that do not
 * cancel in differences of few of them. */
static dae_status values_off(events *v, const engine *e, double t, double *value)
{
    static const double GOLDEN = 0.6180339887498949;
    for (size_t j = 0; j < v->n; j++) {
        double part = 0.5 + fmod(GOLDEN * (double)j, 1);
        if (e->problem->dynamic[j]) v->y[j] += part * engine_tolerance(&e->options, j, v->y[j]);
    }
    return events_evaluate(v, t, value);
}

static void go_back(events *v, const engine *e)
{
    memcpy(v->y, e->y, v->n * sizeof *v->y);
    memcpy(v->yp, e->yp, v->n * sizeof *v->yp);
}

/* Rates of the roots at the engine's state, in the direction of the run, into v->value (NaN: not
 * known), and what errors of the state make of the roots, into v->blur. */
static dae_status take_rates(events *v, const engine *e, double t)
{
    double h = aside(v, e, t) * e->options.direction;
    go_back(v, e);
    dae_status status = values_aside(v, e, t, h, v->at_high);
    go_back(v, e);
    if (status == DAE_OK) status = values_aside(v, e, t, -h, v->at_low);
    go_back(v, e);
    for (size_t k = 0; k < v->count; k++)
        v->at_high[k] = (v->at_high[k] - v->at_low[k]) / fabs(2 * h);
    if (status == DAE_OK) status = values_off(v, e, t, v->blur);
    go_back(v, e);
    for (size_t k = 0; k < v->count; k++) v->blur[k] = fabs(v->blur[k] - v->now[k]);
    if (status == DAE_OK) status = values_beside(v, e, t, v->at_low);
    go_back(v, e);
    for (size_t k = 0; k < v->count; k++)
        v->value[k] = v->at_low[k] == v->now[k] ? v->at_high[k] : (double)NAN;
    return status;
}

static bool any_crossed(const events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (v->crossed[k] && v->rate[k] * v->crossed[k] > 0) return true;
    return false;
}

dae_status events_hold(events *v, const engine *e, double t, bool moved)
{
    if (fabs(t - v->t_held) > events_resolution(e)) memset(v->held, 0, v->count);
    v->t_held = t;
    if (!moved || !any_crossed(v)) return DAE_OK;
    dae_status status = take_rates(v, e, t);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++) {
        signed char side = v->crossed[k];
        if (!side || !(v->rate[k] * side > 0)) continue;
        bool there = fabs(v->now[k]) <= v->slack[k] + v->blur[k]; /* the event has not moved it */
        bool stopped = there && v->value[k] * side <= STOPPED * fabs(v->rate[k]);
        bool same = there && v->turned[k] == side && v->extent[k] <= v->blur[k];
        if (!stopped && same && v->value[k] * side < LESS * fabs(v->rate[k])) v->again = true;
        v->held[k] = v->turned[k] = stopped ? side : 0;
    }
    return status;
}

bool events_hold_some(const events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (v->held[k]) return true;
    return false;
}

/* Whether a root that is crossed to the side that the last event has closed to it began on that
 * side, and was there just before: its rebound is less than its rounding. */
static bool has_not_left(const events *v, size_t k)
{
    signed char side = v->held[k];
    return side && v->crossed[k] == side && v->now[k] * side > 0 && v->at_low[k] * side > 0;
}

void held_look(events *v, const engine *e, bool found)
{
    const double *value = found ? v->at_low : v->at_end, rtol = e->options.rtol;
    bool at_once = found && fabs(v->high - v->t_held) <= AT_ONCE * events_resolution(e);
    v->again = false;
    for (size_t k = 0; k < v->count; k++) {
        if (at_once && v->held[k] && v->crossed[k] == v->held[k]) v->again = true;
        if (found && has_not_left(v, k)) v->passed = k;
        if (found && v->crossed[k]) continue;
        double least = fmax(fmax(v->slack[k], v->band[k]), rtol * v->extent[k]);
        if (!v->held[k] || !(fabs(value[k]) > least)) continue;
        if (value[k] * v->held[k] > 0) v->passed = k;
        v->held[k] = 0;
    }
}
