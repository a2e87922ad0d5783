/* Rest: where events accumulate at an instant, the relations that take part are 0 there. */
#include "event/settling.h"

#include <math.h>
#include <string.h>

/* A relation takes part if it was crossed at one of so many last events. */
enum { LAST_EVENTS = 4 };

/* Whether relation k is 0 at the end of the accumulation. `all`: others within their errors of 0
 * are as well, as the levels of all tanks above one whose level accumulates. */
static bool takes_part(const settling *e, size_t k, bool all)
{
    const switching *s = e->s;
    const relation_state *r = &s->modes->relation[k];
    if (s->relation[k].kind != RELATION_STATE || r->kink) return false;
    if (all && fabs(s->value[k]) <= switching_band(s, k)) return true;
    if (r->last_event == 0) return false;
    double way = fabs(s->changes[k]) * e->accumulates;
    return s->modes->events - r->last_event < LAST_EVENTS &&
           fabs(s->value[k]) <= switching_band(s, k) + 4 * way;
}

static void look(settling *e)
{
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
}

/* How the limit is sought. */
typedef struct limit {
    bool all; /* relations within their errors of 0 take part that were not crossed */
    bool on;  /* states are moved to where the relations that take part are 0 */
} limit;

/* Moves the states to the limit. There, relations that are crossed infinitely often have no rate if
 * it is a state (by Rolle's theorem): the last speed before is small, but would lead away for the
 * rest of the run. */
static void go_to_limit(settling *e, const bool *part)
{
    switching *s = e->s;
    for (size_t k = 0; k < s->relations; k++) {
        look(e);
        if (part[k] && s->shift[k] != SIZE_MAX) e->z[s->shift[k]] -= s->value[k] / s->by_shift[k];
        if (takes_part(e, k, false) && s->slow[k] != SIZE_MAX)
            e->z[s->slow[k]] -= s->changes[k] / s->by_slow[k];
    }
    settling_keep_left(s, e->t, e->z);
    look(e);
}

/* Goes through the rounds of the event at the end of the accumulation, where relations have their
 * values at 0. *rests: all of them stay at 0 then. */
static dae_status try_limit(settling *e, limit by, bool *rests)
{
    switching *s = e->s;
    bool part[SWITCHING_MOST_AT_REST] = {false}, any = false;
    *rests = false;
    if (s->relations > SWITCHING_MOST_AT_REST) return DAE_OK;
    look(e);
    for (size_t k = 0; k < s->relations; k++) {
        part[k] = takes_part(e, k, by.all);
        if (part[k]) s->modes->relation[k].left = s->value[k];
    }
    if (by.on) go_to_limit(e, part);
    for (size_t k = 0; k < s->relations; k++) {
        if (!part[k]) continue;
        any = s->modes->relation[k].crossed = true;
        settling_hold(s, k, s->relation[k].op == SYM_LESS_EQUAL);
    }
    dae_status status = any ? settling_run_rounds(e) : DAE_OK;
    if (status != DAE_OK || !any) return status;
    look(e);
    *rests = true;
    for (size_t k = 0; k < e->s->relations; k++) {
        bool stays = fabs(e->s->changes[k]) <= switching_clear_rate(e->s, k);
        if (part[k] && (!stays || switching_is_pulled(e->s, k))) *rests = false;
    }
    *rests = *rests || e->result->terminates;
    return DAE_OK;
}

/* A spiral into the intersection of surfaces goes on as a motion along all of them. */
static dae_status try_motion(settling *e, bool *slides)
{
    bool part[SWITCHING_MOST_AT_REST] = {false};
    *slides = false;
    if (e->s->relations > SWITCHING_MOST_AT_REST) return DAE_OK;
    look(e);
    for (size_t k = 0; k < e->s->relations; k++) part[k] = takes_part(e, k, false);
    return settling_slide_together(e, part, 2, slides);
}

/* The relations that were crossed at the event, beside those that a trial marks so. What the trial
 * takes for the value before the event stays: where a solution of the equations moves a relation
 * back across 0, as the voltage of a thyristor that blocks, this is the error with which the event
 * was located. */
static void keep_crossed(switching *s, bool *crossed, bool back)
{
    for (size_t k = 0; k < s->relations && k < SWITCHING_MOST_AT_REST; k++) {
        relation_state *r = &s->modes->relation[k];
        if (back)
            r->crossed = crossed[k];
        else
            crossed[k] = r->crossed;
    }
}

/* Whether the limit is a rest. All is then as it was before. */
static dae_status is_rest(settling *e, limit by, bool *rests)
{
    switching *s = e->s;
    double *z = e->z;
    bool crossed[SWITCHING_MOST_AT_REST];
    keep_crossed(s, crossed, false);
    switching_result result = *e->result;
    settling_aside aside;
    settling_keep(e);
    settling_hush(e, &aside);
    dae_status status = try_limit(e, by, rests);
    settling_hear(e, &aside);
    *rests = *rests && status == DAE_OK;
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    settling_restore(e, s, z);
    keep_crossed(s, crossed, true);
    *e->result = result;
    return DAE_OK;
}

dae_status settling_find_rest(settling *e)
{
    bool rests = false;
    if (e->accumulates == 0 || e->s->modes->sliding > 0) return DAE_OK;
    static const limit way[] = {{false, false}, {true, false}, {false, true}, {true, true}};
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        dae_status status = is_rest(e, way[i], &rests);
        if (status != DAE_OK) return status;
        if (rests) return try_limit(e, way[i], &e->result->rests);
    }
    dae_status status = try_motion(e, &e->result->rests);
    return status == DAE_OK && !e->result->rests ? settling_find_modes(e) : status;
}
