/* Problems of index 2 in Hessenberg form with exact solutions. */
#include "zoo/manufactured.h"
#include "zoo/rows.h"

#include <math.h>

static const unsigned char index[] = {1, 1, 2}, index_bent[] = {1, 1, 1, 2};

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
                                   .t_end = 2,
                                   .exact = curve_exact,
                                   .classes = "yyz"};

/* A surface that moves; given as a residual. */
static void bent(double t, double *y, double *yp, double *ypp)
{
    y[0] = 0.5 * sin(2 * t), y[1] = cos(2 * t), y[2] = 1 + 0.5 * sin(3 * t);
    y[3] = 1 + 0.4 * cos(3 * t);
    yp[0] = cos(2 * t), yp[1] = -2 * sin(2 * t), yp[2] = 1.5 * cos(3 * t);
    yp[3] = -1.2 * sin(3 * t);
    ypp[0] = -2 * sin(2 * t), ypp[1] = -4 * cos(2 * t), ypp[2] = -4.5 * sin(3 * t);
    ypp[3] = -3.6 * cos(3 * t);
}

static void bent_exact(double t, double *y, double *yp)
{
    double ypp[4];
    bent(t, y, yp, ypp);
}

static void bent_phi(double t, const double *y, double *f)
{
    double z = y[3];
    f[0] = y[1] * y[2] + (2 + 0.5 * y[0]) * (z + 0.2 * z * z);
    f[1] = -y[0] * y[2] + 0.3 * y[1] * z * z;
    f[2] = y[0] * y[0] - y[2] + sin(z);
    f[3] = y[0] * (1 + 0.2 * sin(t)) + 0.25 * y[0] * y[1] * y[1] + 0.2 * y[2] * y[2];
}

static void bent_phi_y(double t, const double *y, double *j)
{
    double z = y[3];
    *zoo_dense(j, 4, 1, 1) = 0.5 * (z + 0.2 * z * z);
    *zoo_dense(j, 4, 1, 2) = y[2];
    *zoo_dense(j, 4, 1, 3) = y[1];
    *zoo_dense(j, 4, 1, 4) = (2 + 0.5 * y[0]) * (1 + 0.4 * z);
    *zoo_dense(j, 4, 2, 1) = -y[2];
    *zoo_dense(j, 4, 2, 2) = 0.3 * z * z;
    *zoo_dense(j, 4, 2, 3) = -y[0];
    *zoo_dense(j, 4, 2, 4) = 0.6 * y[1] * z;
    *zoo_dense(j, 4, 3, 1) = 2 * y[0];
    *zoo_dense(j, 4, 3, 3) = -1;
    *zoo_dense(j, 4, 3, 4) = cos(z);
    *zoo_dense(j, 4, 4, 1) = 1 + 0.2 * sin(t) + 0.25 * y[1] * y[1];
    *zoo_dense(j, 4, 4, 2) = 0.5 * y[0] * y[1];
    *zoo_dense(j, 4, 4, 3) = 0.4 * y[2];
}

static void bent_phi_t(double t, const double *y, double *f)
{
    f[0] = f[1] = f[2] = 0;
    f[3] = 0.2 * y[0] * cos(t);
}

static const double bent_mass[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
static const manufactured bent_made = {4, bent_mass, bent, bent_phi, bent_phi_y, bent_phi_t};

static const zoo_form bent_form = {
    .kind = ZOO_RESIDUAL,
    .as.residual = {.n = 4,
                    .residual = manufactured_residual,
                    .jacobian = manufactured_jacobian,
                    .time_derivative = manufactured_slope,
                    .about = {.index = index_bent, .user = (void *)&bent_made}}};

const zoo_order zoo_order_bent = {.name = "bent",
                                  .index = 2,
                                  .form = &bent_form,
                                  .t_end = 2,
                                  .exact = bent_exact,
                                  .classes = "yyyz"};
