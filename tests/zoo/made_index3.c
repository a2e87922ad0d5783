/* Problems of index 3 in Hessenberg form made for a solution. */
#include "zoo/manufactured.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 5 };
static const unsigned char index[N] = {1, 1, 2, 2, 3};
static const double mass[N * N] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1,
                                   0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
static void guided(double s, double *y, double *yp, double *ypp)
{
    y[0] = 0.6 + 0.3 * sin(2 * s), y[1] = 0.5 * cos(2 * s), y[2] = cos(3 * s), y[3] = sin(2 * s);
    y[4] = 0.5 + 0.4 * sin(2 * s);
    yp[0] = 0.6 * cos(2 * s), yp[1] = -sin(2 * s), yp[2] = -3 * sin(3 * s);
    yp[3] = 2 * cos(2 * s), yp[4] = 0.8 * cos(2 * s);
    ypp[0] = -1.2 * sin(2 * s), ypp[1] = -2 * cos(2 * s), ypp[2] = -9 * cos(3 * s);
    ypp[3] = -4 * sin(2 * s), ypp[4] = -1.6 * sin(2 * s);
}

/* Nonlinear in velocities, and by `cubic` in the multiplier. */
static void guide(double cubic, double t, const double *y, double *f)
{
    double u = y[4];
    f[0] = y[2] + 0.1 * y[1] * y[2] * y[2];
    f[1] = y[3] + 0.2 * y[0] * sin(y[2]);
    f[2] = -y[0] * y[3] + (1 + 0.2 * y[1] * y[1]) * (u + cubic * u * u * u);
    f[3] = y[0] * y[1] + 0.3 * y[2] * y[2] * cos(t) + 0.5 * y[0] * u;
    f[4] = y[0] * (1 + 0.2 * sin(t)) + 0.3 * y[0] * y[0] + 0.2 * y[1] * y[1];
}

static void guide_y(double cubic, double t, const double *y, double *j)
{
    double u = y[4];
    *zoo_dense(j, N, 1, 2) = 0.1 * y[2] * y[2];
    *zoo_dense(j, N, 1, 3) = 1 + 0.2 * y[1] * y[2];
    *zoo_dense(j, N, 2, 1) = 0.2 * sin(y[2]);
    *zoo_dense(j, N, 2, 3) = 0.2 * y[0] * cos(y[2]);
    *zoo_dense(j, N, 2, 4) = 1;
    *zoo_dense(j, N, 3, 1) = -y[3];
    *zoo_dense(j, N, 3, 2) = 0.4 * y[1] * (u + cubic * u * u * u);
    *zoo_dense(j, N, 3, 4) = -y[0];
    *zoo_dense(j, N, 3, 5) = (1 + 0.2 * y[1] * y[1]) * (1 + 3 * cubic * u * u);
    *zoo_dense(j, N, 4, 1) = y[1] + 0.5 * u;
    *zoo_dense(j, N, 4, 2) = y[0];
    *zoo_dense(j, N, 4, 3) = 0.6 * y[2] * cos(t);
    *zoo_dense(j, N, 4, 5) = 0.5 * y[0];
    *zoo_dense(j, N, 5, 1) = 1 + 0.2 * sin(t) + 0.6 * y[0];
    *zoo_dense(j, N, 5, 2) = 0.4 * y[1];
}

static void guide_t(double t, const double *y, double *f)
{
    f[0] = f[1] = f[2] = 0;
    f[3] = -0.3 * y[2] * y[2] * sin(t);
    f[4] = 0.2 * y[0] * cos(t);
}

static void guided_phi(double t, const double *y, double *f)
{
    guide(0, t, y, f);
}

static void guided_phi_y(double t, const double *y, double *j)
{
    guide_y(0, t, y, j);
}

static void strained_phi(double t, const double *y, double *f)
{
    guide(0.2, t, y, f);
}

static void strained_phi_y(double t, const double *y, double *j)
{
    guide_y(0.2, t, y, j);
}

static const manufactured guided_made = {N, 0.3, mass, guided, guided_phi, guided_phi_y, guide_t};
static const zoo_form guided_form = MANUFACTURED_MASS(N, mass, index, guided_made);

const zoo_order zoo_order_guided = {.name = "guided",
                                    .index = 3,
                                    .form = &guided_form,
                                    .t_end = 1.640625,
                                    .round_off = 1e-12,
                                    .fine = 256,
                                    .least = 1,
                                    .most = 7,
                                    .made = &guided_made,
                                    .classes = "yyzzu"};

static const manufactured guided_fast_made = {N,      3, mass, guided, guided_phi, guided_phi_y,
                                              guide_t};
static const zoo_form guided_fast_form = MANUFACTURED_MASS(N, mass, index, guided_fast_made);

const zoo_order zoo_order_guided_fast = {.name = "guided fast",
                                         .index = 3,
                                         .form = &guided_fast_form,
                                         .t_end = 1.640625,
                                         .round_off = 1e-12,
                                         .fine = 1024,
                                         .least = 1,
                                         .most = 7,
                                         .made = &guided_fast_made,
                                         .classes = "yyzzu"};

