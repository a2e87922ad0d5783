/* (j) Nonholonomic: a skate on an incline, and a disc that rolls upright. */
#include "zoo/mechanical.h"

#include <math.h>

/* The skate: m = J = 1, slope 30 degrees; x' sin theta - y' cos theta = 0. */
static const double PULL = 4.905, TURN = 2;

static int slope(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = PULL;
    f[1] = f[2] = 0;
    return 0;
}

static int blade(double t, const double *q, double *a, void *user)
{
    (void)t, (void)user;
    a[0] = sin(q[2]);
    a[1] = -cos(q[2]);
    return 0;
}

static void skating(double t, zoo_motion *m)
{
    double angle = TURN * t, s = sin(angle), c = cos(angle);
    m->q[0] = PULL / (2 * TURN * TURN) * s * s;
    m->q[1] = PULL / (2 * TURN * TURN) * (angle - s * c);
    m->q[2] = angle;
    m->v[0] = PULL / TURN * s * c;
    m->v[1] = PULL / TURN * s * s;
    m->v[2] = TURN;
    m->vp[0] = PULL * (c * c - s * s);
    m->vp[1] = 2 * PULL * s * c;
    m->vp[2] = 0;
    m->lambda[0] = -2 * PULL * s;
}

static void start_skate(double *q, double *v)
{
    for (int i = 0; i < 3; i++) q[i] = v[i] = 0;
    v[2] = TURN;
}

const zoo_mechanical zoo_skate = {
    .form = {.nq = 3,
             .nonholonomic = 1,
             .force = slope,
             .velocity_constraint = blade,
             .about.name = "skate"},
    .start = start_skate,
    .exact = skating,
    .stop = 10,
};

/* The disc, R = 0.5, m = 2, kept upright: x, y of the centre, heading and roll; its point of
 * contact is at rest. With constant rates it runs on a circle, which the reactions of the ground
 * keep. */
static const double R = 0.5, MASS = 2, HEADING = 0.7, ROLL = 3;
static const double inertia[4] = {2, 2, 0.125, 0.25};

static int no_force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    for (int i = 0; i < 4; i++) f[i] = 0;
    return 0;
}

static int contact(double t, const double *q, double *a, void *user)
{
    (void)t, (void)user;
    a[0] = a[3] = 1;
    a[6] = -R * cos(q[2]);
    a[7] = -R * sin(q[2]);
    return 0;
}

static void rolling(double t, zoo_motion *m)
{
    double angle = HEADING * t, speed = R * ROLL;
    m->q[0] = speed / HEADING * sin(angle);
    m->q[1] = -speed / HEADING * cos(angle);
    m->q[2] = angle;
    m->q[3] = ROLL * t;
    m->v[0] = speed * cos(angle);
    m->v[1] = speed * sin(angle);
    m->v[2] = HEADING;
    m->v[3] = ROLL;
    m->vp[0] = -speed * HEADING * sin(angle);
    m->vp[1] = speed * HEADING * cos(angle);
    m->vp[2] = m->vp[3] = 0;
    for (int i = 0; i < 2; i++) m->lambda[i] = MASS * m->vp[i];
}

static void start_disc(double *q, double *v)
{
    zoo_motion m;
    rolling(0, &m);
    for (int i = 0; i < 4; i++) q[i] = m.q[i], v[i] = m.v[i];
}

const zoo_mechanical zoo_rolling_disc = {
    .form = {.nq = 4,
             .nonholonomic = 2,
             .constant_mass = inertia,
             .mass_pattern.layout = DAE_BANDED,
             .force = no_force,
             .velocity_constraint = contact,
             .about.name = "rolling disc"},
    .start = start_disc,
    .exact = rolling,
    .stop = 10,
};
