/* Impulses: jumps of states that an event forces.
 *
 * Behind an event a constraint may exclude the values that the states had before it, as where a
 * switch closes a loop of capacitors, a clutch closes, or an input jumps that is differentiated.
 * Then the highest derivatives and algebraic variables have an impulse. With J the system Jacobian,
 * d f_i^(c_i) / d x_j^(d_j), its strengths xi meet
 *     J xi = -r,
 * where r_i is by how much f_i^(c_i - 1) is missed, and 0 for equations that are not
 * differentiated: their balance holds over the impulse (for mechanical systems the balance of
 * momentum, M dv = G^T L; for circuits that of charge). xi_j is the jump of x_j^(d_j - 1), or for
 * d_j = 0 an impulse of x_j itself (Verghese, Levy & Kailath, IEEE Trans. Automat. Control 26
 * (1981) 811, for linear systems). If J depends on what jumps, the miss is removed in small parts.
 */
#ifndef EVENT_IMPULSE_H
#define EVENT_IMPULSE_H

#include "problem/levels.h"

/* Why an impulse is not determined. */
typedef enum impulse_fault {
    IMPULSE_FOUND,
    IMPULSE_DEEP,    /* a constraint is missed that is differentiated more than once to the last
                        level: values would jump whose derivatives are differentiated again */
    IMPULSE_BENT,    /* an equation is not linear in what has an impulse */
    IMPULSE_OF_WAY,  /* the jump depends on the way on which constraints are met */
    IMPULSE_SINGULAR /* the system Jacobian is singular, or has no value */
} impulse_fault;

/* Move the states in z (levels->size) so that they meet the last but one level. The levels below it
 * must be met. *row: the row of that level, or for IMPULSE_BENT of the last level, that is to
 * blame. DAE_OK with *fault; DAE_NO_MEMORY, DAE_STOPPED. z is changed only where the impulse is
 * found. */
dae_status impulse_apply(const constraint_levels *levels, double t, double *z, impulse_fault *fault,
                         size_t *row);

#endif
