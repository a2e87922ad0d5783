/* The iteration of an event. */
#include "event/switching.h"

#include "base/round_off.h"
#include "symbolic/cells.h"

#include <math.h>
#include <string.h>

/* The most rounds of an event, and the most searches for modes in one of them. */
enum { MOST_ROUNDS = 1000, MOST_SEARCHES = 2 * SWITCHING_MOST_VISITED };

/* Of so many relations that contradict each other, all modes are tried. */
enum { MOST_TOGETHER = 12 };

/* What settles an event. */
typedef struct settling {
    switching *s;
    double t, *z;
    switching_resolve resolve;
    void *self;
    message *m;
    switching_result *result;
    message tried; /* of the equations in the modes tried last */
    bool moved;    /* states have moved since the equations were solved last */
} settling;

static void hold(switching *s, size_t k, bool is)
{
    s->relation[k].is = is ? SYM_HELD_TRUE : SYM_HELD_FALSE;
    sym_hold_relation(s->system->graph, k, (sym_mode)s->relation[k].is);
}

/* Whether a relation has a value that its mode excludes. The root that has just been crossed is 0
 * up to the error with which it was located. */
static bool contradicts(const switching *s, size_t k)
{
    static const double CROSSED = 10;
    const switching_relation *r = &s->relation[k];
    if (switching_holds(s, k) == (r->is == SYM_HELD_TRUE)) return false;
    if (r->kind != RELATION_STATE || (s->value[k] == 0 && !r->crossed)) return true;
    double allowed = ROUND_OFF_ITERATED * s->size[k];
    if (r->crossed) allowed = fmax(allowed, CROSSED * fabs(r->left));
    return fabs(s->value[k]) > allowed;
}

/* Gives relations the modes of their values: all of them, or the first one. Returns whether one has
 * changed. */
static bool turn(switching *s, bool first)
{
    bool any = false;
    for (size_t k = 0; k < s->relations && !(first && any); k++) {
        if (!contradicts(s, k)) continue;
        hold(s, k, s->relation[k].is != SYM_HELD_TRUE);
        any = true;
    }
    return any;
}

/* The continuous equations in the present modes, and definitions at their solution. Returns whether
 * these have stayed. */
static dae_status solve(settling *e, bool *stays)
{
    switching *s = e->s;
    switching_define(s, e->t, e->z);
    message_free(&e->tried);
    dae_status status = e->resolve(e->self, e->t, e->z, e->moved, &e->tried);
    if (status != DAE_OK) return status;
    *stays = !switching_define(s, e->t, e->z);
    switching_look(s, e->t, e->z);
    return DAE_OK;
}

static void keep_modes(const switching *s, size_t at)
{
    for (size_t k = 0; k < s->relations; k++) s->visited[at * s->relations + k] = s->relation[k].is;
}

static void take_modes(switching *s, size_t from)
{
    for (size_t k = 0; k < s->relations; k++)
        hold(s, k, s->visited[from * s->relations + k] == SYM_HELD_TRUE);
}

static bool was_visited(const switching *s, size_t visits)
{
    for (size_t i = 0; i < visits; i++) {
        size_t k = 0;
        while (k < s->relations && s->visited[i * s->relations + k] == s->relation[k].is) k++;
        if (k == s->relations) return true;
    }
    return false;
}

/* The relations whose modes the search has changed: at most MOST_TOGETHER, or none. */
static size_t disputed(const switching *s, size_t visits, size_t *which)
{
    size_t count = 0;
    for (size_t k = 0; k < s->relations; k++) {
        bool turned = false;
        for (size_t i = 1; i < visits; i++)
            turned = turned || s->visited[i * s->relations + k] != s->visited[k];
        if (!turned || s->relation[k].kind != RELATION_STATE) continue;
        if (count == MOST_TOGETHER) return 0;
        which[count++] = k;
    }
    return count;
}

/* Whether the modes are those of the solution in them. */
static dae_status holds_together(settling *e, bool *found)
{
    bool stays = false;
    dae_status status = DAE_OK;
    *found = false;
    for (int i = 0; i < MOST_TOGETHER && !stays && status == DAE_OK; i++) status = solve(e, &stays);
    if (status != DAE_OK) return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
    *found = stays;
    for (size_t k = 0; k < e->s->relations && *found; k++) *found = !contradicts(e->s, k);
    return DAE_OK;
}

static void report_disputed(const settling *e, size_t count, const size_t *which, text *t)
{
    for (size_t i = 0; i < count; i++) {
        if (i) text_add(t, i + 1 < count ? ", " : " and ");
        prolonged_print(e->s->f->names, sym_relation_node(e->s->system->graph, which[i]), t);
    }
}

