/* Error norms, the tolerance of a step, and the factor by which the next one changes; polynomials
 * between steps. */
#include "stepping/control.h"

#include "base/unit.h"
#include "stepping/engine.h"

START_TEST(weights_and_norms)
{
    double y[3] = {0, -2, 1e6}, weight[3];
    control_weights(3, y, 1e-3, 1e-6, NULL, 1, weight);
    ck_assert_double_eq_tol(weight[0], 1e6, 1e-9);
    ck_assert_double_eq_tol(weight[1], 1 / (2e-3 + 1e-6), 1e-12);
    ck_assert_double_eq_tol(weight[2], 1 / (1e3 + 1e-6), 1e-18);
    const double x[3] = {3, 4, 12}, ones[3] = {1, 1, 1};
    const unsigned char index[3] = {1, 2, 3}, low[3] = {0, 1, 1};
    ck_assert_double_eq_tol(control_norm(3, x, ones, NULL, 0.5), 13 / sqrt(3), 1e-15);
    ck_assert_double_eq_tol(control_norm(3, x, ones, low, 0.5), 13 / sqrt(3), 1e-15);
    /* index 2 counts h, index 3 h^2: 3, 4/2, 12/4 */
    ck_assert_double_eq_tol(control_norm(3, x, ones, index, 0.5), sqrt(22 / 3.0), 1e-15);
    ck_assert(control_norm(0, x, ones, NULL, 1) == 0);
    ck_assert_double_eq_tol(control_norm(1, x, (double[]){0.25}, NULL, 1), 0.75, 1e-16);
}
END_TEST

/* With err = C h^(q+1) held at tol(rtol), h^p is proportional to rtol. */
START_TEST(tolerance_proportionality)
{
    for (int q = 1; q <= 7; q += 2) {
        int p = 2 * q - 1;
        double coarse = control_tolerance(1e-4, q, p, 0), fine = control_tolerance(1e-8, q, p, 0);
        double ratio = coarse / fine;
        /* an estimate of order q: steps in the ratio ^1/(q+1), at least in proportion; those of
         * order 1 would be too many */
        double slope = p == 1 ? 0.75 : 1;
        ck_assert_double_ge(pow(ratio, (double)p / (q + 1)), pow(1e4, slope) * (1 - 1e-12));
        /* one that falls like the error: with at least the slope that a user may count on */
        ck_assert_double_ge(ratio, pow(1e4, 0.7));
        ck_assert_double_lt(coarse, pow(1e-4, p == 1 ? 1.5 : (q + 1.0) / p));
    }
    double least = control_least_exponent(4, 5, 2);
    double ratio = control_tolerance(1e-4, 4, 5, least) / control_tolerance(1e-8, 4, 5, least);
    ck_assert_double_eq_tol(ratio, pow(1e4, 1.125), 1e-6); /* 5/5 + (3/2 - 5/5) / 4 */
    ck_assert(control_least_exponent(4, 5, 1) == least);
}
END_TEST

START_TEST(factors)
{
    step_control c = {.order = 3};
    ck_assert_double_eq_tol(control_factor(&c, 0.1, 16, 1), 0.5, 1e-15); /* 16^(-1/4) */
    ck_assert(c.rejected && c.last_step == 0);
    ck_assert_double_eq_tol(control_factor(&c, 0.1, 1e9, 1), 0.125, 1e-15); /* not below 1/8 */
    ck_assert_double_eq_tol(control_factor(&c, 0.1, 1e-4, 1), 1, 1e-15);    /* after a refusal */
    ck_assert(!c.rejected);
    ck_assert(c.last_step == 0.1);
    ck_assert_double_eq_tol(c.last_error, 1e-2, 1e-18); /* no smaller one is remembered */
    /* accepted once: the smaller of 0.9 e^(-1/4) and of what the trend predicts, with a longer step
     * and a larger error than before: 0.9 (0.2/0.1) (0.5^2/0.01)^(-1/4) */
    ck_assert_double_eq_tol(control_factor(&c, 0.2, 0.5, 0.9), 1.8 * pow(25, -0.25), 1e-14);
    ck_assert_double_eq_tol(c.last_error, 0.5, 1e-16);
    /* an error that fell faster than the order says: the estimate alone decides */
    ck_assert_double_eq_tol(control_factor(&c, 0.2, 0.0625, 0.9), 1.8, 1e-14);
    step_control fresh = {.order = 3};
    ck_assert_double_eq_tol(control_factor(&fresh, 0.1, 1e-30, 1), 8, 1e-15); /* not above 8 */
    fresh = (step_control){.order = 3};
    ck_assert_double_eq_tol(control_factor(&fresh, 0.1, 0, 1), 8, 1e-15);
}
END_TEST

/* y = 1 - 2 x + 3 x^3 and y = x^2, x = (t - 2) / h. */
START_TEST(polynomials)
{
    double coefficient[8] = {1, 0, -2, 0, 0, 1, 3, 0}, y[2], yp[2];
    for (double h = -0.5; h < 1; h += 1) {
        const dense_output d = {.t = 2, .h = h, .n = 2, .degree = 3, .coefficient = coefficient};
        for (double x = -0.5; x <= 1.5; x += 0.25) {
            dense_output_evaluate(&d, 2 + x * h, y, yp);
            ck_assert_double_eq_tol(y[0], 1 - 2 * x + 3 * x * x * x, 1e-15);
            ck_assert_double_eq_tol(y[1], x * x, 1e-15);
            ck_assert_double_eq_tol(yp[0], (-2 + 9 * x * x) / h, 1e-14);
            ck_assert_double_eq_tol(yp[1], 2 * x / h, 1e-14);
            double alone[2];
            dense_output_evaluate(&d, 2 + x * h, alone, NULL);
            ck_assert(alone[0] == y[0] && alone[1] == y[1]);
            dense_output_evaluate(&d, 2 + x * h, NULL, alone);
            ck_assert(alone[0] == yp[0] && alone[1] == yp[1]);
        }
    }
}
END_TEST

static dae_status decays(void *rate, double t, const double *y, double *yp)
{
    (void)t;
    yp[0] = -*(const double *)rate * y[0];
    return DAE_OK;
}

/* Of y' = -10 y the eigenvalue is -10. In tolerances of 1e-6 y' is 1e7, y'' is 1e8: a method of
 * order 5 is allowed (0.01 / 1e8)^(1/6). */
START_TEST(how_stiff_an_equation_is)
{
    static const problem_form form = {.yp = decays};
    const bool dynamic[1] = {true};
    const double y[1] = {1}, weight[1] = {1e6};
    double rate = 10;
    problem p = problem_make(&form, &rate, 1);
    stiffness s = {0};
    workspace space = {0};
    p.dynamic = dynamic;
    stiffness_carve(&s, &space, &p);
    ck_assert_int_eq(workspace_allocate(&space), DAE_OK);
    stiffness_carve(&s, &space, &p);
    ck_assert_int_eq(stiffness_iterate(&s, 4, 0, y, weight), DAE_OK);
    ck_assert_double_eq_tol(s.radius, 10, 1e-6);
    ck_assert_double_eq_tol(s.damping, 10, 1e-6);
    double h = stiffness_accurate_step(&s, 5, 0, y, weight), expected = pow(0.01 / 1e8, 1 / 6.0);
    ck_assert_double_eq_tol(h, expected, 1e-6 * expected);
    workspace_free(&space);
}
END_TEST

UNIT_MAIN("stepping/control", 10, weights_and_norms, tolerance_proportionality, factors,
          polynomials, how_stiff_an_equation_is)
