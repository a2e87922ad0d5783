/* Many turns of a wheel, slow and fast by turns: its angle errs by a little in each step, and the
 * sum stands out from round-off while steps are short, so that high orders show. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

/* The angle is turn * t + swing * sin(beat * t). */
typedef struct pace {
    double turn, swing, beat;
} pace;

static const pace steady = {1.5, 0.5, 0.7}, uneven = {1.3, -0.3, 0.8};

/* The angle and three derivatives. */
static void turns(const pace *p, double t, double *a)
{
    double s = p->swing * sin(p->beat * t), c = p->swing * cos(p->beat * t), b = p->beat;
    a[0] = p->turn * t + s, a[1] = p->turn + b * c, a[2] = -b * b * s, a[3] = -b * b * b * c;
}

static void point(const pace *p, double t, double *y, double *yp)
{
    double a[4];
    turns(p, t, a);
    y[0] = cos(a[0]), y[1] = sin(a[0]);
    yp[0] = -a[1] * y[1], yp[1] = a[1] * y[0];
}

/* Of what is at a point for a pace: the functions of time alone. */
#define AT_BOTH_PACES(point_)                                    \
    static void steady_##point_(double t, double *y, double *yp) \
    {                                                            \
        point_(&steady, t, y, yp);                               \
    }                                                            \
    static void uneven_##point_(double t, double *y, double *yp) \
    {                                                            \
        point_(&uneven, t, y, yp);                               \
    }
AT_BOTH_PACES(point)

/* The rate of turning, larger for a larger wheel, with its slopes by y. */
static double haste(const pace *p, double t, const double *y, double *slope)
{
    double a[4], square = y[0] * y[0] + y[1] * y[1];
    turns(p, t, a);
    for (int k = 0; k < 2; k++) slope[k] = 0.1 * a[1] * square * y[k];
    return a[1] * (0.975 + 0.025 * square * square);
}

/* --- index 0 --- */

static int wheel_f(double t, const double *y, double *f, void *user)
{
    double slope[2], w = haste(user, t, y, slope);
    f[0] = -w * y[1], f[1] = w * y[0];
    return 0;
}

static int wheel_y(double t, const double *y, double *j, void *user)
{
    double s[2], w = haste(user, t, y, s);
    *zoo_dense(j, 2, 1, 1) = -s[0] * y[1];
    *zoo_dense(j, 2, 1, 2) = -w - s[1] * y[1];
    *zoo_dense(j, 2, 2, 1) = w + s[0] * y[0];
    *zoo_dense(j, 2, 2, 2) = s[1] * y[0];
    return 0;
}

static int wheel_t(double t, const double *y, double *dt, void *user)
{
    double a[4];
    turns(user, t, a);
    (void)wheel_f(t, y, dt, user);
    dt[0] *= a[2] / a[1], dt[1] *= a[2] / a[1];
    return 0;
}

#define WHEEL(pace_)                      \
    {                                     \
        .kind = ZOO_MASS, .as.mass = {    \
            .n = 2,                       \
            .f = wheel_f,                 \
            .f_y = wheel_y,               \
            .f_t = wheel_t,               \
            .about.user = (void *)(pace_) \
        }                                 \
    }

static const zoo_form wheel = WHEEL(&steady), uneven_wheel = WHEEL(&uneven);

/* --- index 1: z + z^3 / 20 = p + p^3 / 20 with p = y1 + sin(t) y2 / 5 --- */

static double pulled(double t, const double *y)
{
    return y[0] + 0.2 * sin(t) * y[1];
}

static int belt_f(double t, const double *y, const double *z, double *f, void *user)
{
    double slope[2], w = haste(user, t, y, slope), p = pulled(t, y);
    f[0] = -w * y[1];
    f[1] = w * (y[0] + z[0] - p + 0.03 * (z[0] * z[0] - p * p));
    return 0;
}

