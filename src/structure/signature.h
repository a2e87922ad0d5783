/* Pryce's signature method: how often each equation has to be differentiated.
 *
 * J. D. Pryce, A simple structural analysis method for DAEs, BIT 41 (2001). The offsets c
 * (equations) and d (unknowns) satisfy d_j - c_i >= sigma_ij, with equality along a transversal.
 * They are the smallest solution of the dual of an assignment problem. The Hungarian method finds
 * them from c = 0; its steps are those of C. C. Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988). */
#ifndef STRUCTURE_SIGNATURE_H
#define STRUCTURE_SIGNATURE_H

#include "structure/incidence.h"

#include <stdbool.h>

typedef struct signature {
    bool regular;    /* false: no assignment of unknowns to equations exists; the rest is empty */
    uint32_t *c;     /* rows: how often each equation is differentiated */
    uint32_t *d;     /* columns: the highest derivative of each unknown that then occurs */
    uint32_t *match; /* rows: the column assigned to each */
    size_t index;    /* structural index: max c, plus one if some d is 0 */
    size_t freedom;  /* degrees of freedom: sum d - sum c */
} signature;

/* The offsets of a square incidence. lowest (columns, or NULL): d_j is at least lowest[j], for
 * derivatives that are needed outside the equations. All in `a`, under its protection. */
signature *structure_signature(arena *a, const incidence *in, const uint32_t *lowest);

#endif
