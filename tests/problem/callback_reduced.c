/* A chain of index 3, x1' = x2, x2' = x3, 0 = x1 - sin t, reduced to index 1: its solution is
 * (sin t, cos t, -sin t), whatever is guessed, and each unknown that is off is seen. */
#include "problem/callback_reduced.h"

#include "base/unit.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

static const double E[] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
static const double CHAIN[] = {0, 0, 1, 1, 0, 0, 0, 1, 0};

static int right_side(double t, double *b, void *user)
{
    (void)user;
    b[0] = b[1] = 0;
    b[2] = -sin(t);
    return 0;
}

/* What three linear equations are made of. */
typedef struct system3 {
    arena memory;
    message m;
    callbacks *c;
} system3;

/* Reduced near (y, yp), where their index is this one. */
static callback_reduced *reduce(system3 *s, const dae_linear_form *form, double t, int index,
                                double *y, double *yp)
{
    const unsigned char held[5] = {CALLBACK_OPEN};
    const equations *given = NULL;
    callback_reduced *reduced = NULL;
    ck_assert_int_eq(equations_create(&given, &s->memory, EQUATIONS_LINEAR, form, &s->m), DAE_OK);
    ck_assert_int_eq(callbacks_create(&s->c, given, t, y, &s->m), DAE_OK);
    ck_assert_int_eq(callback_reduced_create(&reduced, s->c, t, 1e-8, held, y, yp), DAE_OK);
    ck_assert_ptr_nonnull(reduced);
    ck_assert_int_eq(callback_reduced_index(reduced), index);
    return reduced;
}

static void release(system3 *s, callback_reduced *reduced)
{
    callback_reduced_free(reduced);
    callbacks_free(s->c);
    arena_free(&s->memory);
    message_free(&s->m);
}

START_TEST(a_chain_of_index_3_is_reduced)
{
    const dae_linear_form form = {.n = 3, .e = E, .a = CHAIN, .b = right_side};
    const double t = 0.5, exact[] = {sin(t), cos(t), -sin(t)}, slope[] = {cos(t), -sin(t), 0};
    double y[] = {0.4, 0.9, 0}, yp[] = {0.9, 0, 0}, r[3];
    system3 s = {0};
    callback_reduced *reduced = reduce(&s, &form, t, 3, y, yp);
    for (int j = 0; j < 3; j++) ck_assert_double_eq_tol(y[j], exact[j], 1e-9);
    problem *p = callback_reduced_problem(reduced);
    ck_assert_int_eq(problem_linearize(p, t, exact, slope), DAE_OK);
    for (int j = 0; j < 3; j++) {
        double off[] = {exact[0], exact[1], exact[2]}, most = 0;
        ck_assert_int_eq(problem_residual(p, t, off, slope, r), DAE_OK);
        for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(r[i], 0, 1e-11);
        off[j] += 1e-2;
        ck_assert_int_eq(problem_residual(p, t, off, slope, r), DAE_OK);
        for (int i = 0; i < 3; i++) most = fmax(most, fabs(r[i]));
        ck_assert_double_gt(most, 1e-7);
    }
    release(&s, reduced);
}
END_TEST

/* The chain's right side, which refuses one call. */
typedef struct refusal {
    int calls, refused;
} refusal;

static int refusing(double t, double *b, void *user)
{
    refusal *r = user;
    right_side(t, b, NULL);
    return ++r->calls == r->refused;
}

/* Whichever call is refused: where the equations are reduced, y' is the slope of the solution. */
START_TEST(slopes_are_found_whatever_is_refused)
{
    const unsigned char held[5] = {CALLBACK_OPEN};
    const double t = 0.5, slope[] = {cos(t), -sin(t)};
    refusal r = {0};
    const dae_linear_form form = {.n = 3, .e = E, .a = CHAIN, .b = refusing, .about.user = &r};
    int found = 0;
    do {
        double y[] = {0.4, 0.9, 0}, yp[] = {0.9, 0, 0};
        const equations *given = NULL;
        callback_reduced *reduced = NULL;
        system3 s = {0};
        r.calls = 0, r.refused++;
        equations_create(&given, &s.memory, EQUATIONS_LINEAR, &form, &s.m);
        callbacks_create(&s.c, given, t, y, &s.m);
        callback_reduced_create(&reduced, s.c, t, 1e-8, held, y, yp);
        for (int j = 0; reduced && j < 2; j++) ck_assert_double_eq_tol(yp[j], slope[j], 1e-6);
        found += reduced != NULL;
        release(&s, reduced);
    } while (r.calls >= r.refused);
    ck_assert_int_gt(found, 10);
}
END_TEST

/* y1' = y3, y2' = y4, y3' / R + y3 + y5 / (100 R) = ..., y4' = y5 / 100, y1 = y2: moving as sin t,
 * or at rest at 0. */
