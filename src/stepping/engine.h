/* Engines: they advance a problem by one step.
 *
 * The operations of this seam are: create, start, step, replace the end of the step by a projected
 * state, free. The engine also provides the polynomial of its last step. The driver does the
 * rest. */
#ifndef STEPPING_ENGINE_H
#define STEPPING_ENGINE_H

#include "base/arena.h"
#include "base/message.h"
#include "base/state.h"
#include "method/method.h"
#include "problem/problem.h"
#include "stepping/control.h"
#include "stepping/round_off.h"

#include <daedal/status.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The solution between the ends of a step: a polynomial in (t - t_0) / h. */

typedef struct dense_output {
    double t, h; /* where the step began, and its length, negative for a step back */
    size_t n;
    int degree;
    bool follows; /* algebraic variables are not error-controlled; they follow from others */
    size_t formulation_number; /* which of the simulation's formulations the variables belong to */
    size_t mode_number;        /* how many events had changed the simulation's modes before */
    double *coefficient;       /* (degree + 1) x n, rows contiguous: y(t + x h) = sum x^k row k */
} dense_output;

/* Makes the cubic through values and derivatives (n each) at both ends of the step; t and h are
 * set. */
void dense_output_make_hermite(dense_output *d, const double *y, const double *yp,
                               const double *end, const double *end_yp);

/* Copies a polynomial into one that has room for its coefficients; or into one whose coefficients
 * are its own (malloc; NULL before the first). False: memory is exhausted, and `to` stays. */
void dense_output_put(dense_output *to, const dense_output *from);
bool dense_output_copy(dense_output *to, const dense_output *from);

/* See base/state.h; of such a copy where it is restored: DAE_NO_MEMORY. */
void dense_output_state(dense_output *d, state_visit *s);

/* Evaluates y and y' (n each; NULL: not wanted) at a time. */
void dense_output_evaluate(const dense_output *d, double t, double *y, double *yp);

/* The same at a time t that lies at the part x of the step, 0 to 1. In a step of a nanosecond the
 * rounding of t is a visible part of the step, so whoever knows x gives it. */
void dense_output_evaluate_at(const dense_output *d, double t, double x, double *y, double *yp);

/* A point of an engine: its time, its values and derivatives (n each). */
typedef struct engine_point {
    double t, *y, *yp;
} engine_point;

/* Maps y (n) at a past time to other unknowns. DAE_NOT_EVALUABLE if it has no value there. */
typedef dae_status (*point_map)(void *self, double t, double *y);

typedef struct engine engine;

typedef struct engine_options {
    double rtol, atol;
    const double *atols; /* NULL, or n: one absolute tolerance a variable, in place of atol;
                            borrowed */
    double fixed_step;   /* > 0: steps of this length, no error control */
    double first_step;   /* > 0: the first step that is tried */
    double max_step;     /* > 0: no step is longer */
    int first_level;     /* > 0: an order level that is known to hold at the start */
    bool events;         /* the run may be left at events */
    int max_order;       /* > 0: a method of variable order takes no higher one */
    double direction;    /* +1 or -1: the direction of time */
    bool stable_steps;   /* no step beyond the stability limit, if the engine finds it */
    bool watch;          /* the engine observes how stiff the problem is, if it can */
} engine_options;

/* The tolerance of variable k at `value`. */
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
    size_t worst_row;  /* among the equations with that variable, the one with the largest residual;
                        * or the one without a value */
    double step;       /* the step that was tried last */
    bool by_round_off; /* the error no longer falls with the step: see round_off.h */
    double noise;      /* > 0: round-off of the equations causes so large a part of the error of
                        * variable `noisiest` that its tolerance cannot be held */
    size_t noisiest;
} step_failure;

/* What the iteration that found the end of the last step has seen there: the residuals (n each,
 * borrowed) before its first correction and before its last one. */
typedef struct engine_evidence {
    const double *before; /* NULL: nothing is known */
    const double *after;  /* NULL: there was one correction alone */
    bool fresh;           /* the Jacobian is one of this step */
} engine_evidence;

