/* Pendulums: in Cartesian coordinates; with an angle that has no inertia of its own; with a length
 * that is given over time. */
#include "zoo/mechanical.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;

/* (a) The pendulum of IFToMM A01: m = L = 1, from the horizontal at rest. */
static const double unit_mass[4] = {1, 0, 0, 1};

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    f[0] = 0;
    f[1] = -G;
    return 0;
}

static int circle(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    return 0;
}

static int circle_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = 2 * q[0];
    dq[1] = 2 * q[1];
    return 0;
}

/* Jacobi's sn, cn, dn by descending Landen transformations (Abramowitz & Stegun 16.4). */
static void jacobi(double u, double k, double *sn, double *cn, double *dn)
{
    enum { MOST = 16 };
    double a[MOST + 1] = {1}, c[MOST + 1] = {k}, b = sqrt(1 - k * k);
    int n = 0;
    while (n < MOST && fabs(c[n]) > 1e-17) {
        a[n + 1] = (a[n] + b) / 2;
        c[n + 1] = (a[n] - b) / 2;
        b = sqrt(a[n] * b);
        n++;
    }
    double angle = ldexp(a[n] * u, n);
    for (int i = n; i > 0; i--) {
        angle = (angle + asin(c[i] * sin(angle) / a[i])) / 2;
    }
    *sn = sin(angle);
    *cn = cos(angle);
    *dn = sqrt(1 - k * k * *sn * *sn);
}

static void start(double *q, double *v)
{
    q[0] = -1;
    q[1] = v[0] = v[1] = 0;
}

/* sin(theta/2) = -k sn(K - w t, k), theta' = 2 k w cn(K - w t, k), k = sin(45 degrees). */
static void swing(double t, zoo_motion *m)
{
    static const double K = 1.85407467730137191843385034720; /* K(sin 45 degrees) */
    const double k = sqrt(0.5), w = sqrt(G);
    double sn, cn, dn;
    jacobi(K - w * t, k, &sn, &cn, &dn);
    double theta = -2 * asin(k * sn), rate = 2 * k * w * cn;
    double x = sin(theta), y = -cos(theta);
    m->q[0] = x, m->q[1] = y;
    m->v[0] = -y * rate, m->v[1] = x * rate;
    m->lambda[0] = -(rate * rate - G * y) / 2;
    m->vp[0] = 2 * x * m->lambda[0];
    m->vp[1] = 2 * y * m->lambda[0] - G;
}

const zoo_mechanical zoo_pendulum = {
    .form = {.nq = 2,
             .holonomic = 1,
             .constant_mass = unit_mass,
             .force = weight,
             .constraint = circle,
             .constraint_q = circle_q,
             .about.name = "pendulum"},
    .start = start,
    .exact = swing,
    .stop = 10,
};
