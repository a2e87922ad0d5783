/* Curves through given points: polynomials between them, and beyond the ends. */
#ifndef MODEL_CURVE_H
#define MODEL_CURVE_H

#include "base/arena.h"

#include <stdbool.h>

typedef enum curve_shape {
    CURVE_LINES,   /* straight lines between the points */
    CURVE_AKIMA,   /* Akima, J. ACM 17 (1970) 589 */
    CURVE_STEPS,   /* the value of the point before */
    CURVE_MONOTONE /* no extremum between points: Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5
                      (1984) 300 */
} curve_shape;

typedef enum curve_outside {
    CURVE_HELD,     /* the value of the first or last point */
    CURVE_CONTINUED /* a straight line by the slope at the end */
} curve_outside;

enum { CURVE_POWERS = 4 };

/* In interval k, which ends at point k (from 0), the value is the sum of c[p][k] (x - from[k])^p.
 * Interval 0 is before the first point, the last one after the last point. */
typedef struct curve {
    size_t points; /* of which no two are equal */
    double *x;     /* points */
    double *from;  /* points + 2: lower bounds of the intervals, and the last point again */
    double *c[CURVE_POWERS]; /* points + 1 each */
} curve;

/* x must ascend. Where neighbours are equal, the curve jumps from the value of the first to that of
 * the last of them, or bends if both are equal, and either side has a shape of its own. */
void curve_make(curve *c, arena *a, size_t points, const double *x, const double *y,
                curve_shape shape, curve_outside outside);

#endif