static dae_status report_no_mode(settling *e, size_t count, const size_t *which)
{
    text named = {0};
    report_disputed(e, count, which, &named);
    message_replace(e->m, DAE_EVENT,
                    "at t = %.9g no values of the relations are those of a solution: %s", e->t,
                    count ? text_string(&named) : "too many of them contradict each other");
    text_free(&named);
    return DAE_EVENT;
}

/* Tries all modes of the disputed relations, those with the fewest changes first. */
static dae_status try_all(settling *e, size_t visits)
{
    switching *s = e->s;
    size_t which[MOST_TOGETHER], count = disputed(s, visits, which), solutions = 0;
    size_t chosen = 0, size = s->f->p->size;
    for (size_t changes = 0; changes <= count && count > 0; changes++) {
        for (size_t bits = 0; bits < (size_t)1 << count; bits++) {
            if ((size_t)__builtin_popcountll(bits) != changes) continue;
            take_modes(s, 0);
            for (size_t i = 0; i < count; i++)
                if (bits >> i & 1) hold(s, which[i], s->relation[which[i]].is != SYM_HELD_TRUE);
            memcpy(e->z, s->before, size * sizeof *e->z);
            bool found;
            dae_status status = holds_together(e, &found);
            if (status != DAE_OK) return status;
            if (found && solutions++ == 0) chosen = bits;
        }
    }
    if (count == 0 && e->tried.status != DAE_OK) {
        message_move(e->m, &e->tried);
        return e->m->status;
    }
    if (solutions == 0) return report_no_mode(e, count, which);
    take_modes(s, 0);
    for (size_t i = 0; i < count; i++)
        if (chosen >> i & 1) hold(s, which[i], s->relation[which[i]].is != SYM_HELD_TRUE);
    memcpy(e->z, s->before, size * sizeof *e->z);
    bool found;
    dae_status status = holds_together(e, &found);
    if (status != DAE_OK || solutions == 1) return status;
    text named = {0};
    report_disputed(e, count, which, &named);
    message_note(e->m,
                 "at t = %.9g the relations %s have several solutions: the one with the fewest "
                 "changes is taken",
                 e->t, text_string(&named));
    text_free(&named);
    return DAE_OK;
}

/* Finds modes and values that belong together. Relations take the modes of their values, all at
 * once; where this goes in a circle, the first one alone, which ends where the relations are those
 * of a linear complementarity problem with a P-matrix (Murty, Linear Algebra Appl. 5 (1972) 65);
 * then all modes are tried. */
static dae_status find_modes(settling *e)
{
    switching *s = e->s;
    bool one = false;
    size_t visits = 0;
    memcpy(s->before, e->z, s->f->p->size * sizeof *e->z);
    keep_modes(s, visits++);
    for (int i = 0; i < MOST_SEARCHES; i++) {
        bool stays = false;
        dae_status status = solve(e, &stays);
        if (status == DAE_STOPPED || status == DAE_NO_MEMORY) return status;
        if (status != DAE_OK) break;
        bool turned = turn(s, one);
        if (stays && !turned) return DAE_OK;
        if (!turned) continue;
        one = one || was_visited(s, visits);
        if (visits == SWITCHING_MOST_VISITED) break;
        keep_modes(s, visits++);
    }
    return try_all(e, visits);
}

/* --- actions --- */

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
    size_t entry = e->s->reinit[i];
    if (entry == SIZE_MAX)
        return message_fail(e->m, DAE_UNSUPPORTED,
                            "reinit() at t = %.9g of a variable that is no state, but follows from "
                            "others (%s:%u)\n  remedy: reinit() the variable that it follows from",
                            e->t, file, x->at.line);
    e->z[entry] = value / e->s->factor[i];
    *again = e->moved = e->result->moved = true;
    return DAE_OK;
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

static void keep_left(switching *s, double t, const double *z)
{
    const sym_discrete_part *d = &s->system->discrete;
    if (d->left.count == 0) return;
    s->input[0] = t;
    memcpy(s->input + 1, z, s->f->p->size * sizeof *z);
    sym_tape_eval(s->left, s->input, s->was_left);
    for (size_t i = 0; i < d->left.count; i++)
        sym_set_cell(s->system->graph, d->left.item[i].cell, s->was_left[i]);
}

