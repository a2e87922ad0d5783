/* What settles an event, from what has been crossed to the state after it. */
#include "event/settling.h"

#include "base/round_off.h"
#include "symbolic/cells.h"

#include <math.h>
#include <string.h>

static void begin_event(switching *s)
{
    s->modes->attempts = 0;
    for (size_t k = 0; k < s->relations; k++) {
        s->modes->relation[k].fastest = 0;
        s->modes->relation[k].lingers = s->modes->relation[k].pierced = false;
    }
}

/* --- samples --- */

/* Samples are over: what rises with them falls without another event. Equations that contain it are
 * solved once more. */
static dae_status end_samples(settling *e)
{
    switching *s = e->s;
    const sym_discrete_part *d = &s->system->discrete;
    sym_graph *g = s->system->graph;
    bool seen = false;
    if (d->sample.count == 0) return DAE_OK;
    for (size_t i = 0; i < d->sample.count; i++) {
        uint32_t cell = d->sample.item[i].cell;
        seen = seen || (s->seen[cell] && sym_cell_value(g, cell) != 0);
        sym_set_cell(g, cell, 0);
    }
    switching_define(s, e->t, e->z);
    settling_keep_values(s, &seen);
    return seen ? settling_find_modes(e) : DAE_OK;
}

static bool take_samples(switching *s, double t)
{
    const sym_discrete_part *d = &s->system->discrete;
    bool any = false;
    for (size_t i = 0; i < d->sample.count; i++) {
        bool now = switching_is_sampled(s, i, t);
        sym_set_cell(s->system->graph, d->sample.item[i].cell, now);
        any = any || now;
    }
    return any;
}

/* What conditions have done may end a sliding motion. */
static dae_status review_again(settling *e)
{
    dae_status status = settling_review_sliding(e);
    if (status != DAE_OK) return status;
    return e->s->modes->sliding == 0 ? settling_run_rounds(e) : settling_find_modes(e);
}

/* Whether the solution leads back from a relation that was crossed, so slowly that the way out and
 * back is no more than the errors of the state: nothing would be seen of the next event. */
static bool is_blurred(settling *e)
{
    switching *s = e->s;
    switching_look(s, e->t, e->z);
    switching_look_at_rates(s);
    for (size_t k = 0; k < s->relations; k++) {
        const relation_state *r = &s->modes->relation[k];
        double rate = s->changes[k] * s->modes->direction;
        bool at_surface = r->crossed && !r->kink && fabs(s->value[k]) <= switching_band(s, k);
        bool leads_back = rate != 0 && (rate < 0) != (r->is == SYM_HELD_TRUE);
        if (at_surface && leads_back && fabs(rate) <= switching_clear_rate(s, k)) return true;
    }
    return false;
}

/* Whether relation k was crossed, and its only state stays where it is: at 0, but for round-off. */
static bool stays_at_zero(const settling *e, size_t k)
{
    const switching *s = e->s;
    const relation_state *r = &s->modes->relation[k];
    bool of_state = s->relation[k].kind == RELATION_STATE && s->entry[k] != SIZE_MAX;
    if (switching_slides(s, k)) return false;
    return of_state && r->crossed && !r->kink && s->value[k] != 0 && s->changes[k] == 0 &&
           fabs(s->value[k]) <= switching_rounded(s, k);
}

/* What stays at the surface that it has come to gets the value that it has there, as the level of a
 * tank that has run empty: of a rest of round-off a root or a logarithm would make more, or have
 * none.
 */
static dae_status take_rest(settling *e)
{
    bool any = false;
    settling_keep(e);
    switching_look(e->s, e->t, e->z);
    switching_look_at_rates(e->s);
    for (size_t k = 0; k < e->s->relations; k++) {
        if (!stays_at_zero(e, k)) continue;
        e->z[e->s->entry[k]] -= e->s->value[k] / e->s->by_entry[k];
        switching_look(e->s, e->t, e->z); /* another relation may have the same surface */
        any = true;
    }
    if (!any) return DAE_OK;
    switching *s = e->s;
    double *z = e->z;
    dae_status status = e->resolve(e->self, e->t, &e->s, &e->z, &e->tried);
    if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    if (status != DAE_OK) settling_restore(e, s, z);
    return DAE_OK;
}

