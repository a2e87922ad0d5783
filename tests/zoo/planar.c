#include "zoo/planar.h"

#include <math.h>

/* From the centre of a body to a point of it; on the ground nothing turns. */
static void arm(const double *q, int body, double x, double y, double *way)
{
    if (body == GROUND) {
        way[0] = way[1] = 0;
        return;
    }
    double c = cos(q[3 * body + 2]), s = sin(q[3 * body + 2]);
    way[0] = c * x - s * y;
    way[1] = s * x + c * y;
}

void planar_point(const double *q, int body, double x, double y, double *point)
{
    arm(q, body, x, y, point);
    point[0] += body == GROUND ? x : q[3 * body];
    point[1] += body == GROUND ? y : q[3 * body + 1];
}

int planar_constraint(double t, const double *q, double *phi, void *user)
{
    const planar_pins *all = user;
    const planar_pin *pin = all->pin;
    size_t pins = all->count;
    (void)t;
    for (size_t i = 0; i < pins; i++) {
        double one[2], two[2];
        planar_point(q, pin[i].one, pin[i].x1, pin[i].y1, one);
        planar_point(q, pin[i].two, pin[i].x2, pin[i].y2, two);
        phi[2 * i] = one[0] - two[0];
        phi[2 * i + 1] = one[1] - two[1];
    }
    return 0;
}

static void add_slopes(const double *q, int body, double x, double y, double sign, size_t rows,
                       double *column)
{
    double way[2];
    if (body == GROUND) return;
    arm(q, body, x, y, way);
    column += 3 * (size_t)body * rows;
    column[0] += sign;
    column[rows + 1] += sign;
    column[2 * rows] -= sign * way[1];
    column[2 * rows + 1] += sign * way[0];
}

int planar_constraint_q(double t, const double *q, double *dq, void *user)
{
    const planar_pins *all = user;
    const planar_pin *pin = all->pin;
    size_t pins = all->count;
    (void)t;
    for (size_t i = 0; i < pins; i++) {
        add_slopes(q, pin[i].one, pin[i].x1, pin[i].y1, 1, 2 * pins, dq + 2 * i);
        add_slopes(q, pin[i].two, pin[i].x2, pin[i].y2, -1, 2 * pins, dq + 2 * i);
    }
    return 0;
}

int planar_gamma(double t, const double *q, const double *v, double *gamma, void *user)
{
    const planar_pins *all = user;
    const planar_pin *pin = all->pin;
    size_t pins = all->count;
    (void)t;
    for (size_t i = 0; i < pins; i++) {
        double one[2], two[2];
        double w1 = pin[i].one == GROUND ? 0 : v[3 * pin[i].one + 2];
        double w2 = pin[i].two == GROUND ? 0 : v[3 * pin[i].two + 2];
        arm(q, pin[i].one, pin[i].x1, pin[i].y1, one);
        arm(q, pin[i].two, pin[i].x2, pin[i].y2, two);
        for (size_t k = 0; k < 2; k++) gamma[2 * i + k] = w2 * w2 * two[k] - w1 * w1 * one[k];
    }
    return 0;
}
