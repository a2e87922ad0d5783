#include "event/bracket.h"

#include <math.h>

/* Whether the inverse quadratic through the three points is monotone between the ends
 * (Chandrupatla (1997), eq. 6). */
static bool suits(const bracket *b)
{
    double span = b->last.x - b->other.x, rise = b->last.value - b->other.value;
    if (span == 0 || rise == 0 || b->last.value == b->newest.value) return false;
    double xi = (b->newest.x - b->other.x) / span;
    double phi = (b->newest.value - b->other.value) / rise;
    return phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi;
}

static double interpolated(const bracket *b)
{
    double f1 = b->newest.value, f2 = b->other.value, f3 = b->last.value;
    double far = (b->last.x - b->newest.x) / (b->other.x - b->newest.x);
    return f1 / (f2 - f1) * (f3 / (f2 - f3)) + far * (f1 / (f3 - f1)) * (f2 / (f3 - f2));
}

void bracket_begin(bracket *b, bracket_end low, bracket_end high, double resolution)
{
    *b = (bracket){high, low, low, resolution, 0.5};
}

bool bracket_next(const bracket *b, double *x)
{
    double length = fabs(b->other.x - b->newest.x);
    if (!(length > b->resolution)) return false;
    double least = 0.5 * b->resolution / length;
    *x = b->newest.x + fmin(fmax(b->part, least), 1 - least) * (b->other.x - b->newest.x);
    return *x != b->newest.x && *x != b->other.x;
}

void bracket_take(bracket *b, bracket_end at)
{
    if (at.behind == b->newest.behind) {
        b->last = b->newest;
    } else {
        b->last = b->other;
        b->other = b->newest;
    }
    b->newest = at;
    b->part = suits(b) ? interpolated(b) : 0.5;
}

const bracket_end *bracket_before(const bracket *b)
{
    return b->newest.behind ? &b->other : &b->newest;
}

const bracket_end *bracket_behind(const bracket *b)
{
    return b->newest.behind ? &b->newest : &b->other;
}
