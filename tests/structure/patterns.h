/* Signature matrices of small systems, written down or scattered. */
#ifndef TESTS_STRUCTURE_PATTERNS_H
#define TESTS_STRUCTURE_PATTERNS_H

#include "base/unit.h"
#include "structure/signature.h"

#include <stdbool.h>

enum { MOST = 8, NO = -1 };

/* sigma[i][j]: the order in which unknown j occurs in equation i, NO where it does not. */
typedef struct sigma {
    size_t rows, columns;
    int order[MOST][MOST];
} sigma;

static inline incidence *incidence_of(arena *a, const sigma *s)
{
    incidence *in = arena_take(a, sizeof *in);
    in->rows = s->rows;
    in->columns = s->columns;
    in->start = arena_array(a, s->rows + 1, sizeof *in->start);
    in->column = arena_array(a, s->rows * s->columns, sizeof *in->column);
    in->order = arena_array(a, s->rows * s->columns, sizeof *in->order);
    for (size_t i = 0; i < s->rows; i++) {
        size_t next = in->start[i];
        for (size_t j = 0; j < s->columns; j++) {
            if (s->order[i][j] == NO) continue;
            in->column[next] = (uint32_t)j;
            in->order[next++] = (uint32_t)s->order[i][j];
        }
        in->start[i + 1] = next;
    }
    return in;
}

/* About `density` of all places, orders from 0 to `highest`. */
static inline sigma scattered_sigma(size_t rows, size_t columns, double density, size_t highest,
                                    uint64_t *state)
{
    sigma s = {.rows = rows, .columns = columns};
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            s.order[i][j] = scatter(state) < 2 * density - 1
                                ? (int)scatter_below(state, highest + 1)
                                : NO;
    return s;
}

#endif
