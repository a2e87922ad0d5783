/* Roots that stand within errors of the state, and are crossed again and again.
 *
 * A root that cannot be told from 0 after an event is no event before it goes beyond what errors of
 * the state make of it. Where such a relation turns at once a current that is large for these
 * errors, that hysteresis keeps up a cycle: the voltage of a diode between two capacitors has
 * errors of 1e-6 V, with which it begins to conduct 1e-3 A through 1e-3 Ohm instead of nothing, so
 * that another diode blocks, whose voltage rises by 1e-6 V in turn. In a multiplier of three stages
 * that made 3e6 events a second. So a root that does not leave these errors between several
 * crossings in a row is told from 0 by rounding alone, where it is on the side of its mode. */
#include "event/events.h"

#include <math.h>

/* So many times what errors of the state make of a root is no more than they. */
static const double MARGIN = 4;

/* So many crossings in a row. */
enum { MANY = 4 };

void noise_follow(events *v)
{
    for (size_t k = 0; k < v->count; k++) {
        bool known = v->noise[k] > 0;
        v->reach[k] = fmax(v->reach[k], known ? fabs(v->now[k]) / v->noise[k] : HUGE_VAL);
    }
}

void noise_cross(events *v)
{
    for (size_t k = 0; k < v->count; k++) {
        if (!v->crossed[k]) continue;
        v->often[k] = v->reach[k] <= 1 ? v->often[k] + 1 : 0;
        v->reach[k] = 0;
    }
}

void noise_forget(events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (v->crossed[k]) v->often[k] = 0;
}

bool noise_is_some(const events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (v->often[k] > 0) return true;
    return false;
}

void noise_take(events *v, size_t k, double moved, double rounding)
{
    double by = fabs(moved - v->now[k]);
    v->noise[k] = isfinite(by) ? MARGIN * by : 0;
    bool agrees = v->now[k] * v->sign[k] > 0;
    if (v->often[k] >= MANY && v->edge[k] == 0 && agrees) v->band[k] = fmin(v->band[k], rounding);
}
