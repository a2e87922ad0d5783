/* Angles of A(alpha)-stability, and where polynomials are negative. */
#include "method/properties.h"

#include "base/unit.h"

#include <math.h>

static quad factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* R(z) of order p with the denominator (1 - gamma z)^p: that of all SDIRK and Rosenbrock methods
 * with so many stages and that order. The numerator is what is left of (1 - gamma z)^p e^z. */
static stability_function with_one_pole(int p, quad gamma)
{
    stability_function r = {.tolerance = (quad)1e-23, .pole_degrees = 180};
    r.numerator.degree = r.denominator.degree = p;
    for (int k = 0; k <= p; k++) {
        r.denominator.coefficient[k] = factorial(p) / factorial(k) / factorial(p - k) *
                                       quad_power(-gamma, k);
        for (int j = 0; j <= k; j++)
            r.numerator.coefficient[k] += r.denominator.coefficient[j] / factorial(k - j);
    }
    return r;
}

/* R(z) = 1 / (1 - z + z^2/2! - ... z^k/k!), the Padé approximation without a numerator. */
static stability_function inverse_of_taylor(int k, double pole_degrees)
{
    stability_function r = {.tolerance = (quad)1e-23, .pole_degrees = pole_degrees};
    r.numerator.coefficient[0] = 1;
    r.denominator.degree = k;
    for (int i = 0; i <= k; i++) r.denominator.coefficient[i] = (i % 2 ? -1 : 1) / factorial(i);
    return r;
}

static double largest_on_ray(const stability_function *r, double degrees)
{
    double largest = 0, angle = degrees * acos(-1.0) / 180;
    for (double x = 1e-3; x < 1e4; x *= 1.001) {
        stability_point at = stability_value(r, -x * cos(angle), x * sin(angle));
        double size = hypot(at.num_re, at.num_im) / hypot(at.den_re, at.den_im);
        largest = fmax(largest, size);
    }
    return largest;
}

/* |R| <= 1 on a ray a little below the angle, not on one a little above it. */
static void check_angle(const stability_function *r, double wanted, double tolerance)
{
    double found = stability_angle(r);
    ck_assert_double_eq_tol(found, wanted, tolerance);
    ck_assert_double_le(largest_on_ray(r, found - 0.01), 1 + 1e-14);
    ck_assert_double_gt(largest_on_ray(r, found + 0.01), 1);
}

/* Kaps & Rentrop, Numer. Math. 33 (1979) 55: GRK4T, gamma = 0.231, is A(89.3 degrees)-stable;
 * GRK4A, gamma = 0.395, is A-stable. Order 4 is A-stable for 0.39434 <= gamma <= 1.28057 (Hairer &
 * Wanner II, Table IV.6.3). */
START_TEST(kaps_and_rentrop_s_methods_have_the_published_angles)
{
    stability_function grk4t = with_one_pole(4, (quad)0.231), grk4a = with_one_pole(4, (quad)0.395);
    check_angle(&grk4t, 89.35, 0.05); /* printed as 89.3 */
    ck_assert_double_eq(stability_angle(&grk4a), 90);
    const double inside[] = {0.39435, 1.28057}, outside[] = {0.39433, 1.28059};
    for (int k = 0; k < 2; k++) {
        stability_function good = with_one_pole(4, (quad)inside[k]);
        stability_function bad = with_one_pole(4, (quad)outside[k]);
        ck_assert_double_eq(stability_angle(&good), 90);
        ck_assert_double_lt(stability_angle(&bad), 90);
    }
}
END_TEST

/* The Padé approximations (0, k) are A-stable for k <= 2 and no further (Wanner, Hairer & Norsett,
 * BIT 18 (1978): k - 2 <= j <= k). */
START_TEST(order_stars_forbid_the_third_subdiagonal)
{
    for (int k = 1; k <= 2; k++) {
        stability_function r = inverse_of_taylor(k, 180);
        ck_assert_double_eq(stability_angle(&r), 90);
    }
    stability_function r = inverse_of_taylor(3, 180);
    double found = stability_angle(&r);
    ck_assert_double_lt(found, 90);
    check_angle(&r, found, 1e-9);
}
END_TEST

/* A pole in the left half-plane ends the sector whatever the bound says on its edge. */
START_TEST(poles_bound_the_angle)
{
    stability_function r = {.tolerance = (quad)1e-23, .pole_degrees = 0};
    r.numerator.coefficient[0] = r.denominator.coefficient[0] = 1;
    r.denominator.degree = 1;
    r.denominator.coefficient[1] = 1; /* 1 / (1 + z) */
    ck_assert_double_eq(stability_angle(&r), 0);
}
END_TEST

START_TEST(a_zero_that_is_touched_is_none_too_many)
{
    polynomial touching = {.degree = 2, .coefficient = {1, -2, 1}}, crossing = touching;
    polynomial negative_at_zero = {.degree = 1, .coefficient = {-1, 1}};
    polynomial zero = {0}, even = {.degree = 8, .coefficient = {[4] = 1, [6] = -2, [8] = 1}};
    polynomial twice = {.degree = 4, .coefficient = {4, -12, 13, -6, 1}}; /* (x-1)^2 (x-2)^2 */
    crossing.coefficient[0] -= (quad)1e-20;
    const quad tolerance = (quad)1e-23;
    ck_assert(polynomial_is_nonnegative(&touching, tolerance));
    ck_assert(!polynomial_is_nonnegative(&crossing, tolerance));
    ck_assert(!polynomial_is_nonnegative(&negative_at_zero, tolerance));
    ck_assert(polynomial_is_nonnegative(&zero, tolerance));
    ck_assert(polynomial_is_nonnegative(&even, tolerance));
    ck_assert(polynomial_is_nonnegative(&twice, tolerance));
    even.coefficient[6] -= (quad)1e-15;
    twice.coefficient[1] -= (quad)1e-15;
    ck_assert(!polynomial_is_nonnegative(&even, tolerance));
    ck_assert(!polynomial_is_nonnegative(&twice, tolerance));
}
END_TEST

UNIT_MAIN("method/stability", 60, kaps_and_rentrop_s_methods_have_the_published_angles,
          order_stars_forbid_the_third_subdiagonal, poles_bound_the_angle,
          a_zero_that_is_touched_is_none_too_many)
