/* Patterns and values for the tests of linear algebra. */
#ifndef TESTS_LINALG_MATRICES_H
#define TESTS_LINALG_MATRICES_H

#include "base/unit.h"
#include "linalg/sparse.h"

#include <stdbool.h>

/* All positions of a rows x columns matrix; values by columns. */
static inline sparse_pattern *full_pattern(arena *a, size_t rows, size_t columns)
{
    size_t entries = rows * columns;
    size_t *row = arena_array(a, entries, sizeof *row);
    size_t *column = arena_array(a, entries, sizeof *column);
    size_t *where = arena_array(a, entries, sizeof *where);
    for (size_t k = 0; k < entries; k++) row[k] = k % rows, column[k] = k / rows;
    return sparse_build(a, rows, columns, entries, row, column, where);
}

/* A diagonal, moved by a permutation, and about `extra` more entries a row. */
static inline sparse_pattern *scattered_pattern(arena *a, size_t n, size_t extra, uint64_t *state)
{
    size_t entries = n * (1 + extra);
    size_t *row = arena_array(a, entries, sizeof *row);
    size_t *column = arena_array(a, entries, sizeof *column);
    size_t *where = arena_array(a, entries, sizeof *where);
    for (size_t k = 0; k < entries; k++) {
        row[k] = k % n;
        column[k] = k < n ? (k * 7 + 3) % n : scatter_below(state, n); /* n is no multiple of 7 */
    }
    return sparse_build(a, n, n, entries, row, column, where);
}

/* The matrix with rows contiguous as values of a full pattern. */
static inline double *by_columns(arena *a, size_t rows, size_t columns, const double *matrix)
{
    double *value = arena_array(a, rows * columns, sizeof *value);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) value[j * rows + i] = matrix[i * columns + j];
    return value;
}

#endif
