#include "solve/judge.h"

/* The most retreats of a run. From each point, the methods are tried in turn. */
enum { MOST_BACKS = 5 };

void retreat_carve(retreat *r, size_t n, workspace *space)
{
    for (size_t k = 0; k < RETREAT_POINTS; k++) engine_point_carve(&r->point[k], n, space);
}

void retreat_keep(retreat *r, const engine *e, size_t formulation_number)
{
    size_t at = r->count++ % RETREAT_POINTS;
    r->formulation_number[at] = formulation_number;
    engine_point_keep(&r->point[at], e);
}

bool retreat_go_back(retreat *r, engine *e, size_t formulation_number)
{
    size_t first = r->count > RETREAT_POINTS ? r->count - RETREAT_POINTS : 0;
    while (first < r->count && r->formulation_number[first % RETREAT_POINTS] != formulation_number)
        first++;
    if (first == r->count || r->backs == MOST_BACKS) return false;
    const engine_point *p = &r->point[first % RETREAT_POINTS];
    if (p->t == e->t) return false;
    r->backs++;
    r->count = 0;
    engine_start(e, p->t, p->y, p->yp);
    return true;
}
