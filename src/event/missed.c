/* Events that are missed: events of several relations may come as close as rounding. Tanks that an
 * inflow serves in turn would run empty, both of them. */
#include "event/settling.h"

#include "base/round_off.h"

#include <math.h>

static bool something_waits(const relation_state *r)
{
    return r->memory > 0 || r->moves;
}

/* Whether something waits for relation k, which was led back at its last event. */
static bool comes_again(const relation_state *r)
{
    return something_waits(r) && r->turned;
}

/* Whether relation k was crossed at this event and stands at 0, and its rate leads back. Its mode
 * may be that of before again. A slow way back counts as well: an inflow that hardly exceeds an
 * outflow lifts a level by little. */
static bool is_led_back(const switching *s, size_t k, double rate)
{
    const relation_state *r = &s->modes->relation[k];
    bool moves = fabs(rate) > switching_rate_rounding(s, k);
    bool back = moves && (rate < 0) != (r->to == SYM_HELD_TRUE);
    return back && !switching_slides(s, k) && settling_is_at_surface(s, k);
}

/* Whether relation k stood at 0 before this event, too, where it was not crossed. The voltage of a
 * thyristor that blocks is 0 after its firing, and was far from it before. */
static bool has_stayed(const switching *s, size_t k)
{
    double rounding = switching_rounded(s, k);
    return settling_is_at_surface(s, k) && fabs(s->modes->relation[k].left) <= rounding;
}

/* Events are missed where they come close: one follows on another within this part of the time
 * since the start. */
static const double SOON = 1e-4;

/* Whether the event comes as close to the one that has led relation k back. If not, what has led it
 * back without lifting it from 0 is no flow: a temperature that rests drifts by its errors. */
static bool follows_soon(const settling *e, const relation_state *r)
{
    return fabs(e->t - r->turned_at) <= SOON * fabs(e->t - e->s->modes->begun);
}

/* Whether relation k, which was led back at its last event, is led across 0 now and not seen any
 * more. Either it has kept its mode since, as it has come no further from 0 than rounding; or
 * several such relations are crossed at once where gaps shrink, and what waits for one of them has
 * gone before. */
static bool is_missed(const settling *e, size_t k, size_t together)
{
    const relation_state *r = &e->s->modes->relation[k];
    bool shrinks = e->nears > 0 || e->accumulates > 0;
    if (!comes_again(r)) return false;
    return r->crossed ? together > 1 && shrinks : has_stayed(e->s, k) && follows_soon(e, r);
}

/* Whether the rate of relation k is more than what rounding leaves where flows are in balance. */
static bool leads_clearly(const switching *s, size_t k, double rate)
{
    double balance = ROUND_OFF_AMPLIFIED * s->quickest * s->nominal[k];
    return fabs(rate) > fmax(switching_clear_rate(s, k), balance);
}

/* Rounding that moves a rate by more than this part of it decides what the rate leads to. */
static const double DECIDES = 0.5;

/* The rate of relation k where its value is `at` instead, by its first state. All is then as it was
 * before; *rate stays as it is if the equations have no solution there. */
static dae_status find_rate_at(settling *e, size_t k, double at, double *rate)
{
    switching *s = e->s;
    double *z = e->z;
    settling_keep(e);
    z[s->shift[k]] += (at - s->value[k]) / s->by_shift[k];
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &e->tried);
    if (status == DAE_OK) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        *rate = e->s->changes[k];
    }
    settling_restore(e, s, z);
    switching_look_at_rates(s);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Whether rounding of the value of relation k decides its rate: the flow through a valve that opens
 * or closes grows with the root of what drives it, 3e-5 of it at 1e-9. Such a flow is none that an
 * event could miss. An iteration does not see less than that: squares of flows are what it misses.
 */
static dae_status is_of_rounding(settling *e, size_t k, bool *rounding)
{
    const switching *s = e->s;
    double far = ROUND_OFF_AMPLIFIED * (s->size[k] + s->nominal[k]), now = s->changes[k];
    double above = now, below = now;
    *rounding = false;
    if (s->shift[k] == SIZE_MAX) return DAE_OK;
    dae_status status = find_rate_at(e, k, far, &above);
    if (status == DAE_OK) status = find_rate_at(e, k, -far, &below);
    double most = fmax(now, fmax(above, below)), least = fmin(now, fmin(above, below));
    *rounding = most - least > DECIDES * fabs(now);
    return status;
}

/* Whether relation k leads on, away from an event that it has missed. */
static dae_status look_at_missed(settling *e, size_t k, size_t together)
{
    const switching *s = e->s;
    double rate = s->changes[k] * s->modes->direction;
    bool clear = leads_clearly(s, k, rate) && !switching_slides(s, k), rounding;
    bool leads_on = (rate < 0) == (s->modes->relation[k].is == SYM_HELD_TRUE);
    if (!clear || !leads_on || !is_missed(e, k, together)) return DAE_OK;
    dae_status status = is_of_rounding(e, k, &rounding);
    if (status == DAE_OK && !rounding) e->result->blurred = true;
    return status;
}

dae_status settling_look_for_missed(settling *e)
{
    switching *s = e->s;
    size_t together = 0;
    dae_status status = DAE_OK;
    switching_look(s, e->t, e->z);
    switching_look_at_rates(s);
    for (size_t k = 0; k < s->relations; k++)
        together += s->modes->relation[k].crossed && comes_again(&s->modes->relation[k]);
    for (size_t k = 0; k < s->relations && status == DAE_OK; k++) {
        relation_state *r = &s->modes->relation[k];
        status = look_at_missed(e, k, together);
        if (!r->crossed) continue;
        r->turned = is_led_back(s, k, s->changes[k] * s->modes->direction);
        r->turned_at = e->t;
    }
    return status;
}

void settling_look_for_overrun(settling *e)
{
    const switching *s = e->s;
    for (size_t k = 0; k < s->relations; k++) {
        relation_state *r = &s->modes->relation[k];
        double rate = s->changes[k] * s->modes->direction;
        bool clear = fabs(rate) > switching_clear_rate(s, k) && !switching_slides(s, k);
        signed char mode = r->is == SYM_HELD_TRUE ? 1 : -1;
        if (!something_waits(r) || !r->crossed || !clear || !settling_is_at_surface(s, k)) continue;
        bool leads_on = (rate < 0) == (mode > 0);
        if (leads_on && r->thrown == mode) e->result->blurred = true;
        r->thrown = leads_on ? 0 : mode;
    }
}
