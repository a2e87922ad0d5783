/* Engines: what advances a problem by one step.
 *
 * The seam is: create, start, step, replace the end of the step by a projected state, free; the
 * engine shows the polynomial of its last step. The driver does the rest. */
#ifndef INTEGRATE_ENGINE_H
#define INTEGRATE_ENGINE_H

#include "base/message.h"
#include "base/state.h"
#include "problem/problem.h"
#include "stepping/dense_output.h"

#include <daedal/status.h>

#include <math.h>

typedef struct engine engine;

typedef struct engine_options {
    double rtol, atol;
    const double *atols; /* NULL, or n: one absolute tolerance a variable, in place of atol;
                            borrowed */
    double fixed_step;   /* > 0: steps of this length, no error control */
    double first_step;   /* > 0: the first step that is tried */
    double max_step;     /* > 0: no step is longer */
    int max_order;       /* > 0: a method of variable order takes no higher one */
    double direction;    /* +1 or -1: towards which time */
    bool stable_steps;   /* no step beyond the limit of stability, where the engine finds it */
    bool watch;          /* the engine is to look how stiff the problem is, where it can */
} engine_options;

/* What variable k may be off where it is `value`. */
static inline double engine_tolerance(const engine_options *o, size_t k, double value)
{
    return o->rtol * fabs(value) + (o->atols ? o->atols[k] : o->atol);
}

typedef struct engine_counts {
    size_t steps, rejected,
        attempts; /* accepted; by the error test or Newton; all that were tried */
    size_t newton_iterations;
} engine_counts;

/* Why the last step failed, for the message. */
typedef struct step_failure {
    dae_status cause;  /* of the last attempt that failed: DAE_NEWTON, DAE_SINGULAR, ... */
    size_t worst;      /* the component whose correction or error was the largest */
    size_t worst_row;  /* of those with that variable the equation with the largest residual; or the
                          one without a value */
    double step;       /* the step that was tried last */
    bool by_round_off; /* the error no longer falls with the step: see round_off.h */
    double noise;      /* > 0: round-off of the equations makes so much of variable `noisiest`, in
                          what a step may be off, that errors cannot be held at it */
    size_t noisiest;
} step_failure;

typedef struct engine_ops {
    void (*start)(engine *e);                     /* at e->t, e->y, e->yp */
    dae_status (*examine)(engine *e, message *m); /* NULL: any start will do */
    dae_status (*step)(engine *e, double t_end);
    /* e->y is going to be y; NULL: no other points are known. */
    void (*replace)(engine *e, const double *y);
    /* The unknowns are others from now on, e->y and e->yp already: past points are mapped. NULL:
     * the engine has none, or is started anew. */
    dae_status (*carry)(engine *e, point_map map, void *self);
    /* e->dense, of which all is known but the coefficients; NULL: each step makes them. */
    void (*interpolate)(engine *e);
    /* Another engine has used e->problem: Jacobians and factors at hand are no longer those of e.
     * NULL: the engine cannot go on after that. */
    void (*lend)(engine *e);
    /* The engine's own state, but for what engine_state() visits: the public part, the polynomial
     * and the problem. Where restoring has to, it points e->dense.coefficient at room enough. */
    void (*state)(engine *e, state_visit *s);
    void (*free)(engine *e);
} engine_ops;

/* The public part that each engine begins with. */
struct engine {
    const engine_ops *ops;
    problem *problem;
    engine_options options;
    double t;
    double *y, *yp;     /* n: at t */
    dense_output dense; /* of the last step accepted, which ended at t: engine_polynomial() */
    bool interpolates;  /* its coefficients are still to be made */
    bool is_explicit;   /* its stages ask for nothing of derivatives but themselves */
    double care;        /* > 1: errors are held at tolerances that are divided by this */
    engine_counts counts;
    step_failure failure;
    double noise; /* > 0: the tolerance of variable `noisiest` was below the round-off of the
                     equations, so large, and its error is held at about that */
    size_t noisiest;
    int order_level;    /* at work, of a one-step method of variable order; else 0 */
    int start_level;    /* that is known to hold where the engine is started; 0: none is */
    double held_at;     /* what its error is held at, in tolerances */
    double frequency;   /* the largest natural frequency along the run, where the engine finds it:
                           structural methods in the tangent; else 0 */
    double stable_step; /* the shortest limit of the step that these frequencies set; 0: none did */
    double stiffness;   /* of the last step of an explicit method that watches: h times the largest
                           eigenvalue that it showed, over what the method bears; 0: not known */
};

/* Begin at (t, y, y'), which is consistent; y and y' are copied. */
void engine_start(engine *e, double t, const double *y, const double *yp);

/* The same once more, with a first step (> 0) and an order level (0: none) that are known to hold:
 * no evaluation looks for them. Multistep methods begin with order 1. */
void engine_restart(engine *e, double t, const double *y, const double *yp, double first_step,
                    int level);

/* After engine_start(): whether the method can advance the equations from these values.
 * DAE_UNSUPPORTED with its sentence in `m`, or a status of the problem. */
dae_status engine_examine(engine *e, message *m);

/* One accepted step towards t_end, not beyond. Failures: DAE_STEP_TOO_SMALL (e->trouble says why),
 * DAE_NEWTON with fixed steps, or a status of the problem that is none of those. */
dae_status engine_step(engine *e, double t_end);

/* The polynomial of the last step, which is made where somebody asks for it first; engines ask
 * before they change what it is made of. */
const dense_output *engine_polynomial(engine *e);

/* The state at e->t has been projected: go on from (y, y'); y' NULL: it stays. Derivatives that no
 * equation holds are the engine's own. */
void engine_replace(engine *e, const double *y, const double *yp);

/* Go on in other unknowns, in which the state at e->t is (y, y'), with the same step and order:
 * past points are mapped. A status of the map, or DAE_UNSUPPORTED: the engine is to be started. */
dae_status engine_carry(engine *e, const double *y, const double *yp, point_map map, void *self);

/* For engines: derivatives that no equation holds are not known, and 0. */
void engine_forget_yp(engine *e);

/* Whether another engine may use the same problem between steps; that one has. */
bool engine_can_lend(const engine *e);
void engine_lend(engine *e);

/* What the engine's future depends on, its problem's factors among it: see base/state.h. It is
 * saved between steps, after engine_start(). It is restored into an engine of the same method and
 * options for the same equations, which need not be started. Saving makes the polynomial of the
 * last step and factors the matrices once more (pencil_state()). */
void engine_state(engine *e, state_visit *s);

void engine_free(engine *e); /* NULL is fine */

/* The same without the problem: of a starter, whose owner visits that. */
void engine_part_state(engine *e, state_visit *s);

#endif
