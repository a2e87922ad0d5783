/* Eigenvalues of a reduced linear system, and their motions. */
#ifndef ANALYSIS_MODES_H
#define ANALYSIS_MODES_H

#include "analysis/descriptor.h"

#include <daedal/linearize.h>

/* The modes of x' = a x, y = t x (r->states). In `memory`, under its protection. NULL: the QR
 * iteration did not converge. */
const dae_mode *modes_find(arena *memory, const descriptor *d, const reduction *r);

/* The largest distance of an eigenvalue from the nearest one of the pencil (E, A) by the QZ
 * algorithm, relative to its size; NAN for pencils too large for it, and where it fails. */
double modes_cross_check(arena *memory, const descriptor *d, size_t states, const dae_mode *mode);

#endif
