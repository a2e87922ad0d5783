/* Finds what equations no longer determine at a point, within rounding: for messages. */
#ifndef PROJECTION_UNDETERMINED_H
#define PROJECTION_UNDETERMINED_H

#include "problem/levels.h"

/* Append "the equations no longer determine va and vb there, by ..." if the last level's Jacobian
 * at z, each row relative to its largest term there, is singular up to round-off. False: it is not,
 * or that is not known. Equations of more than some hundred unknowns are not analysed. */
bool levels_report_undetermined(const constraint_levels *l, double t, const double *z,
                                text *reported);

/* Whether an equation of the last level contains none of its unknowns at z, exactly and not only up
 * to rounding. */
bool levels_lose_row(const constraint_levels *l, double t, const double *z);

#endif
