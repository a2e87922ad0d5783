/* An array's levels together with all that is integrated.
 *
 * With E = dF/dy', the part E y of the unknowns is integrated: only impulses move it within an
 * instant. The shortest change that meets an array after an event may move it, too, although other
 * derivatives and algebraic variables would meet the array without that. These levels have the rows
 * of the array, and the rows E (y - y0) besides: where they are met, no impulse is needed. */
#ifndef FORMULATION_PROLONGED_INTEGRATED_H
#define FORMULATION_PROLONGED_INTEGRATED_H

#include "formulation/prolonged_levels.h"

typedef struct prolonged_integrated {
    constraint_levels levels; /* one level of all rows by all entries of z */
    constraint_level whole;
    const constraint_levels *array; /* borrowed, as the next */
    prolonged_form *form;
    uint32_t *from;      /* nonzeros: place in the array's Jacobian, then in E */
    double *array_value; /* nonzeros of the array's Jacobian */
    double *e;           /* nonzeros of E */
    double *y0, *y, *yp; /* form->problem.n each */
    double *sum;         /* 2 form->problem.n */
} prolonged_integrated;

/* For the array of a form. In `a`, under its protection. */
prolonged_integrated *prolonged_integrated_create(arena *a, const constraint_levels *array,
                                                  prolonged_form *form);

/* E and y0 are those of this point from now on. */
dae_status prolonged_integrated_hold(prolonged_integrated *l, double t, const double *z);

/* The largest part of its terms by which a row of E (z - z0) is not 0, where E and z0 are held. */
double prolonged_integrated_moved(prolonged_integrated *l, const double *z);

#endif
