/* A pendulum whose length is given over time, l = 1 + sin(2 t)/5, in Cartesian coordinates, with
 * the force by which theta = sin t and lambda = -1 - t/2. */
#include "zoo/mechanical.h"

#include <math.h>

static const double mass[4] = {2, 0, 0, 3};

static double length(double t)
{
    return 1 + sin(2 * t) / 5;
}

static double length_rate(double t)
{
    return 2 * cos(2 * t) / 5;
}

static void exact(double t, zoo_motion *m)
{
    double l = length(t), lp = length_rate(t), lpp = -4 * sin(2 * t) / 5;
    double angle = sin(t), w = cos(t), wp = -sin(t), x = sin(angle), y = -cos(angle);
    m->q[0] = l * x;
    m->q[1] = l * y;
    m->v[0] = lp * x - l * w * y;
    m->v[1] = lp * y + l * w * x;
    m->vp[0] = lpp * x - 2 * lp * w * y - l * wp * y - l * w * w * x;
    m->vp[1] = lpp * y + 2 * lp * w * x + l * wp * x - l * w * w * y;
    m->lambda[0] = -1 - t / 2;
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)q, (void)v, (void)user;
    zoo_motion m;
    exact(t, &m);
    for (int i = 0; i < 2; i++) f[i] = mass[3 * i] * m.vp[i] - 2 * m.q[i] * m.lambda[0];
    return 0;
}

static int constraint(double t, const double *q, double *phi, void *user)
{
    (void)user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - length(t) * length(t);
    return 0;
}

static int constraint_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return 0;
}

static int constraint_t(double t, const double *q, double *dt, void *user)
{
    (void)q, (void)user;
    dt[0] = -2 * length(t) * length_rate(t);
    return 0;
}

static void start(double *q, double *v)
{
    zoo_motion m;
    exact(0, &m);
    for (int i = 0; i < 2; i++) q[i] = m.q[i], v[i] = m.v[i];
}

const zoo_mechanical zoo_driven_pendulum = {
    .form = {.nq = 2,
             .holonomic = 1,
             .constant_mass = mass,
             .force = force,
             .constraint = constraint,
             .constraint_q = constraint_q,
             .constraint_t = constraint_t,
             .about.name = "driven pendulum"},
    .start = start,
    .exact = exact,
    .stop = 5,
};
