/* From a point of a mechanism to the author's variables. author.h computes these from a
 * prolongation, whose unknowns here are the coordinates with two derivatives and the multipliers.
 */
#ifndef FORMULATION_MECHANISM_LIFT_H
#define FORMULATION_MECHANISM_LIFT_H

#include "formulation/author.h"
#include "formulation/mechanical_formulation.h"
#include "structure/mechanism.h"

typedef struct mechanism_lift {
    const mechanism *found;
    explicit_core core; /* with the names of the mechanism */
    prolongation *p;
    double *z; /* p->size */
} mechanism_lift;

/* In the system's arena, under its protection. */
mechanism_lift *mechanism_lift_create(const mechanism *found);

/* Set l->z from a point that holds the author's multipliers. */
void mechanism_lift_point(mechanism_lift *l, const mechanical_point *point);

#endif
