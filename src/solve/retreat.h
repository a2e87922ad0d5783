/* The last points of a run. Where no method can continue, the run goes back to one of them: an
 * accepted step may have passed the point up to which a method could. */
#ifndef SOLVE_RETREAT_H
#define SOLVE_RETREAT_H

#include "base/arena.h"
#include "stepping/engine.h"

enum { RETREAT_POINTS = 8 };

typedef struct retreat {
    workspace space;
    size_t n, count; /* unknowns; points kept since the last retreat */
    int backs;       /* how often the run went back */
    double t[RETREAT_POINTS];
    size_t formulation_number[RETREAT_POINTS];
    double *y, *yp; /* RETREAT_POINTS x n */
} retreat;

/* Allocates for problems of n unknowns, and forgets earlier points. DAE_NO_MEMORY. */
dae_status retreat_begin(retreat *r, size_t n);

/* Keeps the engine's state before a step in that formulation. */
void retreat_keep(retreat *r, const engine *e, size_t formulation_number);

/* Brings the engine to the earliest kept point in that formulation. False where there is none, or
 * where the run has gone back often enough. */
bool retreat_go_back(retreat *r, engine *e, size_t formulation_number);

void retreat_free(retreat *r);

#endif
