/* Penalties: what they miss falls as 1/alpha (Bayo, Garcia de Jalon & Serna, Comput. Meth. Appl.
 * Mech. Engng. 71 (1988) 183), in positions, velocities and multipliers; augmented ones miss
 * nothing, and have the orders of their methods. Dependent constraints change nothing in that. The
 * direction of a run does not either. */
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

/* To one side and back. With the other sign of omega on one of the ways, what is missed would grow
 * as exp(omega t). */
static void go_and_return(const char *formulation, const char *method, double way)
{
    double y[5] = {0, 0, 0, 0, (double)NAN}, back[5];
    dae_options o = dae_options_default();
    o.formulation = formulation;
    o.method = method;
    o.projection = "none";
    o.rtol = o.atol = 1e-5;
    zoo_pendulum.start(y, y + 2);
    dae_problem *p = dae_problem_mechanical(&zoo_pendulum.form);
    dae_solver *s = dae_solver_create(p, &o);
    dae_problem_free(p);
    ck_assert_int_eq(dae_solver_start(s, 0, y), DAE_OK);
    ck_assert_msg(dae_solver_run(s, way) == DAE_OK, "%s", dae_solver_message(s));
    ck_assert_msg(dae_solver_run(s, 0) == DAE_OK, "%s", dae_solver_message(s));
    ck_assert_int_eq(dae_solver_at(s, 0, back, NULL), DAE_OK);
    for (size_t j = 0; j < 4; j++)
        ck_assert_msg(fabs(back[j] - y[j]) < 1e-4, "%s, %s, %g s: %g, not %g", formulation, method,
                      way, back[j], y[j]);
    dae_solver_free(s);
}

START_TEST(a_way_and_its_way_back_end_where_they_began)
{
    static const char *const methods[] = {"dopri5", "bdf", "mebdf", "esdirk4", "rodasp"};
    static const char *const names[] = {"penalty", "augmented", "baumgarte"};
    for (size_t f = 0; f < 3; f++) {
        for (size_t k = f == 2; k < 5; k++) { /* an explicit method cannot take multipliers */
            char given[64];
            double way = ((f + k) % 2 ? -1.5 : 1.5) - 0.2 * (double)f;
            snprintf(given, sizeof given, "%s:xi=%g,omega=%g", names[f], 0.7 + 0.1 * (double)k,
                     9 + (double)(f + k));
            go_and_return(k % 2 ? given : names[f], methods[k], way);
        }
        go_and_return(names[f], methods[1], 1.2);
    }
}
END_TEST

UNIT_MAIN("penalties", 60, what_a_penalty_misses_falls_as_its_inverse, augmented_ones_miss_nothing,
          augmented_ones_have_the_orders_of_their_methods,
          a_way_and_its_way_back_end_where_they_began)
