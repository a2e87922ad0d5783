/* Surfaces at events: which side of its surface a solution takes, or whether it slides along it. */
#include "event/settling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The solution leaves a surface at which it slides to the side of one mode. */
static void leave_sliding(switching *s, size_t surface, bool is)
{
    settling_set_slides(s->modes, surface, false);
    settling_hold_side(s, surface, is);
}

/* Gives the relations of the surface the values that they have there. */
static void leave_by_value(switching *s, size_t surface)
{
    settling_set_slides(s->modes, surface, false);
    for (size_t k = 0; k < s->relations; k++)
        if (s->modes->relation[k].surface == surface) settling_hold(s, k, switching_holds(s, k));
}

void settling_leave_beside(settling *e)
{
    switching *s = e->s;
    if (s->modes->sliding == 0) return;
    switching_look(s, e->t, e->z);
    for (size_t k = 0; k < s->relations; k++)
        if (s->modes->relation[k].slides && fabs(s->value[k]) > switching_band(s, k))
            leave_by_value(s, k);
}

bool settling_leave_second_order(switching *s)
{
    bool any = false;
    for (size_t k = 0; k < s->relations; k++) {
        if (!s->modes->relation[k].slides || !s->modes->relation[k].second) continue;
        leave_by_value(s, k);
        any = true;
    }
    return any;
}

/* Without the rates of both sides, a share that an event has taken out of 0 to 1 tells. */
static void judge_by_share(switching *s, size_t surface)
{
    signed char ends = s->modes->relation[surface].share_ends;
    if (ends) leave_sliding(s, surface, ends > 0);
}

/* Whether the solution has come from this side of a surface in the step before the event. Where the
 * event has moved states, as an impact does, that tells nothing of how it leaves. */
static bool came_from(const settling *e, size_t surface, bool is)
{
    const switching *s = e->s;
    for (size_t k = surface; k < s->relations && !e->jumped; k++) {
        const relation_state *r = &s->modes->relation[k];
        signed char passed = (signed char)(r->passed * r->factor);
        bool from = (passed < 0) != r->opposite;
        if (r->surface == surface && passed && from == is) return true;
    }
    return false;
}

/* Whether a side leads back to the surface. The side on which the solution has come to it does, be
 * it ever so slowly, as with a force that begins to grow. */
static bool leads_back(const settling *e, size_t surface, bool is, const settling_ways *w)
{
    bool came = w->of[is] <= w->clear && came_from(e, surface, is);
    return came || w->of[is] < -w->clear;
}

/* Where the rate of a surface is 0 on both sides, second derivatives tell. */
static void take_second(const switching *s, size_t surface, settling_ways *w)
{
    bool still = fabs(w->of[0]) <= w->clear && fabs(w->of[1]) <= w->clear;
    if (!s->modes->relation[surface].second || !still) return;
    memcpy(w->of, w->bend, sizeof w->of);
    w->clear = w->pull;
}

/* Decides anew about one surface: with the others as they are, its share is within 0 to 1 where
 * both sides lead back. */
static void review_surface(settling *e, size_t surface, const settling_ways *w)
{
    double no = w->of[0], yes = w->of[1];
    if (w->off) {
        leave_by_value(e->s, surface);
    } else if (isnan(no) || isnan(yes)) {
        judge_by_share(e->s, surface);
    } else if (no > w->clear && yes > w->clear) {
        settling_note_repelling(e, surface);
        leave_by_value(e->s, surface);
    } else if (!leads_back(e, surface, false, w) || !leads_back(e, surface, true, w)) {
        leave_sliding(e->s, surface, yes > no);
    }
}

/* Decides anew about surfaces up to the first one that the solution leaves, with the lowest number.
 * *seen: the rates of a side of one of them are known. */
