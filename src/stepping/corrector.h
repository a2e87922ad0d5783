/* The implicit equation of a step of a multistep method, and the matrix that is kept for it.
 *
 * Such a step ends with y' = c y + v, c = alpha_k / (h beta_k) and v what is known, and F(t, y, y')
 * = 0. The unknown is the change from a predicted y: y' = yp + c (y - predicted), with
 * yp = c predicted + v. Newton's iteration is simplified: c_0 F_y' + F_y is that of an
 * earlier point and of an earlier c_0. While c has changed little, corrections are multiplied by 2
 * / (1 + c / c_0) (Brenan, Campbell & Petzold 1996, Sec. 5.2.2); a new Jacobian is evaluated where
 * the iteration fails with an old one, or has become slow, and where an old one would have to be
 * factored again.
 */
#ifndef INTEGRATE_CORRECTOR_H
#define INTEGRATE_CORRECTOR_H

#include "base/workspace.h"
#include "stepping/engine.h"
#include "stepping/newton.h"

typedef struct corrector {
    problem *problem;
    newton newton;                        /* its tolerance is set by the engine */
    bool exactly;                         /* down to round-off, with the matrix of each point */
    bool expects;                         /* a rate like the last one */
    double rate;                          /* of convergence, where the iteration told one last */
    double *correction, *scaled, *effect; /* n each */
    const double *effect_weight;          /* n, of the engine: see stepping.h */
    double factored;                      /* c_0; 0: there are no factors */
    double amplification; /* of errors by algebraic variables of index 1, in tolerances, by them */
    bool linearized;      /* there is a Jacobian ... */
    bool fresh;           /* ... of the step that is tried */
    int age;              /* of the Jacobian, in steps */
    size_t all_iterations;
} corrector;

/* What is to be solved. */
typedef struct corrector_point {
    double t, h, c;
    const double *predicted, *yp; /* n: y and y' there */
    const double *weight;         /* n */
    step_failure *failure;
} corrector_point;

/* Place the arrays in `space`, or measure; reserve one real factorisation, slot 0. */
void corrector_carve(corrector *q, workspace *space, problem *p);
dae_status corrector_reserve(corrector *q);

/* Solve as well as the options ask for, with tolerances that are held at `rtol`. */
void corrector_hold(corrector *q, const engine_options *options, double rtol);

/* Nothing is known of the matrix any more. */
void corrector_restart(corrector *q);

/* An attempt ended with this status of the iteration: *factor becomes that of the next step where
 * the iteration tells one. The points that it came to may be far off, and its Jacobian is not kept:
 * one of an exponential that is much too large makes each correction small. */
void corrector_shorten(corrector *q, dae_status status, double *factor);

/* The end of an attempt failed the error test: it may be far off, and so may the point at which its
 * Jacobian was evaluated. */
void corrector_reject(corrector *q);

/* A step was accepted: its Jacobian is no longer that of the present point. */
void corrector_leave(corrector *q);

/* The norm of a change of y in a step h, in which variables and directions of higher index count
 * with powers of h. */
double corrector_norm(corrector *q, const double *x, const double *weight, double h);

/* The same of what is differentiated in x, a change of y over a short step, which x becomes: what
 * else is in it leads back to the algebraic equations. */
double corrector_norm_of_dynamic(corrector *q, double *x, const double *weight, double h);

/* The norm of an estimated error x of a step h, in which algebraic variables of index 1 become no
 * less than what the error of the others makes of them.
 *
 * Where such a variable depends on a stiff direction, as z on L x beside x' = -L x + ..., an error
 * of x is one of z L times as large, and as much larger as 1/h after a step that damps it. Neither
 * shows in how z differs from its prediction: steps of equal length are off by about the same. So
 * the error is taken through the matrix of the step (Petzold, SIAM J. Sci. Stat. Comput. 3 (1982)
 * 367; Hairer & Wanner II, (IV.8.20)). */
double corrector_error(corrector *q, double *x, const double *weight, double h);

/* Solve by y, from the predicted one: y, y' and change = y - predicted (n each). DAE_NEWTON,
 * DAE_NOT_EVALUABLE, DAE_SINGULAR, with a matrix of the point itself, and the trouble named; or a
 * status of the problem. */
dae_status corrector_solve(corrector *q, const corrector_point *at, double *change, double *y,
                           double *yp);

void corrector_state(corrector *q, state_visit *s);

#endif
