/* Option all_derivatives: the derivatives of variables whose derivative does not occur in the
 * equations, against what follows by hand. */
#include "solve/models.h"

typedef struct found {
    double y[16], yp[16];
    dae_problem *problem;
} found;

static double value(const found *f, const char *name)
{
    return f->y[dae_problem_find(f->problem, name)];
}

static double rate(const found *f, const char *name)
{
    return f->yp[dae_problem_find(f->problem, name)];
}

static void is_rate(const found *f, const char *name, double wanted)
{
    double is = rate(f, name);
    ck_assert_msg(fabs(is - wanted) <= 1e-9 * fmax(1, fabs(wanted)), "der(%s) is %.15g, not %.15g",
                  name, is, wanted);
}

static dae_options with_rates(void)
{
    dae_options o = tolerance_of(1e-8);
    o.all_derivatives = true;
    return o;
}

/* The values and derivatives at some times of a run to 2. */
static void look(const char *model, const dae_options *options, void (*verify)(const found *f))
{
    static const double TIMES[] = {0, 0.37, 1.1, 2};
    found f = {.problem = problem_of(model)};
    dae_options keeping = *options;
    keeping.keep_trajectory = true;
    dae_solver *solver = dae_solver_create(f.problem, &keeping);
    is_ok(solver, dae_solver_run(solver, 2));
    for (size_t k = 0; k < sizeof TIMES / sizeof *TIMES; k++) {
        is_ok(solver, dae_solver_at(solver, TIMES[k], f.y, f.yp));
        verify(&f);
    }
    dae_solver_free(solver);
    dae_problem_free(f.problem);
}

/* T = u^2 + v^2 - g y, so that T' = 2 (u u' + v v') - g v = -3 g v. */
static void verify_pendulum(const found *f)
{
    is_rate(f, "T", -3 * 9.81 * value(f, "v"));
    is_rate(f, "u", -value(f, "T") * value(f, "x"));
}

START_TEST(the_force_of_a_pendulum_has_its_derivative_in_each_formulation)
{
    static const char *const BY[] = {"auto", "index1", "nullspace-svd"};
    for (size_t k = 0; k < sizeof BY / sizeof *BY; k++) {
        dae_options o = with_rates();
        o.formulation = BY[k];
        look(PENDULUM, &o, verify_pendulum);
    }
}
END_TEST

static const char CIRCUIT[] =
    "model Circuit parameter Real R = 2, L = 0.5, C = 0.1;\n"
    "  Real i(start = 0, fixed = true), uc(start = 0, fixed = true), ur, ul, us, p; Boolean on;\n"
    "equation us = sin(3*time); ur = R*i; L*der(i) = ul; C*der(uc) = i; us = ur + ul + uc;\n"
    "  p = us*i; on = uc > 0.1; end Circuit;";

/* Explicit variables by the chain rule. */
static void verify_circuit(const found *f)
{
    double di = rate(f, "i"), dc = rate(f, "uc"), ds = rate(f, "us");
    is_rate(f, "ur", 2 * di);
    is_rate(f, "ul", ds - 2 * di - dc);
    is_rate(f, "p", ds * value(f, "i") + value(f, "us") * di);
    ck_assert(isnan(rate(f, "on")));
}

/* Rows are solved for once more, unless the equations are integrated as given. */
static void verify_solved(const found *f)
{
    is_rate(f, "i", value(f, "ul") / 0.5);
    is_rate(f, "uc", value(f, "i") / 0.1);
    double us = value(f, "us"), ds = rate(f, "us");
    ck_assert_double_eq_tol(ds * ds, 9 * (1 - us * us), 1e-9);
}

START_TEST(what_a_formula_gives_has_its_derivative_by_the_chain_rule)
{
    static const char *const BY[] = {"auto", "direct"};
    for (size_t k = 0; k < 2; k++) {
        dae_options o = with_rates();
        o.formulation = BY[k];
        if (k == 0) look(CIRCUIT, &o, verify_solved);
        look(CIRCUIT, &o, verify_circuit);
        o.projection = "none";
        look(CIRCUIT, &o, verify_circuit);
    }
}
END_TEST

