#include "linalg/colouring.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a colour is free in all rows of a column; if so, the column takes it. */
static bool take_column(const sparse_pattern *p, size_t j, size_t colour, size_t *taken_by)
{
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
        if (taken_by[p->row[k]] == colour) return false;
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) taken_by[p->row[k]] = colour;
    return true;
}

colouring *colouring_create(arena *a, const sparse_pattern *p)
{
    colouring *c = arena_take(a, sizeof *c);
    size_t *first = arena_array(a, p->columns + 1, sizeof *first);
    size_t *column = arena_array(a, p->columns, sizeof *column);
    size_t *left = arena_array(a, p->columns, sizeof *left), lefts = p->columns, next = 0;
    size_t *taken_by = arena_array(a, p->rows, sizeof *taken_by);
    for (size_t i = 0; i < p->rows; i++) taken_by[i] = SIZE_MAX;
    for (size_t j = 0; j < p->columns; j++) left[j] = j;
    while (lefts > 0) {
        size_t kept = 0;
        for (size_t k = 0; k < lefts; k++) {
            if (take_column(p, left[k], c->colours, taken_by))
                column[next++] = left[k];
            else
                left[kept++] = left[k];
        }
        lefts = kept;
        first[++c->colours] = next;
    }
    c->first = first;
    c->column = column;
    return c;
}
