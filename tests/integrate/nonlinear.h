/* A DAE of index 1 that is nonlinear in all variables and in time, with a known solution, for
 * example.h. */
#ifndef TESTS_INTEGRATE_NONLINEAR_H
#define TESTS_INTEGRATE_NONLINEAR_H

#include <daedal/status.h>
#include <math.h>
#include <string.h>

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

#endif
