/* Equations of C programs that refuse, stop, contradict or ask for what there is not: each with its
 * status, and a message that names what the author has named. */
#include "solve/equations.h"

#include <stdio.h>

/* y' = -1 that stops or refuses where y falls below a limit. */
typedef struct fall {
    double limit;
    int answer;
} fall;

static int falling(double t, const double *y, double *f, void *user)
{
    const fall *w = user;
    (void)t;
    f[0] = -1;
    f[1] = y[0] - y[1];
    return y[0] < w->limit ? w->answer : 0;
}

static dae_solver *falling_with(fall *w, const dae_options *options)
{
    static const char *const name[] = {"height", "shown"};
    static const double mass[4] = {1, 0, 0, 0};
    dae_mass_form form = {
        .n = 2, .f = falling, .constant_mass = mass, .about = {.variable = name, .user = w}};
    return solver_for(dae_problem_mass(&form), options);
}

static const double TOP[2] = {1, 1};

/* A point that cannot be evaluated makes steps smaller; the run ends where that does not help, and
 * where it began to be so. */
START_TEST(not_evaluable)
{
    fall w = {.limit = 0.25, .answer = 1};
    dae_options options = tolerance_of(1e-6);
    options.keep_trajectory = true;
    dae_solver *solver = falling_with(&w, &options);
    is_ok(solver, dae_solver_start(solver, 0, TOP));
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_STEP_TOO_SMALL);
    is_said(solver, "callback f");
    is_said(solver, "returned 1");
    ck_assert_double_eq_tol(dae_solver_time(solver), 0.75, 1e-9);
    ck_assert_uint_gt(dae_solver_stats(solver)->rejected, 1);
    double y[2];
    ck_assert_int_eq(dae_solver_at(solver, 0.5, y, NULL), DAE_OK); /* what was computed is kept */
    ck_assert_double_eq_tol(y[0], 0.5, 1e-6);
    dae_solver_free(solver);
}
END_TEST

/* A trial beyond the end of what can be evaluated does no harm where the solution stays inside. */
static int filling(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    if (y[0] > 1) return 2;
    f[0] = sqrt(1 - y[0]);
    return 0;
}

START_TEST(smaller_steps_help)
{
    const double start[1] = {0}, end = 1.999;
    double y[1];
    dae_mass_form form = {.n = 1, .f = filling};
    dae_options options = tolerance_of(1e-8);
    options.first_step = 8; /* far too long */
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, end));
    is_ok(solver, dae_solver_at(solver, end, y, NULL));
    ck_assert_double_eq_tol(y[0], end - 0.25 * end * end, 1e-6);
    dae_solver_free(solver);
}
END_TEST

START_TEST(stopping)
{
    fall w = {.limit = 0.25, .answer = -3};
    dae_options options = tolerance_of(1e-6);
    options.keep_trajectory = true;
    options.max_step = 0.01;
    dae_solver *solver = falling_with(&w, &options);
    is_ok(solver, dae_solver_start(solver, 0, TOP));
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_STOPPED);
    is_said(solver, "stopped at t = 0.7");
    is_said(solver, "callback f");
    is_said(solver, "returned -3");
    ck_assert_double_ge(dae_solver_time(solver), 0.73);
    double y[2];
    ck_assert_int_eq(dae_solver_at(solver, 0.7, y, NULL), DAE_OK);
    ck_assert_double_eq_tol(y[0], 0.3, 1e-6);
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_STOPPED); /* as any failure it stays */
    dae_solver_free(solver);
}
END_TEST

START_TEST(refusing_at_the_start)
{
    fall w = {.limit = 2, .answer = 4};
    dae_solver *solver = falling_with(&w, NULL);
    ck_assert_int_eq(dae_solver_start(solver, 0, TOP), DAE_NO_START);
    is_said(solver, "callback f");
    is_said(solver, "returned 4");
    dae_solver_free(solver);
}
END_TEST

