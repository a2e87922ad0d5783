/* A hundred steps and a thousand allocate alike: every row of the catalogue with fixed steps, every
 * adaptive one with its own, dense and sparse. What is allocated after the first steps is what KLU
 * wants when variable order first comes to a method. */
#include "base/unit.h"
#include "method/method.h"
#include "solve/allocations.h"
#include "zoo/zoo.h"

enum { FEW = 100, MANY = 1000 };

/* Allocations in so many steps after the first ten, in which matrices get their order of pivots;
 * -1 where the method does not go so far. */
static long made_in_steps(const zoo_ivp *ivp, const char *name, double fixed, int steps)
{
    double y[ZOO_MOST], yp[ZOO_MOST], atol[ZOO_MOST];
    dae_options options = dae_options_default();
    options.method = name;
    options.step = fixed;
    options.max_step = fixed > 0 ? 0 : ivp->t_end / (1.5 * MANY);
    options.atols = atol;
    zoo_tolerances(ivp, options.rtol, atol);
    ivp->start(y, yp);
    dae_problem *problem = zoo_problem(ivp->form);
    dae_solver *solver = dae_solver_create(problem, &options);
    dae_problem_free(problem);
    dae_status status = dae_solver_status(solver);
    if (status == DAE_OK) status = dae_solver_start_with(solver, 0, y, yp);
    for (int k = 0; status == DAE_OK && k < 10 + steps; k++) {
        if (k == 10) allocations.made = 0, allocations.on = true;
        status = dae_solver_step(solver, ivp->t_end);
    }
    allocations.on = false;
    dae_solver_free(solver);
    return status == DAE_OK ? allocations.made : -1;
}

/* How many rows have been seen to allocate alike. */
static int rows_that_allocate_alike(const char *problem, double fixed)
{
    const zoo_ivp *ivp = zoo_ivp_named(problem);
    int seen = 0;
    count_in_klu();
    for (size_t i = 0; method_row_at(i); i++) {
        const char *name = method_row_at(i)->name;
        long few = made_in_steps(ivp, name, fixed, FEW);
        if (few < 0) continue;
        long many = made_in_steps(ivp, name, fixed, MANY);
        if (many < 0) continue;
        ck_assert_msg(few == many, "%s on %s: %ld and %ld", name, problem, few, many);
        seen++;
    }
    return seen;
}

START_TEST(fixed_steps)
{
    ck_assert_int_ge(rows_that_allocate_alike("HIRES", 1e-3), 50);
}
END_TEST

START_TEST(dense)
{
    ck_assert_int_ge(rows_that_allocate_alike("chemical Akzo Nobel", 0), 12);
}
END_TEST

START_TEST(sparse)
{
    ck_assert_int_ge(rows_that_allocate_alike("water tube", 0), 8);
}
END_TEST

UNIT_MAIN("solve/long_runs", 120, fixed_steps, dense, sparse)
