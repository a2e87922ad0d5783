/* The iteration of an event. */
#include "event/settling.h"

#include "base/round_off.h"
#include "symbolic/cells.h"

#include <math.h>
#include <string.h>

/* The most rounds of an event. */
enum { MOST_ROUNDS = 1000 };

/* --- actions --- */

static void begin_event(switching *s)
{
    s->modes->attempts = 0;
    for (size_t k = 0; k < s->relations; k++) {
        s->modes->relation[k].fastest = 0;
        s->modes->relation[k].lingers = s->modes->relation[k].pierced = false;
    }
}

static void forget_unset(switching *s)
{
    for (size_t i = 0; i < s->system->discrete.action.count; i++) s->modes->unset[i] = (double)NAN;
}

size_t switching_reinitialised(const switching *s, size_t *entry, double *before)
{
    size_t found = 0;
    for (size_t i = 0; i < s->system->discrete.action.count; i++) {
        if (isnan(s->modes->unset[i]) || s->reinit[i] == SIZE_MAX) continue;
        entry[found] = s->reinit[i];
        before[found++] = s->modes->unset[i] / s->factor[i];
    }
    return found;
}

bool switching_reinitialises(const switching *s)
{
    for (size_t i = 0; i < s->system->discrete.action.count; i++)
        if (!isnan(s->modes->unset[i]) && s->reinit[i] != SIZE_MAX) return true;
    return false;
}

/* Two variables that are one state have been given two values. */
static dae_status report_two_values(settling *e, size_t i, double value, size_t k, double other)
{
    const sym_action *x = e->s->system->discrete.action.item;
    const sym_unknown *v = e->s->system->unknown.item;
    const char *one = v[x[k].unknown].name, *two = v[x[i].unknown].name;
    return message_fail(
        e->m, DAE_EVENT,
        "the event at t = %.9g gives two values, %.9g and %.9g, to %s and %s, each of "
        "which follows from the other (%s:%u)\n  remedy: reinit() only one of them",
        e->t, other, value, one, two, e->s->system->file, x[i].at.line);
}

/* Sets a state by action i. Of several actions that set one variable the last one counts. */
static dae_status reinit(settling *e, size_t i, double value)
{
    switching *s = e->s;
    const sym_action *x = s->system->discrete.action.item;
    double *unset = s->modes->unset, *state = &e->z[s->reinit[i]], before = *state;
    double becomes = value / s->factor[i];
    for (size_t k = 0; k < s->system->discrete.action.count; k++) {
        if (s->reinit[k] != s->reinit[i] || isnan(unset[k])) continue;
        bool differs = fabs(*state - becomes) >
                       ROUND_OFF_ITERATED * fmax(fabs(*state), fabs(becomes));
        if (differs && x[k].unknown != x[i].unknown)
            return report_two_values(e, i, value, k, *state * s->factor[k]);
        before = unset[k] / s->factor[k];
        unset[k] = (double)NAN;
    }
    unset[i] = before * s->factor[i];
    *state = becomes;
    return DAE_OK;
}

/* From states that are moved a surface that was left at this event is reached anew: to come back to
 * it is another impact, and no sliding motion. */
static void forget_leaving(const switching *s)
{
    for (size_t k = 0; k < s->relations; k++) s->modes->relation[k].leaves = false;
}

static dae_status act_on(settling *e, size_t i, double value, bool *again)
{
    const sym_action *x = &e->s->system->discrete.action.item[i];
    const char *file = e->s->system->file;
    switch (x->kind) {
    case SYM_TERMINATE:
        e->result->terminates = true;
        e->result->reason = x->message;
        return DAE_OK;
    case SYM_ASSERT:
        if (value != 0) return DAE_OK;
        if (!x->warning)
            return message_fail(e->m, DAE_ASSERTION, "assertion failed at t = %.9g: %s (%s:%u)",
                                e->t, x->message, file, x->at.line);
        message_note(e->m, "assertion at t = %.9g: %s (%s:%u)", e->t, x->message, file, x->at.line);
        return DAE_OK;
    default: break;
    }
    if (e->s->reinit[i] == SIZE_MAX)
        return message_fail(e->m, DAE_UNSUPPORTED,
                            "reinit() at t = %.9g of a variable that is no state, but follows from "
                            "others (%s:%u)\n  remedy: reinit() the variable that it follows from",
                            e->t, file, x->at.line);
    if (!isfinite(value))
        return message_fail(e->m, DAE_NOT_EVALUABLE,
                            "reinit() gives %s at t = %.9g a value that is not finite: a division "
                            "by zero, or a root or logarithm where it ends (%s:%u)",
                            e->s->system->unknown.item[x->unknown].name, e->t, file, x->at.line);
    *again = e->result->moved = true;
    forget_leaving(e->s);
    return reinit(e, i, value);
}

