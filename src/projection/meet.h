/* Meets one constraint level by Newton's iteration: see nonlinear/corrections.h. The present
 * factors are used as long as corrections shrink fast. */
#ifndef PROJECTION_MEET_H
#define PROJECTION_MEET_H

#include "base/arena.h"
#include "projection/directions.h"

#define MEETING_MARGIN 10

/* Corrections this small, relative to the size of z, are round-off. So are corrections up to
 * MEETING_MARGIN times the observed effect of rounding. */

/* A larger correction never counts as round-off, however little the equations determine. The first
 * limit is for what is integrated. The second is for a square last level's derivatives and
 * algebraic variables, of which only few digits are known at late times and beside stiff
 * directions. */
#define MEETING_LARGEST_ROUND_OFF 1e-5
#define MEETING_LARGEST_OF_LAST   1e-2

typedef struct meeting {
    directions *d; /* borrowed: the levels, and the directions towards them */
    size_t
        failed; /* the level met last, for a failure; levels->count while a Jacobian is evaluated */
    double *from, *base, *step;    /* levels->size each */
    double *rounded;               /* levels->size */
    double *exact, *above, *terms; /* rows of the largest level */
    size_t level;                  /* the level that is being met, and the point */
    double t, *z;
    int count; /* corrections that this took */
} meeting;

/* Arrays for levels of this size and so many rows at most. In `a`, under its protection. */
void meeting_make(meeting *m, arena *a, size_t size, size_t rows);

/* The residual of level k, into d->work[k].residual. */
dae_status meeting_look(meeting *m, size_t k, double t, const double *z);

/* How far level k is missed, by the residual evaluated last and the Jacobian that was factored, and
 * the row missed most: see problem/levels.h. */
double meeting_missed(meeting *m, size_t k, const double *z, size_t *row);

/* Bring z (levels->size) to level k; the Jacobians were linearised nearby. DAE_CONSTRAINT if that
 * does not converge, DAE_SINGULAR, or the statuses of the levels. z is overwritten on failure
 * too. */
dae_status meeting_level(meeting *m, size_t k, double t, double *z);

/* The same with damping, for points from which meeting_level() does not converge, in at most `most`
 * corrections. From above an exponential, each correction advances one unit of its argument. */
dae_status meeting_from_afar(meeting *m, size_t k, double t, double *z, int most);

/* The same along Newton's flow, by short steps: of several solutions, to the one that it leads to.
 * DAE_CONSTRAINT where it leads to none, but to where the Jacobian is singular. */
dae_status meeting_by_flow(meeting *m, size_t k, double t, double *z);

#endif
