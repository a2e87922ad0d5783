/* The rows that are asked for change nothing: the same steps and the same end, bit for bit. */
#include "solve/equations.h"

enum { MOST_STEPS = 20000, MOST_VARIABLES = 200 };

/* Index 2, so large that what brings it back to its constraints is sparse. */
static const char HELD_LADDER[] =
    "model Held parameter Integer n = 60; Real u[n](each start = 0), f[n];\n"
    "equation for i in 1:n loop u[i]*(1 + 0.1*u[i]^2) + 0.2*u[mod(i, n) + 1] = sin(time + i);\n"
    "  der(u[i]) = f[i] - u[i]; end for; end Held;";

static const char STIFF[] =
    "model Stiff Real a(start = 1, fixed = true), b(start = 0, fixed = true), c;\n"
    "equation der(a) = -0.04*a + 1e4*b*c; der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;\n"
    "  a + b + c = 1; end Stiff;";

typedef struct passage {
    size_t count;
    double t[MOST_STEPS];
    double end[MOST_VARIABLES];
    dae_stats stats;
} passage;

static int note_end(double t, void *user)
{
    passage *run = user;
    ck_assert_uint_lt(run->count, MOST_STEPS);
    run->t[run->count++] = t;
    return 0;
}

static int take_row(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

typedef struct rows {
    size_t count; /* evenly over the run; 0: none */
    bool keep;    /* the trajectory */
} rows;

static void follow(dae_problem *problem, const char *method, double stop, rows asked, passage *run)
{
    dae_options options = dae_options_default();
    options.method = method;
    options.keep_trajectory = asked.keep;
    dae_solver *solver = dae_solver_create(problem, &options);
    const dae_times times = {.count = asked.count, .first = 0, .last = stop};
    *run = (passage){0};
    dae_solver_watch(solver, note_end, run);
    if (asked.count > 0)
        ck_assert_int_eq(dae_solver_output(solver, &times, take_row, NULL), DAE_OK);
    is_ok(solver, dae_solver_run(solver, stop));
    is_ok(solver, dae_solver_at(solver, stop, run->end, NULL));
    run->stats = *dae_solver_stats(solver);
    dae_solver_free(solver);
}

/* Compared with a run that has no rows at all. */
static void is_the_same(dae_problem *problem, const char *method, double stop)
{
    static const rows SETTINGS[] = {{2, false}, {397, false}, {23, true}, {0, true}};
    static passage alone, other; /* too large for a stack */
    ck_assert_uint_le(dae_problem_size(problem), MOST_VARIABLES);
    follow(problem, method, stop, (rows){0}, &alone);
    for (size_t k = 0; k < sizeof SETTINGS / sizeof *SETTINGS; k++) {
        if (!is_sampled("numbers of rows", k, 3)) continue;
        follow(problem, method, stop, SETTINGS[k], &other);
        ck_assert_msg(other.count == alone.count, "%s: %zu and %zu steps", method, alone.count,
                      other.count);
        ck_assert_mem_eq(other.t, alone.t, alone.count * sizeof *alone.t);
        ck_assert_uint_eq(other.stats.rejected, alone.stats.rejected);
        ck_assert_uint_eq(other.stats.method_changes, alone.stats.method_changes);
        for (size_t i = 0; i < dae_problem_size(problem); i++)
            ck_assert_msg(memcmp(&other.end[i], &alone.end[i], sizeof(double)) == 0,
                          "%s: variable %zu ends at %.17g and with %zu rows at %.17g", method, i,
                          alone.end[i], SETTINGS[k].count, other.end[i]);
    }
    dae_problem_free(problem);
}

static const char *const METHODS[] = {"auto", "bdf", "mebdf", "radau", "radau-iia5", "rodas5p"};

static void is_the_same_by_all(const char *model, double stop)
{
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++)
        if (is_sampled(METHODS[k], k, 3)) is_the_same(problem_of(model), METHODS[k], stop);
}

START_TEST(rows_of_models_change_nothing)
{
    is_the_same_by_all(STIFF, 40);
    is_the_same_by_all(CAPACITORS, 3);
    is_the_same_by_all(PENDULUM, 5);
    is_the_same_by_all(LADDER, 1);
}
END_TEST

START_TEST(rows_of_sparse_constraints_change_nothing)
{
    is_the_same_by_all(HELD_LADDER, 3);
    is_the_same(problem_of(BRIDGE), "auto", 0.02);
}
END_TEST

START_TEST(rows_of_callbacks_change_nothing)
{
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++) {
        is_the_same(decay_in_residual_form(false), METHODS[k], 2);
        is_the_same(decay_in_mass_form(true), METHODS[k], 2);
    }
}
END_TEST

START_TEST(rows_of_explicit_methods_change_nothing)
{
    is_the_same(problem_of(OSCILLATOR), "auto", 30);
    is_the_same(problem_of(OSCILLATOR), "dopri5", 30);
    is_the_same(problem_of(OSCILLATOR), "dop853", 30);
    is_the_same(problem_of(CIRCLING), "auto", 10);
}
END_TEST

/* The row in the middle holds the limit of an explicit variable that has no value there. */
START_TEST(a_row_at_a_removable_singularity)
{
    static passage alone, other;
    dae_problem *problem = problem_of("model S Real s = time - 0.5; Real y = sin(s)/s; end S;");
    follow(problem, "auto", 1, (rows){0}, &alone);
    follow(problem, "auto", 1, (rows){.count = 3}, &other);
    ck_assert_uint_eq(other.count, alone.count);
    ck_assert_mem_eq(other.end, alone.end, 2 * sizeof *alone.end);
    dae_problem_free(problem);
}
END_TEST

UNIT_MAIN("solve/rows", 60, rows_of_models_change_nothing,
          rows_of_sparse_constraints_change_nothing, rows_of_callbacks_change_nothing,
          rows_of_explicit_methods_change_nothing, a_row_at_a_removable_singularity)
