/* Models that are followed as mechanical systems, through the public interface: derivatives, kept
 * trajectories, starts, tolerances and sizes of variables. */
#include "solve/mechanism_simulation.h"
#include "solve/models.h"
#include "solve/solver.h"

#include <math.h>

/* The order of unknowns: x, y, u, v, T. */
enum { X, Y, U, V, T, COUNT };

static dae_solver *solver_by(const char *model, const char *name, dae_options options)
{
    options.formulation = name;
    return solver_of(model, &options);
}

static void assert_near(const double *found, const double *wanted, size_t count, double tolerance)
{
    for (size_t j = 0; j < count; j++) {
        ck_assert_msg(isnan(found[j]) == isnan(wanted[j]), "entry %zu: %g, %g", j, found[j],
                      wanted[j]);
        if (!isnan(wanted[j])) ck_assert_double_eq_tol(found[j], wanted[j], tolerance);
    }
}

/* Values and derivatives at past times, across the formulations that a partition has worn out. */
START_TEST(kept_trajectories)
{
    static const char *const formulations[] = {"elimination", "partition", "ggl", "nullspace-qr"};
    dae_options options = tolerance_of(1e-10);
    options.keep_trajectory = true;
    dae_solver *own = solver_by(PENDULUM, "index1", options);
    is_ok(own, dae_solver_run(own, 2));
    for (int k = 0; k < 4; k++) {
        dae_solver *solver = solver_by(PENDULUM, formulations[k], options);
        is_ok(solver, dae_solver_run(solver, 2));
        ck_assert_str_eq(dae_solver_stats(solver)->formulation, formulations[k]);
        if (k % 2 == 1) ck_assert_uint_gt(dae_solver_stats(solver)->chart_changes, 2);
        for (double t = 0; t <= 2; t += 0.1) {
            double y[COUNT], yp[COUNT], wanted[COUNT], slope[COUNT];
            is_ok(own, dae_solver_at(own, t, wanted, slope));
            is_ok(solver, dae_solver_at(solver, t, y, yp));
            assert_near(y, wanted, COUNT, 1e-6);
            assert_near(yp, slope, COUNT, 1e-6);
        }
        dae_solver_free(solver);
    }
    dae_solver_free(own);
}
END_TEST

/* A solver that is started again, from other values and at another time. */
START_TEST(starts)
{
    dae_options options = tolerance_of(1e-9);
    dae_solver *own = solver_by(PENDULUM, "index1", options);
    dae_solver *solver = solver_by(PENDULUM, "elimination", options);
    for (int k = 0; k < 3; k++) {
        const double nan = (double)NAN;
        double start[COUNT] = {0.1 * k, nan, 3 - k, nan, nan}, y[COUNT], wanted[COUNT];
        is_ok(own, dae_solver_start(own, k, start));
        is_ok(solver, dae_solver_start(solver, k, start));
        is_ok(own, dae_solver_at(own, k, wanted, NULL));
        is_ok(solver, dae_solver_at(solver, k, y, NULL));
        assert_near(y, wanted, COUNT, 1e-12);
        is_ok(own, dae_solver_run(own, k + 1));
        is_ok(solver, dae_solver_run(solver, k + 1));
        is_ok(own, dae_solver_at(own, k + 1, wanted, NULL));
        is_ok(solver, dae_solver_at(solver, k + 1, y, NULL));
        assert_near(y, wanted, COUNT, 1e-6);
        ck_assert_int_eq(dae_solver_stats(solver)->index, 3);
    }
    dae_solver_free(own);
    dae_solver_free(solver);
}
END_TEST

/* The pendulum, u counted in units of 1e-3 and T in units of 1e3, with their sizes. */
static const char IN_OTHER_UNITS[] =
    "model Scaled parameter Real g = 9.81; Real x(start = 0, fixed = true), y(start = -1);\n"
    "  Real u(start = 7e3, fixed = true, nominal = 1e3), v, T(nominal = 1e-3);\n"
    "equation 1e3*der(x) = u; der(y) = v; der(u) = -1e6*T*x; der(v) = -1e3*T*y - g;\n"
    "  x^2 + y^2 = 1; end Scaled;";

/* Steps do not depend on units where tolerances and nominal sizes are in them: those of velocities
 * and multipliers are carried over with their factors. */
START_TEST(units)
{
    static const char *const formulations[] = {"ggl", "index2", "elimination", "baumgarte"};
    for (int k = 0; k < 4; k++) {
        double atols[COUNT] = {1e-6, 1e-7, 1e-5, 1e-6, 1e-4};
        dae_options options = tolerance_of(1e-6);
        options.method = "radau-iia3";
        options.atols = atols;
        dae_solver *plain = solver_by(PENDULUM, formulations[k], options);
        is_ok(plain, dae_solver_run(plain, 1));
        atols[U] *= 1e3;
        atols[T] *= 1e-3;
        dae_solver *scaled = solver_by(IN_OTHER_UNITS, formulations[k], options);
        is_ok(scaled, dae_solver_run(scaled, 1));
        const dae_stats *one = dae_solver_stats(plain), *other = dae_solver_stats(scaled);
        ck_assert_uint_eq(other->steps, one->steps);
        ck_assert_uint_eq(other->rejected, one->rejected);
        dae_solver_free(plain);
        dae_solver_free(scaled);
    }
}
END_TEST

/* mu is half of T over the mass: its size follows from T's. */
START_TEST(sizes_of_multipliers)
{
    static const char *const models[] = {PENDULUM, IN_OTHER_UNITS};
    for (int k = 0; k < 2; k++) {
        dae_solver *solver = solver_by(models[k], "ggl", tolerance_of(1e-6));
        is_ok(solver, dae_solver_start(solver, 0, NULL));
        const mechanism_form *f = model_simulation_of(solver->simulation)->mechanism->form;
        ck_assert_double_eq_tol(f->nominal[4] / f->form.constant_mass[0], 0.5, 1e-12);
        dae_solver_free(solver);
    }
}
END_TEST

/* Where constraints depend on each other the mechanical system is followed, start after start. */
START_TEST(dependent_constraints)
{
    dae_options options = tolerance_of(1e-9);
    dae_solver *rod = solver_by(PENDULUM, "auto", options);
    dae_solver *twice = solver_by(TWICE_HELD, "auto", options);
    for (int k = 0; k < 2; k++) {
        double y[COUNT + 1], wanted[COUNT];
        is_ok(rod, dae_solver_start(rod, 0, NULL));
        is_ok(twice, dae_solver_start(twice, 0, NULL));
        is_ok(rod, dae_solver_run(rod, 1));
        is_ok(twice, dae_solver_run(twice, 1));
        ck_assert_str_eq(dae_solver_stats(twice)->formulation, "elimination");
        ck_assert_uint_eq(dae_solver_stats(twice)->constraint_levels, 3);
        is_ok(rod, dae_solver_at(rod, 1, wanted, NULL));
        is_ok(twice, dae_solver_at(twice, 1, y, NULL));
        assert_near(y, wanted, T, 1e-6);
        ck_assert_double_eq_tol(2 * y[T] + 4 * y[T + 1], wanted[T], 1e-5);
    }
    dae_solver_free(rod);
    dae_solver_free(twice);
}
END_TEST

UNIT_MAIN("solve/mechanisms", 30, kept_trajectories, starts, units, sizes_of_multipliers,
          dependent_constraints)
