/* No step allocates: the number of allocations of a run does not depend on its length. */
#include "solve/allocations.h"
#include "solve/models.h"

static int ignore(double t, const double *y, const double *yp, void *user)
{
    (void)t, (void)y, (void)yp;
    ++*(size_t *)user;
    return 0;
}

static long allocations_of_run(const char *model, double stop, size_t *steps)
{
    const dae_times times = {.count = 2000, .first = 0, .last = stop};
    size_t rows = 0;
    dae_solver *solver = solver_of(model, NULL);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_output(solver, &times, ignore, &rows));
    allocations.made = 0;
    allocations.on = true;
    dae_status status = dae_solver_run(solver, stop);
    allocations.on = false;
    is_ok(solver, status);
    ck_assert_uint_eq(rows, 2000);
    *steps = dae_solver_stats(solver)->steps;
    dae_solver_free(solver);
    return allocations.made;
}

/* Those of KLU are for the first factorisation of each matrix and, rarely, a new order of pivots.
 */
static void does_not_grow(const char *model, bool none)
{
    size_t few, many;
    count_in_klu();
    long made = allocations_of_run(model, 1, &few);
    ck_assert_int_eq(allocations_of_run(model, 10, &many), made);
    ck_assert_uint_gt(many, few + 5);
    if (none) ck_assert_int_eq(made, 0);
}

START_TEST(dense)
{
    does_not_grow(OSCILLATOR, false);
    does_not_grow(PENDULUM, false);
    does_not_grow(CAPACITORS, false);
}
END_TEST

START_TEST(sparse)
{
    does_not_grow(LADDER, false);
}
END_TEST

UNIT_MAIN("solve/steps", 60, dense, sparse)
