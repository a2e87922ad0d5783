/* The end of a run of a model: terminal(), terminate(). */
#include "solve/models.h"
#include "solve/solver.h"

#include <math.h>
#include <stdio.h>

static const char LAST[] =
    "model M Real x(start = 1, fixed = true);\n"
    "  discrete Real last(start = 0, fixed = true), n(start = 0, fixed = true);\n"
    "equation der(x) = -x; when terminal() then last = x; end when;\n"
    "  when {sample(0, 0.5), terminal()} then n = pre(n) + 1; end when; end M;";

typedef struct rows {
    size_t count, variables;
    double t[20], y[20][3];
} rows;

static int keep(double t, const double *y, const double *yp, void *user)
{
    (void)yp;
    rows *r = user;
    ck_assert_uint_lt(r->count, 20);
    r->t[r->count] = t;
    memcpy(r->y[r->count++], y, r->variables * sizeof *y);
    return 0;
}

static dae_solver *begun(const char *model, size_t points, double stop, rows *r)
{
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of(model, &o);
    dae_times times = {.first = 0, .last = stop, .count = points};
    *r = (rows){.variables = s->simulation->n};
    ck_assert_uint_le(r->variables, 3);
    dae_solver_output(s, &times, keep, r);
    return s;
}

/* The last row is sent once more; a sample at that time is not taken once more. */
START_TEST(terminal_is_true_once)
{
    rows r;
    double y[3];
    dae_solver *s = begun(LAST, 3, 1, &r);
    is_ok(s, dae_solver_run(s, 1));
    ck_assert_uint_eq(r.count, 3);
    ck_assert_double_eq(r.y[2][1], 0);
    ck_assert_double_eq(r.y[2][2], 3);
    is_ok(s, dae_solver_finish(s));
    ck_assert_uint_eq(r.count, 4);
    ck_assert_double_eq(r.t[3], 1);
    ck_assert_double_eq_tol(r.y[3][1], exp(-1), 1e-7);
    ck_assert_double_eq(r.y[3][2], 4);
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    ck_assert_double_eq(y[2], 4);
    ck_assert_str_eq(dae_solver_event(s)->name, "terminal()");
    is_ok(s, dae_solver_finish(s));
    ck_assert_uint_eq(r.count, 4);
    ck_assert_int_eq(dae_solver_run(s, 2), DAE_USAGE);
    dae_solver_free(s);
}
END_TEST

/* Nothing happens in models that do not ask for it; another start begins another run. */
START_TEST(start_anew)
{
    rows r;
    dae_solver *s = begun(DECAY, 2, 1, &r);
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_finish(s));
    ck_assert_uint_eq(r.count, 2);
    is_ok(s, dae_solver_start(s, 0, NULL));
    is_ok(s, dae_solver_run(s, 1));
    dae_solver_free(s);
    s = begun(DECAY, 2, 1, &r);
    ck_assert_int_eq(dae_solver_finish(s), DAE_USAGE);
    dae_solver_free(s);
}
END_TEST

/* The last row is that of the end, after its event, in which terminal() is true. */
START_TEST(terminate_ends_well)
{
    rows r;
    dae_solver *s = begun(
        "model M Real x(start = 1, fixed = true), b;\n"
        "  discrete Real last(start = 0, fixed = true);\n"
        "equation der(x) = -x; b = 2*x; when terminal() then last = x; end when;\n"
        "  when x < 0.5 then terminate(\"x is small\"); end when; end M;",
        5, 1, &r);
    ck_assert_int_eq(dae_solver_run(s, 1), DAE_TERMINATED);
    ck_assert_uint_eq(r.count, 4); /* 0, 0.25, 0.5, the end */
    ck_assert_double_eq_tol(r.t[3], log(2), 1e-7);
    ck_assert_double_eq_tol(r.y[3][0], 0.5, 1e-12);
    ck_assert_double_eq(r.y[3][2], r.y[3][0]);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "terminated at t = 0.693147"));
    ck_assert_ptr_nonnull(strstr(dae_solver_message(s), "x is small"));
    ck_assert_uint_eq(dae_solver_stats(s)->state_events, 1);
    ck_assert_int_eq(dae_solver_finish(s), DAE_TERMINATED);
    ck_assert_uint_eq(r.count, 4);
    dae_solver_free(s);
}
END_TEST