static dae_status review_some(settling *e, settling_ways *way, bool *known, bool *seen)
{
    const switching_modes *m = e->s->modes;
    size_t sliding = m->sliding;
    dae_status status = settling_look_at_shares(e, way, known);
    *seen = false;
    for (size_t k = 0; k < m->relations && status == DAE_OK && m->sliding == sliding; k++) {
        if (!m->relation[k].slides) continue;
        if (!known[k] || m->relation[k].second) status = settling_look_at_sides(e, k, &way[k]);
        take_second(e->s, k, &way[k]);
        if (status == DAE_OK) review_surface(e, k, &way[k]);
        *seen = *seen || (!way[k].back && !(isnan(way[k].of[0]) && isnan(way[k].of[1])));
    }
    return status;
}

/* Whether the equations have a solution in the present modes. All is then as it was before. */
static dae_status can_stay(settling *e, bool *can)
{
    switching *s = e->s;
    double *z = e->z;
    settling_keep(e);
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    *can = status == DAE_OK && !settling_takes_back(e, s, SIZE_MAX);
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* An event that takes two surfaces out of the equations leaves shares that nothing determines, so
 * that no side of one of them has rates while the solution slides along the other. Then all are
 * left, and those that lead back on both sides are found again. */
static dae_status leave_undetermined(settling *e)
{
    const switching_modes *m = e->s->modes;
    bool can = true;
    dae_status status = can_stay(e, &can);
    for (size_t k = 0; k < m->relations && status == DAE_OK && !can; k++)
        if (m->relation[k].slides) leave_by_value(e->s, k);
    return status;
}

/* Where the solution leaves one surface, it may leave others, too: they are looked at again, those
 * with the lowest number first (as in search.c: Murty, 1972). */
dae_status settling_review_sliding(settling *e)
{
    const switching_modes *m = e->s->modes;
    if (m->sliding == 0) return DAE_OK;
    settling_ways *way = malloc((m->relations + 1) * sizeof *way);
    bool *known = malloc((m->relations + 1) * sizeof *known);
    dae_status status = way && known ? DAE_OK : DAE_NO_MEMORY;
    size_t sliding = m->relations + 1;
    bool seen = false;
    while (m->sliding > 0 && m->sliding != sliding && status == DAE_OK) {
        sliding = m->sliding;
        status = review_some(e, way, known, &seen);
    }
    if (status == DAE_OK && m->sliding > 1 && !seen) status = leave_undetermined(e);
    free(way);
    free(known);
    return status;
}

/* Whether relation k, which is 0 but for rounding or has by an error of the state the value that
 * its mode excludes, is about to have that value. */
static bool is_about_to_turn(const switching *s, size_t k)
{
    double rate;
    bool is = s->modes->relation[k].is == SYM_HELD_TRUE;
    const relation_state *r = &s->modes->relation[k];
    if (r->kink || r->stuck || r->equal > 0 || !switching_leaves(s, k, &rate) || (rate < 0) == is)
        return false;
    return settling_is_at_surface(s, k) || (s->value[k] < 0) != is;
}

/* Whether the equations have a solution, with rates, in the other mode of a surface: where the
 * state stands beyond it by round-off, sqrt(h) may have no value. And whether it does not turn back
 * there at once. All is then as it was before. */
static dae_status can_turn(settling *e, size_t surface, bool is, bool *can)
{
    switching *s = e->s;
    double *z = e->z;
    settling_keep(e);
    settling_hold_side(s, surface, is);
    const unsigned char held = s->modes->relation[surface].is;
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    /* the search may have gone back to the mode before */
    *can = status == DAE_OK && e->s->modes->relation[surface].is == held;
    if (*can) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        *can = isfinite(e->s->changes[surface]) && !switching_bends_back(e->s, surface);
    }
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Whether relation k, whose value still agrees with its mode, is led across 0 there as well: the
 * rate of a state that stands beside 0 by an error may be another one, as that of h' = a - sqrt(h).
 * All is then as it was before. */
static dae_status leads_across(settling *e, size_t k, bool *across)
{
    switching *s = e->s;
    double *z = e->z, rate = s->changes[k];
    *across = true;
    if (s->entry[k] == SIZE_MAX) return DAE_OK;
    message unheard = {0};
    settling_keep(e);
    e->z[s->entry[k]] -= s->value[k] / s->by_entry[k];
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &unheard);
    message_free(&unheard);
    if (status == DAE_OK) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        double there = e->s->changes[k];
        *across = there * rate > 0 && fabs(there) > switching_clear_rate(e->s, k);
    }
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Of so many surfaces all motions along some of them are tried, but of no more than that. */
enum { MOST_SURFACES = 5 };

