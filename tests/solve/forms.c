/* Equations of C programs from start to end, each form against exact solutions. */
#include "solve/equations.h"

static const double RTOL = 1e-8;

/* Errors of single steps, each below the tolerance, may add up to this much of it. */
static const double GROWTH = 100;

static void is_decay(dae_problem *problem)
{
    const double start[2] = {1, (double)NAN}, end = 1;
    dae_options options = tolerance_of(RTOL);
    options.keep_trajectory = true;
    dae_solver *solver = solver_for(problem, &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, end));
    for (double t = 0; t <= end; t += 0.01) {
        double y[2], yp[2];
        is_ok(solver, dae_solver_at(solver, t, y, yp));
        ck_assert_double_eq_tol(y[0], exp(-t * t), GROWTH * RTOL);
        ck_assert_double_eq_tol(y[1], -2 * t, GROWTH * RTOL);
        ck_assert(isnan(yp[1])); /* it does not occur */
        if (t > 0) ck_assert_double_eq_tol(yp[0], -2 * t * exp(-t * t), 100 * GROWTH * RTOL);
    }
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_str_eq(stats->formulation, "direct");
    ck_assert_str_eq(stats->projection, "none");
    ck_assert_uint_gt(stats->steps, 5);
    ck_assert_uint_gt(stats->residual_calls, stats->steps);
    ck_assert_uint_gt(stats->factorizations, 0);
    ck_assert_uint_eq(stats->constraint_levels, 1);
    dae_solver_free(solver);
}

START_TEST(each_form_with_jacobian_and_without)
{
    for (int jacobian = 0; jacobian < 2; jacobian++) {
        is_decay(decay_in_residual_form(jacobian));
        is_decay(decay_in_mass_form(jacobian));
        is_decay(decay_in_semi_explicit_form(jacobian));
    }
}
END_TEST

START_TEST(linear_form)
{
    const double start[2] = {1, (double)NAN}, t = 3;
    double y[2];
    dae_options options = tolerance_of(RTOL);
    dae_solver *solver = solver_for(driven_in_linear_form(), &options);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    ck_assert_double_eq_tol(y[1], 1, 8 * DBL_EPSILON);
    is_ok(solver, dae_solver_run(solver, t));
    is_ok(solver, dae_solver_at(solver, t, y, NULL));
    ck_assert_double_eq_tol(y[0], 0.5 * (cos(t) + sin(t) + exp(-t)), GROWTH * RTOL);
    ck_assert_double_eq_tol(y[1], cos(t), GROWTH * RTOL);
    dae_solver_free(solver);
}
END_TEST

static double *last_row;

static int keep_row(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)user;
    memcpy(last_row, y, 2 * sizeof *y);
    memcpy(last_row + 2, yp, 2 * sizeof *yp);
    return 0;
}

/* Invariants are measured in any case, and met where that is asked for. */
static double invariant_after(const char *projection, bool jacobian, double *row)
{
    const double start[2] = {1, 0};
    const dae_times times = {.count = 500, .first = 0, .last = 50};
    dae_options options = tolerance_of(1e-6);
    options.projection = projection;
    dae_solver *solver = solver_for(turning_in_invariant_form(jacobian), &options);
    last_row = row;
    dae_solver_output(solver, &times, keep_row, NULL);
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, 50));
    const dae_stats *stats = dae_solver_stats(solver);
    ck_assert_uint_eq(stats->constraint_levels, 1);
    ck_assert_int_eq(stats->index, 0);
    ck_assert_str_eq(stats->projection, strcmp(projection, "coordinate") ? "none" : "coordinate");
    double worst = stats->max_constraint[0];
    dae_solver_free(solver);
    return worst;
}

