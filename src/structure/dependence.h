/* Finds equations that depend on each other whatever the values: a sum of multiples of equations,
 * some of them differentiated, in which all unknowns cancel. Either it says 0 = 0, and one of the
 * equations follows from the others, or it says 0 = 1, and they contradict each other.
 *
 * The factors are numbers. They are found as dependences between the rows of the Jacobians by all
 * derivatives, at several scattered points side by side. By each derivative, the sum must vanish to
 * the rounding of its own terms, so that units play no part. The sums are evaluated there as well.
 * Equations that follow from others by factors that change with the values, such as (x^2 + y^2)^2 =
 * 1 from x^2 + y^2 = 1, are not found. */
#ifndef STRUCTURE_DEPENDENCE_H
#define STRUCTURE_DEPENDENCE_H

#include "base/message.h"
#include "structure/prolongation.h"
#include "structure/signature.h"

typedef struct dependent_sum {
    size_t parts;
    size_t *row;    /* parts: rows of the prolongation */
    double *factor; /* parts: the first is 1 */
    double says;    /* the constant that remains; 0: none */
} dependent_sum;

typedef struct dependence {
    const sym_system *system;
    const prolongation *p; /* of the system's equations, none replaced */
    size_t count;          /* 0: none was found */
    dependent_sum *sum;
    size_t open; /* number of unknowns that stay undetermined */
    uint32_t *undetermined;
    const double *points; /* the inputs of the points at which this holds, one after the other */
} dependence;

/* Examine the equations of a square system, and their derivatives as often as its signature asks,
 * around t and values of the unknowns, in their sizes and a unit of time. The result lives in the
 * system's arena, under its protection. */
dependence *structure_dependence(const sym_system *system, const signature *own, double time_unit,
                                 double t, const double *value);

/* Whether a sum says that 0 = 1. */
bool structure_contradicts(const dependence *d);

/* Fail with DAE_STRUCTURE. The message tells which equations depend on which, in which mode of
 * their relations and discrete variables, and which variables stay undetermined. remedy: a line
 * instead of the usual one, or "". Under the same protection. */
void structure_report_dependence(const dependence *d, const char *remedy, message *m);

#endif