static void end_event(settling *e)
{
    message_free(&e->tried);
    settling_take_factors(e->s);
    for (size_t k = 0; k < e->s->relations; k++) {
        relation_state *r = &e->s->modes->relation[k];
        r->crossed = r->leaves = r->stuck = r->slid = r->stood = r->hovers = false;
        r->passed = r->thrown = 0;
        r->share_ends = 0;
    }
    e->result->s = e->s;
    e->result->z = e->z;
}

/* Other equations may not hold at 0 what those before the event do. */
static void forget_equal(const settling *e)
{
    relation_state *r = e->s->modes->relation;
    bool others = e->result->switched;
    for (size_t k = 0; k < e->s->relations; k++) others = others || (r[k].crossed && r[k].decides);
    for (size_t k = 0; k < e->s->relations && others; k++) r[k].equal = 0;
}

static dae_status run_event(settling *e)
{
    const switching *before = e->s;
    switching_modes *modes = e->s->modes;
    dae_status status = settling_review_sliding(e);
    if (status == DAE_OK) status = settling_run_rounds(e);
    bool moved = e->result->rounds > 1 && modes->sliding > 0;
    if (status == DAE_OK) status = end_samples(e);
    if (status == DAE_OK && moved) status = review_again(e);
    bool shrinks = status == DAE_OK && e->accumulates == 0 && e->nears > 0;
    if (shrinks && is_blurred(e)) {
        e->result->blurred = true;
        e->accumulates = e->nears;
    }
    e->result->switched = e->s != before || settling_has_switched(e);
    if (status == DAE_OK) forget_equal(e);
    if (status == DAE_OK) status = settling_find_rest(e);
    if (status == DAE_OK && !e->result->rests)
        status = settling_slide_with_second_order(e, &e->result->rests);
    if (status == DAE_OK && !e->result->rests) status = settling_leave_surfaces(e);
    if (status == DAE_OK && !e->result->rests) status = settling_leave_vertex(e);
    if (status == DAE_OK && !e->result->rests) status = settling_leave_fold(e);
    if (status == DAE_OK) status = settling_look_for_missed(e);
    if (status == DAE_OK) status = take_rest(e);
    if (status == DAE_OK) status = settling_note_lingering(e);
    if (status == DAE_OK) settling_note_memories(e);
    if (status == DAE_OK) settling_note_pierced(e);
    end_event(e);
    return status;
}

/* Whether nothing of the state is crossed, or something that has been so a short time before. */
static bool recurs(const switching *s, double t, const signed char *crossed, double recurrence)
{
    bool any = false;
    for (size_t j = 0; j < s->roots; j++) {
        const relation_state *r = &s->modes->relation[s->of_root[j]];
        if (!crossed[j]) continue;
        if (r->last_event > 0 && fabs(t - r->crossed_at) <= recurrence) return true;
        any = true;
    }
    for (size_t i = 0; i < 2 * s->shares; i++) any = any && !crossed[s->roots + i];
    return !any;
}

/* What has happened to a relation of the state in the step before the event. */
static void note_root(switching *s, double t, size_t k, signed char crossed, bool meets)
{
    relation_state *r = &s->modes->relation[k];
    r->again = crossed && meets && r->last_event > 0 && r->last_event + 1 == s->modes->events;
    r->crossed = crossed != 0;
    r->left = s->value[k];
    r->passed = (signed char)(-crossed * r->factor);
    if (!crossed) return;
    r->ended = r->ends ? crossed : 0;
    r->ends = false;
    r->last_event = s->modes->events;
    r->crossed_at = t;
}

