/* The levels of round-off: a change or a miss below one, relative to what is named, is taken for
 * rounding. The rounding of one operation is DBL_EPSILON. A threshold elsewhere is one of these or
 * a multiple of one. */
#ifndef BASE_ROUND_OFF_H
#define BASE_ROUND_OFF_H

#include <float.h>

#define ROUND_OFF_VALUE      (4 * DBL_EPSILON)   /* a value or a time that few operations give */
#define ROUND_OFF_NORM       1e-15               /* a vector in its norm, once it is refined */
#define ROUND_OFF_SUM        (16 * DBL_EPSILON)  /* a sum of few terms, of the largest of them */
#define ROUND_OFF_SOLVED     1e-14               /* what a well-conditioned linear system gives */
#define ROUND_OFF_LONG_SUM   (64 * DBL_EPSILON)  /* a row of many terms; late times that cancel */
#define ROUND_OFF_ELIMINATED 1e-13               /* pivots and entries that an elimination leaves */
#define ROUND_OFF_ITERATED   1e-12               /* what an iteration with such factors ends at */
#define ROUND_OFF_DIFFERENCE (1e4 * DBL_EPSILON) /* differences of high order of nearby values */
#define ROUND_OFF_AMPLIFIED  1e-9                /* what a badly conditioned way there enlarges */

#endif
