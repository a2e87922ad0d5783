/* Surfaces at events: which side of its surface a solution takes, or whether it slides along it. */
#include "event/sliding_parts.h"

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
bool sliding_came_from(const settling *e, size_t surface, bool is)
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
    bool came = w->of[is] <= w->clear && sliding_came_from(e, surface, is);
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

/* Decides anew about the surfaces of each part up to the first one that the solution leaves, with
 * the lowest number. Marks the parts in which rates of a side of one of them are known. */
static dae_status review_some(settling *e, settling_ways *way, bool *known)
{
    switching_modes *m = e->s->modes;
    dae_status status = settling_look_at_shares(e, way, known);
    memset(m->left, 0, m->parts * sizeof *m->left);
    memset(m->seen, 0, m->parts * sizeof *m->seen);
    for (size_t k = 0; k < m->relations && status == DAE_OK; k++) {
        size_t part = m->relation[k].part, sliding = m->sliding;
        if (!m->relation[k].slides || m->left[part]) continue;
        if (!known[k] || m->relation[k].second) status = settling_look_at_sides(e, k, &way[k]);
        take_second(e->s, k, &way[k]);
        if (status == DAE_OK) review_surface(e, k, &way[k]);
        m->left[part] = m->sliding != sliding;
        bool none = way[k].back || (isnan(way[k].of[0]) && isnan(way[k].of[1]));
        m->seen[part] = m->seen[part] || !none;
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

/* An event that takes two surfaces of a part out of the equations leaves shares that nothing
 * determines, so that no side of one of them has rates while the solution slides along the other.
 * Then all of that part are left, and those that lead back on both sides are found again. */
static dae_status leave_undetermined(settling *e)
{
    const switching_modes *m = e->s->modes;
    bool any = false, can = true;
    settling_count_sliding(m);
    for (size_t part = 0; part < m->parts; part++)
        any = any || (m->sliding_in[part] > 1 && !m->seen[part]);
    dae_status status = any ? can_stay(e, &can) : DAE_OK;
    for (size_t k = 0; k < m->relations && status == DAE_OK && !can; k++) {
        size_t part = m->relation[k].part;
        bool open = m->relation[k].slides && m->sliding_in[part] > 1 && !m->seen[part];
        if (open) leave_by_value(e->s, k);
    }
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
    while (m->sliding > 0 && m->sliding != sliding && status == DAE_OK) {
        sliding = m->sliding;
        status = review_some(e, way, known);
    }
    if (status == DAE_OK && m->sliding > 1) status = leave_undetermined(e);
    free(way);
    free(known);
    return status;
}

/* Whether relation k, which is 0 but for rounding or has by an error of the state the value that
 * its mode excludes, is about to have that value. */
bool sliding_is_about_to_turn(const switching *s, size_t k)
{
    double rate;
    bool is = s->modes->relation[k].is == SYM_HELD_TRUE;
    const relation_state *r = &s->modes->relation[k];
    if (r->kink || r->stuck || r->equal > 0 || !switching_leaves(s, k, &rate) || (rate < 0) == is)
        return false;
    return settling_is_at_surface(s, k) || (s->value[k] < 0) != is;
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
dae_status sliding_stay_beside(settling *e, size_t surface)
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
dae_status sliding_go_one_way(settling *e, size_t surface)
{
    switching_modes *m = e->s->modes;
    bool is = m->relation[surface].is == SYM_HELD_TRUE, leads = true;
    if (e->jumped) return DAE_OK;
    bool back = sliding_came_from(e, surface, is);
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
void sliding_keep_whole_part(switching *s, size_t surface)
{
    for (size_t k = surface; k < s->relations; k++)
        if (s->modes->relation[k].surface == surface && s->relation[k].other != SIZE_MAX)
            settling_hold(s, k, false);
}
