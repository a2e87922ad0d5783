/* What the structure of a system tells before any number is known. */
#ifndef STRUCTURE_STRUCTURE_H
#define STRUCTURE_STRUCTURE_H

#include "base/message.h"
#include "structure/signature.h"
#include "symbolic/system.h"

/* Block triangular form: the order in which the unknowns can be computed, and which belong
 * together.
 *
 * The blocks are the strongly connected components of the directed graph that an assignment makes
 * of the incidence. R. Tarjan, SIAM J. Comput. 1 (1972); Duff & Reid, ACM TOMS 4 (1978). */

typedef struct blocks {
    size_t count;
    size_t *start; /* count + 1 */
    uint32_t *row; /* equations, block by block; each block comes after those that it needs */
} blocks;

/* The blocks of the system Jacobian, whose entries have d_j - c_i = sigma_ij. The signature must be
 * regular. */
blocks *structure_blocks(arena *a, const incidence *in, const signature *s);

typedef struct structure {
    incidence *in;  /* of the equations as written */
    signature *s;   /* of the equations as written: structural index, degrees of freedom */
    blocks *blocks; /* of their system Jacobian */
} structure;

/* Analyse a system: whether there are as many equations as unknowns, and one equation for each
 * unknown. In the system's arena, under its protection. NULL after a failure, which is
 * DAE_STRUCTURE; its message lists equations and unknowns, says which equations over-determine
 * which unknowns, and what nothing determines. */
structure *structure_analyze(const sym_system *system, message *m);

/* Append the names of these unknowns to a message (number: NULL for the first `count`), and how
 * many more there are where the list would be long. */
void structure_list_unknowns(const sym_system *system, size_t count, const uint32_t *number,
                             message *m);

/* A copy in another arena, under its protection: for a copy of the system. */
structure *structure_copy(arena *a, const structure *from);

/* Describes what is wrong with a structurally singular system.
 *
 * The coarse decomposition of Dulmage & Mendelsohn (Can. J. Math. 10 (1958); Pothen & Fan, ACM TOMS
 * 16 (1990)). From a maximum assignment, the equations reachable from an unassigned equation have
 * too few unknowns among them, and the unknowns reachable from an unassigned unknown have too few
 * equations. */

typedef struct deficient {
    size_t assigned;                    /* size of a maximum assignment */
    size_t over_rows, over_columns;     /* too many equations ... */
    uint32_t *over_row, *over_column;   /* ... for these unknowns, ascending */
    size_t under_rows, under_columns;   /* too few equations ... */
    uint32_t *under_row, *under_column; /* ... for these unknowns, ascending */
} deficient;

/* The decomposition of any incidence, whatever its orders of derivatives, square or not. */
deficient *structure_deficient(arena *a, const incidence *in);

#endif
