/* Mechanical systems: every formulation comes to the same motion, and keeps its constraints.
 * Orders: mechanical_orders.c; formulations that are renewed: mechanical_formulations.c. */
#include "base/unit.h"
#include "formulation/mechanical_formulation.h"
#include "solve/mechanical_run.h"

static bool is_among(const char *name, const char *const *list)
{
    while (*list && strcmp(*list, name) != 0) list++;
    return *list != NULL;
}

/* Those that meet constraints by forces, to a part of about 1e-7 of theirs. */
static const char *const forced[] = {"penalty", "augmented", NULL};

/* Errors are below 1e-4 of positions, or that times `loose`. */
static void compare(const zoo_mechanical *z, const char *formulation, const char *by, double rtol,
                    double loose)
{
    dae_options o = dae_options_default();
    double reference[3 * ZOO_MECHANICAL_MOST];
    o.formulation = formulation;
    o.method = by;
    o.rtol = o.atol = rtol;
    run r = begin(z, &o);
    double t = known(z, &r, reference);
    dae_status status = go(&r, t);
    const char *name = z->form.about.name;
    ck_assert_msg(status == DAE_OK, "%s, %s, %s: %s", name, formulation, by,
                  dae_solver_message(r.solver));
    double q = error_of(&r, reference, 0, r.nq), v = error_of(&r, reference, r.nq, r.nq + r.nv);
    double most = loose * (is_among(formulation, forced) ? 1e-3 : 1e-4);
    ck_assert_msg(q < most && v < 10 * most, "%s, %s, %s: %g in q, %g in v", name, formulation, by,
                  q, v);
    dae_solver_free(r.solver);
}

static void compare_all(const zoo_mechanical *z, const char *by, bool takes_algebraic, double loose)
{
    for (size_t i = 0; mechanical_formulation_at(i); i++)
        if ((takes_algebraic || !mechanical_formulation_at(i)->holds_multipliers) &&
            is_sampled(mechanical_formulation_at(i)->name, i + (size_t)by[0],
                       3)) /* others by each method */
            compare(z, mechanical_formulation_at(i)->name, by, 1e-7, loose);
}

START_TEST(every_formulation_finds_the_pendulum)
{
    compare_all(&zoo_pendulum, "radau-iia3", true, 1);
    compare_all(&zoo_pendulum, "bdf", true, 1);
    compare_all(&zoo_pendulum, "dop853", false, 1);
}
END_TEST

START_TEST(every_formulation_finds_the_squeezer)
{
    compare_all(&zoo_andrews, "radau-iia3", true, 1);
    compare_all(&zoo_andrews, "bdf", true, 1);
    compare_all(&zoo_andrews, "dop853", false, 1);
}
END_TEST

/* Of the constraints of the zoo's double pendulum. */
static int second_derivatives(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)t, (void)user;
    gamma[0] = 0.5 * cos(q[2]) * v[2] * v[2];
    gamma[1] = 0.5 * sin(q[2]) * v[2] * v[2];
    gamma[2] = 0.75 * cos(q[5]) * v[5] * v[5] + gamma[0];
    gamma[3] = 0.75 * sin(q[5]) * v[5] * v[5] + gamma[1];
    return 0;
}

/* Accelerations of 1e6, which Fuhrer and Leimkuhler's equations have in Newton's iteration beside
 * multipliers that are 0. */
START_TEST(every_formulation_finds_the_stiff_double_pendulum)
{
    zoo_mechanical z = zoo_double_pendulum;
    z.form.gamma = second_derivatives;
    for (size_t i = 0; mechanical_formulation_at(i); i++)
        compare(&z, mechanical_formulation_at(i)->name, "bdf", 1e-6, 1);
}
END_TEST

/* Two of the platform's three cranks are enough, and lie in one line when they pass the horizontal.
 */
START_TEST(every_formulation_finds_the_platform)
{
    compare_all(&zoo_platform, "radau-iia3", true, 1);
    compare_all(&zoo_platform, "bdf", true, 1);
    compare_all(&zoo_platform, "dop853", false, 1);
}
END_TEST

/* Where its bars lie down, the rank of the constraints falls by two. The weight does not vanish in
 * the directions that are lost, so that multipliers tend to infinity there: formulations that have
 * them leave constraints out in the neighbourhood, fourteen times on this way. */
START_TEST(every_formulation_passes_singular_configurations)
{
    compare_all(&zoo_double_four_bar, "radau-iia3", true, 20);
    compare_all(&zoo_double_four_bar, "dop853", false, 20);
}
END_TEST

