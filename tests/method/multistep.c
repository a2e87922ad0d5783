/* What follows from the numbers of multistep methods is what the literature says of them, and
 * changes with the numbers. */
#include "method/multistep.h"

#include "method/characteristic.h"
#include "method/formula.h"
#include "method/frequency.h"
#include "method/methods.h"

#include <math.h>
#include <stdio.h>

static method_properties properties(const char *name)
{
    method *m = create(name);
    method_properties found = properties_of(m);
    method_free(m);
    return found;
}

static method_multistep formula(const char *lines)
{
    method_multistep f = {0};
    definitions names = {0};
    ck_assert_ptr_null(formula_read(&f, lines, &names));
    return f;
}

static void every_formula(void (*check)(method *m))
{
    int rows = 0;
    for (size_t i = 0; method_row_at(i); i++) {
        if (!method_row_at(i)->formula) continue;
        method *m = create(method_row_at(i)->name);
        check(m);
        method_free(m);
        rows++;
    }
    ck_assert_int_ge(rows, 30);
}

/* --- roots --- */

/* 4 (x - 1/2)^2 (x + 2) x, whose two highest coefficients are 0, and x^2 - i. */
START_TEST(simple_double_and_zero_roots_are_found)
{
    const double root[] = {0, 0.5, 0.5, -2};
    root_problem p = {.degree = 6, .coefficient = {{0, 0}, {2, 0}, {-7, 0}, {4, 0}, {4, 0}}};
    roots_find(&p);
    ck_assert_int_eq(p.count, 4);
    for (int i = 0; i < 4; i++) {
        int hits = 0;
        for (int k = 0; k < 4; k++)
            hits += hypot((double)p.root[k].re - root[i], (double)p.root[k].im) < 1e-15;
        ck_assert_int_eq(hits, root[i] == 0.5 ? 2 : 1);
    }
    ck_assert_double_eq_tol(roots_radius(&p), 2, 1e-30);
    root_problem turned = {.degree = 2, .coefficient = {{0, -1}, {0, 0}, {1, 0}}};
    roots_find(&turned);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(fabs((double)turned.root[k].re + (double)turned.root[k].im),
                                sqrt(2), 1e-15);
}
END_TEST

START_TEST(roots_at_infinity)
{
    /* of the trapezoidal rule x + 1 */
    method_multistep trapezoid = formula("alpha | -1 1; beta | ? ?;");
    ck_assert_double_eq(multistep_radius(&trapezoid, MULTISTEP_SIGMA), 1);
    /* 5 x^2 + 8 x - 1 = 0 */
    ck_assert_double_eq_tol(properties("adams-moulton2").r_infinity, (8 + sqrt(84)) / 10, 1e-15);
    ck_assert_double_eq_tol(properties("milne").r_infinity, 2 + sqrt(3), 1e-15);
    ck_assert_double_eq(properties("bdf6").r_infinity, 0);
    ck_assert(isinf(properties("adams-bashforth3").r_infinity));
}
END_TEST

/* --- order, zero-stability, barriers --- */