/* The values before become the present ones. Returns whether one has changed. */
static bool keep_values(switching *s)
{
    const sym_discrete_part *d = &s->system->discrete;
    sym_graph *g = s->system->graph;
    bool changed = false;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        double is = sym_cell_value(g, v->cell), was = sym_cell_value(g, v->pre);
        if (is == was || (isnan(is) && isnan(was))) continue;
        sym_set_cell(g, v->pre, is);
        changed = true;
    }
    return changed;
}

/* The names of discrete variables that differ from their values before. */
static void name_changing(const switching *s, text *t)
{
    const sym_discrete_part *d = &s->system->discrete;
    const sym_graph *g = s->system->graph;
    size_t count = 0;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        if (sym_cell_value(g, v->cell) == sym_cell_value(g, v->pre)) continue;
        text_format(t, "%s%s (line %u)", count++ ? ", " : "", v->name, v->at.line);
    }
}

static dae_status report_endless(settling *e)
{
    text changing = {0};
    name_changing(e->s, &changing);
    message_fail(e->m, DAE_EVENT,
                 "the event at t = %.9g does not end: after %d rounds, values still change: %s\n"
                 "  remedy: a value that depends on its own value before needs an edge, as in "
                 "when ... then, not a condition that holds on",
                 e->t, MOST_ROUNDS,
                 changing.length ? text_string(&changing) : "states that are reinitialised");
    text_free(&changing);
    return DAE_EVENT;
}

static dae_status run_rounds(settling *e)
{
    switching *s = e->s;
    for (e->result->rounds = 1; e->result->rounds <= MOST_ROUNDS; e->result->rounds++) {
        bool again = false;
        dae_status status = find_modes(e);
        e->moved = false;
        if (status == DAE_OK) status = act(e, &again);
        if (status != DAE_OK) return status;
        keep_left(s, e->t, e->z);
        if (e->result->rounds == MOST_ROUNDS) return report_endless(e);
        again = keep_values(s) || again;
        if (!again) return DAE_OK;
    }
    return DAE_OK;
}

/* Samples are over: what rises with them falls without another event. */
static void end_samples(switching *s, double t, const double *z)
{
    const sym_discrete_part *d = &s->system->discrete;
    for (size_t i = 0; i < d->sample.count; i++)
        sym_set_cell(s->system->graph, d->sample.item[i].cell, 0);
    if (d->sample.count == 0) return;
    switching_define(s, t, z);
    keep_values(s);
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

static dae_status run_event(settling *e)
{
    if (!e->s->finishing) take_samples(e->s, e->t);
    dae_status status = run_rounds(e);
    message_free(&e->tried);
    if (status == DAE_OK) end_samples(e->s, e->t, e->z);
    for (size_t k = 0; k < e->s->relations; k++) e->s->relation[k].crossed = false;
    return status;
}

dae_status switching_settle(switching *s, double t, const signed char *crossed, double *z,
                            switching_resolve resolve, void *self, message *m,
                            switching_result *result)
{
    settling e = {
        .s = s, .t = t, .z = z, .resolve = resolve, .self = self, .m = m, .result = result};
    *result = (switching_result){0};
    switching_look(s, t, z);
    keep_left(s, t, z);
    for (size_t j = 0; j < s->roots; j++) {
        size_t k = s->of_root[j];
        s->relation[k].crossed = crossed[j] != 0;
        s->relation[k].left = s->value[k];
        if (crossed[j]) hold(s, k, crossed[j] < 0);
    }
    return run_event(&e);
}

/* Relations of time that change just behind the start, and samples that are taken there, are
 * another event. */
static dae_status begin_behind(settling *e)
{
    switching *s = e->s;
    bool any = take_samples(s, e->t);
    s->behind = true;
    switching_look(s, e->t, e->z);
    for (size_t k = 0; k < s->relations; k++) any = any || contradicts(s, k);
    return any ? run_event(e) : DAE_OK;
}

dae_status switching_begin(switching *s, double t, double *z, switching_resolve resolve, void *self,
                           message *m, switching_result *result)
{
    settling e = {
        .s = s, .t = t, .z = z, .resolve = resolve, .self = self, .m = m, .result = result};
    const sym_discrete_part *d = &s->system->discrete;
    *result = (switching_result){0};
    s->starting = true;
    s->behind = false;
    switching_look(s, t, z);
    for (size_t k = 0; k < s->relations; k++) hold(s, k, switching_holds(s, k));
    keep_left(s, t, z);
    dae_status status = run_rounds(&e);
    s->starting = false;
    if (status == DAE_OK && d->initial.used) {
        sym_set_cell(s->system->graph, d->initial.cell, 0);
        status = run_rounds(&e);
    }
    message_free(&e.tried);
    return status == DAE_OK ? begin_behind(&e) : status;
}
