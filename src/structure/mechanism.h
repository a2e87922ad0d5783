/* Recognises a constrained mechanical system in equations that are written in another way.
 *
 * First the names of velocities, accelerations and intermediate variables are taken out
 * (mechanical_names.h). A system is mechanical if it then reads
 *   row_scale[i] times motion equation i:  M(t, q) q'' = f(t, q, q') + B(t, q) lambda,
 *   phi(t, q) = 0 and A(t, q) q' = b(t, q), at least one of them,
 * where M is symmetric and positive semidefinite, and the columns of B span the same space as the
 * rows of G = (phi_q; A): B lambda = G^T (T lambda) with an invertible T(t, q). So reactions do no
 * work in motions that the constraints permit (d'Alembert; E. Hairer & G. Wanner, Solving Ordinary
 * Differential Equations II, 2nd ed. 1996, Sec. VII.1). Scales of rows are numbers: arbitrary
 * functions would make a mechanism of almost any two equations with one multiplier. Only if no
 * numbers fit, each motion equation is first divided by its own coefficient of q_i'', so that a
 * common factor that depends on t and q does no harm. */
#ifndef STRUCTURE_MECHANISM_H
#define STRUCTURE_MECHANISM_H

#include "structure/mechanical_names.h"
#include "symbolic/matrix.h"

typedef struct mechanism {
    size_t coordinates, constraints, holonomic; /* the first constraints are holonomic */
    uint32_t *coordinate;                       /* coordinates: ids of q */
    uint32_t *velocity;   /* coordinates: ids of the named velocities, INCIDENCE_NONE */
    uint32_t *kinematic;  /* coordinates: the equation that names the velocity, INCIDENCE_NONE */
    uint32_t *multiplier; /* constraints: ids of lambda */
    uint32_t *motion;     /* coordinates: equations of motion; the i-th contains M_ii */
    double *row_scale; /* coordinates: factors that make M symmetric and fit B to the constraints */
    bool divided;      /* motion equations are divided by their coefficients of q_i'' first */
    uint32_t *constraint;          /* constraints: phi = 0, then the velocity constraints */
    const mechanical_names *names; /* their residuals, and all unknowns by t, q, q', q'', lambda */
    sym_entries mass;              /* of the motion residuals, unscaled, by q'' */
    sym_entries direction;         /* of the motion residuals, unscaled, by lambda */
    sym_entries jacobian;          /* of phi by q, of the other constraints by q' */
} mechanism;

/* The mechanical form of a square system, or NULL if it has none. In the system's arena, under its
 * protection.
 *
 * Linearity is decided on the expressions and their derivatives. Equality of two functions is
 * decided by their values at random points near the start, as for polynomials (J. T. Schwartz, J.
 * ACM 27 (1980); R. Zippel, EUROSAM 1979): analytic functions that differ do so at almost all
 * points. Matrices that are made of pieces (if, abs, min) therefore exclude a mechanism; forces may
 * be. Mechanisms of more than MECHANICAL_LARGEST coordinates are not searched for. */
enum { MECHANICAL_LARGEST = 500 };
const mechanism *structure_mechanical(const sym_system *system);

/* The same for a system without constraints: M(t, q) q'' = f(t, q, q'). */
const mechanism *structure_unconstrained(const sym_system *system);

#endif
