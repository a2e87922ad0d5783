/* Problems of index 2 in Hessenberg form with exact solutions. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

static const unsigned char index[] = {1, 1, 2};

/* y = (exp s, exp -2s), z = exp 2s, s = t / 2 + sin(t) / 4. */
static int curve_f(double t, const double *y, const double *z, double *f, void *user)
{
    (void)user;
    double rate = 0.5 + 0.25 * cos(t), square = y[1] * y[1];
    f[0] = rate * y[0] * square * z[0] * z[0];
    f[1] = rate * (y[0] * y[0] * square - 3 * square * z[0]);
    return 0;
}

static int curve_g(double t, const double *y, const double *z, double *g, void *user)
{
    (void)t, (void)z, (void)user;
    g[0] = y[0] * y[0] * y[1] - 1;
    return 0;
}

static int curve_jacobian(double t, const double *y, const double *z, double *j, void *user)
{
    (void)user;
    double rate = 0.5 + 0.25 * cos(t), square = y[1] * y[1];
    *zoo_dense(j, 3, 1, 1) = rate * square * z[0] * z[0];
    *zoo_dense(j, 3, 1, 2) = 2 * rate * y[0] * y[1] * z[0] * z[0];
    *zoo_dense(j, 3, 1, 3) = 2 * rate * y[0] * square * z[0];
    *zoo_dense(j, 3, 2, 1) = 2 * rate * y[0] * square;
    *zoo_dense(j, 3, 2, 2) = rate * (2 * y[0] * y[0] * y[1] - 6 * y[1] * z[0]);
    *zoo_dense(j, 3, 2, 3) = -3 * rate * square;
    *zoo_dense(j, 3, 3, 1) = 2 * y[0] * y[1];
    *zoo_dense(j, 3, 3, 2) = y[0] * y[0];
    return 0;
}

static int curve_t(double t, const double *y, const double *z, double *dt, void *user)
{
    (void)curve_f(t, y, z, dt, user);
    double factor = -0.25 * sin(t) / (0.5 + 0.25 * cos(t));
    dt[0] *= factor, dt[1] *= factor, dt[2] = 0;
    return 0;
}

static void curve_exact(double t, double *y, double *yp)
{
    double s = 0.5 * t + 0.25 * sin(t), rate = 0.5 + 0.25 * cos(t);
    y[0] = exp(s), y[1] = exp(-2 * s), y[2] = exp(2 * s);
    yp[0] = rate * y[0], yp[1] = -2 * rate * y[1], yp[2] = 2 * rate * y[2];
}

static const zoo_form curve_form = {.kind = ZOO_SEMI_EXPLICIT,
                                    .as.semi_explicit = {.nx = 2,
                                                         .nz = 1,
                                                         .f = curve_f,
                                                         .g = curve_g,
                                                         .jacobian = curve_jacobian,
                                                         .time_derivative = curve_t,
                                                         .about.index = index}};

const zoo_order zoo_order_curve = {.name = "curve",
                                   .index = 2,
                                   .form = &curve_form,
                                   .t_end = 0.41015625,
                                   .round_off = 1e-12,
                                   .fine = 128,
                                   .least = 1,
                                   .most = 5,
                                   .exact = curve_exact,
                                   .classes = "yyz"};
