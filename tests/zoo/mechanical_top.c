/* A heavy symmetric top in regular precession, its tip fixed by three constraints: q is the place
 * of the centre and a quaternion, v the velocity of the centre and the rates about the body's axes.
 */
#include "zoo/mechanical.h"

#include <math.h>

enum { Q = 7, V = 6 };

static const double M = 2, ARM = 0.4, G = 9.81, ACROSS = 0.1, ALONG = 0.05; /* about the centre */
static const double NUTATION = 0.5, PRECESSION = 2;
static const double mass[V] = {2, 2, 2, 0.1, 0.1, 0.05};

/* q' = S v: the quaternion's rate is half its product with (0, omega). */
static int kinematics(double t, const double *q, double *s, void *user)
{
    (void)t, (void)user;
    const double *e = q + 3;
    const double by_rate[3][4] = {
        {-e[1], e[0], e[3], -e[2]}, {-e[2], -e[3], e[0], e[1]}, {-e[3], e[2], -e[1], e[0]}};
    for (int j = 0; j < 3; j++) {
        s[j * Q + j] = 1;
        for (int i = 0; i < 4; i++) s[(3 + j) * Q + 3 + i] = by_rate[j][i] / 2;
    }
    return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    const double *w = v + 3;
    f[0] = f[1] = 0;
    f[2] = -M * G;
    f[3] = (ACROSS - ALONG) * w[1] * w[2];
    f[4] = (ALONG - ACROSS) * w[0] * w[2];
    f[5] = 0;
    return 0;
}

/* The centre is where the axis of the body, the third column of its rotation, has it. */
static int tip(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    const double *e = q + 3;
    phi[0] = q[0] - ARM * 2 * (e[1] * e[3] + e[0] * e[2]);
    phi[1] = q[1] - ARM * 2 * (e[2] * e[3] - e[0] * e[1]);
    phi[2] = q[2] - ARM * (e[0] * e[0] - e[1] * e[1] - e[2] * e[2] + e[3] * e[3]);
    return 0;
}

static int tip_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    const double *e = q + 3;
    const double slope[3][4] = {
        {e[2], e[3], e[0], e[1]}, {-e[1], -e[0], e[3], e[2]}, {e[0], -e[1], -e[2], e[3]}};
    for (int i = 0; i < 3; i++) {
        dq[i * 3 + i] = 1;
        for (int j = 0; j < 4; j++) dq[(3 + j) * 3 + i] = -2 * ARM * slope[i][j];
    }
    return 0;
}

/* Precession and spin are steady where the weight turns the angular momentum as fast. */
static void exact(double t, zoo_motion *m)
{
    double across = ACROSS + M * ARM * ARM, s = sin(NUTATION), c = cos(NUTATION);
    double axial = (M * G * ARM / PRECESSION + across * PRECESSION * c) / ALONG;
    double spin = axial - PRECESSION * c, turn = PRECESSION * t, roll = spin * t;
    double half = NUTATION / 2, sum = (turn + roll) / 2, difference = (turn - roll) / 2;
    const double place[3] = {ARM * s * sin(turn), -ARM * s * cos(turn), ARM * c};
    const double rest[4] = {cos(half) * cos(sum), sin(half) * cos(difference),
                            sin(half) * sin(difference), cos(half) * sin(sum)};
    for (int i = 0; i < 3; i++) m->q[i] = place[i];
    for (int i = 0; i < 4; i++) m->q[3 + i] = rest[i];
    m->v[0] = -PRECESSION * place[1];
    m->v[1] = PRECESSION * place[0];
    m->v[2] = 0;
    m->v[3] = PRECESSION * s * sin(roll);
    m->v[4] = PRECESSION * s * cos(roll);
    m->v[5] = axial;
    m->vp[0] = -PRECESSION * PRECESSION * place[0];
    m->vp[1] = -PRECESSION * PRECESSION * place[1];
    m->vp[2] = m->vp[5] = 0;
    m->vp[3] = spin * m->v[4];
    m->vp[4] = -spin * m->v[3];
    for (int i = 0; i < 3; i++) m->lambda[i] = M * (m->vp[i] + (i == 2 ? G : 0));
}

static void start(double *q, double *v)
{
    zoo_motion m;
    exact(0, &m);
    for (int i = 0; i < Q; i++) q[i] = m.q[i];
    for (int i = 0; i < V; i++) v[i] = m.v[i];
}

const zoo_mechanical zoo_top = {
    .form = {.nq = Q,
             .nv = V,
             .holonomic = 3,
             .kinematics = kinematics,
             .constant_mass = mass,
             .mass_pattern.layout = DAE_BANDED,
             .force = force,
             .constraint = tip,
             .constraint_q = tip_q,
             .about.name = "top"},
    .start = start,
    .exact = exact,
    .stop = 2,
};
