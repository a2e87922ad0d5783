/* No step allocates: the number of allocations of a run does not depend on its length. */
#include "solve/allocations.h"
#include "solve/equations.h"
#include "solve/models.h"

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp;
    ++*(size_t *)user;
    return 0;
}

/* Those up to the last step: what is noted at the end of a run is not made by a step. */
static int count_so_far(double t, void *user)
{
    (void)t;
    *(long *)user = allocations.made;
    return 0;
}

static long allocations_of_run(dae_solver *solver, double stop, size_t *steps)
{
    const dae_times times = {.count = 2, .first = 0, .last = stop};
    size_t rows = 0;
    long made = 0;
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_output(solver, &times, ignore, &rows));
    dae_solver_watch(solver, count_so_far, &made);
    allocations.made = 0;
    allocations.on = true;
    dae_status status = dae_solver_run(solver, stop);
    allocations.on = false;
    is_ok(solver, status);
    ck_assert_uint_eq(rows, 2); /* what rows factor is forgotten, and allocated anew */
    *steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver);
    return made;
}

/* Those of KLU are for the first factorisation of each matrix and, rarely, a new order of pivots.
 */
static void does_not_grow_by(const char *model, const char *method, double step)
{
    size_t few, many;
    dae_options options = dae_options_default();
    options.method = method;
    options.step = step;
    count_in_klu();
    long made = allocations_of_run(solver_of(model, &options), 1, &few);
    ck_assert_int_eq(allocations_of_run(solver_of(model, &options), 10, &many), made);
    ck_assert_uint_gt(many, few + 5);
}

static void does_not_grow(const char *model, const char *method)
{
    does_not_grow_by(model, method, 0);
}

static void does_not_grow_for(dae_problem *(*make)(bool jacobian), bool jacobian)
{
    size_t few, many;
    dae_options options = dae_options_default();
    options.max_step = 0.1;
    count_in_klu();
    long made = allocations_of_run(solver_for(make(jacobian), &options), 1, &few);
    ck_assert_int_eq(allocations_of_run(solver_for(make(jacobian), &options), 10, &many), made);
    ck_assert_uint_gt(many, few + 5);
}

START_TEST(dense)
{
    const char *const methods[] = {"radau", "rodas5p", "bdf", "mebdf"};
    for (int k = 0; k < 4; k++) {
        does_not_grow(OSCILLATOR, methods[k]);
        does_not_grow(PENDULUM, methods[k]);
        does_not_grow(CAPACITORS, methods[k]);
    }
}
END_TEST

START_TEST(sparse)
{
    does_not_grow(LADDER, "radau-iia3");
    does_not_grow(LADDER, "rodas5p");
    does_not_grow(LADDER, "bdf");
    does_not_grow(LADDER, "mebdf");
}
END_TEST

/* The voltage at the diode is 1e-9 times its current, which never ends: in each step what errors of
 * the tolerance's size make of it hides its sign, and it is looked at along slow motions. */
static const char CONDUCTS[] =
    "model Conducts Real v(start = 0, fixed = true), i, u = time + 0.05*sin(10*time);\n"
    "equation i = if u > v then (u - v)/1e-9 else 0; der(v) = i; end Conducts;";

/* A row may be looked at once more for where it ends; no step is. */
START_TEST(roots_held_near_0)
{
    const char *const methods[] = {"radau", "rodas5p", "bdf", "mebdf"};
    count_in_klu();
    for (int k = 0; k < 4; k++) {
        size_t few, many;
        dae_options options = dae_options_default();
        options.method = methods[k];
        long made = allocations_of_run(solver_of(CONDUCTS, &options), 1, &few);
        long made_later = allocations_of_run(solver_of(CONDUCTS, &options), 10, &many);
        ck_assert_int_le(made_later, made + 10);
        ck_assert_uint_gt(many, few + 20);
    }
}
END_TEST

/* Their first steps, and the last one, which is shorter, are those of one-step methods. */
START_TEST(multistep_methods)
{
    const char *const methods[] = {"bdf3", "adams-moulton2", "one-leg-two-step", "bdf", "mebdf"};
    for (int k = 0; k < 5; k++) {
        does_not_grow_by(OSCILLATOR, methods[k], 0.0301);
        does_not_grow_by(PENDULUM, methods[k], 0.0301);
        does_not_grow_by(LADDER, methods[k], 0.0101); /* h times 400 is below 6, the limit of
                                                         adams-moulton2 */
    }
    does_not_grow_by(OSCILLATOR, "adams-bashforth3", 0.0301);
}
END_TEST

START_TEST(half_explicit_and_projected_methods)
{
    const char *const methods[] = {"hedop5", "projected-gauss3", "state-space-gauss2",
                                   "state-space-dopri5"};
    for (int k = 0; k < 4; k++) does_not_grow(PENDULUM, methods[k]);
}
END_TEST

