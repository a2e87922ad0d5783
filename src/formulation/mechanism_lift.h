/* From a point of a mechanism to what gives all of the author's variables, as author.h takes it: a
 * prolongation whose unknowns are the coordinates, with two derivatives, and the multipliers. */
#ifndef FORMULATION_MECHANISM_LIFT_H
#define FORMULATION_MECHANISM_LIFT_H

#include "formulation/author.h"
#include "formulation/mechanical_formulation.h"
#include "structure/mechanism.h"

typedef struct mechanism_lift {
    const mechanism *found;
    explicit_core core; /* as the mechanism has the names */
    prolongation *p;
    double *z; /* p->size */
} mechanism_lift;

/* In the system's arena, under its protection. */
mechanism_lift *mechanism_lift_create(const mechanism *found);

/* l->z of a point with the author's multipliers. */
void mechanism_lift_point(mechanism_lift *l, const mechanical_point *point);

#endif
