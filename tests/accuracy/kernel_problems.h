/* Equations F(t, y, y') = 0 of index 1 with exact solutions, of which the kernel of F_y' moves:
 * with time, with y, and with y'; and problems of index 2 of the zoo with z = v', which are of that
 * kind (C. W. Gear, SIAM J. Sci. Stat. Comput. 9 (1988) 39), for high orders. */
#ifndef TESTS_ACCURACY_KERNEL_PROBLEMS_H
#define TESTS_ACCURACY_KERNEL_PROBLEMS_H

#include "zoo/rows.h"
#include "zoo/zoo.h"

#include <math.h>

static void smooth(double t, double *y, double *yp)
{
    y[0] = 2 + sin(t), y[1] = cos(2 * t), y[2] = exp(0.3 * sin(1.5 * t));
    yp[0] = cos(t), yp[1] = -2 * sin(2 * t), yp[2] = 0.45 * cos(1.5 * t) * y[2];
}

/* y and y' less those of the solution, which are left in `at` and `slope`. */
static void differ(double t, const double *y, const double *yp, double *at, double *slope,
                   double *e, double *d)
{
    smooth(t, at, slope);
    for (int k = 0; k < 3; k++) e[k] = y[k] - at[k], d[k] = yp[k] - slope[k];
}

/* The kernel is (-tan t, -cos(0.7 t), 1). */
static int by_time(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double at[3], slope[3], e[3], d[3], c = cos(t), s = sin(t);
    differ(t, y, yp, at, slope, e, d);
    r[0] = c * d[0] + s * d[2] + 0.5 * sin(e[0]) + 0.3 * e[1] * y[0];
    r[1] = d[1] + cos(0.7 * t) * d[2] + e[1] - 0.2 * e[0] * e[0];
    r[2] = c * e[2] - s * e[0] + 0.2 * e[1];
    return 0;
}

static double bent_constraint(const double *y)
{
    return y[2] + 0.3 * y[2] * y[2] - 0.2 * y[0] * y[1];
}

/* The equations are multiplied by a matrix that varies. */
static int by_values(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double at[3], slope[3], e[3], d[3];
    differ(t, y, yp, at, slope, e, d);
    double p = d[0] + (0.5 * y[0] + 0.2 * y[1] * y[1]) * d[2] + 0.5 * sin(e[0]) + 0.3 * e[1] * y[0];
    double q = d[1] + (sin(y[1] + y[2]) + 0.3 * t) * d[2] + e[1] - 0.2 * y[1] * e[0];
    double g = bent_constraint(y) - bent_constraint(at);
    r[0] = (1 + 0.2 * y[0] * y[0]) * p + sin(t + y[1]) * q + 0.4 * y[2] * g;
    r[1] = (1 + 0.3 * sin(y[2])) * q;
    r[2] = (1 + 0.1 * y[1] * y[1]) * g;
    return 0;
}

/* What an equation holds of y3'. */
static double drawn(double slope)
{
    return slope + 0.2 * slope * slope;
}

static int by_slopes(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
    double at[3], slope[3], e[3], d[3];
    differ(t, y, yp, at, slope, e, d);
    r[0] = d[0] + 0.5 * y[0] * (drawn(yp[2]) - drawn(slope[2])) + 0.5 * sin(e[0]);
    r[0] += 0.3 * e[1] * y[0];
    r[1] = d[1] + sin(y[1] + y[2]) * d[2] + e[1];
    r[2] = bent_constraint(y) - bent_constraint(at);
    return 0;
}

/* x' = f(t, x, v'), 0 = g(t, x). */
static int of_index_2(double t, const double *y, const double *yp, double *r, void *user)
{
    const zoo_order *of = user;
    const dae_semi_explicit_form *form = &of->form->as.semi_explicit;
    int status = form->f(t, y, yp + form->nx, r, form->about.user);
    for (size_t k = 0; k < form->nx; k++) r[k] = yp[k] - r[k];
    return status ? status : form->g(t, y, yp + form->nx, r + form->nx, form->about.user);
}

/* v is the integral of z = 1 + sin(t / 2) / 5. */
static void integrated(const zoo_order *of, double t, double *y, double *yp)
{
    zoo_exact(of, t, y, yp);
    yp[3] = y[3];
    y[3] = t - 0.4 * cos(0.5 * t);
}

static void rail_point(double t, double *y, double *yp)
{
    integrated(&zoo_order_rail, t, y, yp);
}

static void uneven_rail_point(double t, double *y, double *yp)
{
    integrated(&zoo_order_uneven_rail, t, y, yp);
}

#define FORM(n_, residual_, user_)             \
    {                                          \
        .kind = ZOO_RESIDUAL, .as.residual = { \
            .n = n_,                           \
            .residual = residual_,             \
            .about.user = (void *)(user_)      \
        }                                      \
    }

static const zoo_form forms[] = {FORM(3, by_time, NULL), FORM(3, by_values, NULL),
                                 FORM(3, by_slopes, NULL), FORM(4, of_index_2, &zoo_order_rail),
                                 FORM(4, of_index_2, &zoo_order_uneven_rail)};

#define SHORT(name_, form_)                                                                     \
    {                                                                                           \
        .name = name_, .index = 1, .form = form_, .t_end = 3, .round_off = 1e-12, .fine = 1024, \
        .least = 1, .most = 8, .exact = smooth, .classes = "yyy"                                \
    }
#define LONG(name_, form_, exact_)                                                                \
    {                                                                                             \
        .name = name_, .index = 1, .form = form_, .t_end = 420, .round_off = 1e-11, .fine = 2560, \
        .least = 7, .most = 13, .exact = exact_, .classes = "yyyy"                                \
    }

static const zoo_order kernel_problems[] = {
    SHORT("by time", &forms[0]), SHORT("by values", &forms[1]), SHORT("by slopes", &forms[2]),
    LONG("rail, z = v'", &forms[3], rail_point),
    LONG("uneven rail, z = v'", &forms[4], uneven_rail_point)};

enum { KERNEL_PROBLEMS = sizeof kernel_problems / sizeof *kernel_problems };

#endif
