/* What the structure of a system tells before any number is known. */
#ifndef STRUCTURE_STRUCTURE_H
#define STRUCTURE_STRUCTURE_H

#include "base/message.h"
#include "structure/blocks.h"
#include "structure/signature.h"
#include "symbolic/system.h"

typedef struct structure {
    incidence *in;  /* of the equations as written */
    signature *s;   /* theirs: structural index, degrees of freedom */
    blocks *blocks; /* of their system Jacobian */
} structure;

/* Analyse a system: as many equations as unknowns, and one for each. In the system's arena, under
 * its protection; NULL after a failure, which is DAE_STRUCTURE with a message that lists equations
 * and unknowns and says which over-determine which, and what nothing determines. */
structure *structure_analyze(const sym_system *system, message *m);

/* A copy in another arena, under its protection: for a copy of the system. */
structure *structure_copy(arena *a, const structure *from);

#endif
