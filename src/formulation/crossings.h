/* Where relations switch: the crossing expression of each, left - right, as a function of the
 * unknowns of a prolongation. A root finder searches for its zeros, and a free relation follows its
 * sign. Neither depends on the mode of the relation itself. */
#ifndef FORMULATION_CROSSINGS_H
#define FORMULATION_CROSSINGS_H

#include "structure/prolongation.h"
#include "symbolic/relations.h"

typedef struct crossings {
    size_t count;   /* relations of the graph (relations.h), in their order */
    sym_tape *tape; /* both sides of each */
    double *work, *input, *side;
} crossings;

/* The crossing expressions of a system over the unknowns of `p`, which is a prolongation of `core`.
 * Lives in `a`, under its protection and that of the graph's arena. */
crossings *crossings_create(arena *a, const sym_system *system, const explicit_core *core,
                            const prolongation *p);

/* left - right of each relation (count) at z (p->size), which must hold the derivatives that
 * relations use. */
void crossings_value(crossings *c, double t, const double *z, double *value);

#endif
