/* The simulation of a model in which the form of a mechanism is found (structure/mechanism.h).
 *
 * It starts as the model does; from there on the simulation of a mechanical system is followed
 * (mechanical_simulation.h), in q, q' and multipliers of its own. What is asked for, told and
 * measured are the variables and equations of the model. */
#ifndef SOLVE_MECHANISM_SIMULATION_H
#define SOLVE_MECHANISM_SIMULATION_H

#include "formulation/mechanism_lift.h"
#include "formulation/mechanism_reactions.h"
#include "solve/mechanical_simulation.h"
#include "solve/model_simulation.h"

typedef struct mechanism_simulation {
    const mechanism *found;
    mechanism_form *form;
    mechanism_reactions *reactions;
    mechanism_lift *lift;
    double *given;      /* 2 n + m: start values of the inner simulation */
    double *lambda;     /* m: the author's multipliers */
    double *share;      /* m x m, as mechanism_reactions.h has it, at the start */
    double *atols;      /* 2 n + m: of the inner simulation */
    bool ends_may_fail; /* ends of steps may lack values, or break assertions */

    /* Made anew at each start: */
    message collected; /* what the inner simulation told before it was followed */
    text reasons;
    simulation *inner; /* NULL before */
} mechanism_simulation;

/* mechanism_choice.c: at the creation of a model's simulation: m->wish by the options, and where
 * they ask for this way the form, m->mechanism. The message fails with DAE_UNSUPPORTED where the
 * equations have another one, or with DAE_NO_MEMORY. */
void mechanism_simulation_look(model_simulation *m);

/* mechanism_choice.c: at each start: m->wish by the options alone. */
void mechanism_simulation_wish(model_simulation *m);

/* mechanism_choice.c: until the next start, as the structure misleads: a mechanism is followed as
 * one whatever method is asked for, where neither a formulation nor a projection is. */
void mechanism_simulation_open(model_simulation *m);

/* mechanism_choice.c: after the model's start, from m->z: follow the mechanical system where that
 * is asked for or left open; m->base.ops is changed for it. Where the system cannot be followed the
 * message says why in case it is asked for, else a reason. */
dae_status mechanism_simulation_try(model_simulation *m, double t);

/* mechanism_begin.c: the same without a choice, of a form that has been found. */
dae_status mechanism_simulation_start(model_simulation *m, double t);

/* mechanism_begin.c: of a form that has been found and is not followed: whether it could be from a
 * start, and is small enough for `elimination` to pass singular configurations. */
bool mechanism_simulation_passes_singular(model_simulation *m);

/* mechanism_choice.c: appended to what stopped a model that by its options is not followed so: that
 * the form is there, and what passes singular configurations; nothing where that would not. */
void mechanism_simulation_report_remedy(simulation *c, text *t);

/* Whether it is followed. */
bool mechanism_simulation_followed(const model_simulation *m);

/* mechanism_simulation.c: whether the inner simulation's start leaves what the author fixed as it
 * is; it knows nothing of that, and where constraints depend on each other multipliers are chosen.
 */
bool mechanism_simulation_keeps_fixed(model_simulation *m, double t);

/* mechanism_simulation.c: from now on what is integrated is the inner simulation's problem. */
void mechanism_simulation_follow(model_simulation *m);

/* mechanism_simulation.c: the author's variables at a point of the inner simulation, by the way
 * back `to` them, into m->base.value; their derivatives into value_yp (n; NULL: not wanted). */
dae_status mechanism_simulation_lift(model_simulation *m, author *to, double t,
                                     const mechanical_point *at, double *value_yp);

/* Absolute tolerances of the inner simulation's q, v and multipliers (2 n + m, in k->atols) from
 * those of the author's variables. */
double *mechanism_simulation_atols(const mechanism_simulation *k, const double *atols);

/* How good what follows from positions and velocities is, at the start and beside it. */
typedef struct mechanism_spread {
    double missed;     /* the worst violation of the author's equations at the start */
    double spread;     /* how many of its tolerances the most sensitive multiplier moves, where
                          positions and velocities move by theirs */
    size_t multiplier; /* that one, among the author's variables */
} mechanism_spread;

/* mechanism_spread.c: after the inner simulation's start, `from` being the way back to the author's
 * variables. m->base.value is lost. */
mechanism_spread mechanism_simulation_spread(model_simulation *m, author *from, double t);

/* mechanism_begin.c: what the last start has made goes; all. */
void mechanism_simulation_drop(mechanism_simulation *k);
void mechanism_simulation_free(mechanism_simulation *k); /* NULL is fine */

#endif