START_TEST(invariants)
{
    for (int jacobian = 0; jacobian < 2; jacobian++) {
        double row[4];
        double drifted = invariant_after("auto", jacobian, row);
        double energy_error = fabs(row[0] * row[0] + row[1] * row[1] - 1);
        ck_assert_double_gt(drifted, 1e-10);
        ck_assert_double_lt(drifted, 1e-3);
        ck_assert_double_ge(drifted * 4, energy_error); /* c / (2 x^2 + 2 v^2), or about that */
        double met = invariant_after("coordinate", jacobian, row);
        ck_assert_double_lt(met, 8 * DBL_EPSILON);
        ck_assert(row[2] == row[1] && row[3] == -row[0]); /* y' belongs to the projected y */
        ck_assert_double_eq_tol(row[0], cos(50), 1e-3);
    }
}
END_TEST

/* An index-3 start from known derivatives, and what is derived from it. */
START_TEST(known_derivatives)
{
    const double start[5] = {1, 0, 0, 1, 1}, slope[5] = {0, 1, -1, 0, (double)NAN};
    double y[5], yp[5];
    dae_options options = tolerance_of(RTOL);
    dae_solver *solver = solver_for(circling_in_residual_form(), &options);
    is_ok(solver, dae_solver_start_with(solver, 0, start, slope));
    is_ok(solver, dae_solver_at(solver, 0, y, yp));
    ck_assert_mem_eq(y, start, sizeof y);
    ck_assert_mem_eq(yp, slope, 4 * sizeof *yp);
    ck_assert(isnan(yp[4]));
    ck_assert_int_eq(dae_solver_stats(solver)->index, 3);
    is_ok(solver, dae_solver_run(solver, 6));
    is_ok(solver, dae_solver_at(solver, 6, y, NULL));
    const double exact[5] = {cos(6), sin(6), -sin(6), cos(6), 1};
    for (int i = 0; i < 2; i++) ck_assert_double_eq_tol(y[i], exact[i], 10 * GROWTH * RTOL);
    dae_solver_free(solver);
}
END_TEST

/* Start values that the problem holds, and those of a start over them. */
START_TEST(start_values)
{
    double y[2], yp[2];
    const double start[2] = {3, (double)NAN};
    dae_problem *problem = decay_in_semi_explicit_form(false);
    ck_assert_int_eq(dae_problem_set(problem, "amount", "2"), DAE_OK);
    dae_solver *solver = solver_for(problem, NULL);
    is_ok(solver, dae_solver_start(solver, 0.5, NULL));
    is_ok(solver, dae_solver_at(solver, 0.5, y, yp));
    ck_assert(y[0] == 2);
    ck_assert_double_eq_tol(y[1], -1, 8 * DBL_EPSILON);
    ck_assert_double_eq_tol(yp[0], -2, 16 * DBL_EPSILON);
    is_ok(solver, dae_solver_start(solver, 0.25, start)); /* once more, from elsewhere */
    is_ok(solver, dae_solver_at(solver, 0.25, y, yp));
    ck_assert(y[0] == 3);
    ck_assert_double_eq_tol(y[1], -0.5, 8 * DBL_EPSILON);
    is_ok(solver, dae_solver_run(solver, 1));
    is_ok(solver, dae_solver_run(solver, 0.25)); /* and back */
    is_ok(solver, dae_solver_at(solver, 0.25, y, NULL));
    ck_assert_double_eq_tol(y[0], 3, 1e-4);
    dae_solver_free(solver);
}
END_TEST

/* Values that meet the equations and what follows from them come back to the last bit. */
START_TEST(consistent_values_are_kept)
{
    double y[5], yp[5];
    for (double angle = 0; angle < 6; angle += 0.7) {
        const double start[5] = {cos(angle), sin(angle), -sin(angle), cos(angle), 1};
        double length = start[0] * start[0] + start[1] * start[1] - 1;
        dae_solver *solver = solver_for(circling_in_residual_form(), NULL);
        is_ok(solver, dae_solver_start(solver, 0, start));
        is_ok(solver, dae_solver_at(solver, 0, y, yp));
        ck_assert_double_le(fabs(length), 2 * DBL_EPSILON);
        ck_assert_mem_eq(y, start, sizeof y);
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq_tol(yp[i], start[2 + i], 1e-12);
            ck_assert_double_eq_tol(yp[2 + i], -start[i], 1e-12);
        }
        ck_assert_ptr_null(strstr(dae_solver_notes(solver), "start")); /* nothing was changed */
        dae_solver_free(solver);
    }
}
END_TEST

