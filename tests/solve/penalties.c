/* Penalties: what they miss falls as 1/alpha (Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl.
 * Mech. Engng. 71 (1988) 183), in positions, velocities and multipliers; augmented ones miss
 * nothing, and have the orders of their methods. Dependent constraints change nothing in that. */
#include "base/unit.h"
#include "zoo/move.h"

#include <stdio.h>
#include <string.h>

enum { CLASSES = 3, RUNS = 4 };

static void move(const zoo_mechanical *z, const char *formulation, const char *projection,
                 double alpha, double step, double *error)
{
    char name[64];
    zoo_moved found;
    dae_options o = dae_options_default();
    snprintf(name, sizeof name, "%s:alpha=%g", formulation, alpha);
    o.formulation = name;
    o.projection = projection;
    o.method = step > 0 ? "rk4" : "dop853";
    o.step = step > 0 ? step : 0;
    o.rtol = o.atol = 1e-12;
    zoo_move(z, &o, 0, 0.25, &found);
    ck_assert_msg(found.status == DAE_OK, "%s, %s: %s", z->form.about.name, name, found.message);
    error[0] = found.q, error[1] = found.v, error[2] = found.lambda;
}

static const zoo_mechanical *const systems[] = {&zoo_pendulum, &zoo_driven_pendulum, &zoo_platform};

/* Of a platform multipliers are not known, and count as 0. */
START_TEST(what_a_penalty_misses_falls_as_its_inverse)
{
    static const char *const ways[] = {"none", "auto"};
    for (size_t s = 0; s < 3; s++) {
        for (size_t w = 0; w < 2; w++) {
            double error[RUNS][CLASSES];
            for (int k = 0; k < RUNS; k++)
                move(systems[s], "penalty", ways[w], 1e4 * pow(10, k), 0, error[k]);
            for (int c = 0; c < (systems[s]->dependent ? 2 : 3); c++) {
                double slope = log10(error[0][c] / error[RUNS - 1][c]) / (RUNS - 1);
                ck_assert_msg(fabs(slope - 1) < 0.05, "%s, %s: %c falls as alpha^-%.3f",
                              systems[s]->form.about.name, ways[w], "qvl"[c], slope);
            }
        }
    }
}
END_TEST

START_TEST(augmented_ones_miss_nothing)
{
    for (size_t s = 0; s < 3; s++) {
        for (int k = 0; k < RUNS; k++) {
            double error[CLASSES];
            move(systems[s], "augmented", "auto", 1e4 * pow(10, k), 0, error);
            for (int c = 0; c < CLASSES; c++)
                ck_assert_msg(error[c] < 1e-9, "%s, alpha = 1e%d: %g in %c",
                              systems[s]->form.about.name, 4 + k, error[c], "qvl"[c]);
        }
    }
}
END_TEST

START_TEST(augmented_ones_have_the_orders_of_their_methods)
{
    static const char *const ways[] = {"none", "auto"};
    for (size_t s = 0; s < 3; s++) {
        for (size_t w = 0; w < 2; w++) {
            double error[2][CLASSES];
            for (int k = 0; k < 2; k++)
                move(systems[s], "augmented", ways[w], 1e5, 0.25 / (20 << k), error[k]);
            for (int c = 0; c < (systems[s]->dependent ? 2 : 3); c++)
                ck_assert_msg(log2(error[0][c] / error[1][c]) > 3.7, "%s, %s: order %.2f of %c",
                              systems[s]->form.about.name, ways[w], log2(error[0][c] / error[1][c]),
                              "qvl"[c]);
        }
    }
}
END_TEST

UNIT_MAIN("penalties", 60, what_a_penalty_misses_falls_as_its_inverse, augmented_ones_miss_nothing,
          augmented_ones_have_the_orders_of_their_methods)
