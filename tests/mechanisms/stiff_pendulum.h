/* The stiff pendulum of the tangent-space paper, Sec. 3: L = 1 m, m = 1 kg, g = 9.8 m/s^2, under a
 * torque of T0 sin(0.1 t), in its angle and in (x, y, angle). */
#ifndef MECHANISMS_STIFF_PENDULUM_H
#define MECHANISMS_STIFF_PENDULUM_H

#include "mechanisms/study.h"

/* From rest; `by.formulation` NULL: in the angle alone. `size`, T0 in N m, is borrowed. */
void pendulum_begin(run *r, double *size, way by);

/* The angle, and the force on the mass (eq. 13 and Newton's law where the angle is alone). */
double pendulum_angle(const run *r);
void pendulum_reaction(const run *r, double force[2]);

#endif
