/* The numbers that the engine of multistep methods needs from a row of the catalogue, in doubles.
 * Points are counted back from the newest known one: j = 0 is y_(n+k-1), j = k - 1 is y_n. */
#ifndef INTEGRATE_MULTISTEP_FORMULA_H
#define INTEGRATE_MULTISTEP_FORMULA_H

#include "method/method.h"

/* The unknown of a step is x, the value with which the equations are met: F(t + leg h, x, x') = 0.
 *
 *   implicit:  x' = gain x / h + sum_j (value_j y_j / h + yp_j y_j'),
 *   explicit:  x = sum_j (value_j y_j + yp_j h y_j'), and x' follows from F.
 *
 * The new point is x itself. For variables that the method carries it is y = new x + sum_j old_j
 * y_j, where x = sum_j beta_j y_(n+j) in a one-leg method and x = z - sum_j gamma_j z_(n+j) /
 * beta_k in a blocked one. */
typedef struct multistep_formula {
    int steps;
    int order;
    bool is_implicit, one_leg, blocked;
    double gain, leg;
    double value[METHOD_MOST_STEPS], yp[METHOD_MOST_STEPS];
    double new_part, old_part[METHOD_MOST_STEPS];
} multistep_formula;

void multistep_formula_make(multistep_formula *f, const method_multistep *numbers);

#endif
