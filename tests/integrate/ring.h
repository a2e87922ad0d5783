/* A DAE of index 2 that is nonlinear in z, with the solution y = (cos t, sin t), z = exp t:
 *
 *   y' = (-y_2, y_1) + (z^2 - exp 2t) y,    0 = y_1^2 + y_2^2 - 1,
 *
 * whose constraint is met with its derivative where z = exp t, whatever y on the circle. */
#ifndef TESTS_INTEGRATE_RING_H
#define TESTS_INTEGRATE_RING_H

#include "integrate/example.h"

static inline void ring(double t, const double *y, double *f)
{
    double off = y[2] * y[2] - exp(2 * t);
    f[0] = -y[1] + off * y[0];
    f[1] = y[0] + off * y[1];
    f[2] = y[0] * y[0] + y[1] * y[1] - 1;
}

static inline void ring_slope(double t, const double *y, double *j)
{
    double off = y[2] * y[2] - exp(2 * t);
    const double entries[9] = {off,      -1, 2 * y[2] * y[0], 1, off, 2 * y[2] * y[1], 2 * y[0],
                               2 * y[1], 0};
    memcpy(j, entries, sizeof entries);
}

/* Started at t = 0.2, in steps of 1 / steps or, for steps = 0, controlled. */
static inline engine *start_ring(example *e, const char *name, int steps, double rtol)
{
    double y[3] = {cos(0.2), sin(0.2), exp(0.2)}, yp[3] = {-sin(0.2), cos(0.2), 0};
    begin(e, 3, 2, ring, ring_slope);
    e->index[2] = 2;
    e->problem.constant_mass = true;
    engine_options options = {.rtol = rtol, .atol = rtol};
    if (steps > 0) options.fixed_step = 1.0 / steps;
    engine *g = engine_for(e, name, options);
    engine_start(g, 0.2, y, yp);
    return g;
}

static inline double off_ring(const double *y)
{
    return fabs(y[0] * y[0] + y[1] * y[1] - 1);
}

static inline double angle_error(double t, const double *y)
{
    return fabs(atan2(y[1], y[0]) - t);
}

/* The error of the angle after one unit of time. */
static inline double ring_error(const char *name, int steps)
{
    example e;
    engine *g = start_ring(&e, name, steps, 1e-6);
    while (g->t < 1.2 - 1e-9) ck_assert_int_eq(engine_step(g, 1.2), DAE_OK);
    double error = angle_error(1.2, g->y);
    dispose(&e, g);
    return error;
}

#endif
