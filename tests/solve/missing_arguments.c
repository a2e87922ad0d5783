/* Handles, forms, names, texts and outputs that are NULL: each public function answers with a
 * status, NULL or nothing, and a handle that was right stays so. */
#include "solve/equations.h"
#include "solve/models.h"

static int receive(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

static int watch(double t, void *user)
{
    (void)t, (void)user;
    return 0;
}

START_TEST(no_problem)
{
    ck_assert_int_eq(dae_problem_status(NULL), DAE_USAGE);
    ck_assert_int_eq(dae_problem_set(NULL, "x", "1"), DAE_USAGE);
    ck_assert_ptr_null(dae_problem_message(NULL));
    ck_assert_ptr_null(dae_problem_notes(NULL));
    ck_assert_uint_eq(dae_problem_size(NULL), 0);
    ck_assert_ptr_null(dae_problem_variable(NULL, 0));
    ck_assert_ptr_null(dae_problem_unit(NULL, 0));
    ck_assert(dae_problem_find(NULL, "x") == (size_t)-1);
    ck_assert_ptr_null(dae_problem_nearest(NULL, "x"));
    ck_assert_uint_eq(dae_problem_select(NULL, "x", NULL), 0);
    ck_assert(!dae_problem_is_discrete(NULL, 0));
    dae_experiment e = dae_problem_experiment(NULL);
    ck_assert(!e.has_start && !e.has_stop && !e.has_tolerance && !e.has_interval);
    dae_problem_free(NULL);
    dae_description *d = dae_describe(NULL, 0);
    ck_assert(!d || d->status != DAE_OK);
    dae_description_free(d);
    dae_description_free(NULL);
}
END_TEST

START_TEST(no_solver)
{
    const dae_times times = {.count = 2, .last = 1};
    double y[2] = {0};
    ck_assert_int_eq(dae_solver_start(NULL, 0, NULL), DAE_USAGE);
    ck_assert_int_eq(dae_solver_start_with(NULL, 0, y, y), DAE_USAGE);
    ck_assert_int_eq(dae_solver_run(NULL, 1), DAE_USAGE);
    ck_assert_int_eq(dae_solver_step(NULL, 1), DAE_USAGE);
    ck_assert_int_eq(dae_solver_at(NULL, 0, y, NULL), DAE_USAGE);
    ck_assert_int_eq(dae_solver_output(NULL, &times, receive, NULL), DAE_USAGE);
    ck_assert_int_eq(dae_solver_status(NULL), DAE_USAGE);
    ck_assert(isnan(dae_solver_time(NULL)));
    ck_assert_ptr_null(dae_solver_stats(NULL));
    ck_assert_ptr_null(dae_solver_message(NULL));
    ck_assert_ptr_null(dae_solver_notes(NULL));
    dae_solver_watch(NULL, watch, NULL);
    dae_solver_watch_start(NULL, watch, NULL);
    dae_solver_free(NULL);
}
END_TEST

static void is_refused(dae_problem *p, const char *said)
{
    ck_assert_ptr_nonnull(p);
    ck_assert_int_eq(dae_problem_status(p), DAE_USAGE);
    ck_assert_msg(strstr(dae_problem_message(p), said), "%s", dae_problem_message(p));
    ck_assert_uint_eq(dae_problem_size(p), 0);
    dae_solver *s = dae_solver_create(p, NULL);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_USAGE);
    dae_solver_free(s);
    dae_problem_free(p);
}

START_TEST(no_form_and_no_text)
{
    is_refused(dae_problem_residual(NULL), "form");
    is_refused(dae_problem_mass(NULL), "form");
    is_refused(dae_problem_semi_explicit(NULL), "form");
    is_refused(dae_problem_linear(NULL), "form");
    is_refused(dae_problem_invariant(NULL), "form");
    is_refused(dae_problem_mechanical(NULL), "form");
    is_refused(dae_problem_read(NULL), "missing");
    is_refused(dae_problem_parse("m.mo", NULL, 10), "missing");
}
END_TEST

START_TEST(no_names)
{
    dae_problem *p = dae_problem_parse(NULL, DECAY, strlen(DECAY));
    ck_assert_int_eq(dae_problem_status(p), DAE_OK);
    ck_assert(dae_problem_find(p, NULL) == (size_t)-1);
    ck_assert_ptr_null(dae_problem_nearest(p, NULL));
    ck_assert_uint_eq(dae_problem_select(p, NULL, NULL), 0);
    ck_assert_int_eq(dae_problem_set(p, NULL, "1"), DAE_USAGE);
    dae_problem_free(p);
    p = problem_of(DECAY);
    ck_assert_int_eq(dae_problem_set(p, "x", NULL), DAE_USAGE);
    dae_problem_free(p);
}
END_TEST

START_TEST(no_room_for_values)
{
    const dae_times times = {.count = 2, .last = 1};
    double y[1];
    dae_solver *s = solver_of(DECAY, NULL);
    is_ok(s, dae_solver_run(s, 1));
    ck_assert_int_eq(dae_solver_at(s, 1, NULL, NULL), DAE_USAGE);
    is_ok(s, dae_solver_at(s, 1, y, NULL)); /* stays usable */
    is_ok(s, dae_solver_output(s, NULL, NULL, NULL));
    ck_assert_int_eq(dae_solver_output(s, &times, NULL, NULL), DAE_USAGE);
    is_said(s, "receiver");
    dae_solver_free(s);
}
END_TEST

UNIT_MAIN("solve/missing_arguments", 20, no_problem, no_solver, no_form_and_no_text, no_names,
          no_room_for_values)