static int belt_g(double t, const double *y, const double *z, double *g, void *user)
{
    (void)user;
    double p = pulled(t, y);
    g[0] = z[0] + 0.05 * z[0] * z[0] * z[0] - p - 0.05 * p * p * p;
    return 0;
}

static int belt_jacobian(double t, const double *y, const double *z, double *j, void *user)
{
    double s[2], w = haste(user, t, y, s), p = pulled(t, y), by[2] = {1, 0.2 * sin(t)};
    double drive = y[0] + z[0] - p + 0.03 * (z[0] * z[0] - p * p);
    for (size_t k = 0; k < 2; k++) {
        *zoo_dense(j, 3, 1, k + 1) = -s[k] * y[1] - (k == 1 ? w : 0);
        *zoo_dense(j, 3, 2, k + 1) = s[k] * drive +
                                     w * ((k == 0 ? 1 : 0) - by[k] - 0.06 * p * by[k]);
        *zoo_dense(j, 3, 3, k + 1) = -(1 + 0.15 * p * p) * by[k];
    }
    *zoo_dense(j, 3, 2, 3) = w * (1 + 0.06 * z[0]);
    *zoo_dense(j, 3, 3, 3) = 1 + 0.15 * z[0] * z[0];
    return 0;
}

static int belt_t(double t, const double *y, const double *z, double *dt, void *user)
{
    double a[4], slope[2], w = haste(user, t, y, slope), p = pulled(t, y);
    double moved = 0.2 * cos(t) * y[1];
    turns(user, t, a);
    (void)belt_f(t, y, z, dt, user);
    dt[0] *= a[2] / a[1];
    dt[1] = dt[1] * a[2] / a[1] - w * (1 + 0.06 * p) * moved;
    dt[2] = -(1 + 0.15 * p * p) * moved;
    return 0;
}

static void belt_point(const pace *p, double t, double *y, double *yp)
{
    point(p, t, y, yp);
    y[2] = pulled(t, y);
    yp[2] = yp[0] + 0.2 * sin(t) * yp[1] + 0.2 * cos(t) * y[1];
}

AT_BOTH_PACES(belt_point)

#define BELT(pace_)                                      \
    {                                                    \
        .kind = ZOO_SEMI_EXPLICIT, .as.semi_explicit = { \
            .nx = 2,                                     \
            .nz = 1,                                     \
            .f = belt_f,                                 \
            .g = belt_g,                                 \
            .jacobian = belt_jacobian,                   \
            .time_derivative = belt_t,                   \
            .about.user = (void *)(pace_)                \
        }                                                \
    }

static const zoo_form belt = BELT(&steady), uneven_belt = BELT(&uneven);

/* --- index 2 and 3: a guided point p(t) = sin(0.6 t) / 2 beside the wheel, whose rate errs with
 * the variable of index 2 --- */

static const unsigned char rail_index[] = {1, 1, 1, 2}, track_index[] = {1, 1, 1, 2, 3};

/* p and two derivatives. */
static void guide(double t, double *p)
{
    p[0] = 0.5 * sin(0.6 * t), p[1] = 0.3 * cos(0.6 * t), p[2] = -0.18 * sin(0.6 * t);
}

/* 0 = p + p^2 / 20 + |r|^2 / 10 + r1 / 100 - the same at the exact solution, of x = (r, p): what
 * the angle has erred by is seen in the variables of index 2 and 3. */
static int guide_g(double t, const double *x, const double *z, double *g, void *user)
{
    double p[3], a[4], q = x[2];
    (void)z;
    guide(t, p);
    turns(user, t, a);
    g[0] = q + 0.05 * q * q - p[0] - 0.05 * p[0] * p[0];
    g[0] += 0.1 * (x[0] * x[0] + x[1] * x[1] - 1) + 0.01 * (x[0] - cos(a[0]));
    return 0;
}

static double guide_slope(double t, const pace *q)
{
    double p[3], a[4];
    guide(t, p);
    turns(q, t, a);
    return 0.01 * a[1] * sin(a[0]) - p[1] * (1 + 0.1 * p[0]);
}