static int fast_middle(double t, double *b, void *user)
{
    double motion = *(const double *)user;
    memset(b, 0, 5 * sizeof *b);
    b[2] = motion * (cos(t) - 2e-6 * sin(t));
    return 0;
}

/* What is left out is counted by the motion. At rest, the fast equation may count as a constraint,
 * which leaves one equation with y'; in motion it may not. */
START_TEST(at_rest_nothing_is_left_out)
{
    const double e[25] = {[0] = 1, [6] = 1, [12] = 1e-6, [18] = 1}, t = 0.5;
    const double at[25] = {
        [4] = -1, [9] = 1, [10] = 1, [12] = -1, [16] = 1, [22] = -1e-8, [23] = 1e-2};
    for (int moving = 0; moving < 2; moving++) {
        double m = moving, s = m * sin(t), c = m * cos(t);
        double y[] = {s, s, c, c, -100 * s}, yp[] = {c, c, -s, -s, -100 * c};
        const dae_linear_form form = {.n = 5, .e = e, .a = at, .b = fast_middle, .about.user = &m};
        system3 k = {0};
        size_t rows = 0;
        callback_reduced *reduced = reduce(&k, &form, t, 3, y, yp);
        problem *p = callback_reduced_problem(reduced);
        ck_assert_int_eq(problem_linearize(p, t, y, yp), DAE_OK);
        for (size_t i = 0; i < 5; i++) {
            double most = 0;
            for (size_t j = 0; j < 5; j++) most = fmax(most, fabs(p->by_yp.value[5 * j + i]));
            rows += most > 0;
        }
        ck_assert_uint_eq(rows, 1 + (size_t)moving);
        release(&k, reduced);
    }
}
END_TEST

/* Methods of index 1 and all others reach their tolerance in each unknown, which as given they do
 * not, or refuse. */
START_TEST(reduced_equations_meet_the_tolerance)
{
    static const char *const methods[] = {"auto", "bdf", "radau-iia3", "rodas5p"};
    const dae_linear_form form = {.n = 3, .e = E, .a = CHAIN, .b = right_side};
    const double end = 2, exact[] = {sin(end), cos(end), -sin(end)};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        dae_options options = dae_options_default();
        double y[3];
        options.method = methods[k];
        options.formulation = "index1";
        dae_problem *posed = dae_problem_linear(&form);
        dae_solver *solver = dae_solver_create(posed, &options);
        ck_assert_int_eq(dae_solver_start(solver, 0, NULL), DAE_OK);
        ck_assert_msg(dae_solver_run(solver, end) == DAE_OK, "%s: %s", methods[k],
                      dae_solver_message(solver));
        ck_assert_int_eq(dae_solver_at(solver, end, y, NULL), DAE_OK);
        ck_assert_str_eq(dae_solver_stats(solver)->formulation, "index1");
        for (int j = 0; j < 3; j++)
            ck_assert_msg(fabs(y[j] - exact[j]) < 2e-5, "%s: y%d is off by %g", methods[k], j + 1,
                          fabs(y[j] - exact[j]));
        dae_solver_free(solver);
        dae_problem_free(posed);
    }
}
END_TEST

/* x1' = x2 + z, x2' = -x1, 0 = x1 - sin t, whose solution is (sin t, cos t, 0): within a step z
 * returns to it where the derivatives are off as well, and x2, which is integrated, stays. */
START_TEST(a_state_within_a_step_is_moved_onto_the_equations)
{
    static const double at[] = {0, -1, 1, 1, 0, 0, 1, 0, 0};
    const dae_linear_form form = {.n = 3, .e = E, .a = at, .b = right_side};
    const double t = 0.5, h = 1e-2;
    double y[] = {sin(t), cos(t), 0}, yp[] = {cos(t), -sin(t), 0}, r[3];
    system3 s = {0};
    callback_reduced *reduced = reduce(&s, &form, t, 2, y, yp);
    problem *p = callback_reduced_problem(reduced);
    ck_assert_int_eq(problem_linearize(p, t, y, yp), DAE_OK);
    y[2] = 1e-2;
    yp[0] += 1e-2;
    yp[1] += 1e-3;
    ck_assert_int_eq(callback_reduced_meet(reduced, t, h, y, yp), DAE_OK);
    ck_assert_double_eq_tol(y[1], cos(t), 1e-4);
    ck_assert_double_eq_tol(y[2], cos(t) - y[1], 1e-9);
    ck_assert_double_eq_tol(yp[1], -sin(t), 1e-9);
    ck_assert_int_eq(problem_residual(p, t, y, yp, r), DAE_OK);
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(r[i], 0, 1e-9);
    release(&s, reduced);
}
END_TEST

UNIT_MAIN("problem/callback_reduced", 20, a_chain_of_index_3_is_reduced,
          slopes_are_found_whatever_is_refused, at_rest_nothing_is_left_out,
          a_state_within_a_step_is_moved_onto_the_equations, reduced_equations_meet_the_tolerance)