START_TEST(what_depends_on_others_is_reported)
{
    dae_options o = dae_options_default();
    o.formulation = "ggl";
    o.method = "radau-iia3";
    o.rtol = o.atol = 1e-7;
    run r = begin(&zoo_platform, &o);
    ck_assert_int_eq(go(&r, 1), DAE_OK);
    const char *reasons = dae_solver_stats(r.solver)->reasons;
    ck_assert_ptr_nonnull(strstr(reasons, "1 of the constraints depend on the others"));
    ck_assert_ptr_nonnull(strstr(reasons, "constraints come to depend on others"));
    ck_assert_uint_ge(dae_solver_stats(r.solver)->chart_changes, 2);
    dae_solver_free(r.solver);
}
END_TEST

START_TEST(automatic_choice_finds_all_systems)
{
    for (size_t i = 0; zoo_mechanical_at(i); i++) {
        const zoo_mechanical *z = zoo_mechanical_at(i);
        if (z->exact || z->references) compare(z, "auto", "auto", 1e-7, 1);
    }
}
END_TEST

START_TEST(methods_of_other_kinds_take_their_forms)
{
    compare(&zoo_andrews, "index2", "hedop5", 1e-7, 1);
    compare(&zoo_andrews, "index1", "state-space-dopri5", 1e-7, 1);
    compare(&zoo_andrews, "index1", "rodasp", 1e-7, 1);
    compare(&zoo_andrews, "ggl", "mebdf", 1e-7, 1);
}
END_TEST

static void expect_choice_within(const zoo_mechanical *z, const char *asked, const char *by,
                                 const char *formulation, const char *chosen, const char *because)
{
    dae_options o = dae_options_default();
    o.formulation = asked;
    o.method = by;
    run r = begin(z, &o);
    ck_assert_int_eq(go(&r, z->stop / 4), DAE_OK);
    const dae_stats *stats = dae_solver_stats(r.solver);
    ck_assert_str_eq(stats->formulation, formulation);
    ck_assert_ptr_eq(strstr(stats->method, chosen),
                     stats->method); /* of that name, or more stages */
    ck_assert_int_eq(stats->index, z->form.holonomic ? 3 : 2);
    ck_assert_ptr_nonnull(strstr(stats->reasons, "a mechanical system of"));
    ck_assert_msg(strstr(stats->reasons, because) != NULL, "%s", stats->reasons);
    dae_solver_free(r.solver);
}

static void expect_choice(const zoo_mechanical *z, const char *by, const char *formulation,
                          const char *chosen, const char *because)
{
    expect_choice_within(z, "auto", by, formulation, chosen, because);
}

/* Explicit and of high order where forces are not stiff, though they may damp (Andrews' mechanism
 * at its start); implicit where they are, or become so, and then multipliers are unknowns. */
START_TEST(automatic_choice_says_what_it_takes)
{
    static const char *const EXPLICIT = "begun with an explicit method; dop853";
    static const char *const UNKNOWNS = "so that multipliers are unknowns";
    expect_choice(&zoo_pendulum, "auto", "elimination", "dop853", EXPLICIT);
    expect_choice(&zoo_skate, "auto", "elimination", "dop853", EXPLICIT);
    expect_choice(&zoo_andrews, "auto", "elimination", "dop853", "in modulus and damped");
    expect_choice(&zoo_andrews, "auto", "elimination", "dop853", EXPLICIT);
    expect_choice(&zoo_governor, "auto", "ggl", "", UNKNOWNS);
    expect_choice(&zoo_double_pendulum, "auto", "ggl", "", UNKNOWNS);
    expect_choice_within(&zoo_governor, "elimination", "auto", "elimination", "",
                         "begun with an implicit method");
    expect_choice_within(&zoo_double_pendulum, "elimination", "auto", "elimination", "radau-iia",
                         "dop853 gave way to");
    expect_choice(&zoo_double_pendulum, "rodasp", "elimination", "rodasp", "rodasp");
}
END_TEST

/* Beyond the look at the start it takes no more than what suits best. */
START_TEST(automatic_choice_costs_a_look)
{
    size_t calls[2];
    for (int k = 0; k < 2; k++) {
        dae_options o = dae_options_default();
        o.method = k ? "dop853" : "auto";
        run r = begin(&zoo_andrews, &o);
        ck_assert_int_eq(go(&r, zoo_andrews.stop), DAE_OK);
        calls[k] = dae_solver_stats(r.solver)->residual_calls;
        dae_solver_free(r.solver);
    }
    ck_assert_uint_ge(calls[0], calls[1]);
    ck_assert_uint_le(calls[0], calls[1] + 20);
}
END_TEST

