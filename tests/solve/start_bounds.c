/* Starts within the bounds that an author gives. */
#include "solve/models.h"

#include <stdio.h>

/* The first variable at the start, and the solver. */
static dae_solver *started(const char *model, double *first)
{
    double y[8];
    dae_options options = tolerance_of(1e-6);
    dae_solver *solver = solver_of(model, &options);
    is_ok(solver, dae_solver_start(solver, 0, NULL));
    is_ok(solver, dae_solver_at(solver, 0, y, NULL));
    *first = y[0];
    return solver;
}

static bool tells(const dae_solver *solver)
{
    return strstr(dae_solver_notes(solver), "no start within was found") != NULL;
}

/* Roots on both sides of a bound: the guess is nearer to the one outside. */
START_TEST(the_root_within)
{
    static const struct {
        const char *model;
        double root;
    } row[] = {
        {"model M Real x(start = -0.9, min = 0); equation x^2 = 4; end M;", 2},
        {"model M Real x(start = 5, max = 0); equation x^2 = 4; end M;", -2},
        {"model M Real x(start = 0.1, min = 1.2, max = 3.2);\n"
         "equation (x - 1)*(x - 2)*(x - 5) = 0; end M;",
         2},
        {"model M Real x(start = -900, min = 0, nominal = 1e3), y(min = 0, nominal = 1e-3);\n"
         "equation x*y = 1; x*x = 1e6; end M;",
         1e3},
        {"model M parameter Real low = 0; Real x(start = -1, min = low), y(start = 1);\n"
         "initial equation der(y) = 0; equation der(y) = 1 - x^2; x = y - 3*time; end M;",
         1},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double x;
        dae_solver *solver = started(row[k].model, &x);
        ck_assert_msg(fabs(x - row[k].root) < 1e-9 * (1 + fabs(row[k].root)), "%g: %s", x,
                      row[k].model);
        ck_assert(!tells(solver));
        dae_solver_free(solver);
    }
}
END_TEST

/* Of states that constraints tie, the nearest values within bounds: what is beyond a bound without
 * them is at it, and the others are the nearest to that. */
START_TEST(the_nearest_within)
{
    static const struct {
        const char *model;
        double y[3];
    } row[] = {
        {"model A Real x(start = 3, min = 2.8, max = 5), y(start = 1, max = 9), l;\n"
         "equation der(x) = l; der(y) = -l; x - y = 0; end A;",
         {2.8, 2.8, 0}},
        {"model A Real x(start = 3, min = 2.8), y(start = 1), l;\n"
         "equation der(x) = l; der(y) = -l; x - y = 0; end A;",
         {2.8, 2.8, 0}},
        /* 3, 2, 1 without bounds */
        {"model A Real x(start = 2, max = 2.5), y(start = 1), z(start = 0), l;\n"
         "equation der(x) = l; der(y) = l; der(z) = l - z; x + y + z = 6; end A;",
         {2.5, 2.25, 1.25}},
        /* the same of z, then 3, 2.9 without bounds of the others */
        {"model A Real x(start = 2, max = 2.5), y(start = 1.9), z(start = 0, max = 0.1), l;\n"
         "equation der(x) = l; der(y) = l; der(z) = l - z; x + y + z = 6; end A;",
         {2.5, 3.4, 0.1}},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        double x, y[4];
        dae_solver *solver = started(row[k].model, &x);
        is_ok(solver, dae_solver_at(solver, 0, y, NULL));
        for (int j = 0; j < 3; j++)
            ck_assert_msg(fabs(y[j] - row[k].y[j]) < 1e-9, "%d is %g: %s", j, y[j], row[k].model);
        ck_assert(!tells(solver));
        dae_solver_free(solver);
    }
}
END_TEST

/* The same of what equations give by others, whether it is taken out of them or is an unknown as
 * they are written: a root on the other side, and the nearest values. */