/* x3 = sin(t), x2 = x3' and x1 = x2'. */
static void verify_turns(const found *f)
{
    is_rate(f, "x3", value(f, "x2"));
    is_rate(f, "x2", value(f, "x1"));
    is_rate(f, "x1", -value(f, "x2"));
}

START_TEST(combined_equations_give_derivatives_too)
{
    dae_options o = with_rates();
    look(TURNS, &o, verify_turns);
}
END_TEST

/* Index 3 as it is integrated: z'' is not known, and neither is the force's derivative. */
static void verify_unknown(const found *f)
{
    ck_assert(isnan(rate(f, "T")));
    ck_assert(isfinite(rate(f, "u")));
}

START_TEST(derivatives_that_are_not_known_are_not_made_up)
{
    dae_options o = with_rates();
    o.formulation = "direct";
    look(PENDULUM, &o, verify_unknown);
    found f = {.problem = problem_of(TWICE_HELD)};
    o.formulation = "auto";
    dae_solver *solver = dae_solver_create(f.problem, &o);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_at(solver, 0, f.y, f.yp));
    ck_assert(isnan(rate(&f, "F")) && isnan(rate(&f, "N")));
    dae_solver_free(solver);
    dae_problem_free(f.problem);
}
END_TEST

/* w' = 2 x before the event at x = 1 and -3 after it. */
static const char SWITCHED[] = "model Switched Real x(start = 0, fixed = true), w;\n"
                               "equation der(x) = 1; w = if x < 1 then x^2 else 4 - 3*x;\n"
                               "end Switched;";

static int note_left(const dae_event *event, void *user)
{
    *(double *)user = event->yp_before[1];
    return 0;
}

START_TEST(both_sides_of_an_event_have_their_own)
{
    dae_options o = with_rates();
    double y[2], yp[2], left = 0;
    for (int keep = 0; keep < 2; keep++) {
        o.keep_trajectory = keep;
        dae_solver *solver = solver_of(SWITCHED, &o);
        dae_solver_watch_events(solver, note_left, &left);
        is_ok(solver, dae_solver_run(solver, 1.5));
        ck_assert_double_eq_tol(left, 2, 1e-9);
        is_ok(solver, dae_solver_at_left(solver, dae_solver_event(solver)->t, y, yp));
        ck_assert_double_eq_tol(yp[1], 2, 1e-9);
        is_ok(solver, dae_solver_at(solver, 1.5, y, yp));
        ck_assert_double_eq_tol(yp[1], -3, 1e-9);
        if (keep) is_ok(solver, dae_solver_at(solver, 0.25, y, yp));
        if (keep) ck_assert_double_eq_tol(yp[1], 0.5, 1e-9);
        dae_solver_free(solver);
    }
}
END_TEST

/* Bit for bit. */
START_TEST(the_run_stays_the_same)
{
    static const char *const MODELS[] = {PENDULUM, CIRCUIT, SWITCHED};
    for (size_t k = 0; k < 3; k++) {
        double y[2][16], yp[2][16];
        size_t steps[2];
        for (int asked = 0; asked < 2; asked++) {
            dae_options o = tolerance_of(1e-8);
            o.all_derivatives = asked;
            dae_solver *solver = solver_of(MODELS[k], &o);
            is_ok(solver, dae_solver_run(solver, 2));
            is_ok(solver, dae_solver_at(solver, 2, y[asked], yp[asked]));
            steps[asked] = dae_solver_stats(solver)->steps;
            dae_solver_free(solver);
        }
        size_t n = k == 0 ? 5 : k == 1 ? 7 : 2;
        ck_assert_uint_eq(steps[0], steps[1]);
        ck_assert_mem_eq(y[0], y[1], n * sizeof(double));
        for (size_t i = 0; i < n; i++)
            if (!isnan(yp[0][i])) ck_assert_double_eq(yp[0][i], yp[1][i]);
    }
}
END_TEST

UNIT_MAIN("solve/all_derivatives", 60,
          the_force_of_a_pendulum_has_its_derivative_in_each_formulation,
          what_a_formula_gives_has_its_derivative_by_the_chain_rule,
          combined_equations_give_derivatives_too, derivatives_that_are_not_known_are_not_made_up,
          both_sides_of_an_event_have_their_own, the_run_stays_the_same)