/* The surfaces of which an event has changed the modes, and those at which the solution slides. */
typedef struct together {
    size_t surface[MOST_SURFACES], count;
    unsigned char way[MOST_SURFACES]; /* 0: it slides; 1, 2: its relation is true, false */
} together;

static bool find_together(const switching_modes *m, together *t)
{
    t->count = 0;
    for (size_t k = 0; k < m->relations; k++) {
        const relation_state *r = &m->relation[k];
        if (r->surface != k || !(r->leaves || r->slides)) continue;
        if (t->count == MOST_SURFACES) return false;
        t->surface[t->count++] = k;
    }
    return true;
}

/* Whether each of them is left to its side, and the shares of the others are within 0 to 1. */
static bool fits(settling *e, const together *t)
{
    const switching *s = e->s;
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
    for (size_t i = 0; i < s->shares; i++) {
        double share = s->share[i] == SIZE_MAX ? 0.5 : e->z[s->share[i]];
        if (!(share > 0 && share < 1)) return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        const relation_state *r = &s->modes->relation[t->surface[i]];
        if (t->way[i] > 0 && (r->is == SYM_HELD_TRUE) != (t->way[i] == 1)) return false;
        if (t->way[i] > 0 && is_about_to_turn(s, t->surface[i])) return false;
    }
    return true;
}

