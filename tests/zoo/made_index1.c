/* Problems of index 1 made for a solution. */
#include "zoo/manufactured.h"
#include "zoo/rows.h"

#include <math.h>

/* A mass matrix that is not diagonal and singular. */
static void tilted(double s, double *y, double *yp, double *ypp)
{
    y[0] = 2 + sin(2 * s), y[1] = cos(3 * s), y[2] = 1.5 + sin(2 * s + 1);
    yp[0] = 2 * cos(2 * s), yp[1] = -3 * sin(3 * s), yp[2] = 2 * cos(2 * s + 1);
    ypp[0] = -4 * sin(2 * s), ypp[1] = -9 * cos(3 * s), ypp[2] = -4 * sin(2 * s + 1);
}

static void tilted_phi(double t, const double *y, double *f)
{
    double z = y[2];
    f[0] = y[1] * z - 0.3 * y[0] * y[0] + 0.2 * t * z * z;
    f[1] = -y[0] * y[1] + sin(z);
    f[2] = z + 0.02 * z * z * z + 0.1 * y[0] * y[1] * cos(t) + 0.05 * y[1] * y[1] * z;
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
    *zoo_dense(j, 3, 3, 1) = 0.1 * y[1] * cos(t);
    *zoo_dense(j, 3, 3, 2) = 0.1 * y[0] * cos(t) + 0.1 * y[1] * z;
    *zoo_dense(j, 3, 3, 3) = 1 + 0.06 * z * z + 0.05 * y[1] * y[1];
}

static void tilted_phi_t(double t, const double *y, double *f)
{
    f[0] = 0.2 * y[2] * y[2], f[1] = 0, f[2] = -0.1 * y[0] * y[1] * sin(t);
}

static const double tilted_mass[9] = {1, -0.3, 0, 0.4, 1.2, 0, 0, 0, 0};
static const manufactured tilted_made = {
    3, 1, tilted_mass, tilted, tilted_phi, tilted_phi_y, tilted_phi_t};
static const zoo_form tilted_form = {.kind = ZOO_MASS,
                                     .as.mass = {.n = 3,
                                                 .f = manufactured_f,
                                                 .f_y = manufactured_f_y,
                                                 .f_t = manufactured_f_t,
                                                 .constant_mass = tilted_mass,
                                                 .about = {.user = (void *)&tilted_made}}};

const zoo_order zoo_order_tilted = {.name = "tilted",
                                    .index = 1,
                                    .form = &tilted_form,
                                    .t_end = 1.640625,
                                    .round_off = 1e-12,
                                    .fine = 256,
                                    .least = 1,
                                    .most = 7,
                                    .made = &tilted_made,
                                    .classes = "yyz"};

static const manufactured tilted_fast_made = {
    3, 8, tilted_mass, tilted, tilted_phi, tilted_phi_y, tilted_phi_t};
static const zoo_form tilted_fast_form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = 3,
                .f = manufactured_f,
                .f_y = manufactured_f_y,
                .f_t = manufactured_f_t,
                .constant_mass = tilted_mass,
                .about = {.user = (void *)&tilted_fast_made}}};

const zoo_order zoo_order_tilted_fast = {.name = "tilted fast",
                                         .index = 1,
                                         .form = &tilted_fast_form,
                                         .t_end = 1.640625,
                                         .round_off = 1e-12,
                                         .fine = 1024,
                                         .least = 1,
                                         .most = 7,
                                         .made = &tilted_fast_made,
                                         .classes = "yyz"};

static void strands(double s, double *y, double *yp, double *ypp)
{
    y[0] = sin(s), y[1] = cos(s), y[2] = sin(s + 1), y[3] = 0.5 * cos(2 * s);
    yp[0] = cos(s), yp[1] = -sin(s), yp[2] = cos(s + 1), yp[3] = -sin(2 * s);
    ypp[0] = -sin(s), ypp[1] = -cos(s), ypp[2] = -sin(s + 1), ypp[3] = -2 * cos(2 * s);
}

static void braided(double t, const double *y, double *f)
{
    f[0] = -y[0] + 0.5 * y[2] * y[3];
    f[1] = y[0] * y[2] - y[1] + 0.2 * y[3] * y[3];
    f[2] = y[2] + 0.1 * y[3] * y[3] + 0.03 * y[2] * y[2] * y[2] + 0.1 * y[0] * y[1];
    f[3] = 2 * y[3] + 0.2 * sin(y[2]) + 0.1 * y[0] * y[0] * cos(t);
}

static void braided_y(double t, const double *y, double *j)
{
    *zoo_dense(j, 4, 1, 1) = -1;
    *zoo_dense(j, 4, 1, 3) = 0.5 * y[3];
    *zoo_dense(j, 4, 1, 4) = 0.5 * y[2];
    *zoo_dense(j, 4, 2, 1) = y[2];
    *zoo_dense(j, 4, 2, 2) = -1;
    *zoo_dense(j, 4, 2, 3) = y[0];
    *zoo_dense(j, 4, 2, 4) = 0.4 * y[3];
    *zoo_dense(j, 4, 3, 1) = 0.1 * y[1];
    *zoo_dense(j, 4, 3, 2) = 0.1 * y[0];
    *zoo_dense(j, 4, 3, 3) = 1 + 0.09 * y[2] * y[2];
    *zoo_dense(j, 4, 3, 4) = 0.2 * y[3];
    *zoo_dense(j, 4, 4, 1) = 0.2 * y[0] * cos(t);
    *zoo_dense(j, 4, 4, 3) = 0.2 * cos(y[2]);
    *zoo_dense(j, 4, 4, 4) = 2;
}

static void braided_t(double t, const double *y, double *f)
{
    f[0] = f[1] = f[2] = 0, f[3] = -0.1 * y[0] * y[0] * sin(t);
}

static const double braided_mass[16] = {1, 0, 0, 0, 0, 1};
static const manufactured braided_made = {4,       10,        braided_mass, strands,
                                          braided, braided_y, braided_t};
static const zoo_form braided_form = {.kind = ZOO_RESIDUAL,
                                      .as.residual = {.n = 4,
                                                      .residual = manufactured_residual,
                                                      .jacobian = manufactured_jacobian,
                                                      .time_derivative = manufactured_slope,
                                                      .about = {.user = (void *)&braided_made}}};

const zoo_order zoo_order_braided = {.name = "braided",
                                     .index = 1,
                                     .form = &braided_form,
                                     .t_end = 1.640625,
                                     .round_off = 1e-12,
                                     .fine = 1024,
                                     .least = 1,
                                     .most = 7,
                                     .made = &braided_made,
                                     .classes = "yyzz"};
