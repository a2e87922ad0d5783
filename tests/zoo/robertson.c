/* Robertson's reactions, the sum of concentrations in the place of the third equation. */
#include "zoo/entry.h"
#include "zoo/rows.h"

static const double usual_rate = 3e7, other_rate = 1e8;

static int f(double t, const double *x, const double *z, double *slope, void *user)
{
    (void)t;
    slope[0] = -0.04 * x[0] + 1e4 * x[1] * z[0];
    slope[1] = 0.04 * x[0] - 1e4 * x[1] * z[0] - *(const double *)user * x[1] * x[1];
    return 0;
}

static int g(double t, const double *x, const double *z, double *value, void *user)
{
    (void)t, (void)user;
    value[0] = x[0] + x[1] + z[0] - 1;
    return 0;
}

static int jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)t;
    double rate = *(const double *)user;
    const double entries[9] = {
        -0.04, 0.04, 1, 1e4 * z[0], -1e4 * z[0] - 2 * rate * x[1], 1, 1e4 * x[1], -1e4 * x[1], 1};
    for (int k = 0; k < 9; k++) j[k] = entries[k];
    return 0;
}

static int steady(double t, const double *x, const double *z, double *dt, void *user)
{
    (void)t, (void)x, (void)z, (void)user;
    dt[0] = dt[1] = dt[2] = 0;
    return 0;
}

static void start(double *y, double *yp)
{
    y[0] = 1, y[1] = y[2] = 0;
    yp[0] = -0.04, yp[1] = 0.04, yp[2] = 0;
}

static const zoo_form form = {
    .kind = ZOO_SEMI_EXPLICIT,
    .as.semi_explicit = {.nx = 2,
                         .nz = 1,
                         .f = f,
                         .g = g,
                         .jacobian = jacobian,
                         .time_derivative = steady,
                         .about = {.name = "Robertson", .user = (void *)&usual_rate}}};

static const double weight[] = {1e-4, 1e-4, 1e-4};
static const double reference[] = {2.083340149701248e-08, 8.333360770334600e-14,
                                   9.999999791665151e-01};

const zoo_ivp zoo_robertson = {.name = "Robertson",
                               .form = &form,
                               .start = start,
                               .t_end = 1e11,
                               .weight = weight,
                               .reference = reference,
                               .counted = 3,
                               .digits = 12,
                               .other = &other_rate};
