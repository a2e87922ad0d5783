/* Which rows of a small dense matrix depend on others: Gram-Schmidt orthogonalisation with pivoting
 * (Golub & Van Loan, Matrix Computations, 4th ed., Sec. 5.2 and 5.4). */
#ifndef LINALG_INDEPENDENT_ROWS_H
#define LINALG_INDEPENDENT_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Take rows of a (rows x columns, rows contiguous), of those that are `allowed` (NULL: all) and not
 * yet taken the one that is left longest first, until none is longer than `tolerance`; of all that
 * are not taken what lies along them goes. taken (rows) is added to. Returns the length of the
 * shortest that was taken, HUGE_VAL where none was. */
double independent_rows_take(size_t rows, size_t columns, double *a, const bool *allowed,
                             double tolerance, bool *taken);

/* The longest of the rows that are not taken. */
double independent_rows_left(size_t rows, size_t columns, const double *a, const bool *taken);

#endif
