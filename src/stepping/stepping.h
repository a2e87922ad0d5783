/* From attempts to an accepted step, for all engines: how long a step may be, what
 * follows a failure, when to give up. */
#ifndef INTEGRATE_STEPPING_H
#define INTEGRATE_STEPPING_H

#include "stepping/algebraic_start.h"
#include "stepping/control.h"
#include "stepping/engine.h"
#include "stepping/noise.h"
#include "stepping/round_off.h"

typedef struct stepping {
    step_control control;
    round_off round_off;
    double step;   /* to be tried next, > 0 */
    double rtol;   /* as used inside */
    double share;  /* of it in the user's; the absolute tolerances take the same */
    double within; /* part of an error within a step that counts: see stepping.c */
    bool first;    /* no step has been accepted yet */
    bool late;     /* in time: a step is the difference of the times that it begins and ends at,
                      as numbers, lest y' goes on for longer than the time */
    double begun;  /* when it started */
    double keep_growth;    /* up to which a step is kept for its factors, KEEP_STEP at least */
    double declined;       /* growth that was declined for them in the last step; 1: none */
    double failed_step;    /* of a step's attempts with too large an error the longest; 0: none */
    double failed_size;    /* of its error */
    double last_size;      /* of the error of the attempt before in the same step; 0: none */
    bool stays, rests;     /* in much shorter ones the error is of the size of that; of the last */
    double *weight;        /* n */
    double *effect_weight; /* n: of what errors of differentiated variables make of the others */
    algebraic_start anew;
    noise noise;
    double longest,
        measured_step;           /* of the steps so far; of the last at which noise was measured */
    double origin, counted_step; /* of equal steps in a row: where they began, and their length */
    size_t counted;              /* how many */
} stepping;

/* Place the arrays in `space`, or measure. */
void stepping_carve(stepping *s, workspace *space, size_t n);

/* Tolerances for an estimate of order q of a method of order p; see control_tolerance(). */
void stepping_hold(stepping *s, const engine_options *options, int estimate_order, int order,
                   double least_exponent);

/* The same for a method that is made of differences of many points. */
void stepping_hold_differences(stepping *s, const engine *e, int estimate_order, int order);

/* Begin: the first step is the user's, or that over which y changes by a small part of itself. */
void stepping_start(stepping *s, const engine *e);

typedef struct stepping_engine {
    /* Try a step h; `last`: it ends where it is to end. DAE_OK with `accepted`, or not: a shorter
     * one is to be tried, s->step; or a failure, after which shortened() is called where a shorter
     * step may help. */
    dae_status (*attempt)(engine *e, double h, bool last, bool *accepted);
    /* The attempt failed, and the next will take factor * step. `factor` may be changed. */
    void (*shortened)(engine *e, dae_status status, double *factor);
} stepping_engine;

/* Attempts until one is accepted. Failures: DAE_STEP_TOO_SMALL, or, after many attempts of one
 * step, DAE_NEWTON, DAE_ERROR_TEST, DAE_NOT_EVALUABLE, DAE_SINGULAR by the last one's cause, or
 * DAE_ERROR_TEST where round-off rules; with fixed steps the first failure. */
dae_status stepping_advance(stepping *s, engine *e, const stepping_engine *row, double t_end);

/* After a step h to an end, whose error allows one `factor` times as long: ends that follow one
 * another leave methods that choose seldom no time for it, and without this the step would never be
 * longer than the shortest that led to one of them. */
void stepping_pass_end(stepping *s, double h, double factor);

/* The error test of a step h failed with this size: which variable makes the step shorter, and
 * whether that helps, in case it becomes too short. */
void stepping_blame_error(stepping *s, engine *e, double h, double size, const double *error);

/* After an attempt that was not accepted, and ended at `end` (n): where errors stay however short
 * the step is, the algebraic equations are not met at its start, by as much as was little for the
 * variables' sizes a step before. What a very short step makes of algebraic variables of index 1
 * becomes their start. */
void stepping_mend_start(const stepping *s, engine *e, const double *end);

/* Of a method that looks back, after each accepted step: round_off_look_back(). */
void stepping_look_back(stepping *s, double second, double third);

/* After the error of an attempt was judged, 1 being the limit: whether it is accepted; s->step is
 * chosen. `keeps`: a step that would grow by KEEP_STEP or keep_growth at most stays as it is, so
 * that its factorisation does. `error`: n, where the worst variable is looked for. */
bool stepping_decide(stepping *s, engine *e, double h, double size, const double *error,
                     double effort, bool keeps, bool last);

/* Of n variables. */
void stepping_state(stepping *s, size_t n, state_visit *to);

#endif
