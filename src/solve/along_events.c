/* The events of a run past impasse points: root functions that change their signs along the curve
 * of solutions, and times at which there is an event whatever the state is. */
#include "solve/along.h"

#include "event/changes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Points of a step at which root functions are looked at, and bisections to the place of one. */
enum { POINTS = 24, BISECTIONS = 60 };

static double time_of(const along *a, const curve_point *at)
{
    return at->u[curve_order(a->curve)];
}

void along_look_ahead(along *a)
{
    const event_source *of = a->solver->events.source;
    a->due = a->way * HUGE_VAL;
    if (!of || !of->ops->next) return;
    a->due = of->ops->next(of->self, time_of(a, curve_here(a->curve)), a->way);
}

void along_watch_events(along *a)
{
    const events *v = &a->solver->events;
    if (v->count > 0) memcpy(a->side, v->sign, v->count);
    along_look_ahead(a);
}

/* The point at x of the last step by Hermite's polynomial of degree 3: whether there may be an
 * event. */
static void interpolate(along *a, double x)
{
    const curve_point *from = curve_here(a->curve), *to = curve_next(a->curve);
    double h = curve_length(a->curve), y = 1 - x;
    for (size_t j = 0; j <= curve_order(a->curve); j++) {
        double rise = to->u[j] - from->u[j], left = h * from->slope[j], right = h * to->slope[j];
        double bend = y * (left - rise) - x * (right - rise);
        a->point.u[j] = from->u[j] + x * rise + x * y * bend;
        a->point.slope[j] = (rise + (y - x) * bend + x * y * (2 * rise - left - right)) / h;
    }
}

/* Whether root function k is an event where it is beyond its side. A direction in which it must
 * change counts as time rises; as time falls, any change is told. */
static bool counts(const along *a, size_t k)
{
    const events *v = &a->solver->events;
    const signed char *direction = v->source->direction;
    bool forward = a->way * a->solver->engine->options.direction > 0;
    return v->value[k] * a->side[k] < -v->band[k] &&
           (!forward || !direction || direction[k] == 0 || direction[k] != a->side[k]);
}

/* Marks the root functions that are beyond their sides at a point. Where time turns, derivatives
 * are infinite: what depends on them has no value there, and tells nothing. */
static dae_status look(along *a, const curve_point *at, bool *beyond)
{
    events *v = &a->solver->events;
    double t = a->found = time_of(a, at);
    *beyond = (t - a->due) * a->way >= 0;
    curve_values(a->curve, at, v->y, v->yp);
    dae_status status = events_evaluate(v, t, v->value);
    for (size_t k = 0; k < v->count; k++) {
        bool over = isfinite(v->value[k]) && a->side[k] != 0 && counts(a, k);
        v->crossed[k] = over ? (signed char)-a->side[k] : 0;
        *beyond = *beyond || over;
    }
    return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
}

/* Root functions that have left 0 are not held there any more, and those whose side their source
 * does not know have that of their value. */
static void wake(along *a)
{
    events *v = &a->solver->events;
    for (size_t k = 0; k < v->count; k++) {
        if (!isfinite(v->value[k]) || fabs(v->value[k]) <= v->band[k]) continue;
        v->band[k] = 0;
        if (!events_know_signs(v)) a->side[k] = sign_of(v->value[k]);
    }
}

static dae_status bisect(along *a, double low, double *high)
{
    dae_status status = DAE_OK;
    const curve_point *at;
    bool beyond;
    for (int i = 0; i<BISECTIONS && * high - low> DBL_EPSILON * *high; i++) {
        double middle = low + 0.5 * (*high - low);
        status = curve_within(a->curve, middle, &at);
        if (status == DAE_OK) status = look(a, at, &beyond);
        if (status != DAE_OK) return status;
        *(beyond ? high : &low) = middle;
    }
    status = curve_within(a->curve, *high, &at);
    return status == DAE_OK ? look(a, at, &beyond) : status;
}

dae_status along_find_event(along *a, double border, double *part, bool *found)
{
    dae_status status = DAE_OK;
    double most = *part, low = 0;
    *found = false;
    if (!a->solver->events.source || a->beyond) return DAE_OK;
    for (int i = 1; i <= POINTS && status == DAE_OK && !*found; i++) {
        double x = i == POINTS ? most : most * i / POINTS;
        const curve_point *at;
        interpolate(a, x);
        status = look(a, &a->point, found);
        if (status == DAE_OK && *found) status = curve_within(a->curve, x, &at);
        if (status == DAE_OK && *found) status = look(a, at, found);
        if (*found) *part = x;
        if (!*found) wake(a), low = x;
    }
    if (status == DAE_OK && *found) status = bisect(a, low, part);
    if (status != DAE_OK || !*found) return status;
    *found = (a->found - border) * a->way < 0;
    return DAE_OK;
}

void along_name_event(along *a, text *to)
{
    const events *v = &a->solver->events;
    event_name_crossed(v->source, v->crossed, to);
    bool due = (a->found - a->due) * a->way >= 0;
    if (!due || !v->source->ops->name_due) return;
    if (to->length) text_add(to, ", ");
    v->source->ops->name_due(v->source->self, a->due, to);
}
