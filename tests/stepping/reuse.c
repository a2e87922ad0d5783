/* When a Jacobian, and a step with its factors, are kept: what the delay costs is never more than
 * what renewal costs, whatever the iterations do; cheap renewals are not put off; and runs that
 * decide so repeat bit for bit. */
#include "stepping/newton.h"

#include "base/unit.h"
#include "zoo/zoo.h"

#include <string.h>

/* Costs scattered over some powers of ten. */
static reuse scattered_costs(uint64_t *state)
{
    return (reuse){.jacobian = pow(10, 3 + 2 * scatter(state)),
                   .factors = pow(10, 4 + 2 * scatter(state)),
                   .iteration = pow(10, 3 + scatter(state)),
                   .best_rate = HUGE_VAL};
}

START_TEST(an_old_jacobian_never_costs_more_than_two_new_ones)
{
    uint64_t state = 31;
    for (int round = 0; round < 2000; round++) {
        reuse r = scattered_costs(&state);
        double renewal = r.jacobian + r.factors, lost = 0;
        bool kept = reuse_keeps_jacobian(&r, 2, 0.01, true);
        for (int step = 0; kept && step < 10000; step++) {
            int iterations = 1 + (int)scatter_below(&state, 6);
            ck_assert_double_lt(lost, renewal); /* it was kept as it had cost less */
            lost += (iterations > 2 ? iterations - 2 : 0) * r.iteration;
            kept = reuse_keeps_jacobian(&r, iterations, 0.01, false);
        }
        ck_assert(!kept);
        ck_assert_double_le(lost, renewal + 4 * r.iteration);
    }
}
END_TEST

START_TEST(what_decides)
{
    reuse r = {.jacobian = 1, .factors = 1e6, .iteration = 1};
    ck_assert(reuse_keeps_jacobian(&r, 7, 1e-4, false)); /* fast in any case */
    ck_assert(reuse_keeps_jacobian(&r, 3, 0.01, true));
    ck_assert(reuse_keeps_jacobian(&r, 3, 0.01, false));
    ck_assert(!reuse_keeps_jacobian(&r, 3, 0.5, false)); /* close to a failure */
    r.factors = 0.1; /* an iteration costs as much as all of it */
    ck_assert(!reuse_keeps_jacobian(&r, 3, 0.01, true));
    ck_assert(reuse_keeps_jacobian(&r, 3, 1e-4, true));
    ck_assert_double_le(reuse_kept_growth(&r, 3), 1);
}
END_TEST

START_TEST(short_steps_never_cost_more_than_new_factors)
{
    uint64_t state = 32;
    for (int round = 0; round < 2000; round++) {
        reuse r = scattered_costs(&state);
        double forgone = 0;
        for (int step = 0; step < 1000; step++) {
            int iterations = 1 + (int)scatter_below(&state, 6);
            double growth = 1 + 0.5 * (1 + scatter(&state));
            if (growth > reuse_kept_growth(&r, iterations)) continue;
            reuse_note_growth(&r, growth, iterations);
            forgone += (1 - 1 / growth) * iterations * r.iteration;
        }
        ck_assert_double_eq_tol(r.forgone, forgone, 1e-12 * r.factors);
        ck_assert_double_le(forgone, r.factors * (1 + 1e-12));
    }
}
END_TEST

typedef struct outcome {
    double y[ZOO_MOST];
    dae_stats stats;
} outcome;

static outcome run(const zoo_ivp *ivp)
{
    outcome found = {0};
    double yp[ZOO_MOST], atol[ZOO_MOST];
    dae_options options = dae_options_default();
    options.method = "radau-iia3";
    options.rtol = 1e-5;
    options.atols = atol;
    zoo_tolerances(ivp, options.rtol, atol);
    ivp->start(found.y, yp);
    dae_problem *made = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(made, &options);
    dae_problem_free(made);
    ck_assert_int_eq(dae_solver_start_with(solver, 0, found.y, yp), DAE_OK);
    ck_assert_int_eq(dae_solver_run(solver, ivp->t_end), DAE_OK);
    ck_assert_int_eq(dae_solver_at(solver, ivp->t_end, found.y, NULL), DAE_OK);
    found.stats = *dae_solver_stats(solver);
    dae_solver_free(solver);
    return found;
}

/* Fekete's 160 unknowns take ten iterations' time to factor: most steps go on with old factors. Of
 * three unknowns, new ones cost nothing to speak of. */
START_TEST(dear_factors_serve_for_several_steps)
{
    const zoo_ivp *dear = zoo_ivp_named("Fekete"), *cheap = zoo_ivp_named("Robertson");
    outcome once = run(dear), twice = run(dear), small = run(cheap);
    ck_assert_uint_lt(once.stats.factorizations, once.stats.steps); /* a real and a complex one */
    ck_assert_uint_lt(3 * once.stats.jacobian_calls, once.stats.steps);
    ck_assert_uint_gt(small.stats.factorizations, small.stats.steps);
    ck_assert_int_eq(memcmp(once.y, twice.y, sizeof once.y), 0);
    ck_assert_uint_eq(once.stats.residual_calls, twice.stats.residual_calls);
    ck_assert_uint_eq(once.stats.factorizations, twice.stats.factorizations);
}
END_TEST

/* Factors of derivatives are constant, whatever else varies in the equations: each row in turn has
 * the term that varies first. */
START_TEST(constant_leading_factors_are_made_once)
{
    static const char *const models[] = {
        "model M Real x(start = 1), y(start = 0); equation 2*der(x) + der(y) = -x^2; "
        "der(x) - 3*der(y) = 1; end M;",
        "model M Real x(start = 1), y(start = 0); equation 2*der(x) + der(y) = 1; "
        "der(x) - 3*der(y) = sin(time)*y; end M;"};
    for (int k = 0; k < 2; k++) {
        dae_options options = dae_options_default();
        options.method = "dopri5";
        dae_problem *made = dae_problem_parse("M", models[k], strlen(models[k]));
        dae_solver *solver = dae_solver_create(made, &options);
        dae_problem_free(made);
        ck_assert_msg(dae_solver_run(solver, 1) == DAE_OK, "%s", dae_solver_message(solver));
        ck_assert_uint_eq(dae_solver_stats(solver)->factorizations, 1);
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("stepping/reuse", 60, an_old_jacobian_never_costs_more_than_two_new_ones, what_decides,
          short_steps_never_cost_more_than_new_factors, dear_factors_serve_for_several_steps,
          constant_leading_factors_are_made_once)
