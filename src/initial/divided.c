/* The start of a system of several parts, and of one of which not all states can be held. */
#include "initial/divided.h"

#include "initial/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The search in a system of several parts. What succeeds at the first attempt is found for many
 * parts together, for that is as good as by themselves; all else is sought part by part. */

/* As what z is the start of a part. */
typedef enum part_found {
    NOT_YET,
    WITH_HELD,
    WITH_STATES, /* fixed, so that it is the guess of the last search */
    AS_GIVEN
} part_found;

typedef struct divided {
    start_parts parts;
    const start_system *s;
    double t;
    double *z, *guess;   /* size: found; from which it was found last */
    part_found *found;   /* parts */
    bool *fixed;         /* size: as which z was found */
    const bool *leading; /* size: of the system; NULL: all given values count alike */
    size_t *list;        /* parts: room */
    size_t iterations, failures;
    message *m; /* notes, ... */
    message failure;
    dae_status status; /* ... and what ends all of the search */
} divided;

/* How the start of parts is sought. */
typedef struct stage {
    start_system system;
    effort most;
    part_found found; /* what success means */
} stage;

static bool has_free_states(const divided *d, size_t part)
{
    const start_system *s = d->s;
    for (size_t k = d->parts.first_entry[part]; k < d->parts.first_entry[part + 1]; k++)
        if (s->states[d->parts.entry[k]] && !s->fixed[d->parts.entry[k]]) return true;
    return false;
}

/* Values of states count before others, except in parts where none has a value that may change. */
static void find_leading(divided *d)
{
    const start_system *s = d->s;
    if (!s->states) return;
    bool *leading = arena_array(&d->parts.memory, s->size, sizeof *leading);
    for (size_t k = 0; k < d->parts.count; k++) {
        const bool *of = has_free_states(d, k) ? s->states : s->given;
        for (size_t i = d->parts.first_entry[k]; i < d->parts.first_entry[k + 1]; i++)
            leading[d->parts.entry[i]] = of[d->parts.entry[i]];
    }
    d->leading = leading;
}

static void build(void *self)
{
    divided *d = self;
    const start_system *s = d->s;
    arena *a = &d->parts.memory;
    arena_vectors(a, s->size, (double **const[]){&d->z, &d->guess, NULL});
    d->found = arena_array(a, d->parts.count, sizeof *d->found);
    d->list = arena_array(a, 2 * d->parts.count, sizeof *d->list);
    d->fixed = arena_array(a, s->size, sizeof *d->fixed);
    memcpy(d->z, s->guess, s->size * sizeof *d->z);
    memcpy(d->guess, s->guess, s->size * sizeof *d->guess);
    memcpy(d->fixed, s->fixed, s->size * sizeof *d->fixed);
    find_leading(d);
}

/* Remember a failure: a contradiction before others. */
static void fail_part(divided *d, const start_view *v, message *collected)
{
    bool contradicts = collected->status == DAE_CONTRADICTION;
    d->failures++;
    if (v->system.nearest) start_view_put(v, v->system.nearest, d->s->nearest);
    if (d->failures > 1 && !(contradicts && d->failure.status != DAE_CONTRADICTION)) return;
    message_free(&d->failure);
    d->failure = *collected;
    *collected = (message){0};
}

/* Whether the others need not be sought, because the start has failed. */
static bool is_lost(const divided *d)
{
    enum { ENOUGH = 8 };
    bool failed = d->failures >= ENOUGH || d->failure.status == DAE_CONTRADICTION;
    return d->status != DAE_OK || (failed && !d->s->nearest);
}

static void take_view(divided *d, const stage *g, const start_view *v, const reduced_start *r,
                      const size_t *part, size_t count)
{
    start_view_put(v, r->z, d->z);
    if (d->s->nearest) start_view_put(v, r->z, d->s->nearest);
    for (size_t j = 0; j < v->system.size; j++) d->fixed[v->entry[j]] = v->system.fixed[j];
    for (size_t k = 0; k < count; k++) d->found[part[k]] = g->found;
    if (d->iterations < r->solver->iterations) d->iterations = r->solver->iterations;
}

