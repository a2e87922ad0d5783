/* Detects a point at which solutions cross.
 *
 * The determinant of a block of the system Jacobian is not 0 where the equations determine the
 * block's unknowns. Where it changes its sign through 0 over a step, other solutions may meet the
 * one that is followed: x^2 = (1 - t)^2 has x = 1 - t and x = t - 1. Steps much longer than the
 * neighbourhood of such a point continue along the smooth continuation. They do so even where
 * solutions only come close to each other, as those of x^2 = (1 - t)^2 + 1e-6. So a step that
 * passes such a point is repeated with shorter and shorter lengths. Where solutions only come
 * close, the run then stays on its own side. Where they meet, no step is short enough. Then the
 * first of these steps is taken as it was, and a note says so. */
#ifndef SOLVE_CROSSING_H
#define SOLVE_CROSSING_H

#include "base/workspace.h"
#include "solve/judge.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

typedef enum crossing_place {
    CROSSING_AWAY,   /* far from any known point */
    CROSSING_NEAR,   /* near a point that shorter steps are to avoid */
    CROSSING_PASSING /* passing a point, because no step is short enough */
} crossing_place;

typedef struct crossing {
    workspace space;
    size_t n, count;       /* unknowns; blocks (0: nothing is examined) */
    double *before, *most; /* count: the last value that was not 0, the largest so far */
    double *most_t;        /* count: the time of the largest */
    double *slope;         /* count: slope over the last step */
    double *here, *within; /* count: at the end of the step, at a point within */
    double *y, *yp;        /* n each: of the engine, within a step */
    bool found;            /* the last step passes such a point, */
    size_t which;          /* of block `which`, */
    double t;              /* at time t */
    bool reported;         /* the user was told; once is enough */

    crossing_place place; /* applies while steps begin before `until` */
    double length, until; /* of the first step that passed: its length; its start plus twice that */
    double left;          /* the determinant at the start of that step */
    int attempts;         /* repetitions of the step so far */
    dense_output step;    /* the first step that passed; its coefficients are owned */
    bool holds;           /* the run can continue from the end of that step */
    size_t room;          /* capacity for coefficients */
    double end_t;         /* the end of that step */
    double *end, *endp;   /* n each: y and y' at that end */
} crossing;

/* Begins at the engine's state. DAE_NO_MEMORY. */
dae_status crossing_begin(crossing *x, simulation *c, const engine *e);

/* After a step that `j` has judged and whose end has been projected. Sets x->found, x->which and
 * x->t where the step passes such a point. Returns whether the step may have gone over to another
 * solution there, as seen at its end or at one of the judged points within it. */
bool crossing_look(crossing *x, simulation *c, engine *e, const judge *j);

/* Whether a step that passes such a point is to be undone and repeated with a shorter length.
 * `holds`: the run could continue from its end. */
bool crossing_makes_again(crossing *x, engine *e, const judge *j, bool holds);

/* Where no step is short enough, the engine takes the first step that passed after all. False where
 * its unknowns have changed since. */
bool crossing_takes_first(crossing *x, simulation *c, engine *e);

/* Keeps the determinants of an accepted step. */
void crossing_keep(crossing *x, const engine *e);

/* Another engine continues. */
void crossing_forget(crossing *x);

void crossing_free(crossing *x);

#endif
