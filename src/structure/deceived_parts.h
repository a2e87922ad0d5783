/* The parts of a system in which its structure misleads.
 *
 * The block triangular form of a system Jacobian, whose entries are numbers, shows where it is
 * singular: in some blocks on the diagonal. A vector u with u J = 0 has entries in the rows of such
 * a block and of those blocks that it needs, which hold columns that occur in its rows, and in no
 * others. So what is combined or embedded is found part by part, and the work does not depend on
 * what else is in the system.
 *
 * A block that needs too many others is a part of its own. What it needs then counts as known: no
 * equation of other blocks holds a highest derivative of the block, so any combination that is free
 * of these leaves fewer degrees of freedom. */
#ifndef STRUCTURE_DECEIVED_PARTS_H
#define STRUCTURE_DECEIVED_PARTS_H

#include "linalg/sparse.h"

#include <stdint.h>

/* The most equations of a part: the matrices that look for combinations are full. */
enum { DECEIVED_LARGEST = 200 };

typedef struct deceived_parts {
    size_t count;
    size_t *start;          /* count + 1 */
    uint32_t *row, *column; /* of each part */
} deceived_parts;

/* pattern: n x n of the system Jacobian. value: those of its nonzeros at some points, one after the
 * other; scaled, and without what is only rounding. A block counts as singular that is so at all of
 * them, where pivots up to the tolerance are none, or has no finite values. match (n): a column for
 * each row, by which the structure is regular. In `a`, under its protection. */
deceived_parts *structure_deceived_parts(arena *a, const sparse_pattern *pattern, size_t points,
                                         const double *value, double tolerance,
                                         const uint32_t *match);

#endif
