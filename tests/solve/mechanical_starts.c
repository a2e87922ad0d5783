/* Where a mechanical system begins, and what is said of one that cannot. */
#include "base/unit.h"
#include "solve/models.h"
#include "solve/rod.h"
#include "zoo/mechanical.h"
#include "zoo/mechanical_chain.h"

#include <daedal/forms.h>

static void expect(dae_solver *s, dae_status status, const char *part, const char *other)
{
    const char *said = dae_solver_message(s);
    ck_assert_msg(dae_solver_status(s) == status && strstr(said, part) && strstr(said, other),
                  "%s: %s", dae_status_word(dae_solver_status(s)), said);
    dae_solver_free(s);
}

START_TEST(what_is_not_given_is_found)
{
    rod r = {.square = 1, .inertia_until = EVER, .weight_until = EVER};
    const double none = (double)NAN;
    const double start[7] = {0.6, none, 0, none, 0.5, 1, none};
    double y[7], yp[7];
    dae_solver *s = solver_of_rod(&r, NULL);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
    ck_assert_int_eq(dae_solver_at(s, 0, y, yp), DAE_OK);
    ck_assert_double_eq(y[0], 0.6); /* held as given */
    ck_assert_double_eq_tol(fabs(y[1]), 0.8, 1e-14);
    ck_assert_double_eq_tol(y[0] * y[3] + y[1] * y[4], 0, 1e-14);
    ck_assert_double_eq(y[4], 0.5);
    ck_assert_double_eq_tol(yp[5], -1, 1e-14);
    /* tension: 2 lambda (x^2 + y^2) = -(v^2 - 9.81 y) */
    ck_assert_double_eq_tol(y[6], -(y[3] * y[3] + y[4] * y[4] - 9.81 * y[1]) / 2, 1e-13);
    ck_assert_int_eq(strlen(dae_solver_notes(s)), 0);
    dae_solver_free(s);
}
END_TEST

START_TEST(what_has_changed_is_reported)
{
    rod r = {.square = 1, .inertia_until = EVER, .weight_until = EVER};
    const double start[7] = {0, -1.01, 0, 1, 0.1, 0, 0};
    dae_solver *s = solver_of_rod(&r, NULL);
    ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
    const char *notes = dae_solver_notes(s);
    ck_assert_msg(strstr(notes, "start values changed") && strstr(notes, "y = -1 (given -1.01)") &&
                      strstr(notes, "vy = ") && !strstr(notes, "vx"),
                  "%s", notes);
    dae_solver_free(s);
}
END_TEST

START_TEST(forces_that_are_refused_are_reported)
{
    static const char *const names[] = {"elimination", "index3", "ggl", "nullspace-qr"};
    const double start[7] = {0, -1, 0, 1, 0, 0, 0};
    for (size_t k = 0; k < 4; k++) {
        dae_options o = dae_options_default();
        o.formulation = names[k];
        rod r = {.square = 1, .inertia_until = EVER, .weight_until = 0.5, .answer = 3};
        dae_solver *s = solver_of_rod(&r, &o);
        ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
        ck_assert_int_ne(dae_solver_run(s, 1), DAE_OK);
        expect(s, DAE_STEP_TOO_SMALL, "the callback force cannot", "returned 3");
        r.answer = -3;
        s = solver_of_rod(&r, &o);
        ck_assert_int_eq(dae_solver_start(s, 0, start), DAE_OK);
        ck_assert_int_ne(dae_solver_run(s, 1), DAE_OK);
        expect(s, DAE_STOPPED, "the callback force asked to stop", "returned -3");
    }
}
END_TEST

START_TEST(values_are_taken_as_they_are)
{
    rod r = {.square = 1, .inertia_until = EVER, .weight_until = EVER};
    const double y[7] = {0, -1, 0, 1, 0, 2, (-9.81 - 1) / 2};
    const double yp[7] = {1, 0, 2, 0, 1, -1, 0};
    double at[7];
    dae_solver *s = solver_of_rod(&r, NULL);
    ck_assert_msg(dae_solver_start_with(s, 0, y, yp) == DAE_OK, "%s", dae_solver_message(s));
    ck_assert_int_eq(dae_solver_at(s, 0, at, NULL), DAE_OK);
    for (int j = 0; j < 6; j++) ck_assert_double_eq(at[j], y[j]);
    dae_solver_free(s);
    const double off[7] = {1, 0, 2, 0, 1.5, -1, 0};
    s = solver_of_rod(&r, NULL);
    dae_solver_start_with(s, 0, y, off);
    expect(s, DAE_NO_START, "do not meet", "relative residual");
}
END_TEST

