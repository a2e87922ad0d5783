#include "linalg/sparse.h"

#include <stdbool.h>
#include <string.h>

/* Stable counting sort of `order` (entries, or NULL for 0, 1, 2, ...) by key. */
static void sort_by(arena *a, size_t keys, size_t entries, const size_t *key, const size_t *order,
                    size_t *sorted)
{
    size_t *next = arena_array(a, keys + 1, sizeof *next);
    for (size_t i = 0; i < entries; i++) next[key[i] + 1]++;
    for (size_t k = 0; k < keys; k++) next[k + 1] += next[k];
    for (size_t i = 0; i < entries; i++) {
        size_t entry = order ? order[i] : i;
        sorted[next[key[entry]]++] = entry;
    }
}

sparse_pattern *sparse_build(arena *a, size_t rows, size_t columns, size_t entries,
                             const size_t *row, const size_t *column, size_t *where)
{
    size_t *by_row = arena_array(a, entries, sizeof *by_row);
    size_t *by_column = arena_array(a, entries, sizeof *by_column);
    sort_by(a, rows, entries, row, NULL, by_row);
    sort_by(a, columns, entries, column, by_row, by_column);

    sparse_pattern *p = arena_take(a, sizeof *p);
    p->rows = rows;
    p->columns = columns;
    p->start = arena_array(a, columns + 1, sizeof *p->start);
    p->row = arena_array(a, entries, sizeof *p->row);
    for (size_t i = 0; i < entries; i++) {
        size_t entry = by_column[i];
        bool new_place = i == 0 || column[by_column[i - 1]] != column[entry] ||
                         row[by_column[i - 1]] != row[entry];
        if (new_place) {
            p->row[p->nonzeros++] = (sparse_index)row[entry];
            p->start[column[entry] + 1]++;
        }
        where[entry] = p->nonzeros - 1;
    }
    for (size_t j = 0; j < columns; j++) p->start[j + 1] += p->start[j];
    return p;
}

sparse_pattern *sparse_full(arena *a, size_t rows, size_t columns)
{
    sparse_pattern *p = arena_take(a, sizeof *p);
    *p = (sparse_pattern){.rows = rows, .columns = columns};
    p->start = arena_array(a, columns + 1, sizeof *p->start);
    p->row = arena_array(a, rows * columns, sizeof *p->row);
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < rows; i++) p->row[p->nonzeros++] = (sparse_index)i;
        p->start[j + 1] = (sparse_index)p->nonzeros;
    }
    return p;
}

sparse_pattern *sparse_diagonal(arena *a, size_t n)
{
    sparse_pattern *p = arena_take(a, sizeof *p);
    *p = (sparse_pattern){.rows = n, .columns = n, .nonzeros = n};
    p->start = arena_array(a, n + 1, sizeof *p->start);
    p->row = arena_array(a, n, sizeof *p->row);
    for (size_t j = 0; j < n; j++) {
        p->row[j] = (sparse_index)j;
        p->start[j + 1] = (sparse_index)(j + 1);
    }
    return p;
}

void sparse_multiply(const sparse_pattern *p, const double *value, const double *x, double *y)
{
    memset(y, 0, p->rows * sizeof *y);
    sparse_add_product(p, value, x, y);
}

void sparse_add_product(const sparse_pattern *p, const double *value, const double *x, double *y)
{
    const sparse_index *start = p->start, *row = p->row;
    sparse_index k = start[0];
    for (size_t j = 0, columns = p->columns; j < columns; j++)
        for (sparse_index end = start[j + 1]; k < end; k++) y[row[k]] += value[k] * x[j];
}

void sparse_add_transposed(const sparse_pattern *p, const double *value, double factor,
                           const double *x, double *y)
{
    for (size_t j = 0; j < p->columns; j++) {
        double sum = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) sum += value[k] * x[p->row[k]];
        y[j] += factor * sum;
    }
}

void sparse_row_squares(const sparse_pattern *p, const double *value, const double *unit,
                        double *square)
{
    memset(square, 0, p->rows * sizeof *square);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            square[p->row[k]] += value[k] * value[k] * unit[j] * unit[j];
}
