/* What stops a mechanical system is told by the constraint or the coordinate, whatever the
 * formulation: inertia that is missing on the constraints, velocities that do not meet them,
 * configurations that do not exist, forces without a value; at the start and on the way. */
#include "base/unit.h"
#include "formulation/mechanical_formulation.h"
#include "solve/rod.h"

#include <string.h>

/* The solver of the i-th formulation, behind the formulations that in the tangent; NULL beyond it.
 */
static dae_solver *solver_of(rod *r, size_t i)
{
    const mechanical_formulation_ops *row = mechanical_formulation_at(i);
    if (!row && i > 0 && !mechanical_formulation_at(i - 1)) return NULL;
    dae_options o = dae_options_default();
    o.formulation = row ? row->name : "tangent";
    if (!row) o.method = "generalized-alpha";
    return solver_of_rod(r, &o);
}

/* That it has failed, and that one of the words is in its message. */
static void expect(dae_solver *s, const char *const *words)
{
    const char *said = dae_solver_message(s);
    bool named = false;
    for (size_t k = 0; words[k]; k++) named = named || strstr(said, words[k]);
    ck_assert_msg(dae_solver_status(s) != DAE_OK && named, "%s, %s: %s",
                  dae_solver_stats(s)->formulation, dae_status_word(dae_solver_status(s)), said);
    dae_solver_free(s);
}

static const char *const of_inertia[] = {
    "the inertia is singular on the constraints, so that they and the forces do not determine the "
    "derivative of spin",
    NULL};
static const char *const of_wheel[] = {"spin", "flywheel", "about the axle", NULL};
static const char *const of_length[] = {"the rod's length", "tension", "vx", "vy", NULL};
static const char *const of_weight[] = {"force has no finite value there, in vertical", NULL};

/* `at_start`: what the start says; DAE_OK: what stops it comes on the way. */
static void run_all(const rod *of, dae_status at_start, const char *const *words)
{
    const double start[7] = {0.6, -0.8, 0, (double)NAN, (double)NAN, 0, (double)NAN};
    dae_solver *s;
    for (size_t i = 0;; i++) {
        rod r = *of;
        if ((s = solver_of(&r, i)) == NULL) break;
        ck_assert_int_eq(dae_solver_start(s, 0, start), at_start);
        if (at_start == DAE_OK) dae_solver_run(s, 2);
        expect(s, words);
    }
}

START_TEST(inertia_that_is_missing)
{
    run_all(&(rod){.inertia_until = -1, .weight_until = EVER, .square = 1}, DAE_SINGULAR,
            of_inertia);
    run_all(&(rod){.inertia_until = 0.5, .weight_until = EVER, .square = 1}, DAE_OK, of_wheel);
}
END_TEST

START_TEST(forces_without_a_value)
{
    run_all(&(rod){.inertia_until = EVER, .weight_until = -1, .square = 1}, DAE_NOT_EVALUABLE,
            of_weight);
    run_all(&(rod){.inertia_until = EVER, .weight_until = 0.5, .square = 1}, DAE_OK, of_weight);
}
END_TEST

/* On the way the velocities tend to infinity before; of independent coordinates they are numbered.
 */
START_TEST(configurations_that_do_not_exist)
{
    static const char *const on_the_way[] = {"the rod's length", "tension", "vx", "vy",
                                             "speed 1",          NULL};
    run_all(&(rod){.inertia_until = EVER, .weight_until = EVER, .square = -1}, DAE_NO_START,
            of_length);
    run_all(&(rod){.inertia_until = EVER, .weight_until = EVER, .square = 1, .rate = 1}, DAE_OK,
            on_the_way);
}
END_TEST

START_TEST(velocities_that_do_not_meet_the_constraints)
{
    static const char *const derivative[] = {"worst in the derivative of the rod's length", NULL};
    static const char *const motion[] = {"worst in about the axle", NULL};
    const double y[7] = {0, -1, 0, 1, 0.5, 0, (-9.81 - 1) / 2}, yp[7] = {1, 0.5, 0, 0, 1, -1, 0};
    const double met[7] = {0, -1, 0, 1, 0, 0, (-9.81 - 1) / 2}, off[7] = {1, 0, 0, 0, 1, 5, 0};
    dae_solver *s;
    rod r = {.inertia_until = EVER, .weight_until = EVER, .square = 1};
    for (size_t i = 0; (s = solver_of(&r, i)) != NULL; i++) {
        dae_solver_start_with(s, 0, y, yp);
        expect(s, derivative);
        s = solver_of(&r, i);
        dae_solver_start_with(s, 0, met, off);
        expect(s, motion);
    }
}
END_TEST

UNIT_MAIN("mechanical_failures", 60, inertia_that_is_missing, forces_without_a_value,
          configurations_that_do_not_exist, velocities_that_do_not_meet_the_constraints)
