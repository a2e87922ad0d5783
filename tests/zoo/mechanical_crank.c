/* (h) The slider-crank of rigid bars: centres and angles of crank and rod, the slider's place; free
 * under its weight, and turned at 150 rad/s without weight. lambda 3 and 4 are the forces in the
 * pin, 6 that of the guide, 7 the torque that drives. */
#include "zoo/mechanical.h"

#include <math.h>

enum { Q = 7, FREE = 6, DRIVEN = 7 };

static const double PI = 3.14159265358979323846, SPEED = 150;
static const double l1 = 0.15, l2 = 0.30, m1 = 0.36, m2 = 0.151104, m3 = 0.075552, j1 = 0.002727,
                    j2 = 0.0045339259;
static const double mass[Q] = {0.36, 0.36, 0.002727, 0.151104, 0.151104, 0.0045339259, 0.075552};

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    for (int i = 0; i < Q; i++) f[i] = 0;
    f[1] = -9.81 * m1;
    f[4] = -9.81 * m2;
    return 0;
}

static int nothing(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    for (int i = 0; i < Q; i++) f[i] = 0;
    return 0;
}

static int joints(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    double x1 = l1 / 2 * cos(q[2]), y1 = l1 / 2 * sin(q[2]);
    double x2 = l2 / 2 * cos(q[5]), y2 = l2 / 2 * sin(q[5]);
    phi[0] = q[0] - x1;
    phi[1] = q[1] - y1;
    phi[2] = q[3] - q[0] - x1 - x2;
    phi[3] = q[4] - q[1] - y1 - y2;
    phi[4] = q[6] - q[3] - x2;
    phi[5] = q[4] + y2;
    return 0;
}

/* Of so many rows. */
static void joints_by_q(const double *q, double *dq, int rows)
{
    double x1 = l1 / 2 * cos(q[2]), y1 = l1 / 2 * sin(q[2]);
    double x2 = l2 / 2 * cos(q[5]), y2 = l2 / 2 * sin(q[5]);
    dq[0] = dq[rows + 1] = dq[3 * rows + 2] = dq[4 * rows + 3] = 1;
    dq[6 * rows + 4] = dq[4 * rows + 5] = 1;
    dq[2] = dq[rows + 3] = dq[3 * rows + 4] = -1;
    dq[2 * rows] = dq[2 * rows + 2] = y1;
    dq[2 * rows + 1] = dq[2 * rows + 3] = -x1;
    dq[5 * rows + 2] = dq[5 * rows + 4] = y2;
    dq[5 * rows + 3] = -x2;
    dq[5 * rows + 5] = x2;
}

static int joints_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    joints_by_q(q, dq, FREE);
    return 0;
}

static int driven(double t, const double *q, double *phi, void *user)
{
    (void)joints(t, q, phi, user);
    phi[6] = q[2] - SPEED * t;
    return 0;
}

static int driven_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    joints_by_q(q, dq, DRIVEN);
    dq[2 * DRIVEN + 6] = 1;
    return 0;
}

static int driven_t(double t, const double *q, double *dt, void *user)
{
    (void)t, (void)q, (void)user;
    for (int i = 0; i < DRIVEN; i++) dt[i] = 0;
    dt[6] = -SPEED;
    return 0;
}

/* q, v and v' from angle, rate and acceleration of the crank. */
static void place(double angle, double rate, double slope, zoo_motion *m)
{
    double s1 = sin(angle), c1 = cos(angle), s2 = -l1 * s1 / l2, c2 = sqrt(1 - s2 * s2);
    double w = -l1 * c1 * rate / (l2 * c2);
    double wp = (l2 * s2 * w * w + l1 * s1 * rate * rate - l1 * c1 * slope) / (l2 * c2);
    const double x[3] = {l1 * c1, -l1 * s1 * rate, -l1 * c1 * rate * rate - l1 * s1 * slope};
    const double y[3] = {l1 * s1, l1 * c1 * rate, -l1 * s1 * rate * rate + l1 * c1 * slope};
    const double u[3] = {l2 * c2, -l2 * s2 * w, -l2 * c2 * w * w - l2 * s2 * wp};
    const double turn[3][2] = {{angle, asin(s2)}, {rate, w}, {slope, wp}};
    double *const level[3] = {m->q, m->v, m->vp};
    for (int k = 0; k < 3; k++) {
        level[k][0] = x[k] / 2;
        level[k][1] = y[k] / 2;
        level[k][2] = turn[k][0];
        level[k][3] = x[k] + u[k] / 2;
        level[k][4] = y[k] / 2;
        level[k][5] = turn[k][1];
        level[k][6] = x[k] + u[k];
    }
}

