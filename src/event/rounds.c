/* The rounds of an event: modes and values that belong together, then what conditions want done. */
#include "event/settling.h"

#include "base/round_off.h"
#include "symbolic/cells.h"

#include <math.h>
#include <string.h>

/* The most rounds of an event. */
enum { MOST_ROUNDS = 1000 };

/* --- actions --- */

void settling_forget_unset(const switching *s)
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
    s->modes->moves = true;
    return DAE_OK;
}

/* From states that are moved a surface that was left at this event is reached anew: to come back to
 * it is another impact, and no sliding motion. */
static void forget_leaving(const switching *s)
{
    for (size_t k = 0; k < s->relations; k++) s->modes->relation[k].leaves = false;
}

/* The message of action i, with the values that it has now. */
static const char *message_of(const switching *s, size_t i)
{
    const sym_action *x = &s->system->discrete.action.item[i];
    text t = {0};
    if (!x->said || !s->said) return x->message;
    sym_say(x->said, s->acted + s->first_said[i], &t);
    text_shorten(&t, SWITCHING_LONGEST_SAID - 1);
    memcpy(s->said, text_string(&t), strlen(text_string(&t)) + 1);
    text_free(&t);
    return s->said;
}

static dae_status act_on(settling *e, size_t i, double value, bool *again)
{
    const sym_action *x = &e->s->system->discrete.action.item[i];
    const char *file = e->s->system->file;
    switch (x->kind) {
    case SYM_TERMINATE:
        e->result->terminates = true;
        e->result->reason = message_of(e->s, i);
        return DAE_OK;
    case SYM_ASSERT:
        if (value != 0) return DAE_OK;
        if (!x->warning)
            return message_fail(e->m, DAE_ASSERTION, "assertion failed at t = %.9g: %s (%s:%u)",
                                e->t, message_of(e->s, i), file, x->at.line);
        message_note(e->m, "assertion at t = %.9g: %s (%s:%u)", e->t, message_of(e->s, i), file,
                     x->at.line);
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

/* The conditions of actions, and their values. Whether a state is set. */
static bool look_at_actions(settling *e)
{
    switching *s = e->s;
    const sym_discrete_part *d = &s->system->discrete;
    bool sets = false;
    s->input[0] = e->t;
    memcpy(s->input + 1, e->z, s->f->p->size * sizeof *e->z);
    sym_tape_eval(s->action, s->input, s->acted);
    for (size_t i = 0; i < d->action.count; i++)
        sets = sets || (s->acted[i] != 0 && d->action.item[i].kind == SYM_REINIT);
    return sets;
}

/* Does what conditions that have risen want done. All values are those before any of it is done. */
static dae_status act(settling *e, bool *again)
{
    size_t count = e->s->system->discrete.action.count;
    dae_status status = DAE_OK;
    if (count == 0) return DAE_OK;
    if (look_at_actions(e) && settling_leave_second_order(e->s)) {
        status = settling_find_modes(e);
        look_at_actions(e);
    }
    switching *s = e->s;
    for (size_t i = 0; i < count && status == DAE_OK; i++)
        if (s->acted[i] != 0) status = act_on(e, i, s->acted[count + i], again);
    if (status == DAE_OK && *again) settling_leave_beside(e);
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

bool settling_keep_values(switching *s, bool *seen)
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

/* Modes for a round. What a condition changes may turn back the relation that it follows from, as
 * where a friction that is exceeded gives way to a smaller one, so that no modes have a solution.
 * What has risen by the modes before then stays so in this round; *turns: it turns in the next one.
 */
static dae_status find_modes(settling *e, bool *turns)
{
    dae_status status = settling_find_modes(e);
    if (status != DAE_EVENT || e->s->modes->starting) return status;
    message none = message_take_failure(e->m);
    status = settling_find_with_risen(e);
    if (status == DAE_OK)
        *turns = true;
    else if (status != DAE_STOPPED && status != DAE_NO_MEMORY)
        status = DAE_EVENT;
    if (status == DAE_EVENT) {
        message later = message_take_failure(e->m);
        message_free(&later);
        message_move(e->m, &none);
    }
    message_free(&none);
    return status;
}

/* Modes for the first round. What a condition has changed as its relation was crossed may turn the
 * relation back, as where a force that grows too large breaks what it acts on. So that the change
 * is not taken back with it, the relation then stays crossed in this round; *turns: it turns in the
 * next one. */
static dae_status cross(settling *e, bool *turns)
{
    switching_modes *modes = e->s->modes;
    for (size_t k = 0; k < modes->relations; k++) modes->relation[k].to = modes->relation[k].is;
    dae_status status = find_modes(e, turns);
    if (modes->starting || status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
    if (status != DAE_OK || !cross_again(e->s)) return status;
    modes->keeps = *turns = true;
    status = settling_find_modes(e);
    modes->keeps = false;
    return status;
}

/* A whole part that has changed has other bounds, below which and from which on it is another one:
 * a mode that was right for those before would add to it in each round where the equations follow
 * it, as those of mod(x, 2) = 1 do, which hold for any odd x. */
static void release_bounds(settling *e)
{
    switching *s = e->s;
    if (s->wholes == 0) return;
    switching_look(s, e->t, e->z);
    for (size_t i = 0; i < s->wholes; i++) {
        const size_t bound[2] = {s->whole[i].below, s->whole[i].above};
        for (int b = 0; b < 2; b++) {
            size_t k = bound[b];
            bool state = s->relation[k].kind == RELATION_STATE && !switching_slides(s, k);
            bool is = s->modes->relation[k].is == SYM_HELD_TRUE;
            if (state && is && !switching_holds(s, k) && !settling_is_at_surface(s, k))
                settling_hold(s, k, false);
        }
    }
}

dae_status settling_run_rounds(settling *e)
{
    for (e->result->rounds = 1; e->result->rounds <= MOST_ROUNDS; e->result->rounds++) {
        bool again = false;
        dae_status status = e->result->rounds == 1 ? cross(e, &again) : find_modes(e, &again);
        settling_forget_unset(e->s);
        if (status == DAE_OK && e->verify) status = e->verify(e->self, e->t, e->z);
        e->verify = NULL;
        if (status == DAE_OK) settling_take_factors(e->s);
        e->jumped = e->jumped || e->s->modes->jumped;
        if (status == DAE_OK) status = act(e, &again);
        e->jumped = e->jumped || e->result->moved;
        if (status != DAE_OK) return status;
        settling_keep_left(e->s, e->t, e->z);
        if (e->result->rounds == MOST_ROUNDS) return report_endless(e);
        again = settling_keep_values(e->s, NULL) || again;
        if (again) release_bounds(e);
        e->s->modes->passed_on = true;
        if (!again) return DAE_OK;
    }
    return DAE_OK;
}
