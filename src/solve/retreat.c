#include "solve/retreat.h"

#include <string.h>

/* The most retreats of a run. From each point, the methods are tried in turn. */
enum { MOST_BACKS = 5 };

static void carve(retreat *r)
{
    r->y = workspace_doubles(&r->space, RETREAT_POINTS * r->n);
    r->yp = workspace_doubles(&r->space, RETREAT_POINTS * r->n);
}

dae_status retreat_begin(retreat *r, size_t n)
{
    retreat_free(r);
    *r = (retreat){.n = n};
    carve(r);
    dae_status status = workspace_allocate(&r->space);
    if (status == DAE_OK) carve(r);
    return status;
}

void retreat_keep(retreat *r, const engine *e, size_t formulation_number)
{
    size_t at = r->count++ % RETREAT_POINTS, bytes = r->n * sizeof *r->y;
    r->t[at] = e->t;
    r->formulation_number[at] = formulation_number;
    memcpy(r->y + at * r->n, e->y, bytes);
    memcpy(r->yp + at * r->n, e->yp, bytes);
}

bool retreat_go_back(retreat *r, engine *e, size_t formulation_number)
{
    size_t first = r->count > RETREAT_POINTS ? r->count - RETREAT_POINTS : 0;
    while (first < r->count && r->formulation_number[first % RETREAT_POINTS] != formulation_number)
        first++;
    if (first == r->count || r->backs == MOST_BACKS) return false;
    size_t at = first % RETREAT_POINTS;
    if (r->t[at] == e->t) return false;
    r->backs++;
    r->count = 0;
    engine_start(e, r->t[at], r->y + at * r->n, r->yp + at * r->n);
    return true;
}

void retreat_free(retreat *r)
{
    workspace_free(&r->space);
}
