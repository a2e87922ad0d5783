/* Surfaces at events: which side of its surface a solution takes, or whether it slides along it. */
#include "event/settling.h"

#include <math.h>
#include <string.h>

/* How fast both sides of a surface lead away from it: that where its relation is false, and that
 * where it is true. NaN: it is not known. */
typedef struct ways_out {
    double of[2], clear; /* from this size on they are clearly not 0 */
    bool off;            /* the solution does not stand at the surface any more */
} ways_out;

void settling_keep(settling *e)
{
    switching *s = e->s;
    memcpy(s->kept, e->z, s->f->p->size * sizeof *e->z);
    for (size_t k = 0; k < s->relations; k++) s->kept_is[k] = s->modes->relation[k].is;
}

void settling_restore(settling *e, switching *s, double *z)
{
    if (e->s != s) switching_adopt(s, e->s->system->graph);
    e->s = s;
    e->z = z;
    memcpy(z, s->kept, s->f->p->size * sizeof *z);
    for (size_t k = 0; k < s->relations; k++) settling_hold(s, k, s->kept_is[k] == SYM_HELD_TRUE);
}

void settling_hush(settling *e, settling_aside *a)
{
    *a = (settling_aside){.heard = e->m, .told_several = e->s->modes->told_several};
    e->m = &a->unheard;
}

void settling_hear(settling *e, settling_aside *a)
{
    e->m = a->heard;
    e->s->modes->told_several = a->told_several;
    message_free(&a->unheard);
}

/* Tries one side of a surface; all is then as it was before. Nothing is done yet of what conditions
 * want done. */
static dae_status try_side(settling *e, size_t surface, bool is, ways_out *w)
{
    switching *s = e->s;
    double *z = e->z, rate;
    uint32_t slides = s->modes->slides;
    w->of[is] = (double)NAN;
    settling_keep(e);
    s->modes->slides = SYM_NONE;
    settling_hold_side(s, surface, is);
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    if (status == DAE_OK) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        rate = e->s->changes[surface] * s->modes->direction;
        w->of[is] = is ? -rate : rate;
        w->clear = fmax(w->clear, switching_clear_rate(e->s, surface));
        w->off = w->off || fabs(e->s->value[surface]) > switching_band(e->s, surface);
    }
    s->modes->slides = slides;
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* The solution leaves the surface at which it slides to the side of one mode. */
static void leave_sliding(switching *s, bool is)
{
    size_t surface = s->modes->slides;
    s->modes->slides = SYM_NONE;
    settling_hold_side(s, surface, is);
}

/* Gives the relations of the surface the values that they have there. */
static void leave_by_value(switching *s)
{
    size_t surface = s->modes->slides;
    s->modes->slides = SYM_NONE;
    for (size_t k = 0; k < s->relations; k++)
        if (s->modes->relation[k].surface == surface) settling_hold(s, k, switching_holds(s, k));
}

static void note_repelling(settling *e)
{
    if (e->s->modes->told_repelling) return;
    e->s->modes->told_repelling = true;
    text named = {0};
    settling_name(e, 1, (size_t[]){e->s->modes->slides}, &named);
    message_note(e->m,
                 "at t = %.9g both sides of the surface of the relation %s lead away from it: the "
                 "solution behind is not unique, and the one in which the relation has its value "
                 "on the surface is taken",
                 e->t, text_string(&named));
    text_free(&named);
}

/* Without the rates of both sides, a share that an event has taken out of 0 to 1 tells. */
static void judge_by_share(settling *e)
{
    if (e->share_ends) leave_sliding(e->s, e->share_ends > 0);
}

