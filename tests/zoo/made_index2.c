/* Problems of index 2 in Hessenberg form made for a solution. */
#include "zoo/manufactured.h"
#include "zoo/rows.h"

#include <math.h>

/* A surface that moves; given as a residual. */
static void bent(double s, double *y, double *yp, double *ypp)
{
    y[0] = 0.5 * sin(2 * s), y[1] = cos(2 * s), y[2] = 1 + 0.5 * sin(3 * s);
    y[3] = 1 + 0.4 * cos(3 * s);
    yp[0] = cos(2 * s), yp[1] = -2 * sin(2 * s), yp[2] = 1.5 * cos(3 * s);
    yp[3] = -1.2 * sin(3 * s);
    ypp[0] = -2 * sin(2 * s), ypp[1] = -4 * cos(2 * s), ypp[2] = -4.5 * sin(3 * s);
    ypp[3] = -3.6 * cos(3 * s);
}

static void bent_phi(double t, const double *y, double *f)
{
    double z = y[3];
    f[0] = y[1] * y[2] + (2 + 0.5 * y[0]) * (z + 0.05 * z * z);
    f[1] = -y[0] * y[2] + 0.1 * y[1] * z * z;
    f[2] = y[0] * y[0] - y[2] + sin(z);
    f[3] = y[0] * (1 + 0.2 * sin(t)) + 0.1 * y[0] * y[1] * y[1] + 0.1 * y[2] * y[2];
}

static void bent_phi_y(double t, const double *y, double *j)
{
    double z = y[3];
    *zoo_dense(j, 4, 1, 1) = 0.5 * (z + 0.05 * z * z);
    *zoo_dense(j, 4, 1, 2) = y[2];
    *zoo_dense(j, 4, 1, 3) = y[1];
    *zoo_dense(j, 4, 1, 4) = (2 + 0.5 * y[0]) * (1 + 0.1 * z);
    *zoo_dense(j, 4, 2, 1) = -y[2];
    *zoo_dense(j, 4, 2, 2) = 0.1 * z * z;
    *zoo_dense(j, 4, 2, 3) = -y[0];
    *zoo_dense(j, 4, 2, 4) = 0.2 * y[1] * z;
    *zoo_dense(j, 4, 3, 1) = 2 * y[0];
    *zoo_dense(j, 4, 3, 3) = -1;
    *zoo_dense(j, 4, 3, 4) = cos(z);
    *zoo_dense(j, 4, 4, 1) = 1 + 0.2 * sin(t) + 0.1 * y[1] * y[1];
    *zoo_dense(j, 4, 4, 2) = 0.2 * y[0] * y[1];
    *zoo_dense(j, 4, 4, 3) = 0.2 * y[2];
}

static void bent_phi_t(double t, const double *y, double *f)
{
    f[0] = f[1] = f[2] = 0;
    f[3] = 0.2 * y[0] * cos(t);
}

