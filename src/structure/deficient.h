/* Describes what is wrong with a structurally singular system.
 *
 * The coarse decomposition of Dulmage & Mendelsohn (Can. J. Math. 10 (1958); Pothen & Fan, ACM TOMS
 * 16 (1990)). From a maximum assignment, the equations reachable from an unassigned equation have
 * too few unknowns among them, and the unknowns reachable from an unassigned unknown have too few
 * equations. */
#ifndef STRUCTURE_DEFICIENT_H
#define STRUCTURE_DEFICIENT_H

#include "structure/incidence.h"

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
