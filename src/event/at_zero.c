/* Which relations stand at 0, and which have values that their modes exclude. */
#include "event/settling.h"

#include <math.h>

/* The left - right before the event of a relation that was crossed, or whose other one was, or that
 * hovers about 0: with this error it is 0 after the event. Negative: there is none. */
static double located(const switching *s, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    size_t other = s->relation[k].other;
    if (!r->crossed && other != SIZE_MAX) r = &s->modes->relation[other];
    return r->crossed || r->hovers ? fabs(r->left) : -1;
}

bool settling_is_rounding(const switching *s, size_t k)
{
    static const double ROUNDED = 8;
    double allowed = switching_rounded(s, k);
    return fabs(s->value[k]) <= fmax(allowed, ROUNDED * s->modes->relation[k].rounded);
}

/* The root that has just been crossed is 0 up to the error with which it was located. */
bool settling_is_at_surface(const switching *s, size_t k)
{
    static const double CROSSED = 10;
    return settling_is_rounding(s, k) || fabs(s->value[k]) <= CROSSED * located(s, k);
}

bool settling_contradicts(const switching *s, size_t k, bool at_zero)
{
    const relation_state *r = &s->modes->relation[k];
    double left = located(s, k);
    bool is;
    if (r->against) return true;
    if (r->kept > 0) return r->is + 1 != r->kept;
    if (switching_slides(s, k) || (r->crossed && s->modes->keeps)) return false;
    if (r->decided) return true;
    if (settling_has_other_factor(s, k, &is)) return is != (r->is == SYM_HELD_TRUE);
    if (switching_holds(s, k) == (r->is == SYM_HELD_TRUE)) return false;
    if (fabs(s->value[k]) <= r->equal && r->equal > 0) return false;
    if (s->relation[k].kind != RELATION_STATE) return true;
    if (s->modes->lenient && fabs(s->value[k]) <= switching_band(s, k)) return false;
    if (s->value[k] == 0 && left < 0) return at_zero;
    return !settling_is_at_surface(s, k);
}
