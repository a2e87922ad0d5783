/* Impulses: jumps of states that an event forces.
 *
 * After an event a constraint may exclude the values that the states had before it, as where a
 * switch closes a loop of capacitors, a clutch closes, or an input jumps that is differentiated.
 * Then the highest derivatives and algebraic variables have an impulse. With J the system Jacobian,
 * d f_i^(c_i) / d x_j^(d_j), its strengths xi meet
 *     J xi = -r,
 * where r_i is by how much f_i^(c_i - 1) is missed, and 0 for equations that are not
 * differentiated: their balance holds over the impulse (for mechanical systems the balance of
 * momentum, M dv = G^T L; for circuits that of charge). xi_j is the jump of x_j^(d_j - 1), or for
 * d_j = 0 an impulse of x_j itself (Verghese, Levy & Kailath, IEEE Trans. Automat. Control 26
 * (1981) 811, for linear systems). If J depends on what jumps, the miss is removed in small parts.
 *
 * A state that reinit() has set keeps that value. An impulse of its own has moved it there, in the
 * equation that holds its derivative: this equation gives way to xi_j, which is known. So a mass
 * that is thrown back moves what is joined to it (for mechanical systems M dv = G^T L + e_j l; C.
 * Glocker, Set-Valued Force Laws (2001), Ch. 8). Where only equations like a = der(v) hold it,
 * which give a variable of their own, the impulse is in the equation of a state whose jump follows
 * from that of v by constraints alone: v may be the speed of a stop behind the flange of a body.
 * Constraints that hold in all modes come first: what a contact holds to that body as well is not
 * what is struck. */
#ifndef EVENT_IMPULSE_H
#define EVENT_IMPULSE_H

#include "problem/levels.h"

/* Why an impulse is not determined. */
typedef enum impulse_fault {
    IMPULSE_FOUND,
    IMPULSE_DEEP,    /* the equations are not known by levels, so that nothing tells how impulses
                        balance */
    IMPULSE_BENT,    /* an equation is not linear in what has an impulse */
    IMPULSE_UNFIT,   /* the jump depends on how what jumps changes within its instant */
    IMPULSE_OF_WAY,  /* the jump depends on the way on which constraints are met */
    IMPULSE_SHARED,  /* several equations hold the derivative of a state that is given, and jumps
                        depend on which of them gives way */
    IMPULSE_GIVEN,   /* constraints exclude the states that are given */
    IMPULSE_SINGULAR /* the system Jacobian is singular, or has no value */
} impulse_fault;

/* States that are given: their entries in z, and the values that they had before. */
typedef struct impulse_given {
    size_t count;
    const size_t *entry;
    const double *before;
    bool *has; /* levels->size, given as false: becomes true of entries that have an impulse; */
    double *strength; /* levels->size, given as 0: its strength, where that is known. NULL, as has:
                         nobody asks */
    /* Exchanges the modes before the event and the present ones, in the equations as they are.
     * NULL: they had other ones. */
    void (*exchange)(void *self);
    void *self;
    const bool *chosen; /* rows of the last level: the present modes choose the equation. NULL: not
                           known */
} impulse_given;

/* Move the states in z (levels->size) so that they meet the last but one level. The levels below it
 * must be met; where they are not, see deep_impulse.h. *row: the row of that level, or for
 * IMPULSE_BENT of the last level, that is to blame. DAE_OK with *fault; DAE_NO_MEMORY, DAE_STOPPED.
 * z is changed only where the impulse is found. Those that are given have their new values in z
 * already, and keep them. */
dae_status impulse_apply(const constraint_levels *levels, double t, const impulse_given *given,
                         double *z, impulse_fault *fault, size_t *row);

/* What a function that looks for a jump returns: that equations have no values or are singular on
 * the way is a fault of the jump. */
dae_status impulse_end(dae_status status, impulse_fault *fault);

#endif
