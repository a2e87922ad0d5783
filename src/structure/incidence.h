/* Which unknown occurs in which equation, and how often differentiated. */
#ifndef STRUCTURE_INCIDENCE_H
#define STRUCTURE_INCIDENCE_H

#include "symbolic/node.h"

#include <stddef.h>
#include <stdint.h>

#define INCIDENCE_NONE UINT32_MAX

typedef struct incidence {
    size_t rows, columns;
    size_t *start;    /* rows + 1: where each row begins */
    uint32_t *column; /* ascending within a row */
    uint32_t *order;  /* the highest derivative of that unknown in that equation: Pryce's sigma */
} incidence;

/* The incidence of `rows` expressions. column_of[id] is the column of an unknown; INCIDENCE_NONE:
 * it counts as known. The result lives in the graph's arena; only under its protection. */
incidence *structure_incidence(sym_graph *g, size_t rows, const sym *residual, size_t columns,
                               const uint32_t *column_of);

#endif