/* A row that is due at the end is not sent twice; terminate() may act at the start. */
START_TEST(terminate_at_rows)
{
    static const char *const model[] = {
        "model M Real x(start = 1, fixed = true), y, z; equation der(x) = -x; y = x; z = x;\n"
        "  when time >= 0.5 then terminate(\"half\"); end when; end M;",
        "model M Real x(start = 1, fixed = true), y, z; equation der(x) = -x; y = x; z = x;\n"
        "  when initial() then terminate(\"at once\"); end when; end M;"};
    for (size_t k = 0; k < 2; k++) {
        rows r;
        dae_solver *s = begun(model[k], 5, 1, &r);
        ck_assert_int_eq(dae_solver_run(s, 1), DAE_TERMINATED);
        ck_assert_uint_eq(r.count, k ? 1 : 3);
        ck_assert_double_eq(r.t[r.count - 1], k ? 0 : 0.5);
        dae_solver_free(s);
    }
}
END_TEST

/* A model without unknowns runs, too: of conditions on time, Strings and asserts alone. */
static const struct {
    const char *body, *said;
    double end;
    dae_status status;
} bare[] = {
    {"equation when time > 0.5 then terminate(\"now\"); end when;", "now", 0.5, DAE_TERMINATED},
    {"equation when sample(0.25, 0.5) then assert(time < 0.6, \"late\"); end when;", "late", 0.75,
     DAE_ASSERTION},
    {"equation assert(time < 0.5, \"at \" + String(time));", "at 0.5", 0.5, DAE_ASSERTION},
    {"String s; equation s = if time > 0.5 then \"a\" else \"b\"; assert(s == \"b\", \"is \" + s);",
     "is a", 0.5, DAE_ASSERTION},
    {"String s(start = \"a\"); equation when time > 0.5 then s = \"b\"; end when;", "", 1, DAE_OK},
};

START_TEST(nothing_but_events)
{
    char model[300];
    snprintf(model, sizeof model, "model M %s end M;", bare[_i].body);
    dae_options o = tolerance_of(1e-6);
    dae_solver *s = solver_of(model, &o);
    ck_assert_msg(dae_solver_run(s, 1) == bare[_i].status, "%s: %s", model, dae_solver_message(s));
    ck_assert_double_eq_tol(dae_solver_time(s), bare[_i].end, 1e-12);
    ck_assert_msg(strstr(dae_solver_message(s), bare[_i].said), "%s", dae_solver_message(s));
    dae_solver_free(s);
}
END_TEST

/* Parameters that an initial algorithm finds. */
START_TEST(parameters_by_an_algorithm)
{
    dae_options o = tolerance_of(1e-8);
    dae_solver *s = solver_of("model M parameter Real p[2](each fixed = false), q = 1.5;\n"
                              "  Real x(start = 1, fixed = true);\n"
                              "initial algorithm p[1] := q*2; if p[1] > 2 then p[2] := p[1] - 1; "
                              "else p[2] := 7; end if;\n"
                              "equation der(x) = -p[2]*x; end M;",
                              &o);
    double y[3];
    is_ok(s, dae_solver_run(s, 1));
    is_ok(s, dae_solver_at(s, 1, y, NULL));
    ck_assert_double_eq_tol(y[0], 3, 1e-12);
    ck_assert_double_eq_tol(y[1], 2, 1e-12);
    ck_assert_double_eq_tol(y[2], exp(-2), 1e-7);
    dae_solver_free(s);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 20);
    tcase_add_test(tests, terminal_is_true_once);
    tcase_add_test(tests, start_anew);
    tcase_add_test(tests, terminate_ends_well);
    tcase_add_test(tests, terminate_at_rows);
    tcase_add_test(tests, parameters_by_an_algorithm);
    tcase_add_loop_test(tests, nothing_but_events, 0, sizeof bare / sizeof *bare);
    return unit_run("solve/ends", tests);
}
