/* Motions along several surfaces at which a solution stands. */
#include "event/sliding_parts.h"

#include <string.h>

bool sliding_find_together(const switching_modes *m, size_t part, together *t)
{
    t->count = 0;
    for (size_t k = 0; k < m->relations; k++) {
        const relation_state *r = &m->relation[k];
        if (r->surface != k || r->part != part || !(r->leaves || r->slides)) continue;
        if (t->count == SETTLING_FEW_SURFACES) return false;
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
        if (t->way[i] > 0 && sliding_is_about_to_turn(s, t->surface[i])) return false;
    }
    return true;
}

static dae_status try_together(settling *e, const together *t, bool *found)
{
    switching *s = e->s;
    double *z = e->z;
    bool slides[SETTLING_FEW_SURFACES];
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
    for (size_t i = 0; i < SETTLING_FEW_SURFACES && i < t->count; i++) {
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
dae_status sliding_report_several(settling *e, const together *t)
{
    text named = {0};
    settling_name(e, t->count, t->surface, &named);
    message_replace(e->m, DAE_EVENT,
                    "at t = %.9g the solution cannot leave the surfaces of %zu relations, %s: the "
                    "motion along all of them is not determined\n  remedy: %s",
                    e->t, t->count, text_string(&named), settling_remedy(e, t->count, t->surface));
    text_free(&named);
    return DAE_EVENT;
}

/* The solution has come back to a surface that it has left at this event: to leave one after the
 * other goes round in a circle, as on a spiral into all of them. Tries all motions, those along
 * most surfaces first. */
dae_status sliding_find_motion(settling *e, together *t)
{
    bool found = false;
    for (size_t slides = t->count + 1; slides-- > 0 && !found;) {
        dae_status status = try_number(e, t, slides, &found);
        if (status != DAE_OK) return status;
    }
    if (found) return settling_run_rounds(e);
    return sliding_report_several(e, t);
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
        if (t.count == SETTLING_FEW_SURFACES) return DAE_OK;
        t.surface[t.count++] = surface;
    }
    dae_status status = t.count >= least ? try_number(e, &t, t.count, found) : DAE_OK;
    return status == DAE_OK && *found ? settling_run_rounds(e) : status;
}
