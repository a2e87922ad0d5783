/* Fekete points: 20 points on a sphere, each repelled by all others, until they rest. Positions,
 * velocities, and two multipliers a point, of index 2. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>
#include <stdbool.h>

enum { POINTS = 20, X = 6 * POINTS, Z = 2 * POINTS, N = X + Z };

/* The repulsion of point i. */
static void repel(const double *p, int i, double *force)
{
    for (int k = 0; k < 3; k++) force[k] = 0;
    for (int j = 0; j < POINTS; j++) {
        if (j == i) continue;
        double d[3], square = 0;
        for (int k = 0; k < 3; k++) d[k] = p[3 * i + k] - p[3 * j + k], square += d[k] * d[k];
        for (int k = 0; k < 3; k++) force[k] += d[k] / square;
    }
}

static int f(double t, const double *x, const double *z, double *slope, void *user)
{
    (void)t, (void)user;
    const double *p = x, *q = x + 3 * POINTS, *lambda = z, *mu = z + POINTS;
    for (int i = 0; i < POINTS; i++) {
        double force[3];
        repel(p, i, force);
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            slope[k] = q[k] + 2 * mu[i] * p[k];
            slope[3 * POINTS + k] = force[k - 3 * i] - 0.5 * q[k] + 2 * lambda[i] * p[k];
        }
    }
    return 0;
}

static int g(double t, const double *x, const double *z, double *value, void *user)
{
    (void)t, (void)z, (void)user;
    const double *p = x, *q = x + 3 * POINTS;
    for (int i = 0; i < POINTS; i++) {
        value[i] = -1, value[POINTS + i] = 0;
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            value[i] += p[k] * p[k];
            value[POINTS + i] += 2 * p[k] * q[k];
        }
    }
    return 0;
}

/* By coordinate k of point j the force on each point, whose own slopes sum those by all others. */
static void force_entries(const double *p, size_t j, size_t k, double lambda, zoo_columns *sink)
{
    double own[3] = {0};
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < POINTS; i++) {
            double d[3], square = 0;
            for (size_t c = 0; c < 3; c++) {
                d[c] = p[3 * i + c] - p[3 * j + c];
                square += d[c] * d[c];
            }
            for (size_t c = 0; c < 3; c++) {
                double slope = -((c == k) - 2 * d[c] * d[k] / square) / square;
                double diagonal = own[c] + (c == k ? 2 * lambda : 0);
                if (pass == 0)
                    own[c] -= i == j ? 0 : slope;
                else
                    zoo_entry(sink, 3 * (POINTS + i) + c, i == j ? diagonal : slope);
            }
        }
    }
}

static void state_columns(const double *y, zoo_columns *sink)
{
    const double *p = y, *q = y + 3 * POINTS, *lambda = y + X, *mu = lambda + POINTS;
    for (size_t j = 0; j < POINTS; j++) {
        for (size_t k = 0; k < 3; k++) {
            zoo_entry(sink, 3 * j + k, 2 * mu[j]);
            force_entries(p, j, k, lambda[j], sink);
            zoo_entry(sink, X + j, 2 * p[3 * j + k]);
            zoo_entry(sink, X + POINTS + j, 2 * q[3 * j + k]);
            zoo_next_column(sink);
        }
    }
    for (size_t j = 0; j < POINTS; j++) {
        for (size_t k = 3 * j; k < 3 * j + 3; k++) {
            zoo_entry(sink, k, 1);
            zoo_entry(sink, 3 * POINTS + k, -0.5);
            zoo_entry(sink, X + POINTS + j, 2 * p[k]);
            zoo_next_column(sink);
        }
    }
}

static zoo_columns *columns(double t, const double *y, zoo_columns *sink)
{
    (void)t;
    state_columns(y, sink);
    for (size_t first = 2; first-- > 0;) { /* lambda in q', then mu in p' */
        for (size_t j = 0; j < POINTS; j++) {
            for (size_t k = 3 * j; k < 3 * j + 3; k++)
                zoo_entry(sink, first * 3 * POINTS + k, 2 * y[k]);
            zoo_next_column(sink);
        }
    }
    return sink;
}