/* Does what conditions that have risen want done. All values are those before any of it is done. */
static dae_status act(settling *e, bool *again)
{
    switching *s = e->s;
    size_t count = s->system->discrete.action.count;
    dae_status status = DAE_OK;
    if (count == 0) return DAE_OK;
    s->input[0] = e->t;
    memcpy(s->input + 1, e->z, s->f->p->size * sizeof *e->z);
    sym_tape_eval(s->action, s->input, s->acted);
    for (size_t i = 0; i < count && status == DAE_OK; i++)
        if (s->acted[i] != 0) status = act_on(e, i, s->acted[count + i], again);
    return status;
}

/* --- rounds --- */

void settling_keep_left(switching *s, double t, const double *z)
{
    const sym_discrete_part *d = &s->system->discrete;
    if (d->left.count == 0) return;
    s->input[0] = t;
    memcpy(s->input + 1, z, s->f->p->size * sizeof *z);
    sym_tape_eval(s->left, s->input, s->was_left);
    for (size_t i = 0; i < d->left.count; i++)
        sym_set_cell(s->system->graph, d->left.item[i].cell, s->was_left[i]);
}

/* The values before become the present ones. Returns whether one has changed; *seen (or NULL): one
 * that equations contain. */
static bool keep_values(switching *s, bool *seen)
{
    const sym_discrete_part *d = &s->system->discrete;
    sym_graph *g = s->system->graph;
    bool changed = false;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        double is = sym_cell_value(g, v->cell), was = sym_cell_value(g, v->pre);
        if (is == was || (isnan(is) && isnan(was))) continue;
        sym_set_cell(g, v->pre, is);
        if (is != 0) s->modes->waiting[i] = 0;
        changed = true;
        if (seen) *seen = *seen || s->seen[v->cell] || s->seen[v->pre];
    }
    return changed;
}

/* The names of discrete variables that differ from their values before. Returns whether there is a
 * condition of a when-clause among them. */
static bool name_changing(const switching *s, text *t)
{
    bool any = false;
    const sym_discrete_part *d = &s->system->discrete;
    const sym_graph *g = s->system->graph;
    size_t count = 0;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        if (sym_cell_value(g, v->cell) == sym_cell_value(g, v->pre)) continue;
        text_format(t, "%s%s (line %u)", count++ ? ", " : "", v->name, v->at.line);
        any = any || v->is_condition;
    }
    return any;
}

static dae_status report_endless(settling *e)
{
    text changing = {0};
    bool edges = name_changing(e->s, &changing);
    message_fail(e->m, DAE_EVENT,
                 "the event at t = %.9g does not end: after %d rounds, values still change: %s\n"
                 "  remedy: %s",
                 e->t, MOST_ROUNDS,
                 changing.length ? text_string(&changing) : "states that are reinitialised",
                 edges
                     ? "these modes lead back to each other at once. A mode that begins where a "
                       "difference w becomes 0 has to hold w = 0 itself: with der(w) = 0, w keeps "
                       "the sign of a rounding, by which w < 0 or w > 0 may be true when the mode "
                       "ends. Or give the conditions a hysteresis"
                     : "a value that depends on its own value before needs an edge, as in "
                       "when ... then, not a condition that holds on");
    text_free(&changing);
    return DAE_EVENT;
}

/* Gives relations that have been crossed, and were turned back, the mode to which they were
 * crossed. Returns whether there was one. */
static bool cross_again(switching *s)
{
    bool any = false;
    for (size_t k = 0; k < s->relations; k++) {
        const relation_state *r = &s->modes->relation[k];
        if (!r->crossed || !r->awaited || switching_slides(s, k) || r->is == r->to) continue;
        settling_hold(s, k, r->to == SYM_HELD_TRUE);
        any = true;
    }
    return any;
}

/* Modes for the first round. What a condition has changed as its relation was crossed may turn the
 * relation back, as where a force that grows too large breaks what it acts on. So that the change
 * is not taken back with it, the relation then stays crossed in this round; *turns: it turns in the
 * next one. */
