/* What stops a mechanical system is told by the constraint or the coordinate, whatever the
 * formulation: inertia that is missing on the constraints, velocities that do not meet them,
 * configurations that do not exist, forces without a value; at the start and on the way, at all
 * calls or at some. */
#include "base/unit.h"
#include "formulation/mechanical_formulation.h"
#include "solve/rod.h"

#include <string.h>

/* The solver of the i-th formulation, after the formulations that in the tangent; NULL beyond it.
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
                                             "speed 1",          "speed 2", NULL};
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

/* A pendulum without gamma, whose functions have no value at some of their calls. */
typedef struct interrupted {
    size_t calls, without[3];
} interrupted;

static int answer_of(interrupted *w, double *value)
{
    w->calls++;
    for (size_t k = 0; k < 3; k++) {
        if (w->calls != w->without[k]) continue;
        if (k == 0) return 1;
        value[0] = (double)NAN;
    }
    return 0;
}

static int falls(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v;
    f[0] = 0;
    f[1] = -9.81;
    return answer_of(user, f);
}

static int on_circle(double t, const double *q, double *phi, void *user)
{
    (void)t;
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    return answer_of(user, phi);
}

static int on_circle_q(double t, const double *q, double *dq, void *user)
{
    (void)t;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return answer_of(user, dq);
}

/* That a start either finds the one state, or says which function had no value, or that the search
 * found none. */
static void start_interrupted(interrupted *w, const char *formulation)
{
    const double found[5] = {0.6, -0.8, 0.8, 0.6, -(9.81 * 0.8 + 1) / 2};
    dae_mechanical_form f = {.nq = 2,
                             .holonomic = 1,
                             .force = falls,
                             .constraint = on_circle,
                             .constraint_q = on_circle_q,
                             .about.user = w};
    dae_options o = dae_options_default();
    o.formulation = formulation;
    dae_problem *p = dae_problem_mechanical(&f);
    dae_solver *s = dae_solver_create(p, &o);
    double y[5];
    memcpy(y, found, sizeof y);
    y[4] = (double)NAN;
    if (dae_solver_start(s, 0, y) == DAE_OK) {
        memset(w->without, 0, sizeof w->without);
        ck_assert_int_eq(dae_solver_at(s, 0, y, NULL), DAE_OK);
        for (size_t j = 0; j < 5; j++) ck_assert_double_eq_tol(y[j], found[j], 1e-13);
    } else {
        const char *said = dae_solver_message(s);
        bool unfound = strstr(said, "no consistent initial values found");
        ck_assert_msg(unfound || strstr(said, "constraint") || strstr(said, "force"), "%s: %s",
                      formulation, said);
    }
    dae_solver_free(s);
    dae_problem_free(p);
}

START_TEST(calls_without_a_value_at_the_start)
{
    static const char *const formulations[] = {"ggl", "augmented", "baumgarte", "elimination"};
    for (size_t k = 0; k < 4; k++) {
        interrupted w = {0};
        start_interrupted(&w, formulations[k]);
        size_t all = w.calls, x = 1;
        for (size_t trial = 0; trial < 150; trial++) {
            w.calls = 0;
            for (size_t i = 0; i < 3; i++) {
                x = (x * 1103515245 + 12345) % 2147483648;
                w.without[i] = 1 + x / 65536 % (trial % 2 ? all : 130);
            }
            start_interrupted(&w, formulations[k]);
        }
    }
}
END_TEST

UNIT_MAIN("mechanical_failures", 60, inertia_that_is_missing, forces_without_a_value,
          configurations_that_do_not_exist, velocities_that_do_not_meet_the_constraints,
          calls_without_a_value_at_the_start)
