/* What counts in the error test and in Newton's iteration of mechanical systems whose accelerations
 * and multipliers are unknowns, and what becomes of those where a method does not find them. */
#include "base/unit.h"
#include "zoo/move.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

static zoo_moved move(const zoo_mechanical *z, size_t row, const char *name,
                      const char *formulation, double tolerance)
{
    dae_options o = dae_options_default();
    zoo_moved found;
    o.method = name;
    o.formulation = formulation;
    o.rtol = o.atol = tolerance;
    zoo_move(z, &o, row, 1, &found);
    return found;
}

/* Forces of 1e6 cancel in accelerations and multipliers of 1: their round-off, 1e-10, is 1e-16 in
 * velocities over a step of 1e-7. */
START_TEST(round_off_of_forces_does_not_stop_a_run)
{
    static const char *const formulations[] = {"fuhrer-leimkuhler", "baumgarte", "index1"};
    for (size_t k = 0; k < 3; k++)
        for (double tolerance = 1e-8; tolerance > 0.9e-10; tolerance /= 10) {
            zoo_moved f = move(&zoo_double_pendulum, 1, "radau-iia3", formulations[k], tolerance);
            ck_assert_msg(f.status == DAE_OK, "%s: %s", formulations[k], f.message);
            ck_assert_double_lt(f.q, 100 * tolerance);
            ck_assert_double_lt(f.v, 100 * tolerance);
        }
}
END_TEST

/* The solution is what it is, whatever the unknowns: so are the steps that it needs. */
START_TEST(steps_are_as_many_with_accelerations_among_the_unknowns_as_without)
{
    static const char *const formulations[] = {"fuhrer-leimkuhler", "baumgarte", "index1"};
    zoo_moved without = move(&zoo_governor, 0, "bdf", "elimination", 1e-8);
    ck_assert_int_eq(without.status, DAE_OK);
    for (size_t k = 0; k < 3; k++) {
        zoo_moved f = move(&zoo_governor, 0, "bdf", formulations[k], 1e-8);
        ck_assert_msg(f.status == DAE_OK, "%s: %s", formulations[k], f.message);
        ck_assert_uint_lt(f.steps, 2 * without.steps);
        ck_assert_double_lt(fmax(f.q, f.v), 1e-6);
    }
}
END_TEST

/* A rule of the tests above: multipliers that an error test counts less stay as good as those that
 * are found from the state. */
START_TEST(multipliers_are_as_good_as_the_state)
{
    static const char *const formulations[] = {"fuhrer-leimkuhler", "baumgarte", "index1"};
    for (size_t k = 0; k < 3; k++) {
        zoo_moved f = move(&zoo_pendulum, 0, "radau-iia3", formulations[k], 1e-6);
        ck_assert_int_eq(f.status, DAE_OK);
        ck_assert_double_lt(f.lambda, 1e-5);
    }
}
END_TEST

/* R(infinity) of a Gauss method is -1 or 1: what a multiplier misses stays, and grows by 1/h. */
START_TEST(gauss_methods_find_multipliers)
{
    static const char *const formulations[] = {"baumgarte", "ggl", "ggl-mass", "fuhrer-leimkuhler"};
    for (size_t k = 0; k < 4; k++) {
        zoo_moved f = move(&zoo_pendulum, 0, "gauss3", formulations[k], 1e-6);
        ck_assert_msg(f.status == DAE_OK, "%s: %s", formulations[k], f.message);
        ck_assert_double_lt(fmax(fmax(f.q, f.v), f.lambda), 1e-4);
        ck_assert_double_lt(f.level[2], 1e-13);
        ck_assert_int_eq(f.projected, k > 0);
    }
}
END_TEST

/* What runs away is told with the variable, and the step that it takes. */
START_TEST(an_explicit_stage_that_runs_away_ends_in_a_sentence)
{
    dae_options o = dae_options_default();
    zoo_moved found;
    o.method = "hem4";
    o.formulation = "augmented";
    o.projection = "none";
    o.step = 0.001;
    zoo_move(&zoo_double_pendulum, &o, 1, 0, &found);
    ck_assert_msg(found.status == DAE_UNSTABLE, "%s", found.message);
    ck_assert_msg(strstr(found.message, "v6 grows"), "%s", found.message);
}
END_TEST

UNIT_MAIN("mechanical norms", 60, round_off_of_forces_does_not_stop_a_run,
          steps_are_as_many_with_accelerations_among_the_unknowns_as_without,
          multipliers_are_as_good_as_the_state, gauss_methods_find_multipliers,
          an_explicit_stage_that_runs_away_ends_in_a_sentence)
