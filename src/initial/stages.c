#include "initial/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool divided_has_free_states(const divided *d, size_t part)
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
        const bool *of = divided_has_free_states(d, k) ? s->states : s->given;
        for (size_t i = d->parts.first_entry[k]; i < d->parts.first_entry[k + 1]; i++)
            leading[d->parts.entry[i]] = of[d->parts.entry[i]];
    }
    d->leading = leading;
}

void divided_build(void *self)
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

void divided_search_alone(divided *d, const stage *g, size_t part)
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

/* Moves those that are bad after the others; returns how many are not. */
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
        divided_search_alone(d, g, *part);
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
        for (size_t k = good; k < count && g->most != STAY; k++)
            divided_search_alone(d, g, part[k]);
}

static bool is_in_stage(const divided *d, const stage *g, size_t part)
{
    return g->found == WITH_HELD || g->most == ALL || !d->s->states ||
           divided_has_free_states(d, part);
}

void divided_run_stage(divided *d, const stage *g)
{
    size_t count = 0;
    for (size_t k = 0; k < d->parts.count; k++)
        if (d->found[k] == NOT_YET && is_in_stage(d, g, k)) d->list[count++] = k;
    search_parts(d, g, d->list, count, true);
}