/* A system of the parts, and what solves it. */
static bool open_view(divided *d, const stage *g, const size_t *part, size_t count, start_view **v,
                      reduced_start **r)
{
    dae_status status = start_view_create(v, &d->parts, &g->system, part, count);
    if (status == DAE_OK)
        status = reduced_start_create(r, &(*v)->system, d->t, (*v)->system.rows, false);
    if (status != DAE_OK) d->status = status;
    return status == DAE_OK;
}

static void search_alone(divided *d, const stage *g, size_t part)
{
    start_view *v = NULL;
    reduced_start *r = NULL;
    message collected = {0};
    initial_result result = {.residual = HUGE_VAL};
    if (!is_lost(d) && open_view(d, g, &part, 1, &v, &r)) {
        dae_status status = start_try(r, g->most, &result, &collected);
        if (status == DAE_OK) {
            take_view(d, g, v, r, &part, 1);
            text_add(&d->m->notes, text_string(&collected.notes));
        } else if (start_is_final(status)) {
            d->status = status;
        } else if (g->most == ALL) {
            start_fail(&collected, status);
            fail_part(d, v, &collected);
        }
    }
    message_free(&collected);
    reduced_start_free(r);
    start_view_free(v);
}

/* Finds the start of some parts together; otherwise marks those that hinder it. */
static bool search_together(divided *d, const stage *g, const size_t *part, size_t count,
                            bool staying, bool *bad)
{
    start_view *v = NULL;
    reduced_start *r = NULL;
    bool found = false;
    if (open_view(d, g, part, count, &v, &r)) {
        start_verdict verdict = {.parts = count,
                                 .part_of_row = v->part_of_row,
                                 .part_of_entry = v->part_of_entry,
                                 .bad = bad};
        found = staying ? start_stays_together(r, &verdict) : initial_search_together(r, &verdict);
        if (found) take_view(d, g, v, r, part, count);
    }
    reduced_start_free(r);
    start_view_free(v);
    return found;
}

/* Moves those that are bad behind the others; returns how many are not. */
static size_t sort_out(size_t *part, size_t count, const bool *bad, size_t *room)
{
    size_t good = 0, behind = 0;
    for (size_t k = 0; k < count; k++) {
        if (bad[k])
            room[behind++] = part[k];
        else
            part[good++] = part[k];
    }
    memcpy(part + good, room, behind * sizeof *part);
    return good;
}

/* Searches in parts (which are reordered) until they stay, or are found at the first attempt, or
 * are by themselves. staying: only parts that are not known to move. */
static void search_parts(divided *d, const stage *g, size_t *part, size_t count, bool staying)
{
    if (count == 0 || is_lost(d)) return;
    if (count == 1) {
        search_alone(d, g, *part);
        return;
    }
    bool *bad = calloc(count, sizeof *bad);
    if (!bad) d->status = DAE_NO_MEMORY;
    if (!bad || search_together(d, g, part, count, staying, bad) || d->status != DAE_OK) {
        free(bad);
        return;
    }
    size_t good = sort_out(part, count, bad, d->list + d->parts.count);
    free(bad);
    bool nobody = good == count;
    if (nobody) good = count / 2;
    search_parts(d, g, part, good, staying);
    if (nobody || (staying && g->most != STAY))
        search_parts(d, g, part + good, count - good, nobody && staying);
    else
        for (size_t k = good; k < count && g->most != STAY; k++) search_alone(d, g, part[k]);
}

static bool is_in_stage(const divided *d, const stage *g, size_t part)
{
    return g->found == WITH_HELD || g->most == ALL || !d->s->states || has_free_states(d, part);
}

