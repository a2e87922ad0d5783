/* From attempts to an accepted step, for all engines: how long a step may be, what follows a
 * failure, when to give up. */
#ifndef INTEGRATE_STEPPING_H
#define INTEGRATE_STEPPING_H

#include "stepping/control.h"
#include "stepping/engine.h"
#include "stepping/instant.h"
#include "stepping/noise.h"

typedef struct stepping {
    step_control control;
    round_off round_off;
    double step;        /* the step to be tried next, > 0 */
    double rtol;        /* relative tolerance that is used internally */
    double share;       /* rtol as a share of the user's; absolute tolerances have the same */
    double within;      /* weight of an error within a step, 0 or 1: see stepping.c */
    bool first;         /* no step has been accepted yet */
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
    double *weight;     /* n */
    double *effect_weight; /* n: weights for what errors of differential variables cause in the
                            * others */
    algebraic_start anew;
    noise noise;
    double longest,
        measured_step;           /* of the steps so far; of the last at which noise was measured */
    double origin, counted_step; /* equal steps in a row: where they began, their length */
    size_t counted;              /* how many */
} stepping;

/* Place the arrays in `space`, or measure. */
void stepping_carve(stepping *s, workspace *space, size_t n);

/* Sets the tolerances for an estimate of order q of a method of order p; see
 * control_tolerance(). */
void stepping_hold(stepping *s, const engine_options *options, int estimate_order, int order,
                   double least_exponent);

/* The same for a method that is based on differences of many points. */
void stepping_hold_differences(stepping *s, const engine *e, int estimate_order, int order);

/* Begins. The first step is the user's, or one over which y changes by a small part of itself. */
void stepping_start(stepping *s, const engine *e);

typedef struct stepping_engine {
    /* Tries a step h; `last`: it ends at t_end. DAE_OK with `accepted`; or DAE_OK without, and the
     * shorter step s->step has to be tried; or a failure, after which shortened() is called if a
     * shorter step may help. */
    dae_status (*attempt)(engine *e, double h, bool last, bool *accepted);
    /* The attempt failed, and the next will take factor * step. `factor` may be changed. */
    void (*shortened)(engine *e, dae_status status, double *factor);
} stepping_engine;

/* Makes attempts until one is accepted. Failures: DAE_STEP_TOO_SMALL; after many attempts of one
 * step the cause of the last one, DAE_NEWTON, DAE_ERROR_TEST, DAE_NOT_EVALUABLE or DAE_SINGULAR;
 * DAE_ERROR_TEST if round-off rules; with fixed steps the first failure. */
dae_status stepping_advance(stepping *s, engine *e, const stepping_engine *row, double t_end);

/* To be called after a step h to an end, whose error allows a step `factor` times as long. If one
 * end follows another, methods that choose their step seldom get no chance to do so. Without this
 * call the step would never grow beyond the shortest one that led to an end. */
void stepping_pass_end(stepping *s, double h, double factor);

/* To be called if the error test of a step h fails with this size. Notes which variable makes the
 * step shorter and whether shorter steps help, for the case that the step becomes too short. */
void stepping_blame_error(stepping *s, engine *e, double h, double size, const double *error);

/* To be called after an attempt that was not accepted and that ended at `end` (n). If errors stay
 * however short the step is, the start does not meet the algebraic equations, by an amount that was
 * small for the variables' sizes a step before. Then algebraic variables of index 1 are set to
 * their values at the end of a very short step. */
void stepping_mend_start(const stepping *s, engine *e, const double *end);

/* For a method that looks back, after each accepted step: round_off_look_back(). */
void stepping_look_back(stepping *s, double second, double third);

/* To be called when the error of an attempt is known, 1 being the limit: decides whether the
 * attempt is accepted, and chooses s->step. `keeps`: a step that would grow by no more than
 * KEEP_STEP or keep_growth keeps its length, and so its factorisation. `error`: n, in which the
 * worst variable is found. */
bool stepping_decide(stepping *s, engine *e, double h, double size, const double *error,
                     double effort, bool keeps, bool last);

/* Of n variables. */
void stepping_state(stepping *s, size_t n, state_visit *to);

#endif
