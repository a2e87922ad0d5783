/* Pendulums: in Cartesian coordinates, and with an angle that has no inertia of its own. */
#include "zoo/mechanical.h"

#include <math.h>

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

/* Jacobi's sn and cn by descending Landen transformations (Abramowitz & Stegun 16.4). */
static void jacobi(double u, double k, double *sn, double *cn)
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
}

static void start(double *q, double *v)
{
    q[0] = -1;
    q[1] = v[0] = v[1] = 0;
}

/* sin(theta/2) = -k sn(K - w t, k), theta' = 2 k w cn(K - w t, k), theta from the downward
 * vertical; K(k) by the arithmetic-geometric mean. */
void zoo_swing(double k, double t, zoo_motion *m)
{
    double a = 1, b = sqrt(1 - k * k), w = sqrt(G), sn, cn;
    while (fabs(a - b) > 1e-15) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    jacobi(asin(1) / a - w * t, k, &sn, &cn);
    double theta = -2 * asin(k * sn), rate = 2 * k * w * cn;
    double x = sin(theta), y = -cos(theta);
    m->q[0] = x, m->q[1] = y;
    m->v[0] = -y * rate, m->v[1] = x * rate;
    m->lambda[0] = -(rate * rate - G * y) / 2;
    m->vp[0] = 2 * x * m->lambda[0];
    m->vp[1] = 2 * y * m->lambda[0] - G;
}

static void swing(double t, zoo_motion *m)
{
    zoo_swing(sqrt(0.5), t, m);
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

/* (b) The stiff pendulum of the tangent-space paper: q = (x, y, theta), a torque of
 * 0.1 sin(0.1 t) N m on the massless rod; lambda is the force on the mass. */
static const double no_inertia[3] = {1, 1, 0};

static int torque(double t, const double *q, const double *v, double *f, void *user)
{
    (void)q, (void)v, (void)user;
    f[0] = 0;
    f[1] = -9.8;
    f[2] = 0.1 * sin(0.1 * t);
    return 0;
}

static int rod(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0] - sin(q[2]);
    phi[1] = q[1] + cos(q[2]);
    return 0;
}

static int rod_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    dq[0] = dq[3] = 1;
    dq[4] = -cos(q[2]);
    dq[5] = -sin(q[2]);
    return 0;
}

static int rod_gamma(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)t, (void)user;
    gamma[0] = sin(q[2]) * v[2] * v[2];
    gamma[1] = -cos(q[2]) * v[2] * v[2];
    return 0;
}

static void hang(double *q, double *v)
{
    q[0] = q[2] = 0;
    q[1] = -1;
    v[0] = v[1] = v[2] = 0;
}

static const double torque_reference[] = {
    1,
    0.0010161278130485316,
    -0.9999994837420005,
    0.0010161279879099384,
    0.002037734175202309,
    2.0705994399861004e-06,
    0.002037735227199421,
    2.5284864418086173e-05,
    9.800004178059668,
    10,
    0.008631416548862167,
    -0.9999627486303477,
    0.008631523727822022,
    -0.0004632024544922345,
    -3.998242271178651e-06,
    -0.0004632197100608842,
    -0.00044076913032773117,
    9.799996409976801,
    20,
    0.009360157099798715,
    -0.9999561927699968,
    0.00936029378304545,
    -0.00142119402453654,
    -1.330318211451587e-05,
    -0.0014212562858375473,
    -0.0007997807658038931,
    9.799994533656351,
    50,
    -0.009622444635076213,
    -0.999953703207926,
    -0.009622593133932397,
    -0.0005772404037587152,
    5.554720992060074e-06,
    -0.000577267129374975,
    -0.0015923931097546586,
    9.80001565667673,
    62.8,
    -0.00034924122584034,
    -0.9999999390152813,
    -0.0003492412329397995,
    0.0012672111340945153,
    -4.4256239685923924e-07,
    0.0012672112113750345,
    0.0031040342054429082,
    9.800000521767576,
    100,
    -0.005264124060682991,
    -0.9999861444029481,
    -0.00526414837334501,
    -0.0013079233455942014,
    6.885166151159256e-06,
    -0.0013079414679041481,
    -0.002813647303421119,
    9.800016522328278,
    200,
    0.009583697140203556,
    -0.9999540753200243,
    0.00958384385230669,
    0.001040416081021685,
    9.971490557822062e-06,
    0.001040463863991665,
    -0.0026255966914585155,
    9.799975918535615,
};

const zoo_mechanical zoo_pendulum_torque = {
    .form = {.nq = 3,
             .holonomic = 2,
             .constant_mass = no_inertia,
             .mass_pattern.layout = DAE_BANDED,
             .force = torque,
             .constraint = rod,
             .constraint_q = rod_q,
             .gamma = rod_gamma,
             .about.name = "pendulum with torque"},
    .start = hang,
    .reference = torque_reference,
    .references = 7,
    .stop = 200,
};
