/* Orders of formulations and of structural methods, in positions, velocities and multipliers:
 * slopes that are fitted to errors over constant steps, on the pendulum and on one whose length is
 * driven, against what theory says. */
#include "accuracy/method_theory.h"
#include "base/unit.h"
#include "formulation/mechanical_formulation.h"
#include "zoo/move.h"

#include <math.h>
#include <string.h>

enum { CLASSES = 3, RUNS = 6 };

/* Errors that are less say nothing of an order; round-off in constraints on positions is divided by
 * the step in velocities, and by its square in multipliers; that in constraints on velocities by
 * the step in multipliers. */
static const double SMALL = 1e-12, ROUND_OFF = 1e-14;

typedef struct orders {
    int of[CLASSES]; /* OPEN: not looked at */
} orders;

/* The least-squares slope of the logarithm of the last three errors that are large enough over that
 * of steps, each half the one before; HUGE_VAL where there are fewer. Of three it is that of the
 * outer two. */
static double slope_of(const double *error, int steps, int divisions)
{
    int count = 0;
    while (count < RUNS && error[count] > fmax(SMALL, ROUND_OFF * pow(steps << count, divisions)))
        count++;
    return count < 3 ? HUGE_VAL : log2(error[count - 3] / error[count - 1]) / 2;
}

/* By how many steps round-off is divided in a class of unknowns. */
static int divisions_of(const char *formulation, int class)
{
    const mechanical_formulation_ops *row = mechanical_formulation_find(formulation);
    int index = row ? row->index : 0;
    return index == 3 ? class : index == 2 && class == 2 ? 1 : 0;
}

/* To the first time that is known, t = 1 where all are, with `steps` steps first; slopes at least
 * those of `known`, but for 0.3. */
static void check_slopes(const zoo_mechanical *z, const char *name, const char *formulation,
                         int steps, orders known)
{
    double error[CLASSES][RUNS];
    for (int k = 0; k < RUNS; k++) {
        zoo_moved found;
        dae_options o = dae_options_default();
        o.method = name;
        o.formulation = formulation;
        o.step = zoo_known_time(z, 0, 1) / (steps << k);
        zoo_move(z, &o, 0, 1, &found);
        ck_assert_msg(found.status == DAE_OK, "%s, %s, %s: %s", z->form.about.name, name,
                      formulation, found.message);
        error[0][k] = found.q, error[1][k] = found.v, error[2][k] = found.lambda;
    }
    for (int c = 0; c < CLASSES; c++) {
        double slope = slope_of(error[c], steps, divisions_of(formulation, c));
        ck_assert_msg(known.of[c] < 0 || slope > known.of[c] - 0.3, "%s, %s, %s: %c %.2f, not %d",
                      z->form.about.name, name, formulation, "qvl"[c], slope, known.of[c]);
    }
}

/* Multipliers that are computed from projected states, or from those of an ODE, have their order;
 * so have those of Fuhrer and Leimkuhler's equations, which are of index 1 there. */
static orders of_formulation(const theory *m, const mechanical_formulation_ops *row)
{
    if (row->index == 0) return (orders){{m->ode[0], m->ode[0], m->ode[0]}};
    if (row->index == 3) return (orders){{m->index3[0], m->index3[1], m->index3[2]}};
    const int *known = row->index == 1 ? m->index1 : m->index2;
    bool full = row->drifts || strcmp(row->name, "fuhrer-leimkuhler") == 0;
    return (orders){{known[0], known[0], full ? known[0] : known[1]}};
}

static const theory *theory_of(const char *name)
{
    size_t i = 0;
    while (strcmp(theories[i].name, name) != 0) i++;
    return &theories[i];
}

/* Formulations whose equations are others, by forces that meet constraints, are left to those tests
 * in which what they leave is bounded. */
static bool is_forced(const mechanical_formulation_ops *row)
{
    return strcmp(row->name, "penalty") == 0 || strcmp(row->name, "augmented") == 0;
}

/* Baumgarte's frequency is that of the motion, so that its steps are short enough. */
static const char *with_parameters(const mechanical_formulation_ops *row)
{
    return strcmp(row->name, "baumgarte") == 0 ? "baumgarte:xi=0.8,omega=2" : row->name;
}

static void check_method(const char *name, int steps, int highest_index)
{
    static const zoo_mechanical *const systems[] = {&zoo_pendulum, &zoo_driven_pendulum};
    const mechanical_formulation_ops *row;
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; (row = mechanical_formulation_at(i)) != NULL; i++)
            if (!is_forced(row) && row->index <= highest_index && is_sampled(name, s + i, 2))
                check_slopes(systems[s], name, with_parameters(row), steps,
                             of_formulation(theory_of(name), row));
}

START_TEST(formulations_with_implicit_methods)
{
    check_method("radau-iia3", 20, 3);
    check_method("lobatto-iiic3", 25, 3);
    check_method("bdf3", 50, 3);
}
END_TEST

START_TEST(formulations_with_explicit_methods)
{
    check_method("rk4", 25, 0);
    check_method("adams-bashforth3", 50, 0);
    check_method("hem4", 25, 2);
}
END_TEST

/* Of index 2 by methods that do not end on the constraints: brought back along M^-1 G^T. The mass
 * of the squeezer is far from the identity. */
START_TEST(steps_that_end_off_the_constraints)
{
    static const char *const names[] = {"implicit-midpoint", "radau-ia2", "one-leg-two-step"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        int order = theory_of(names[k])->index2[0];
        check_slopes(&zoo_andrews, names[k], "index2", 200, (orders){{order, order, order}});
    }
}
END_TEST

/* Of structural methods all classes have order 2, but multipliers of index 3 where errors of them
 * are not damped (Cardona & Geradin, Comput. & Struct. 33 (1989) 801); with a corrected start
 * Fox and Goodwin's has 4 in the tangent. */
START_TEST(structural_methods)
{
    static const struct {
        const char *name;
        bool damps;
    } rows[] = {{"newmark", false},
                {"linear-acceleration", false},
                {"central-difference", false},
                {"fox-goodwin", false},
                {"hht", true},
                {"hht:alpha=-0.3", true},
                {"generalized-alpha", true},
                {"generalized-alpha:rho_inf=0.2", true}};
    static const char *const formulations[] = {"index1", "index2", "tangent", "index3"};
    const orders second = {{2, 2, 2}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (int f = 0; f < (rows[k].damps ? 4 : 3); f++) {
            if (is_sampled(rows[k].name, k + (size_t)f, 2))
                check_slopes(&zoo_pendulum, rows[k].name, formulations[f], 50, second);
            if (is_sampled(rows[k].name, k + (size_t)f + 1, 2))
                check_slopes(&zoo_driven_pendulum, rows[k].name, formulations[f], 50, second);
        }
    }
    const orders fourth = {{4, 4, 4}};
    check_slopes(&zoo_pendulum, "fox-goodwin:corrected=1", "tangent", 25, fourth);
    check_slopes(&zoo_driven_pendulum, "fox-goodwin:corrected=1", "tangent", 25, fourth);
}
END_TEST

UNIT_MAIN("solve/mechanical_orders", 120, formulations_with_implicit_methods,
          formulations_with_explicit_methods, steps_that_end_off_the_constraints,
          structural_methods)