static void refused(const zoo_mechanical *z, const char *formulation, const char *projection,
                    dae_status status, const char *part)
{
    dae_options o = dae_options_default();
    double y[3 * ZOO_MECHANICAL_MOST];
    o.formulation = formulation;
    o.projection = projection;
    dae_problem *p = dae_problem_mechanical(&z->form);
    dae_solver *s = dae_solver_create(p, &o);
    for (size_t j = 0; j < dae_problem_size(p); j++) y[j] = (double)NAN;
    z->start(y, y + z->form.nq);
    dae_solver_start(s, 0, y);
    dae_problem_free(p);
    expect(s, status, part, "");
}

START_TEST(what_does_not_suit_is_refused)
{
    refused(&zoo_pendulum, "gll", "auto", DAE_USAGE, "nearest: \"ggl\"");
    refused(&zoo_pendulum, "dummy", "auto", DAE_USAGE, "is not known");
    refused(&zoo_pendulum, "baumgarte:zeta=1", "auto", DAE_USAGE, "zeta");
    refused(&zoo_top, "partition", "auto", DAE_UNSUPPORTED, "q' = S v");
    refused(&zoo_top, "ggl-mass", "auto", DAE_UNSUPPORTED, "take ggl");
    refused(&zoo_driven_crank, "nullspace-qr", "auto", DAE_UNSUPPORTED, "there is none");
    refused(&zoo_pendulum, "auto", "embedded", DAE_UNSUPPORTED, "embedded");
}
END_TEST

/* 40 links are 120 coordinates. */
START_TEST(large_systems_stay_sparse)
{
    static const char *const choice[][2] = {
        {"auto", "ggl"}, {"bdf", "ggl"}, {"radau-iia3", "ggl"}, {"dop853", "elimination"}};
    zoo_chain *c = zoo_chain_create(40);
    double y[320];
    zoo_chain_start(c, y, y + 120);
    for (size_t j = 240; j < 320; j++) y[j] = (double)NAN;
    for (size_t k = 0; k < 4; k++) {
        dae_options o = dae_options_default();
        o.method = choice[k][0];
        dae_problem *p = dae_problem_mechanical(&c->form);
        dae_solver *s = dae_solver_create(p, &o);
        dae_problem_free(p);
        ck_assert_int_eq(dae_solver_start(s, 0, y), DAE_OK);
        ck_assert_int_eq(dae_solver_run(s, 0.01), DAE_OK);
        ck_assert_str_eq(dae_solver_stats(s)->formulation, choice[k][1]);
        dae_solver_free(s);
    }
    zoo_chain_free(c);
}
END_TEST

/* The chain's first pin is held a second time, by a nonholonomic constraint that is its derivative.
 */
static int first_pin(double t, const double *q, double *a, void *user)
{
    (void)t;
    const zoo_chain *c = user;
    a[0] = 1;
    a[1] = -0.5 / (double)c->links * cos(q[2]);
    return 0;
}