static bool is_noted(dae_solver *solver, const char *part)
{
    return strstr(dae_solver_notes(solver), part) != NULL;
}

/* Said is what was changed of what was given, and what nothing determines. */
START_TEST(start_values_reported)
{
    const double start[5] = {1, 0.1, 0, 1, 0}, open[2] = {(double)NAN, 0}, guess[2] = {1, 0.5};
    dae_solver *solver = solver_for(decay_in_semi_explicit_form(false), NULL);
    is_ok(solver, dae_solver_start(solver, 0, guess)); /* of `rate`, which is algebraic */
    ck_assert_str_eq(dae_solver_notes(solver), "");
    is_ok(solver, dae_solver_start(solver, 0, open));
    ck_assert_msg(is_noted(solver, "leave open: amount ="), "%s", dae_solver_notes(solver));
    ck_assert(!is_noted(solver, "changed"));
    dae_solver_free(solver);
    solver = solver_for(circling_in_residual_form(), NULL);
    is_ok(solver, dae_solver_start(solver, 0, start));
    ck_assert_msg(is_noted(solver, "start values changed, by as little as meets the equations: y1"),
                  "%s", dae_solver_notes(solver));
    ck_assert(is_noted(solver, "(given 0.1)"));
    dae_solver_free(solver);
}
END_TEST

/* Single steps are those of a run, and the last ends where it shall. */
START_TEST(single_steps)
{
    const double start[2] = {1, 0};
    double by_steps[2], by_run[2];
    dae_options options = tolerance_of(1e-6);
    options.keep_trajectory = true; /* values within steps count in a run as well */
    dae_solver *stepped = solver_for(decay_in_mass_form(true), &options);
    dae_solver *run = solver_for(decay_in_mass_form(true), &options);
    is_ok(stepped, dae_solver_start(stepped, 0, start));
    is_ok(run, dae_solver_start(run, 0, start));
    is_ok(run, dae_solver_run(run, 1));
    size_t steps = 0;
    for (double before = 0; dae_solver_time(stepped) < 1; before = dae_solver_time(stepped)) {
        is_ok(stepped, dae_solver_step(stepped, 1));
        ck_assert_double_gt(dae_solver_time(stepped), before);
        ck_assert_uint_eq(dae_solver_stats(stepped)->steps, ++steps);
    }
    ck_assert(dae_solver_time(stepped) == 1);
    is_ok(stepped, dae_solver_step(stepped, 1)); /* there already */
    ck_assert_uint_eq(dae_solver_stats(stepped)->steps, dae_solver_stats(run)->steps);
    is_ok(stepped, dae_solver_at(stepped, 1, by_steps, NULL));
    is_ok(run, dae_solver_at(run, 1, by_run, NULL));
    ck_assert_mem_eq(by_steps, by_run, sizeof by_run);
    dae_solver_free(stepped);
    dae_solver_free(run);
}
END_TEST

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp;
    ++*(size_t *)user;
    return 0;
}

/* Looking at a solution does not change it: the residual is measured apart from the engine. */
START_TEST(output_changes_nothing)
{
    const double start[2] = {1, 0};
    double y[2][2];
    size_t rows = 0, calls[2];
    dae_options options = tolerance_of(1e-6);
    options.keep_trajectory = true;
    for (int k = 0; k < 2; k++) {
        const dae_times times = {.count = 200, .first = 0, .last = 1};
        dae_solver *solver = solver_for(decay_in_semi_explicit_form(false), &options);
        if (k) dae_solver_output(solver, &times, ignore, &rows);
        is_ok(solver, dae_solver_start(solver, 0, start));
        is_ok(solver, dae_solver_run(solver, 1));
        is_ok(solver, dae_solver_at(solver, 1, y[k], NULL));
        calls[k] = dae_solver_stats(solver)->residual_calls;
        if (k) ck_assert_double_lt(dae_solver_stats(solver)->max_residual, 1e-3);
        dae_solver_free(solver);
    }
    ck_assert_uint_eq(rows, 200);
    ck_assert_mem_eq(y[0], y[1], sizeof y[0]);
    ck_assert_uint_eq(calls[0], calls[1]);
}
END_TEST

