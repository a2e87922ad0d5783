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

/* Two constraints a pin, the point of `one` less that of `two`; phi_q by columns; gamma. */
void planar_constraint(const planar_pin *pin, size_t pins, const double *q, double *phi);
void planar_constraint_q(const planar_pin *pin, size_t pins, const double *q, double *dq);
void planar_gamma(const planar_pin *pin, size_t pins, const double *q, const double *v,
                  double *gamma);

/* A point of a body. */
void planar_point(const double *q, int body, double x, double y, double *point);

#endif
