/* The numbers of modified extended BDF (J. R. Cash, Comput. Math. Appl. 9 (1983) 645; Hairer &
 * Wanner, Solving ODEs II, 2nd ed., Sec. V.3), from their conditions.
 *
 * With backward differences, h y'_(n+1) = sum_j nabla^j y_(n+1) / j and h y'_(n+2) = sum_j H_j
 * nabla^j y_(n+1), H_j = 1 + 1/2 + ... + 1/j. The formula of k steps and order k + 1
 *
 *   y_(n+1) + sum_(i < k) a_i y_(n-i) = h (now y'_(n+1) + next y'_(n+2))
 *
 * is the combination of both, cut off after nabla^k, in which nabla^(k+1) vanishes. BDF of k steps,
 * of order k, gives y'_(n+2) and a part of y'_(n+1): now - 1/H_k, so that what remains implicit has
 * its coefficient, 1/H_k, and its matrix. */
#ifndef INTEGRATE_MEBDF_FORMULA_H
#define INTEGRATE_MEBDF_FORMULA_H

/* Formulas with more steps are A(alpha)-stable for an alpha below 45 degrees. */
enum { MEBDF_MOST_STEPS = 7 };

typedef struct mebdf_formula {
    int steps;
    double leading;    /* H_k: h y'_(n+1) = H_k y_(n+1) + older points, in all three stages */
    double now, next;  /* as above */
    double correction; /* next H_k: this times nabla^(k+1) of the second stage goes to the third */
    double error;      /* of BDF, divided by its difference from its prediction: Milne's device */
} mebdf_formula;

/* steps: 1 ... MEBDF_MOST_STEPS */
mebdf_formula mebdf_formula_make(int steps);

#endif