START_TEST(stopping_at_the_start)
{
    fall w = {.limit = 2, .answer = -1};
    dae_solver *solver = falling_with(&w, NULL);
    ck_assert_int_eq(dae_solver_start(solver, 0, TOP), DAE_STOPPED);
    is_said(solver, "callback f");
    is_said(solver, "start");
    dae_solver_free(solver);
}
END_TEST

static int stop_search(double t, void *user)
{
    (void)t, (void)user;
    return 1;
}

START_TEST(watching_the_start)
{
    fall w = {0};
    dae_solver *solver = falling_with(&w, NULL);
    dae_solver_watch_start(solver, stop_search, NULL);
    ck_assert_int_eq(dae_solver_start(solver, 0, TOP), DAE_STOPPED);
    is_said(solver, "on request");
    dae_solver_free(solver);
}
END_TEST

/* 0 = z^2 + 1: no start. */
static int no_root(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)x, (void)user;
    g[0] = z[0] * z[0] + 1;
    return 0;
}

START_TEST(no_start)
{
    const double start[2] = {1, 1};
    dae_semi_explicit_form form = {
        .nx = 1,
        .nz = 1,
        .f = decay_f,
        .g = no_root,
        .about = {.variable = DECAY_NAMES, .equation = DECAY_EQUATIONS},
    };
    dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), NULL);
    ck_assert_int_eq(dae_solver_start(solver, 0, start), DAE_NO_START);
    is_said(solver, "law");
    dae_solver_free(solver);
}
END_TEST

START_TEST(wrong_derivatives)
{
    const double start[5] = {1, 0, 0, 1, 1}, wrong[5] = {0, 1, -1, 0.5, 0};
    const double missing[5] = {0, (double)NAN, -1, 0, 0};
    dae_solver *solver = solver_for(circling_in_residual_form(), NULL);
    ck_assert_int_eq(dae_solver_start_with(solver, 0, start, wrong), DAE_NO_START);
    is_said(solver, "force along y");
    dae_solver_free(solver);
    solver = solver_for(circling_in_residual_form(), NULL);
    ck_assert_int_eq(dae_solver_start_with(solver, 0, start, missing), DAE_USAGE);
    is_said(solver, "derivative of y2");
    dae_solver_free(solver);
}
END_TEST

/* z = t with a Jacobian of the wrong sign: each iteration doubles the error. */
static int clock_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)x, (void)user;
    g[0] = z[0] - t;
    return 0;
}

static int shrinking(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)z, (void)user;
    f[0] = -x[0];
    return 0;
}

static int wrong_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)x, (void)z, (void)user;
    j[0] = -1;
    j[3] = -1;
    return 0;
}

/* Whether with a fixed step or again and again: Newton's iteration with the variable and the
 * equation at which it fails. */
START_TEST(newton_fails)
{
    const double start[2] = {1, 0};
    dae_semi_explicit_form form = {
        .nx = 1,
        .nz = 1,
        .f = shrinking,
        .g = clock_g,
        .jacobian = wrong_jacobian,
        .about = {.variable = DECAY_NAMES, .equation = DECAY_EQUATIONS},
    };
    for (int fixed = 0; fixed < 2; fixed++) {
        dae_options options = dae_options_default();
        if (fixed) options.step = 0.1;
        dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), &options);
        is_ok(solver, dae_solver_start(solver, 0, start));
        ck_assert_ptr_nonnull(strstr(dae_solver_notes(solver), "law")); /* is suspected at once */
        ck_assert_int_eq(dae_solver_run(solver, 1), DAE_NEWTON);
        is_said(solver, fixed ? "fixed step of 0.1" : "no step succeeds");
        is_said(solver, "rate");
        is_said(solver, "law");
        dae_solver_free(solver);
    }
}
END_TEST

/* x = 1 + t^0.01 rises by 1 and more however short the first step. */
static int jump(double t, const double *y, double *f, void *user)
{
    (void)y, (void)user;
    f[0] = t > 0 ? 0.01 * pow(t, -0.99) : 0;
    return 0;
}

