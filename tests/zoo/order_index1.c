/* Problems of index 1 with exact solutions. */
#include "zoo/manufactured.h"
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
                                     .t_end = 2,
                                     .exact = coupled_exact,
                                     .classes = "yyzz"};

/* A mass matrix that is not diagonal and singular. */
static void tilted(double t, double *y, double *yp, double *ypp)
{
    y[0] = 2 + sin(2 * t), y[1] = cos(3 * t), y[2] = 1.5 + sin(2 * t + 1);
    yp[0] = 2 * cos(2 * t), yp[1] = -3 * sin(3 * t), yp[2] = 2 * cos(2 * t + 1);
    ypp[0] = -4 * sin(2 * t), ypp[1] = -9 * cos(3 * t), ypp[2] = -4 * sin(2 * t + 1);
}

static void tilted_exact(double t, double *y, double *yp)
{
    double ypp[3];
    tilted(t, y, yp, ypp);
}

static void tilted_phi(double t, const double *y, double *f)
{
    double z = y[2];
    f[0] = y[1] * z - 0.3 * y[0] * y[0] + 0.2 * t * z * z;
    f[1] = -y[0] * y[1] + sin(z);
    f[2] = z + 0.1 * z * z * z + 0.3 * y[0] * y[1] * cos(t) + 0.1 * y[1] * y[1] * z;
}

static void tilted_phi_y(double t, const double *y, double *j)
{
    double z = y[2];
    *zoo_dense(j, 3, 1, 1) = -0.6 * y[0];
    *zoo_dense(j, 3, 1, 2) = z;
    *zoo_dense(j, 3, 1, 3) = y[1] + 0.4 * t * z;
    *zoo_dense(j, 3, 2, 1) = -y[1];
    *zoo_dense(j, 3, 2, 2) = -y[0];
    *zoo_dense(j, 3, 2, 3) = cos(z);
    *zoo_dense(j, 3, 3, 1) = 0.3 * y[1] * cos(t);
    *zoo_dense(j, 3, 3, 2) = 0.3 * y[0] * cos(t) + 0.2 * y[1] * z;
    *zoo_dense(j, 3, 3, 3) = 1 + 0.3 * z * z + 0.1 * y[1] * y[1];
}

static void tilted_phi_t(double t, const double *y, double *f)
{
    f[0] = 0.2 * y[2] * y[2], f[1] = 0, f[2] = -0.3 * y[0] * y[1] * sin(t);
}

static const double tilted_mass[9] = {1, -0.3, 0, 0.4, 1.2, 0, 0, 0, 0};
static const manufactured tilted_made = {3,          tilted_mass,  tilted,
                                         tilted_phi, tilted_phi_y, tilted_phi_t};

static const zoo_form tilted_form = {.kind = ZOO_MASS,
                                     .as.mass = {.n = 3,
                                                 .f = manufactured_f,
                                                 .f_y = manufactured_f_y,
                                                 .f_t = manufactured_f_t,
                                                 .constant_mass = tilted_mass,
                                                 .about.user = (void *)&tilted_made}};

const zoo_order zoo_order_tilted = {.name = "tilted",
                                    .index = 1,
                                    .form = &tilted_form,
                                    .t_end = 2,
                                    .exact = tilted_exact,
                                    .classes = "yyz"};
