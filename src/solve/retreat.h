/* The last points of a run. Where no method can continue, the run goes back to one of them: an
 * accepted step may have passed the point up to which a method could. */
#ifndef SOLVE_RETREAT_H
#define SOLVE_RETREAT_H

#include "base/arena.h"
#include "stepping/engine.h"

enum { RETREAT_POINTS = 8 };

typedef struct retreat {
    size_t count; /* points kept since the last retreat */
    int backs;    /* how often the run went back */
    engine_point point[RETREAT_POINTS];
    size_t formulation_number[RETREAT_POINTS];
} retreat;

/* Room for points of n unknowns. */
void retreat_carve(retreat *r, size_t n, workspace *space);

/* Keeps the engine's state before a step in that formulation. */
void retreat_keep(retreat *r, const engine *e, size_t formulation_number);

/* Brings the engine to the earliest kept point in that formulation. False where there is none, or
 * where the run has gone back often enough. */
bool retreat_go_back(retreat *r, engine *e, size_t formulation_number);

#endif