START_TEST(error_test_fails)
{
    static const char *const name[] = {"rise"};
    const double start[1] = {1};
    dae_mass_form form = {.n = 1, .f = jump, .about = {.variable = name}};
    dae_solver *solver = solver_for(dae_problem_mass(&form), NULL);
    is_ok(solver, dae_solver_start(solver, 0, start));
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_ERROR_TEST);
    is_said(solver, "error test fails");
    is_said(solver, "rise = 1");
    dae_solver_free(solver);
}
END_TEST

START_TEST(too_many_steps)
{
    const double start[2] = {1, 0};
    dae_options options = dae_options_default();
    options.max_steps = 5;
    options.max_step = 0.1;
    dae_solver *solver = solver_for(decay_in_residual_form(true), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_TOO_MANY_STEPS);
    is_said(solver, "5 steps");
    is_said(solver, "max_steps");
    dae_solver_free(solver);
}
END_TEST

/* What was accepted and what was rejected make up what is allowed. */
START_TEST(rejected_steps_count_as_well)
{
    const double start[1] = {1};
    const dae_mass_form form = {.n = 1, .f = jump};
    dae_options options = dae_options_default();
    options.max_steps = 5;
    dae_solver *solver = solver_for(dae_problem_mass(&form), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    ck_assert_int_eq(dae_solver_run(solver, 10), DAE_TOO_MANY_STEPS);
    double t;
    unsigned steps, allowed, rejected;
    int read = sscanf(
        dae_solver_message(solver),
        "stopped at t = %lf after %u steps: %u steps are allowed (option max_steps), and "
        "%u that were rejected",
        &t, &steps, &allowed, &rejected);
    ck_assert_msg(read == 4, "%s", dae_solver_message(solver));
    ck_assert_uint_eq(allowed, 5);
    ck_assert_uint_ge(steps + rejected, allowed); /* all trials at one step are made */
    ck_assert_uint_eq(steps, dae_solver_stats(solver)->steps);
    dae_solver_free(solver);
}
END_TEST

START_TEST(index_too_high)
{
    const double start[5] = {1, 0, 0, 1, 1};
    dae_options options = dae_options_default();
    options.method = "gauss3";
    options.formulation = "direct";
    dae_solver *solver = solver_for(circling_in_residual_form(), &options);
    ck_assert_int_eq(dae_solver_start(solver, 0, start), DAE_INDEX);
    is_said(solver, "gauss3");
    is_said(solver, "index 3");
    dae_solver_free(solver);
}
END_TEST

static int jacobian_without_value(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)x, (void)z, (void)user;
    j[0] = (double)NAN;
    return 0;
}

START_TEST(a_jacobian_without_value)
{
    const double start[2] = {1, 0};
    dae_semi_explicit_form form = {
        .nx = 1, .nz = 1, .f = decay_f, .g = decay_g, .jacobian = jacobian_without_value};
    dae_solver *solver = solver_for(dae_problem_semi_explicit(&form), NULL);
    ck_assert_int_eq(dae_solver_start(solver, 0, start), DAE_NO_START);
    is_said(solver, "the Jacobian of the equations has no finite value");
    dae_solver_free(solver);
}
END_TEST

static void is_refused(dae_problem *problem, const dae_options *options, dae_status status,
                       const char *part)
{
    const double start[2] = {1, 0};
    dae_solver *solver = solver_for(problem, options);
    if (dae_solver_status(solver) == DAE_OK) dae_solver_start(solver, 0, start);
    ck_assert_int_eq(dae_solver_status(solver), status);
    is_said(solver, part);
    dae_solver_free(solver);
}

START_TEST(refused_options)
{
    const double wrong[2] = {1e-6, -1};
    dae_options options = dae_options_default();
    options.formulation = "ggl";
    is_refused(decay_in_mass_form(false), &options, DAE_UNSUPPORTED, "ggl");
    options = dae_options_default();
    options.projection = "coordinate";
    is_refused(decay_in_mass_form(false), &options, DAE_UNSUPPORTED, "invariant");
    options = dae_options_default();
    options.method = "rk4";
    options.step = 0.1;
    is_refused(decay_in_semi_explicit_form(false), &options, DAE_UNSUPPORTED, "rate");
    options.method = "radau5x";
    is_refused(decay_in_semi_explicit_form(false), &options, DAE_USAGE, "radau5");
    options = dae_options_default();
    options.step = options.max_step = 0.1;
    is_refused(decay_in_mass_form(false), &options, DAE_USAGE, "step and max_step");
    options = dae_options_default();
    options.atols = wrong;
    is_refused(decay_in_mass_form(false), &options, DAE_USAGE, "atols[1]");
}
END_TEST