dae_status settling_review_sliding(settling *e)
{
    if (e->s->modes->slides == SYM_NONE) return DAE_OK;
    size_t surface = e->s->modes->slides;
    ways_out w = {0};
    dae_status status = try_side(e, surface, false, &w);
    if (status == DAE_OK) status = try_side(e, surface, true, &w);
    if (status != DAE_OK) return status;
    double no = w.of[0], yes = w.of[1];
    if (w.off) {
        leave_by_value(e->s);
    } else if (isnan(no) || isnan(yes)) {
        judge_by_share(e);
    } else if (no > w.clear && yes > w.clear) {
        note_repelling(e);
        leave_by_value(e->s);
    } else if (!(no < -w.clear && yes < -w.clear)) {
        leave_sliding(e->s, yes > no);
    }
    return DAE_OK;
}

/* Whether relation k, which is 0 but for rounding or has by an error of the state the value that
 * its mode excludes, is about to have that value. */
static bool is_about_to_turn(const switching *s, size_t k)
{
    double rate;
    bool is = s->modes->relation[k].is == SYM_HELD_TRUE;
    if (s->modes->relation[k].kink || s->modes->relation[k].stuck ||
        !switching_leaves(s, k, &rate) || (rate < 0) == is)
        return false;
    return settling_is_at_surface(s, k) || (s->value[k] < 0) != is;
}

/* Whether the equations have a solution, with rates, in the other mode of a surface: where the
 * state stands beyond it by round-off, sqrt(h) may have no value. All is then as it was before. */
static dae_status can_turn(settling *e, size_t surface, bool is, bool *can)
{
    switching *s = e->s;
    double *z = e->z;
    settling_keep(e);
    settling_hold_side(s, surface, is);
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    *can = status == DAE_OK;
    if (*can) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        *can = isfinite(e->s->changes[surface]);
    }
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Says that a motion along two surfaces is not determined. */
static dae_status report_two_surfaces(settling *e, size_t k)
{
    text named = {0};
    settling_name(e, 2, (size_t[]){e->s->modes->slides, k}, &named);
    message_fail(
        e->m, DAE_EVENT,
        "at t = %.9g the solution cannot leave the surfaces of two relations, %s: their "
        "motion there is not determined\n  remedy: give one of them a hysteresis, or smooth it",
        e->t, text_string(&named));
    text_free(&named);
    return DAE_EVENT;
}

/* Whatever the mode of the surface of relation k is, the solution comes back to it: it slides. */
static dae_status slide(settling *e, size_t k)
{
    switching_modes *modes = e->s->modes;
    if (modes->slides != SYM_NONE) return report_two_surfaces(e, k);
    modes->slides = (uint32_t)modes->relation[k].surface;
    dae_status status = settling_review_sliding(e);
    if (status == DAE_OK) status = settling_run_rounds(e);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    text named = {0};
    settling_name(e, 1, &k, &named);
    message_replace(e->m, DAE_EVENT,
                    "at t = %.9g the solution comes back to the surface of the relation %s on both "
                    "sides, at once: it chatters, and a sliding motion along the surface is not "
                    "determined\n  remedy: give the relation a hysteresis, or smooth it",
                    e->t, text_string(&named));
    text_free(&named);
    return DAE_EVENT;
}

dae_status settling_leave_surfaces(settling *e)
{
    dae_status status = DAE_OK;
    bool again = true;
    for (size_t i = 0; again && status == DAE_OK && i <= 2 * e->s->relations; i++) {
        switching *s = e->s;
        size_t k = 0;
        switching_look(s, e->t, e->z);
        switching_look_at_rates(s);
        while (k < s->relations && !is_about_to_turn(s, k)) k++;
        again = k < s->relations;
        if (!again) break;
        relation_state *r = &s->modes->relation[s->modes->relation[k].surface];
        bool comes_back = r->leaves, can = true;
        bool to = (s->changes[k] * s->modes->direction < 0) != s->modes->relation[k].opposite;
        if (switching_holds(s, k) == (s->modes->relation[k].is == SYM_HELD_TRUE))
            status = can_turn(e, r->surface, to, &can);
        s->modes->relation[k].stuck = !can;
        if (status != DAE_OK || !can) continue;
        r->leaves = true;
        settling_hold_side(s, r->surface, to);
        status = comes_back ? slide(e, k) : settling_run_rounds(e);
    }
    return status;
}
