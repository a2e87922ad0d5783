/* Whether a run passes a point at which solutions cross.
 *
 * The determinant of a block of the system Jacobian is not 0 where the equations determine its
 * unknowns. Where it changes its sign over a step, through 0, other solutions may meet the one that
 * is followed: x^2 = (1 - t)^2 has x = 1 - t and x = t - 1. Steps that are much longer than the
 * surroundings of such a point go on along the smooth continuation, also where solutions do not
 * meet but come close to each other, as those of x^2 = (1 - t)^2 + 1e-6. So a step that passes such
 * a point is made again, shorter and shorter: what only comes close is followed on its own side.
 * Where solutions meet no step is short enough. Then the first of these steps is taken as it was,
 * and a note says so. */
#ifndef SOLVE_CROSSING_H
#define SOLVE_CROSSING_H

#include "base/workspace.h"
#include "solve/judge.h"
#include "solve/simulation.h"
#include "stepping/engine.h"

typedef enum crossing_place {
    CROSSING_AWAY,   /* from any such point that is known */
    CROSSING_NEAR,   /* one, which shorter steps are to pass by */
    CROSSING_PASSING /* it, as no step is short enough */
} crossing_place;

typedef struct crossing {
    workspace space;
    size_t n, count;       /* unknowns; blocks, 0: nothing is looked at */
    double *before, *most; /* count: the last that was not 0, the largest so far */
    double *most_t;        /* count: when that was */
    double *slope;         /* count: over the last step */
    double *here, *within; /* count: where the step ended, at a point within */
    double *y, *yp;        /* n each: of the engine */
    bool found;            /* the last step passes such a point: */
    size_t which;          /* of this block, */
    double t;              /* then */
    bool reported;         /* once is enough */

    crossing_place place; /* while steps begin before `until` */
    double length, until; /* of the first step that passed; its start and twice its length */
    double left;          /* of the determinant where it began */
    int attempts;         /* to pass by */
    dense_output step;    /* that step; its coefficients are owned */
    bool holds;           /* the run can continue from its end */
    size_t room;          /* numbers that these have room for */
    double end_t;         /* where it ended, ... */
    double *end, *endp;   /* ... n each: y and y' there */
} crossing;

/* At the engine's state. DAE_NO_MEMORY. */
dae_status crossing_begin(crossing *x, simulation *c, const engine *e);

/* After a step that `j` has judged, and whose end has been brought back to the constraints: whether
 * it passes such a point (x->found, x->which, x->t), and may have gone over there, which shows at
 * its end or at one of the points within that are judged. */
bool crossing_look(crossing *x, simulation *c, engine *e, const judge *j);

/* Whether a step that does is to be undone for a shorter one; `holds`: the run could continue from
 * its end. */
bool crossing_makes_again(crossing *x, engine *e, const judge *j, bool holds);

/* Where no step is short enough: whether the engine has taken the first that passed after all.
 * False where its unknowns are no longer those. */
bool crossing_takes_first(crossing *x, simulation *c, engine *e);

/* The step stands. */
void crossing_keep(crossing *x, const engine *e);

/* Another engine goes on. */
void crossing_forget(crossing *x);

void crossing_free(crossing *x);

#endif
