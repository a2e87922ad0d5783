/* The interpolant of a root function along a step. */
#include "event/course.h"

#include "base/unit.h"

#include <float.h>
#include <math.h>

typedef double (*function)(double x);

static course course_of(function f, int m)
{
    course c;
    double value[COURSE_MOST + 1];
    for (int j = 0; j <= m; j++) value[j] = f(course_point(j, m));
    course_grid grid;
    course_grid_make(&grid, m);
    course_take(&c, &grid, value, 1);
    return c;
}

static double quintic(double x)
{
    return ((((x - 0.3) * x + 2) * x - 4) * x + 1) * x + 0.25;
}

static double quintic_slope(double x)
{
    return (((5 * x - 1.2) * x + 6) * x - 8) * x + 1;
}

static double wave(double x)
{
    return sin(20 * x);
}

static double lifted(double x)
{
    return 1.5 + sin(20 * x);
}

static double bent(double x)
{
    return fabs(x - 0.3);
}

START_TEST(polynomials_are_resolved)
{
    for (int m = 7; m <= 16; m++) {
        course c = course_of(quintic, m);
        ck_assert(course_is_resolved(&c) && !course_is_quiet(&c));
        for (double x = 0; x <= 1; x += 0.03) {
            ck_assert_double_eq_tol(course_value(&c, x), quintic(x), 1e-14);
            ck_assert_double_eq_tol(course_slope(&c, x), quintic_slope(x), 1e-13);
        }
    }
    course c = course_of(quintic, 4);
    ck_assert(!course_is_resolved(&c));
}
END_TEST

/* The slope of sin(20 x) is 0 at (k + 1/2) pi / 20. */
START_TEST(extrema_are_found)
{
    double at[COURSE_MOST];
    course_grid grid;
    course c = course_of(wave, 32);
    course_grid_make(&grid, 32);
    ck_assert(course_is_resolved(&c));
    ck_assert_int_eq(course_extrema(&c, &grid, 1, at), 6);
    for (int k = 0; k < 6; k++) ck_assert_double_eq_tol(at[k], (k + 0.5) * acos(-1.0) / 20, 1e-8);
    ck_assert_int_eq(course_extrema(&c, &grid, 0.3, at), 2); /* the third is at 0.39 */
}
END_TEST

/* A function is quiet only if it is nowhere 0, however few its points are. */
START_TEST(quiet_functions_have_no_root)
{
    for (int m = 2; m <= 64; m *= 2) {
        course c = course_of(wave, m);
        ck_assert(!course_is_quiet(&c));
        c = course_of(bent, m);
        ck_assert(!course_is_quiet(&c) && !course_is_resolved(&c));
    }
    course c = course_of(lifted, 64);
    ck_assert(course_is_resolved(&c));
}
END_TEST

/* The difference of two numbers that are much larger than it: its steps are their rounding. */
static double beside(double x)
{
    volatile double sum = 0.3 + (1e-11 + 1e-12 * x);
    return sum - 0.3;
}

START_TEST(rounding_of_the_terms)
{
    course c = course_of(beside, COURSE_MOST);
    ck_assert(!course_is_resolved(&c));
    course_blur(&c, 0, 0.6 * 64 * DBL_EPSILON);
    ck_assert(course_is_resolved(&c));
    ck_assert(course_is_quiet(&c));
}
END_TEST

UNIT_MAIN("event/course", 10, polynomials_are_resolved, extrema_are_found,
          quiet_functions_have_no_root, rounding_of_the_terms)
