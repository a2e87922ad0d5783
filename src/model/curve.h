/* Curves through given points: polynomials between them, and beyond the ends. */
#ifndef MODEL_CURVE_H
#define MODEL_CURVE_H

#include "base/arena.h"

#include <stdbool.h>

typedef enum curve_shape {
    CURVE_LINES,    /* straight lines between the points */
    CURVE_AKIMA,    /* Akima, J. ACM 17 (1970) 589 */
    CURVE_STEPS,    /* the value of the point before */
    CURVE_MONOTONE, /* no extremum between points: Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5
                       (1984) 300 */
    /* as the tables of the Modelica Standard Library have them: */
    CURVE_MONOTONE_CHORDS, /* the same, but with the slopes of the first and last line at the ends
                            */
    CURVE_STEFFEN, /* no extremum between points: Steffen, Astron. Astrophys. 239 (1990) 443 */
    CURVE_MODIFIED_AKIMA /* Akima's, without waves beside flat parts: Ionita, "Makima" (2019) */
} curve_shape;

typedef enum curve_outside {
    CURVE_HELD,      /* the value of the first or last point */
    CURVE_CONTINUED, /* a straight line by the slope at the end */
    CURVE_CHORD      /* the straight line through the last two points, also of steps */
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

/* Where x never leaves the points: the pieces next to the ends go on beyond them, so that only the
 * inner points bound intervals. Of two points nothing changes. */
void curve_keep_inner(curve *c);

/* A surface: in each interval of either argument a polynomial. c[0] is a curve along the first
 * argument, c[1] along the second; they give their points and intervals. */
typedef struct surface {
    curve c[2];
    size_t intervals[2];
    double *factor[CURVE_POWERS][CURVE_POWERS]; /* intervals[0] rows of intervals[1] */
} surface;

/* Curves along the second argument, through whose factors go curves along the first one. `z` has
 * points[0] rows of points[1]. */
void surface_make(surface *s, arena *a, const size_t *points, double *const *x, const double *z,
                  curve_shape shape, curve_outside outside);

/* surface.c: a smooth surface by Akima, Commun. ACM 17 (1974) 18: bicubic in each cell, with
 * continuous derivatives by both arguments. There are two points along each at least. Outside it is
 * held, or goes on straight. */
void surface_make_smooth(surface *s, arena *a, const size_t *points, double *const *x,
                         const double *z, bool held);

/* The value at the points before both arguments, up to the last ones; where one of them is outside,
 * straight lines through the last two points along both. There are two points along each at least.
 */
void surface_make_steps(surface *s, arena *a, const size_t *points, double *const *x,
                        const double *z);

#endif