/* A stage for all parts that are not found yet. */
static void run_stage(divided *d, const stage *g)
{
    size_t count = 0;
    for (size_t k = 0; k < d->parts.count; k++)
        if (d->found[k] == NOT_YET && is_in_stage(d, g, k)) d->list[count++] = k;
    search_parts(d, g, d->list, count, true);
}

/* Holds what can be held in parts in which not all states can be. */
static void hold_in_parts(divided *d)
{
    stage g = {.system = *d->s, .found = WITH_STATES};
    g.system.leading = d->leading;
    for (size_t k = 0; k < d->parts.count && d->status == DAE_OK; k++) {
        start_view *v = NULL;
        if (d->found[k] != NOT_YET || !has_free_states(d, k)) continue;
        dae_status status = start_view_create(&v, &d->parts, &g.system, &k, 1);
        double *z = malloc((d->s->size + 1) * sizeof *z);
        if (status == DAE_OK && !z) status = DAE_NO_MEMORY;
        if (status == DAE_OK) status = start_hold(&v->system, d->t, z);
        if (status == DAE_OK) {
            start_view_put(v, z, d->z);
            d->found[k] = WITH_STATES;
        } else if (start_is_final(status)) {
            d->status = status;
        }
        free(z);
        start_view_free(v);
    }
}

/* What was found with states held is the guess of the last search. */
static void go_on_from_states(divided *d)
{
    const start_system *s = d->s;
    for (size_t k = 0; k < d->parts.count; k++) {
        if (d->found[k] != WITH_STATES) continue;
        d->found[k] = NOT_YET;
        for (size_t i = d->parts.first_entry[k]; i < d->parts.first_entry[k + 1]; i++) {
            size_t j = d->parts.entry[i];
            d->guess[j] = d->z[j];
            d->fixed[j] = s->fixed[j];
        }
    }
}

static void run_stages(divided *d)
{
    const start_system *s = d->s;
    stage held = {.system = *s, .most = TENTATIVE, .found = WITH_HELD},
          stay = {.system = *s, .most = STAY, .found = AS_GIVEN},
          states = {.system = *s, .most = TENTATIVE, .found = WITH_STATES},
          last = {.system = *s, .most = ALL, .found = AS_GIVEN};
    if (s->nearest) memcpy(s->nearest, s->guess, s->size * sizeof *s->nearest);
    stay.system.leading = states.system.leading = last.system.leading = d->leading;
    held.system.fixed = s->held;
    if (s->guessed) held.system.given = s->guessed;
    if (s->held) run_stage(d, &held);
    states.system.fixed = s->states;
    if (s->states) {
        run_stage(d, &stay);
        run_stage(d, &states);
        hold_in_parts(d);
        go_on_from_states(d);
    }
    last.system.guess = d->guess;
    run_stage(d, &last);
}

/* Notes missing and redundant conditions of the whole, as search() and search_held() do. */
static dae_status note_whole(divided *d, initial_result *result)
{
    start_system whole = *d->s;
    reduced_start *r = NULL;
    message collected = {0};
    bool held = false;
    for (size_t k = 0; k < d->parts.count; k++) held = held || d->found[k] == WITH_HELD;
    whole.fixed = d->fixed;
    whole.guess = d->guess;
    whole.start = d->s->start ? d->s->start : d->s->guess;
    dae_status status = reduced_start_create(&r, &whole, d->t, whole.rows, false);
    if (status == DAE_OK) {
        reduced_start_go_to(r, d->z);
        status = gauss_newton_look(r->solver, r->x, r->weight);
    }
    if (status == DAE_OK && min_norm_knows_rank(r->solver->linear))
        status = conditions_note(r, &collected, result);
    if (status == DAE_OK) result->residual = reduced_start_violation(r);
    if (status == DAE_OK && !d->s->form->divide &&
        !reduced_start_counts_as_met(r, result->residual))
        status = DAE_NO_START; /* rows contain what the pattern does not show */
    if (held && result->free == 0) {
        text_clear(&collected.notes);
        if (d->s->redundancy) text_clear(d->s->redundancy);
    }
    message_move(d->m, &collected);
    reduced_start_free(r);
    return status;
}