/* From attempts to an accepted step: see stepping.h. */
typedef struct stepping {
    step_control control;
    round_off_watch round_off;
    double step;        /* the step to be tried next, > 0 */
    double rtol;        /* relative tolerance that is used internally */
    double share;       /* rtol as a share of the user's; absolute tolerances have the same */
    double within;      /* weight of an error within a step, 0 or 1: see stepping.c */
    bool first;         /* no step has been accepted yet */
    bool computed;      /* the first step is computed, not given */
    bool lacks;         /* a longer attempt of the last step had no values */
    bool late;          /* late in time: the step is the difference between the rounded times of its
                         * ends, so that y' is not applied for longer than time advances */
    double begun;       /* time at which the run started */
    double keep_growth; /* growth up to which a step is kept for its factors, >= KEEP_STEP */
    double declined;    /* growth that was declined for that in the last step; 1: none */
    double failed_step; /* longest attempt of the step whose error was too large; 0: none */
    double failed_size; /* size of its error */
    double last_size;   /* size of the last attempt's error in the same step; 0: none */
    bool stays, rests;  /* in much shorter attempts the error is about as large as failed_size;
                         * as last_size */
    double longest,
        measured_step;           /* of the steps so far; of the last at which noise was measured */
    double origin, counted_step; /* equal steps in a row: where they began, their length */
    size_t counted;              /* how many */
    double *weight;              /* n */
    double *effect_weight; /* n: weights for what errors of differential variables cause in the
                            * others */
    double *noise;         /* n: the largest noise of the equations found so far, >= 0 */
    double *largest;       /* n: the largest sizes of variables at ends of steps so far, >= 0 */
    double *y, *yp, *trial, *trial_yp, *correction, *previous,
        *noise_beside; /* n each: scratch of noise.c and algebraic_start.c */
} stepping;

typedef struct engine_ops {
    size_t size; /* of the engine's struct, which begins with an `engine` */

    /* Creation, see engine_create(). Refuses problems that the method cannot advance, with the
     * sentence in `m`; takes the method's numbers; sets e->next.degree to the highest degree of a
     * step's polynomial. */
    dae_status (*create)(engine *e, const method *which, message *m);
    /* Then places its arrays in `space`, or measures, after those of the public part. */
    void (*carve)(engine *e, workspace *space);
    /* Then reserves factorisations and creates what else has its own memory. NULL: a real
     * factorisation is all. */
    dae_status (*reserve)(engine *e, const method *which, message *m);
    void (*release)(engine *e); /* what has its own memory. NULL: there is none */

    void (*start)(engine *e);                     /* at e->t, e->y, e->yp */
    dae_status (*examine)(engine *e, message *m); /* NULL: any start is accepted */
    /* A step towards t_end is about to begin. NULL: there is nothing to be done. */
    void (*begin)(engine *e, double t_end);
    /* Before an attempt: makes the whole step with another engine. False: the attempt is to be
     * made. NULL: always so. */
    bool (*lead)(engine *e, double t_end, dae_status *status);
    /* Tries a step h; `last`: it ends at t_end. DAE_OK with `accepted`; or DAE_OK without, and the
     * shorter step e->stepping.step has to be tried; or a failure, after which shortened() is
     * called if a shorter step may help. It records in e->failure why Newton's iteration fails. */
    dae_status (*attempt)(engine *e, double h, bool last, bool *accepted);
    /* The attempt failed, and the next will take factor * step. `factor` may be changed. NULL: the
     * length of the step alone is to blame. */
    void (*shortened)(engine *e, dae_status status, double *factor);
    /* See engine_follow(). NULL: never. */
    bool (*follow)(engine *e, const double *to, double *y);
    /* e->y is about to become y. NULL: the engine keeps no other points. */
    void (*replace)(engine *e, const double *y);
    /* The unknowns change; e->y and e->yp have done so already. Past points are mapped. NULL: the
     * engine keeps none, or is started anew. */
    dae_status (*carry)(engine *e, point_map map, void *self);
    /* Fills the coefficients of e->dense; the rest is known. NULL: each step fills them. */
    void (*interpolate)(engine *e);
    /* Another engine has used e->problem, so Jacobians and factors are not those of e any more.
     * NULL: the engine cannot continue after that. */
    void (*lend)(engine *e);
    /* The engine's own state, but for what engine_state() visits: the public part, the polynomial
     * and the problem. Where restoring has to, it points e->dense.coefficient at room enough. */
    void (*state)(engine *e, state_visit *s);
} engine_ops;

/* The one-step method that makes the first points of a multistep method: with fixed steps, with the
 * same steps; else after events. */
typedef struct starter {
    method *method;
    engine *engine; /* of Runge-Kutta methods; NULL: there is no starter */
} starter;

