/* Numbers that look random but are the same in each run: for points near a given point. */
#ifndef BASE_SCATTER_H
#define BASE_SCATTER_H

#include <math.h>
#include <stddef.h>

/* The i-th number between -1 and 1. Multiples of the golden ratio modulo 1 are equidistributed and
 * do not repeat. */
static inline double scattered(size_t i)
{
    double turn = (double)(i + 1) * 0.61803398874989484820;
    return 2 * (turn - (double)(long long)turn) - 1; /* floor() is a call on older processors */
}

#endif
