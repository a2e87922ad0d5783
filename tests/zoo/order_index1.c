/* Problems of index 1 with exact solutions. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

/* y = (exp sin t, cos t), z = (exp(sin t - cos t), sin t). */
static int coupled_f(double t, const double *y, const double *z, double *f, void *user)
{
    (void)user;
    if (y[0] <= 0 || z[0] <= 0) return 1;
    f[0] = z[0] * exp(y[1]) * y[1];
    f[1] = -log(z[0]) * exp(y[1]) * z[0] / y[0] - cos(t);
    return 0;
}

static int coupled_g(double t, const double *y, const double *z, double *g, void *user)
{
    (void)t, (void)user;
    if (y[0] <= 0) return 1;
    double l = log(y[0]);
    g[0] = z[0] * exp(y[1]) - z[1] * z[1] * z[1] - y[0] + l * l * l;
    g[1] = exp(z[1]) * z[0] - y[0] * y[0] * exp(-y[1]);
    return 0;
}

static int coupled_jacobian(double t, const double *y, const double *z, double *j, void *user)
{
    (void)t, (void)user;
    double e = exp(y[1]), l = log(y[0]), ratio = log(z[0]) * e * z[0] / y[0];
    *zoo_dense(j, 4, 1, 2) = z[0] * e * (1 + y[1]);
    *zoo_dense(j, 4, 1, 3) = e * y[1];
    *zoo_dense(j, 4, 2, 1) = ratio / y[0];
    *zoo_dense(j, 4, 2, 2) = -ratio;
    *zoo_dense(j, 4, 2, 3) = -(1 + log(z[0])) * e / y[0];
    *zoo_dense(j, 4, 3, 1) = -1 + 3 * l * l / y[0];
    *zoo_dense(j, 4, 3, 2) = z[0] * e;
    *zoo_dense(j, 4, 3, 3) = e;
    *zoo_dense(j, 4, 3, 4) = -3 * z[1] * z[1];
    *zoo_dense(j, 4, 4, 1) = -2 * y[0] / e;
    *zoo_dense(j, 4, 4, 2) = y[0] * y[0] / e;
    *zoo_dense(j, 4, 4, 3) = exp(z[1]);
    *zoo_dense(j, 4, 4, 4) = exp(z[1]) * z[0];
    return 0;
}

static int coupled_t(double t, const double *y, const double *z, double *dt, void *user)
{
    (void)y, (void)z, (void)user;
    dt[0] = dt[2] = dt[3] = 0;
    dt[1] = sin(t);
    return 0;
}

static void coupled_exact(double t, double *y, double *yp)
{
    double s = sin(t), c = cos(t);
    y[0] = exp(s), y[1] = c, y[2] = exp(s - c), y[3] = s;
    yp[0] = c * y[0], yp[1] = -s, yp[2] = (c + s) * y[2], yp[3] = c;
}

static const zoo_form coupled_form = {.kind = ZOO_SEMI_EXPLICIT,
                                      .as.semi_explicit = {.nx = 2,
                                                           .nz = 2,
                                                           .f = coupled_f,
                                                           .g = coupled_g,
                                                           .jacobian = coupled_jacobian,
                                                           .time_derivative = coupled_t}};

const zoo_order zoo_order_coupled = {.name = "coupled",
                                     .index = 1,
                                     .form = &coupled_form,
                                     .t_end = 1.640625,
                                     .round_off = 1e-12,
                                     .fine = 256,
                                     .least = 1,
                                     .most = 7,
                                     .exact = coupled_exact,
                                     .classes = "yyzz"};
