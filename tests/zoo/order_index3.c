/* Problems of index 3 in Hessenberg form with exact solutions. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 5 };
static const unsigned char index[N] = {1, 1, 2, 2, 3};

/* q = (exp(s/2), exp(-s)), v = q', lambda = 1 + cos(2t)/2, s = sin t: the part of v' that depends
 * on time alone, and its slope. */
static void drive(double t, double *a, double *slope)
{
    double s = sin(t), c = cos(t), l = 1 + 0.5 * cos(2 * t), lp = -sin(2 * t);
    double h = exp(0.5 * s), g = exp(s);
    a[0] = (0.25 * c * c - 0.5 * s) * h - 2 * l / h + 0.5 * c * c / h;
    slope[0] = (-0.5 * s * c - 0.5 * c) * h + (0.25 * c * c - 0.5 * s) * 0.5 * c * h;
    slope[0] += (-2 * lp + l * c - s * c - 0.25 * c * c * c) / h;
    a[1] = (c * c + s) / g - g * l + c * c / (g * g);
    slope[1] = (-2 * s * c + c - c * (c * c + s)) / g - g * (lp + c * l);
    slope[1] += (-2 * s * c - 2 * c * c * c) / (g * g);
}

static int bead_f(double t, const double *x, const double *z, double *f, void *user)
{
    (void)user;
    double a[2], slope[2];
    drive(t, a, slope);
    f[0] = x[2];
    f[1] = x[3];
    f[2] = 2 * x[0] * x[1] * z[0] + x[2] * x[3] + a[0];
    f[3] = x[0] * x[0] * z[0] - x[3] * x[3] + a[1];
    return 0;
}

static int bead_g(double t, const double *x, const double *z, double *g, void *user)
{
    (void)t, (void)z, (void)user;
    g[0] = x[0] * x[0] * x[1] - 1;
    return 0;
}

static int bead_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t, (void)user;
    *zoo_dense(j, N, 1, 3) = 1;
    *zoo_dense(j, N, 2, 4) = 1;
    *zoo_dense(j, N, 3, 1) = 2 * x[1] * z[0];
    *zoo_dense(j, N, 3, 2) = 2 * x[0] * z[0];
    *zoo_dense(j, N, 3, 3) = x[3];
    *zoo_dense(j, N, 3, 4) = x[2];
    *zoo_dense(j, N, 3, 5) = 2 * x[0] * x[1];
    *zoo_dense(j, N, 4, 1) = 2 * x[0] * z[0];
    *zoo_dense(j, N, 4, 4) = -2 * x[3];
    *zoo_dense(j, N, 4, 5) = x[0] * x[0];
    *zoo_dense(j, N, 5, 1) = 2 * x[0] * x[1];
    *zoo_dense(j, N, 5, 2) = x[0] * x[0];
    return 0;
}

static int bead_t(double t, const double *x, const double *z, double *dt, void *user)
{
    (void)x, (void)z, (void)user;
    double a[2];
    dt[0] = dt[1] = dt[4] = 0;
    drive(t, a, dt + 2);
    return 0;
}

static void bead_exact(double t, double *y, double *yp)
{
    double s = sin(t), c = cos(t);
    y[0] = exp(0.5 * s), y[1] = exp(-s);
    y[2] = yp[0] = 0.5 * c * y[0];
    y[3] = yp[1] = -c * y[1];
    yp[2] = 0.5 * (-s + 0.5 * c * c) * y[0];
    yp[3] = (s + c * c) * y[1];
    y[4] = 1 + 0.5 * cos(2 * t);
    yp[4] = -sin(2 * t);
}

static const zoo_form bead_form = {.kind = ZOO_SEMI_EXPLICIT,
                                   .as.semi_explicit = {.nx = 4,
                                                        .nz = 1,
                                                        .f = bead_f,
                                                        .g = bead_g,
                                                        .jacobian = bead_jacobian,
                                                        .time_derivative = bead_t,
                                                        .about.index = index}};

const zoo_order zoo_order_bead = {.name = "bead",
                                  .index = 3,
                                  .form = &bead_form,
                                  .t_end = 1.640625,
                                  .round_off = 1e-12,
                                  .fine = 256,
                                  .least = 1,
                                  .most = 7,
                                  .exact = bead_exact,
                                  .classes = "yyzzu"};
