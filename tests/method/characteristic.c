/* Where multistep methods are stable, and what they make of an oscillation. */
#include "method/polynomial.h"

#include "method/catalogue.h"
#include "method/formulas.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Hairer & Wanner II, Sec. V.2; the extended formulas with Cash's modification: Sec. V.3. */
START_TEST(angles_of_stability)
{
    const struct {
        const char *name;
        double alpha;
    } known[] = {
        {"bdf2", 90},      {"bdf3", 86.0324},     {"bdf4", 73.3517},       {"bdf5", 51.8398},
        {"bdf6", 17.8398}, {"adams-moulton2", 0}, {"adams-bashforth2", 0}, {"milne", 0},
        {"mebdf", 61.98}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_msg(fabs(properties(known[i].name).alpha_degrees - known[i].alpha) <
                          (strcmp(known[i].name, "mebdf") ? 5e-5 : 5e-3),
                      "%s: %.6f", known[i].name, properties(known[i].name).alpha_degrees);
}
END_TEST

START_TEST(angles_of_modified_extended_bdf)
{
    const char *const lines[] = {"alpha | ? 1 0; beta | 0 ? ?;",
                                 "alpha | ? ? 1 0; beta | 0 0 ? ?;",
                                 "alpha | ? ? ? 1 0; beta | 0 0 0 ? ?;",
                                 "alpha | ? ? ? ? 1 0; beta | 0 0 0 0 ? ?;",
                                 "alpha | ? ? ? ? ? 1 0; beta | 0 0 0 0 0 ? ?;",
                                 "alpha | ? ? ? ? ? ? 1 0; beta | 0 0 0 0 0 0 ? ?;",
                                 "alpha | ? ? ? ? ? ? ? 1 0; beta | 0 0 0 0 0 0 0 ? ?;"};
    const double angle[] = {90, 90, 90, 88.36, 83.07, 74.48, 61.98}; /* of order 2, ..., 8 */
    for (int k = 0; k < 7; k++) {
        method_multistep f = formula(lines[k]);
        method m = {.family = METHOD_MEBDF, .multistep = &f};
        characteristic of;
        characteristic_find(&m, &of);
        ck_assert_int_eq(multistep_order(&f), k + 2);
        ck_assert_double_eq_tol(characteristic_angle(&of), angle[k], 6e-3);
    }
}
END_TEST

/* The tuned family is A-stable with both roots -rho_inf of sigma, and converges on index 2 where
 * they are inside. */
START_TEST(the_tuned_two_step_family)
{
    for (int i = 0; i <= 10; i++) {
        char name[80];
        for (int leg = 0; leg < 2; leg++) {
            snprintf(name, sizeof name, "%stwo-step:rho_inf=%d/10", leg ? "one-leg-" : "", i);
            method_properties p = properties(name);
            ck_assert_msg(p.a_stable && p.order == 2, "%s", name);
            ck_assert_double_eq_tol(p.r_infinity, i / 10.0, 1e-14);
            ck_assert(p.l_stable == (i == 0));
            check_orders(name, 2, p.index1, leg && i == 10 ? (int[]){0, 0} : (int[]){2, 2});
            check_orders(name, 2, p.index2, i == 10 ? (int[]){0, 0} : (int[]){2, 2});
        }
        method *m = create(name);
        m->multistep->beta[2] -= (quad)1e-3; /* moves the locus beyond the imaginary axis */
        m->multistep->beta[1] += (quad)2e-3;
        m->multistep->beta[0] -= (quad)1e-3;
        ck_assert_msg(i < 10 || !properties_of(m).a_stable, "%s", name);
        method_free(m);
    }
}
END_TEST

/* Three steps, the roots of sigma inside the unit circle. */
static method_multistep random_formula(uint64_t *state)
{
    quad a = (quad)scatter(state), b = (quad)scatter(state), c = (quad)scatter(state);
    method_multistep f = {.steps = 3, .beta = {-a * b * c, a * b + b * c + c * a, -a - b - c, 1}};
    for (int j = 0; j < 3; j++) f.alpha[j] = (quad)(0.4 * scatter(state)) + f.beta[j];
    f.alpha[3] = 1;
    return f;
}

/* The smallest Re(rho conj(sigma)) on the unit circle. */
static double least_real_part(const method_multistep *f)
{
    enum { POINTS = 4000 };
    double least = HUGE_VAL;
    for (int i = 0; i <= POINTS; i++) {
        double sum = 0, theta = acos(-1.0) * i / POINTS;
        for (int j = 0; j <= f->steps; j++)
            for (int k = 0; k <= f->steps; k++)
                sum += (double)(f->alpha[j] * f->beta[k]) * cos((j - k) * theta);
        least = fmin(least, sum);
    }
    return least;
}

START_TEST(a_stability_is_decided_as_on_the_circle)
{
    int stable = 0, unstable = 0;
    uint64_t state = 11;
    for (int i = 0; i < 300; i++) {
        method_multistep f = random_formula(&state);
        double least = least_real_part(&f);
        if (fabs(least) < 1e-4) continue;
        ck_assert(characteristic_is_a_stable(&f) == (least > 0));
        stable += least > 0;
        unstable += least < 0;
    }
    ck_assert_int_gt(stable, 20);
    ck_assert_int_gt(unstable, 20);
}
END_TEST

static double radius_at(const characteristic *of, double re, double im)
{
    root_problem p = {0};
    characteristic_at(of, re, im, &p);
    roots_find(&p);
    return p.count < of->steps ? HUGE_VAL : roots_radius(&p);
}

static void margin_reports_what_roots_report(method *m)
{
    characteristic of;
    uint64_t state = 5;
    characteristic_find(m, &of);
    for (int i = 0; i < 40; i++) {
        double x = 4 * scatter(&state), y = 4 * scatter(&state);
        double radius = radius_at(&of, x, y), margin = characteristic_margin(&of, x, y);
        if (fabs(radius - 1) > 1e-6)
            ck_assert_msg((margin > 0) == (radius < 1), "%s at %g, %g: %g, %g", m->name, x, y,
                          margin, radius);
    }
}

START_TEST(schur_and_the_roots_agree)
{
    every_formula(margin_reports_what_roots_report);
}
END_TEST

/* --- frequencies --- */

/* x_(k+1) - 2 x_k + x_(k-1) = h^2 x''_(k+1) on x'' = -omega^2 x: both roots have the modulus
 * 1 / sqrt(1 + h^2 omega^2), that of implicit Euler on (x, x'). */
START_TEST(forward_second_differences)
{
    enum { POINTS = 20 };
    method *m = create("forward-second-differences");
    method_frequency at[POINTS];
    method_frequencies(m, 0.01, 10, POINTS, at);
    for (int i = 0; i < POINTS; i++) {
        quad w = (quad)at[i].omega;
        root_problem p = {.degree = 2, .coefficient = {{1, 0}, {-2, 0}, {1 + w * w, 0}}};
        roots_find(&p);
        double expected = 1 / sqrt(1 + at[i].omega * at[i].omega);
        ck_assert_double_eq_tol(at[i].radius, expected, 1e-15);
        for (int k = 0; k < 2; k++)
            ck_assert_double_eq_tol(complex_modulus(p.root[k]), expected, 1e-15);
        ck_assert_double_eq_tol(at[i].phase, atan(at[i].omega) / at[i].omega - 1, 1e-14);
    }
    ck_assert_double_eq_tol(at[0].omega, 0.01, 1e-17);
    ck_assert_double_eq(at[POINTS - 1].omega, 10);
    method_free(m);
}
END_TEST

/* For small omega h the factor is e^(i omega h) less C (i omega h)^(p+1). */
static void principal_root_is_near_the_exponential(method *m)
{
    const double first = 0.05;
    method_frequency at[2];
    method_frequencies(m, first, 2 * first, 2, at);
    double order = multistep_order(m->multistep), error[2];
    if (m->multistep->one_leg) order = m->multistep->steps > 2 ? m->multistep->steps + 1 : 2;
    for (int k = 0; k < 2; k++) {
        double turn = at[k].omega * at[k].phase;
        error[k] = hypot(at[k].modulus - 1, turn);
        ck_assert_double_ge(at[k].radius, at[k].modulus);
    }
    ck_assert_msg(error[1] < 1e-13 || log2(error[1] / error[0]) > order + 0.7, "%s: %g, %g",
                  m->name, error[0], error[1]);
}

START_TEST(principal_roots)
{
    every_formula(principal_root_is_near_the_exponential);
}
END_TEST

/* |R| = 1, and a phase that is still right after a whole turn. */
START_TEST(phases_go_on_beyond_a_turn)
{
    method_frequency at[2];
    method *m = create("gauss5");
    method_frequencies(m, 1, 7, 2, at);
    ck_assert_double_eq_tol(at[1].modulus, 1, 1e-14);
    ck_assert_double_lt(fabs(at[1].phase), 1e-2);
    method_free(m);
}
END_TEST

START_TEST(dissipation_at_high_frequencies_is_the_one_asked_for)
{
    method_frequency at[2];
    method *m = create("two-step:rho_inf=0.6");
    method_frequencies(m, 1, 1e4, 2, at);
    ck_assert_double_eq_tol(at[1].radius, 0.6, 0.02);
    method_free(m);
}
END_TEST

UNIT_MAIN("method/characteristic", 60, angles_of_stability, angles_of_modified_extended_bdf,
          the_tuned_two_step_family, a_stability_is_decided_as_on_the_circle,
          schur_and_the_roots_agree, forward_second_differences, principal_roots,
          phases_go_on_beyond_a_turn, dissipation_at_high_frequencies_is_the_one_asked_for)
