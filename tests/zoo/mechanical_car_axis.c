/* (i) The car axis of the Test Set: eps^2 M/2 q'' = f, two bars, one of which turns with the ground
 * (rheonomic). */
#include "zoo/mechanical.h"

#include <math.h>

static const double heavy = 0.01 * 0.01 * 10 / 2, l0 = 0.5;
static const double mass[4] = {0.0005, 0.0005, 0.0005, 0.0005};

typedef struct ground {
    double x, y, xp, yp;
} ground;

static ground ground_at(double t)
{
    ground g = {.y = 0.1 * sin(10 * t), .yp = cos(10 * t)};
    g.x = sqrt(1 - g.y * g.y);
    g.xp = -g.y * g.yp / g.x;
    return g;
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)v, (void)user;
    ground g = ground_at(t);
    double left = hypot(q[0], q[1]), right = hypot(q[2] - g.x, q[3] - g.y);
    f[0] = (l0 - left) * q[0] / left;
    f[1] = (l0 - left) * q[1] / left - heavy;
    f[2] = (l0 - right) * (q[2] - g.x) / right;
    f[3] = (l0 - right) * (q[3] - g.y) / right - heavy;
    return 0;
}

static int bars(double t, const double *q, double *phi, void *user)
{
    (void)user;
    ground g = ground_at(t);
    double x = q[0] - q[2], y = q[1] - q[3];
    phi[0] = q[0] * g.x + q[1] * g.y;
    phi[1] = x * x + y * y - 1;
    return 0;
}

static int bars_q(double t, const double *q, double *dq, void *user)
{
    (void)user;
    ground g = ground_at(t);
    double x = q[0] - q[2], y = q[1] - q[3];
    const double all[8] = {g.x, 2 * x, g.y, 2 * y, 0, -2 * x, 0, -2 * y};
    for (int i = 0; i < 8; i++) dq[i] = all[i];
    return 0;
}

static int bars_t(double t, const double *q, double *dt, void *user)
{
    (void)user;
    ground g = ground_at(t);
    dt[0] = q[0] * g.xp + q[1] * g.yp;
    dt[1] = 0;
    return 0;
}

static void start(double *q, double *v)
{
    q[0] = 0, q[1] = q[3] = 0.5, q[2] = 1;
    v[0] = v[2] = -0.5, v[1] = v[3] = 0;
}

static const double reference[] = {
    1,
    0.027182095440113456,
    0.49891155262926495,
    1.024548795970379,
    0.42638800698116774,
    0.41916441475479466,
    -0.024290049857214543,
    0.2971726857631104,
    -1.7019588283087645,
    -0.003837120982712094,
    -0.0012287984619505463,
    2,
    -0.045604483642859454,
    0.4974453432189711,
    0.9517407605927876,
    0.5702633615972378,
    -0.20321875849937485,
    -0.02557182444824487,
    -0.22593171614498647,
    0.28551409624658913,
    0.004968892596506638,
    0.0013174621545079858,
    3,
    0.049345578427524094,
    0.4969894602300081,
    1.0417425248854262,
    0.3739110272653658,
    -0.07705836840359208,
    0.007446866592068417,
    0.017556815753541736,
    0.7703410437796011,
    -0.004736886590853326,
    -0.0011046803312595658,
};

const zoo_mechanical zoo_mechanical_car_axis = {
    .form = {.nq = 4,
             .holonomic = 2,
             .constant_mass = mass,
             .mass_pattern.layout = DAE_BANDED,
             .force = force,
             .constraint = bars,
             .constraint_q = bars_q,
             .constraint_t = bars_t,
             .about.name = "car axis"},
    .start = start,
    .reference = reference,
    .references = 3,
    .stop = 3,
};
