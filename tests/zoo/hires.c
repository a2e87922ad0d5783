/* HIRES: high irradiance responses of photomorphogenesis, a stiff ODE. */
#include "zoo/entry.h"
#include "zoo/rows.h"

enum { N = 8 };

static const double usual_source = 0.0007, other_source = 0.002;

static int f(double t, const double *y, double *slope, void *user)
{
    (void)t;
    double reaction = 280 * y[5] * y[7];
    slope[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + *(const double *)user;
    slope[1] = 1.71 * y[0] - 8.75 * y[1];
    slope[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    slope[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    slope[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    slope[5] = -reaction + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    slope[6] = reaction - 1.81 * y[6];
    slope[7] = -slope[6];
    return 0;
}

static int f_y(double t, const double *y, double *dy, void *user)
{
    (void)t, (void)user;
    static const struct {
        unsigned char i, j;
        double value;
    } constant[] = {{1, 1, -1.71},  {1, 2, 0.43},   {1, 3, 8.32},  {2, 1, 1.71},  {2, 2, -8.75},
                    {3, 3, -10.03}, {3, 4, 0.43},   {3, 5, 0.035}, {4, 2, 8.32},  {4, 3, 1.71},
                    {4, 4, -1.12},  {5, 5, -1.745}, {5, 6, 0.43},  {5, 7, 0.43},  {6, 4, 0.69},
                    {6, 5, 1.71},   {6, 6, -0.43},  {6, 7, 0.69},  {7, 7, -1.81}, {8, 7, 1.81}};
    for (size_t k = 0; k < sizeof constant / sizeof *constant; k++)
        *zoo_dense(dy, N, constant[k].i, constant[k].j) = constant[k].value;
    for (size_t i = 6; i <= 8; i++) {
        double sign = i == 7 ? 1 : -1;
        *zoo_dense(dy, N, i, 6) += sign * 280 * y[7];
        *zoo_dense(dy, N, i, 8) += sign * 280 * y[5];
    }
    return 0;
}

static int steady(double t, const double *y, double *dt, void *user)
{
    (void)t, (void)y, (void)user;
    for (int i = 0; i < N; i++) dt[i] = 0;
    return 0;
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < N; i++) y[i] = 0;
    y[0] = 1, y[7] = 0.0057;
    (void)f(0, y, yp, (void *)&usual_source);
}

static const zoo_form form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = N,
                .f = f,
                .f_y = f_y,
                .f_t = steady,
                .about = {.name = "HIRES", .user = (void *)&usual_source}}};

static const double reference[] = {
    0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
    0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2};

const zoo_ivp zoo_hires = {.name = "HIRES",
                           .form = &form,
                           .start = start,
                           .t_end = 321.8122,
                           .reference = reference,
                           .counted = N,
                           .digits = 12,
                           .other = &other_source};
