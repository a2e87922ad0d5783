/* Water tube system: flows through 18 pipes between 13 nodes, their resistance coefficients, the
 * pressures of the nodes. Two nodes have buffers; the pressures of the others are of index 2. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

enum { PIPES = 18, NODES = 13, N = 2 * PIPES + NODES, BUFFERS = 2 };

/* From and to, as places in the order of the pressures: nodes 5, 8, 1, 2, 3, 4, 6, 7, 9 to 13. */
enum { N5, N8, N1, N2, N3, N4, N6, N7, N9, N10, N11, N12, N13 };
static const unsigned char pipe[PIPES][2] = {{N1, N2},  {N2, N3},  {N2, N6},  {N3, N4},  {N3, N5},
                                             {N4, N5},  {N5, N10}, {N6, N5},  {N7, N4},  {N7, N8},
                                             {N8, N5},  {N8, N10}, {N9, N8},  {N11, N9}, {N11, N12},
                                             {N12, N7}, {N12, N8}, {N13, N11}};

static const double area = 0.785398163397448309616, viscosity = 1.31e-6, density = 1e3,
                    length = 1000, critical = 2300, roughness = 2 * 2e-4;

static double reynolds(double flow)
{
    return fabs(flow / (viscosity * area));
}

static double loss(double flow, double resistance)
{
    if (reynolds(flow) > critical)
        return resistance * density * length * flow * flow / (area * area);
    return 32 * viscosity * density * length * flow / area;
}

/* What flows in at node 1 is divided by. */
static const double usual_inflow = 200, other_inflow = 120;

static void balance(double t, double inflow, double *in)
{
    double h = t / 3600;
    for (int i = 0; i < NODES; i++) in[i] = 0;
    in[N1] = (1 - cos(exp(-h) - 1)) / inflow;
    in[N13] = (1 - cos(exp(-h) - 1)) / 80;
    in[N10] = -h * h * (3 * h * h - 92 * h + 720) / 1e6;
}

static int f(double t, const double *y, double *slope, void *user)
{
    const double *flow = y, *resistance = y + PIPES, *p = y + 2 * PIPES;
    double *net = slope + 2 * PIPES;
    balance(t, *(const double *)user, net);
    for (int e = 0; e < PIPES; e++) {
        int from = pipe[e][0], to = pipe[e][1];
        if (resistance[e] <= 0) return 1;
        double root = sqrt(resistance[e]), r = fmax(reynolds(flow[e]), critical);
        slope[e] = p[from] - p[to] - loss(flow[e], resistance[e]);
        slope[PIPES + e] = 1 / root - 1.74 + 2 * log10(roughness + 18.7 / (r * root));
        net[from] -= flow[e];
        net[to] += flow[e];
    }
    return 0;
}

static void flow_column(size_t e, double flow, double resistance, zoo_columns *sink)
{
    bool turbulent = reynolds(flow) > critical;
    double r = reynolds(flow), root = sqrt(resistance), colebrook = 0;
    double friction = 32 * viscosity * density * length / area;
    if (turbulent) {
        double within = roughness + 18.7 / (r * root);
        colebrook = -2 / log(10) * 18.7 / (r * root * within) / flow;
        friction = 2 * resistance * density * length * flow / (area * area);
    }
    size_t from = pipe[e][0], to = pipe[e][1];
    zoo_entry(sink, e, -friction);
    zoo_entry(sink, PIPES + e, colebrook);
    zoo_entry(sink, 2 * PIPES + (from < to ? from : to), from < to ? -1 : 1);
    zoo_entry(sink, 2 * PIPES + (from < to ? to : from), from < to ? 1 : -1);
}

static void resistance_column(size_t e, double flow, double resistance, zoo_columns *sink)
{
    double r = fmax(reynolds(flow), critical), root = sqrt(resistance);
    double within = roughness + 18.7 / (r * root);
    bool turbulent = reynolds(flow) > critical;
    zoo_entry(sink, e, turbulent ? -density * length * flow * flow / (area * area) : 0);
    zoo_entry(sink, PIPES + e,
              -0.5 / (resistance * root) * (1 + 2 / log(10) * 18.7 / (r * within)));
}

