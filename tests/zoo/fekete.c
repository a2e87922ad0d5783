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
static void place(double turn, double *p)
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
            double a = 2 * pi * i / ring[r].count + pi * (1 + turn * r) * ring[r].angle,
                   b = pi * ring[r].latitude;
            *p++ = cos(a) * cos(b);
            *p++ = sin(a) * cos(b);
            *p++ = sin(b);
        }
    }
}

static void start_with(double turn, double *y, double *yp)
{
    for (int i = 0; i < N; i++) y[i] = yp[i] = 0;
    place(turn, y);
    for (int i = 0; i < POINTS; i++) {
        double force[3], along = 0;
        repel(y, i, force);
        for (int k = 0; k < 3; k++) along += force[k] * y[3 * i + k];
        y[X + i] = -0.5 * along;
    }
    (void)f(0, y, y + X, yp, NULL);
}

static void start(double *y, double *yp)
{
    start_with(0, y, yp);
}

/* The rings turned against each other. */
static void other_start(double *y, double *yp)
{
    start_with(3, y, yp);
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

/* of the positions */
static const double reference[] = {
    -0.4070263380333202, 0.3463758772791802,  0.8451942450030429,  0.0775293475252155,
    -0.2628662719972299, 0.9617122871829146,  0.7100577833343567,  0.121294805558612,
    0.6936177005172217,  0.2348267744557627,  0.7449277976923311,  0.6244509285956391,
    -0.4341114738782885, 0.8785430442262876,  0.199272044423766,   -0.9515059600312596,
    0.2203508762787005,  0.2146669498274008,  -0.6385191643609878, -0.4310833259390688,
    0.6375425027722121,  -0.1464175087914336, -0.9380871635228862, 0.313933729874469,
    0.5666974065069942,  -0.6739221885076542, 0.4740073135462156,  0.9843259538440293,
    -0.1696995357819996, -0.0480050429060909, 0.1464175087914331,  0.9380871635228875,
    -0.3139337298744656, -0.7092757549979014, 0.5264062637139616,  -0.4688542938854929,
    -0.8665731819284478, -0.4813878059756024, -0.1315929352982178, -0.2347897778700538,
    -0.859434040801313,  -0.4541441287957579, 0.5530976940074118,  -0.7674370265615124,
    -0.3242273140037833, 0.7711050969896927,  0.6357041816577034,  0.03573685519777001,
    0.7103951209379591,  0.2403570431280519,  -0.6614886725910596, -0.0303820873873566,
    0.4501923293640461,  -0.8924145871442046, -0.5772996158107093, -0.1766763414971813,
    -0.7971892020969544, 0.2414481766969039,  -0.3416456818373135, -0.908284650344625};

const zoo_ivp zoo_fekete = {.name = "Fekete",
                            .form = &form,
                            .start = start,
                            .t_end = 1000,
                            .reference = reference,
                            .counted = 3 * POINTS,
                            .digits = 10,
                            .other_start = other_start};