/* Newton's laws, body by body from the slider on. */
static void exact(double t, zoo_motion *m)
{
    place(SPEED * t, SPEED, 0, m);
    const double *a = m->vp;
    double *force = m->lambda;
    double c1 = cos(m->q[2]), s1 = sin(m->q[2]), c2 = cos(m->q[5]), s2 = sin(m->q[5]);
    force[4] = m3 * a[6];
    force[2] = m2 * a[3] + force[4];
    double turning = (j2 * a[5] * 2 / l2 - (force[2] + force[4]) * s2) / c2;
    force[5] = (m2 * a[4] + turning) / 2;
    force[3] = m2 * a[4] - force[5];
    force[0] = m1 * a[0] + force[2];
    force[1] = m1 * a[1] + force[3];
    force[6] = j1 * a[2] - l1 / 2 * (s1 * (force[0] + force[2]) - c1 * (force[1] + force[3]));
}

static void start_at(double angle, double rate, double *q, double *v)
{
    zoo_motion m;
    place(angle, rate, 0, &m);
    for (int i = 0; i < Q; i++) q[i] = m.q[i], v[i] = m.v[i];
}

static void start(double *q, double *v)
{
    start_at(PI / 4, 0, q, v);
}

static void start_driven(double *q, double *v)
{
    start_at(0, SPEED, q, v);
}

static const double reference[] = {
    0.5,
    -0.07494079095479413,
    -0.0029795722964626186,
    -3.101854565289753,
    8.882233381624083e-05,
    -0.0029795722964626164,
    0.019865121823181765,
    0.1500592265772207,
    -0.027207294299023695,
    0.6843049779088577,
    -9.131275093181829,
    -0.04081899842280541,
    0.6843049779088577,
    -4.562933475849136,
    -0.027223408247563433,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.8219710389626254,
    1,
    -0.026537687579736725,
    -0.07014806581738578,
    -1.932465413064305,
    0.07951138459458237,
    -0.0701480658173858,
    0.4866345394445302,
    0.21209814434863813,
    0.8506475126108549,
    -0.3218081306605625,
    12.126457126064151,
    1.5310350537734183,
    -0.3218081306605625,
    2.4271513328895455,
    1.360775082325127,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    -0.7859859460041143,
    2,
    -0.06123638040532621,
    0.043302490862006764,
    -3.7570922959037714,
    0.02114093730044636,
    0.04330249086200675,
    -0.2928512714137499,
    0.16475463541154517,
    0.16131555336107548,
    0.22812499683665366,
    -3.72531810872368,
    0.2538467169261813,
    0.22812499683665366,
    -1.588462659461477,
    0.18506232713021176,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.7866443934525915,
    4,
    0.07343333057840408,
    0.015249457700614276,
    0.20475379361828,
    0.2960894946637389,
    0.015249457700614276,
    -0.10183899183404202,
    0.4453123281706697,
    -0.1118766479278166,
    0.5387388215750222,
    7.336434522737815,
    -0.27880837474813736,
    0.5387388215750222,
    -3.610297492105993,
    -0.33386345364064146,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.7398682346724038,
    5,
    -0.06431170903623044,
    0.03858761564076271,
    -3.682018901975552,
    0.016328283949836042,
    0.03858761564076271,
    -0.26017614321251326,
    0.161279985972133,
    -0.1761200093348093,
    -0.29352885913566046,
    4.5641588994361655,
    -0.2740996544119009,
    -0.29352885913566046,
    2.025011469617024,
    -0.1959592901541831,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.832786568344926,
};

const zoo_mechanical zoo_free_crank = {
    .form = {.nq = Q,
             .holonomic = FREE,
             .constant_mass = mass,
             .mass_pattern.layout = DAE_BANDED,
             .force = weight,
             .constraint = joints,
             .constraint_q = joints_q,
             .about.name = "slider-crank"},
    .start = start,
    .reference = reference,
    .references = 5,
    .stop = 5,
};

const zoo_mechanical zoo_driven_crank = {
    .form = {.nq = Q,
             .holonomic = DRIVEN,
             .constant_mass = mass,
             .mass_pattern.layout = DAE_BANDED,
             .force = nothing,
             .constraint = driven,
             .constraint_q = driven_q,
             .constraint_t = driven_t,
             .about.name = "driven slider-crank"},
    .start = start_driven,
    .exact = exact,
    .stop = 0.1,
};
