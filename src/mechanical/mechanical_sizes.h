/* Sizes of velocities for judging whether constraints of a mechanism are independent.
 *
 * Whether rows of G depend on others is judged in units of typical sizes. If these differ much from
 * the actual sizes of velocities, independent rows look parallel. An example is one velocity in
 * metres and others in units of 1e-12 m. The mass gives better sizes: velocities of the sizes 1 /
 * sqrt(M_jj) have equal energies in any units (E. Eich-Soellner & C. Fuehrer, Numerical Methods in
 * Multibody Dynamics, 1998, Sec. 2.3, take M as that metric). */
#ifndef MECHANICAL_SIZES_H
#define MECHANICAL_SIZES_H

#include "linalg/sparse.h"

#include <daedal/status.h>
#include <stdbool.h>

/* M and G at a point, with the given sizes of velocities (nv, > 0). */
typedef struct mechanical_sizing {
    const sparse_pattern *mass, *gradient;
    const double *mass_value, *gradient_value;
    const double *size;
} mechanical_sizing;

/* Find factors (nv) from the mass. *better: whether, in units of sizes times factor, more rows of G
 * are independent or rows are far more clearly independent. Very large systems are not examined.
 * DAE_NO_MEMORY. */
dae_status mechanical_better_sizes(const mechanical_sizing *s, double *factor, bool *better);

#endif
