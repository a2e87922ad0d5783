/* A method on the undamped oscillation y' = i omega y. */
#ifndef METHOD_FREQUENCY_H
#define METHOD_FREQUENCY_H

#include "method/method.h"

/* At frequency times step omega h: the factor of a step is R(i omega h). For a multistep method,
 * and for a structural method on q'' = -omega^2 q, it is a root of the characteristic polynomial.
 * The principal root is the one that starts at 1 for omega h = 0, as exp(i omega h) does. */
typedef struct method_frequency {
    double omega;   /* times h */
    double radius;  /* the largest modulus of all roots */
    double modulus; /* of the principal root */
    double phase;   /* its argument over omega h, less 1: the part by which the phase is off */
} method_frequency;

/* Fills at[0], ..., at[count - 1] for omega h from `first` to `last`, both above 0, spaced
 * geometrically. */
void method_frequencies(const method *given, double first, double last, int count,
                        method_frequency *at);

#endif
