/* Steps after an event that are long for what moves fast there. */
#include "event/changes.h"

#include <math.h>

/* In this part of a step it shows the rate at its beginning, by no less than this part. */
static const double BEGIN = 1.0 / 64, SHOWN = 0.5;

/* In these parts of a step its polynomial may lead a root across 0 by an error. */
static const double EARLY[] = {0x1p-20, 0x1p-13, 0x1p-6, 0x1p-3};

/* How far a root goes in the last step, over what its rate at the beginning says; 1: it has none.
 */
static double way_of(const events *v, size_t k, double rate, double h)
{
    return rate == 0 ? 1 : (v->at_end[k] - v->now[k]) / (rate * h);
}

/* Whether a root with this rate at the beginning of the last step moves fast, by less than the rate
 * says or against it, and may have to do with 0 there: it comes to 0 with that rate, and has
 * crossed 0 at the end or moved against the rate; or it leaves 0 with that rate, and is on the
 * other side at the end. */
static bool is_doubtful(const events *v, size_t k, double rate, double h)
{
    static const double SOON = 16, ALONG = 2, AGAINST = 0.25;
    double now = v->now[k], end = v->at_end[k], way = way_of(v, k, rate, h);
    if (v->equal[k] > 0 || !(way < 1 / ALONG && way > -1 / AGAINST)) return false;
    if (fabs(now) <= v->band[k]) return end * rate < 0 && fabs(end) > v->band[k];
    if (now * rate > 0) return end * now < 0;
    double comes = fabs(now / rate);
    return comes < h || (comes < SOON * h && (end * now <= 0 || way <= 0));
}

/* Whether the last step hides what becomes of root k. An implicit step that is long for a fast
 * motion ends where that rests. There a root has crossed 0 at a time that the step does not show;
 * or the motion leads away from where it could rest, and the step against it. Polynomials that have
 * the rate at their beginning go back as soon. */
static bool hides_root(events *v, engine *e, const engine_point *begin, size_t k, double rate)
{
    static const double HARDLY = 0.125;
    double h = fabs(e->t - begin->t), now = v->now[k], after = BEGIN * h;
    if (!is_doubtful(v, k, rate, h)) return false;
    if (fabs(way_of(v, k, rate, h)) < HARDLY) return true;
    if (now * rate < 0) after = fmin(after, 0.25 * fabs(now / rate));
    if (events_roots_at(v, e, begin->t + after * e->options.direction, v->value) != DAE_OK)
        return false;
    return (v->value[k] - now) / (rate * after) < SHOWN;
}

/* Whether a root moves faster than where the step before began, as where a motion leads away from a
 * rest: the next step is looked at as well. Keeps the rates. */
static bool quickens(events *v, const double *rate)
{
    static const double FASTER = 1.5;
    bool quickens = false;
    for (size_t k = 0; k < v->count; k++) {
        quickens = quickens || fabs(rate[k]) > FASTER * fabs(v->began[k]);
        v->began[k] = rate[k];
    }
    return quickens;
}

/* Whether a root stands at 0 and leaves it with this rate, which is some part of how far it goes.
 */
static bool leaves_zero(const events *v, size_t k, double rate, double h)
{
    static const double SOME = 1e-4;
    double way = v->at_end[k] - v->now[k];
    return v->equal[k] == 0 && fabs(v->now[k]) <= v->band[k] && fabs(rate * h) > SOME * fabs(way);
}

/* Whether the polynomial leads a root that leaves 0 with its rate to the other side at once, by an
 * error that is much for that rate. */
static bool dips(events *v, engine *e, const engine_point *begin, const double *rate)
{
    double h = fabs(e->t - begin->t);
    for (size_t i = 0; i < sizeof EARLY / sizeof *EARLY; i++) {
        double after = EARLY[i] * h, t = begin->t + after * e->options.direction;
        if (events_roots_at(v, e, t, v->value) != DAE_OK) return false;
        for (size_t k = 0; k < v->count; k++) {
            bool shows = fabs(rate[k] * after) > v->band[k] && fabs(v->value[k]) > v->band[k];
            if (shows && v->value[k] * rate[k] < 0 && leaves_zero(v, k, rate[k], h)) return true;
        }
    }
    return false;
}

/* Whether the polynomial leads a root that is closer to 0 than a step is exact, but clearly on its
 * side, to the other side early in the step. By less than errors there it may be there at another
 * time, or not at all: a step that is short for that shows it. */
static bool crosses_early(events *v, engine *e, const engine_point *begin)
{
    double h = fabs(e->t - begin->t);
    bool any = false;
    for (size_t k = 0; k < v->count; k++) any = any || v->beside[k];
    for (size_t i = 0; i < sizeof EARLY / sizeof *EARLY && any; i++) {
        double t = begin->t + EARLY[i] * h * e->options.direction;
        if (events_roots_at(v, e, t, v->value) != DAE_OK) return false;
        for (size_t k = 0; k < v->count; k++)
            if (v->beside[k] && v->equal[k] == 0 && v->value[k] * v->sign[k] < 0) return true;
    }
    return false;
}

bool events_hide_roots(events *v, engine *e, const engine_point *begin)
{
    enum { MOST_HIDDEN = 30 };
    bool hides = false;
    double *rate = v->at_high;
    if (!v->source || v->count == 0 || v->t_now != begin->t) return false;
    if ((!v->fresh && !v->quickens) || v->hidden >= MOST_HIDDEN) return false;
    if (events_rates(v, e, begin, rate) != DAE_OK) return false;
    events_take_state(v, e, e->t);
    if (events_evaluate(v, e->t, v->at_end) != DAE_OK) return false;
    for (size_t k = 0; k < v->count && !hides; k++) hides = hides_root(v, e, begin, k, rate[k]);
    hides = hides || (v->fresh && (dips(v, e, begin, rate) || crosses_early(v, e, begin)));
    v->hidden += hides;
    if (!hides) v->quickens = quickens(v, rate) || v->fresh;
    return hides;
}
