/* The search for modes of each part of a model by itself.
 *
 * All modes of k relations are 2^k; of parts that nothing links, their numbers add up instead. So
 * each part is searched while the others keep their modes: those before the event, in which their
 * equations have a solution, or those that have been found for them. */
#include "event/search_parts.h"

#include <stdlib.h>
#include <string.h>

/* What the searches begin with, and what they have found so far. */
typedef struct parts {
    unsigned char *first, *found; /* relations */
    bool *disputed;               /* parts */
    size_t count;                 /* of them */
} parts;

/* Whether relation k takes part in a search: it was crossed, or was turned at a visit. */
static bool is_disputed(const switching *s, size_t visits, size_t k)
{
    const relation_state *r = &s->modes->relation[k];
    bool turned = r->crossed;
    for (size_t i = 1; i < visits && !turned; i++)
        turned = s->visited[i * s->relations + k] != s->visited[k];
    return turned;
}

static void find_parts(const switching *s, size_t visits, parts *p)
{
    const switching_modes *m = s->modes;
    memset(p->disputed, 0, m->parts * sizeof *p->disputed);
    for (size_t k = 0; k < s->relations; k++) {
        size_t part = m->relation[k].part;
        if (part == SWITCHING_NO_PART || p->disputed[part]) continue;
        p->disputed[part] = is_disputed(s, visits, k);
        p->count += p->disputed[part];
    }
}

/* Goes back to the begin of the search, with modes that become its first visit. */
static void begin_with(settling *e, const unsigned char *is)
{
    memcpy(e->from_s->visited, is, e->from_s->relations);
    search_begin_again(e, 0, 0, NULL, 0);
}

/* The modes of the part that was searched, and of what belongs to all. */
static void take_found(const settling *e, parts *p)
{
    for (size_t k = 0; k < e->s->relations; k++)
        if (settling_seeks(e, k)) p->found[k] = e->s->modes->relation[k].is;
}

static dae_status search_part(settling *e, size_t part, parts *p)
{
    bool found;
    size_t visits;
    e->part = part + 1;
    e->begun = e->s->modes->attempts;
    begin_with(e, p->found);
    dae_status status = search_by_values(e, &visits, &found);
    if (status == DAE_OK && !found) status = search_all(e, visits);
    if (status == DAE_OK) take_found(e, p);
    e->part = SETTLING_ALL;
    return status;
}

/* All relations together, as where a relation of time has changed what several parts are. */
static dae_status search_together(settling *e, const parts *p)
{
    bool found;
    size_t visits;
    e->begun = e->s->modes->attempts;
    begin_with(e, p->first);
    dae_status status = search_by_values(e, &visits, &found);
    return status == DAE_OK && !found ? search_all(e, visits) : status;
}

/* Whether the equations have a solution in the modes with which the search has begun. */
static dae_status can_wait(settling *e, const parts *p, bool *can)
{
    bool stays;
    begin_with(e, p->first);
    dae_status status = search_solve(e, &stays);
    *can = status == DAE_OK && !e->s->modes->jumped;
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

/* Values in the modes of all parts. */
static dae_status join(settling *e, const parts *p, bool *found)
{
    begin_with(e, p->found);
    e->s->modes->lenient = e->leniently;
    dae_status status = settling_try_modes(e, found);
    e->s->modes->lenient = false;
    return status;
}

static dae_status search_each(settling *e, parts *p)
{
    const switching_modes *m = e->s->modes;
    bool can = false, found = false;
    dae_status status = can_wait(e, p, &can);
    e->leniently = false;
    for (size_t k = 0; k < m->parts && status == DAE_OK && can; k++)
        if (p->disputed[k]) status = search_part(e, k, p);
    if (status != DAE_OK && status != DAE_STOPPED && status != DAE_NO_MEMORY) {
        message none = message_take_failure(e->m);
        message_free(&none);
        status = DAE_OK;
        can = false;
    }
    if (status == DAE_OK && can) status = join(e, p, &found);
    if (status == DAE_OK && !found) status = search_together(e, p);
    memcpy(e->from_s->visited, p->first, m->relations);
    return status;
}

dae_status search_in_parts(settling *e, size_t visits)
{
    const switching_modes *m = e->s->modes;
    if (m->parts < 2) return search_all(e, visits);
    parts p = {.first = malloc(m->relations + 1),
               .found = malloc(m->relations + 1),
               .disputed = malloc((m->parts + 1) * sizeof *p.disputed)};
    dae_status status = p.first && p.found && p.disputed ? DAE_OK : DAE_NO_MEMORY;
    if (status == DAE_OK) {
        find_parts(e->from_s, visits, &p);
        memcpy(p.first, e->from_s->visited, m->relations);
        memcpy(p.found, p.first, m->relations);
        status = p.count < 2 ? search_all(e, visits) : search_each(e, &p);
    }
    free(p.first);
    free(p.found);
    free(p.disputed);
    return status;
}
