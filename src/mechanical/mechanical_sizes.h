/* Sizes of velocities in which the constraints of a mechanism can be told apart.
 *
 * Whether rows of G depend on others is judged in units of typical sizes. Where these are far from
 * the sizes that velocities have, as where one is left in metres and others in units of 1e-12 of
 * them, independent rows look parallel. The mass knows better: velocities of the sizes
 * 1 / sqrt(M_jj) have equal energies in whatever units they are written (E. Eich-Soellner &
 * C. Fuehrer, Numerical Methods in Multibody Dynamics, 1998, Sec. 2.3, take M as that metric). */
#ifndef MECHANICAL_SIZES_H
#define MECHANICAL_SIZES_H

#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>

/* M and G at a point, with the sizes of velocities (nv, > 0) that are given. */
typedef struct mechanical_sizing {
    const sparse_pattern *mass, *gradient;
    const double *mass_value, *gradient_value;
    const double *size;
} mechanical_sizing;

/* *better: whether more rows of G are independent, or are far more so, in units of the sizes times
 * factor (nv), which follow from the mass. Not looked at in systems that are very large.
 * DAE_NO_MEMORY. */
dae_status mechanical_better_sizes(const mechanical_sizing *s, double *factor, bool *better);

#endif
