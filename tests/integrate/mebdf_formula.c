/* The formulas of modified extended BDF are those that were published, have their orders, and are
 * as stable as they. */
#include "integrate/mebdf_sides.h"
#include "method/polynomial.h"

#include <complex.h>
#include <stdbool.h>

/* Of k = 1, 2, ... steps: the coefficients of h y'_(n+1) and h y'_(n+2) (J. R. Cash, Comput. Math.
 * Appl. 9 (1983) 645; Cash & Considine, ACM TOMS 18 (1992), Algorithm 703) and the angle of
 * stability in degrees (Hairer & Wanner II, Table V.3.2). */
static const struct {
    double now, next, angle;
} published[MEBDF_MOST_STEPS + 1] = {{0},
                                     {1.5, -0.5, 90},
                                     {0.95652173913043, -0.17391304347826, 90},
                                     {0.76142131979695, -0.091370558375634, 90},
                                     {0.65733706517393, -0.057576969212315, 88.36},
                                     {0.59119243917152, -0.040217172732757, 83.07},
                                     {0.54475876041119, -0.030014256771967, 74.48},
                                     {0.50999746293734, -0.023455862290154, 61.98}};

START_TEST(formulas_are_those_that_were_published)
{
    for (int k = 1; k <= MEBDF_MOST_STEPS; k++) {
        mebdf_formula f = mebdf_formula_make(k);
        ck_assert_int_eq(f.steps, k);
        ck_assert_double_eq_tol(f.now, published[k].now, 1e-14);
        ck_assert_double_eq_tol(f.next, published[k].next, 1e-14);
    }
}
END_TEST

/* sum_i a_i x_i^q = q (now x^(q-1) + next (x+1)^(q-1)), x_i = 1 - i, up to q = k + 1. */
START_TEST(formulas_have_their_order)
{
    for (int k = 1; k <= MEBDF_MOST_STEPS; k++) {
        mebdf_formula f = mebdf_formula_make(k);
        double plain[MEBDF_MOST_STEPS + 1], extended[MEBDF_MOST_STEPS + 1];
        left_sides(&f, plain, extended);
        for (int q = 1; q <= k + 2; q++) {
            double off = -q * (f.now + f.next * pow(2, q - 1)), size = 1;
            for (int i = 0; i <= k; i++) off += extended[i] * pow(1 - i, q);
            for (int i = 0; i <= k; i++) size += fabs(extended[i] * pow(1 - i, q));
            ck_assert_int_eq(fabs(off) < 1e-14 * size, q <= k + 1);
        }
        ck_assert_double_eq_tol(f.correction, f.next * f.leading, 1e-15);
    }
}
END_TEST

/* The largest root for y' = lambda y, z = h lambda: that of the recursion of the third stage. */
static double radius(const mebdf_formula *f, double complex z)
{
    int k = f->steps;
    double plain[MEBDF_MOST_STEPS + 1], extended[MEBDF_MOST_STEPS + 1];
    double complex first[MEBDF_MOST_STEPS + 1] = {0}, second;
    root_problem p = {.degree = k};
    left_sides(f, plain, extended);
    for (int i = 0; i < k; i++) first[i] = -plain[i + 1] / (plain[0] - z);
    p.coefficient[k].re = 1;
    for (int i = 0; i < k; i++) { /* of y_(n-i) */
        double older = i + 2 <= k ? plain[i + 2] : 0;
        second = -(plain[1] * first[i] + older) / (plain[0] - z);
        double complex row = -extended[i + 1] +
                             z * ((f->now - 1 / plain[0]) * first[i] + f->next * second);
        row /= 1 - z / plain[0];
        p.coefficient[k - 1 - i] = (complex_quad){(quad)-creal(row), (quad)-cimag(row)};
    }
    roots_find(&p);
    return roots_radius(&p);
}

static bool is_stable_along(const mebdf_formula *f, double degrees)
{
    double angle = (180 - degrees) * acos(-1) / 180;
    for (double size = 1e-3; size < 1e4; size *= 1.03)
        if (radius(f, size * (cos(angle) + (double complex)I * sin(angle))) > 1 + 1e-9)
            return false;
    return true;
}

START_TEST(stability_is_as_published)
{
    for (int k = 1; k <= MEBDF_MOST_STEPS; k++) {
        mebdf_formula f = mebdf_formula_make(k);
        double angle = published[k].angle;
        ck_assert_msg(is_stable_along(&f, fmin(90, angle - 0.02)), "%d steps, %g", k, angle);
        if (angle < 90)
            ck_assert_msg(!is_stable_along(&f, angle + 0.02), "%d steps beyond %g", k, angle);
        ck_assert_double_lt(radius(&f, -1e12), 0.05); /* at infinity all are 0 */
    }
}
END_TEST

UNIT_MAIN("integrate/mebdf_formula", 60, formulas_are_those_that_were_published,
          formulas_have_their_order, stability_is_as_published)
