/* Units of quantities: powers of the base units of the SI, and the factor to these. */
#ifndef MODEL_DIMENSION_H
#define MODEL_DIMENSION_H

#include "base/arena.h"

#include <stdbool.h>

enum { DIMENSION_BASES = 7, DIMENSION_PARTS = 12 };

typedef enum dimension_zero {
    ZERO_OF_SI,
    ZERO_OF_CELSIUS,
    ZERO_UNKNOWN /* 293.15 - x: of either scale */
} dimension_zero;

typedef struct dimension {
    short
        power[DIMENSION_BASES]; /* of m, kg, s, A, K, mol, cd, in twelfths: roots have them, too */
    double factor;              /* 1 mm is 0.001 m; 0: not known */
    dimension_zero zero;        /* of a temperature */
} dimension;

/* The unit of a number: 1 */
dimension dimension_one(void);

/* Read a unit as Modelica writes it (Modelica 3.6, Ch. 19), for example kg.m2/(s.K). False: it is
 * none, or has a name that is not known. */
bool dimension_read(const char *unit, dimension *d);

/* d times e^(twelfths/12) */
void dimension_multiply(dimension *d, const dimension *e, int twelfths);

/* Whether they are powers of the same quantities. */
bool dimension_alike(const dimension *d, const dimension *e);

/* Whether they are the same unit, as far as factors are known. */
bool dimension_equal(const dimension *d, const dimension *e);

/* The unit in words: one name where it has one, as N, else base units. In `a`. */
const char *dimension_text(arena *a, const dimension *d);

#endif
