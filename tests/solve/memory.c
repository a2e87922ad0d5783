/* Exhausted memory from a model's text to the end of its run: each allocation of the library fails
 * once, KLU's too. The handles say so, or the failure did no harm; nothing is left behind. */
#include "solve/allocations.h"
#include "solve/equations.h"
#include "solve/models.h"
#include "zoo/mechanical.h"

#include <stdio.h>

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp, (void)user;
    return 0;
}

/* What the handles say besides; Check allocates, so that nothing can be asserted on the way. */
static bool fine;

typedef dae_status (*work)(const char *model);

static dae_status run_by(dae_problem *problem, dae_options options)
{
    double y[200];
    options.keep_trajectory = true;
    if (!problem) return DAE_NO_MEMORY;
    dae_status status = dae_problem_status(problem);
    fine = fine && dae_problem_message(problem) && dae_problem_notes(problem);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    if (!solver) return DAE_NO_MEMORY;
    const dae_times times = {.at = (const double[]){0, 0.01, 0.02}, .count = 3};
    dae_solver_output(solver, &times, ignore, NULL);
    dae_solver_run(solver, 0.03);
    if (dae_solver_status(solver) == DAE_OK) { /* a look factors anew, and may be what fails */
        dae_status at = dae_solver_at(solver, 0.015, y, NULL);
        fine = fine && (at == DAE_OK || at == DAE_NO_MEMORY);
    }
    if (dae_solver_status(solver) != DAE_OK) status = dae_solver_status(solver);
    fine = fine && dae_solver_notes(solver) && dae_solver_stats(solver)->message;
    bool silent = dae_solver_message(solver)[0] == '\0';
    fine = fine && silent == (dae_solver_status(solver) == DAE_OK);
    dae_solver_free(solver);
    return status;
}

static dae_status run_problem(dae_problem *problem, const char *projection)
{
    dae_options options = dae_options_default();
    options.projection = projection;
    return run_by(problem, options);
}

static dae_status run_pendulum(const char *name, double step)
{
    dae_options options = dae_options_default();
    options.method = name;
    options.step = step;
    return run_by(problem_of(PENDULUM), options);
}

static dae_status run_pendulum_by(const char *name)
{
    return run_pendulum(name, 0);
}

/* Some steps fit into the run, and the last not wholly. */
static dae_status step_pendulum_by(const char *name)
{
    return run_pendulum(name, 0.004);
}

static dae_status run(const char *model)
{
    return run_problem(problem_of(model), "auto");
}

static dae_status run_equations(const char *form)
{
    if (strcmp(form, "residual") == 0) return run_problem(decay_in_residual_form(false), "auto");
    if (strcmp(form, "mass") == 0) return run_problem(decay_in_mass_form(true), "auto");
    return run_problem(turning_in_invariant_form(false), form);
}

/* x' = y2 l, y2' = 0 and x = t: a constraint that a projection meets. */
static int ramp_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = x[1] * z[0], f[1] = 0;
    return 0;
}

static int ramp_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)z, (void)user;
    g[0] = x[0] - t;
    return 0;
}

static dae_status run_constrained(const char *projection)
{
    static const unsigned char index[3] = {1, 1, 2};
    static const double start[3] = {0, 1, 1};
    const dae_semi_explicit_form form = {
        .nx = 2, .nz = 1, .f = ramp_f, .g = ramp_g, .about.index = index};
    dae_problem *problem = dae_problem_semi_explicit(&form);
    for (size_t j = 0; problem && j < 3; j++)
        dae_problem_set(problem, dae_problem_variable(problem, j), start[j] > 0 ? "1" : "0");
    return run_problem(problem, projection);
}

/* Andrews' squeezer, by a formulation. */
static dae_status run_mechanical(const char *name)
{
    double y[20];
    dae_options options = dae_options_default();
    options.formulation = name;
    dae_problem *problem = dae_problem_mechanical(&zoo_andrews.form);
    zoo_andrews.start(y, y + 7);
    for (size_t j = 0; problem && j < 7; j++) {
        char number[40];
        snprintf(number, sizeof number, "%.17g", y[j]);
        dae_problem_set(problem, dae_problem_variable(problem, j), number);
    }
    return run_by(problem, options);
}

