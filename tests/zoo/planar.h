/* Planar mechanisms in absolute coordinates: x, y, angle of the centre of each body, one after the
 * other, and pins that hold two points together. */
#ifndef ZOO_PLANAR_H
#define ZOO_PLANAR_H

#include <stddef.h>

enum { GROUND = -1 };

/* Points in the bodies' own axes from the centre; of the ground, where they are. */
typedef struct planar_pin {
    int one;
    double x1, y1;
    int two;
    double x2, y2;
} planar_pin;

/* What `user` points to. */
typedef struct planar_pins {
    const planar_pin *pin;
    size_t count;
} planar_pins;

/* Callbacks of a mechanical form: two constraints a pin, the point of `one` less that of `two`;
 * phi_q by columns; gamma. */
int planar_constraint(double t, const double *q, double *phi, void *user);
int planar_constraint_q(double t, const double *q, double *dq, void *user);
int planar_gamma(double t, const double *q, const double *v, double *gamma, void *user);

/* A point of a body. */
void planar_point(const double *q, int body, double x, double y, double *point);

#endif
