/* Solution with the dense factors of LAPACK. Up to some tens of unknowns a triangular solution by
 * BLAS takes longer to begin and to divide than to compute. */
#ifndef LINALG_SUBSTITUTION_H
#define LINALG_SUBSTITUTION_H

#include <complex.h>

/* The inverse of each of the n entries on the diagonal of U, in an array n x n by columns. */
void substitution_invert(int n, const double *factors, double *inverse);
void substitution_invert_complex(int n, const double complex *factors, double complex *inverse);

/* x (n) = U^-1 L^-1 x: `factors` hold U, and L below its diagonal, which is 1. */
void substitution_solve(int n, const double *factors, const double *inverse, double *x);
void substitution_solve_complex(int n, const double complex *factors, const double complex *inverse,
                                double complex *x);

#endif