/* A model as a mechanical system. */
static dae_status run_followed(const char *name)
{
    dae_options options = dae_options_default();
    options.formulation = name;
    return run_by(problem_of(PENDULUM), options);
}

static dae_status run_at_once(const char *model)
{
    return run_problem(problem_of(model), "least-squares");
}

static dae_status describe(const char *model)
{
    dae_problem *problem = problem_of(model);
    if (!problem) return DAE_NO_MEMORY;
    dae_description *d = dae_describe(problem, 0);
    dae_status status = d ? d->status : DAE_NO_MEMORY;
    fine = fine && (!d || (d->message && d->notes && d->name && d->form && d->index_note));
    dae_description_free(d);
    dae_problem_free(problem);
    return status;
}

static dae_status set(const char *model)
{
    dae_problem *problem = problem_of(model);
    if (!problem) return DAE_NO_MEMORY;
    dae_status status = dae_problem_set(problem, "L", "1.5");
    if (status == DAE_OK) dae_problem_nearest(problem, "LL");
    dae_problem_free(problem);
    return status;
}

static void each_fails(work part, const char *model, dae_status otherwise)
{
    bool reached = true;
    long k = 0, failures = 0, runs = 0;
    count_in_klu();
    for (; reached; k = next_failure(k), runs++) {
        fine = true;
        allocations.made = allocations.pending = 0;
        allocations.until_failure = k;
        allocations.on = true;
        dae_status status = part(model);
        reached = allocations.until_failure < 0;
        allocations.on = false;
        allocations.until_failure = -1;
        ck_assert_msg(status == otherwise || (reached && status == DAE_NO_MEMORY),
                      "allocation %ld: %s", k, dae_status_word(status));
        ck_assert_msg(fine, "allocation %ld: a message is missing", k);
        ck_assert_msg(allocations.pending == 0, "allocation %ld: %ld blocks are left", k,
                      allocations.pending);
        failures += status == DAE_NO_MEMORY;
    }
    ck_assert_int_ge(failures, 5); /* setting a tunable parameter allocates least */
    report_left_out("allocations of a run", k - runs, k, "late ones between others");
}

START_TEST(running)
{
    each_fails(run, DECAY, DAE_OK);
    each_fails(run, PENDULUM, DAE_OK);
    each_fails(run_at_once, PENDULUM, DAE_OK);
    each_fails(run_followed, "elimination", DAE_OK);
    each_fails(run, TWICE_HELD, DAE_OK);
}
END_TEST

START_TEST(running_by_other_engines)
{
    each_fails(step_pendulum_by, "bdf2", DAE_OK);
    each_fails(run_pendulum_by, "bdf", DAE_OK);
    each_fails(step_pendulum_by, "bdf", DAE_OK);
    each_fails(run_pendulum_by, "mebdf", DAE_OK);
    each_fails(step_pendulum_by, "mebdf", DAE_OK);
    each_fails(run_pendulum_by, "hedop5", DAE_OK);
    each_fails(run_pendulum_by, "projected-gauss3", DAE_OK);
    each_fails(run_pendulum_by, "state-space-gauss2", DAE_OK);
    each_fails(run_pendulum_by, "state-space-dopri5", DAE_OK);
}
END_TEST

/* van der Pol's oscillator, so fast that `auto` changes the method in so short a run. */
static const char FAST[] =
    "model Fast Real x(start = 2, fixed = true), v(start = 0, fixed = true);\n"
    "equation der(x) = 10000*v; der(v) = 10000*((1 - x^2)*v - x); end Fast;";

START_TEST(running_with_changes_of_the_method)
{
    dae_solver *solver = solver_of(FAST, NULL);
    is_ok(solver, dae_solver_run(solver, 0.03));
    ck_assert_uint_gt(dae_solver_stats(solver)->method_changes, 0);
    dae_solver_free(solver);
    each_fails(run, FAST, DAE_OK);
}
END_TEST

START_TEST(running_equations)
{
    each_fails(run_equations, "residual", DAE_OK);
    each_fails(run_equations, "mass", DAE_OK);
    each_fails(run_equations, "coordinate", DAE_OK);
    each_fails(run_equations, "embedded", DAE_OK);
    each_fails(run_constrained, "fz", DAE_OK);
    each_fails(run_constrained, "least-squares", DAE_OK);
}
END_TEST

