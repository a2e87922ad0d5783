/* (g) The stiff flyball governor of the multibody benchmarks (IFToMM A05): a shaft that turns
 * freely about its vertical axis, a slider on it, two rods hinged to its top with a heavy ball at
 * each end, and a stiff spring with a damper from the slider to the middle of each rod.
 *
 * In natural coordinates: the radial direction e = (x, y) of the shaft, the height s of the slider,
 * and the directions u of both rods. Kinetic energies are those of rods as boxes, where the second
 * transverse direction n has |n'|^2 = |u'|^2 + (2 u_z^2 - 1) |e'|^2 on the constraints. */
#include "zoo/mechanical.h"

#include <math.h>

enum { Q = 9, CONSTRAINTS = 5, S = 2, U = 3 };

static const double PI = 3.14159265358979323846, G = 9.81;
static const double STIFFNESS = 8e5, DAMPING = 4e4, REST = 0.5;
static const double SLIDER = 3, HINGE = 0.05; /* the hinges' distance from the axis */

/* About the axis, of shaft and slider; of a rod about an axis along its breadth; and of a rod with
 * its ball the moments of order 0, 1 and 2 along it. */
static const double AXIAL = 0.3 * 2e-4 / 12 + 3 * 0.02 / 12, ACROSS = 0.3 * 1e-4 / 12;
static const double M0 = 0.3 + 5, M1 = 0.3 / 2 + 5, M2 = 0.3 / 3 + 5;

static double side(int rod)
{
    return rod ? -1 : 1;
}

static int mass(double t, const double *q, double *m, void *user)
{
    (void)t, (void)user;
    double turning = AXIAL;
    for (int r = 0; r < 2; r++) {
        int u = U + 3 * r;
        turning += M0 * HINGE * HINGE + 2 * ACROSS * q[u + 2] * q[u + 2];
        for (int k = 0; k < 3; k++) m[(u + k) * Q + u + k] = M2 + ACROSS;
        for (int k = 0; k < 2; k++) m[(u + k) * Q + k] = m[k * Q + u + k] = side(r) * HINGE * M1;
    }
    m[0] = m[Q + 1] = turning;
    m[S * Q + S] = SLIDER;
    return 0;
}

/* Of a rod and its spring. */
static void add_rod(const double *q, const double *v, int u, double *f)
{
    const double d[3] = {q[u] / 2, q[u + 1] / 2, 1 + q[u + 2] / 2 - q[S]};
    double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double rate = (d[0] * v[u] + d[1] * v[u + 1] + d[2] * (v[u + 2] - 2 * v[S])) / (2 * length);
    double pull = (STIFFNESS * (length - REST) + DAMPING * rate) / length;
    for (int k = 0; k < 3; k++) f[u + k] = -pull * d[k] / 2;
    f[S] += pull * d[2];
    f[u + 2] += 2 * ACROSS * q[u + 2] * (v[0] * v[0] + v[1] * v[1]) - M1 * G;
    for (int k = 0; k < 2; k++) f[k] -= 4 * ACROSS * q[u + 2] * v[u + 2] * v[k];
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)user;
    f[0] = f[1] = 0;
    f[S] = -SLIDER * G;
    for (int r = 0; r < 2; r++) add_rod(q, v, U + 3 * r, f);
    return 0;
}

static int lengths(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1;
    for (int r = 0; r < 2; r++) {
        const double *u = q + U + 3 * r;
        phi[1 + 2 * r] = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1;
        phi[2 + 2 * r] = q[0] * u[1] - q[1] * u[0];
    }
    return 0;
}

static int lengths_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    for (int k = 0; k < 2; k++) dq[k * CONSTRAINTS] = 2 * q[k];
    for (int r = 0; r < 2; r++) {
        int u = U + 3 * r, row = 1 + 2 * r;
        for (int k = 0; k < 3; k++) dq[(u + k) * CONSTRAINTS + row] = 2 * q[u + k];
        dq[row + 1] = q[u + 1];
        dq[CONSTRAINTS + row + 1] = -q[u];
        dq[u * CONSTRAINTS + row + 1] = -q[1];
        dq[(u + 1) * CONSTRAINTS + row + 1] = q[0];
    }
    return 0;
}

