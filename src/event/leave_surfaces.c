/* How a solution leaves the surfaces at which an event has found it: to a side, or along them.
 *
 * Surfaces in one part of a model are left one after the other, as the way along one decides about
 * the next. Those in different parts, which nothing links, are left together: their trials share
 * solutions of the equations, and of n equal cells there is one formulation instead of n. So are
 * many in one part, if the solution slides along all of them then. */
#include "event/sliding_parts.h"

#include "symbolic/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A surface that is left. */
typedef struct leaving {
    size_t k, surface; /* the relation that tells, and the first one of its surface */
    bool to;           /* the side */
    bool beside;       /* the value still agrees with the mode */
    bool comes_back;
    bool only; /* no other surface of its part has been left at the event, or is slid along */
    bool can;
    double rate;        /* of relation k where it stands */
    unsigned char held; /* the mode of the surface on that side */
} leaving;

/* Those of different parts, and of a part with more than SETTLING_FEW_SURFACES: all of them. */
typedef struct leavings {
    leaving *item;
    size_t count;
    bool crowded; /* there is such a part */
} leavings;

/* Whether the equations have a solution, with rates, in the other modes of the surfaces: where the
 * state stands beyond one by round-off, sqrt(h) may have no value. And whether it does not turn
 * back there at once. All is then as it was before. *tells: a solution has been found, or not for
 * the one surface that there is. */
static dae_status can_turn(settling *e, leavings *l, bool *tells)
{
    switching *s = e->s;
    double *z = e->z;
    bool any = false;
    for (size_t i = 0; i < l->count; i++) any = any || (l->item[i].beside && l->item[i].can);
    if (!any) return DAE_OK;
    settling_keep(e);
    for (size_t i = 0; i < l->count; i++) {
        leaving *x = &l->item[i];
        if (x->beside && x->can) settling_hold_side(s, x->surface, x->to);
        x->held = s->modes->relation[x->surface].is;
    }
    settling_aside aside;
    settling_hush(e, &aside);
    dae_status status = settling_find_modes(e);
    settling_hear(e, &aside);
    bool found = status == DAE_OK;
    *tells = found || l->count == 1;
    if (found) switching_look(e->s, e->t, e->z);
    if (found) switching_look_at_rates(e->s);
    for (size_t i = 0; i < l->count; i++) {
        leaving *x = &l->item[i];
        if (!x->beside || !x->can) continue;
        /* the search may have gone back to the mode before */
        x->can = found && e->s->modes->relation[x->surface].is == x->held &&
                 isfinite(e->s->changes[x->surface]) && !switching_bends_back(e->s, x->surface);
    }
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Whether relations whose values still agree with their modes are led across 0 there as well: the
 * rate of a state that stands beside 0 by an error may be another one, as that of h' = a - sqrt(h).
 * All is then as it was before. *tells: as above. */
static dae_status lead_across(settling *e, leavings *l, bool *tells)
{
    switching *s = e->s;
    double *z = e->z;
    bool any = false;
    settling_keep(e);
    for (size_t i = 0; i < l->count; i++) {
        size_t k = l->item[i].k;
        if (!l->item[i].beside || s->entry[k] == SIZE_MAX) continue;
        z[s->entry[k]] -= s->value[k] / s->by_entry[k];
        any = true;
    }
    if (!any) return DAE_OK;
    message unheard = {0};
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &unheard);
    message_free(&unheard);
    if (status == DAE_OK) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
    }
    *tells = status == DAE_OK || l->count == 1;
    for (size_t i = 0; i < l->count && status == DAE_OK; i++) {
        leaving *x = &l->item[i];
        if (!x->beside || s->entry[x->k] == SIZE_MAX) continue;
        double there = e->s->changes[x->k];
        x->can = there * x->rate > 0 && fabs(there) > switching_clear_rate(e->s, x->k);
    }
    settling_restore(e, s, z);
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Surfaces of which the solution comes back to whatever their mode is: it slides along them. *done:
 * it does, or leaves them after all. */
static dae_status slide_together(settling *e, leavings *l, bool *done)
{
    switching_modes *m = e->s->modes;
    together t;
    for (size_t i = 0; i < l->count; i++) {
        relation_state *r = &m->relation[l->item[i].surface];
        if (!l->item[i].can || !l->item[i].comes_back) continue;
        l->item[i].only = sliding_find_together(m, r->part, &t) && t.count == 1;
        *done = *done && !r->slid;
        r->slid = true;
        r->second = false;
        settling_set_slides(m, l->item[i].surface, true);
    }
    dae_status status = *done ? settling_review_sliding(e) : DAE_OK;
    for (size_t i = 0; i < l->count && status == DAE_OK && *done; i++) {
        size_t surface = l->item[i].surface;
        const relation_state *r = &m->relation[surface];
        if (!l->item[i].can || !l->item[i].comes_back) continue;
        if (r->slides)
            sliding_keep_whole_part(e->s, surface);
        else if (l->item[i].only)
            status = sliding_go_one_way(e, surface);
        else if (l->crowded)
            *done = false;
    }
    return status;
}

