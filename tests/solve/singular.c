/* Configurations of lower rank on the way: at tight tolerances v' without the multipliers, whose
 * round-off grows with the third power of the distance from there, and structural methods, whose
 * matrix is that of G without its change over a step. */
#include "base/unit.h"
#include "zoo/move.h"

/* Both pass several of them before the end; errors of positions are below `most`. */
static void pass(const zoo_mechanical *z, const char *formulation, const char *by, double rtol,
                 double step, double most)
{
    dae_options o = dae_options_default();
    zoo_moved found;
    o.formulation = formulation;
    o.method = by;
    o.rtol = o.atol = rtol;
    o.step = step;
    zoo_move(z, &o, z->references - !z->exact, z->stop, &found);
    const char *name = z->form.about.name;
    ck_assert_msg(found.status == DAE_OK, "%s, %s, %s: %s", name, formulation, by, found.message);
    ck_assert_msg(found.q < most && found.v < 10 * most, "%s, %s, %s: %g in q, %g in v", name,
                  formulation, by, found.q, found.v);
}

START_TEST(elimination_passes_singular_configurations)
{
    static const char *const formulations[] = {"elimination", "udwadia-kalaba"};
    static const char *const methods[] = {"dop853", "radau-iia3"};
    for (size_t k = 0; k < 4; k++) {
        if (!is_sampled(methods[k % 2], k + k / 2, 3)) continue;
        pass(&zoo_platform, formulations[k / 2], methods[k % 2], 1e-9, 0, 1e-6);
        pass(&zoo_double_four_bar, formulations[k / 2], methods[k % 2], 1e-9, 0, 1e-6);
    }
}
END_TEST

/* All are of second order, and no better than their steps. */
START_TEST(structural_methods_pass_singular_configurations)
{
    static const char *const levels[] = {"index1", "index2"};
    static const char *const methods[] = {"newmark", "generalized-alpha", "hht"};
    for (size_t k = 0; k < 12; k++) {
        if (!is_sampled(methods[k / 2 % 3], k + k / 2, 5)) continue;
        double step = k < 6 ? 0 : 1e-3;
        pass(&zoo_platform, levels[k % 2], methods[k / 2 % 3], 1e-5, step, 1e-4);
        pass(&zoo_double_four_bar, levels[k % 2], methods[k / 2 % 3], 1e-5, step, 2e-4);
    }
}
END_TEST

/* Nowhere near such a configuration nothing is left out. */
START_TEST(regular_motions_keep_their_constraints)
{
    static const char *const formulations[] = {"elimination", "udwadia-kalaba"};
    const zoo_mechanical *const systems[] = {&zoo_andrews, &zoo_double_pendulum};
    for (size_t k = 0; k < 4; k++) {
        dae_options o = dae_options_default();
        o.formulation = formulations[k / 2];
        const zoo_mechanical *z = systems[k % 2];
        double y[3 * ZOO_MECHANICAL_MOST];
        dae_problem *problem = dae_problem_mechanical(&z->form);
        dae_solver *solver = dae_solver_create(problem, &o);
        dae_problem_free(problem);
        for (size_t j = 0; j < 3 * ZOO_MECHANICAL_MOST; j++) y[j] = (double)NAN;
        z->start(y, y + z->form.nq);
        ck_assert_int_eq(dae_solver_start(solver, 0, y), DAE_OK);
        ck_assert_int_eq(dae_solver_run(solver, z->stop / 4), DAE_OK);
        ck_assert_uint_eq(dae_solver_stats(solver)->chart_changes, 0);
        dae_solver_free(solver);
    }
}
END_TEST

UNIT_MAIN("singular configurations", 120, elimination_passes_singular_configurations,
          structural_methods_pass_singular_configurations, regular_motions_keep_their_constraints)