static zoo_columns *columns(double t, const double *y, zoo_columns *sink)
{
    (void)t;
    for (size_t e = 0; e < PIPES; e++) {
        flow_column(e, y[e], y[PIPES + e], sink);
        zoo_next_column(sink);
    }
    for (size_t e = 0; e < PIPES; e++) {
        resistance_column(e, y[e], y[PIPES + e], sink);
        zoo_next_column(sink);
    }
    for (size_t node = 0; node < NODES; node++) {
        for (size_t e = 0; e < PIPES; e++)
            if (pipe[e][0] == node || pipe[e][1] == node)
                zoo_entry(sink, e, pipe[e][0] == node ? 1 : -1);
        zoo_next_column(sink);
    }
    return sink;
}

static int f_y(double t, const double *y, double *dy, void *user)
{
    (void)user;
    columns(t, y, &(zoo_columns){.value = dy});
    return 0;
}

static int f_t(double t, const double *y, double *dt, void *user)
{
    (void)y;
    double h = t / 3600, decay = exp(-h), swing = -sin(decay - 1) * decay / 3600;
    for (int i = 0; i < N; i++) dt[i] = 0;
    dt[2 * PIPES + N1] = swing / *(const double *)user;
    dt[2 * PIPES + N13] = swing / 80;
    dt[2 * PIPES + N10] = -(12 * h * h * h - 276 * h * h + 1440 * h) / 3600 / 1e6;
    return 0;
}

static void start(double *y, double *yp)
{
    for (int i = 0; i < N; i++) {
        y[i] = i < PIPES ? 0 : i < 2 * PIPES ? 0.47519404529185289807e-1 : 109800;
        yp[i] = 0;
    }
}

#define ALL_PIPES(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define ALL_NODES(x) x, x, x, x, x, x, x, x, x, x, x
#define INERTIA      1.2732395447351628e6
#define BUFFER       (200 / 9.8e3)
static const double mass[N] = {ALL_PIPES(INERTIA), ALL_PIPES(0), BUFFER, BUFFER, ALL_NODES(0)};
static const unsigned char index[N] = {ALL_PIPES(1), ALL_PIPES(1), 1, 1, ALL_NODES(2)};
static const double weight[N] = {ALL_PIPES(1), ALL_PIPES(1), 1e6, 1e6, ALL_NODES(1e6)};

static const zoo_form form = {
    .kind = ZOO_MASS,
    .as.mass = {.n = N,
                .f = f,
                .f_y = f_y,
                .f_t = f_t,
                .constant_mass = mass,
                .f_pattern = {.layout = DAE_SPARSE},
                .mass_pattern = {.layout = DAE_BANDED},
                .about = {.name = "water tube", .index = index, .user = (void *)&usual_inflow}},
    .columns = columns};

static const double reference[] = {
    0.00229848829647743,   0.001188984650746585,  0.001109503645730845,  0.0001589620100314825,
    0.001030022640715102,  0.0008710606306836165, 0.003243571480903489,  0.001109503645730845,
    0.0007120986206521341, 0.0006414613963833099, 0.0009416978549524347, 0.003403428519096511,
    0.002397639310739395,  0.002397639310739395,  0.00334858143045418,   0.001353560017035444,
    0.001995021413418736,  0.005746220741193575,  0.04751940452918529,   0.04751940452918529,
    0.04751940452918529,   0.04751940452918529,   0.04751940452918529,   0.04751940452918529,
    0.04311196778792902,   0.04751940452918529,   0.04751940452918529,   0.04751940452918529,
    0.04751940452918529,   0.0424921743360116,    0.04732336439609648,   0.04732336439609648,
    0.04270002118868241,   0.04751940452918529,   0.04751940452918529,   0.03651427026675656,
    111126.8591478108,     111127.0045592387,     111127.1078730254,     111126.9851929858,
    111126.9255355337,     111126.9322658045,     111126.9221703983,     111127.0121140691,
    111127.4419515807,     111125.5158881087,     111127.8793439227,     111127.0995171642,
    111129.8338971779};

const zoo_ivp zoo_water_tube = {.name = "water tube",
                                .form = &form,
                                .start = start,
                                .t_end = 61200,
                                .weight = weight,
                                .reference = reference,
                                .counted = N,
                                .mixed = true,
                                .digits = 8,
                                .other = &other_inflow};
