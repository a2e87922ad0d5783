/* Transistor amplifier: eight node voltages, of which only differences are differentiated. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 8, LOWER = 2, UPPER = 1 };
static const double supply = 6, thermal = 0.026, alpha = 0.99, beta = 1e-6, r0 = 1000, r = 9000;
static const double frequency = 628.3185307179586476925; /* 200 pi */
static const double usual_signal = 0.1, other_signal = 0.15;

static double diode(double u)
{
    return beta * (exp(u / thermal) - 1);
}

static double diode_slope(double u)
{
    return beta / thermal * exp(u / thermal);
}

static int f(double t, const double *y, double *current, void *user)
{
    if ((y[1] - y[2]) / thermal > 300 || (y[4] - y[5]) / thermal > 300) return 1;
    double first = diode(y[1] - y[2]), second = diode(y[4] - y[5]);
    current[0] = (y[0] - *(const double *)user * sin(frequency * t)) / r0;
    current[1] = y[1] / r + (y[1] - supply) / r + (1 - alpha) * first;
    current[2] = y[2] / r - first;
    current[3] = (y[3] - supply) / r + alpha * first;
    current[4] = y[4] / r + (y[4] - supply) / r + (1 - alpha) * second;
    current[5] = y[5] / r - second;
    current[6] = (y[6] - supply) / r + alpha * second;
    current[7] = y[7] / r;
    return 0;
}

static int f_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    static const double conductance[N] = {1 / 1000.0, 2 / 9000.0, 1 / 9000.0, 1 / 9000.0,
                                          2 / 9000.0, 1 / 9000.0, 1 / 9000.0, 1 / 9000.0};
    static const double share[3] = {1 - 0.99, -1, 0.99}; /* of base, emitter, collector */
    for (size_t i = 1; i <= N; i++) *zoo_banded(dy, LOWER, UPPER, i, i) = conductance[i - 1];
    for (size_t base = 2; base <= 5; base += 3) {
        double slope = diode_slope(y[base - 1] - y[base]);
        for (size_t k = 0; k < 3; k++) {
            *zoo_banded(dy, LOWER, UPPER, base + k, base) += share[k] * slope;
            *zoo_banded(dy, LOWER, UPPER, base + k, base + 1) -= share[k] * slope;
        }
    }
    return 0;
}

static int f_t(double t, const double *y, double *dt, void *user)
{
    (void)y;
    for (int i = 0; i < N; i++) dt[i] = 0;
    dt[0] = -*(const double *)user * frequency * cos(frequency * t) / r0;
    return 0;
}

static void start(double *y, double *yp)
{
    static const double y0[] = {0, 3, 3, 6, 3, 3, 6, 0};
    for (int i = 0; i < N; i++) y[i] = y0[i];
    /* what the equations leave open, the sums of y1' and y2', y4' and y5', y7' and y8', is as in
     * the Test Set */
    static const double yp0[] = {51.338775,    51.338775,   -166.66666666666666,
                                 -24.9757667,  -24.9757667, -83.33333333333333,
                                 -10.00564453, -10.00564453};
    for (int i = 0; i < N; i++) yp[i] = yp0[i];
}

/* by columns: above, on and below the diagonal */
static const double mass[] = {0,    -1e-6, 1e-6, 1e-6, -1e-6, 0, 0, -2e-6, 0,    0,    -3e-6, 3e-6,
                              3e-6, -3e-6, 0,    0,    -4e-6, 0, 0, -5e-6, 5e-6, 5e-6, -5e-6, 0};

static const zoo_form form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = N,
                .f = f,
                .f_y = f_y,
                .f_t = f_t,
                .constant_mass = mass,
                .f_pattern = {.layout = DAE_BANDED, .lower = LOWER, .upper = UPPER},
                .mass_pattern = {.layout = DAE_BANDED, .lower = 1, .upper = 1},
                .about = {.name = "transistor amplifier", .user = (void *)&usual_signal}}};

static const double reference[] = {
    -5.56214501226200e-03, 3.006522471903042e+00, 2.849958788608125e+00, 2.926422536206108e+00,
    2.704617865010420e+00, 2.761837778393153e+00, 4.770927631616772e+00, 1.236995868091552e+00};

const zoo_ivp zoo_transistor_amplifier = {.name = "transistor amplifier",
                                          .form = &form,
                                          .start = start,
                                          .t_end = 0.2,
                                          .reference = reference,
                                          .counted = N,
                                          .digits = 12,
                                          .other = &other_signal};
