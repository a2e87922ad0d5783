/* Chemical Akzo Nobel: six concentrations, one of them in equilibrium. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 6 };
static const double k1 = 18.7, k2 = 0.58, k3 = 0.09, k4 = 0.42, equilibrium = 34.4, ks = 115.83,
                    pressure = 0.9, henry = 737;
static const double usual_kla = 3.3, other_kla = 6;

static int f(double t, const double *y, const double *z, double *slope, void *user)
{
    (void)t;
    if (y[1] < 0) return 1;
    double kla = *(const double *)user;
    double root = sqrt(y[1]), square = y[0] * y[0];
    double r1 = k1 * square * square * root, r2 = k2 * y[2] * y[3];
    double r3 = k2 / equilibrium * y[0] * y[4], r4 = k3 * y[0] * y[3] * y[3];
    double r5 = k4 * z[0] * z[0] * root, in = kla * (pressure / henry - y[1]);
    slope[0] = -2 * r1 + r2 - r3 - r4;
    slope[1] = -0.5 * r1 - r4 - 0.5 * r5 + in;
    slope[2] = r1 - r2 + r3;
    slope[3] = -r2 + r3 - 2 * r4;
    slope[4] = r2 - r3 + r5;
    return 0;
}

static int g(double t, const double *y, const double *z, double *value, void *user)
{
    (void)t, (void)user;
    value[0] = ks * y[0] * y[3] - z[0];
    return 0;
}

/* The rates by the unknowns, each as it enters the equations. */
static void add_rate(double *j, size_t unknown, double slope, const double *share)
{
    for (size_t i = 1; i < N; i++) *zoo_dense(j, N, i, unknown) += share[i - 1] * slope;
}

static int jacobian(double t, const double *y, const double *z, double *j, void *user)
{
    (void)t;
    static const double in_r1[] = {-2, -0.5, 1, 0, 0}, in_r2[] = {1, 0, -1, -1, 1};
    static const double in_r3[] = {-1, 0, 1, 1, -1}, in_r4[] = {-1, -1, 0, -2, 0};
    static const double in_r5[] = {0, -0.5, 0, 0, 1};
    if (y[1] <= 0) return 1;
    double root = sqrt(y[1]), cube = y[0] * y[0] * y[0];
    add_rate(j, 1, 4 * k1 * cube * root, in_r1);
    add_rate(j, 2, 0.5 * k1 * cube * y[0] / root, in_r1);
    add_rate(j, 3, k2 * y[3], in_r2);
    add_rate(j, 4, k2 * y[2], in_r2);
    add_rate(j, 1, k2 / equilibrium * y[4], in_r3);
    add_rate(j, 5, k2 / equilibrium * y[0], in_r3);
    add_rate(j, 1, k3 * y[3] * y[3], in_r4);
    add_rate(j, 4, 2 * k3 * y[0] * y[3], in_r4);
    add_rate(j, 2, 0.5 * k4 * z[0] * z[0] / root, in_r5);
    add_rate(j, 6, 2 * k4 * z[0] * root, in_r5);
    *zoo_dense(j, N, 2, 2) -= *(const double *)user;
    *zoo_dense(j, N, 6, 1) = ks * y[3];
    *zoo_dense(j, N, 6, 4) = ks * y[0];
    *zoo_dense(j, N, 6, 6) = -1;
    return 0;
}

static int steady(double t, const double *x, const double *z, double *dt, void *user)
{
    (void)t, (void)x, (void)z, (void)user;
    for (int i = 0; i < N; i++) dt[i] = 0;
    return 0;
}

static void start(double *y, double *yp)
{
    static const double y0[] = {0.444, 0.00123, 0, 0.007, 0};
    for (int i = 0; i < 5; i++) y[i] = y0[i];
    y[5] = ks * y[0] * y[3];
    (void)f(0, y, y + 5, yp, (void *)&usual_kla);
    yp[5] = ks * (yp[0] * y[3] + y[0] * yp[3]);
}

static const zoo_form form = {
    .kind = ZOO_SEMI_EXPLICIT,
    .as.semi_explicit = {.nx = 5,
                         .nz = 1,
                         .f = f,
                         .g = g,
                         .jacobian = jacobian,
                         .time_derivative = steady,
                         .about = {.name = "chemical Akzo Nobel", .user = (void *)&usual_kla}}};

static const double reference[] = {1.150794920661702e-01, 1.203831471567705e-03,
                                   1.611562887407974e-01, 3.656156421249288e-04,
                                   1.708010885264404e-02, 4.873531310307461e-03};

const zoo_ivp zoo_chemical_akzo_nobel = {.name = "chemical Akzo Nobel",
                                         .form = &form,
                                         .start = start,
                                         .t_end = 180,
                                         .reference = reference,
                                         .counted = N,
                                         .digits = 13,
                                         .other = &other_kla};