static const manufactured strained_made = {N,      0.5, mass, guided, strained_phi, strained_phi_y,
                                           guide_t};
static const zoo_form strained_form = MANUFACTURED_MASS(N, mass, index, strained_made);

const zoo_order zoo_order_strained = {.name = "strained",
                                      .index = 3,
                                      .form = &strained_form,
                                      .t_end = 1.640625,
                                      .round_off = 1e-12,
                                      .fine = 256,
                                      .least = 1,
                                      .most = 7,
                                      .made = &strained_made,
                                      .classes = "yyzzu",
                                      .squared = true};

static const manufactured strained_fast_made = {
    N, 3, mass, guided, strained_phi, strained_phi_y, guide_t};
static const zoo_form strained_fast_form = MANUFACTURED_MASS(N, mass, index, strained_fast_made);

const zoo_order zoo_order_strained_fast = {.name = "strained fast",
                                           .index = 3,
                                           .form = &strained_fast_form,
                                           .t_end = 1.640625,
                                           .round_off = 1e-12,
                                           .fine = 1024,
                                           .least = 1,
                                           .most = 7,
                                           .made = &strained_fast_made,
                                           .classes = "yyzzu",
                                           .squared = true};

static void pulling(double s, double *y, double *yp, double *ypp)
{
    y[0] = 0.5 * sin(s), y[1] = 0.5 * cos(s), y[2] = 0.8 * cos(s), y[3] = -0.6 * sin(s);
    y[4] = 0.6 + 0.4 * cos(2 * s);
    yp[0] = 0.5 * cos(s), yp[1] = -0.5 * sin(s), yp[2] = -0.8 * sin(s), yp[3] = -0.6 * cos(s);
    yp[4] = -0.8 * sin(2 * s);
    ypp[0] = -0.5 * sin(s), ypp[1] = -0.5 * cos(s), ypp[2] = -0.8 * cos(s);
    ypp[3] = 0.6 * sin(s), ypp[4] = -1.6 * cos(2 * s);
}

static void towed(double t, const double *y, double *f)
{
    f[0] = y[2] + 0.1 * y[2] * y[3];
    f[1] = y[3] - 0.1 * y[2] * y[2] + 0.2 * y[0];
    f[2] = y[1] * y[2] - 0.5 * y[3] + (1.5 + 0.3 * y[0] * y[0]) * y[4];
    f[3] = -y[0] + 0.2 * y[3] * y[3] * sin(t) + 0.4 * y[4];
    f[4] = y[0] + 0.3 * y[1] + 0.2 * y[0] * y[1] + 0.1 * sin(t) * y[1] * y[1];
}

static void towed_y(double t, const double *y, double *j)
{
    *zoo_dense(j, N, 1, 3) = 1 + 0.1 * y[3];
    *zoo_dense(j, N, 1, 4) = 0.1 * y[2];
    *zoo_dense(j, N, 2, 1) = 0.2;
    *zoo_dense(j, N, 2, 3) = -0.2 * y[2];
    *zoo_dense(j, N, 2, 4) = 1;
    *zoo_dense(j, N, 3, 1) = 0.6 * y[0] * y[4];
    *zoo_dense(j, N, 3, 2) = y[2];
    *zoo_dense(j, N, 3, 3) = y[1];
    *zoo_dense(j, N, 3, 4) = -0.5;
    *zoo_dense(j, N, 3, 5) = 1.5 + 0.3 * y[0] * y[0];
    *zoo_dense(j, N, 4, 1) = -1;
    *zoo_dense(j, N, 4, 4) = 0.4 * y[3] * sin(t);
    *zoo_dense(j, N, 4, 5) = 0.4;
    *zoo_dense(j, N, 5, 1) = 1 + 0.2 * y[1];
    *zoo_dense(j, N, 5, 2) = 0.3 + 0.2 * y[0] + 0.2 * sin(t) * y[1];
}

static void towed_t(double t, const double *y, double *f)
{
    f[0] = f[1] = f[2] = 0;
    f[3] = 0.2 * y[3] * y[3] * cos(t), f[4] = 0.1 * cos(t) * y[1] * y[1];
}

static const manufactured towed_made = {N, 5, mass, pulling, towed, towed_y, towed_t};
static const zoo_form towed_form = {
    .kind = ZOO_RESIDUAL,
    .as.residual = {.n = N,
                    .residual = manufactured_residual,
                    .jacobian = manufactured_jacobian,
                    .time_derivative = manufactured_slope,
                    .about = {.index = index, .user = (void *)&towed_made}}};

const zoo_order zoo_order_towed = {.name = "towed",
                                   .index = 3,
                                   .form = &towed_form,
                                   .t_end = 1.640625,
                                   .round_off = 1e-12,
                                   .fine = 1024,
                                   .least = 1,
                                   .most = 7,
                                   .made = &towed_made,
                                   .classes = "yyzzu"};