static int jacobian(double t, const double *x, const double *z, double *j, void *user)
{
    (void)user;
    double y[N];
    for (int i = 0; i < X; i++) y[i] = x[i];
    for (int i = 0; i < Z; i++) y[X + i] = z[i];
    columns(t, y, &(zoo_columns){.value = j});
    return 0;
}

static int steady(double t, const double *x, const double *z, double *dt, void *user)
{
    (void)t, (void)x, (void)z, (void)user;
    for (int i = 0; i < N; i++) dt[i] = 0;
    return 0;
}

/* Four rings of points: how many, their angle before the first, their latitude. */
static void place(double *p)
{
    static const struct {
        int count;
        double angle, latitude;
    } ring[4] = {{3, 1 / 13.0, 3 / 8.0},
                 {7, 1 / 29.0, 1 / 8.0},
                 {6, 1 / 7.0, -2 / 15.0},
                 {4, 1 / 17.0 - 0.5, -3 / 10.0}};
    const double pi = 3.14159265358979323846;
    for (int r = 0; r < 4; r++) {
        for (int i = 1; i <= ring[r].count; i++) {
            double a = 2 * pi * i / ring[r].count + pi * ring[r].angle, b = pi * ring[r].latitude;
            *p++ = cos(a) * cos(b);
            *p++ = sin(a) * cos(b);
            *p++ = sin(b);
        }
    }
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < N; i++) y[i] = yp[i] = 0;
    place(y);
    for (int i = 0; i < POINTS; i++) {
        double force[3], along = 0;
        repel(y, i, force);
        for (int k = 0; k < 3; k++) along += force[k] * y[3 * i + k];
        y[X + i] = -0.5 * along;
    }
    (void)f(0, y, y + X, yp, NULL);
}

#define ALL_POINTS(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
static const unsigned char index[N] = {ALL_POINTS(1), ALL_POINTS(1), ALL_POINTS(1), ALL_POINTS(1),
                                       ALL_POINTS(1), ALL_POINTS(1), ALL_POINTS(2), ALL_POINTS(2)};

static const zoo_form form = {.kind = ZOO_SEMI_EXPLICIT,
                              .as.semi_explicit = {.nx = X,
                                                   .nz = Z,
                                                   .f = f,
                                                   .g = g,
                                                   .jacobian = jacobian,
                                                   .time_derivative = steady,
                                                   .pattern = {.layout = DAE_SPARSE},
                                                   .about = {.name = "Fekete", .index = index}},
                              .columns = columns};

