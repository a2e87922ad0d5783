/* Formulations of mechanical systems that are renewed on the way: the motion is the same, multistep
 * methods keep their past, and so does a kept trajectory. */
#include "base/unit.h"
#include "solve/mechanical_run.h"
#include "solve/mechanical_simulation.h"
#include "solve/solver.h"

/* At every step, and the motion is the same. */
START_TEST(a_chart_renewed_at_every_step_finds_the_same)
{
    static const char *const names[] = {"partition", "nullspace-qr", "nullspace-svd",
                                        "zero-eigenvalue"};
    static const char *const methods[] = {"radau-iia3", "dop853", "rodasp"};
    for (size_t i = 0; i < 4; i++) {
        for (size_t k = 0; k < 3; k++) {
            if (!is_sampled(names[i], i + k, 4)) continue;
            dae_options o = dae_options_default();
            double reference[3 * ZOO_MECHANICAL_MOST];
            o.formulation = names[i];
            o.method = methods[k];
            o.rtol = o.atol = 1e-8;
            run r = begin(&zoo_andrews, &o);
            ((mechanical_simulation *)r.solver->simulation)->renew_below = 2;
            double t = known(&zoo_andrews, &r, reference);
            ck_assert_int_eq(go(&r, t), DAE_OK);
            const dae_stats *stats = dae_solver_stats(r.solver);
            ck_assert_uint_eq(stats->chart_changes, stats->steps);
            double error = error_of(&r, reference, 0, r.nq);
            ck_assert_msg(error < 1e-5, "%s, %s: %g", names[i], methods[k], error);
            dae_solver_free(r.solver);
        }
    }
}
END_TEST

/* Multistep methods go on with their steps and orders: past points are carried into each
 * formulation. */
START_TEST(a_renewed_chart_costs_no_steps)
{
    static const char *const names[] = {"partition", "nullspace-qr"};
    static const char *const methods[] = {"bdf", "mebdf"};
    const zoo_mechanical *const systems[] = {&zoo_andrews, &zoo_mechanical_car_axis};
    for (size_t i = 0; i < 8; i++) {
        const zoo_mechanical *z = systems[i / 4];
        double reference[3 * ZOO_MECHANICAL_MOST], error[2] = {0};
        size_t steps[2] = {0};
        for (int renewed = 0; renewed < 2; renewed++) {
            dae_options o = dae_options_default();
            o.formulation = names[i % 2];
            o.method = methods[i / 2 % 2];
            o.rtol = o.atol = 1e-7;
            run r = begin(z, &o);
            if (renewed) ((mechanical_simulation *)r.solver->simulation)->renew_below = 2;
            double t = known(z, &r, reference);
            ck_assert_int_eq(go(&r, t), DAE_OK);
            const dae_stats *stats = dae_solver_stats(r.solver);
            steps[renewed] = stats->steps;
            error[renewed] = error_of(&r, reference, 0, r.nq);
            if (renewed) ck_assert_uint_eq(stats->chart_changes, stats->steps);
            dae_solver_free(r.solver);
        }
        ck_assert_msg(steps[1] < 1.05 * (double)steps[0] && error[1] < 1e-6,
                      "%s, %s, %s: %zu steps instead of %zu, %g", z->form.about.name,
                      methods[i / 2 % 2], names[i % 2], steps[1], steps[0], error[1]);
    }
}
END_TEST

typedef struct kept {
    size_t count;
    double t[21], y[21][20];
} kept;

static int keep(double t, const double *y, const double *yp, void *user)
{
    kept *k = user;
    (void)yp;
    k->t[k->count] = t;
    memcpy(k->y[k->count++], y, 20 * sizeof *y);
    return 0;
}

/* Each segment remembers its formulation: a past time has the values that were sent. */
START_TEST(past_times_are_those_of_their_formulations)
{
    dae_options o = dae_options_default();
    const dae_times times = {.first = 0, .last = 0.03, .count = 21};
    kept sent = {0};
    o.formulation = "nullspace-qr";
    o.keep_trajectory = true;
    run r = begin(&zoo_andrews, &o);
    ck_assert_int_eq(dae_solver_start(r.solver, 0, r.y), DAE_OK);
    dae_solver_output(r.solver, &times, keep, &sent);
    ck_assert_int_eq(dae_solver_run(r.solver, 0.03), DAE_OK);
    ck_assert_uint_gt(dae_solver_stats(r.solver)->chart_changes, 3);
    ck_assert_uint_eq(sent.count, 21);
    for (size_t k = 1; k < sent.count; k++) {
        ck_assert_int_eq(dae_solver_at(r.solver, sent.t[k], r.y, NULL), DAE_OK);
        for (size_t j = 0; j < 14; j++)
            ck_assert_double_eq_tol(r.y[j], sent.y[k][j], 1e-10 * fmax(fabs(sent.y[k][j]), 1));
    }
    dae_solver_free(r.solver);
}
END_TEST

UNIT_MAIN("solve/mechanical_formulations", 120, a_chart_renewed_at_every_step_finds_the_same,
          a_renewed_chart_costs_no_steps, past_times_are_those_of_their_formulations)
