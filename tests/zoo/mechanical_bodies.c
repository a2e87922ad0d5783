/* (d) Andrews' squeezing mechanism as seven bodies in absolute coordinates: the crank, the bar at
 * its end, the triangle that the spring pulls, and two pairs. */
#include "zoo/mechanical.h"
#include "zoo/planar.h"

/* As seven bodies: the crank, the bar at its end, the triangle that the spring pulls, and two
 * pairs. */
enum { BODIES = 7, PINS = 10 };

#define XA (-0.06934)
#define YA (-0.00227)
#define XB (-0.03635)
#define YB 0.03273
static const planar_pin pins[PINS] = {{0, -0.00092, 0, GROUND, 0, 0},
                                      {0, 0.007 - 0.00092, 0, 1, 0.0115, 0},
                                      {1, 0.0115 - 0.028, 0, 2, -0.01043, 0.01874 - 0.035},
                                      {1, 0.0115 - 0.028, 0, 3, 0, -0.01421},
                                      {1, 0.0115 - 0.028, 0, 5, 0.01421, 0},
                                      {2, -0.01043, 0.01874, GROUND, XB, YB},
                                      {3, 0, 0.02 - 0.01421, 4, 0.04 - 0.02308, -0.00916},
                                      {4, -0.02308, -0.00916, GROUND, XA, YA},
                                      {5, 0.01421 - 0.02, 0, 6, 0.00449, 0.01228 - 0.04},
                                      {6, 0.00449, 0.01228, GROUND, XA, YA}};

static const double masses[3 * BODIES] = {0.04325, 0.04325, 2.194e-6, 0.00365, 0.00365, 4.410e-7,
                                          0.02373, 0.02373, 5.255e-6, 0.00706, 0.00706, 5.667e-7,
                                          0.07050, 0.07050, 1.169e-5, 0.00706, 0.00706, 5.667e-7,
                                          0.05498, 0.05498, 1.912e-5};

/* The torque on the crank, and the spring from (0.014, 0.072). */
static int pull(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)v, (void)user;
    double end[2];
    planar_point(q, 2, 0.02 - 0.01043, 0.01874 - 0.018, end);
    double x = end[0] - 0.014, y = end[1] - 0.072, length = hypot(x, y);
    double part = -4530 * (length - 0.07785) / length;
    for (int i = 0; i < 3 * BODIES; i++) f[i] = 0;
    f[2] = 0.033;
    f[6] = part * x;
    f[7] = part * y;
    f[8] = (end[0] - q[6]) * f[7] - (end[1] - q[7]) * f[6];
    return 0;
}

static planar_pins joints = {pins, PINS};

/* Body by body, each from one whose pin is known. */
static void start(double *q, double *v)
{
    double angle[BODIES], rest[BODIES], point[2];
    static const int from[BODIES] = {0, 1, 5, 6, 7, 8, 9}; /* the pin that places each */
    static const int order[BODIES] = {0, 1, 2, 4, 3, 6, 5};
    zoo_andrews.start(angle, rest);
    const double turn[BODIES] = {angle[0], angle[0] + angle[1], angle[2], angle[3] + angle[4],
                                 angle[4], angle[5] + angle[6], angle[6]};
    for (int i = 0; i < 3 * BODIES; i++) q[i] = v[i] = 0;
    for (int k = 0; k < BODIES; k++) {
        int body = order[k];
        const planar_pin *p = pins + from[body];
        int other = p->one == body ? p->two : p->one;
        double sign = p->one == body ? 1 : 0, way[2];
        planar_point(q, other, sign > 0 ? p->x2 : p->x1, sign > 0 ? p->y2 : p->y1, point);
        q[3 * body + 2] = turn[body];
        planar_point(q, body, sign > 0 ? p->x1 : p->x2, sign > 0 ? p->y1 : p->y2, way);
        q[3 * body] = point[0] - way[0];
        q[3 * body + 1] = point[1] - way[1];
    }
}