static dae_status report_divided(divided *d, initial_result *result)
{
    dae_status status = d->status;
    if (status == DAE_OK && d->failures > 0) {
        message_move(d->m, &d->failure);
        return d->m->status;
    }
    if (status == DAE_OK) status = note_whole(d, result);
    return status == DAE_OK ? DAE_OK : start_fail(d->m, status);
}

static dae_status search_divided(divided *d, double *z, initial_result *result)
{
    *result = (initial_result){.residual = HUGE_VAL};
    if (d->s->redundancy) text_clear(d->s->redundancy);
    if (arena_protect(&d->parts.memory, build, d) != DAE_OK)
        d->status = DAE_NO_MEMORY;
    else
        run_stages(d);
    dae_status status = report_divided(d, result);
    result->iterations = d->iterations;
    if (status == DAE_OK) memcpy(z, d->z, d->s->size * sizeof *z);
    message_free(&d->failure);
    return status;
}

/* Whether parts can be sought while the others are at their guesses: by themselves, or because the
 * whole has values there. */
static bool has_values_apart(const start_system *s, double t)
{
    if (s->form->divide) return true;
    double *row = malloc((s->pattern->rows + s->pattern->nonzeros + 1) * sizeof *row);
    bool has = row && start_system_value(s, t, s->guess, row) == DAE_OK &&
               start_system_jacobian(s, t, s->guess, row + s->pattern->rows) == DAE_OK;
    free(row);
    return has;
}

dae_status start_search_divided(const start_system *s, double t, double *z, initial_result *result,
                                message *m, bool *many)
{
    divided d = {.s = s, .t = t, .m = m};
    dae_status status = start_parts_find(&d.parts, s, LINKED_BY_ALL);
    *many = status != DAE_OK || (d.parts.count > 1 && has_values_apart(s, t));
    if (status != DAE_OK)
        status = start_fail(m, status);
    else if (*many)
        status = search_divided(&d, z, result);
    start_parts_free(&d.parts);
    return status;
}

/* The same search in one part. */
static dae_status hold_all(const start_system *first, double t, double *z)
{
    reduced_start *r = NULL;
    initial_result result;
    message unheard = {0};
    dae_status status = reduced_start_create(&r, first, t, first->rows, false);
    if (status == DAE_OK) status = initial_search(r, true, &result, &unheard);
    if (status == DAE_OK) memcpy(z, r->z, first->size * sizeof *z);
    message_free(&unheard);
    reduced_start_free(r);
    return status;
}

/* Whether all entries of a part are fixed. */
static bool is_settled(const start_parts *p, const bool *fixed, size_t part)
{
    for (size_t i = p->first_entry[part]; i < p->first_entry[part + 1]; i++)
        if (!fixed[p->entry[i]]) return false;
    return true;
}

/* Releases the entries of a part that the author has not fixed; returns how many. */
static size_t release(const start_parts *p, const start_system *s, size_t part, bool *held)
{
    size_t released = 0;
    for (size_t i = p->first_entry[part]; i < p->first_entry[part + 1]; i++) {
        size_t j = p->entry[i];
        released += held[j] && !s->fixed[j];
        held[j] = s->fixed[j];
    }
    return released;
}

/* Whether a part has nothing but what was held, and some of it has been released. */
static bool is_bound_to_released(const divided *d, size_t part, const bool *held)
{
    const start_parts *p = &d->parts;
    bool released = false;
    for (size_t i = p->first_entry[part]; i < p->first_entry[part + 1]; i++) {
        if (!d->fixed[p->entry[i]]) return false;
        released = released || !held[p->entry[i]];
    }
    return released;
}

/* Releases what is held in parts without a start, and what constraints among held values bind to
 * these, so that all coordinates of a mechanism change as little as possible. Returns how many
 * values are released; DAE_NO_START if parts fail and there are none. */
