/* A method on the undamped oscillation y' = i omega y. */
#ifndef METHOD_FREQUENCY_H
#define METHOD_FREQUENCY_H

#include "method/method.h"

/* At frequency times step omega h: the factor of a step is R(i omega h), of a multistep method a
 * root of its characteristic polynomial, as of a structural method on q'' = -omega^2 q. The
 * principal one is that which begins as 1 at omega h = 0, where exp(i omega h) does. */
typedef struct method_frequency {
    double omega;   /* times h */
    double radius;  /* the largest modulus of all roots */
    double modulus; /* of the principal root */
    double phase;   /* its argument over omega h, less 1: the part by which the phase is off */
} method_frequency;

/* Fill at[0], ..., at[count - 1] for omega h from `first` to `last`, both above 0, in geometric
 * steps. */
void method_frequencies(const method *given, double first, double last, int count,
                        method_frequency *at);

#endif
