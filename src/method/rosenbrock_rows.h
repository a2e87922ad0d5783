/* Rosenbrock methods: the published numbers (rosenbrock.def) and what they mean. */
#ifndef METHOD_ROSENBROCK_ROWS_H
#define METHOD_ROSENBROCK_ROWS_H

#include "method/method.h"

/* Fills m, whose row gives the name: stages, a = (alpha_ij + gamma_ij), b, c = (alpha_i), the
 * embedded weights, and m->rosenbrock, which is allocated with malloc() and belongs to m. DAE_USAGE
 * for a name that is not in the table; DAE_NO_MEMORY. Steinebach 1995 and 2023; Hairer & Wanner,
 * Solving ODEs II, Sec. IV.7. */
dae_status method_fill_rosenbrock(method *m);

#endif
