/* A jump is followed along a way, over x from 0 to 1: by the classical method of Runge and Kutta in
 * so many parts that twice as many lead to the same end. */
#ifndef EVENT_IMPULSE_WAY_H
#define EVENT_IMPULSE_WAY_H

#include "base/arena.h"
#include "problem/levels.h"

typedef struct impulse_way {
    const constraint_levels *levels;
    const double *from; /* levels->size: the state before the jump */
    size_t size, at;    /* of what moves, and where the state stands in it */
    /* The derivative at x. It may complete what it finds at `moved`. */
    dae_status (*slope)(void *self, double x, double *moved, double *slope);
    void *self;
    bool constant;    /* equations have had one Jacobian so far: the ends of all ways are one */
    int fewest, most; /* parts */
    double exact;     /* the part of the jump by which twice as many may change it */
    double *begin, *end, *coarse, *point, *k[4]; /* size each */
} impulse_way;

/* The arrays; call it for measuring, and once more when the space is allocated. */
void impulse_way_carve(impulse_way *w, workspace *space);

/* From w->begin to w->end. *found: it ends there; w->coarse is then the end by half as many parts.
 */
dae_status impulse_way_follow(impulse_way *w, bool *found);

/* Whether two states (levels->size) differ by no more than a part of the jump that leads there. */
bool impulse_way_alike(const impulse_way *w, const double *a, const double *b, double part);

#endif
