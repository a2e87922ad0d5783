/* Ordinary differential equations made for fast solutions. */
#include "zoo/manufactured.h"
#include "zoo/rows.h"

#include <math.h>

static void waves(double s, double *y, double *yp, double *ypp)
{
    double e = exp(sin(2 * s)), rate = 2 * cos(2 * s);
    y[0] = 1 + 0.5 * sin(3 * s), y[1] = cos(2 * s), y[2] = e;
    yp[0] = 1.5 * cos(3 * s), yp[1] = -2 * sin(2 * s), yp[2] = rate * e;
    ypp[0] = -4.5 * sin(3 * s), ypp[1] = -4 * cos(2 * s);
    ypp[2] = (rate * rate - 4 * sin(2 * s)) * e;
}

static void mixing(double t, const double *y, double *f)
{
    f[0] = -y[0] * y[1] + 0.2 * y[2] * y[2] * cos(t);
    f[1] = y[0] * y[0] - y[1] * y[2];
    f[2] = sin(y[0]) - 0.1 * y[2] * y[2] * y[2] + t * y[1] * y[1];
}

static void mixing_y(double t, const double *y, double *j)
{
    *zoo_dense(j, 3, 1, 1) = -y[1];
    *zoo_dense(j, 3, 1, 2) = -y[0];
    *zoo_dense(j, 3, 1, 3) = 0.4 * y[2] * cos(t);
    *zoo_dense(j, 3, 2, 1) = 2 * y[0];
    *zoo_dense(j, 3, 2, 2) = -y[2];
    *zoo_dense(j, 3, 2, 3) = -y[1];
    *zoo_dense(j, 3, 3, 1) = cos(y[0]);
    *zoo_dense(j, 3, 3, 2) = 2 * t * y[1];
    *zoo_dense(j, 3, 3, 3) = -0.3 * y[2] * y[2];
}

static void mixing_t(double t, const double *y, double *f)
{
    f[0] = -0.2 * y[2] * y[2] * sin(t), f[1] = 0, f[2] = y[1] * y[1];
}

static const double space[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const manufactured waves_made = {3, 4, space, waves, mixing, mixing_y, mixing_t};
static const zoo_form waves_form = {.kind = ZOO_MASS,
                                    .as.mass = {.n = 3,
                                                .f = manufactured_f,
                                                .f_y = manufactured_f_y,
                                                .f_t = manufactured_f_t,
                                                .about = {.user = (void *)&waves_made}}};

const zoo_order zoo_order_waves = {.name = "waves",
                                   .index = 0,
                                   .form = &waves_form,
                                   .t_end = 1.640625,
                                   .round_off = 1e-12,
                                   .fine = 1024,
                                   .least = 1,
                                   .most = 8,
                                   .made = &waves_made,
                                   .classes = "yyy"};

static void turning(double s, double *y, double *yp, double *ypp)
{
    y[0] = cos(s) + 0.3 * sin(2 * s), y[1] = sin(s);
    yp[0] = -sin(s) + 0.6 * cos(2 * s), yp[1] = cos(s);
    ypp[0] = -cos(s) - 1.2 * sin(2 * s), ypp[1] = -sin(s);
}

static void rotor(double t, const double *y, double *f)
{
    f[0] = -y[1] * (1 + 0.3 * y[0] * y[0]) + 0.5 * sin(t) * y[1] * y[1];
    f[1] = y[0] - 0.2 * y[0] * y[1] * y[1];
}

static void rotor_y(double t, const double *y, double *j)
{
    *zoo_dense(j, 2, 1, 1) = -0.6 * y[0] * y[1];
    *zoo_dense(j, 2, 1, 2) = -1 - 0.3 * y[0] * y[0] + sin(t) * y[1];
    *zoo_dense(j, 2, 2, 1) = 1 - 0.2 * y[1] * y[1];
    *zoo_dense(j, 2, 2, 2) = -0.4 * y[0] * y[1];
}

static void rotor_t(double t, const double *y, double *f)
{
    f[0] = 0.5 * cos(t) * y[1] * y[1], f[1] = 0;
}

static const double plane[4] = {1, 0, 0, 1};
static const manufactured rotor_made = {2, 6, plane, turning, rotor, rotor_y, rotor_t};
static const zoo_form rotor_form = {.kind = ZOO_MASS,
                                    .as.mass = {.n = 2,
                                                .f = manufactured_f,
                                                .f_y = manufactured_f_y,
                                                .f_t = manufactured_f_t,
                                                .about = {.user = (void *)&rotor_made}}};

const zoo_order zoo_order_rotor = {.name = "rotor",
                                   .index = 0,
                                   .form = &rotor_form,
                                   .t_end = 1.640625,
                                   .round_off = 1e-12,
                                   .fine = 1024,
                                   .least = 1,
                                   .most = 7,
                                   .made = &rotor_made,
                                   .classes = "yy"};