START_TEST(equations_of_a_program)
{
    for (int jacobian = 0; jacobian < 2; jacobian++) {
        does_not_grow_for(decay_in_residual_form, jacobian);
        does_not_grow_for(decay_in_mass_form, jacobian);
        does_not_grow_for(decay_in_semi_explicit_form, jacobian);
        does_not_grow_for(turning_in_invariant_form, jacobian);
    }
}
END_TEST

/* Pairs a x + y, a y - x that hold x = cos t, y = sin t, with an `a` that falls from 1e4 to 0 at
 * time 0.5: pivots that are good at first are 0 then, and the matrix is regular all the time. */
enum { PAIRS = 100, UNKNOWNS = 2 * PAIRS + 1 };

static double falling(double t)
{
    return 2e4 * fmax(0, 0.5 - t);
}

static int pairs(double t, const double *y, double *f, void *user)
{
    (void)user;
    double a = falling(t);
    f[0] = 1;
    for (size_t k = 1; k < UNKNOWNS; k += 2) {
        f[k] = a * (y[k] - cos(t)) + y[k + 1] - sin(t);
        f[k + 1] = a * (y[k + 1] - sin(t)) - y[k] + cos(t);
    }
    return 0;
}

static int pairs_y(double t, const double *y, double *dy, void *user)
{
    (void)y, (void)user;
    double a = falling(t);
    dy[0] = 0;
    for (size_t k = 1; k < 2 * UNKNOWNS - 1; k += 4) {
        dy[k] = dy[k + 3] = a;
        dy[k + 1] = -1;
        dy[k + 2] = 1;
    }
    return 0;
}

static dae_problem *pairs_in_mass_form(void)
{
    size_t start[UNKNOWNS + 1] = {0, 1}, row[2 * UNKNOWNS - 1] = {0};
    size_t mass_start[UNKNOWNS + 1] = {0};
    const double mass[1] = {1};
    for (size_t k = 1; k < UNKNOWNS; k++) {
        size_t first = k % 2 ? k : k - 1;
        row[start[k]] = first;
        row[start[k] + 1] = first + 1;
        start[k + 1] = start[k] + 2;
    }
    for (size_t k = 0; k < UNKNOWNS; k++) mass_start[k + 1] = 1;
    dae_mass_form form = {
        .n = UNKNOWNS,
        .f = pairs,
        .f_y = pairs_y,
        .constant_mass = mass,
        .f_pattern = {.layout = DAE_SPARSE, .start = start, .row = row},
        .mass_pattern = {.layout = DAE_SPARSE, .start = mass_start, .row = row},
    };
    return dae_problem_mass(&form);
}

/* The same as a model: s = t, then x, then y. */
static const char PAIRED[] =
    "model Paired parameter Integer n = 100; Real s(start = 0, fixed = true), x[n], y[n];\n"
    "equation der(s) = 1;\n"
    "  for i in 1:n loop\n"
    "    2e4*max(0, 0.5 - time)*(x[i] - cos(s)) + y[i] - sin(s) = 0;\n"
    "    2e4*max(0, 0.5 - time)*(y[i] - sin(s)) - x[i] + cos(s) = 0;\n"
    "  end for; end Paired;";

static void reorders(dae_solver *solver, double *y)
{
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_run(solver, 0.3));
    ck_assert_uint_eq(dae_solver_stats(solver)->reorderings, 0);
    ck_assert_str_eq(dae_solver_stats(solver)->linear_solver, "klu");
    is_ok(solver, dae_solver_run(solver, 1));
    ck_assert_uint_gt(dae_solver_stats(solver)->reorderings, 0);
    is_ok(solver, dae_solver_at(solver, 1, y, NULL));
    dae_solver_free(solver);
}

START_TEST(new_orders_of_pivots_are_counted)
{
    double y[UNKNOWNS];
    dae_options options = dae_options_default();
    options.max_step = 0.1;
    reorders(solver_for(pairs_in_mass_form(), &options), y);
    for (size_t k = 1; k < UNKNOWNS; k++)
        ck_assert_double_eq_tol(y[k], k % 2 ? cos(1) : sin(1), 1e-4);
    reorders(solver_of(PAIRED, &options), y);
    for (size_t k = 1; k < UNKNOWNS; k++)
        ck_assert_double_eq_tol(y[k], k <= PAIRS ? cos(1) : sin(1), 1e-4);
}
END_TEST

UNIT_MAIN("solve/steps", 60, dense, sparse, roots_held_near_0, multistep_methods,
          half_explicit_and_projected_methods, equations_of_a_program,
          new_orders_of_pivots_are_counted)
