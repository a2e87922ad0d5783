/* Van der Pol's oscillator, singularly perturbed: y1' = y2, eps y2' = (1 - y1^2) y2 - y1. */
#include "zoo/entry.h"
#include "zoo/rows.h"

static const double usual_damping = 1, other_damping = 0.6;

static int f(double t, const double *y, double *slope, void *user)
{
    (void)t;
    slope[0] = y[1];
    slope[1] = *(const double *)user * (1 - y[0] * y[0]) * y[1] - y[0];
    return 0;
}

static int f_y(double t, const double *y, double *dy, void *user)
{
    (void)t;
    double damping = *(const double *)user;
    dy[0] = 0, dy[1] = -2 * damping * y[0] * y[1] - 1;
    dy[2] = 1, dy[3] = damping * (1 - y[0] * y[0]);
    return 0;
}

static int steady(double t, const double *y, double *dt, void *user)
{
    (void)t, (void)y, (void)user;
    dt[0] = dt[1] = 0;
    return 0;
}

static void start(double *y, double *yp)
{
    y[0] = 2, y[1] = 0;
    yp[0] = 0, yp[1] = -2e6;
}

static const double mass[] = {1, 1e-6};

static const zoo_form form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = 2,
                .f = f,
                .f_y = f_y,
                .f_t = steady,
                .constant_mass = mass,
                .mass_pattern = {.layout = DAE_BANDED},
                .about = {.name = "van der Pol", .user = (void *)&usual_damping}}};

static const double reference[] = {0.1706167732170483e1, -0.8928097010247975};

const zoo_ivp zoo_van_der_pol = {.name = "van der Pol",
                                 .form = &form,
                                 .start = start,
                                 .t_end = 2,
                                 .reference = reference,
                                 .counted = 2,
                                 .digits = 12,
                                 .other = &other_damping};
