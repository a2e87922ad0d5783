/* The course of a root function along a step: its interpolant at Chebyshev points.
 *
 * The step is x = 0 to 1. Along the polynomial of a step, a root function that is linear in the
 * unknowns is a polynomial of the same degree, and others are smooth. So few points tell whether
 * its sign may change between them, and where the extrema lie at which it may do so. */
#ifndef EVENT_COURSE_H
#define EVENT_COURSE_H

#include <stdbool.h>
#include <stddef.h>

/* The most intervals between points. A root function that as many do not resolve has kinks or
 * oscillates. */
enum { COURSE_MOST = 64 };

typedef struct course {
    int intervals;
    double coefficient[COURSE_MOST + 1]; /* of Chebyshev polynomials of 2 x - 1 */
    double slope[COURSE_MOST + 1];       /* the same of the derivative by 2 x - 1 */
    double varies;   /* sum of the coefficients' sizes, but for the constant one */
    double rounding; /* what values and the interpolant may be off by rounding */
    double missed; /* what the interpolant may be off by: coefficients beyond its last, and that */
} course;

/* x_j = (1 - cos(pi j / m)) / 2, the point j of 0, ..., m. */
double course_point(int j, int m);

/* The number of looks for a change of the slope's sign in each interval between points. */
enum { COURSE_FINE = 4 };

/* The points of m intervals, for all functions that are looked at there. */
typedef struct course_grid {
    int intervals;
    double cosine[2 * COURSE_MOST];
    double point[COURSE_MOST + 1];
    double fine[COURSE_FINE * COURSE_MOST + 1]; /* where the slope is looked at: COURSE_FINE to an
                                                   interval */
} course_grid;

void course_grid_make(course_grid *grid, int m);

/* The interpolant of the values at the points: value[j * stride], 0 <= j <= m. */
void course_take(course *c, const course_grid *grid, const double *value, size_t stride);

/* Points are known to a part `late` of the step alone, and values to `by`: rounding of the terms of
 * a difference, which may be larger than the difference. */
void course_blur(course *c, double late, double by);

/* Whether values everywhere have the sign of the constant coefficient. */
bool course_is_quiet(const course *c);

/* Whether the interpolant is as good as the function. */
bool course_is_resolved(const course *c);

/* The interpolant, and its derivative by x. */
double course_value(const course *c, double x);
double course_slope(const course *c, double x);

/* The extrema of the interpolant up to that point of the step at least, ascending; x: room for
 * COURSE_MOST. Returns their number. */
int course_extrema(const course *c, const course_grid *grid, double until, double *x);

#endif
