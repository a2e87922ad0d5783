/* The stages of a Runge-Kutta method on F(t, y, y') = 0, block by block; for runge_kutta.c.
 *
 * Stage i has Y_i = y + h sum_j a_ij Y_j' and F(t + c_i h, Y_i, Y_i') = 0. In a block the unknowns
 * are Z_i = Y_i - y; with what earlier blocks contribute, s_i = h sum_j a_ij Y_j', the derivatives
 * are Y_i' = sum_j (A^-1)_ij (Z_j - s_j) / h, A being the block's part of the matrix. Newton's
 * iteration on all stages of a block at once decouples by the eigenvectors of A^-1 into one system
 * n x n for each eigenvalue, real or complex. The derivative of a variable whose derivative does
 * not occur is a formal one: it carries its values on, and F does not see it. */
#ifndef INTEGRATE_STAGES_H
#define INTEGRATE_STAGES_H

#include "base/arena.h"
#include "base/message.h"
#include "method/method.h"
#include "method/scheme.h"
#include "stepping/corrector.h"
#include "stepping/engine.h"
#include "stepping/instant.h"
#include "stepping/newton.h"

/* One rule for all methods on F(t, y, y') = 0 of index 1: whether the kernel of F_y' affects the
 * order. */

/* To be called before an engine is created, since its factorisations take the place of the
 * engine's. If the kernel moves and the method loses order, `m` gets a note with both orders; if
 * the method diverges, the result is DAE_UNSUPPORTED. One-leg methods that do not lessen errors in
 * what F_y' leaves open give DAE_UNSUPPORTED even if the kernel stands still. With other methods a
 * kernel that stands still costs nothing and is not mentioned. DAE_NO_MEMORY, or a status of the
 * problem. */
dae_status kernel_examine(problem *p, const method *which, const engine_options *options,
                          const engine_point *start, message *m);

/* The name of the Radau IIA method that starts an implicit method of this order on p. */
const char *starter_name(const problem *p, int order);

/* Creates owner->starter with the options of `owner`. Its first factorisation is a real one, which
 * a corrector can use as well. Statuses of engine_create(). */
dae_status starter_create(engine *owner, const char *name, message *m);

/* Makes a step from the owner's point to t. The result is left in the starter's engine; its
 * polynomial is in owner->dense as well. The factors of `q` are lost. A failure is recorded in
 * owner->failure. */
dae_status starter_step(engine *owner, corrector *q, double t);

/* And whose coefficients the polynomial of `owner` has: the starter's, or those of owner->next. */
void starter_state(engine *owner, state_visit *to);

/* Sizes that are large enough for each of several schemes. */
typedef struct stages_sizes {
    int stages, coupled, slots;
    bool of_yp, ends; /* y' is computed from y; algebraic variables are as well (instant.h) */
    bool slot_is_complex[SCHEME_MOST_SLOTS];
} stages_sizes;

typedef struct stages {
    engine *engine; /* whose steps these are; with its weights and failure */
    problem *problem;
    const scheme *scheme;
    stages_sizes sizes;
    size_t n;
    double *z;                     /* stages x n, rows contiguous: Y_i - y */
    double *yp;                    /* (stages + extra) x n: Y_i' */
    double *shift;                 /* coupled x n: s_i of the block that is solved */
    double *residual, *correction; /* coupled x n */
    double *value;                 /* n: Y_i of the stage that is evaluated */
    double *scaled;                /* n: in norms; otherwise scratch */
    double *transformed;           /* coupled x n: right sides and solutions of the parts */
    double complex *complex_part;  /* n: right side and solution of a complex part */
    double factored_step;          /* h for which the blocks are factored; 0: for none */
    size_t yp_slot;                /* the factorisation of dF/dy' alone; PROBLEM_NOWHERE: none */
    bool yp_factored;
    instant *instant; /* solves explicit stages for algebraic variables as well; NULL: there are
                         none, or the method does not */
    newton newton;
    double worst_rate; /* of convergence, over the blocks of the last step */
    int iterations;    /* the most iterations of a block */
} stages;

/* Place the arrays in `space`, or measure. */
void stages_carve(stages *s, workspace *space, engine *e);

/* Reserve the problem's factorisations. */
dae_status stages_reserve(stages *s);

/* Factor all blocks for the step h, from the problem as linearised last. */
dae_status stages_factor(stages *s, double h);

/* The norm of a change of y in a step h, in which variables and directions of higher index count
 * with powers of h. */
double stages_norm(stages *s, const double *x, double h);

/* x (n) becomes the real part of (lambda/h F_y' + F_y)^-1 scale x. lambda is the eigenvalue of a
 * part, h the step for which it is factored. scale is 1, or lambda/h with `of_yp`. */
void stages_solve_part(stages *s, const scheme_part *part, bool of_yp, double *x);

/* Solves all blocks of a step h from the engine's state, from the first guesses in z. DAE_NEWTON,
 * which is recorded; DAE_NOT_EVALUABLE, DAE_SINGULAR. */
dae_status stages_solve(stages *s, double h);

/* Solves the additional stages of the dense output. */
dae_status stages_solve_extra(stages *s, double h);

/* Finds yp (n) from y at t, where dF/dy' is regular. yp holds a first guess. */
dae_status stages_find_yp(stages *s, double t, const double *y, double *yp);

/* sum += h sum_i weight[i] Y_i', over the first `count` stages */
void stages_add(const stages *s, int count, const double *weight, double h, double *sum);

/* Of the scheme at work. */
void stages_state(stages *s, state_visit *to);

#endif