static const double reference[] = {-0.4070263380333202,
                                   0.3463758772791802,
                                   0.8451942450030429,
                                   0.0775293475252155,
                                   -0.2628662719972299,
                                   0.9617122871829146,
                                   0.7100577833343567,
                                   0.121294805558612,
                                   0.6936177005172217,
                                   0.2348267744557627,
                                   0.7449277976923311,
                                   0.6244509285956391,
                                   -0.4341114738782885,
                                   0.8785430442262876,
                                   0.199272044423766,
                                   -0.9515059600312596,
                                   0.2203508762787005,
                                   0.2146669498274008,
                                   -0.6385191643609878,
                                   -0.4310833259390688,
                                   0.6375425027722121,
                                   -0.1464175087914336,
                                   -0.9380871635228862,
                                   0.313933729874469,
                                   0.5666974065069942,
                                   -0.6739221885076542,
                                   0.4740073135462156,
                                   0.9843259538440293,
                                   -0.1696995357819996,
                                   -0.0480050429060909,
                                   0.1464175087914331,
                                   0.9380871635228875,
                                   -0.3139337298744656,
                                   -0.7092757549979014,
                                   0.5264062637139616,
                                   -0.4688542938854929,
                                   -0.8665731819284478,
                                   -0.4813878059756024,
                                   -0.1315929352982178,
                                   -0.2347897778700538,
                                   -0.859434040801313,
                                   -0.4541441287957579,
                                   0.5530976940074118,
                                   -0.7674370265615124,
                                   -0.3242273140037833,
                                   0.7711050969896927,
                                   0.6357041816577034,
                                   0.03573685519777001,
                                   0.7103951209379591,
                                   0.2403570431280519,
                                   -0.6614886725910596,
                                   -0.0303820873873566,
                                   0.4501923293640461,
                                   -0.8924145871442046,
                                   -0.5772996158107093,
                                   -0.1766763414971813,
                                   -0.7971892020969544,
                                   0.2414481766969039,
                                   -0.3416456818373135,
                                   -0.908284650344625,
                                   2.409619682166627e-16,
                                   -1.139818460497816e-16,
                                   1.627536276556335e-16,
                                   1.745651819597609e-16,
                                   -1.914278710633076e-16,
                                   -6.639600671806291e-17,
                                   1.708576733899083e-16,
                                   -2.277602521390053e-16,
                                   -1.350782790950654e-16,
                                   2.411941341109454e-16,
                                   -1.438238671800488e-16,
                                   8.087033550666644e-17,
                                   1.618239105233347e-16,
                                   1.837556152070701e-17,
                                   2.715177369929503e-16,
                                   7.930078658689191e-17,
                                   7.482020588342764e-17,
                                   2.746974939098084e-16,
                                   8.849338913035911e-17,
                                   -5.940734725324115e-17,
                                   4.84598405688991e-17,
                                   -3.72883524815562e-17,
                                   -4.600332954062859e-17,
                                   -1.548568884846698e-16,
                                   2.507541692375411e-17,
                                   -1.560155223230823e-16,
                                   -2.517946296860555e-16,
                                   -3.73977936150247e-17,
                                   -1.38166362088502e-16,
                                   -2.784051540342329e-16,
                                   6.624397102887671e-17,
                                   4.22620748888312e-17,
                                   1.57182177229661e-16,
                                   -4.112243677286995e-17,
                                   1.939960344265876e-16,
                                   2.800184977692136e-16,
                                   -9.189023375328813e-17,
                                   1.392943179389155e-16,
                                   9.556003995587458e-17,
                                   -2.234188557495892e-16,
                                   1.276804778190781e-16,
                                   -1.26119621146395e-16,
                                   -1.887754149742397e-16,
                                   -2.140788698695373e-17,
                                   -2.713591291421657e-16,
                                   1.107887633060814e-16,
                                   -1.31844371563134e-16,
                                   -4.521275683078691e-17,
                                   -1.277688851278605e-16,
                                   4.850914012115388e-17,
                                   -1.195891666741192e-16,
                                   -1.56964165384375e-16,
                                   1.856239009452638e-16,
                                   9.898466095646496e-17,
                                   -2.068030800303723e-16,
                                   2.451470336752085e-16,
                                   9.542986459336358e-17,
                                   -2.456074075580993e-16,
                                   1.5324754806618e-16,
                                   -1.229326332276474e-16,
                                   -4.75,
                                   -4.750000000000001,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.750000000000001,
                                   -4.750000000000001,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -4.749999999999999,
                                   -4.75,
                                   -4.75,
                                   -4.75,
                                   -3.537526598492654e-20,
                                   2.338193888161182e-19,
                                   -3.267771993164953e-19,
                                   2.915679914072042e-19,
                                   1.965183195887647e-19,
                                   -6.224992924096233e-20,
                                   -1.715878416756298e-19,
                                   -2.704741705248803e-19,
                                   3.008700893194513e-19,
                                   -2.703121624910402e-19,
                                   4.243755291982164e-19,
                                   2.862063003949612e-19,
                                   1.222125408406218e-20,
                                   -4.958862706817728e-19,
                                   -7.070673036251212e-19,
                                   -4.454983024194383e-19,
                                   -1.125384872521777e-19,
                                   1.512898724592511e-19,
                                   -6.163704221424137e-20,
                                   6.255426995473074e-20};

const zoo_ivp zoo_fekete = {.name = "Fekete",
                            .form = &form,
                            .start = start,
                            .t_end = 1000,
                            .reference = reference,
                            .counted = 3 * POINTS,
                            .digits = 10};
