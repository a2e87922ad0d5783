#include "linalg/min_norm.h"

#include <math.h>
#include <string.h>

size_t nullspace_echelon(size_t rows, size_t columns, double *a, double tolerance, size_t *pivot_of,
                         double *basis)
{
    const size_t none = (size_t)-1;
    size_t rank = 0, count = 0;
    for (size_t j = 0; j < columns; j++) pivot_of[j] = none;
    for (; rank < rows; rank++) {
        size_t row = rank, column = none;
        double largest = tolerance;
        for (size_t i = rank; i < rows; i++) {
            for (size_t j = 0; j < columns; j++) {
                if (pivot_of[j] != none || fabs(a[i * columns + j]) <= largest) continue;
                largest = fabs(a[i * columns + j]);
                row = i;
                column = j;
            }
        }
        if (column == none) break;
        for (size_t j = 0; j < columns; j++) {
            double other = a[rank * columns + j];
            a[rank * columns + j] = a[row * columns + j];
            a[row * columns + j] = other;
        }
        pivot_of[column] = rank;
        double pivot = a[rank * columns + column];
        for (size_t j = 0; j < columns; j++) a[rank * columns + j] /= pivot;
        for (size_t i = 0; i < rows; i++) {
            double factor = a[i * columns + column];
            if (i == rank || factor == 0) continue;
            for (size_t j = 0; j < columns; j++)
                a[i * columns + j] -= factor * a[rank * columns + j];
        }
    }
    for (size_t open = 0; open < columns; open++) {
        if (pivot_of[open] != none) continue;
        double *v = basis + count++ * columns;
        for (size_t j = 0; j < columns; j++) {
            double entry = j == open             ? 1
                           : pivot_of[j] == none ? 0
                                                 : -a[pivot_of[j] * columns + open];
            v[j] = fabs(entry) > 1e-9 ? entry : 0;
        }
    }
    return count;
}