static void guide_row(const double *x, size_t n, double *j)
{
    *zoo_dense(j, n, n, 1) = 0.01 + 0.2 * x[0];
    *zoo_dense(j, n, n, 2) = 0.2 * x[1];
    *zoo_dense(j, n, n, 3) = 1 + 0.1 * x[2];
}

/* The wheel, by `factor` = 1 + e / 10 + e^2 / 20 faster. */
static void add_wheel(double t, const double *x, double e, size_t n, size_t by, double *j,
                      void *user)
{
    double own[4], f[2], factor = 1 + 0.1 * e + 0.05 * e * e;
    (void)wheel_y(t, x, own, user);
    (void)wheel_f(t, x, f, user);
    for (size_t i = 1; i <= 2; i++) {
        *zoo_dense(j, n, i, 1) = factor * own[i - 1];
        *zoo_dense(j, n, i, 2) = factor * own[i + 1];
        *zoo_dense(j, n, i, by) = (0.1 + 0.1 * e) * f[i - 1];
    }
}

static void faster(double t, const double *x, double e, double *f, void *user)
{
    (void)wheel_f(t, x, f, user);
    for (int i = 0; i < 2; i++) f[i] *= 1 + 0.1 * e + 0.05 * e * e;
}

/* By t, where e is x - its exact value with this slope. */
static void faster_t(double t, const double *x, double e, double slope, double *dt, void *user)
{
    double f[2];
    (void)wheel_f(t, x, f, user);
    (void)wheel_t(t, x, dt, user);
    for (int i = 0; i < 2; i++)
        dt[i] = dt[i] * (1 + 0.1 * e + 0.05 * e * e) - (0.1 + 0.1 * e) * slope * f[i];
}

static double tension(double t)
{
    return 1 + 0.2 * sin(0.5 * t);
}

static double tension_slope(double t)
{
    return 0.1 * cos(0.5 * t);
}

static int rail_f(double t, const double *x, const double *z, double *f, void *user)
{
    double p[3], e = tension(t);
    guide(t, p);
    faster(t, x, z[0] - e, f, user);
    f[2] = p[1] + z[0] - e + 0.05 * (z[0] * z[0] - e * e);
    return 0;
}

static int rail_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    add_wheel(t, x, z[0] - tension(t), 4, 4, j, user);
    *zoo_dense(j, 4, 3, 4) = 1 + 0.1 * z[0];
    guide_row(x, 4, j);
    return 0;
}

static int rail_t(double t, const double *x, const double *z, double *dt, void *user)
{
    double p[3], e = tension(t);
    guide(t, p);
    faster_t(t, x, z[0] - e, tension_slope(t), dt, user);
    dt[2] = p[2] - (1 + 0.1 * e) * tension_slope(t);
    dt[3] = guide_slope(t, user);
    return 0;
}

static void rail_point(const pace *q, double t, double *y, double *yp)
{
    double p[3];
    guide(t, p);
    point(q, t, y, yp);
    y[2] = p[0], yp[2] = p[1];
    y[3] = tension(t), yp[3] = tension_slope(t);
}

AT_BOTH_PACES(rail_point)

#define RAIL(pace_)                                                 \
    {                                                               \
        .kind = ZOO_SEMI_EXPLICIT, .as.semi_explicit = {            \
            .nx = 3,                                                \
            .nz = 1,                                                \
            .f = rail_f,                                            \
            .g = guide_g,                                           \
            .jacobian = rail_jacobian,                              \
            .time_derivative = rail_t,                              \
            .about = {.index = rail_index, .user = (void *)(pace_)} \
        }                                                           \
    }

static const zoo_form rail = RAIL(&steady), uneven_rail = RAIL(&uneven);

