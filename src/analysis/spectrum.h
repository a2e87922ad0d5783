/* Eigenvalues and eigenvectors of a real matrix. */
#ifndef ANALYSIS_SPECTRUM_H
#define ANALYSIS_SPECTRUM_H

#include "base/arena.h"

#include <stdbool.h>

/* Pairs stand together, the one with the positive imaginary part first. The parts of its vectors
 * are two columns; the other one's are their conjugates. Vectors are of any length. */
typedef struct spectrum {
    size_t n;
    double *real, *imaginary; /* n: the eigenvalues */
    double *left, *right;     /* n x n, columns contiguous */
} spectrum;

/* Those of m (n x n, rows contiguous), found in each of its strong components alone: what one part
 * of a system is far from does not disturb the other parts, and parts are cheap. In `a`, under its
 * protection. False: the QR iteration did not converge. */
bool spectrum_find(arena *a, size_t n, const double *m, spectrum *s);

#endif