START_TEST(what_equations_give)
{
    static const struct {
        const char *model;
        double y[2];
    } row[] = {
        {"model M Real x(start = -0.9), y(min = 0); equation x^2 = 4; y = 2*x + x^3; end M;",
         {2, 12}},
        {"model M Real x(start = 1.5), y(max = 0); equation x^2 = 4; y = sinh(x); end M;",
         {-2, -3.62686040784701877}},
        {"model M Real x(start = 3), y(start = 1), s(min = 5.6), l;\n"
         "equation der(x) = l; der(y) = -l; x - y = 0; s = 2*x; end M;",
         {2.8, 2.8}},
        {"model M Real x(start = 2), y(start = 1), z(start = 0), s(max = 6.25), l; equation\n"
         "der(x) = l; der(y) = l; der(z) = l - z; x + y + z = 6; s = x^2; end M;",
         {2.5, 2.25}},
        {"model M Real x(start = 1), r(max = -0.5); equation der(x) = -x; r = der(x) - 0.5; end M;",
         {1, -1.5}},
    };
    for (size_t k = 0; k < 2 * sizeof row / sizeof *row; k++) {
        double y[8];
        dae_options options = tolerance_of(1e-6);
        options.formulation = k % 2 ? "direct" : "auto";
        dae_solver *solver = solver_of(row[k / 2].model, &options);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        is_ok(solver, dae_solver_at(solver, 0, y, NULL));
        for (int j = 0; j < 2; j++)
            ck_assert_msg(fabs(y[j] - row[k / 2].y[j]) < 1e-9 * (1 + fabs(y[j])), "%d is %g: %s", j,
                          y[j], row[k / 2].model);
        ck_assert(!tells(solver));
        dae_solver_free(solver);
    }
}
END_TEST

/* x + y + z = 6 and a x + b y + c z <= max, nearest to the start values: the projection on the
 * first plane, or on both if it is beyond the second. */
START_TEST(drawn_planes)
{
    uint64_t state = 3;
    for (int i = 0; i < 20; i++) {
        double start[3], a[3], y[8], sum = 0, along = 0, square = 0, mean = 0, at = 0;
        char model[600];
        for (int j = 0; j < 3; j++) {
            start[j] = scatter_between(&state, -2, 2);
            a[j] = scatter_between(&state, -2, 2);
            sum += start[j];
            mean += a[j] / 3;
        }
        for (int j = 0; j < 3; j++) { /* on the first plane, and along it */
            start[j] += (6 - sum) / 3;
            along += a[j] * start[j];
            square += (a[j] - mean) * (a[j] - mean);
        }
        double max = along - scatter_between(&state, -1, 1);
        snprintf(model, sizeof model,
                 "model M Real x(start = %.17g), y(start = %.17g), z(start = %.17g), l, s(max = "
                 "%.17g);\nequation der(x) = l; der(y) = l; der(z) = l - z; x + y + z = 6;\n"
                 "s = (%.17g)*x + (%.17g)*y + (%.17g)*z; end M;",
                 start[0] - (6 - sum) / 3, start[1] - (6 - sum) / 3, start[2] - (6 - sum) / 3, max,
                 a[0], a[1], a[2]);
        dae_options options = tolerance_of(1e-6);
        options.formulation = i % 2 ? "direct" : "auto";
        dae_solver *solver = solver_of(model, &options);
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        is_ok(solver, dae_solver_at(solver, 0, y, NULL));
        double back = along > max ? (along - max) / square : 0;
        for (int j = 0; j < 3; j++) {
            ck_assert_double_eq_tol(y[j], start[j] - back * (a[j] - mean), 1e-7);
            at += a[j] * y[j];
        }
        ck_assert(at <= max + 1e-7);
        dae_solver_free(solver);
    }
}
END_TEST

/* Where nothing is within, the start stays, and a note tells of it. What is fixed is not told. */
START_TEST(no_root_within)
{
    double x;
    dae_solver *solver = started("model M Real x(start = 1, min = 3); equation x^2 = 4; end M;",
                                 &x);
    ck_assert_double_eq_tol(x, 2, 1e-12);
    ck_assert(tells(solver));
    dae_solver_free(solver);
    solver = started("model M Real x(start = -1, fixed = true, min = 0);\n"
                     "equation der(x) = -x; end M;",
                     &x);
    ck_assert_double_eq(x, -1);
    ck_assert(!tells(solver));
    dae_solver_free(solver);
}
END_TEST

UNIT_MAIN("solve/start_bounds", 30, the_root_within, the_nearest_within, what_equations_give,
          drawn_planes, no_root_within)
