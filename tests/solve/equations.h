/* Problems of C programs with known solutions, for the tests of the solver handle. */
#ifndef TESTS_SOLVE_EQUATIONS_H
#define TESTS_SOLVE_EQUATIONS_H

#include "solve/models.h"

/* x' = x z, 0 = z + z^3 + 2 t + 8 t^3, so that z = -2 t and x = exp(-t^2); in four forms. */
static inline int decay_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = x[0] * z[0];
    return 0;
}

static inline int decay_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)x, (void)user;
    g[0] = z[0] + z[0] * z[0] * z[0] + 2 * t + 8 * t * t * t;
    return 0;
}

static inline int decay_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)user;
    j[0] = z[0];
    j[2] = x[0];
    j[3] = 1 + 3 * z[0] * z[0];
    return 0;
}

static inline int decay_right(double t, const double *y, double *f, void *user)
{
    decay_f(t, y, y + 1, f, user);
    return decay_g(t, y, y + 1, f + 1, user);
}

static inline int decay_right_y(double t, const double *y, double *dy, void *user)
{
    return decay_jacobian(t, y, y + 1, dy, user);
}

static inline int decay_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    decay_right(t, y, r, user);
    r[0] = yp[0] - r[0];
    return 0;
}

static inline int decay_residual_jacobian(double t, const double *y, const double *yp, double *dy,
                                          double *dyp, void *user)
{
    (void)t, (void)yp, (void)user;
    dy[0] = -y[1];
    dy[2] = -y[0];
    dy[3] = 1 + 3 * y[1] * y[1];
    dyp[0] = 1;
    return 0;
}

static const char *const DECAY_NAMES[] = {"amount", "rate"};
static const char *const DECAY_EQUATIONS[] = {"balance", "law"};

static inline dae_problem *decay_in_residual_form(bool jacobian)
{
    dae_residual_form form = {
        .n = 2,
        .residual = decay_residual,
        .jacobian = jacobian ? decay_residual_jacobian : NULL,
        .about = {.variable = DECAY_NAMES, .equation = DECAY_EQUATIONS},
    };
    return dae_problem_residual(&form);
}

static inline dae_problem *decay_in_mass_form(bool jacobian)
{
    const double mass[4] = {1, 0, 0, 0};
    dae_mass_form form = {
        .n = 2,
        .f = decay_right,
        .f_y = jacobian ? decay_right_y : NULL,
        .constant_mass = mass,
        .about = {.variable = DECAY_NAMES, .equation = DECAY_EQUATIONS},
    };
    return dae_problem_mass(&form);
}

static inline dae_problem *decay_in_semi_explicit_form(bool jacobian)
{
    dae_semi_explicit_form form = {
        .nx = 1,
        .nz = 1,
        .f = decay_f,
        .g = decay_g,
        .jacobian = jacobian ? decay_jacobian : NULL,
        .about = {.variable = DECAY_NAMES, .equation = DECAY_EQUATIONS},
    };
    return dae_problem_semi_explicit(&form);
}

/* x' = -x + z, 0 = -z + cos t: x = (cos t + sin t + exp(-t)) / 2 from x(0) = 1. */
static inline int cosine(double t, double *b, void *user)
{
    (void)user;
    b[0] = 0;
    b[1] = cos(t);
    return 0;
}

static inline dae_problem *driven_in_linear_form(void)
{
    const double e[4] = {1, 0, 0, 0}, a[4] = {-1, 0, 1, -1};
    dae_linear_form form = {.n = 2, .e = e, .a = a, .b = cosine};
    return dae_problem_linear(&form);
}

/* x' = v, v' = -x with x^2 + v^2 kept. */
static inline int turn(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = y[1];
    f[1] = -y[0];
    return 0;
}

static inline int turn_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)y, (void)user;
    dy[1] = -1;
    dy[2] = 1;
    return 0;
}

static inline int energy(double t, const double *y, double *c, void *user)
{
    (void)t, (void)user;
    c[0] = y[0] * y[0] + y[1] * y[1];
    return 0;
}

static inline int energy_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    dy[0] = 2 * y[0];
    dy[1] = 2 * y[1];
    return 0;
}

static inline dae_problem *turning_in_invariant_form(bool jacobian)
{
    dae_invariant_form form = {
        .n = 2,
        .f = turn,
        .f_y = jacobian ? turn_y : NULL,
        .invariants = 1,
        .c = energy,
        .c_y = jacobian ? energy_y : NULL,
    };
    return dae_problem_invariant(&form);
}

/* Index 3, once around a circle of radius 1 in 2 pi: x, y, u, v, l. */
static inline int circle(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)t, (void)user;
    r[0] = yp[0] - y[2];
    r[1] = yp[1] - y[3];
    r[2] = yp[2] + y[4] * y[0];
    r[3] = yp[3] + y[4] * y[1];
    r[4] = y[0] * y[0] + y[1] * y[1] - 1;
    return 0;
}

static const char *const CIRCLE_EQUATIONS[] = {"der(x) = u", "der(y) = v", "force along x",
                                               "force along y", "length"};

static inline dae_problem *circling_in_residual_form(void)
{
    static const unsigned char index[5] = {1, 1, 2, 2, 3};
    dae_residual_form form = {
        .n = 5, .residual = circle, .about = {.index = index, .equation = CIRCLE_EQUATIONS}};
    return dae_problem_residual(&form);
}

/* A solver of a problem, which is freed. */
static inline dae_solver *solver_for(dae_problem *given, const dae_options *options)
{
    ck_assert_msg(dae_problem_status(given) == DAE_OK, "%s", dae_problem_message(given));
    dae_solver *solver = dae_solver_create(given, options);
    dae_problem_free(given); /* which need not outlive it */
    return solver;
}

static inline void is_said(dae_solver *solver, const char *part)
{
    ck_assert_msg(strstr(dae_solver_message(solver), part) != NULL, "no \"%s\" in: %s", part,
                  dae_solver_message(solver));
}

#endif
