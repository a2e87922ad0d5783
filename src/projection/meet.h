/* One constraint level met by Newton's iteration: see nonlinear/corrections.h. The factors at hand
 * serve as long as corrections shrink fast. */
#ifndef PROJECTION_MEET_H
#define PROJECTION_MEET_H

#include "base/workspace.h"
#include "projection/directions.h"

/* Corrections up to so many times what rounding was seen to make are round-off as well. */
#define MEETING_MARGIN 10

/* Nothing larger counts as round-off, however little the equations determine there: of what is
 * integrated, and of a square last level's derivatives and algebraic variables, which at late times
 * and beside stiff directions are known to few digits. */
#define MEETING_LARGEST_ROUND_OFF 1e-5
#define MEETING_LARGEST_OF_LAST   1e-2

typedef struct meeting {
    directions *d; /* borrowed: the levels, and the ways to them */
    size_t
        failed; /* the level at which it was last; as many as there are while a Jacobian is had */
    double *from, *base, *step;    /* levels->size each */
    double *rounded;               /* levels->size */
    double *exact, *above, *terms; /* rows of the largest level */
    size_t level;                  /* what is being met, and where */
    double t, *z;
} meeting;

/* Arrays for levels of this size and so many rows at most, out of a workspace. */
void meeting_carve(meeting *m, workspace *space, size_t size, size_t rows);

/* The residual of level k, into d->work[k].residual. */
dae_status meeting_look(meeting *m, size_t k, double t, const double *z);

/* How far level k, all of whose entries are those of z, is missed by the residual looked at last
 * and the Jacobian that was factored, and where most: see problem/miss.h. */
double meeting_missed(meeting *m, size_t k, const double *z, size_t *row);

/* Bring z (levels->size), whose Jacobians were linearised nearby, to level k. DAE_CONSTRAINT where
 * that does not converge, DAE_SINGULAR, or the statuses of the levels; z is then overwritten. */
dae_status meeting_level(meeting *m, size_t k, double t, double *z);

/* The same from where that does not arrive, with damping, in so many corrections at most: from
 * above an exponential each makes one unit of its argument. */
dae_status meeting_from_afar(meeting *m, size_t k, double t, double *z, int most);

#endif
