/* A DAE of index 1 that is nonlinear in all variables and in time, with a known solution, for
 * example.h; with a mass that is constant or not. */
#ifndef TESTS_INTEGRATE_NONLINEAR_H
#define TESTS_INTEGRATE_NONLINEAR_H

#include "integrate/example.h"

/* y_1' and y_2', and 0 = g; solved by (cos t, exp(-t), sin t). */
static inline void nonlinear(double t, const double *y, double *f)
{
    double c = cos(t), s = sin(t), d = exp(-t);
    f[0] = y[1] * y[2] * y[2] + y[0] * y[0] - d * s * s - c * c - s;
    f[1] = -y[1] * y[1] / d + y[0] * y[2] - c * s;
    f[2] = y[2] + 0.5 * y[2] * y[2] * y[2] * y[0] * y[1] - s - 0.5 * s * s * s * c * d;
}

static inline void nonlinear_slope(double t, const double *y, double *j)
{
    double cube = 0.5 * y[2] * y[2] * y[2];
    const double entries[9] = {
        2 * y[0],    y[2] * y[2],        2 * y[1] * y[2],
        y[2],        -2 * y[1] * exp(t), y[0],
        cube * y[1], cube * y[0],        1 + 1.5 * y[2] * y[2] * y[0] * y[1]};
    memcpy(j, entries, sizeof entries);
}

/* dF/dt of F = M y' - f */
static inline dae_status nonlinear_time(void *self, double t, const double *y, const double *yp,
                                        double *r)
{
    double c = cos(t), s = sin(t), d = exp(-t);
    (void)self, (void)yp;
    r[0] = 2 * d * s * c - d * s * s - 2 * c * s + c;
    r[1] = y[1] * y[1] / d + c * c - s * s;
    r[2] = c + 0.5 * d * (3 * s * s * c * c - s * s * s * s - s * s * s * c);
    return DAE_OK;
}

static inline void exact(double t, double *y, double *yp)
{
    y[0] = cos(t), y[1] = exp(-t), y[2] = sin(t);
    yp[0] = -sin(t), yp[1] = -exp(-t), yp[2] = cos(t);
}

static inline dae_status no_time(void *self, double t, const double *y, const double *yp, double *r)
{
    (void)self, (void)t, (void)y, (void)yp, (void)r;
    return DAE_NOT_EVALUABLE;
}

/* The same solution of F = (1 + y_2^2) (y_1' - f_1) + (y_1'^3 - f_1^3) / 5, ... : nonlinear in y'
 * as well. */
static inline dae_status implicit_residual(void *self, double t, const double *y, const double *yp,
                                           double *r)
{
    double f[3];
    (void)self;
    nonlinear(t, y, f);
    r[0] = (1 + y[1] * y[1]) * (yp[0] - f[0]) + (pow(yp[0], 3) - pow(f[0], 3)) / 5;
    r[1] = (2 + y[0] * y[2]) * (yp[1] - f[1]);
    r[2] = -f[2];
    return DAE_OK;
}

static inline dae_status implicit_linearize(void *self, double t, const double *y, const double *yp)
{
    example *e = self;
    double f[3], *j = e->jacobian; /* -dF/dy */
    nonlinear(t, y, f);
    nonlinear_slope(t, y, j);
    for (int k = 0; k < 3; k++) {
        j[k] *= 1 + y[1] * y[1] + 0.6 * f[0] * f[0];
        j[3 + k] *= 2 + y[0] * y[2];
    }
    j[1] -= 2 * y[1] * (yp[0] - f[0]);
    j[3] -= y[2] * (yp[1] - f[1]);
    j[5] -= y[0] * (yp[1] - f[1]);
    e->mass[0] = 1 + y[1] * y[1] + 0.6 * yp[0] * yp[0];
    e->mass[1] = 2 + y[0] * y[2];
    example_take_jacobian(e);
    return DAE_OK;
}

#endif
