/* Coordinate projection: bring a state back to the constraints, level by level.
 *
 * Each level is met by the shortest change of its own entries, relative to max(|z_j|, nominal_j),
 * with the lower ones held; the last level, which is square, gives highest derivatives and
 * algebraic variables. Simplified Newton with the Jacobian of the starting point, renewed where it
 * converges slowly. Hairer & Wanner II, Sec. VII.2; Ascher & Petzold (1998), Sec. 10.3. */
#ifndef PROJECTION_COORDINATE_H
#define PROJECTION_COORDINATE_H

#include "problem/levels.h"

typedef struct projection projection;

/* A projection onto these levels (borrowed). DAE_NO_MEMORY, DAE_SINGULAR. */
dae_status projection_create(projection **created, const constraint_levels *levels);

/* Meet the levels from 0 to `count` - 1: all, or all but the last. z (levels->size) is changed in
 * place; on failure it is as it was: DAE_CONSTRAINT where the iteration does not converge,
 * DAE_NOT_EVALUABLE, DAE_SINGULAR. projection_trouble() then tells where. */
dae_status projection_meet(projection *p, double t, double *z, size_t count);

/* The level and the row with the largest residual of the last failure. */
void projection_trouble(const projection *p, size_t *level, size_t *row);

void projection_free(projection *p); /* NULL is fine */

#endif
