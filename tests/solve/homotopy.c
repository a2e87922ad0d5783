/* Starts that homotopy(actual, simplified) leads to. */
#include "solve/models.h"

static dae_options chosen;

static dae_solver *started(const char *model)
{
    chosen = tolerance_of(1e-6);
    dae_solver *solver = solver_of(model, &chosen);
    dae_solver_start(solver, 0, NULL);
    return solver;
}

static void starts_with(const char *model, double wanted)
{
    double y[8];
    dae_solver *solver = started(model);
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    ck_assert_msg(fabs(y[0] - wanted) < 1e-9 * (1 + fabs(wanted)), "%.12g, not %.12g: %s", y[0],
                  wanted, model);
    dae_solver_free(solver);
}

/* x^3 - 3 x = 0.5 has the roots 2 cos(a), 2 cos(a - 2 pi/3) and 2 cos(a + 2 pi/3), 3 a =
 * acos(0.25). The guess 0 is nearest to one, and each path leads to another. */
START_TEST(the_path_selects_the_root)
{
    static const double third = 2.0943951023931953, guess[] = {3, 0, -3};
    const double a = acos(0.25) / 3;
    const double root[] = {2 * cos(a), 2 * cos(a + third), 2 * cos(a - third)};
    for (int i = 0; i < 3; i++) {
        char model[200];
        double slope = guess[i] == 0 ? -3
                                     : 1; /* of the simplified equation, as of the actual one */
        snprintf(model, sizeof model,
                 "model M Real x; equation homotopy(x^3 - 3*x - 0.5, (%g)*(x - (%g))) = 0; end M;",
                 slope, guess[i]);
        starts_with(model, guess[i] == 0 ? root[2] : guess[i] > 0 ? root[0] : root[1]);
    }
}
END_TEST

/* Of three steady states the simplified balance leads to the hot one. */
START_TEST(a_steady_state)
{
    starts_with("model M Real T(start = 300); initial equation der(T) = 0;\n"
                "equation der(T) = homotopy(-(T - 290)*(T - 400)*(T - 500)*1e-4, 520 - T); end M;",
                500);
}
END_TEST

/* What no condition moves keeps its start value, here x; what is fixed as well, here z. */
START_TEST(given_values_stay)
{
    double y[4];
    dae_solver *solver = started(
        "model M Real x(start = 2), a(start = -7), z(start = 3, fixed = true), b;\n"
        "equation der(x) = -x; a^3 + homotopy(a, 0) = homotopy(x, 1); der(z) = -b;\n"
        "b = homotopy(z*abs(z), z); end M;");
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    ck_assert_double_eq(y[0], 2);
    ck_assert_double_eq_tol(y[1], 1, 1e-12);
    ck_assert_double_eq(y[2], 3);
    ck_assert_double_eq_tol(y[3], 9, 1e-12);
    dae_solver_free(solver);
}
END_TEST

/* Losses of pressure k q |q| along a line: their derivatives are 0 at the guess. Whole arrays are
 * led as well. */
START_TEST(losses_of_a_line)
{
    double y[6]; /* q, p, d */
    dae_solver *solver = started(
        "model M parameter Real k[3] = {1e8, 2e8, 1e8}; Real q, p[2], d[3]; equation\n"
        "d = homotopy(k*q*abs(q), fill(1e5*q, 3)); 1e6 - p[1] = d[1]; p[1] - p[2] = d[2];\n"
        "p[2] - 1e5 = d[3]; end M;");
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    ck_assert_double_eq_tol(y[0], sqrt(9e5 / 4e8), 1e-12);
    ck_assert_double_eq_tol(y[1], 775000, 1e-4);
    ck_assert_ptr_nonnull(strstr(dae_solver_stats(solver)->reasons, "homotopy() leads"));
    dae_solver_free(solver);
}
END_TEST

/* Each start goes its path from the guesses of its author, with the values of its time. */
START_TEST(another_start)
{
    static const char model[] =
        "model M Real x(start = 10, fixed = true), y(start = 1); equation der(x) = -x;\n"
        "homotopy(y^2 - x, (x - 5)*(y - x + 5)) = 0; end M;";
    double y[2];
    chosen = tolerance_of(1e-6);
    dae_solver *solver = solver_of(model, &chosen);
    static const double x[] = {10, 0.25, 10, 4};
    for (int i = 0; i < 4;
         i++) { /* the simplified values lead to the root with the sign of x - 5 */
        const double given[] = {x[i], (double)NAN};
        is_ok(solver, dae_solver_start(solver, 0, given));
        is_ok(solver, dae_solver_at(solver, 0, y, NULL));
        ck_assert_double_eq_tol(y[1], x[i] > 5 ? sqrt(x[i]) : -sqrt(x[i]), 1e-12);
    }
    dae_solver_free(solver);
}
END_TEST

/* Where a path ends, or does not begin, the guesses count; a failure tells how far it came. */
START_TEST(paths_that_end)
{
    starts_with("model M Real x(start = 1); equation homotopy(x^2 - 2, x^2 + 1) = 0; end M;",
                sqrt(2));
    dae_solver *solver = started(
        "model M Real x(start = 1); equation homotopy(x^2 + 1, x - 1) = 0; end M;");
    ck_assert_int_eq(dae_solver_run(solver, 1), DAE_NO_START);
    ck_assert_msg(strstr(dae_solver_message(solver), "a path leads only to 0."), "%s",
                  dae_solver_message(solver));
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/homotopy", 30, the_path_selects_the_root, a_steady_state, given_values_stay,
          losses_of_a_line, another_start, paths_that_end)
