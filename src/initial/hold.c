/* The start of a system of which not all states can be held. */
#include "initial/stages.h"

#include <stdlib.h>
#include <string.h>

/* Entries are held round by round: what fails is released. Parts that nothing released has changed
 * keep their start. */
typedef struct holding {
    const start_system *s;
    start_system first; /* with what is held fixed */
    double t;
    double *z;      /* size: found */
    bool *held;     /* size */
    bool *released; /* size: in the last round */
    bool *met;      /* rows: of parts that were found in the last round */
} holding;

/* The search in one part. */
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

/* Releases the entries of a part that the author has not fixed; returns how many. */
static size_t release(holding *h, const start_parts *p, size_t part)
{
    size_t released = 0;
    for (size_t i = p->first_entry[part]; i < p->first_entry[part + 1]; i++) {
        size_t j = p->entry[i];
        if (!h->held[j] || h->s->fixed[j]) continue;
        h->held[j] = false;
        h->released[j] = true;
        released++;
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
static dae_status release_failed(holding *h, const divided *d, size_t *released)
{
    size_t more = 0;
    bool failed = false;
    for (size_t k = 0; k < d->parts.count; k++) {
        if (d->found[k] != NOT_YET) continue;
        more += release(h, &d->parts, k);
        failed = true;
    }
    if (failed && more == 0) return DAE_NO_START;
    *released = more;
    while (more > 0) {
        more = 0;
        for (size_t k = 0; k < d->parts.count; k++)
            if (is_bound_to_released(d, k, h->held)) more += release(h, &d->parts, k);
        *released += more;
    }
    return DAE_OK;
}

/* Whether a part is one of the last round, which was found there. */
static bool is_known(const holding *h, const start_parts *p, size_t part)
{
    for (size_t k = p->first_row[part]; k < p->first_row[part + 1]; k++)
        if (!h->met[p->row[k]]) return false;
    for (size_t k = p->first_entry[part]; k < p->first_entry[part + 1]; k++)
        if (h->released[p->entry[k]]) return false;
    return true;
}

/* Whether a part of which more has been released still has more rows than unknowns, so that it
 * fails again. Small ones are sought all the same: their rows may depend on each other. */
static bool stays_too_full(const holding *h, const start_parts *p, size_t part)
{
    enum { LARGEST_SOUGHT = 600 };
    size_t rows = p->first_row[part + 1] - p->first_row[part], unknowns = 0;
    bool grown = false;
    for (size_t k = p->first_entry[part]; k < p->first_entry[part + 1]; k++) {
        unknowns += !h->held[p->entry[k]];
        grown = grown || h->released[p->entry[k]];
    }
    return grown && rows > unknowns && rows + unknowns > LARGEST_SOUGHT;
}

/* Takes what is found without a search. aside: the parts that are put aside; returns how many. */
static size_t take_known(const holding *h, divided *d, size_t *aside)
{
    const start_parts *p = &d->parts;
    size_t count = 0;
    for (size_t k = 0; k < p->count; k++) {
        if (stays_too_full(h, p, k)) aside[count++] = k;
        if (!is_known(h, p, k)) continue;
        d->found[k] = AS_GIVEN;
        for (size_t i = p->first_entry[k]; i < p->first_entry[k + 1]; i++)
            d->z[p->entry[i]] = h->z[p->entry[i]];
    }
    memset(h->released, 0, h->s->size * sizeof *h->released);
    for (size_t k = 0; k < count; k++) d->found[aside[k]] = AS_GIVEN;
    return count;
}

static dae_status search_unknown(const holding *h, divided *d, const stage *g)
{
    size_t *aside = malloc((d->parts.count + 1) * sizeof *aside);
    if (!aside) return DAE_NO_MEMORY;
    size_t count = take_known(h, d, aside);
    divided_run_stage(d, g);
    for (size_t k = 0; k < count; k++) d->found[aside[k]] = NOT_YET;
    free(aside);
    return d->status;
}

static void keep_found(const holding *h, const divided *d)
{
    const start_parts *p = &d->parts;
    for (size_t k = 0; k < p->count; k++)
        for (size_t i = p->first_row[k]; i < p->first_row[k + 1]; i++)
            h->met[p->row[i]] = d->found[k] != NOT_YET;
    memcpy(h->z, d->z, h->s->size * sizeof *h->z);
}

/* Searches with entries held, in the parts that these leave. *released: how many are released
 * because parts fail; 0 and DAE_OK: z is found. */
static dae_status hold_once(holding *h, size_t *released)
{
    message unheard = {0};
    divided d = {.s = &h->first, .t = h->t, .m = &unheard};
    const stage g = {.system = h->first, .most = TENTATIVE, .found = AS_GIVEN};
    dae_status status = start_parts_find(&d.parts, &h->first, LINKED_BY_FREE);
    *released = 0;
    if (status == DAE_OK && d.parts.count < 2) {
        start_parts_free(&d.parts);
        return hold_all(&h->first, h->t, h->z);
    }
    if (status == DAE_OK) status = arena_protect(&d.parts.memory, divided_build, &d);
    if (status == DAE_OK) status = search_unknown(h, &d, &g);
    if (status == DAE_OK) keep_found(h, &d);
    if (status == DAE_OK) status = release_failed(h, &d, released);
    message_free(&unheard);
    start_parts_free(&d.parts);
    return status;
}

/* Holds what may be; returns how many entries that are not the author's fixed ones. */
static size_t hold_states(holding *h)
{
    const start_system *s = h->s;
    size_t left = 0;
    for (size_t j = 0; j < s->size; j++) {
        bool differentiated = s->variable[j] && s->differentiated && s->differentiated[j];
        h->held[j] = s->fixed[j] || s->states[j] || differentiated;
        left += h->held[j] && !s->fixed[j];
    }
    h->first = *s;
    h->first.fixed = h->held;
    h->first.states = h->first.held = NULL;
    h->first.nearest = NULL;
    h->first.taken = NULL;
    h->first.redundancy = NULL;
    h->first.of_parts = true;
    return left;
}

dae_status start_hold(const start_system *s, double t, double *z)
{
    enum { MOST_ROUNDS = 20 };
    bool *room = calloc(2 * s->size + s->rows + 1, sizeof *room);
    if (!room) return DAE_NO_MEMORY;
    holding h = {.s = s,
                 .t = t,
                 .z = z,
                 .held = room,
                 .released = room + s->size,
                 .met = room + 2 * s->size};
    size_t left = hold_states(&h), released = 1;
    dae_status status = DAE_OK;
    for (int round = 0; status == DAE_OK && released > 0; round++) {
        status = left > 0 && round < MOST_ROUNDS ? hold_once(&h, &released) : DAE_NO_START;
        left -= released;
    }
    free(room);
    return status;
}
