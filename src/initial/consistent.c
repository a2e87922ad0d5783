#include "initial/consistent.h"

#include "initial/parts.h"
#include "initial/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a search tries. */
typedef enum effort {
    STAY,      /* whether the given values can stay */
    TENTATIVE, /* all but what explains a failure */
    ALL
} effort;

static dae_status try_start(reduced_start *r, effort most, initial_result *result, message *m)
{
    return most == STAY ? initial_stay(r, m, result)
                        : initial_search(r, most == TENTATIVE, result, m);
}

static dae_status fail_search(message *m, dae_status status)
{
    return message_fail(m, status, "%s",
                        status == DAE_NO_MEMORY ? "memory is exhausted in the search for a start"
                                                : "the start values cannot be evaluated");
}

static dae_status search(const start_system *s, double t, effort most, double *z,
                         initial_result *result, message *m)
{
    reduced_start *r = NULL;
    dae_status status = reduced_start_create(&r, s, t, s->rows, false);
    if (status != DAE_OK) return fail_search(m, status);
    *result = (initial_result){.residual = HUGE_VAL};
    if (s->redundancy) text_clear(s->redundancy); /* of the last search alone */
    status = try_start(r, most, result, m);
    if (status == DAE_OK) {
        result->residual = reduced_start_violation(r);
        memcpy(z, r->z, s->size * sizeof *z);
    }
    result->iterations = r->solver->iterations;
    reduced_start_free(r);
    return status == DAE_OK ? DAE_OK : fail_search(m, status);
}

/* Whether a search ends all others. */
static bool is_final(dae_status status)
{
    return status == DAE_OK || status == DAE_STOPPED || status == DAE_NO_MEMORY;
}

/* Search with held entries fixed. Conditions that become redundant thereby are not noted. */
static bool search_held(const start_system *s, double t, double *z, initial_result *result,
                        message *m)
{
    start_system first = *s;
    message collected = {0};
    first.fixed = s->held;
    if (s->guessed) first.given = s->guessed;
    bool found = search(&first, t, TENTATIVE, z, result, &collected) == DAE_OK;
    if (found && result->free > 0)
        text_add(&m->notes, text_string(&collected.notes));
    else if (s->redundancy)
        text_clear(s->redundancy);
    message_free(&collected);
    return found;
}

/* If not all given values can stay: search with those of states as if they were fixed, then from
 * there without, so that notes tell which conditions were missing. If these values cannot all be
 * kept, all that are given change as little as possible. */
static dae_status search_states(const start_system *s, double t, double *z, initial_result *result,
                                message *m)
{
    start_system first = *s, then = *s;
    message unheard = {0};
    dae_status status = search(s, t, STAY, z, result, &unheard);
    if (is_final(status)) {
        message_move(m, &unheard);
        return status;
    }
    message_free(&unheard);
    double *guess = malloc((s->size + 1) * sizeof *guess);
    if (!guess) return message_status(m, DAE_NO_MEMORY);
    first.fixed = s->states;
    status = search(&first, t, TENTATIVE, z, result, &unheard);
    bool found = status == DAE_OK;
    if (found) memcpy(guess, z, s->size * sizeof *guess);
    if (found) then.guess = guess;
    if (is_final(status) && !found)
        message_move(m, &unheard);
    else
        status = search(&then, t, ALL, z, result, m);
    message_free(&unheard);
    free(guess);
    return status;
}

static dae_status search_whole(const start_system *s, double t, double *z, initial_result *result,
                               message *m)
{
    if (s->held && search_held(s, t, z, result, m)) return DAE_OK;
    return s->states ? search_states(s, t, z, result, m) : search(s, t, ALL, z, result, m);
}

/* The search in a system of several parts. What succeeds at the first attempt is found for many
 * parts together, for that is as good as by themselves; all else is sought part by part. */

/* As what z is the start of a part. */
typedef enum as {
    NOT_YET,
    WITH_HELD,
    WITH_STATES, /* fixed, so that it is the guess of the last search */
    AS_GIVEN
} as;

typedef struct divided {
    start_parts parts;
    const start_system *s;
    double t;
    double *z, *guess; /* size: found; from which it was found last */
    as *found;         /* parts */
    bool *fixed;       /* size: as which z was found */
    size_t *list;      /* parts: room */
    size_t iterations, failures;
    message *m; /* notes, ... */
    message failure;
    dae_status status; /* ... and what ends all of the search */
} divided;

/* How the start of parts is sought. */
typedef struct stage {
    start_system system;
    effort most;
    as found; /* what success means */
} stage;

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
        dae_status status = try_start(r, g->most, &result, &collected);
        if (status == DAE_OK) {
            take_view(d, g, v, r, &part, 1);
            text_add(&d->m->notes, text_string(&collected.notes));
        } else if (is_final(status)) {
            d->status = status;
        } else if (g->most == ALL) {
            fail_search(&collected, status);
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
    const start_system *s = d->s;
    bool free = g->found == WITH_HELD || g->most == ALL;
    for (size_t k = d->parts.first_entry[part]; k < d->parts.first_entry[part + 1]; k++) {
        size_t j = d->parts.entry[k];
        free = free || (s->states[j] && !s->fixed[j]);
    }
    return free;
}

/* A stage for all parts that are not found yet. */
static void run_stage(divided *d, const stage *g)
{
    size_t count = 0;
    for (size_t k = 0; k < d->parts.count; k++)
        if (d->found[k] == NOT_YET && is_in_stage(d, g, k)) d->list[count++] = k;
    search_parts(d, g, d->list, count, true);
}

/* As search_states() does. */
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
    held.system.fixed = s->held;
    if (s->guessed) held.system.given = s->guessed;
    if (s->held) run_stage(d, &held);
    states.system.fixed = s->states;
    if (s->states) {
        run_stage(d, &stay);
        run_stage(d, &states);
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
    dae_status status = reduced_start_create(&r, &whole, d->t, whole.rows, false);
    if (status == DAE_OK) {
        reduced_start_go_to(r, d->z);
        status = gauss_newton_look(r->solver, r->x, r->weight);
    }
    if (status == DAE_OK && min_norm_knows_rank(r->solver->linear))
        status = conditions_note(r, &collected, result);
    if (status == DAE_OK) result->residual = reduced_start_violation(r);
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
    return status == DAE_OK ? DAE_OK : fail_search(d->m, status);
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

dae_status initial_consistent(const start_system *s, double t, double *z, initial_result *result,
                              message *m)
{
    divided d = {.s = s, .t = t, .m = m};
    dae_status status = start_parts_find(&d.parts, s);
    if (status != DAE_OK)
        status = fail_search(m, status);
    else if (d.parts.count < 2)
        status = search_whole(s, t, z, result, m);
    else
        status = search_divided(&d, z, result);
    start_parts_free(&d.parts);
    return status;
}
