/* Ring modulator: a low and a high frequency mixed by four diodes, a stiff and oscillating ODE. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 15 };
static const double scale = 40.67286402e-9, steepness = 17.7493332;
static const double slow = 6283.185307179586476925, fast = 62831.85307179586476925; /* 2e3 pi, .. */
static const double r = 25000, rp = 50, rg1 = 36.3, rg2 = 17.3, ri = 50, rc = 600;

/* Diode d carries the current of the voltage sum sign[d][k] y[at[d][k]] +- Uin2, and enters the
 * equations 3 to 7 with the sign `into`. */
static const signed char sign[4][3] = {{1, -1, -1}, {-1, 1, -1}, {1, 1, 1}, {-1, -1, 1}};
static const unsigned char at[4][3] = {{3, 5, 7}, {4, 6, 7}, {4, 5, 7}, {3, 6, 7}};
static const signed char source[4] = {-1, -1, 1, 1};
static const signed char into[4][5] = {
    {-1, 0, 1, 0, 1}, {0, 1, 0, -1, 1}, {0, -1, -1, 0, -1}, {1, 0, 0, 1, -1}};

static double voltage(double t, const double *y, int d)
{
    double u = source[d] * 2 * sin(fast * t);
    for (int k = 0; k < 3; k++) u += sign[d][k] * y[at[d][k] - 1];
    return u;
}

/* of Uin1, V */
static const double usual_signal = 0.5, other_signal = 0.8;

static int f(double t, const double *y, double *s, void *user)
{
    s[0] = y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / r;
    s[1] = y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / r;
    s[2] = y[9], s[3] = -y[10], s[4] = y[11], s[5] = -y[12], s[6] = -y[6] / rp;
    for (int d = 0; d < 4; d++) {
        double u = voltage(t, y, d);
        if (steepness * u > 300) return 1;
        double current = scale * (exp(steepness * u) - 1);
        for (int k = 0; k < 5; k++) s[2 + k] += into[d][k] * current;
    }
    s[7] = -y[0];
    s[8] = -y[1];
    s[9] = 0.5 * y[0] - y[2] - rg2 * y[9];
    s[10] = -0.5 * y[0] + y[3] - rg2 * y[10];
    s[11] = 0.5 * y[1] - y[4] - rg2 * y[11];
    s[12] = -0.5 * y[1] + y[5] - rg2 * y[12];
    s[13] = -y[0] + *(const double *)user * sin(slow * t) - (ri + rg1) * y[13];
    s[14] = -y[1] - (rc + rg1) * y[14];
    return 0;
}

static double conductance(double t, const double *y, int d)
{
    return scale * steepness * exp(steepness * voltage(t, y, d));
}

static int f_y(double t, const double *y, double *dy, void *user)
{
    (void)user;
    static const struct {
        unsigned char i, j;
        double value;
    } constant[] = {
        {1, 1, -1 / 25000.0}, {1, 8, 1},     {1, 10, -0.5},   {1, 11, 0.5},    {1, 14, 1},
        {2, 2, -1 / 25000.0}, {2, 9, 1},     {2, 12, -0.5},   {2, 13, 0.5},    {2, 15, 1},
        {3, 10, 1},           {4, 11, -1},   {5, 12, 1},      {6, 13, -1},     {7, 7, -1 / 50.0},
        {8, 1, -1},           {9, 2, -1},    {10, 1, 0.5},    {10, 3, -1},     {10, 10, -17.3},
        {11, 1, -0.5},        {11, 4, 1},    {11, 11, -17.3}, {12, 2, 0.5},    {12, 5, -1},
        {12, 12, -17.3},      {13, 2, -0.5}, {13, 6, 1},      {13, 13, -17.3}, {14, 1, -1},
        {14, 14, -86.3},      {15, 2, -1},   {15, 15, -636.3}};
    for (size_t k = 0; k < sizeof constant / sizeof *constant; k++)
        *zoo_dense(dy, N, constant[k].i, constant[k].j) = constant[k].value;
    for (int d = 0; d < 4; d++) {
        double slope = conductance(t, y, d);
        for (size_t i = 0; i < 5; i++)
            for (int k = 0; k < 3; k++)
                *zoo_dense(dy, N, 3 + i, at[d][k]) += into[d][i] * sign[d][k] * slope;
    }
    return 0;
}

static int f_t(double t, const double *y, double *dt, void *user)
{
    for (int i = 0; i < N; i++) dt[i] = 0;
    for (int d = 0; d < 4; d++) {
        double slope = conductance(t, y, d) * source[d] * 2 * fast * cos(fast * t);
        for (int k = 0; k < 5; k++) dt[2 + k] += into[d][k] * slope;
    }
    dt[13] = *(const double *)user * slow * cos(slow * t);
    return 0;
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < N; i++) y[i] = yp[i] = 0;
}

static const double mass[N] = {1.6e-8, 1.6e-8, 2e-12, 2e-12, 2e-12, 2e-12, 1e-8, 4.45,
                               4.45,   5e-4,   5e-4,  5e-4,  5e-4,  2e-3,  2e-3};

static const zoo_form form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = N,
                .f = f,
                .f_y = f_y,
                .f_t = f_t,
                .constant_mass = mass,
                .mass_pattern = {.layout = DAE_BANDED},
                .about = {.name = "ring modulator", .user = (void *)&usual_signal}}};

static const double reference[] = {
    -0.2339057358486745e-1, -0.7367485485540825e-2, 0.2582956709291169,    -0.4064465721283450,
    -0.4039455665149794,    0.2607966765422943,     0.1106761861269975,    0.2939904342435596e-6,
    -0.2840029933642329e-7, 0.7267198267264553e-3,  0.7929487196960840e-3, -0.7255283495698965e-3,
    -0.7941401968526521e-3, 0.7088495416977114e-4,  0.2390059075236570e-4};

const zoo_ivp zoo_ring_modulator = {.name = "ring modulator",
                                    .form = &form,
                                    .start = start,
                                    .t_end = 1e-3,
                                    .reference = reference,
                                    .counted = N,
                                    .mixed = true,
                                    .digits = 9,
                                    .other = &other_signal};