dae_status switching_settle(switching *s, double t, const signed char *crossed, bool due,
                            const switching_gaps *gaps, double *z, switching_resolve resolve,
                            void *self, message *m, switching_result *result)
{
    settling e = {
        .s = s, .t = t, .z = z, .resolve = resolve, .self = self, .m = m, .result = result};
    *result = (switching_result){.recurs = recurs(s, t, crossed, gaps->recurrence)};
    begin_event(s);
    settling_forget_unset(s);
    switching_look(s, t, z);
    settling_keep_left(s, t, z);
    settling_keep_cells(s);
    s->modes->events++;
    if (result->recurs) {
        e.accumulates = gaps->accumulates;
        e.nears = gaps->nears;
    }
    bool meets = fabs(t - s->modes->t_event) <= ROUND_OFF_AMPLIFIED * fabs(t);
    s->modes->t_event = t;
    for (size_t j = 0; j < s->roots; j++) note_root(s, t, s->of_root[j], crossed[j], meets);
    for (size_t i = 0; i < s->shares; i++) {
        const signed char *at = crossed + s->roots + 2 * i;
        if (at[0] || at[1]) s->modes->relation[s->slid[i]].share_ends = at[0] ? -1 : 1;
    }
    dae_status status = settling_look_before(&e);
    for (size_t j = 0; j < s->roots; j++)
        if (crossed[j]) settling_hold(s, s->of_root[j], crossed[j] < 0);
    if (due) take_samples(s, t);
    if (status == DAE_OK) return run_event(&e);
    end_event(&e);
    return status;
}

/* Samples that are taken at the start are another event, and relations of time that change just
 * after it are one after that: at the instant of the samples time > 0 is false at t = 0. */
static dae_status begin_behind(settling *e, switching_note note)
{
    switching *s = e->s;
    text name = {0};
    bool sampled = take_samples(s, e->t), any = false;
    switching_name_samples(s, e->t, &name);
    s->modes->behind = true;
    switching_look(s, e->t, e->z);
    for (size_t k = 0; k < s->relations; k++) {
        if (!settling_contradicts(s, k, true)) continue;
        any = true;
        if (s->relation[k].kind == RELATION_TIME) switching_name_number(s, k, &name);
    }
    if (name.length) note(e->self, e->t, e->z, text_string(&name));
    text_free(&name);
    s->modes->behind = false;
    dae_status status = sampled ? run_event(e) : DAE_OK;
    e->s->modes->behind = true;
    return status == DAE_OK && any ? run_event(e) : status;
}

/* Relations that the search for the start has held stay so where they stand at 0. */
static void begin_relation(switching *s, size_t k)
{
    bool is = s->modes->relation[k].equal > 0 ? switching_at_zero(s, k) : switching_holds(s, k);
    sym_mode before = sym_relation_mode(s->system->graph, k);
    bool stays = before != SYM_FREE && (before == SYM_HELD_TRUE) != is &&
                 fabs(s->value[k]) <= switching_band(s, k);
    settling_hold(s, k, stays ? before == SYM_HELD_TRUE : is);
    s->modes->relation[k].crossed = stays;
    s->modes->relation[k].off = false;
    s->modes->relation[k].left = switching_band(s, k);
}

dae_status switching_begin(switching *s, double t, double *z, switching_resolve resolve,
                           switching_verify verify, switching_note note, void *self, message *m,
                           switching_result *result)
{
    settling e = {
        .s = s, .t = t, .z = z, .resolve = resolve, .self = self, .m = m, .result = result};
    e.verify = verify;
    const sym_discrete_part *d = &s->system->discrete;
    *result = (switching_result){0};
    begin_event(s);
    settling_forget_unset(s);
    s->modes->starting = true;
    s->modes->passed_on = s->modes->behind = false;
    s->modes->begun = t;
    switching_look(s, t, z);
    settling_take_factors(s);
    for (size_t k = 0; k < s->relations; k++) begin_relation(s, k);
    settling_keep_left(s, t, z);
    dae_status status = settling_run_rounds(&e);
    s->modes->starting = false;
    if (status == DAE_OK && d->initial.used) {
        sym_set_cell(e.s->system->graph, d->initial.cell, 0);
        status = settling_run_rounds(&e);
    }
    if (status == DAE_OK) settling_look_at_start(s, m);
    if (status == DAE_OK) status = begin_behind(&e, note);
    if (status == DAE_OK) status = settling_leave_surfaces(&e);
    if (status == DAE_OK) status = settling_leave_vertex(&e);
    if (status == DAE_OK) status = settling_note_repelling_starts(&e);
    end_event(&e);
    return status;
}
