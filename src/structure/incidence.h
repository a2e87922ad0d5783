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

/* The incidence of `rows` expressions. column_of[id] is the column of an unknown, or INCIDENCE_NONE
 * for one that counts as known. Only under the protection of the graph's arena, where it lives. */
incidence *structure_incidence(sym_graph *g, size_t rows, const sym *residual, size_t columns,
                               const uint32_t *column_of);

#endif