static dae_status cross(settling *e, bool *turns)
{
    switching_modes *modes = e->s->modes;
    for (size_t k = 0; k < modes->relations; k++) modes->relation[k].to = modes->relation[k].is;
    dae_status status = settling_find_modes(e);
    if (modes->starting || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    if (status != DAE_OK || !cross_again(e->s)) return status;
    modes->keeps = *turns = true;
    status = settling_find_modes(e);
    modes->keeps = false;
    return status;
}

dae_status settling_run_rounds(settling *e)
{
    for (e->result->rounds = 1; e->result->rounds <= MOST_ROUNDS; e->result->rounds++) {
        bool again = false;
        dae_status status = e->result->rounds == 1 ? cross(e, &again) : settling_find_modes(e);
        forget_unset(e->s);
        e->jumped = e->jumped || e->s->modes->jumped;
        if (status == DAE_OK) status = act(e, &again);
        e->jumped = e->jumped || e->result->moved;
        if (status != DAE_OK) return status;
        settling_keep_left(e->s, e->t, e->z);
        if (e->result->rounds == MOST_ROUNDS) return report_endless(e);
        again = keep_values(e->s, NULL) || again;
        if (!again) return DAE_OK;
    }
    return DAE_OK;
}

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
    keep_values(s, &seen);
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
           fabs(s->value[k]) <= ROUND_OFF_ITERATED * (s->size[k] + s->nominal[k]);
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
    for (size_t k = 0; k < e->s->relations; k++) {
        relation_state *r = &e->s->modes->relation[k];
        r->crossed = r->leaves = r->stuck = r->slid = false;
        r->passed = r->thrown = 0;
        r->share_ends = 0;
    }
    e->result->s = e->s;
    e->result->z = e->z;
}

static dae_status run_event(settling *e)
{
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
    if (status == DAE_OK) status = settling_find_rest(e);
    if (status == DAE_OK && !e->result->rests) status = settling_leave_surfaces(e);
    if (status == DAE_OK && !e->result->rests) status = settling_leave_vertex(e);
    if (status == DAE_OK) settling_look_for_missed(e);
    if (status == DAE_OK) status = take_rest(e);
    if (status == DAE_OK) status = settling_note_lingering(e);
    if (status == DAE_OK) settling_note_memories(e);
    if (status == DAE_OK) settling_note_pierced(e);
    end_event(e);
    return status;
}

dae_status switching_settle(switching *s, double t, const signed char *crossed, bool due,
                            double accumulates, double nears, double *z, switching_resolve resolve,
                            void *self, message *m, switching_result *result)
{
    settling e = {
        .s = s, .t = t, .z = z, .resolve = resolve, .self = self, .m = m, .result = result};
    *result = (switching_result){0};
    begin_event(s);
    forget_unset(s);
    switching_look(s, t, z);
    settling_keep_left(s, t, z);
    settling_keep_cells(s);
    s->modes->events++;
    e.accumulates = accumulates;
    e.nears = nears;
    for (size_t j = 0; j < s->roots; j++) {
        size_t k = s->of_root[j];
        s->modes->relation[k].crossed = crossed[j] != 0;
        s->modes->relation[k].left = s->value[k];
        s->modes->relation[k].passed = (signed char)-crossed[j];
        if (!crossed[j]) continue;
        s->modes->relation[k].ended = s->modes->relation[k].ends ? crossed[j] : 0;
        s->modes->relation[k].ends = false;
        s->modes->relation[k].last_event = s->modes->events;
        settling_hold(s, k, crossed[j] < 0);
    }
    for (size_t i = 0; i < s->shares; i++) {
        const signed char *at = crossed + s->roots + 2 * i;
        if (at[0] || at[1]) s->modes->relation[s->slid[i]].share_ends = at[0] ? -1 : 1;
    }
    if (due) take_samples(s, t);
    return run_event(&e);
}

/* Relations of time that change just behind the start, and samples that are taken there, are
 * another event. */
static dae_status begin_behind(settling *e, switching_note note)
{
    switching *s = e->s;
    text name = {0};
    bool any = take_samples(s, e->t);
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
    return any ? run_event(e) : DAE_OK;
}

/* Relations that the search for the start has held stay so where they stand at 0. */
static void begin_relation(switching *s, size_t k)
{
    bool is = switching_holds(s, k);
    sym_mode before = sym_relation_mode(s->system->graph, k);
    bool stays = before != SYM_FREE && (before == SYM_HELD_TRUE) != is &&
                 fabs(s->value[k]) <= switching_band(s, k);
    settling_hold(s, k, stays ? before == SYM_HELD_TRUE : is);
    s->modes->relation[k].crossed = stays;
    s->modes->relation[k].left = switching_band(s, k);
}

dae_status switching_begin(switching *s, double t, double *z, switching_resolve resolve,
                           switching_note note, void *self, message *m, switching_result *result)
{
    settling e = {
        .s = s, .t = t, .z = z, .resolve = resolve, .self = self, .m = m, .result = result};
    const sym_discrete_part *d = &s->system->discrete;
    *result = (switching_result){0};
    begin_event(s);
    forget_unset(s);
    s->modes->starting = true;
    s->modes->behind = false;
    switching_look(s, t, z);
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
    end_event(&e);
    return status;
}
