/* Entries of matrices by their place, counted from 1 as the equations are. */
#ifndef TESTS_ZOO_ENTRY_H
#define TESTS_ZOO_ENTRY_H

#include "zoo/zoo.h"

/* Of a dense matrix with so many rows, by columns. */
static inline double *zoo_dense(double *matrix, size_t rows, size_t i, size_t j)
{
    return &matrix[(j - 1) * rows + i - 1];
}

/* Of a banded one. */
static inline double *zoo_banded(double *matrix, size_t lower, size_t upper, size_t i, size_t j)
{
    return &matrix[(j - 1) * (lower + upper + 1) + upper + i - j];
}

/* The next entry of a sparse one, in a row counted from 0, and the end of its column. */
static inline void zoo_entry(zoo_columns *sink, size_t row, double value)
{
    if (sink->value)
        sink->value[sink->entries] = value;
    else if (sink->row)
        sink->row[sink->entries] = row;
    sink->entries++;
}

static inline void zoo_next_column(zoo_columns *sink)
{
    sink->column++;
    if (sink->start) sink->start[sink->column] = sink->entries;
}

#endif
