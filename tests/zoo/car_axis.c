/* Car axis over a bumpy road: two wheels, two constraints, index 3; and stabilised (Gear, Gupta &
 * Leimkuhler, 1985), with the constraints on velocities beside those on positions, index 2. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 10, POSITIONS = 4, GGL = 12 };
static const double rest_length = 0.5, bump = 0.1, frequency = 10;
static const double usual_mass = 5e-4; /* M eps^2 / 2 */
static const double other_mass = 2e-3;

/* The end of the axis on the road, and its velocity and acceleration. */
typedef struct road {
    double x, y, vx, vy, ax, ay;
} road;

static road road_at(double t)
{
    road r = {.y = bump * sin(frequency * t), .vy = bump * frequency * cos(frequency * t)};
    r.x = sqrt(1 - r.y * r.y);
    r.vx = -r.y * r.vy / r.x;
    r.ay = -frequency * frequency * r.y;
    r.ax = -(r.vx * r.vx + r.vy * r.vy + r.y * r.ay) / r.x;
    return r;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    double mass = *(const double *)user;
    road b = road_at(t);
    double dx = y[0] - y[2], dy = y[1] - y[3], ex = y[2] - b.x, ey = y[3] - b.y;
    double left = rest_length / hypot(y[0], y[1]) - 1, right = rest_length / hypot(ex, ey) - 1;
    for (int i = 0; i < POSITIONS; i++) r[i] = yp[i] - y[4 + i];
    r[4] = mass * yp[4] - left * y[0] - y[8] * b.x - 2 * y[9] * dx;
    r[5] = mass * yp[5] - left * y[1] - y[8] * b.y - 2 * y[9] * dy + mass;
    r[6] = mass * yp[6] - right * ex + 2 * y[9] * dx;
    r[7] = mass * yp[7] - right * ey + 2 * y[9] * dy + mass;
    r[8] = b.x * y[0] + b.y * y[1];
    r[9] = dx * dx + dy * dy - 1;
    return 0;
}

/* Minus the slopes of (rest_length / |d| - 1) d by d, into rows and columns from `row`, `column`.
 */
static void add_spring(double *j, size_t n, size_t row, size_t column, double x, double y)
{
    double l = hypot(x, y), cube = l * l * l;
    *zoo_dense(j, n, row, column) -= rest_length / l - 1 - rest_length * x * x / cube;
    *zoo_dense(j, n, row, column + 1) += rest_length * x * y / cube;
    *zoo_dense(j, n, row + 1, column) += rest_length * x * y / cube;
    *zoo_dense(j, n, row + 1, column + 1) -= rest_length / l - 1 - rest_length * y * y / cube;
}

/* In a matrix of n rows. */
static void slopes(double t, const double *y, double mass, double *j, double *jp, size_t n)
{
    road b = road_at(t);
    double d[2] = {y[0] - y[2], y[1] - y[3]}, at_road[2] = {b.x, b.y};
    for (size_t i = 1; i <= 4; i++) {
        *zoo_dense(jp, n, i, i) = 1;
        *zoo_dense(jp, n, i + 4, i + 4) = mass;
        *zoo_dense(j, n, i, i + 4) = -1;
    }
    add_spring(j, n, 5, 1, y[0], y[1]);
    add_spring(j, n, 7, 3, y[2] - b.x, y[3] - b.y);
    for (size_t k = 0; k < 2; k++) {
        *zoo_dense(j, n, 5 + k, 9) = -at_road[k];
        *zoo_dense(j, n, 9, 1 + k) = at_road[k];
        for (size_t wheel = 0; wheel < 2; wheel++) {
            double sign = wheel == 0 ? 1 : -1;
            *zoo_dense(j, n, 5 + 2 * wheel + k, 10) = -2 * sign * d[k];
            *zoo_dense(j, n, 5 + 2 * wheel + k, 1 + k) -= 2 * sign * y[9];
            *zoo_dense(j, n, 5 + 2 * wheel + k, 3 + k) += 2 * sign * y[9];
            *zoo_dense(j, n, 10, 1 + 2 * wheel + k) = 2 * sign * d[k];
        }
    }
}

static int jacobian(double t, const double *y, const double *yp, double *j, double *jp, void *user)
{
    (void)yp;
    slopes(t, y, *(const double *)user, j, jp, N);
    return 0;
}

static int time_derivative(double t, const double *y, const double *yp, double *dt, void *user)
{
    (void)yp, (void)user;
    road b = road_at(t);
    double x = y[2] - b.x, z = y[3] - b.y, l = hypot(x, z), cube = l * l * l;
    double along = rest_length * (x * b.vx + z * b.vy) / cube;
    for (int i = 0; i < N; i++) dt[i] = 0;
    dt[4] = -y[8] * b.vx;
    dt[5] = -y[8] * b.vy;
    dt[6] = (rest_length / l - 1) * b.vx - along * x;
    dt[7] = (rest_length / l - 1) * b.vy - along * z;
    dt[8] = b.vx * y[0] + b.vy * y[1];
    return 0;
}