/* Round-off on all levels where states are brought back to them, or cannot leave them; to the
 * tolerance where they are equations. */
START_TEST(constraints_are_met_by_level)
{
    static const char *const all[] = {"index2",         "index1",          "elimination",
                                      "udwadia-kalaba", "partition",       "nullspace-qr",
                                      "nullspace-svd",  "zero-eigenvalue", NULL};
    const zoo_mechanical *systems[] = {&zoo_pendulum, &zoo_andrews, &zoo_mechanical_car_axis};
    for (size_t i = 0; i < 3; i++) {
        for (const char *const *name = all; *name; name++) {
            dae_options o = dae_options_default();
            o.formulation = *name;
            run r = begin(systems[i], &o);
            ck_assert_int_eq(go(&r, systems[i]->stop / 4), DAE_OK);
            const dae_stats *stats = dae_solver_stats(r.solver);
            ck_assert_uint_eq(stats->constraint_levels, 3);
            for (size_t k = 0; k < 3; k++)
                ck_assert_msg(stats->max_constraint[k] < 1e-13, "%s, %s: %g on level %zu",
                              systems[i]->form.about.name, *name, stats->max_constraint[k], k);
            ck_assert_double_lt(stats->max_residual, 1e-13);
            dae_solver_free(r.solver);
        }
    }
}
END_TEST

/* Baumgarte's equations, and those on one level alone, stay near the others; without projection the
 * pendulum drifts off. */
START_TEST(drift_is_what_projection_removes)
{
    double left[2];
    for (int k = 0; k < 2; k++) {
        dae_options o = dae_options_default();
        o.formulation = k ? "baumgarte:xi=0.8,omega=20" : "elimination";
        o.projection = "none";
        o.rtol = o.atol = 1e-4;
        run r = begin(&zoo_pendulum, &o);
        ck_assert_int_eq(go(&r, 10), DAE_OK);
        left[k] = dae_solver_stats(r.solver)->max_constraint[0];
        ck_assert_str_eq(dae_solver_stats(r.solver)->projection, "none");
        dae_solver_free(r.solver);
    }
    ck_assert_double_gt(left[0], 1e-5);
    ck_assert_double_lt(left[1], left[0] / 5);
}
END_TEST

START_TEST(projections_bring_states_back)
{
    static const struct {
        const char *name;
        double met;
    } ways[] = {{"coordinate", 1e-14},    {"mass", 1e-14}, {"fz", 1e-14},
                {"least-squares", 1e-14}, {"post", 1e-7},  {"post2", 1e-11},
                {"derivative", 1e-14}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        dae_options o = dae_options_default();
        o.projection = ways[k].name;
        o.formulation = "elimination";
        run r = begin(&zoo_andrews, &o);
        ck_assert_int_eq(go(&r, 0.01), DAE_OK);
        const dae_stats *stats = dae_solver_stats(r.solver);
        ck_assert_str_eq(stats->projection, ways[k].name);
        ck_assert_msg(stats->max_constraint[0] < ways[k].met, "%s: %g", ways[k].name,
                      stats->max_constraint[0]);
        dae_solver_free(r.solver);
    }
}
END_TEST

/* Steps far beyond the limit of stability. */
START_TEST(states_that_cannot_be_brought_back_end_the_run)
{
    dae_options o = dae_options_default();
    o.method = "euler";
    o.formulation = "elimination";
    o.step = 0.02;
    run r = begin(&zoo_double_pendulum, &o);
    ck_assert_int_eq(go(&r, 0.1), DAE_CONSTRAINT);
    ck_assert_ptr_nonnull(strstr(dae_solver_message(r.solver), "no configuration was found"));
    dae_solver_free(r.solver);
}
END_TEST

UNIT_MAIN("mechanical", 240, every_formulation_finds_the_pendulum,
          every_formulation_finds_the_squeezer, every_formulation_finds_the_stiff_double_pendulum,
          every_formulation_finds_the_platform, every_formulation_passes_singular_configurations,
          what_depends_on_others_is_reported, automatic_choice_finds_all_systems,
          methods_of_other_kinds_take_their_forms, automatic_choice_says_what_it_takes,
          automatic_choice_costs_a_look, constraints_are_met_by_level,
          drift_is_what_projection_removes, projections_bring_states_back,
          states_that_cannot_be_brought_back_end_the_run)