static const double reference[] = {
    0.01,
    -0.0005113297425082111,
    0.000764814941293962,
    2.1601131315315265,
    -0.014952963789384098,
    0.0026771024920550783,
    0.2767489004244821,
    -0.02309258708241188,
    0.01587136711555271,
    0.1585167580012267,
    -0.03359964058995173,
    0.012105315892611233,
    0.19651369962305915,
    -0.053962451970525335,
    0.017226743743538296,
    0.5251547747977294,
    -0.03328139552317993,
    -0.015827287374546504,
    1.3970682798070713,
    -0.06073921399022832,
    -0.012118095248022117,
    1.068427204632401,
    -0.5444894643383331,
    -0.36402748242276217,
    711.923152831104,
    -4.37803426813958,
    -1.9417868128457259,
    -74.8469280288358,
    -2.300161379861682,
    -1.8088174408286444,
    -136.4381913781197,
    -1.4333987082549087,
    -0.10040085508096117,
    -235.50148104249348,
    -0.09341958788486512,
    0.07368226297118749,
    4.791548225371054,
    -1.9281082179536155,
    -1.2429781958245942,
    199.15246230625405,
    -0.405156221995572,
    -0.35384121275749425,
    -41.14056696161049,
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
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.02,
    -0.00029892389288966627,
    0.0008700830456109849,
    8.184905889661676,
    -0.013279647930132824,
    0.0032832855579730128,
    0.294400525931227,
    -0.02225008127887093,
    0.01656940619724777,
    0.20953691338469757,
    -0.03305424732697594,
    0.012135481742816085,
    0.2842113205601451,
    -0.05391146502173644,
    0.01718642075060307,
    0.5225369171559964,
    -0.032532961573360615,
    -0.015285977625609692,
    1.3246007051957245,
    -0.060564825307404715,
    -0.011963028892685463,
    1.0862751085998732,
    -0.6321660955514193,
    -0.21718564818418434,
    726.5583426091277,
    -4.883618668103795,
    -1.409569257460701,
    -22.07407802320131,
    -2.3552326197243665,
    -2.054911404419425,
    -145.73923758440472,
    -1.5832704920670935,
    -0.06604872012867069,
    -249.710297621612,
    -0.19048812345361263,
    0.1510531003271377,
    9.79050185516307,
    -2.2089738541798987,
    -1.759695742529734,
    201.74332773402904,
    -0.5598448423709013,
    -0.5068319043452322,
    -57.75747174274601,
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
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    0.03,
    -0.0009151423246975862,
    -9.441676518022503e-05,
    15.810771195153707,
    -0.018446027217580676,
    -0.001343681483975826,
    0.05440013674186872,
    -0.02516389303546853,
    0.01443127023594095,
    0.0408222401196458,
    -0.03477497166038277,
    0.011968402202972472,
    -0.010320150462125532,
    -0.05394793488853295,
    0.01721528500187664,
    0.524409965879954,
    -0.03475089602296661,
    -0.016449815495207503,
    1.5828108573840174,
    -0.06094135428600625,
    -0.012291040373674499,
    1.048080741041938,
    0.10762758750256918,
    -1.0431893153793734,
    1139.9203022591062,
    0.6410353248764654,
    -4.670870865731396,
    -284.458992918434,
    0.2018882735630781,
    0.12341533276243286,
    11.032911910618594,
    0.10353596818968648,
    0.018672630892726777,
    19.866944019861542,
    -0.011176173258954968,
    0.008828425475034311,
    0.5735699148295025,
    0.11628319436147307,
    0.012520571732831392,
    -18.970194955782908,
    0.0032385913025553175,
    0.00271426717669336,
    0.3231791492491309,
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
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
    ZOO_UNKNOWN,
};

const zoo_mechanical zoo_andrews_bodies = {
    .form = {.nq = 3 * BODIES,
             .holonomic = 2 * PINS,
             .constant_mass = masses,
             .mass_pattern.layout = DAE_BANDED,
             .force = pull,
             .constraint = planar_constraint,
             .constraint_q = planar_constraint_q,
             .gamma = planar_gamma,
             .about = {.name = "Andrews squeezer, bodies", .user = &joints}},
    .start = start,
    .reference = reference,
    .references = 3,
    .stop = 0.03,
};
