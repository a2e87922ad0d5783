/* What the structure of a system tells before any number is known. */
#ifndef STRUCTURE_STRUCTURE_H
#define STRUCTURE_STRUCTURE_H

#include "base/message.h"
#include "structure/blocks.h"
#include "structure/signature.h"
#include "symbolic/system.h"

typedef struct structure {
    incidence *in;  /* of the equations as written */
    signature *s;   /* of the equations as written: structural index, degrees of freedom */
    blocks *blocks; /* of their system Jacobian */
} structure;

/* Analyse a system: whether there are as many equations as unknowns, and one equation for each
 * unknown. In the system's arena, under its protection. NULL after a failure, which is
 * DAE_STRUCTURE; its message lists equations and unknowns, says which equations over-determine
 * which unknowns, and what nothing determines. */
structure *structure_analyze(const sym_system *system, message *m);

/* A copy in another arena, under its protection: for a copy of the system. */
structure *structure_copy(arena *a, const structure *from);

#endif