static size_t steps_with(double atol, const double *atols, double *y)
{
    const double start[2] = {1, 0};
    double own[2];
    dae_options options = tolerance_of(1e-6);
    options.atol = atol;
    if (atols) options.atols = memcpy(own, atols, sizeof own);
    dae_solver *solver = solver_for(turning_in_invariant_form(true), &options);
    own[0] = own[1] = 0; /* they were copied */
    is_ok(solver, dae_solver_start(solver, 0, start));
    is_ok(solver, dae_solver_run(solver, 10));
    is_ok(solver, dae_solver_at(solver, 10, y, NULL));
    size_t steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver);
    return steps;
}

/* One tolerance a variable: the same for all is the one for all, and a tight one counts. */
START_TEST(tolerances_of_variables)
{
    double one[2], each[2], mixed[2];
    size_t steps = steps_with(1e-4, NULL, one);
    ck_assert_uint_eq(steps_with(1, (const double[]){1e-4, 1e-4}, each), steps);
    ck_assert_mem_eq(one, each, sizeof one);
    size_t more = steps_with(1, (const double[]){1e-4, 1e-9}, mixed);
    ck_assert_uint_gt(more, steps + 5);
    ck_assert_uint_lt(more, steps_with(1e-9, NULL, mixed));
}
END_TEST

/* Constant matrices are evaluated once, and factored once a step size and eigenvalue: 64 steps of
 * 1/64, which a double holds, need one factorisation for each slot. A model is known to be linear
 * with constant coefficients without being told. */
START_TEST(constant_matrices_are_factored_once)
{
    static const char LINEAR[] = "model L Real x(start = 1), y(start = 0); equation "
                                 "der(x) = y - x; 2*der(y) = -x + sin(time); end L;";
    static const struct {
        const char *name;
        size_t factorizations;
    } methods[] = {{"radau-iia3", 2}, {"gauss2", 1},  {"lobatto-iiia3", 1}, {"esdirk4", 1},
                   {"radau-iia7", 4}, {"rodas5p", 1}, {"implicit-euler", 1}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        dae_options options = dae_options_default();
        options.method = methods[k].name;
        options.step = 1 / 64.0;
        dae_solver *solver[] = {solver_for(driven_in_linear_form(), &options),
                                solver_of(LINEAR, &options)};
        for (int kind = 0; kind < 2; kind++) {
            is_ok(solver[kind], dae_solver_start(solver[kind], 0, NULL));
            dae_stats before = *dae_solver_stats(solver[kind]);
            is_ok(solver[kind], dae_solver_run(solver[kind], 1));
            const dae_stats *after = dae_solver_stats(solver[kind]);
            ck_assert_uint_eq(after->steps, 64);
            ck_assert_msg(
                after->factorizations - before.factorizations == methods[k].factorizations,
                "%s: %zu", methods[k].name, after->factorizations - before.factorizations);
            ck_assert_uint_le(after->jacobian_calls - before.jacobian_calls, 1);
            dae_solver_free(solver[kind]);
        }
    }
}
END_TEST

START_TEST(described)
{
    dae_problem *problem = circling_in_residual_form();
    dae_description *d = dae_describe(problem, 0);
    ck_assert_int_eq(d->status, DAE_OK);
    ck_assert_uint_eq(d->equations, 5);
    ck_assert_uint_eq(d->unknowns, 5);
    ck_assert_str_eq(d->form, "residual");
    ck_assert_int_eq(d->index, 3);
    ck_assert_int_eq(d->structural_index, -1);
    ck_assert_uint_eq(d->invariants, 0);
    dae_description_free(d);
    dae_problem_free(problem);
}
END_TEST

UNIT_MAIN("solve/forms", 60, each_form_with_jacobian_and_without, linear_form, invariants,
          known_derivatives, consistent_values_are_kept, start_values, start_values_reported,
          single_steps, output_changes_nothing, tolerances_of_variables,
          constant_matrices_are_factored_once, described)
