/* The implicit equation of a step of a multistep method, and the matrix that is kept for it.
 *
 * Such a step ends with y' = c y + v, c = alpha_k / (h beta_k), where v is known, and F(t, y, y') =
 * 0. The unknown is the change from a predicted y: y' = yp + c (y - predicted), with yp = c
 * predicted + v. Newton's iteration is simplified: c_0 F_y' + F_y is that of an earlier point and
 * of an earlier c_0. While c has changed little, corrections are multiplied by 2 / (1 + c / c_0)
 * (Brenan, Campbell & Petzold 1996, Sec. 5.2.2). A new Jacobian is evaluated if the iteration fails
 * with an old one or has become slow, and if an old one would have to be factored again. */
#ifndef INTEGRATE_CORRECTOR_H
#define INTEGRATE_CORRECTOR_H

#include "base/arena.h"
#include "stepping/engine.h"
#include "stepping/newton.h"

/* What is to be solved, from the predicted values, and where the results go. */
typedef struct corrector_point {
    double t, h, c;
    const double *predicted, *yp;  /* n: y and y' there */
    double *change, *end, *end_yp; /* n each: y - predicted, y, y' */
} corrector_point;

typedef struct corrector {
    engine *engine; /* whose equations, weights, counts and failure these are */
    problem *problem;
    const corrector_point *at;            /* that is being solved; borrowed */
    newton newton;                        /* its tolerance is set by the engine; `exactly`: with
                                           * the matrix of each point */
    bool expects;                         /* expects a rate like the last one */
    double rate;                          /* last rate of convergence that an iteration has shown */
    double *correction, *scaled, *effect; /* n each */
    double *first, *last; /* n each: the residuals before the first and the last correction */
    double factored;      /* c_0; 0: there are no factors */
    double amplification; /* of errors by algebraic variables of index 1; both in tolerances */
    bool linearized;      /* there is a Jacobian ... */
    bool fresh;           /* ... of the step that is tried */
    int age;              /* of the Jacobian, in steps */
} corrector;

/* Places the arrays in `space`, or measures. A real factorisation has to be reserved, in slot 0. */
void corrector_carve(corrector *q, workspace *space, engine *e);

/* Sets how exactly to solve, by the options, with tolerances that are held at e->stepping.rtol. The
 * iterations are counted in e->counts. */
void corrector_hold(corrector *q, engine *e);

/* Forgets the matrix. */
void corrector_restart(corrector *q);

/* To be called when an attempt has ended with this status of the iteration. *factor becomes the
 * factor of the next step, if the iteration suggests one. The points reached may be far off, so the
 * Jacobian is dropped: with an exponential it can be much too large and make each correction
 * small. */
void corrector_shorten(corrector *q, dae_status status, double *factor);

/* To be called when the end of an attempt has failed the error test. It may be far off, and with it
 * the point at which its Jacobian was evaluated. */
void corrector_reject(corrector *q);

/* To be called when a step is accepted: its Jacobian is not that of the present point any more. */
void corrector_leave(corrector *q);

/* The norm of a change of y in a step h, in which variables and directions of higher index count
 * with powers of h. */
double corrector_norm(corrector *q, const double *x, double h);

/* The same for the differential part of x, a change of y over a short step. x becomes that part.
 * The rest of x only leads back to the algebraic equations. */
double corrector_norm_of_dynamic(corrector *q, double *x, double h);

/* The norm of an estimated error x of a step h. In x, algebraic variables of index 1 are raised to
 * the effect that the error of the other variables has on them.
 *
 * Such a variable may depend on a stiff direction, as z on L x beside x' = -L x + .... Then an
 * error of x makes one of z that is L times as large, and after a step that damps x it is larger
 * again by 1/h. Neither shows in the difference between z and its prediction, because steps of
 * equal length have about the same error. So the error is taken through the matrix of the step
 * (Petzold, SIAM J. Sci. Stat. Comput. 3 (1982) 367; Hairer & Wanner II, (IV.8.20)). */
double corrector_error(corrector *q, double *x, double h);

/* The step that has just been solved from a start, at which no derivatives of algebraic variables
 * are known, so that these were predicted unchanged. */
typedef struct corrector_start {
    double t, h;
    const double *y, *rise; /* n each: at the start; what the prediction adds to it */
    const double *change;   /* n: from the prediction */
    double part;            /* the error over the change */
} corrector_start;

/* The norm of the error of that step, up to index 2, which is left in x (n): 0 in algebraic
 * variables of index 2.
 *
 * By how much an algebraic variable changes is no error, but by how much it bends is. So its change
 * counts from its tangent, which one more evaluation near the start shows. The prediction of what
 * is differentiated is its tangent. The error of the one goes to the other as in
 * corrector_error(). */
double corrector_error_at_start(corrector *q, const corrector_start *at, double *x);

/* For the end of the step just solved, which a projection moves to `to` (n): x (n) becomes the end
 * as the equations of the step move it with that. Whether they are of index 1, and x is so far from
 * `to` that the error test would see it.
 *
 * A projection moves what constraints are about, and leaves all else where it is. In the equations
 * of the step what is stiff follows at once: of C v' = (u - v) / R, R -> 0, the v that a moved u
 * leaves behind makes a current of 1/R times the move. Each point has another such kick, which
 * differences of points show as an error. */
bool corrector_follow(corrector *q, const double *to, double *x);

/* Solves. DAE_NEWTON, DAE_NOT_EVALUABLE or DAE_SINGULAR, with a matrix of the point itself and the
 * failure of the iteration recorded; or a status of the problem. */
dae_status corrector_solve(corrector *q, const corrector_point *at);

/* What the last solution has seen of the equations. */
engine_evidence corrector_evidence(const corrector *q);

void corrector_state(corrector *q, state_visit *s);

#endif
