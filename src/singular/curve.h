/* The curve of solutions of a DAE of index 1, followed by its arc length.
 *
 * At an impasse point the solution ends as a function of time, but the curve of points (y, t) goes
 * on: time turns back there. For A(t, y) y' + b(t, y) = 0, g(t, y) = 0 its tangent (dy/ds, dt/ds)
 * spans the null space of
 *
 *   [ A    b   ]
 *   [ g_y  g_t ],
 *
 * whose first n columns are singular where time turns. This is the augmented system of P. J. Rabier
 * & W. C. Rheinboldt, J. Math. Anal. Appl. 181 (1994) 429, with the arc length for their
 * normalisation: dt/ds is their gamma. Equations that are nonlinear in y' have y' = p among the
 * unknowns: the rows are dy/ds - p dt/ds = 0 and the total derivative of F(t, y, p) = 0.
 *
 * Lengths are measured in scaled unknowns: y_j in the larger of its nominal size and its size at
 * the start, time in a unit that is given. All matrices are dense. */
#ifndef SINGULAR_CURVE_H
#define SINGULAR_CURVE_H

#include "base/message.h"
#include "problem/problem.h"

/* The most unknowns of a curve: a step factors dense matrices of that order some ten times. */
#define CURVE_MOST_UNKNOWNS 500

/* A point of the curve: unknowns u = (y, p, t), their derivatives by the arc length s, and the sign
 * of det [M; tangent], which stays the same along a curve where M has full rank. */
typedef struct curve_point {
    double *u, *slope; /* size: y (n), p (order - n), t */
    int orientation;
} curve_point;

typedef struct curve_options {
    double rtol, atol;
    const double *atols; /* NULL, or n: absolute tolerances in place of atol; borrowed */
    double time_unit;    /* of arc lengths, > 0: the length of the run */
} curve_options;

typedef struct solution_curve solution_curve;

/* Creates the curve through a point that nearly meets the equations: time, y and y' (n each).
 * The first tangent has dt/ds >= 0. DAE_UNSUPPORTED for an index above 1 or too many unknowns;
 * DAE_NO_MEMORY; a status of the problem; DAE_CONSTRAINT where the point is far from the equations.
 * The problem is borrowed; the matrices that it has linearised last change. */
dae_status curve_create(solution_curve **created, problem *p, const curve_options *options,
                        double t, const double *y, const double *yp);

/* The number of unknowns without time, and of y alone. */
size_t curve_order(const solution_curve *c);
size_t curve_size(const solution_curve *c);

/* The column of the problem whose derivative is unknown j, n <= j < order. */
size_t curve_derivative_of(const solution_curve *c, size_t j);

/* What one unit of arc length is in each unknown (order + 1, time last). */
const double *curve_scale(const solution_curve *c);

/* The present point; that at the end of the step that was made last. */
const curve_point *curve_here(const solution_curve *c);
const curve_point *curve_next(const solution_curve *c);

/* Goes the other way from here on. */
void curve_reverse(solution_curve *c);

/* Makes a step whose error is within the tolerances, from here to next; `here` stays. `longest` > 0
 * bounds its length. DAE_STEP_TOO_SMALL, or a status of the problem other than DAE_NOT_EVALUABLE.
 */
dae_status curve_step(solution_curve *c, double longest);

/* The length of that step. */
double curve_length(const solution_curve *c);

/* The point at a part of the last step, 0 < part <= 1, by a step of that length from `here`: as
 * accurate as its end. It is valid until the next such call. DAE_NOT_EVALUABLE, DAE_CONSTRAINT. */
dae_status curve_within(solution_curve *c, double part, const curve_point **found);

/* Moves `here` to the end of the last step, or to a point within it. */
void curve_move(solution_curve *c, const curve_point *to);

/* Smallest over largest singular value at a point: of the square Jacobian without time, and of the
 * whole matrix. A row that is smaller there than at both ends of the last step counts as much less,
 * so that one that vanishes at the point is lost. A status of the problem, or DAE_SINGULAR. */
dae_status curve_singular_values(solution_curve *c, const curve_point *at, double *square,
                                 double *whole);

/* y and y' (n each) at a point: dy/ds over dt/ds, infinite where time turns; NAN where no
 * derivative occurs. */
void curve_values(const solution_curve *c, const curve_point *at, double *y, double *yp);

void curve_free(solution_curve *c); /* NULL is fine */

#endif
