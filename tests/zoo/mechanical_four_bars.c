/* (e) The double four-bar of IFToMM A02: three bars that stand on the ground and two that join
 * them, each of length and mass 1, in absolute coordinates. One degree of freedom; where the
 * standing bars lie down, twice a turn, the constraints depend on each other. */
#include "zoo/mechanical.h"
#include "zoo/planar.h"

enum { BARS = 5, Q = 3 * BARS, PINS = 7 };

static const planar_pin pins[PINS] = {{0, -0.5, 0, GROUND, 0, 0}, {1, -0.5, 0, GROUND, 1, 0},
                                      {2, -0.5, 0, GROUND, 2, 0}, {0, 0.5, 0, 3, -0.5, 0},
                                      {3, 0.5, 0, 4, -0.5, 0},    {1, 0.5, 0, 4, -0.5, 0},
                                      {2, 0.5, 0, 4, 0.5, 0}};

static const double mass[Q] = {1,        1, 1.0 / 12, 1,        1, 1.0 / 12, 1,       1,
                               1.0 / 12, 1, 1,        1.0 / 12, 1, 1,        1.0 / 12};

static int weight(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q, (void)v, (void)user;
    for (int i = 0; i < Q; i++) f[i] = i % 3 == 1 ? -9.81 : 0;
    return 0;
}

static int joints(double t, const double *q, double *phi, void *user)
{
    (void)t, (void)user;
    planar_constraint(pins, PINS, q, phi);
    return 0;
}

static int joints_q(double t, const double *q, double *dq, void *user)
{
    (void)t, (void)user;
    planar_constraint_q(pins, PINS, q, dq);
    return 0;
}

static int joints_gamma(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)t, (void)user;
    planar_gamma(pins, PINS, q, v, gamma);
    return 0;
}

/* Upright, the joining bars at 1 m/s. */
static void start(double *q, double *v)
{
    static const double upright = 1.57079632679489661923;
    for (int i = 0; i < Q; i++) q[i] = v[i] = 0;
    for (int i = 0; i < BARS; i++) {
        double *bar = q + 3 * i, *rate = v + 3 * i;
        bar[0] = i < 3 ? i : i - 2.5;
        bar[1] = i < 3 ? 0.5 : 1;
        bar[2] = i < 3 ? upright : 0;
        rate[0] = i < 3 ? 0.5 : 1;
        rate[2] = i < 3 ? -1 : 0;
    }
}

static const double reference[] = {
    0.5,
    0.34764331658220027,
    0.35936628171787083,
    0.8019776992396905,
    1.3476433165822002,
    0.35936628171787083,
    0.8019776992396905,
    2.3476433165822,
    0.35936628171787083,
    0.8019776992396905,
    1.1952866331644005,
    0.7187325634357417,
    0.0,
    2.1952866331644003,
    0.7187325634357417,
    0.0,
    0.9801027126859166,
    -0.9481305702932884,
    -2.727308494277073,
    0.9801027126859166,
    -0.9481305702932884,
    -2.727308494277073,
    0.9801027126859166,
    -0.9481305702932884,
    -2.727308494277073,
    1.9602054253718333,
    -1.8962611405865768,
    0.0,
    1.9602054253718333,
    -1.8962611405865768,
    0.0,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    1,
    -0.0975101509747175,
    -0.4903996028310869,
    -1.767074476310201,
    0.9024898490252825,
    -0.4903996028310869,
    -1.767074476310201,
    1.9024898490252824,
    -0.4903996028310869,
    -1.767074476310201,
    0.304979698050565,
    -0.9807992056621738,
    0.0,
    1.304979698050565,
    -0.9807992056621738,
    0.0,
    -3.338339018440579,
    0.6637891625802433,
    -6.807385240869445,
    -3.338339018440579,
    0.6637891625802433,
    -6.807385240869445,
    -3.338339018440579,
    0.6637891625802433,
    -6.807385240869445,
    -6.676678036881158,
    1.3275783251604867,
    0.0,
    -6.676678036881158,
    1.3275783251604867,
    0.0,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    2,
    0.028907897884005676,
    0.49916363393172775,
    -4.770237034517435,
    1.0289078978840056,
    0.49916363393172775,
    -4.770237034517435,
    2.0289078978840056,
    0.49916363393172775,
    -4.770237034517435,
    0.5578157957680113,
    0.9983272678634555,
    0.0,
    1.5578157957680114,
    0.9983272678634555,
    0.0,
    0.5086300683102183,
    -0.029456124356722787,
    -1.0189645914385368,
    0.5086300683102183,
    -0.029456124356722787,
    -1.0189645914385368,
    0.5086300683102183,
    -0.029456124356722787,
    -1.0189645914385368,
    1.0172601366204366,
    -0.058912248713445574,
    0.0,
    1.0172601366204366,
    -0.058912248713445574,
    0.0,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    5,
    -0.40565523050255414,
    -0.29230777267448715,
    -15.083557159858588,
    0.5943447694974459,
    -0.29230777267448715,
    -15.083557159858588,
    1.5943447694974457,
    -0.29230777267448715,
    -15.083557159858588,
    -0.3113104610051083,
    -0.5846155453489743,
    0.0,
    0.6886895389948917,
    -0.5846155453489743,
    0.0,
    -1.7845586985966009,
    2.476552585656666,
    -6.105067553519621,
    -1.7845586985966009,
    2.476552585656666,
    -6.105067553519621,
    -1.7845586985966009,
    2.476552585656666,
    -6.105067553519621,
    -3.5691173971932018,
    4.953105171313332,
    0.0,
    -3.5691173971932018,
    4.953105171313332,
    0.0,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    10,
    0.16422905577040783,
    0.47225926908930044,
    -30.179800860191207,
    1.1642290557704078,
    0.47225926908930044,
    -30.179800860191207,
    2.164229055770408,
    0.47225926908930044,
    -30.179800860191207,
    0.8284581115408156,
    0.9445185381786009,
    0.0,
    1.8284581115408156,
    0.9445185381786009,
    0.0,
    0.7115257351034721,
    -0.2474344227435217,
    -1.5066421808418295,
    0.7115257351034721,
    -0.2474344227435217,
    -1.5066421808418295,
    0.7115257351034721,
    -0.2474344227435217,
    -1.5066421808418295,
    1.4230514702069441,
    -0.4948688454870434,
    0.0,
    1.4230514702069441,
    -0.4948688454870434,
    0.0,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
};

const zoo_mechanical zoo_double_four_bar = {
    .form = {.nq = Q,
             .holonomic = 2 * PINS,
             .constant_mass = mass,
             .mass_pattern.layout = DAE_BANDED,
             .force = weight,
             .constraint = joints,
             .constraint_q = joints_q,
             .gamma = joints_gamma,
             .about.name = "double four-bar"},
    .start = start,
    .reference = reference,
    .references = 5,
    .stop = 10,
};
