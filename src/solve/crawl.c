/* Events without an end: a relation is crossed to and fro while the solution stays where it is. */
#include "solve/solver.h"

#include <math.h>
#include <string.h>

/* So many events in a row of one root that leave the solution where it was are a crawl, where so
 * many more are to come at this pace, or have come. */
enum { MANY_CROSSINGS = 1000, ENDLESS = 1000000 };

/* The first root that was crossed at the last event; SIZE_MAX: something is due then, or none was.
 */
static size_t crossed_root(const dae_event *event)
{
    for (size_t k = 0; k < event->roots && !event->due; k++)
        if (event->crossed[k]) return k;
    return SIZE_MAX;
}

/* Whether a variable has moved beyond its tolerance since the crawl began. */
static bool has_moved(const dae_solver *s)
{
    const dae_options *o = &s->options;
    const double *at = s->event.y_before;
    for (size_t k = 0; k < s->event.n; k++) {
        double allowed = o->rtol * fabs(at[k]) + (s->atols ? s->atols[k] : o->atol);
        if (!(fabs(at[k] - s->crawl.y[k]) <= allowed)) return true;
    }
    return false;
}

static void begin_crawl(dae_solver *s, size_t root)
{
    crawl *c = &s->crawl;
    c->count = 0;
    c->t = s->event.t;
    c->root = root;
    c->to = root == SIZE_MAX ? 0 : s->event.crossed[root];
    memcpy(c->y, s->event.y_before, s->event.n * sizeof *c->y);
}

/* Values are compared before crossings to one side alone: algebraic variables jump at them. */
void solve_follow_crawl(dae_solver *s)
{
    crawl *c = &s->crawl;
    size_t root = crossed_root(&s->event);
    bool other = root == SIZE_MAX || root != c->root;
    if (other || (s->event.crossed[root] == c->to && has_moved(s))) begin_crawl(s, root);
    c->count++;
}

/* After a step of a run to t_end. */
dae_status solve_look_for_crawl(dae_solver *s, double t_end)
{
    const crawl *c = &s->crawl;
    double t = s->event.t;
    if (c->root == SIZE_MAX || c->count < MANY_CROSSINGS) return DAE_OK;
    double gap = fabs(t - c->t) / (double)(c->count - 1), left = fabs(t_end - t) / gap;
    if (left < ENDLESS && c->count < ENDLESS) return DAE_OK;
    const char *name = s->event.name;
    return message_fail(&s->message, DAE_EVENT,
                        "stopped at t = %.9g: the solution chatters%s%s; the last %zu events have "
                        "moved no variable by more than its tolerance, and at this pace %.2g more "
                        "follow until t = %.9g\n  remedy: give the relation a hysteresis, or "
                        "smooth it; a point of rest needs a mode of its own, which a condition "
                        "turns on",
                        t, *name ? " at " : "", name, c->count, left, t_end);
}