/* Hairer, Norsett & Wanner I, Sec. III.2: -1/(k+1) of BDF, gamma_k of the Adams methods. */
START_TEST(error_constants)
{
    static const struct {
        const char *name;
        double constant;
    } known[] = {
        {"bdf2", -1.0 / 3},
        {"bdf3", -1.0 / 4},
        {"bdf4", -1.0 / 5},
        {"bdf5", -1.0 / 6},
        {"bdf6", -1.0 / 7},
        {"adams-bashforth2", 5.0 / 12},
        {"adams-bashforth3", 3.0 / 8},
        {"adams-bashforth4", 251.0 / 720},
        {"adams-bashforth5", 95.0 / 288},
        {"adams-bashforth6", 19087.0 / 60480},
        {"adams-moulton2", -1.0 / 24},
        {"adams-moulton3", -19.0 / 720},
        {"adams-moulton4", -3.0 / 160},
        {"adams-moulton5", -863.0 / 60480},
        {"milne", -1.0 / 180},
        {"two-step:rho_inf=1", -1.0 / 12},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_double_eq_tol(properties(known[i].name).error_constant, known[i].constant, 1e-16);
}
END_TEST

static void stays_below_the_barriers(method *m)
{
    method_properties p = properties_of(m);
    ck_assert_msg(p.zero_stable, "%s", m->name);
    if (p.barrier != METHOD_NO_ORDER) ck_assert_msg(p.order <= p.barrier, "%s", m->name);
    ck_assert_msg(!p.a_stable || p.order <= 2, "%s", m->name);
    ck_assert(p.l_stable == (p.a_stable && p.r_infinity == 0));
    ck_assert(p.a_stable == (p.alpha_degrees == 90));
}

/* Dahlquist 1956 and 1963: Adams-Moulton with an odd number of steps and Milne's method, with an
 * even one, are of the highest order that there is; explicit Adams methods as well. */
START_TEST(dahlquists_barriers)
{
    const char *const meet[] = {"milne",  "adams-moulton3",   "adams-moulton5", "dcbdf1",
                                "dcbdf3", "adams-bashforth2", "dcbdf5",         "adams-bashforth6"};
    every_formula(stays_below_the_barriers);
    for (size_t i = 0; i < sizeof meet / sizeof *meet; i++) {
        method_properties p = properties(meet[i]);
        ck_assert_msg(p.order == p.barrier, "%s", meet[i]);
    }
    ck_assert_int_eq(properties("bdf2").barrier, 4);
    ck_assert_int_eq(properties("bdf3").barrier, 4);
    /* of order 2 k - 1, beyond the barrier: roots 1 and 5 of rho (Dahlquist's example) */
    method_multistep unstable = formula("alpha | ? ? 1; beta | ? ? 0;");
    ck_assert_int_eq(multistep_order(&unstable), 3);
    ck_assert(!multistep_is_zero_stable(&unstable));
    ck_assert_double_eq_tol(multistep_radius(&unstable, MULTISTEP_RHO), 5, 1e-15);
    /* a double root of rho on the unit circle */
    method_multistep twice = formula("alpha | 1 -2 1; beta | 0 0 0;");
    ck_assert(!multistep_is_zero_stable(&twice));
}
END_TEST

/* Cryer 1972: BDF is zero-stable for k <= 6 only. */
START_TEST(bdf_of_seven_steps_is_unstable)
{
    const char *const names[] = {"bdf2", "bdf3", "bdf4", "bdf5", "bdf6"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert(properties(names[i]).zero_stable);
    method_multistep seven = formula("alpha | ? ? ? ? ? ? ? ?; beta | 0 0 0 0 0 0 0 1;");
    ck_assert_int_eq(multistep_order(&seven), 7);
    ck_assert(!multistep_is_zero_stable(&seven));
    method_multistep eight = formula("alpha | ? ? ? ? ? ? ? ? ?; beta | 0 0 0 0 0 0 0 0 1;");
    ck_assert(!multistep_is_zero_stable(&eight));
}
END_TEST

static void each_coefficient_counts(method *m)
{
    method_multistep *f = m->multistep;
    int before = multistep_order(f);
    for (int j = 0; j <= f->steps; j++) {
        quad *each[] = {&f->alpha[j], &f->beta[j]};
        for (int k = 0; k < 2; k++) {
            *each[k] += (quad)1e-6;
            ck_assert_msg(multistep_order(f) < (k ? 2 : 1) && multistep_order(f) < before,
                          "%s: coefficient %d", m->name, j);
            *each[k] -= (quad)1e-6;
        }
        if (!f->blocked) continue;
        f->gamma[j] += (quad)1e-6;
        ck_assert_int_eq(multistep_blocker_order(f), 0);
        f->gamma[j] -= (quad)1e-6;
    }
}

START_TEST(a_wrong_digit_costs_the_order)
{
    every_formula(each_coefficient_counts);
}
END_TEST

/* --- stability --- */

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

static double radius_at(const characteristic *of, double re, double im)
{
    root_problem p = {0};
    characteristic_at(of, re, im, &p);
    roots_find(&p);
    return p.count < of->steps ? HUGE_VAL : roots_radius(&p);
}

static void margin_tells_what_roots_tell(method *m)
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
    every_formula(margin_tells_what_roots_tell);
}
END_TEST

/* --- DAEs --- */

/* Hairer & Wanner II, Secs. VI.2 and VII.3; Arevalo, Fuhrer & Soderlind, BIT 36 (1996) 1. */
START_TEST(orders_on_daes)
{
    static const struct {
        const char *name;
        int index1[2], index2[2], index3[3];
    } known[] = {
        {"bdf2", {2, 2}, {2, 2}, {2, 2, 2}},
        {"bdf6", {6, 6}, {6, 6}, {6, 6, 6}},
        {"adams-bashforth3", {0, 0}, {0, 0}, {0, 0, 0}},
        {"adams-moulton2", {3, 3}, {0, 0}, {0, 0, 0}},
        {"milne", {4, 4}, {0, 0}, {0, 0, 0}},
        {"one-leg-adams-moulton3", {0, 0}, {0, 0}, {0, 0, 0}},
        {"two-step:rho_inf=0", {2, 2}, {2, 2}, {2, 2, 2}},
        {"two-step:rho_inf=0.9", {2, 2}, {2, 2}, {0, 0, 0}},
        {"dcbdf1", {2, 2}, {2, 1}, {0, 0, 0}},
        {"dcbdf4", {5, 5}, {5, 4}, {0, 0, 0}},
        {"dcbdf4-unblocked", {5, 5}, {0, 0}, {0, 0, 0}},
        {"blocked-adams-moulton2", {3, 3}, {3, 2}, {0, 0, 0}},
        {"blocked-adams-moulton3", {4, 4}, {4, 3}, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        method_properties p = properties(known[i].name);
        check_orders(known[i].name, 2, p.index1, known[i].index1);
        check_orders(known[i].name, 2, p.index2, known[i].index2);
        check_orders(known[i].name, 3, p.index3, known[i].index3);
    }
}
END_TEST

static double blocked_radius(method *m, quad change)
{
    for (int j = 0; j <= m->multistep->steps; j++) m->multistep->gamma[j] *= 1 + change;
    double radius = multistep_radius(m->multistep, MULTISTEP_SIGMA_LESS_TAU);
    for (int j = 0; j <= m->multistep->steps; j++) m->multistep->gamma[j] /= 1 + change;
    return radius;
}

/* With tau = c nabla^k no other c has smaller roots; of four steps no c has all inside. */
START_TEST(blockers_are_the_best_of_their_kind)
{
    const double radius[] = {0, 1.0 / 3, 0.673273};
    for (int k = 1; k <= 3; k++) {
        char name[40];
        snprintf(name, sizeof name, "blocked-adams-moulton%d", k);
        method *m = create(name);
        ck_assert_double_eq_tol(blocked_radius(m, 0), radius[k - 1], 1e-6);
        for (int i = 1; i <= 40; i++) {
            ck_assert_double_gt(blocked_radius(m, (quad)0.02 * i), radius[k - 1]);
            ck_assert_double_gt(blocked_radius(m, (quad)-0.02 * i), radius[k - 1]);
        }
        method_free(m);
    }
    for (int i = -300; i <= 300; i++) {
        method_multistep f = formula("alpha | 0 0 0 -1 1; beta | ? ? ? ? ?; gamma | 1 -4 6 -4 1;");
        for (int j = 0; j <= 4; j++) f.gamma[j] *= (quad)i / 100;
        ck_assert_double_gt(multistep_radius(&f, MULTISTEP_SIGMA_LESS_TAU), 1);
    }
}
END_TEST

/* Difference correction makes sigma unstable; the blocked one leaves the algebraic variables
 * sigma - tau = x^k. */
START_TEST(difference_correction_is_stable_only_where_blocked)
{
    for (int k = 2; k <= 5; k++) {
        char name[40];
        snprintf(name, sizeof name, "dcbdf%d-unblocked", k);
        method *m = create(name);
        double w = pow(k + 1, -1.0 / k); /* (x / (x - 1))^k = 1 / (k + 1) */
        ck_assert_double_eq_tol(properties_of(m).r_infinity, w / (1 - w), 1e-14);
        method_free(m);
        snprintf(name, sizeof name, "dcbdf%d", k);
        m = create(name);
        ck_assert_double_eq(multistep_radius(m->multistep, MULTISTEP_SIGMA_LESS_TAU), 0);
        ck_assert_int_eq(multistep_blocker_order(m->multistep), k);
        method_free(m);
    }
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

START_TEST(dissipation_at_high_frequencies_is_the_one_asked_for)
{
    method_frequency at[2];
    method *m = create("two-step:rho_inf=0.6");
    method_frequencies(m, 1, 1e4, 2, at);
    ck_assert_double_eq_tol(at[1].radius, 0.6, 0.02);
    method_free(m);
}
END_TEST

UNIT_MAIN("method/multistep", 60, simple_double_and_zero_roots_are_found, roots_at_infinity,
          error_constants, dahlquists_barriers, bdf_of_seven_steps_is_unstable,
          a_wrong_digit_costs_the_order, angles_of_stability, angles_of_modified_extended_bdf,
          the_tuned_two_step_family, schur_and_the_roots_agree, orders_on_daes,
          blockers_are_the_best_of_their_kind, difference_correction_is_stable_only_where_blocked,
          forward_second_differences, principal_roots,
          dissipation_at_high_frequencies_is_the_one_asked_for)
