/* What expands the formulas of modified extended BDF, for two tests. */
#ifndef TESTS_INTEGRATE_MEBDF_SIDES_H
#define TESTS_INTEGRATE_MEBDF_SIDES_H

#include "base/unit.h"
#include "integrate/bdf_parts.h"

/* coefficient[i] of y_(n+1-i) in sum_j weight_j nabla^j y_(n+1), j = 1 ... k. */
static inline void expand(int k, const double *weight, double *coefficient)
{
    for (int i = 0; i <= k; i++) coefficient[i] = 0;
    for (int j = 1; j <= k; j++) {
        double binomial = 1;
        for (int i = 0; i <= j; i++) {
            coefficient[i] += weight[j] * binomial;
            binomial *= -(double)(j - i) / (i + 1);
        }
    }
}

/* Left sides of BDF, and of the formula of the third stage with 1 as the coefficient of y_(n+1). */
static inline void left_sides(const mebdf_formula *f, double *plain, double *extended)
{
    int k = f->steps;
    double one[MEBDF_MOST_STEPS + 1], other[MEBDF_MOST_STEPS + 1], sum = 0;
    for (int j = 1; j <= k; j++) {
        sum += 1.0 / j;
        one[j] = 1.0 / j;
        other[j] = f->now / j + f->next * sum;
    }
    expand(k, one, plain);
    expand(k, other, extended);
    ck_assert_double_eq_tol(plain[0], f->leading, 1e-14);
    ck_assert_double_eq_tol(extended[0], 1, 1e-14);
}

#endif