/* x = (r, p, v), z = u: p' = v, v' = p'' + (u - its exact value) (1 + r1 / 10). */
static int track_f(double t, const double *x, const double *z, double *f, void *user)
{
    double p[3];
    guide(t, p);
    faster(t, x, x[3] - p[1], f, user);
    f[2] = x[3];
    f[3] = p[2] + (z[0] - tension(t)) * (1 + 0.1 * x[0]);
    return 0;
}

static int track_jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    double p[3];
    guide(t, p);
    add_wheel(t, x, x[3] - p[1], 5, 4, j, user);
    *zoo_dense(j, 5, 3, 4) = 1;
    *zoo_dense(j, 5, 4, 1) = 0.1 * (z[0] - tension(t));
    *zoo_dense(j, 5, 4, 5) = 1 + 0.1 * x[0];
    guide_row(x, 5, j);
    return 0;
}

static int track_t(double t, const double *x, const double *z, double *dt, void *user)
{
    double p[3];
    (void)z;
    guide(t, p);
    faster_t(t, x, x[3] - p[1], p[2], dt, user);
    dt[2] = 0;
    dt[3] = -0.36 * p[1] - tension_slope(t) * (1 + 0.1 * x[0]);
    dt[4] = guide_slope(t, user);
    return 0;
}

static void track_point(const pace *q, double t, double *y, double *yp)
{
    double p[3];
    guide(t, p);
    point(q, t, y, yp);
    y[2] = p[0], yp[2] = y[3] = p[1], yp[3] = p[2];
    y[4] = tension(t), yp[4] = tension_slope(t);
}

AT_BOTH_PACES(track_point)

#define TRACK(pace_)                                                 \
    {                                                                \
        .kind = ZOO_SEMI_EXPLICIT, .as.semi_explicit = {             \
            .nx = 4,                                                 \
            .nz = 1,                                                 \
            .f = track_f,                                            \
            .g = guide_g,                                            \
            .jacobian = track_jacobian,                              \
            .time_derivative = track_t,                              \
            .about = {.index = track_index, .user = (void *)(pace_)} \
        }                                                            \
    }

static const zoo_form track = TRACK(&steady), uneven_track = TRACK(&uneven);

/* Steps of 420 / (2, 3, ..., 8 2^k) are exact numbers, so that times are not rounded. */
#define ROW(row_, name_, index_, form_, exact_, classes_, t_end_, least_, most_) \
    const zoo_order row_ = {.name = name_,                                       \
                            .index = index_,                                     \
                            .form = &form_,                                      \
                            .t_end = t_end_,                                     \
                            .round_off = 1e-11,                                  \
                            .fine = 2560,                                        \
                            .least = least_,                                     \
                            .most = most_,                                       \
                            .exact = exact_,                                     \
                            .classes = classes_}

ROW(zoo_order_wheel, "wheel", 0, wheel, steady_point, "yy", 420, 7, 13);
ROW(zoo_order_uneven_wheel, "uneven wheel", 0, uneven_wheel, uneven_point, "yy", 420, 7, 13);
ROW(zoo_order_belt, "belt", 1, belt, steady_belt_point, "yyz", 420, 7, 13);
ROW(zoo_order_uneven_belt, "uneven belt", 1, uneven_belt, uneven_belt_point, "yyz", 420, 7, 13);
ROW(zoo_order_rail, "rail", 2, rail, steady_rail_point, "yyyz", 420, 7, 13);
ROW(zoo_order_uneven_rail, "uneven rail", 2, uneven_rail, uneven_rail_point, "yyyz", 420, 7, 13);
ROW(zoo_order_track, "track", 3, track, steady_track_point, "yyyzu", 420, 7, 13);
ROW(zoo_order_uneven_track, "uneven track", 3, uneven_track, uneven_track_point, "yyyzu", 420, 7,
    13);
/* A sixteenth of the way, where errors of low orders are not large. */
ROW(zoo_order_short_rail, "short rail", 2, rail, steady_rail_point, "yyyz", 26.25, 5, 6);