START_TEST(options_that_are_not_whole)
{
    dae_options options = {.rtol = 1e-8, .method = "radau5"};
    is_refused(decay_in_mass_form(false), &options, DAE_USAGE, "dae_options_default()");
    options = dae_options_default();
    options.projection = NULL;
    is_refused(decay_in_mass_form(false), &options, DAE_USAGE, "option projection is missing");
    dae_solver *solver = dae_solver_create(NULL,
                                           NULL); /* a problem for which there was no memory */
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_NO_MEMORY);
    dae_solver_free(solver);
}
END_TEST

static int root(double t, const double *y, const double *yp, double *g, void *user)
{
    (void)t, (void)yp, (void)user;
    g[0] = y[0];
    return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = 0;
    return 0;
}

static int nothing_happens(dae_event *e, void *user)
{
    (void)e, (void)user;
    return 0;
}

/* What contradicts itself in dae_about is refused in every form. */
START_TEST(wrong_events_are_refused)
{
    static const double one[1] = {1};
    static const signed char turns[] = {2};
    static const char *const names[] = {"", "b"};
    const struct {
        dae_about about;
        const char *says;
    } wrong[] = {{{.roots = 1}, "root is missing"},
                 {{.root = root}, "roots is 0, and root is given"},
                 {{.root_direction = turns}, "root_direction is given"},
                 {{.root_name = names}, "root_name is given"},
                 {{.roots = 1, .root = root, .root_direction = turns}, "root_direction[0] = 2"},
                 {{.roots = 2, .root = root, .root_name = names}, "root_name[0]"},
                 {{.event = nothing_happens}, "event is given"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const dae_about about = wrong[i].about;
        dae_problem *const problem[] = {
            dae_problem_residual(&(dae_residual_form){.n = 1, .residual = root, .about = about}),
            dae_problem_mass(&(dae_mass_form){.n = 1, .f = jump, .about = about}),
            dae_problem_semi_explicit(&(dae_semi_explicit_form){
                .nx = 1, .nz = 1, .f = decay_f, .g = decay_g, .about = about}),
            dae_problem_linear(&(dae_linear_form){.n = 1, .e = one, .a = one, .about = about}),
            dae_problem_invariant(&(dae_invariant_form){.n = 1, .f = jump, .about = about}),
            dae_problem_mechanical(
                &(dae_mechanical_form){.nq = 1, .force = force, .about = about})};
        for (size_t k = 0; k < sizeof problem / sizeof *problem; k++) {
            ck_assert_int_eq(dae_problem_status(problem[k]), DAE_USAGE);
            const char *says = dae_problem_message(problem[k]);
            ck_assert_msg(strstr(says, wrong[i].says), "\"%s\" is not in: %s", wrong[i].says, says);
            dae_problem_free(problem[k]);
        }
    }
}
END_TEST

START_TEST(wrong_problem)
{
    dae_mass_form form = {.n = 1};
    dae_problem *problem = dae_problem_mass(&form);
    dae_solver *solver = dae_solver_create(problem, NULL);
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_USAGE);
    ck_assert_str_eq(dae_solver_message(solver), dae_problem_message(problem));
    dae_problem_free(problem);
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/form_failures", 60, not_evaluable, smaller_steps_help, stopping,
          stopping_at_the_start, refusing_at_the_start, watching_the_start, no_start,
          wrong_derivatives, newton_fails, error_test_fails, too_many_steps,
          rejected_steps_count_as_well, wrong_events_are_refused, index_too_high,
          a_jacobian_without_value, refused_options, options_that_are_not_whole, wrong_problem)