/* Each form by methods of each family that take it: "form method", those of constant steps after a
 * sign. */
static dae_status run_form_by(const char *words)
{
    dae_options options = dae_options_default();
    const char *method = strrchr(words, ' ') + 1;
    if (*method == '!') options.step = 0.004;
    options.method = method + (*method == '!');
    if (strncmp(words, "residual", 8) == 0) return run_by(decay_in_residual_form(true), options);
    if (strncmp(words, "mass", 4) == 0) return run_by(decay_in_mass_form(false), options);
    if (strncmp(words, "semi", 4) == 0) return run_by(decay_in_semi_explicit_form(true), options);
    if (strncmp(words, "linear", 6) == 0) return run_by(driven_in_linear_form(), options);
    return run_by(turning_in_invariant_form(false), options);
}

START_TEST(running_forms_by_each_family)
{
    static const char *const words[] = {"residual radau",
                                        "residual bdf",
                                        "residual mebdf",
                                        "mass rodas5p",
                                        "mass kvaerno3",
                                        "mass !dcbdf3",
                                        "mass !milne",
                                        "semi rodas5p",
                                        "semi !one-leg-two-step",
                                        "semi gauss3",
                                        "semi state-space-dopri5",
                                        "linear rodas4",
                                        "linear mebdf",
                                        "linear radau-iia5",
                                        "invariant dop853",
                                        "invariant rodas5p",
                                        "invariant !rk4"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        each_fails(run_form_by, words[k], DAE_OK);
}
END_TEST

/* A mechanical system by structural methods, on a level and in the tangent. */
static dae_status run_structural(const char *formulation)
{
    dae_options options = dae_options_default();
    double y[5];
    options.method = "generalized-alpha";
    options.formulation = formulation;
    options.step = 0.004;
    dae_problem *problem = dae_problem_mechanical(&zoo_driven_pendulum.form);
    zoo_driven_pendulum.start(y, y + 2);
    for (size_t j = 0; problem && j < 4; j++) {
        char number[40];
        snprintf(number, sizeof number, "%.17g", y[j]);
        dae_problem_set(problem, dae_problem_variable(problem, j), number);
    }
    return run_by(problem, options);
}

START_TEST(running_structural_methods)
{
    each_fails(run_structural, "index1", DAE_OK);
    each_fails(run_structural, "index3", DAE_OK);
    each_fails(run_structural, "tangent", DAE_OK);
}
END_TEST

START_TEST(running_mechanical_systems)
{
    static const char *const names[] = {"auto",           "ggl",          "fuhrer-leimkuhler",
                                        "udwadia-kalaba", "nullspace-qr", "augmented"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        each_fails(run_mechanical, names[k], DAE_OK);
}
END_TEST

START_TEST(running_sparse)
{
    each_fails(run, LADDER, DAE_OK);
}
END_TEST

START_TEST(running_what_misleads)
{
    each_fails(run, CAPACITORS, DAE_OK);
}
END_TEST

static const char SINGULAR[] = "model M Real x, y, z; equation x = 1; x = 2; der(y) = z; end M;";
static const char CONTRADICTION[] =
    "model M Real x(start = 2, fixed = true), y; equation x = 1; der(y) = x; end M;";

START_TEST(describing)
{
    each_fails(describe, PENDULUM, DAE_OK);
    each_fails(describe, CAPACITORS, DAE_OK);
    each_fails(describe, SINGULAR, DAE_STRUCTURE);
}
END_TEST

START_TEST(failing_otherwise)
{
    each_fails(run, SINGULAR, DAE_STRUCTURE);
    each_fails(run, CONTRADICTION, DAE_CONTRADICTION);
}
END_TEST

START_TEST(setting)
{
    each_fails(set, PENDULUM, DAE_OK);
}
END_TEST

UNIT_MAIN("solve/memory", 300, running, running_by_other_engines,
          running_with_changes_of_the_method, running_equations, running_forms_by_each_family,
          running_structural_methods, running_mechanical_systems, running_sparse,
          running_what_misleads, describing, failing_otherwise, setting)