/* y = (p, v, lambda, mu): p' = v + G^T mu, and G v + dg/dt = 0 beside g = 0. */
static int ggl_residual(double t, const double *y, const double *yp, double *r, void *user)
{
    road b = road_at(t);
    double d[2] = {y[0] - y[2], y[1] - y[3]}, rate[2] = {y[4] - y[6], y[5] - y[7]};
    int answer = residual(t, y, yp, r, user);
    r[0] -= b.x * y[10], r[1] -= b.y * y[10];
    r[10] = b.x * y[4] + b.y * y[5] + b.vx * y[0] + b.vy * y[1];
    r[11] = 2 * (d[0] * rate[0] + d[1] * rate[1]);
    for (int k = 0; k < 2; k++) r[k] -= 2 * d[k] * y[11], r[2 + k] += 2 * d[k] * y[11];
    return answer;
}

static int ggl_jacobian(double t, const double *y, const double *yp, double *j, double *jp,
                        void *user)
{
    (void)yp;
    road b = road_at(t);
    const double at_road[2] = {b.x, b.y}, moving[2] = {b.vx, b.vy};
    slopes(t, y, *(const double *)user, j, jp, GGL);
    for (size_t k = 0; k < 2; k++) {
        *zoo_dense(j, GGL, 1 + k, 11) = -at_road[k];
        *zoo_dense(j, GGL, 11, 1 + k) = moving[k];
        *zoo_dense(j, GGL, 11, 5 + k) = at_road[k];
        double d = y[k] - y[2 + k], rate = y[4 + k] - y[6 + k];
        for (size_t wheel = 0; wheel < 2; wheel++) {
            double sign = wheel == 0 ? 1 : -1;
            *zoo_dense(j, GGL, 1 + 2 * wheel + k, 12) = -2 * sign * d;
            *zoo_dense(j, GGL, 1 + 2 * wheel + k, 1 + k) -= 2 * sign * y[11];
            *zoo_dense(j, GGL, 1 + 2 * wheel + k, 3 + k) += 2 * sign * y[11];
            *zoo_dense(j, GGL, 12, 1 + 2 * wheel + k) = 2 * sign * rate;
            *zoo_dense(j, GGL, 12, 5 + 2 * wheel + k) = 2 * sign * d;
        }
    }
    return 0;
}

static int ggl_time_derivative(double t, const double *y, const double *yp, double *dt, void *user)
{
    road b = road_at(t);
    int answer = time_derivative(t, y, yp, dt, user);
    dt[0] = -b.vx * y[10], dt[1] = -b.vy * y[10];
    dt[10] = b.vx * y[4] + b.vy * y[5] + b.ax * y[0] + b.ay * y[1];
    dt[11] = 0;
    return answer;
}

static void start(double *y, double *yp)
{
    static const double y0[N] = {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0};
    static const double yp0[N] = {-0.5, 0, -0.5, 0, 0, -1, 0, -1, 0, 0};
    for (int i = 0; i < N; i++) y[i] = y0[i], yp[i] = yp0[i];
}

static void start_ggl(double *y, double *yp)
{
    start(y, yp);
    for (int i = N; i < GGL; i++) y[i] = yp[i] = 0;
}

static const unsigned char index[N] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3};
static const unsigned char ggl_index[GGL] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2};

static const zoo_form form = {
    .kind = ZOO_RESIDUAL,
    .as.residual = {.n = N,
                    .residual = residual,
                    .jacobian = jacobian,
                    .time_derivative = time_derivative,
                    .about = {.name = "car axis", .index = index, .user = (void *)&usual_mass}}};

static const zoo_form ggl = {
    .kind = ZOO_RESIDUAL,
    .as.residual = {
        .n = GGL,
        .residual = ggl_residual,
        .jacobian = ggl_jacobian,
        .time_derivative = ggl_time_derivative,
        .about = {.name = "car axis, GGL", .index = ggl_index, .user = (void *)&usual_mass}}};

static const double reference[] = {4.934557842752409e-02,
                                   4.969894602300081e-01,
                                   1.041742524885426e+00,
                                   3.739110272653658e-01,
                                   -7.705836840359208e-02,
                                   7.446866592068417e-03,
                                   1.755681575354174e-02,
                                   7.703410437796011e-01,
                                   -4.736886590853326e-03,
                                   -1.104680331259566e-03,
                                   0,
                                   0};

const zoo_ivp zoo_car_axis = {.name = "car axis",
                              .form = &form,
                              .start = start,
                              .t_end = 3,
                              .reference = reference,
                              .counted = N,
                              .mixed = true,
                              .digits = 13,
                              .other = &other_mass};

const zoo_ivp zoo_car_axis_ggl = {.name = "car axis, GGL",
                                  .form = &ggl,
                                  .start = start_ggl,
                                  .t_end = 3,
                                  .reference = reference,
                                  .known = GGL,
                                  .counted = N,
                                  .mixed = true,
                                  .digits = 13,
                                  .other = &other_mass};
