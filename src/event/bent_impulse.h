/* Impulses of higher order along constraints that are not linear.
 *
 * Where the length of a pendulum jumps, its position moves along the rod, and the rod turns neither
 * the position nor the momentum that it does not hold. Such a jump is the limit of fast motions, in
 * which constraints f_i = rho_i(t) (1 - h_i((t - t0)/eps)) fall to 0 within a time eps; rho_i is by
 * how much the values before miss f_i. Expanded by powers of eps (problem/levels.h), the equations
 * at eps^q, q < 0, are linear systems with the system Jacobian for the highest derivatives, and the
 * others are their integrals over s = (t - t0)/eps. What is left at eps^0 after s = 1 is the jump,
 * provided that nothing is left with eps^-1, eps^-2, ... and that the jump is the same for all h_i:
 * the constraints are then fit for jumps (A. Bressan, Atti Accad. Naz. Lincei (8) Mem. 19 (1989)
 * 197; F. Rampazzo, SIAM J. Control Optim. 29 (1991) 1; B. Brogliato, Nonsmooth Mechanics (3rd ed.
 * 2016), Sec. 1.3). In coordinates xi along the constraint and u across it with the metric g, this
 * is so if g_uu - g_uxi g_xixi^-1 g_xiu does not depend on xi: a particle whose circle grows is fit
 * for it, one whose circle is moved is not. */
#ifndef EVENT_BENT_IMPULSE_H
#define EVENT_BENT_IMPULSE_H

#include "event/impulse.h"

/* A state that is given: its jump is known. In numbers of the last level, it is the b-th integral
 * of a highest derivative, and an equation gives way to it. */
typedef struct impulse_state {
    size_t b, column, holder;
    double moves;
} impulse_state;

/* As deep_impulse_apply(), from the state before in z, where `count` states are given: they are
 * driven to their new values within eps, x_j^(d_j) = moves h^(b)/eps^b. */
dae_status bent_impulse_apply(const constraint_levels *levels, double t, const impulse_given *given,
                              size_t count, const impulse_state *state, double *z,
                              impulse_fault *fault);

#endif
