/* Null spaces of small dense matrices in echelon form. Messages use them to say which equations
 * depend on which. */
#ifndef LINALG_NULLSPACE_H
#define LINALG_NULLSPACE_H

#include <stddef.h>

/* Gauss-Jordan elimination with complete pivoting. a (rows x columns, rows contiguous) is
 * overwritten. Entries that remain below `tolerance` count as zero. The vectors v with a v = 0 are
 * written to basis (at most columns x columns, vectors contiguous), each with a 1 where all others
 * have a 0, and small entries set to 0. pivot_of (columns) is work space. Returns how many there
 * are. */
size_t nullspace_echelon(size_t rows, size_t columns, double *a, double tolerance, size_t *pivot_of,
                         double *basis);

#endif