/* Whatever the mode of the surface of relation k is, the solution comes back to it: it slides. */
static dae_status slide(settling *e, size_t k)
{
    switching_modes *m = e->s->modes;
    size_t surface = m->relation[k].surface;
    relation_state *r = &m->relation[surface];
    together t;
    bool few = sliding_find_together(m, r->part, &t), done = true;
    if (r->slid && few)
        return t.count > 1 ? sliding_find_motion(e, &t) : sliding_stay_beside(e, surface);
    r->slid = false;
    leaving one = {.k = k, .surface = surface, .comes_back = true, .can = true};
    dae_status status = slide_together(e, &(leavings){&one, 1, false}, &done);
    if (status == DAE_OK) status = settling_run_rounds(e);
    if (status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    return few && t.count > 1 ? sliding_report_several(e, &t) : settling_leave_chatter(e, k);
}

/* --- surfaces of different parts --- */

/* All that leaving several surfaces changes. */
typedef struct snapshot {
    switching *s;
    double *z;
    size_t sliding;
    relation_state *relation; /* relations */
    double *state, *cell;     /* z, cells */
    switching_result result;
    bool jumped;
} snapshot;

static void free_snapshot(snapshot *b)
{
    free(b->relation);
    free(b->state);
    free(b->cell);
}

static dae_status take_snapshot(settling *e, snapshot *b)
{
    const switching_modes *m = e->s->modes;
    size_t size = e->s->f->p->size;
    *b = (snapshot){.s = e->s,
                    .z = e->z,
                    .sliding = m->sliding,
                    .relation = malloc((m->relations + 1) * sizeof *b->relation),
                    .state = malloc((size + 1) * sizeof *b->state),
                    .cell = malloc((m->cells + 1) * sizeof *b->cell),
                    .result = *e->result,
                    .jumped = e->jumped};
    if (!b->relation || !b->state || !b->cell) {
        free_snapshot(b);
        return DAE_NO_MEMORY;
    }
    memcpy(b->relation, m->relation, m->relations * sizeof *b->relation);
    memcpy(b->state, e->z, size * sizeof *b->state);
    if (m->cells) memcpy(b->cell, sym_cell_values(e->s->system->graph), m->cells * sizeof *b->cell);
    return DAE_OK;
}

static void go_back(settling *e, const snapshot *b)
{
    switching_modes *m = e->s->modes;
    sym_graph *g = b->s->system->graph;
    memcpy(m->relation, b->relation, m->relations * sizeof *b->relation);
    m->sliding = b->sliding;
    if (e->s != b->s) switching_adopt(b->s, e->s->system->graph);
    e->s = b->s;
    e->z = b->z;
    memcpy(e->z, b->state, e->s->f->p->size * sizeof *b->state);
    for (uint32_t i = 0; i < m->cells; i++) sym_set_cell(g, i, b->cell[i]);
    for (size_t k = 0; k < m->relations; k++)
        settling_hold(e->s, k, m->relation[k].is == SYM_HELD_TRUE);
    *e->result = b->result;
    e->jumped = b->jumped;
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
}

/* --- leaving --- */

/* What is known of a surface that is left, by the last switching_look_at_rates(). */
static leaving look_at(const settling *e, size_t k)
{
    const switching *s = e->s;
    const relation_state *r = &s->modes->relation[k], *first = &s->modes->relation[r->surface];
    leaving x = {.k = k, .surface = r->surface, .can = true, .rate = s->changes[k]};
    x.to = (x.rate * s->modes->direction < 0) != r->opposite;
    x.comes_back = first->leaves || sliding_came_from(e, x.surface, x.to);
    x.beside = switching_holds(s, k) == (r->is == SYM_HELD_TRUE);
    return x;
}

/* Holds the sides of surfaces that can be left, and returns their number. The others are left no
 * more at this event. */
static size_t hold_sides(settling *e, const leavings *l)
{
    size_t count = 0;
    for (size_t i = 0; i < l->count; i++) {
        const leaving *x = &l->item[i];
        e->s->modes->relation[x->k].stuck = !x->can;
        if (!x->can) continue;
        e->s->modes->relation[x->surface].leaves = true;
        settling_hold_side(e->s, x->surface, x->to);
        count++;
    }
    return count;
}

/* The solution leaves the surfaces, or slides along them. *flips: it leaves one, which may end
 * other motions along surfaces. *done: it has left them; otherwise fewer are to be left together.
 */
static dae_status leave(settling *e, leavings *l, bool *flips, bool *done)
{
    bool alone = l->count == 1, tells = true, slides = false, leaves = false;
    dae_status status = lead_across(e, l, &tells);
    if (status == DAE_OK && tells) status = can_turn(e, l, &tells);
    *done = tells;
    if (status != DAE_OK || !tells) return status;
    if (hold_sides(e, l) == 0) return settling_find_modes(e);
    for (size_t i = 0; i < l->count; i++) {
        slides = slides || (l->item[i].can && l->item[i].comes_back);
        leaves = leaves || (l->item[i].can && !l->item[i].comes_back);
    }
    *flips = leaves;
    if (alone) return slides ? slide(e, l->item[0].k) : settling_run_rounds(e);
    if (slides) status = slide_together(e, l, done);
    return status == DAE_OK && *done ? settling_run_rounds(e) : status;
}

/* Tries to leave so many of them together. *done: otherwise all is as it was before. */
static dae_status leave_several(settling *e, leavings *l, size_t count, bool *flips, bool *done)
{
    snapshot b;
    dae_status status = take_snapshot(e, &b);
    if (status != DAE_OK) return message_status(e->m, status);
    l->count = count;
    status = leave(e, l, flips, done);
    *done = *done && status == DAE_OK;
    if (!*done && status != DAE_STOPPED && status != DAE_NO_MEMORY) {
        message unheard = message_take_failure(e->m);
        message_free(&unheard);
        go_back(e, &b);
        status = DAE_OK;
    }
    free_snapshot(&b);
    return status;
}

/* The solution leaves all of them, or those of fewer parts where that cannot be done. */
static dae_status leave_some(settling *e, leavings *l, bool *flips)
{
    bool done = false;
    dae_status status = DAE_OK;
    for (size_t count = l->count; count > 1 && status == DAE_OK && !done; count /= 2) {
        status = leave_several(e, l, count, flips, &done);
        for (size_t i = 0; i < count && !done; i++) l->item[i] = look_at(e, l->item[i].k);
        if (l->crowded) break;
    }
    if (status != DAE_OK || done) return status;
    l->count = 1;
    return leave(e, l, flips, &done);
}

/* The surfaces that the solution is about to leave, and their number in each part. */
static dae_status find_leaving(settling *e, leavings *l, size_t *number)
{
    const switching_modes *m = e->s->modes;
    memset(number, 0, (m->parts + 1) * sizeof *number);
    l->count = 0;
    for (size_t k = 0; k < m->relations; k++) {
        size_t part = m->relation[k].part < m->parts ? m->relation[k].part : m->parts;
        bool stays;
        if (!sliding_is_about_to_turn(e->s, k)) continue;
        dae_status status = settling_look_ahead(e, k, &stays);
        if (status != DAE_OK) return status;
        if (stays) continue;
        number[part]++;
        l->item[l->count++] = look_at(e, k);
    }
    return DAE_OK;
}

/* Keeps the first one of each part, and all of a part in which there are many. */
static void choose(const switching_modes *m, leavings *l, size_t *number)
{
    size_t count = 0;
    l->crowded = false;
    for (size_t i = 0; i < l->count; i++) {
        size_t part = m->relation[l->item[i].k].part, of = part < m->parts ? part : m->parts;
        bool many = number[of] > SETTLING_FEW_SURFACES && number[of] != SIZE_MAX;
        bool same = false;
        for (size_t j = 0; j < count && many && !same; j++)
            same = l->item[j].surface == l->item[i].surface;
        if (number[of] == SIZE_MAX || same) continue;
        l->crowded = l->crowded || many;
        if (!many) number[of] = SIZE_MAX;
        l->item[count++] = l->item[i];
    }
    l->count = count;
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

static dae_status leave_all(settling *e, leavings *l, size_t *number)
{
    dae_status status = DAE_OK;
    bool again = true, flips = false;
    /* n touching bodies in a row have up to n (n - 1) / 2 impacts; two surfaces are left in each */
    size_t most = 4 * e->s->relations * (1 + e->s->relations);
    for (size_t i = 0; again && status == DAE_OK; i++) {
        switching_look(e->s, e->t, e->z);
        switching_look_at_rates(e->s);
        settling_look_for_overrun(e);
        status = find_leaving(e, l, number);
        choose(e->s->modes, l, number);
        again = l->count > 0;
        if (status == DAE_OK && again && i >= most) {
            status = report_endless(e, l->item[0].k);
        } else if (status == DAE_OK && again) {
            status = leave_some(e, l, &flips);
        } else if (status == DAE_OK && flips && e->s->modes->sliding > 0) {
            status = review_again(e, &again);
            flips = false;
        }
    }
    return status;
}

dae_status settling_leave_surfaces(settling *e)
{
    const switching_modes *m = e->s->modes;
    leavings l = {.item = malloc((m->relations + 1) * sizeof *l.item)};
    size_t *number = malloc((m->parts + 1) * sizeof *number);
    dae_status status = l.item && number ? leave_all(e, &l, number)
                                         : message_status(e->m, DAE_NO_MEMORY);
    free(l.item);
    free(number);
    return status;
}
