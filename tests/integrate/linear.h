/* Linear right sides for example.h, and their slopes. */
#ifndef TESTS_INTEGRATE_LINEAR_H
#define TESTS_INTEGRATE_LINEAR_H

#include "integrate/example.h"

/* y' = -2 y */
static inline void decay(double t, const double *y, double *f)
{
    (void)t;
    f[0] = -2 * y[0];
}

static inline void decay_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = -2;
}

static inline void no_slope(double t, const double *y, double *j)
{
    (void)t, (void)y;
    j[0] = 0;
}

/* y_1' = y_2, y_2' = y_3, 0 = y_1 - exp(t), of index 3. */
static inline void chain(double t, const double *y, double *f)
{
    f[0] = y[1], f[1] = y[2], f[2] = y[0] - exp(t);
}

static inline void chain_slope(double t, const double *y, double *j)
{
    static const double entries[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    (void)t, (void)y;
    memcpy(j, entries, sizeof entries);
}

#endif
