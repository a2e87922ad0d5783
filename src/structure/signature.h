/* Pryce's signature method: how often each equation has to be differentiated.
 *
 * J. D. Pryce, A simple structural analysis method for DAEs, BIT 41 (2001). The offsets c
 * (equations) and d (unknowns) satisfy d_j - c_i >= sigma_ij, with equality along a transversal.
 * They are the smallest solution of the dual of an assignment problem. The Hungarian method finds
 * them from c = 0; its steps are those of C. C. Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988). */
#ifndef STRUCTURE_SIGNATURE_H
#define STRUCTURE_SIGNATURE_H

#include "symbolic/node.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which unknown occurs in which equation, and how often differentiated. */

#define INCIDENCE_NONE UINT32_MAX

typedef struct incidence {
    size_t rows, columns;
    size_t *start;    /* rows + 1: where each row begins */
    uint32_t *column; /* ascending within a row */
    uint32_t *order;  /* the highest derivative of that unknown in that equation: Pryce's sigma */
} incidence;

/* The incidence of `rows` expressions. column_of[id] is the column of an unknown; INCIDENCE_NONE,
 * or none of the columns: it counts as known. The result lives in the graph's arena; only under its
 * protection. */
incidence *structure_incidence(sym_graph *g, size_t rows, const sym *residual, size_t columns,
                               const uint32_t *column_of);

typedef struct signature {
    bool regular;    /* false: no assignment of unknowns to equations exists; the rest is empty */
    uint32_t *c;     /* rows: how often each equation is differentiated */
    uint32_t *d;     /* columns: the highest derivative of each unknown that then occurs */
    uint32_t *match; /* rows: the column assigned to each */
    size_t index;    /* structural index: max c, plus one if some d is 0 */
    size_t freedom;  /* degrees of freedom: sum d - sum c */
    size_t differentiations; /* sum c */
    size_t looked;           /* entries at which the search for an assignment has looked */
} signature;

/* The offsets of a square incidence. lowest (columns, or NULL): d_j is at least lowest[j], for
 * derivatives that are needed outside the equations. All in `a`, under its protection. */
signature *structure_signature(arena *a, const incidence *in, const uint32_t *lowest);

/* Solves equations whose pieces are each linear in one variable, such as 0 = if c then y - 2 else y
 * + 1. */

/* The solution of f = 0 for the variable v, piece by piece, such as if c then 2 else -1. SYM_NONE
 * if a condition depends on v, or if a piece is not linear in v with a number as its slope. In the
 * graph's arena, under its protection. */
sym structure_solve_pieces(sym_graph *g, sym f, uint32_t v);

#endif
