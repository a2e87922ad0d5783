/* Modes in which no start is worth a search.
 *
 * In a mode whose relations select numbers, such as the conductance of an ideal diode, entries of
 * the system Jacobian are numbers. Rows of numbers that depend on each other do so wherever one
 * looks, and the structure misleads there whatever the start: as that of inductors whose currents
 * sum to 0, because nothing but diodes with resistances links a bridge to the ground. One
 * decomposition tells. */
#include "formulation/prolonged_levels.h"
#include "solve/start_modes.h"
#include "structure/local_index.h"

#include <stdlib.h>

/* Up to so many rows plus columns are looked at where they are no square matrix. */
enum { LARGEST_PART = 600 };

typedef struct part {
    const sym_matrix *whole;
    arena memory;
    sparse_pattern *pattern; /* the rows of numbers */
    double *value;
} part;

static void take_numbers(void *self)
{
    part *p = self;
    arena *a = &p->memory;
    const sparse_pattern *w = p->whole->pattern;
    bool *varies = arena_array(a, w->rows, sizeof *varies);
    size_t *row = arena_array(a, w->rows, sizeof *row), rows = 0;
    uint32_t *from;
    for (size_t k = 0; k < p->whole->varying; k++) varies[w->row[p->whole->place[k]]] = true;
    for (size_t i = 0; i < w->rows; i++)
        if (!varies[i]) row[i] = rows++;
    sparse_entries e = sparse_entries_take(a, w->nonzeros);
    for (size_t j = 0; j < w->columns; j++)
        for (sparse_index k = w->start[j]; k < w->start[j + 1]; k++)
            if (!varies[w->row[k]]) sparse_entries_add_from(&e, row[w->row[k]], j, (size_t)k);
    p->pattern = sparse_entries_build_from(a, &e, rows, w->columns, &from);
    p->value = arena_array(a, p->pattern->nonzeros, sizeof *p->value);
    for (size_t k = 0; k < p->pattern->nonzeros; k++) p->value[k] = p->whole->numbers[from[k]];
}

/* By the same rule as the Jacobian at a start, where all of it is numbers; some of its rows, whose
 * scales depend on the others, only beyond rounding. */
static dae_status find_rank(const part *p, local_rank *found)
{
    const sparse_pattern *n = p->pattern;
    bool all = n->rows == p->whole->pattern->rows;
    if (all) return structure_local_rank(n, p->value, found);
    if (n->rows == 0 || n->rows + n->columns > LARGEST_PART) return DAE_SINGULAR;
    return structure_local_rank_of_exact(n, p->value, found);
}

bool start_mode_is_singular(const model_simulation *m)
{
    part p = {.whole = m->formulation->levels->jacobian};
    local_rank rank = {.full = true};
    bool looked = arena_protect(&p.memory, take_numbers, &p) == DAE_OK &&
                  find_rank(&p, &rank) == DAE_OK;
    arena_free(&p.memory);
    return looked && !rank.full;
}
