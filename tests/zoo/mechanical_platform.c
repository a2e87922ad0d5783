/* A platform on three cranks of length 1 that stay parallel: x, y and angle, three constraints of
 * rank 2, one degree of freedom. It swings as a pendulum without turning, through the horizontal,
 * where the cranks are in one line and the rank is 1. Of lambda the sum alone is known: it is that
 * of a pendulum. */
#include "zoo/mechanical.h"

#include <math.h>

enum { CRANKS = 3 };

static const double inertia[3] = {1, 1, 0.5};

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = f[2] = 0;
    f[1] = -9.81;
    return 0;
}

/* From the foot of a crank to its pin on the platform; the feet and the pins are 1 apart. */
static void crank(const double *q, int i, double *x, double *y)
{
    *x = q[0] + (i - 1) * cos(q[2]) - (i - 1);
    *y = q[1] + (i - 1) * sin(q[2]);
}

static int lengths(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < CRANKS; i++) {
        double x, y;
        crank(q, i, &x, &y);
        phi[i] = x * x + y * y - 1;
    }
    return 0;
}

static int lengths_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    for (int i = 0; i < CRANKS; i++) {
        double x, y;
        crank(q, i, &x, &y);
        dq[i] = 2 * x;
        dq[3 + i] = 2 * y;
        dq[6 + i] = 2 * (i - 1) * (y * cos(q[2]) - x * sin(q[2]));
    }
    return 0;
}

static void exact(double t, zoo_motion *m)
{
    zoo_swing(sqrt(0.75), t, m); /* from 120 degrees */
    m->q[2] = m->v[2] = m->vp[2] = 0;
    for (int i = 0; i < CRANKS; i++) m->lambda[i] = ZOO_UNKNOWN;
}

static void start(double *q, double *v)
{
    zoo_motion m;
    exact(0, &m);
    for (int i = 0; i < 3; i++) q[i] = m.q[i], v[i] = m.v[i];
}

const zoo_mechanical zoo_platform = {
    .form = {.nq = 3,
             .holonomic = CRANKS,
             .constant_mass = inertia,
             .mass_pattern.layout = DAE_BANDED,
             .force = weight,
             .constraint = lengths,
             .constraint_q = lengths_q,
             .about.name = "platform"},
    .start = start,
    .exact = exact,
    .stop = 5,
    .dependent = 1,
};
