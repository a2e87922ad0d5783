#include "problem/equations.h"

#include <string.h>

size_t author_matrix_length(const dae_pattern *p, size_t rows, size_t columns)
{
    switch (p->layout) {
    case DAE_BANDED: return columns * (p->lower + p->upper + 1);
    case DAE_SPARSE: return p->start[columns];
    default: return rows * columns;
    }
}

const char *const *author_copy_names(arena *a, const char *const *from, size_t count)
{
    if (!from) return NULL;
    const char **copy = arena_array(a, count, sizeof *copy);
    for (size_t i = 0; i < count; i++) copy[i] = arena_copy(a, from[i], strlen(from[i]));
    return copy;
}

void author_copy_pattern(arena *a, dae_pattern *p, size_t columns)
{
    if (p->layout != DAE_SPARSE) return;
    p->row = arena_duplicate(a, p->row, p->start[columns], sizeof *p->row);
    p->start = arena_duplicate(a, p->start, columns + 1, sizeof *p->start);
}

void author_copy_about(arena *a, dae_about *about, size_t n)
{
    if (about->name) about->name = arena_copy(a, about->name, strlen(about->name));
    about->variable = author_copy_names(a, about->variable, n);
    about->equation = author_copy_names(a, about->equation, n);
    about->index = arena_duplicate(a, about->index, n, sizeof *about->index);
    about->nominal = arena_duplicate(a, about->nominal, n, sizeof *about->nominal);
    about->root_direction = arena_duplicate(a, about->root_direction, about->roots,
                                            sizeof *about->root_direction);
    about->root_name = author_copy_names(a, about->root_name, about->roots);
}

/* The place in the author's array: of the entry in row i for dense and banded layouts, of the i-th
 * listed entry for sparse ones. */
author_matrix author_matrix_read(arena *a, const dae_pattern *p, size_t rows, size_t columns)
{
    sparse_pattern *all = arena_take(a, sizeof *all);
    size_t most = author_matrix_length(p, rows, columns), next = 0; /* a band has places outside */
    size_t *place = arena_array(a, most, sizeof *place);
    all->rows = rows;
    all->columns = columns;
    all->start = arena_array(a, columns + 1, sizeof *all->start);
    all->row = arena_array(a, most, sizeof *all->row);
    for (size_t j = 0; j < columns; j++) {
        bool sparse = p->layout == DAE_SPARSE, banded = p->layout == DAE_BANDED;
        bool ends = banded && j < rows && p->lower < rows - j; /* above the last row */
        size_t from = sparse ? p->start[j] : banded && j > p->upper ? j - p->upper : 0;
        size_t end = sparse ? p->start[j + 1] : ends ? j + p->lower + 1 : rows;
        for (size_t i = from; i < end; i++) {
            all->row[next] = (sparse_index)(sparse ? p->row[i] : i);
            place[next++] = sparse   ? i
                            : banded ? j * (p->lower + p->upper + 1) + p->upper + i - j
                                     : j * rows + i;
        }
        all->start[j + 1] = (sparse_index)next;
    }
    all->nonzeros = next;
    return (author_matrix){all, place, most, p->layout == DAE_DENSE};
}

dae_pattern author_pattern_of(arena *a, const sparse_pattern *p)
{
    size_t *start = arena_array(a, p->columns + 1, sizeof *start);
    size_t *row = arena_array(a, p->nonzeros, sizeof *row);
    for (size_t j = 0; j <= p->columns; j++) start[j] = (size_t)p->start[j];
    for (size_t k = 0; k < p->nonzeros; k++) row[k] = (size_t)p->row[k];
    return (dae_pattern){.layout = DAE_SPARSE, .start = start, .row = row};
}

author_matrix author_matrix_constant(arena *a, const dae_pattern *p, size_t rows, size_t columns,
                                     const double *from, const double **value)
{
    author_matrix all = author_matrix_read(a, p, rows, columns);
    size_t *place, nonzeros = all.pattern->nonzeros;
    bool *kept = arena_array(a, nonzeros, sizeof *kept);
    for (size_t k = 0; k < nonzeros; k++) kept[k] = from[all.place[k]] != 0;
    const sparse_pattern *part = sparse_part(a, all.pattern, kept, &place);
    double *held = arena_array(a, part->nonzeros, sizeof *held);
    for (size_t k = 0; k < part->nonzeros; k++) {
        place[k] = all.place[place[k]];
        held[k] = from[place[k]];
    }
    *value = held;
    return (author_matrix){part, place, all.length, false};
}

author_matrix author_matrix_identity(arena *a, size_t n, size_t ones, const double **value)
{
    size_t *start = arena_array(a, n + 1, sizeof *start), *row = arena_array(a, n, sizeof *row);
    double *one = arena_array(a, n, sizeof *one);
    for (size_t j = 0; j < n; j++) {
        row[j] = j;
        one[j] = 1;
        start[j + 1] = j < ones ? j + 1 : ones;
    }
    const dae_pattern p = {.layout = DAE_SPARSE, .start = start, .row = row};
    return author_matrix_constant(a, &p, n, n, one, value);
}
