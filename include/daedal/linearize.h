/** The linearisation of a problem's equations about a consistent point: matrices, eigenvalues and
 *  modes, as `daedal linearize` prints them. */
#ifndef DAEDAL_LINEARIZE_H
#define DAEDAL_LINEARIZE_H

#include <daedal/solver.h>
#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A finite eigenvalue, and the motion that belongs to it, as exp(lambda t). */
typedef struct dae_mode {
    double real, imaginary; /**< lambda, 1/s */
    double frequency;       /**< |lambda|, rad/s */
    double damping;         /**< damping ratio -Re(lambda)/|lambda|; NAN for lambda = 0 */
    double time_constant;   /**< -1/Re(lambda), s; negative where the motion grows, infinite where
                                 it neither grows nor decays */
    const double *participation; /**< (states) part of each state in the motion: |w_k v_k| of the
                                      left and right eigenvector, with the sum 1 */
    const double *shape_real, *shape_imaginary; /**< (n) the motion of each variable; the largest,
                                                     in units of its nominal, is 1 of them */
} dae_mode;

/** The linearisation
 *
 *      E y' = A y + B u,      z = C y                              (descriptor form)
 *      x' = a x + b u,        z = c x + d u                        (state-space form)
 *
 *  of F(t, y, y') = 0 with E = dF/dy' and A = -dF/dy at a point, in deviations from it. Matrices
 *  have contiguous rows. Everything is owned by the struct. At a point where y' is not 0 it holds
 *  for as long as the point hardly moves. */
typedef struct dae_linearization {
    dae_status status;   /**< #DAE_OK, or why there is none */
    const char *message; /**< of that failure, "" where there is none */
    const char *notes; /**< remarks, one per line: events, kinks, what the eigenvalues leave out */
    double t;          /**< time of the point */

    size_t n, inputs, outputs;
    const char *const *variable; /**< n: the author's, and after them those that stand for what
                                      der() of an expression is applied to */
    const double *y, *yp;        /**< n each: the point; NAN for derivatives that do not occur */
    const char *const *input, *const *output; /**< their names */
    const double *E, *A;                      /**< n x n */
    const double *B;                          /**< n x inputs */
    const double *C;                          /**< outputs x n: a 1 in each row */

    long index;      /**< of the pencil (E, A), without constraints that are left out; -1: det(s E -
                          A) vanishes for all s */
    size_t states;   /**< finite eigenvalues, with their multiplicity: degrees of freedom */
    size_t infinite; /**< n - states */
    bool structural; /**< the number of states follows from the structure of the equations, with
                          entries of known place; otherwise from ranks of matrices */
    double margin; /**< the smallest of these ranks' margins, or that of the system Jacobian: about
                        round-off where the answer is doubtful */
    const char *const *state; /**< states: which variables, or derivatives of them, are x */
    size_t derivatives;  /**< how often inputs are differentiated in the outputs: 0, or there is no
                              state-space form, and z = c x + d u + d_1 u' + ... */
    bool shifted;        /**< the equations contain derivatives of inputs: x are these variables
                              less a part of the inputs */
    const double *a, *b; /**< states x states, states x inputs */
    const double *c, *d; /**< outputs x states, (1 + derivatives) x outputs x inputs: d, d_1, ... */

    const dae_mode *mode; /**< states: finite eigenvalues, |lambda| ascends */
    double cross_check;   /**< the largest relative distance of one from the nearest eigenvalue that
                               the QZ algorithm finds of the pencil (E, A); NAN: not computed */
} dae_linearization;

/** Which variables are inputs and outputs, by their numbers (dae_problem_find(),
 *  dae_problem_select()). An input is a variable that one equation gives alone, as a function of
 *  time: it gets a deviation u in this equation. */
typedef struct dae_ports {
    const size_t *input; /**< `inputs` numbers; NULL: the inputs of the model without an equation */
    size_t inputs;
    const size_t *output; /**< `outputs` numbers; NULL: the outputs of the model */
    size_t outputs;
} dae_ports;

/** Linearise about the point at which a solver stands: after dae_solver_start() the consistent
 *  start, after dae_solver_run() the end of the run, at an event the point after it. The solver
 *  stays as it was. Jacobians of models are exact; those of C programs are the author's, or
 *  differences.
 *  @param ports NULL: those of the model
 *  @return to be freed by dae_linearization_free(); NULL only when memory is exhausted. The status
 *      is #DAE_USAGE before a start, for numbers of no variable, and for inputs that are none;
 *      #DAE_NOT_EVALUABLE where an equation has no derivative; #DAE_UNSUPPORTED for more than 3000
 *      unknowns; #DAE_SINGULAR where the pencil is singular: E, A, B and C are there then. Where it
 *      is so because constraints of a mechanism depend on the others, these are left out, and the
 *      multipliers that they leave open stay as they are: notes name both, E and A stay as written
 */
DAE_API dae_linearization *dae_linearize(dae_solver *solver, const dae_ports *ports);

/** Free it; NULL is fine. */
DAE_API void dae_linearization_free(dae_linearization *linearization);

#ifdef __cplusplus
}
#endif
#endif