static void expect_of_large(const char *formulation, const char *by, dae_status status,
                            const char *part)
{
    enum { LINKS = 240, N = 3 * LINKS, ALL = 2 * N + 2 * LINKS + 1 };
    static size_t start[N + 1];
    static const size_t row[2] = {0, 0};
    static double y[ALL];
    zoo_chain *c = zoo_chain_create(LINKS);
    dae_mechanical_form form = c->form;
    for (size_t j = 1; j <= N; j++) start[j] = j < 3 ? 1 : 2;
    form.nonholonomic = 1;
    form.velocity_constraint = first_pin;
    form.velocity_pattern = (dae_pattern){.layout = DAE_SPARSE, .start = start, .row = row};
    zoo_chain_start(c, y, y + N);
    for (size_t j = 2 * N; j < ALL; j++) y[j] = (double)NAN;
    dae_options o = dae_options_default();
    o.formulation = formulation;
    o.method = by;
    dae_problem *p = dae_problem_mechanical(&form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    if (dae_solver_start(s, 0, y) == DAE_OK) dae_solver_run(s, 1e-4);
    const char *reported = dae_solver_stats(s)->reasons;
    if (status == DAE_OK)
        ck_assert_msg(strstr(reported, "some of the constraints depend"), "%s", reported);
    zoo_chain_free(c);
    expect(s, status, part, "");
}

/* Which of so many depend on others is not known: no multiplier among them can be an unknown. */
START_TEST(dependent_constraints_of_large_systems_are_reported)
{
    static const char *const holding[] = {"index3", "index2",   "index1",           "baumgarte",
                                          "ggl",    "ggl-mass", "fuhrer-leimkuhler"};
    for (size_t k = 0; k < sizeof holding / sizeof *holding; k++)
        expect_of_large(holding[k], "auto", DAE_UNSUPPORTED, "depend on others");
    expect_of_large("udwadia-kalaba", "auto", DAE_UNSUPPORTED, "full matrices");
    expect_of_large("penalty", "auto", DAE_UNSUPPORTED, "full matrices");
    expect_of_large("elimination", "dop853", DAE_OK, "");
    expect_of_large("index3", "generalized-alpha", DAE_OK, "");
}
END_TEST

static dae_solver *started(const zoo_chain *c, const double *y, const char *name,
                           const char *formulation)
{
    dae_options o = dae_options_default();
    o.method = name;
    o.formulation = formulation;
    o.step = 1e-4;
    dae_problem *p = dae_problem_mechanical(&c->form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    dae_solver_start(s, 0, y);
    return s;
}

/* Of 420 links: explicit methods on elimination need none. */
START_TEST(matrices_without_zeros_are_not_made_of_large_systems)
{
    enum { LINKS = 420, NV = 3 * LINKS };
    static const char *const full[] = {"elimination",   "udwadia-kalaba", "penalty",
                                       "augmented",     "partition",      "nullspace-qr",
                                       "nullspace-svd", "zero-eigenvalue"};
    static double y[8 * LINKS];
    zoo_chain *c = zoo_chain_create(LINKS);
    zoo_chain_start(c, y, y + NV);
    for (size_t j = 2 * NV; j < 8 * LINKS; j++) y[j] = (double)NAN;
    for (size_t k = 0; k < sizeof full / sizeof *full; k++) {
        dae_solver *s = started(c, y, "radau-iia3", full[k]);
        expect(s, DAE_UNSUPPORTED, full[k], "1260 velocities and 840 constraints");
    }
    for (size_t k = 0; k < 2; k++) {
        dae_solver *s = started(c, y, k ? "adams-bashforth2" : "dop853", "auto");
        ck_assert_int_eq(dae_solver_run(s, 1e-3), DAE_OK);
        ck_assert_str_eq(dae_solver_stats(s)->formulation, "elimination");
        dae_solver_free(s);
    }
    zoo_chain_free(c);
}
END_TEST

START_TEST(other_problems_have_no_such_formulations)
{
    dae_options o = dae_options_default();
    o.formulation = "ggl";
    dae_solver *s = solver_of(OSCILLATOR, &o);
    dae_solver_start(s, 0, NULL);
    expect(s, DAE_UNSUPPORTED, "formulation ggl is one of mechanical systems", "index1");
    o.formulation = "auto";
    o.projection = "mass";
    s = solver_of(OSCILLATOR, &o);
    dae_solver_start(s, 0, NULL);
    expect(s, DAE_UNSUPPORTED, "projection mass", "coordinate");
}
END_TEST

START_TEST(start_values_can_be_set_by_name)
{
    dae_problem *p = dae_problem_mechanical(&zoo_pendulum.form);
    double y[5];
    ck_assert_uint_eq(dae_problem_size(p), 5);
    ck_assert_int_eq(dae_problem_set(p, dae_problem_variable(p, 0), "-0.6"), DAE_OK);
    ck_assert_int_eq(dae_problem_set(p, dae_problem_variable(p, 1), "-0.8"), DAE_OK);
    dae_solver *s = dae_solver_create(p, NULL);
    dae_problem_free(p);
    ck_assert_int_eq(dae_solver_start(s, 0, NULL), DAE_OK);
    ck_assert_int_eq(dae_solver_at(s, 0, y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y[0], -0.6, 1e-15);
    ck_assert_double_eq_tol(y[1], -0.8, 1e-15);
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("mechanical_starts", 60, what_is_not_given_is_found, what_has_changed_is_reported,
          forces_that_are_refused_are_reported, values_are_taken_as_they_are,
          what_does_not_suit_is_refused, large_systems_stay_sparse,
          matrices_without_zeros_are_not_made_of_large_systems,
          dependent_constraints_of_large_systems_are_reported,
          other_problems_have_no_such_formulations, start_values_can_be_set_by_name)
