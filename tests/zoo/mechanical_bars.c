/* (c) The stiff double pendulum of the tables: two bars in absolute coordinates (x, y, theta of
 * each centre), torsional springs and dampers in both joints; lambda 1 and 2 are the force on the
 * first bar at the ground. */
#include "zoo/mechanical.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double m1 = 3, m2 = 0.3, l1 = 1, l2 = 1.5, k1 = 400, c1 = 15, k2 = 3e5, c2 = 5e4;

static int mass(double t, const double *q, double *m, void *user)
{
    (void)t, (void)q, (void)user;
    m[0] = m[1] = m1;
    m[2] = m1 * l1 * l1 / 12;
    m[3] = m[4] = m2;
    m[5] = m2 * l2 * l2 / 12;
    return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)user;
    double ground = -k1 * (q[2] - 3 * PI / 2) - c1 * v[2];
    double between = -k2 * (q[5] - q[2]) - c2 * (v[5] - v[2]);
    f[0] = f[3] = 0;
    f[1] = -9.81 * m1;
    f[4] = -9.81 * m2;
    f[2] = ground - between;
    f[5] = between;
    return 0;
}

static int force_q(double t, const double *q, const double *v, double *dq, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    dq[2 * 6 + 2] = -k1 - k2;
    dq[2 * 6 + 5] = dq[5 * 6 + 2] = k2;
    dq[5 * 6 + 5] = -k2;
    return 0;
}

static int force_v(double t, const double *q, const double *v, double *dv, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    dv[2 * 6 + 2] = -c1 - c2;
    dv[2 * 6 + 5] = dv[5 * 6 + 2] = c2;
    dv[5 * 6 + 5] = -c2;
    return 0;
}

static int pins(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    double x1 = l1 / 2 * cos(q[2]), y1 = l1 / 2 * sin(q[2]);
    phi[0] = q[0] - x1;
    phi[1] = q[1] - y1;
    phi[2] = q[3] - l2 / 2 * cos(q[5]) - q[0] - x1;
    phi[3] = q[4] - l2 / 2 * sin(q[5]) - q[1] - y1;
    return 0;
}

static int pins_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    double x1 = l1 / 2 * cos(q[2]), y1 = l1 / 2 * sin(q[2]);
    dq[0] = dq[1 * 4 + 1] = dq[3 * 4 + 2] = dq[4 * 4 + 3] = 1;
    dq[2] = dq[1 * 4 + 3] = -1;
    dq[2 * 4] = dq[2 * 4 + 2] = y1;
    dq[2 * 4 + 1] = dq[2 * 4 + 3] = -x1;
    dq[5 * 4 + 2] = l2 / 2 * sin(q[5]);
    dq[5 * 4 + 3] = -l2 / 2 * cos(q[5]);
    return 0;
}

static void start(double *q, double *v)
{
    double a = 3 * PI / 2, b = 23 * PI / 12;
    q[0] = l1 / 2 * cos(a);
    q[1] = l1 / 2 * sin(a);
    q[2] = a;
    q[3] = l1 * cos(a) + l2 / 2 * cos(b);
    q[4] = l1 * sin(a) + l2 / 2 * sin(b);
    q[5] = b;
    for (int i = 0; i < 6; i++) v[i] = 0;
}

static const double reference[] = {
    0.01,
    0.0063459346561050055,
    -0.4999597274914655,
    4.725081190463489,
    0.7233550038686853,
    -1.2396232496595383,
    5.957872650506338,
    0.5905497665781145,
    0.007495784207832522,
    1.1811946725012874,
    -0.3088255201959198,
    -4.402271871647821,
    -6.215692393865765,
    -39.17980412332142,
    42.824512212214074,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.1,
    0.022019050681934,
    -0.49951492611038806,
    4.75644132843268,
    0.5620620588617125,
    -1.5413869112310479,
    5.474843662798708,
    -0.18482013088992444,
    -0.008147031482714066,
    -0.3699992156972722,
    -2.9081262846864573,
    -2.4408897306953476,
    -4.680470145514473,
    -21.669553512501412,
    37.51461894082053,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.5,
    0.0054299768480376405,
    -0.499970514482034,
    4.723249147560041,
    0.06782522480392705,
    -1.747774538434999,
    4.78841589445328,
    0.030069616463137765,
    0.0003265739008496605,
    0.06014277960829286,
    -0.18727496758230155,
    -0.018193315788671977,
    -0.3308412866971085,
    -6.30355464309066,
    32.32057569720358,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    1,
    0.0010259633075244174,
    -0.4999989473981836,
    4.714440908439648,
    0.006024142747698981,
    -1.7499873757219304,
    4.7176852933226066,
    -0.00857006936291917,
    -1.758519043899525e-05,
    -0.017140174809396613,
    -0.04459291631537776,
    -0.00018057024154356698,
    -0.0366042168426948,
    -0.65467015994215,
    32.372326691165775,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    2,
    -6.3952103674110534e-06,
    -0.49999999995910127,
    4.712376189963955,
    -1.6350307269833883e-05,
    -1.749999999909754,
    4.71238423386931,
    -0.0003285929488123129,
    4.202842066149128e-09,
    -0.000657185897678382,
    -0.001186325253798171,
    1.0917252224575885e-08,
    -0.0007055191415726744,
    0.015526969265288886,
    32.37300070514978,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
};

const zoo_mechanical zoo_double_pendulum = {
    .form = {.nq = 6,
             .holonomic = 4,
             .mass = mass,
             .mass_pattern.layout = DAE_BANDED,
             .force = force,
             .force_q = force_q,
             .force_v = force_v,
             .constraint = pins,
             .constraint_q = pins_q,
             .about.name = "double pendulum"},
    .start = start,
    .reference = reference,
    .references = 5,
    .stop = 2,
};
