/* Ordinary differential equations with exact solutions. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

/* y = (exp s, exp 5s, 1 + s, cos t^2), s = sin t^2. */
static int growing(double t, const double *y, double *f, void *user)
{
    (void)user;
    if (y[0] <= 0 || y[1] <= 0) return 1;
    f[0] = 2 * t * pow(y[1], 0.2) * y[3];
    f[1] = 10 * t * exp(5 * (y[2] - 1)) * y[3];
    f[2] = 2 * t * y[3];
    f[3] = -2 * t * log(y[0]);
    return 0;
}

static int growing_y(double t, const double *y, double *dy, void *user)
{
    (void)user;
    double power = exp(5 * (y[2] - 1));
    *zoo_dense(dy, 4, 1, 2) = 0.4 * t * pow(y[1], -0.8) * y[3];
    *zoo_dense(dy, 4, 1, 4) = 2 * t * pow(y[1], 0.2);
    *zoo_dense(dy, 4, 2, 3) = 50 * t * power * y[3];
    *zoo_dense(dy, 4, 2, 4) = 10 * t * power;
    *zoo_dense(dy, 4, 3, 4) = 2 * t;
    *zoo_dense(dy, 4, 4, 1) = -2 * t / y[0];
    return 0;
}

static int growing_t(double t, const double *y, double *dt, void *user)
{
    (void)t;
    return growing(1, y, dt, user);
}

static void growing_exact(double t, double *y, double *yp)
{
    double s = sin(t * t), slope = 2 * t * cos(t * t);
    y[0] = exp(s), y[1] = exp(5 * s), y[2] = 1 + s, y[3] = cos(t * t);
    yp[0] = slope * y[0], yp[1] = 5 * slope * y[1], yp[2] = slope, yp[3] = -2 * t * s;
}

static const zoo_form growing_form = {
    .kind = ZOO_MASS, .as.mass = {.n = 4, .f = growing, .f_y = growing_y, .f_t = growing_t}};

const zoo_order zoo_order_growing = {.name = "growing",
                                     .form = &growing_form,
                                     .t_end = 1.23046875,
                                     .round_off = 1e-12,
                                     .fine = 256,
                                     .least = 1,
                                     .most = 7,
                                     .exact = growing_exact,
                                     .classes = "yyyy"};

/* M(t, y) y' = f(t, y) with y = (sin 2t, cos t), f = M(t, y_e) y_e' + what vanishes at y_e. */
static int heavy_mass(double t, const double *y, double *m, void *user)
{
    (void)user;
    m[0] = 2 + sin(y[1]), m[1] = 0.2 * t;
    m[2] = 0.3 * y[0], m[3] = 1 + y[0] * y[0];
    return 0;
}

static void heavy_exact(double t, double *y, double *yp)
{
    y[0] = sin(2 * t), y[1] = cos(t);
    yp[0] = 2 * cos(2 * t), yp[1] = -sin(t);
}

static void heavy_force(const double *y, double *force)
{
    force[0] = -y[0] * y[0] * y[0] + y[1] * y[1];
    force[1] = -y[0] * y[1] - y[1];
}

static int heavy_f(double t, const double *y, double *f, void *user)
{
    double e[2], ep[2], m[4], there[2];
    heavy_exact(t, e, ep);
    (void)heavy_mass(t, e, m, user);
    heavy_force(e, there);
    heavy_force(y, f);
    for (int i = 0; i < 2; i++) f[i] += m[i] * ep[0] + m[2 + i] * ep[1] - there[i];
    return 0;
}

static int heavy_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    dy[0] = -3 * y[0] * y[0], dy[1] = -y[1];
    dy[2] = 2 * y[1], dy[3] = -y[0] - 1;
    return 0;
}

static int heavy_t(double t, const double *y, double *dt, void *user)
{
    (void)y;
    double e[2], ep[2], m[4], by[4];
    heavy_exact(t, e, ep);
    (void)heavy_mass(t, e, m, user);
    (void)heavy_y(t, e, by, user);
    double epp[2] = {-4 * e[0], -e[1]};
    dt[0] = cos(e[1]) * ep[1] * ep[0] + 0.3 * ep[0] * ep[1];
    dt[1] = 0.2 * ep[0] + 2 * e[0] * ep[0] * ep[1];
    for (int i = 0; i < 2; i++)
        dt[i] += m[i] * epp[0] + m[2 + i] * epp[1] - by[i] * ep[0] - by[2 + i] * ep[1];
    return 0;
}

static const zoo_form heavy_form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = 2, .f = heavy_f, .f_y = heavy_y, .f_t = heavy_t, .mass = heavy_mass}};

const zoo_order zoo_order_heavy = {.name = "heavy",
                                   .form = &heavy_form,
                                   .t_end = 1.640625,
                                   .round_off = 1e-12,
                                   .fine = 256,
                                   .least = 1,
                                   .most = 7,
                                   .exact = heavy_exact,
                                   .classes = "yy"};
