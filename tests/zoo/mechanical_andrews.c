/* (d) Andrews' squeezing mechanism in its angles. The constraints are those of the Test Set with
 * the other sign, so that lambda is the same. */
#include "zoo/andrews_parts.h"
#include "zoo/mechanical.h"

#include <string.h>

enum { Q = ANDREWS_Q, LOOPS = ANDREWS_LOOPS };

static const double m7 = 0.05498;

/* Of M, as its bodies are coupled, and of the constraints. */
static const size_t first[Q + 1] = {0, 2, 4, 5, 7, 9, 11, 13};
static const size_t row[13] = {0, 1, 0, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6};
static const size_t first_of_loops[Q + 1] = {0, 6, 12, 14, 16, 18, 20, 22};
static const size_t row_of_loops[22] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4,
                                        5, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5};

/* What all functions need of a point. */
typedef struct shared {
    andrews_turned at;
    andrews_constraints loops;
} shared;

static int configure(double t, const double *q, void *user)
{
    shared *s = user;
    (void)t;
    s->at = andrews_turn(q);
    s->loops = andrews_constraints_at(&s->at);
    return 0;
}

static int mass(double t, const double *q, double *value, void *user)
{
    (void)t, (void)q;
    andrews_inertias m = andrews_inertias_at(&((const shared *)user)->at, m7);
    const double entry[13] = {m.m11, m.m12, m.m12, m.m22, m.m33, m.m44, m.m45,
                              m.m45, m.m55, m.m66, m.m67, m.m67, m.m77};
    memcpy(value, entry, sizeof entry);
    return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user)
{
    (void)t, (void)q;
    andrews_forces(&((const shared *)user)->at, v, f);
    return 0;
}

static int loops(double t, const double *q, double *phi, void *user)
{
    const shared *s = user;
    (void)t, (void)q;
    for (int k = 0; k < LOOPS; k++) phi[k] = -s->loops.value[k];
    return 0;
}

static int loops_q(double t, const double *q, double *dq, void *user)
{
    const shared *s = user;
    (void)t, (void)q;
    for (size_t j = 0; j < Q; j++)
        for (size_t k = first_of_loops[j]; k < first_of_loops[j + 1]; k++)
            dq[k] = -s->loops.slope[row_of_loops[k]][j];
    return 0;
}

static int gamma_of(double t, const double *q, const double *v, double *gamma, void *user)
{
    (void)t, (void)q;
    andrews_second_rates(&((const shared *)user)->loops, v, gamma);
    for (int k = 0; k < LOOPS; k++) gamma[k] = -gamma[k];
    return 0;
}

static void start(double *q, double *v)
{
    static const double q0[Q] = {
        -0.0617138900142764496358948458001, 0,
        0.455279819163070380255912382449,   0.222668390165885884674473185609,
        0.487364979543842550225598953530,   -0.222668390165885884674473185609,
        1.23054744454982119249735015568};
    for (int i = 0; i < Q; i++) q[i] = q0[i], v[i] = 0;
}

static const double reference[] = {
    0.01,
    2.1601131315315265,
    -1.8833642311070444,
    0.1585167580012267,
    -0.3286410751746703,
    0.5251547747977294,
    0.3286410751746703,
    1.068427204632401,
    711.923152831104,
    -786.7700808599398,
    -136.4381913781197,
    -240.29302926786454,
    4.791548225371054,
    240.29302926786454,
    -41.14056696161049,
    57.02529043750258,
    2.9679042462494833,
    3.218860385008939,
    -18.179269867940356,
    5.159502718032351,
    34.24011729160661,
    0.02,
    8.184905889661676,
    -7.890505363730449,
    0.20953691338469757,
    -0.23832559659585126,
    0.5225369171559964,
    0.23832559659585126,
    1.0862751085998732,
    726.5583426091277,
    -748.6324206323291,
    -145.73923758440472,
    -259.50079947677506,
    9.79050185516307,
    259.50079947677506,
    -57.75747174274601,
    48.493256981749425,
    9.30037734573436,
    2.3032331312870657,
    -15.773889807968303,
    2.94225325451755,
    22.988032419227928,
    0.03,
    15.810771195153707,
    -15.756371058411839,
    0.0408222401196458,
    -0.5347301163420796,
    0.524409965879954,
    0.5347301163420796,
    1.048080741041938,
    1139.9203022591062,
    -1424.3792951775401,
    11.032911910618594,
    19.29337410503204,
    0.5735699148295025,
    -19.29337410503204,
    0.3231791492491309,
    199.17534810453864,
    -29.755309974971762,
    23.06654361162215,
    31.452725275771137,
    22.64249478639438,
    11.617392352611256,
};

static shared the_shared;

const zoo_mechanical zoo_andrews = {
    .form = {.nq = Q,
             .holonomic = LOOPS,
             .configure = configure,
             .mass = mass,
             .mass_pattern = {.layout = DAE_SPARSE, .start = first, .row = row},
             .force = force,
             .constraint = loops,
             .constraint_q = loops_q,
             .constraint_pattern = {.layout = DAE_SPARSE,
                                    .start = first_of_loops,
                                    .row = row_of_loops},
             .gamma = gamma_of,
             .about = {.name = "Andrews squeezer", .user = &the_shared}},
    .start = start,
    .reference = reference,
    .references = 3,
    .stop = 0.03,
};