/* The part that each engine begins with. */
struct engine {
    const engine_ops *ops;
    problem *problem;
    engine_options options;
    stepping stepping;
    workspace space;
    starter starter;
    double t;
    double *y, *yp;     /* n: at t */
    dense_output dense; /* of the last accepted step, which ended at t: see engine_polynomial() */
    dense_output next;  /* room for that of the step that is being tried */
    int room;           /* the highest degree that its coefficients have room for, at least */
    bool interpolates;  /* the coefficients of `dense` are still to be made */
    bool is_explicit;   /* its stages are explicit; those of Rosenbrock methods are not */
    double care;        /* > 1: the tolerances of errors are divided by this */
    engine_counts counts;
    engine_evidence evidence; /* of the last accepted step, until the next one begins */
    step_failure failure;
    double noise; /* > 0: round-off of the equations in variable `noisiest`, whose tolerance was
                   * below this; its error is held at about this size */
    size_t noisiest;
    bool noise_everywhere; /* that noise is the same beside: noise_is_everywhere() */
    int order_level;       /* in use, for a method of variable order; else 0 */
    int start_level;       /* known to hold where the engine is started; 0: none */
    bool undone;           /* it is started where its last step began, which is made again */
    double held_at;        /* the size at which its error is held, in tolerances */
    double frequency;   /* the largest natural frequency along the run, where the engine finds it:
                           structural methods in the tangent; else 0 */
    double stable_step; /* the shortest limit of the step that these frequencies set; 0: none did */
    double stiffness;   /* of the last step of an explicit method that watches: h times the largest
                           eigenvalue that it showed, over what the method bears; 0: not known */
};

/* Creates an engine of a kind, for engine_create() in integrate/engines.h. */
dae_status engine_make(engine **made, const engine_ops *ops, problem *p, const method *which,
                       const engine_options *options, message *m);

/* Room for a point of n unknowns; keeps the engine's present state in it. */
void engine_point_carve(engine_point *p, size_t n, workspace *space);
void engine_point_keep(engine_point *p, const engine *e);

/* Begins at (t, y, y'), which is consistent; y and y' are copied. */
void engine_start(engine *e, double t, const double *y, const double *yp);

/* The same with a first step (> 0) and an order level (0: none) that are known to hold, so that no
 * evaluations are spent on finding them. Multistep methods of variable order begin with a starter
 * where a level is known, else with order 1. */
void engine_restart(engine *e, double t, const double *y, const double *yp, double first_step,
                    int level);

/* To be called after engine_start(): examines whether the method can advance the equations from
 * these values. DAE_UNSUPPORTED with its sentence in `m`, or a status of the problem. */
dae_status engine_examine(engine *e, message *m);

/* Makes attempts until one is accepted, towards t_end and not beyond. Failures, whose reason is in
 * e->failure: DAE_STEP_TOO_SMALL; after many attempts of one step the cause of the last one,
 * DAE_NEWTON, DAE_ERROR_TEST, DAE_NOT_EVALUABLE or DAE_SINGULAR; DAE_ERROR_TEST if round-off rules;
 * with fixed steps the first failure; or another status of the problem. */
dae_status engine_step(engine *e, double t_end);

/* The polynomial of the last step. It is made when it is first asked for; engines ask for it before
 * they change the data that it is made of. */
const dense_output *engine_polynomial(engine *e);

/* For the end of the last step, which a projection moves to `to` (n): y (n) becomes the end as the
 * equations of the step move it with that. Whether the engine asks for a projection from there
 * instead: what is stiff then follows what is projected, and is not left behind. */
bool engine_follow(engine *e, const double *to, double *y);

/* Continues from (y, y') after the state at e->t has been projected. y' NULL: it stays. The engine
 * keeps its own derivatives where no equation determines them. */
void engine_replace(engine *e, const double *y, const double *yp);

/* Continues in other unknowns, in which the state at e->t is (y, y'), with the same step and order.
 * Past points are mapped. A status of the map, or DAE_UNSUPPORTED: the engine has to be started. */
dae_status engine_carry(engine *e, const double *y, const double *yp, point_map map, void *self);

/* For engines: sets derivatives that no equation determines to 0. */
void engine_forget_yp(engine *e);

/* For engines: an accepted step has led to (t, y, y'), which are copied. */
void engine_arrive(engine *e, double t, const double *y, const double *yp);

/* The same, with the polynomial in e->next, which takes the place of e->dense. */
void engine_accept(engine *e, double t, const double *y, const double *yp);

/* Whether another engine may use the same problem between steps; reports that it has done so. */
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
