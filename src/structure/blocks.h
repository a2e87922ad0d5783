/* Block triangular form: the order in which the unknowns can be computed, and which belong
 * together.
 *
 * The blocks are the strongly connected components of the directed graph that an assignment makes
 * of the incidence. R. Tarjan, SIAM J. Comput. 1 (1972); Duff & Reid, ACM TOMS 4 (1978). */
#ifndef STRUCTURE_BLOCKS_H
#define STRUCTURE_BLOCKS_H

#include "structure/signature.h"

typedef struct blocks {
    size_t count;
    size_t *start; /* count + 1 */
    uint32_t *row; /* equations, block by block; each block comes after those that it needs */
} blocks;

/* The blocks of the system Jacobian, whose entries have d_j - c_i = sigma_ij. The signature must be
 * regular. */
blocks *structure_blocks(arena *a, const incidence *in, const signature *s);

#endif
