/* Impulses of higher order: jumps of values whose derivatives are differentiated again.
 *
 * Where the position of a mass jumps, its speed has an impulse delta, and the force that moves it
 * has its derivative delta'. Let s_j,m be the jump of x_j^(m), and for m < 0 the strength of
 * delta^(-m-1) in x_j. After the event the equations hold as equations of distributions. If f_i is
 * sum_jk a_ijk(t) x_j^(k) + g_i(t) in all that jumps or has impulses, Leibniz' rule for its q-th
 * derivative gives
 *     sum_jk sum_l binomial(q, l) a_ijk^(l) s_j,k+q-l = -r_i,q,
 * where r_i,q is by how much f_i^(q) is missed by the values before. For q < 0 the equation is that
 * of the strength of delta^(-q-1): then r = 0, and the same rule holds with its binomial
 * coefficients for negative q. With the offsets c_i, d_j and q = c_i - b these are, for b = max c,
 * ..., 1, linear systems for s_j,d_j-b whose matrix is the system Jacobian; the other terms belong
 * to larger b (for linear equations Dolezal, Dynamics of Linear Systems (1971); P. J. Rabier & W.
 * C. Rheinboldt, Linear Algebra Appl. 247 (1996) 1).
 *
 * Where an equation stands for a combination of derivatives of others (structure/conversion.h), its
 * integrals are missed as well, because those others hold from the event on and not before. Then b
 * begins above max c.
 *
 * What is not linear in what jumps does not determine its product with an impulse. So the jump has
 * to be the same with the coefficients before and after it, and with those where all that has an
 * impulse is far away. Where it is not, fast motions may determine it: see bent_impulse.h. */
#ifndef EVENT_DEEP_IMPULSE_H
#define EVENT_DEEP_IMPULSE_H

#include "event/impulse.h"

/* As impulse_apply(), whatever levels are missed. */
dae_status deep_impulse_apply(const constraint_levels *levels, double t, const impulse_given *given,
                              double *z, impulse_fault *fault, size_t *row);

#endif