static dae_status try_together(settling *e, const together *t, bool *found)
{
    switching *s = e->s;
    double *z = e->z;
    bool slides[MOST_SURFACES];
    settling_keep(e);
    for (size_t i = 0; i < t->count; i++) {
        slides[i] = s->modes->relation[t->surface[i]].slides;
        settling_set_slides(s->modes, t->surface[i], t->way[i] == 0);
        if (t->way[i] > 0) settling_hold_side(s, t->surface[i], t->way[i] == 1);
    }
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    *found = status == DAE_OK && !settling_takes_back(e, s, SIZE_MAX) && fits(e, t);
    if (!*found) settling_restore(e, s, z);
    for (size_t i = 0; i < t->count && !*found; i++)
        settling_set_slides(s->modes, t->surface[i], slides[i]);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Takes the next ways; false: all have been there. */
static bool next_ways(together *t)
{
    for (size_t i = 0; i < MOST_SURFACES && i < t->count; i++) {
        if (t->way[i] < 2) return t->way[i]++, true;
        t->way[i] = 0;
    }
    return false;
}

/* Tries all ways in which the solution slides along that many of the surfaces. */
static dae_status try_number(settling *e, together *t, size_t slides, bool *found)
{
    dae_status status = DAE_OK;
    memset(t->way, 0, sizeof t->way);
    do {
        size_t count = 0;
        for (size_t i = 0; i < t->count; i++) count += t->way[i] == 0;
        if (count == slides) status = try_together(e, t, found);
    } while (status == DAE_OK && !*found && next_ways(t));
    return status;
}

/* Says that a motion along several surfaces is not determined. */
static dae_status report_several(settling *e, const together *t)
{
    text named = {0};
    settling_name(e, t->count, t->surface, &named);
    message_replace(e->m, DAE_EVENT,
                    "at t = %.9g the solution cannot leave the surfaces of %zu relations, %s: the "
                    "motion along all of them is not determined\n  remedy: give one of them a "
                    "hysteresis, or smooth it",
                    e->t, t->count, text_string(&named));
    text_free(&named);
    return DAE_EVENT;
}

/* The solution has come back to a surface that it has left at this event: to leave one after the
 * other goes round in a circle, as on a spiral into all of them. Tries all motions, those along
 * most surfaces first. */
static dae_status find_motion(settling *e, together *t)
{
    bool found = false;
    for (size_t slides = t->count + 1; slides-- > 0 && !found;) {
        dae_status status = try_number(e, t, slides, &found);
        if (status != DAE_OK) return status;
    }
    if (found) return settling_run_rounds(e);
    return report_several(e, t);
}

dae_status settling_slide_together(settling *e, const bool *part, size_t least, bool *found)
{
    switching_modes *m = e->s->modes;
    together t = {.count = 0};
    *found = false;
    for (size_t k = 0; k < m->relations; k++) {
        size_t surface = m->relation[k].surface, i = 0;
        while (i < t.count && t.surface[i] != surface) i++;
        if (!part[k] || i < t.count) continue;
        if (t.count == MOST_SURFACES) return DAE_OK;
        t.surface[t.count++] = surface;
    }
    dae_status status = t.count >= least ? try_number(e, &t, t.count, found) : DAE_OK;
    return status == DAE_OK && *found ? settling_run_rounds(e) : status;
}

/* Nothing turns the relations of a surface any more at this event. */
static void stick(settling *e, size_t surface)
{
    for (size_t k = 0; k < e->s->relations; k++)
        if (e->s->modes->relation[k].surface == surface) e->s->modes->relation[k].stuck = true;
}

/* The solution neither leaves a surface nor slides along it: its rates are no more than what an
 * error of the state makes of them, as beside the end of a root. It stays in its mode until more is
 * seen. */
static dae_status stay_beside(settling *e, size_t surface)
{
    stick(e, surface);
    return settling_find_modes(e);
}

/* Whether what the event has switched leads the solution back, as a thermostat that goes off: it
 * leaves a surface to its present side where it stands, too. All is then as it was before. */
static dae_status leads_back_beside(settling *e, size_t surface, bool *leads)
{
    bool is = e->s->modes->relation[surface].is == SYM_HELD_TRUE;
    settling_ways w = {0};
    *leads = false;
    if (!settling_has_switched(e)) return DAE_OK;
    dae_status status = settling_try_side(e, surface, is, false, &w);
    *leads = status == DAE_OK && w.of[is] > w.clear;
    return status;
}

/* The solution leaves a surface to the side that rates on the surface tell. If it has just come
 * from there and the event has not led it back, no step is short enough for that
 * branch, as for sqrt(h) in a tank that begins to fill: it is entered again where more is seen. */
static dae_status go_one_way(settling *e, size_t surface)
{
    switching_modes *m = e->s->modes;
    bool is = m->relation[surface].is == SYM_HELD_TRUE, leads = true;
    if (e->jumped) return DAE_OK;
    bool back = came_from(e, surface, is);
    dae_status status = back ? leads_back_beside(e, surface, &leads) : DAE_OK;
    back = back && !leads;
    if (back) settling_hold_side(e->s, surface, !is);
    for (size_t k = surface; back && k < m->relations; k++) {
        relation_state *r = &m->relation[k];
        if (r->surface == surface) r->ended = r->is == SYM_HELD_TRUE ? -1 : 1;
    }
    stick(e, surface);
    return status;
}

/* While the solution slides, a whole part is that before the event: its relations are then those of
 * the surface. */
static void keep_whole_part(switching *s, size_t surface)
{
    for (size_t k = surface; k < s->relations; k++)
        if (s->modes->relation[k].surface == surface && s->relation[k].other != SIZE_MAX)
            settling_hold(s, k, false);
}

/* Whatever the mode of the surface of relation k is, the solution comes back to it: it slides. */
static dae_status slide(settling *e, size_t k)
{
    switching_modes *m = e->s->modes;
    relation_state *r = &m->relation[m->relation[k].surface];
    together t;
    bool few = find_together(m, &t);
    if (r->slid && few)
        return t.count > 1 ? find_motion(e, &t) : stay_beside(e, m->relation[k].surface);
    r->slid = true;
    r->second = false;
    settling_set_slides(m, m->relation[k].surface, true);
    dae_status status = settling_review_sliding(e);
    if (status == DAE_OK && few && t.count == 1 && !r->slides)
        status = go_one_way(e, m->relation[k].surface);
    if (r->slides) keep_whole_part(e->s, m->relation[k].surface);
    if (status == DAE_OK) status = settling_run_rounds(e);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    return few && m->sliding > 1 ? report_several(e, &t) : settling_leave_chatter(e, k);
}

/* The solution leaves the surface of relation k, or slides along it. *flips: it leaves, which may
 * end other motions along surfaces. */
static dae_status leave_surface(settling *e, size_t k, bool *flips)
{
    const switching *s = e->s;
    relation_state *r = &s->modes->relation[s->modes->relation[k].surface];
    bool to = (s->changes[k] * s->modes->direction < 0) != s->modes->relation[k].opposite;
    bool comes_back = r->leaves || came_from(e, r->surface, to), can = true;
    dae_status status = DAE_OK;
    if (switching_holds(s, k) == (s->modes->relation[k].is == SYM_HELD_TRUE)) {
        status = leads_across(e, k, &can);
        if (status == DAE_OK && can) status = can_turn(e, r->surface, to, &can);
    }
    e->s->modes->relation[k].stuck = !can;
    if (status == DAE_OK && !can) status = settling_find_modes(e);
    if (status != DAE_OK || !can) return status;
    r->leaves = true;
    settling_hold_side(e->s, r->surface, to);
    *flips = !comes_back;
    return comes_back ? slide(e, k) : settling_run_rounds(e);
}

/* Modes that have changed may end a sliding motion. */
static dae_status review_again(settling *e, bool *again)
{
    size_t before = e->s->modes->sliding;
    dae_status status = settling_review_sliding(e);
    *again = e->s->modes->sliding != before;
    if (status != DAE_OK) return status;
    return *again ? settling_run_rounds(e) : settling_find_modes(e);
}

static dae_status report_endless(settling *e, size_t k)
{
    text named = {0};
    settling_name(e, 1, &k, &named);
    message_replace(e->m, DAE_EVENT,
                    "the event at t = %.9g does not end: the solution leaves the surface of the "
                    "relation %s and others again and again\n  remedy: give the relation a "
                    "hysteresis, or let what it changes be the same once it has changed",
                    e->t, text_string(&named));
    text_free(&named);
    return DAE_EVENT;
}

dae_status settling_leave_surfaces(settling *e)
{
    dae_status status = DAE_OK;
    bool again = true, flips = false;
    /* n touching bodies in a row have up to n (n - 1) / 2 impacts; two surfaces are left in each */
    size_t most = 4 * e->s->relations * (1 + e->s->relations);
    for (size_t i = 0; again && status == DAE_OK; i++) {
        size_t k = 0, relations = e->s->relations;
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        settling_look_for_overrun(e);
        bool stays = true;
        while (k < relations && status == DAE_OK && stays) {
            stays = !is_about_to_turn(e->s, k);
            if (!stays) status = settling_look_ahead(e, k, &stays);
            k += stays;
        }
        again = k < relations;
        if (status == DAE_OK && again && i >= most) {
            status = report_endless(e, k);
        } else if (status == DAE_OK && again) {
            status = leave_surface(e, k, &flips);
        } else if (status == DAE_OK && flips && e->s->modes->sliding > 0) {
            status = review_again(e, &again);
            flips = false;
        }
    }
    return status;
}
