/* Structural methods: their numbers are those of their authors, and what follows from them is what
 * the literature says. */
#include "method/structural.h"
#include "method/catalogue.h"
#include "method/methods.h"

#include <math.h>
#include <string.h>

/* Chung & Hulbert 1993, (25) and (27); Hilber, Hughes & Taylor 1977; radii at infinity of HHT:
 * (1 + alpha) / (1 - alpha). */
static const struct numbers {
    const char *name;
    int order, uncorrected;
    double number[5];                /* alpha_m, alpha_f, beta, gamma, delta */
    double r_infinity, limit;        /* of omega h without damping */
    int positions[2], velocities[2]; /* orders with constraints of these: motion, multipliers */
} rows[] = {
    {"newmark", 2, 2, {0, 0, 0.25, 0.5, 0}, 1, HUGE_VAL, {2, NONE}, {2, NONE}},
    {"newmark:alpha=3/4,beta=25/64",
     1,
     1,
     {0, 0, 0.390625, 0.75, 0},
     0.6,
     HUGE_VAL,
     {1, 1},
     {1, 1}},
    {"newmark:alpha=1/2,beta=1/8",
     2,
     2,
     {0, 0, 0.125, 0.5, 0},
     5.828427124746190,
     2.828427124746190,
     {NONE, NONE},
     {2, NONE}},
    {"central-difference", 2, 2, {0, 0, 0, 0.5, 0}, HUGE_VAL, 2, {NONE, NONE}, {2, NONE}},
    {"fox-goodwin",
     2,
     2,
     {0, 0, 1 / 12.0, 0.5, 0},
     9.898979485566356,
     2.449489742783178,
     {NONE, NONE},
     {2, NONE}},
    {"fox-goodwin:corrected=1",
     4,
     2,
     {0, 0, 1 / 12.0, 0.5, 1 / 12.0},
     9.898979485566356,
     2.449489742783178,
     {NONE, NONE},
     {2, NONE}},
    {"linear-acceleration",
     2,
     2,
     {0, 0, 1 / 6.0, 0.5, 0},
     3.732050807568877,
     3.464101615137755,
     {NONE, NONE},
     {2, NONE}},
    {"hht:alpha=0", 2, 2, {0, 0, 0.25, 0.5, 0}, 1, HUGE_VAL, {2, NONE}, {2, NONE}},
    {"hht:alpha=-0.3", 2, 2, {0, 0.3, 0.4225, 0.8, 0}, 7 / 13.0, HUGE_VAL, {2, 2}, {2, 2}},
    {"generalized-alpha:rho_inf=0", 2, 2, {-1, 0, 1, 1.5, 0}, 0, HUGE_VAL, {2, 2}, {2, 2}},
    {"generalized-alpha:rho_inf=0.5",
     2,
     2,
     {0, 1 / 3.0, 4 / 9.0, 5 / 6.0, 0},
     0.5,
     HUGE_VAL,
     {2, 2},
     {2, 2}},
    {"generalized-alpha:rho_inf=1",
     2,
     2,
     {0.5, 0.5, 0.25, 0.5, 0},
     1,
     HUGE_VAL,
     {2, NONE},
     {2, NONE}},
};

enum { ROWS = sizeof rows / sizeof *rows };

static void near(const char *name, const char *what, double found, double wanted)
{
    ck_assert_msg(found == wanted || fabs(found - wanted) <= 1e-12 * (1 + fabs(wanted)),
                  "%s, %s: %.17g instead of %.17g", name, what, found, wanted);
}

START_TEST(rows_are_what_is_published)
{
    for (int k = 0; k < ROWS; k++) {
        const struct numbers *e = &rows[k];
        method *m = create(e->name);
        const method_structural *s = m->structural;
        method_properties p = properties_of(m);
        const quad number[] = {s->alpha_m, s->alpha_f, s->beta, s->gamma, s->delta};
        for (int i = 0; i < 5; i++) near(e->name, "numbers", (double)number[i], e->number[i]);
        near(e->name, "radius", p.r_infinity, e->r_infinity);
        near(e->name, "limit", structural_limit(s, 0), e->limit);
        ck_assert_msg(p.order == e->order && structural_order(s, false) == e->uncorrected,
                      "%s: %d, %d", e->name, p.order, structural_order(s, false));
        ck_assert_msg(p.a_stable == isinf(e->limit) && p.l_stable == (e->r_infinity == 0), "%s",
                      e->name);
        check_orders(e->name, 2, (int[]){p.index3[0], p.index3[2]}, e->positions);
        check_orders(e->name, 2, p.index2, e->velocities);
        check_orders(e->name, 2, p.index1, (int[]){e->uncorrected, e->uncorrected});
        method_free(m);
    }
}
END_TEST

/* A digit that is wrong costs the order; fox-goodwin keeps the second. */
START_TEST(a_wrong_digit_costs_the_order)
{
    for (int k = 0; k < ROWS; k++) {
        method *m = create(rows[k].name);
        int before = structural_order(m->structural, true);
        m->structural->gamma += (quad)1e-6;
        int after = structural_order(m->structural, true);
        ck_assert_msg(after == 1, "%s: %d", m->name, after);
        m->structural->gamma -= (quad)1e-6;
        m->structural->beta += (quad)1e-6;
        ck_assert_int_eq(structural_order(m->structural, true), before < 2 ? before : 2);
        method_free(m);
    }
}
END_TEST