/* Twice the constraints' quadratic parts, of v. */
static int gamma_of(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)q;
    (void)lengths(t, v, gamma, user);
    for (int i = 0; i < CONSTRAINTS; i++) gamma[i] = 2 * (gamma[i] + (i == 0 || i % 2));
    return 0;
}

/* At a revolution a second, the rods 30 degrees below the horizontal. */
static void start(double *q, double *v)
{
    double across = sqrt(0.75), rate = 2 * PI;
    for (int i = 0; i < Q; i++) q[i] = v[i] = 0;
    q[0] = 1, v[1] = rate;
    q[S] = 0.5;
    for (int r = 0; r < 2; r++) {
        int u = U + 3 * r;
        q[u] = side(r) * across;
        q[u + 2] = -0.5;
        v[u + 1] = side(r) * across * rate;
    }
}

/* From angle, height and inclination, whose table has 15 digits. */
static const double reference[] = {
    0.1,
    0.8126525955619578,
    0.5827484525302604,
    0.5238364755695757,
    0.714655208091486,
    0.5124750956096009,
    -0.4760642918006406,
    -0.714655208091486,
    -0.5124750956096009,
    -0.4760642918006406,
    -3.556932107777577,
    4.960202119924146,
    0.4592718104361339,
    -2.925793952554739,
    4.5070569169768655,
    0.4596449307763847,
    2.925793952554739,
    -4.5070569169768655,
    0.4596449307763847,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.5,
    -0.9447670695567691,
    0.3277425579339902,
    0.7432494247863257,
    -0.9131368434721258,
    0.3167699367037913,
    -0.25658899488177284,
    0.9131368434721258,
    -0.3167699367037913,
    -0.25658899488177284,
    -1.672606424596725,
    -4.82153883294687,
    0.052119780158373416,
    -1.6296761125295833,
    -4.6555834827989635,
    0.05210050461402036,
    1.6296761125295833,
    4.6555834827989635,
    0.05210050461402036,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    1,
    0.7668751576290612,
    -0.6417963014940196,
    0.5014209223795677,
    0.6648092817340414,
    -0.556377571983086,
    -0.49847027625975227,
    -0.6648092817340414,
    0.556377571983086,
    -0.49847027625975227,
    4.024785307340312,
    4.809170541813246,
    -0.12215149289772892,
    3.4352581622588207,
    4.214174204660993,
    -0.12213466555631078,
    -3.4352581622588207,
    -4.214174204660993,
    -0.12213466555631078,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    2,
    0.17675916305370623,
    -0.9842541329740776,
    0.5059092942967037,
    0.1536871500732741,
    -0.8557814487878433,
    -0.49398215738317386,
    -0.1536871500732741,
    0.8557814487878433,
    -0.49398215738317386,
    6.138028866659146,
    1.102309666703461,
    -0.24078314698364447,
    5.312664427897615,
    1.0930700495778398,
    -0.24077957808265008,
    -5.312664427897615,
    -1.0930700495778398,
    -0.24077957808265008,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    10,
    0.8177773520197603,
    -0.5755347100944903,
    0.6196229170613656,
    0.7563467651730809,
    -0.5323011393622896,
    -0.38025658159435566,
    -0.7563467651730809,
    0.5323011393622896,
    -0.38025658159435566,
    3.193183763509904,
    4.537195267001187,
    -0.7476033541643324,
    2.701909974958063,
    4.373299573157082,
    -0.7477358446330157,
    -2.701909974958063,
    -4.373299573157082,
    -0.7477358446330157,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
};

const zoo_mechanical zoo_governor = {
    .form = {.nq = Q,
             .holonomic = CONSTRAINTS,
             .mass = mass,
             .force = force,
             .constraint = lengths,
             .constraint_q = lengths_q,
             .gamma = gamma_of,
             .about.name = "flyball governor"},
    .start = start,
    .reference = reference,
    .references = 5,
    .stop = 10,
};
