/* The form of a constrained mechanical system, found in equations that are written in another way.
 *
 * With the names of velocities, accelerations and intermediate variables taken out
 * (mechanical_names.h) a system has it if it reads
 *   row_scale[i] times motion equation i:  M(t, q) q'' = f(t, q, q') + B(t, q) lambda,
 *   phi(t, q) = 0 and A(t, q) q' = b(t, q), one of them at least,
 * where M is symmetric and positive semidefinite, and where the columns of B span what the rows of
 * G = (phi_q; A) span: B lambda = G^T (T lambda) with an invertible T(t, q), so that reactions do
 * no work in motions that the constraints leave (d'Alembert; E. Hairer & G. Wanner, Solving
 * Ordinary Differential Equations II, 2nd ed. 1996, Sec. VII.1). Scales of rows are numbers:
 * functions at will would make a mechanism of almost any two equations with one multiplier. Only
 * where no numbers fit, each motion equation is divided by its own coefficient of q_i'' first, so
 * that a common factor that depends on t and q does no harm. */
#ifndef STRUCTURE_MECHANISM_H
#define STRUCTURE_MECHANISM_H

#include "structure/mechanical_names.h"
#include "symbolic/matrix.h"

typedef struct mechanism {
    size_t coordinates, constraints, holonomic; /* constraints: of them the first are holonomic */
    uint32_t *coordinate;                       /* coordinates: ids of q */
    uint32_t *velocity;   /* coordinates: ids of what is called their velocity, INCIDENCE_NONE */
    uint32_t *kinematic;  /* coordinates: the equation that says so, INCIDENCE_NONE */
    uint32_t *multiplier; /* constraints: ids of lambda */
    uint32_t *motion;     /* coordinates: equations of motion, the i-th with M_ii */
    double *row_scale;    /* coordinates: what makes M symmetric and B that of the constraints */
    bool divided;         /* motion equations are divided by their coefficients of q_i'' first */
    uint32_t *constraint; /* constraints: phi = 0, then those of velocities */
    const mechanical_names *names; /* their residuals, and all unknowns by t, q, q', q'', lambda */
    sym_entries mass;              /* of the motion residuals, unscaled, by q'' */
    sym_entries direction;         /* of the motion residuals, unscaled, by lambda */
    sym_entries jacobian;          /* of phi by q, of the other constraints by q' */
} mechanism;

/* The form of a square system, or NULL where it has another one. In the system's arena, under its
 * protection.
 *
 * What is linear, and in what, is decided on the expressions and their derivatives. That two
 * functions are equal is decided by their values at random points near the start, as it is for
 * polynomials (J. T. Schwartz, J. ACM 27 (1980); R. Zippel, EUROSAM 1979): analytic functions that
 * differ do so at almost all points. Matrices that are made of pieces (if, abs, min) are therefore
 * none of a mechanism; forces may be. Mechanisms of more than MECHANICAL_LARGEST coordinates are
 * not looked for. */
enum { MECHANICAL_LARGEST = 500 };
const mechanism *structure_mechanical(const sym_system *system);

/* The same of a system without constraints: M(t, q) q'' = f(t, q, q'). */
const mechanism *structure_unconstrained(const sym_system *system);

#endif