static const double bent_mass[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
static const unsigned char bent_index[] = {1, 1, 1, 2};
static const manufactured bent_made = {4, 1, bent_mass, bent, bent_phi, bent_phi_y, bent_phi_t};
static const zoo_form bent_form = {
    .kind = ZOO_RESIDUAL,
    .as.residual = {.n = 4,
                    .residual = manufactured_residual,
                    .jacobian = manufactured_jacobian,
                    .time_derivative = manufactured_slope,
                    .about = {.index = bent_index, .user = (void *)&bent_made}}};

const zoo_order zoo_order_bent = {.name = "bent",
                                  .index = 2,
                                  .form = &bent_form,
                                  .t_end = 1.640625,
                                  .round_off = 1e-12,
                                  .fine = 256,
                                  .least = 1,
                                  .most = 7,
                                  .made = &bent_made,
                                  .classes = "yyyz"};

static const manufactured bent_fast_made = {4,        5,          bent_mass, bent,
                                            bent_phi, bent_phi_y, bent_phi_t};
static const zoo_form bent_fast_form = {
    .kind = ZOO_RESIDUAL,
    .as.residual = {.n = 4,
                    .residual = manufactured_residual,
                    .jacobian = manufactured_jacobian,
                    .time_derivative = manufactured_slope,
                    .about = {.index = bent_index, .user = (void *)&bent_fast_made}}};

const zoo_order zoo_order_bent_fast = {.name = "bent fast",
                                       .index = 2,
                                       .form = &bent_fast_form,
                                       .t_end = 1.640625,
                                       .round_off = 1e-12,
                                       .fine = 1024,
                                       .least = 1,
                                       .most = 7,
                                       .made = &bent_fast_made,
                                       .classes = "yyyz"};

static void winding(double s, double *y, double *yp, double *ypp)
{
    y[0] = 0.5 * sin(s), y[1] = 0.6 * cos(s), y[2] = 0.8 + 0.3 * sin(2 * s);
    yp[0] = 0.5 * cos(s), yp[1] = -0.6 * sin(s), yp[2] = 0.6 * cos(2 * s);
    ypp[0] = -0.5 * sin(s), ypp[1] = -0.6 * cos(s), ypp[2] = -1.2 * sin(2 * s);
}

static void twisted(double t, const double *y, double *f)
{
    double z = y[2];
    f[0] = -y[1] * y[1] + (1 + 0.3 * y[1] * y[1]) * z + 0.03 * z * z * z;
    f[1] = y[0] * y[1] + 0.5 * z + 0.05 * cos(t) * z * z;
    f[2] = y[0] + 0.2 * y[0] * y[1] + 0.3 * y[1] + 0.1 * sin(t) * y[1] * y[1];
}

static void twisted_y(double t, const double *y, double *j)
{
    double z = y[2];
    *zoo_dense(j, 3, 1, 2) = -2 * y[1] + 0.6 * y[1] * z;
    *zoo_dense(j, 3, 1, 3) = 1 + 0.3 * y[1] * y[1] + 0.09 * z * z;
    *zoo_dense(j, 3, 2, 1) = y[1];
    *zoo_dense(j, 3, 2, 2) = y[0];
    *zoo_dense(j, 3, 2, 3) = 0.5 + 0.1 * cos(t) * z;
    *zoo_dense(j, 3, 3, 1) = 1 + 0.2 * y[1];
    *zoo_dense(j, 3, 3, 2) = 0.2 * y[0] + 0.3 + 0.2 * sin(t) * y[1];
}

static void twisted_t(double t, const double *y, double *f)
{
    f[0] = 0, f[1] = -0.05 * sin(t) * y[2] * y[2], f[2] = 0.1 * cos(t) * y[1] * y[1];
}

static const double twisted_mass[9] = {1, 0, 0, 0, 1};
static const unsigned char twisted_index[] = {1, 1, 2};
static const manufactured twisted_made = {3,       8,         twisted_mass, winding,
                                          twisted, twisted_y, twisted_t};
static const zoo_form twisted_form = MANUFACTURED_MASS(3, twisted_mass, twisted_index,
                                                       twisted_made);

const zoo_order zoo_order_twisted = {.name = "twisted",
                                     .index = 2,
                                     .form = &twisted_form,
                                     .t_end = 1.640625,
                                     .round_off = 1e-12,
                                     .fine = 1024,
                                     .least = 1,
                                     .most = 7,
                                     .made = &twisted_made,
                                     .classes = "yyz"};

static const manufactured twisted_slow_made = {3,       4,         twisted_mass, winding,
                                               twisted, twisted_y, twisted_t};
static const zoo_form twisted_slow_form = MANUFACTURED_MASS(3, twisted_mass, twisted_index,
                                                            twisted_slow_made);

const zoo_order zoo_order_twisted_slow = {.name = "twisted slow",
                                          .index = 2,
                                          .form = &twisted_slow_form,
                                          .t_end = 1.640625,
                                          .round_off = 1e-12,
                                          .fine = 512,
                                          .least = 1,
                                          .most = 7,
                                          .made = &twisted_slow_made,
                                          .classes = "yyz"};
