#include "analysis/descriptor.h"

#include <math.h>
#include <string.h>

matrix_row *matrix_rows(arena *a, size_t rows, size_t width)
{
    matrix_row *row = arena_array(a, rows, sizeof *row);
    double *all = arena_array(a, rows * width, sizeof *all);
    for (size_t i = 0; i < rows; i++) row[i] = all + i * width;
    return row;
}

/* The largest weighted entry of the rows from r on; its row and column. */
static double find_pivot(size_t r, size_t rows, const matrix_row *row, size_t first, size_t end,
                         const double *weight, size_t *at_row, size_t *at_column)
{
    double best = 0;
    for (size_t i = r; i < rows; i++) {
        for (size_t j = first; j < end; j++) {
            double size = fabs(row[i][j]) * weight[j - first];
            if (!(size > best)) continue;
            best = size;
            *at_row = i;
            *at_column = j;
        }
    }
    return best;
}

static void clear_column(size_t rows, size_t width, const matrix_row *row, size_t r, size_t column)
{
    double scale = 1 / row[r][column];
    for (size_t k = 0; k < width; k++) row[r][k] *= scale;
    row[r][column] = 1;
    for (size_t i = 0; i < rows; i++) {
        double factor = row[i][column];
        if (i == r || factor == 0) continue;
        for (size_t k = 0; k < width; k++) row[i][k] -= factor * row[r][k];
        row[i][column] = 0;
    }
}

/* Columns of earlier pivots are 0 in the rows that remain. */
size_t eliminate(size_t rows, size_t width, matrix_row *row, size_t first, size_t end,
                 const double *weight, double least, size_t *pivot, double *smallest)
{
    size_t r = 0;
    for (; r < rows; r++) {
        size_t at_row = r, at_column = first;
        double best = find_pivot(r, rows, row, first, end, weight, &at_row, &at_column);
        if (!(best > least)) break;
        matrix_row found = row[at_row];
        row[at_row] = row[r];
        row[r] = found;
        *smallest = fmin(*smallest, best);
        pivot[r] = at_column - first;
        clear_column(rows, width, row, r, at_column);
    }
    return r;
}
