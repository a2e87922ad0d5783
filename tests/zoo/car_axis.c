/* Car axis over a bumpy road: two wheels, two constraints, index 3. */
#include "zoo/entry.h"
#include "zoo/rows.h"

#include <math.h>

enum { N = 10, POSITIONS = 4 };
static const double mass = 5e-4, rest_length = 0.5, bump = 0.1, frequency = 10; /* M eps^2 / 2 */

/* The end of the axis on the road, and its velocity. */
typedef struct road {
    double x, y, vx, vy;
} road;

static road road_at(double t)
{
    road r = {.y = bump * sin(frequency * t), .vy = bump * frequency * cos(frequency * t)};
    r.x = sqrt(1 - r.y * r.y);
    r.vx = -r.y * r.vy / r.x;
    return r;
}

static int residual(double t, const double *y, const double *yp, double *r, void *user)
{
    (void)user;
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
static void add_spring(double *j, size_t row, size_t column, double x, double y)
{
    double l = hypot(x, y), cube = l * l * l;
    *zoo_dense(j, N, row, column) -= rest_length / l - 1 - rest_length * x * x / cube;
    *zoo_dense(j, N, row, column + 1) += rest_length * x * y / cube;
    *zoo_dense(j, N, row + 1, column) += rest_length * x * y / cube;
    *zoo_dense(j, N, row + 1, column + 1) -= rest_length / l - 1 - rest_length * y * y / cube;
}

static int jacobian(double t, const double *y, const double *yp, double *j, double *jp, void *user)
{
    (void)yp, (void)user;
    road b = road_at(t);
    double d[2] = {y[0] - y[2], y[1] - y[3]}, at_road[2] = {b.x, b.y};
    for (size_t i = 1; i <= 4; i++) {
        *zoo_dense(jp, N, i, i) = 1;
        *zoo_dense(jp, N, i + 4, i + 4) = mass;
        *zoo_dense(j, N, i, i + 4) = -1;
    }
    add_spring(j, 5, 1, y[0], y[1]);
    add_spring(j, 7, 3, y[2] - b.x, y[3] - b.y);
    for (size_t k = 0; k < 2; k++) {
        *zoo_dense(j, N, 5 + k, 9) = -at_road[k];
        *zoo_dense(j, N, 9, 1 + k) = at_road[k];
        for (size_t wheel = 0; wheel < 2; wheel++) {
            double sign = wheel == 0 ? 1 : -1;
            *zoo_dense(j, N, 5 + 2 * wheel + k, 10) = -2 * sign * d[k];
            *zoo_dense(j, N, 5 + 2 * wheel + k, 1 + k) -= 2 * sign * y[9];
            *zoo_dense(j, N, 5 + 2 * wheel + k, 3 + k) += 2 * sign * y[9];
            *zoo_dense(j, N, 10, 1 + 2 * wheel + k) = 2 * sign * d[k];
        }
    }
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

static void start(double *y, double *yp)
{
    static const double y0[N] = {0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0};
    static const double yp0[N] = {-0.5, 0, -0.5, 0, 0, -1, 0, -1, 0, 0};
    for (int i = 0; i < N; i++) y[i] = y0[i], yp[i] = yp0[i];
}

static const unsigned char index[N] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3};

static const zoo_form form = {.kind = ZOO_RESIDUAL,
                              .as.residual = {.n = N,
                                              .residual = residual,
                                              .jacobian = jacobian,
                                              .time_derivative = time_derivative,
                                              .about = {.name = "car axis", .index = index}}};

static const double reference[] = {
    4.934557842752409e-02,  4.969894602300081e-01, 1.041742524885426e+00, 3.739110272653658e-01,
    -7.705836840359208e-02, 7.446866592068417e-03, 1.755681575354174e-02, 7.703410437796011e-01,
    -4.736886590853326e-03, -1.104680331259566e-03};

const zoo_ivp zoo_car_axis = {.name = "car axis",
                              .form = &form,
                              .start = start,
                              .t_end = 3,
                              .reference = reference,
                              .counted = N,
                              .mixed = true,
                              .digits = 13};