/* Hughes 1987, (9.1.29), held against the factors on both sides of the limit. */
START_TEST(the_limit_with_damping_is_that_of_hughes)
{
    static const double set[][2] = {{0.5, 1 / 12.0}, {0.5, 0}, {0.6, 0.2}, {0.75, 0.1}, {1, 0.3}};
    for (size_t k = 0; k < sizeof set / sizeof *set; k++)
        for (double xi = 0; xi <= 1; xi += 0.25) {
            method_structural s = {.gamma = (quad)set[k][0], .beta = (quad)set[k][1]};
            double bend = set[k][0] / 2 - set[k][1], excess = xi * (set[k][0] - 0.5);
            double hughes = (excess + sqrt(bend + excess * excess)) / bend;
            near("newmark", "limit", structural_limit(&s, xi), hughes);
            ck_assert_double_le(structural_radius(&s, 0.9999 * hughes, xi), 1 + 1e-12);
            ck_assert_double_gt(structural_radius(&s, 1.0001 * hughes, xi), 1 + 1e-5);
        }
}
END_TEST

/* Too small a gamma: negative damping, unless the equations have as much of their own. Newmark
 * 1959: it is (gamma - 1/2) omega h / 2 beyond that of the motion. */
START_TEST(too_small_a_gamma_is_stable_with_damping_alone)
{
    method_structural s = {.gamma = (quad)2 / 5, .beta = (quad)1 / 4};
    ck_assert_double_eq(structural_limit(&s, 0), 0);
    double limit = structural_limit(&s, 0.01);
    ck_assert_double_eq_tol(limit, 0.2, 2e-3); /* 2 xi / (1/2 - gamma) */
    ck_assert_double_le(structural_radius(&s, 0.999 * limit, 0.01), 1 + 1e-12);
    ck_assert_double_gt(structural_radius(&s, 1.001 * limit, 0.01), 1);
}
END_TEST

/* Of Newmark's formulas with gamma = 1/2: cos(phase) = 1 - w^2 / (2 (1 + beta w^2)), no damping. */
START_TEST(phase_over_frequency)
{
    enum { COUNT = 12 };
    method_frequency at[COUNT];
    for (int k = 0; k < ROWS; k++) {
        if (rows[k].number[3] != 0.5 || rows[k].number[0] != 0) continue;
        method *m = create(rows[k].name);
        method_frequencies(m, 0.01, 1.9, COUNT, at);
        for (int i = 0; i < COUNT; i++) {
            double w = at[i].omega, c = 1 - w * w / (2 * (1 + rows[k].number[2] * w * w));
            ck_assert_double_eq_tol(at[i].radius, 1, 1e-15);
            ck_assert_double_eq_tol(at[i].modulus, 1, 1e-15);
            ck_assert_double_eq_tol(at[i].phase, acos(c) / w - 1, 1e-10);
        }
        method_free(m);
    }
}
END_TEST

/* The accelerations a_0 and a_1 to which the method settles on the motion t^power / power!, steps
 * of 1 from long before 0. */
static void settle(const method_structural *s, int power, double *a)
{
    const double mass = (double)s->alpha_m, force = (double)s->alpha_f;
    const int order = power - 2;
    a[0] = a[1] = 0;
    for (int n = -60; n <= 0; n++) {
        double now = pow(n, order) / order, next = pow(n + 1, order) / order;
        a[0] = a[1];
        a[1] = ((1 - force) * next + force * now - mass * a[0]) / (1 - mass);
    }
}

/* From exact values at 0 on motions with q''' = 1, and with q'''' = 1. */
START_TEST(errors_of_a_step)
{
    for (int k = 0; k < ROWS; k++) {
        if (fabs(rows[k].number[0]) > 0.4) continue; /* does not settle */
        method *m = create(rows[k].name);
        const method_structural *s = m->structural;
        double position, velocity, a[2], beta = (double)s->beta, gamma = (double)s->gamma;
        structural_errors(s, &position, &velocity);
        settle(s, 3, a);
        near(m->name, "position", position, 1 / 6.0 - (0.5 - beta) * a[0] - beta * a[1]);
        settle(s, 4, a);
        near(m->name, "velocity", velocity, 1 / 6.0 - (1 - gamma) * a[0] - gamma * a[1]);
        method_free(m);
    }
}
END_TEST

START_TEST(several_parameters)
{
    static const char *const wrong[][2] = {
        {"newmark:gamma=1/2", "newmark has the parameters alpha, beta, given as in "
                              "newmark:alpha=1/2,beta=1/4"},
        {"newmark:alpha=1/2,alpha=1/2", "newmark has the parameters alpha, beta"},
        {"newmark:alpha=3", "alpha is not in [0,2]"},
        {"newmark:beta=1/4,", "newmark has the parameters"},
        {"newmark:beta=1/4;alpha=1", "the value does not end where it should"},
        {"hht:alpha=1/10", "alpha is not in [-1/3,0]"},
        {"central-difference:beta=0", "has no parameters"},
    };
    method *m = create("newmark: beta = 0.3"), *again = create(m->name);
    ck_assert_str_eq(m->name, "newmark:beta=0.3,alpha=1/2");
    ck_assert_str_eq(again->name, m->name);
    ck_assert((double)again->structural->beta == 0.3 && again->structural->gamma == (quad)1 / 2);
    method_free(again);
    method_free(m);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        message said = {0};
        ck_assert_msg(method_create(&m, wrong[k][0], &said) == DAE_USAGE, "%s", wrong[k][0]);
        ck_assert_msg(strstr(message_string(&said), wrong[k][1]), "%s", message_string(&said));
        message_free(&said);
    }
}
END_TEST

UNIT_MAIN("method/structural", 20, rows_are_what_is_published, a_wrong_digit_costs_the_order,
          the_limit_with_damping_is_that_of_hughes, too_small_a_gamma_is_stable_with_damping_alone,
          phase_over_frequency, errors_of_a_step, several_parameters)