static dae_status release_failed(const divided *d, const start_system *s, bool *held,
                                 size_t *released)
{
    size_t more = 0;
    bool failed = false;
    for (size_t k = 0; k < d->parts.count; k++) {
        if (d->found[k] != NOT_YET) continue;
        more += release(&d->parts, s, k, held);
        failed = true;
    }
    if (failed && more == 0) return DAE_NO_START;
    *released = more;
    while (more > 0) {
        more = 0;
        for (size_t k = 0; k < d->parts.count; k++)
            if (is_bound_to_released(d, k, held)) more += release(&d->parts, s, k, held);
        *released += more;
    }
    return DAE_OK;
}

/* Searches with entries held, in the parts that these leave. *released: how many are released
 * because parts fail; 0 and DAE_OK: z is found. */
static dae_status hold_once(const start_system *s, const start_system *first, double t, double *z,
                            bool *held, size_t *released)
{
    message unheard = {0};
    divided d = {.s = first, .t = t, .m = &unheard};
    const stage g = {.system = *first, .most = TENTATIVE, .found = AS_GIVEN};
    dae_status status = start_parts_find(&d.parts, first, LINKED_BY_FREE);
    *released = 0;
    if (status == DAE_OK && d.parts.count < 2) {
        start_parts_free(&d.parts);
        return hold_all(first, t, z);
    }
    if (status == DAE_OK) status = arena_protect(&d.parts.memory, build, &d);
    if (status == DAE_OK) run_stage(&d, &g);
    if (status == DAE_OK) status = d.status;
    if (status == DAE_OK) status = release_failed(&d, s, held, released);
    if (status == DAE_OK && *released == 0) memcpy(z, d.z, s->size * sizeof *z);
    message_free(&unheard);
    start_parts_free(&d.parts);
    return status;
}

dae_status start_hold(const start_system *s, double t, double *z)
{
    enum { MOST_ROUNDS = 20 };
    bool *held = malloc((s->size + 1) * sizeof *held);
    if (!held) return DAE_NO_MEMORY;
    size_t left = 0, released = 1;
    for (size_t j = 0; j < s->size; j++) {
        bool differentiated = s->variable[j] && s->differentiated && s->differentiated[j];
        held[j] = s->fixed[j] || s->states[j] || differentiated;
        left += held[j] && !s->fixed[j];
    }
    start_system first = *s;
    first.fixed = held;
    first.states = first.held = NULL;
    first.nearest = NULL;
    first.taken = NULL;
    first.redundancy = NULL;
    first.of_parts = true;
    dae_status status = DAE_OK;
    for (int round = 0; status == DAE_OK && released > 0; round++) {
        status = left > 0 && round < MOST_ROUNDS ? hold_once(s, &first, t, z, held, &released)
                                                 : DAE_NO_START;
        left -= released;
    }
    free(held);
    return status;
}

dae_status start_contradicts(const start_system *s, double t, message *m)
{
    message unheard = {0};
    start_system alone = *s;
    alone.nearest = NULL;
    divided d = {.s = &alone, .t = t, .m = &unheard};
    const stage g = {.system = alone, .most = ALL, .found = AS_GIVEN};
    dae_status status = start_parts_find(&d.parts, &alone, LINKED_BY_FREE);
    bool many = status == DAE_OK && d.parts.count > 1;
    if (many) status = arena_protect(&d.parts.memory, build, &d);
    for (size_t k = 0; many && status == DAE_OK && k < d.parts.count && d.failures == 0; k++) {
        if (is_settled(&d.parts, s->fixed, k)) search_alone(&d, &g, k);
        status = d.status;
    }
    if (status == DAE_OK) status = DAE_NO_START;
    if (d.failure.status == DAE_CONTRADICTION)
        status = message_replace(m, DAE_CONTRADICTION, "%s", message_string(&d.failure));
    message_free(&unheard);
    message_free(&d.failure);
    start_parts_free(&d.parts);
    return status;
}
