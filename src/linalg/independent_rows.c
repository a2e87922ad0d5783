#include "linalg/independent_rows.h"

#include "linalg/vectors.h"

#include <math.h>

/* The longest row, and its length. */
static size_t find_longest(size_t rows, size_t columns, const double *a, const bool *allowed,
                           const bool *taken, double *length)
{
    size_t longest = rows;
    *length = 0;
    for (size_t i = 0; i < rows; i++) {
        if (taken[i] || (allowed && !allowed[i])) continue;
        double square = vector_dot(columns, a + i * columns, a + i * columns);
        if (longest < rows && !(square > *length)) continue;
        longest = i;
        *length = square;
    }
    *length = sqrt(*length);
    return longest;
}

/* Twice is enough for round-off (Giraud, Langou & Rozloznik, Comput. Math. Appl. 50 (2005)). */
static void remove_along(size_t columns, const double *unit, double *row)
{
    for (int k = 0; k < 2; k++) {
        double along = vector_dot(columns, unit, row);
        for (size_t j = 0; j < columns; j++) row[j] -= along * unit[j];
    }
}

double independent_rows_take(size_t rows, size_t columns, double *a, const bool *allowed,
                             double tolerance, bool *taken)
{
    double shortest = HUGE_VAL;
    for (;;) {
        double length;
        size_t i = find_longest(rows, columns, a, allowed, taken, &length);
        if (i == rows || !(length > tolerance)) return shortest;
        shortest = fmin(shortest, length);
        taken[i] = true;
        for (size_t j = 0; j < columns; j++) a[i * columns + j] /= length;
        for (size_t k = 0; k < rows; k++)
            if (!taken[k]) remove_along(columns, a + i * columns, a + k * columns);
    }
}

double independent_rows_left(size_t rows, size_t columns, const double *a, const bool *taken)
{
    double length;
    find_longest(rows, columns, a, NULL, taken, &length);
    return length;
}
