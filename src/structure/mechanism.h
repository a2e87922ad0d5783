/* Recognises a constrained mechanical system in equations that are written in another way.
 *
 * First the names of velocities, accelerations and intermediate variables are taken out
 * (mechanism.h). A system is mechanical if it then reads
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

#include "base/arena.h"
#include "symbolic/system.h"
#include "symbolic/tape.h"

#include <stdbool.h>

/* Takes names that authors give to velocities, accelerations, reactions and lengths out of the
 * equations of a mechanism.
 *
 * structure_explicit() serves integration and takes out whatever is given explicitly. Here,
 * constraints among coordinates have to stay, y = x^2 as well as x^2 + y^2 = 1, and reactions must
 * not vanish together with the equations of motion in which they occur. The rules, in this order,
 * until none applies:
 *   - v that occurs differentiated and is given by c1 v + c2 der(x) = s(t, coordinates) becomes the
 *     velocity of x; each x has one velocity;
 *   - an algebraic alias of a differentiated variable; aliases that differ at most in sign come
 * first, so that R*w = v is kept as a constraint if both have other names;
 *   - an algebraic variable with a numeric factor in an equation without derivatives (Fx =
 * x*lambda, l = sqrt(x^2 + y^2), aliases) or with velocities only (u = der(x));
 *   - a variable of which only the first derivative occurs, given by coordinates and velocities
 * (the path of a pivot, an alias of a coordinate, a second name of a velocity);
 *   - an algebraic variable a in c1 a + c2 der(der(x)) = 0, first where c1 = -c2, as long as there
 * are more equations with accelerations or algebraic variables than coordinates; otherwise it may
 * be a reaction, such as F in m*der(v) = F. One equation alone does not show which of two algebraic
 * variables names an acceleration, a = der(v), and which is a reaction, der(v) = F. Equations
 * between such variables only, such as m*a = -F or F = R, are kept until accelerations are named;
 * with `reactions_first` they are used before that. */

enum { MECHANICAL_ABSENT = INT32_MAX };

typedef struct mechanical_names {
    const sym_system *system;
    sym *residual; /* equations: lhs - rhs in the remaining unknowns; SYM_NONE: it defined a name */
    sym *value;    /* unknowns: expression in the remaining unknowns */
    uint32_t *given_by; /* unknowns: the equation that defined the name, or INCIDENCE_NONE */
    uint32_t *highest;  /* unknowns: the highest derivative that remains, or MECHANICAL_ABSENT */
    uint32_t *velocity; /* unknowns: the name of its first derivative, or INCIDENCE_NONE */
} mechanical_names;

/* Take the names out of a square system. In its arena, under its protection. */
mechanical_names *mechanical_names_remove(const sym_system *system, bool reactions_first);

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
 * decided by their values at random points near the start, and at random values of discrete
 * variables, as for polynomials (J. T. Schwartz, J. ACM 27 (1980); R. Zippel, EUROSAM 1979):
 * analytic functions that differ do so at almost all points. Matrices that are made of pieces (if,
 * abs, min) therefore exclude a mechanism; forces may be. Mechanisms of more than
 * MECHANICAL_LARGEST coordinates are not searched for. */
enum { MECHANICAL_LARGEST = 500 };
const mechanism *structure_mechanical(const sym_system *system);

/* The same for a system without constraints: M(t, q) q'' = f(t, q, q'). */
const mechanism *structure_unconstrained(const sym_system *system);

/* Finds factors of the equations of motion for which a system is mechanical at all given points. */

/* The matrices of mechanism.h at one point, by rows. Row i of the first two belongs to the equation
 * of motion of the i-th of n coordinates; there are m constraints. */
typedef struct mechanical_sample {
    double *mass;      /* n x n */
    double *direction; /* n x m */
    double *jacobian;  /* m x n */
} mechanical_sample;

/* Find scale[i] (n), the same for all samples, for which scale[i] mass_ij is symmetric and positive
 * semidefinite, and the columns of scale[i] direction_il span the same space as the rows of the
 * jacobian, up to rounding. If signs suffice, only signs are used. Otherwise |scale[0]| is 1, and
 * of several solutions one without needless differences is taken. False if there is none. In `a`,
 * under its protection; work grows with n^2 (n + m) for each sample. */
bool mechanical_scale(arena *a, size_t n, size_t m, size_t samples, const mechanical_sample *at,
                      double *scale);

#endif
