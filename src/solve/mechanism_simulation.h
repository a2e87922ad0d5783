/* The simulation of a model that has the form of a mechanism (structure/mechanism.h).
 *
 * It starts as the model does. From then on it follows the simulation of a mechanical system
 * (mechanical_simulation.h), in q, q' and multipliers of its own. Results, messages and measures
 * are in the variables and equations of the model. */
#ifndef SOLVE_MECHANISM_SIMULATION_H
#define SOLVE_MECHANISM_SIMULATION_H

#include "formulation/mechanism_form.h"
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
    author own;        /* of the model's own formulation */
    bool slides;       /* an event has asked for a sliding motion */
    message collected; /* messages of the inner simulation before it was followed */
    text reasons;
} mechanism_simulation;

/* mechanism_begin.c: when a model's simulation is created: sets m->wish by the options, and finds
 * the form, m->mechanism, where they require it. The message fails with DAE_UNSUPPORTED where the
 * equations have another form, or with DAE_NO_MEMORY. */
void mechanism_simulation_look(model_simulation *m);

/* mechanism_begin.c: at each start: sets m->wish by the options alone. */
void mechanism_simulation_wish(model_simulation *m);

/* mechanism_begin.c: for equations whose structure misleads, until the next start: allows the
 * model to be followed as a mechanism with any method, where the options name neither a formulation
 * nor a projection. */
void mechanism_simulation_open(model_simulation *m);

/* mechanism_begin.c: after the model's start, from m->z: follows the mechanical system where that
 * is required or left open, and changes m->base.ops for it. Where the system cannot be followed,
 * the message says why if it was required; otherwise a reason does. */
dae_status mechanism_simulation_try(model_simulation *m, double t);

/* mechanism_begin.c: appended to the message that stopped a model whose options exclude this way:
 * that the form exists, and what passes singular configurations. Nothing where that would not help.
 */
void mechanism_simulation_report_remedy(simulation *c, text *t);

/* mechanism_simulation.c: whether the inner simulation's start keeps the values that the author
 * fixed. It does not know of them, and it chooses multipliers where constraints depend on each
 * other. */
bool mechanism_simulation_keeps_fixed(model_simulation *m, double t);

/* mechanism_begin.c: takes q and q' of the state m->z of the model's own formulation into given,
 * for the inner simulation; false where it lacks some. m->base.value is lost. */
bool mechanism_simulation_take_own(model_simulation *m, double t);

/* mechanism_events.c: how the events of the model know the state of the mechanism. */
extern const model_events_way mechanism_simulation_events;

/* mechanism_simulation.c: sets m->mechanism->lift->z from a point of the inner simulation. */
dae_status mechanism_simulation_take(model_simulation *m, double t, const mechanical_point *at);

/* mechanism_simulation.c: from now on the inner simulation's problem is integrated. */
void mechanism_simulation_follow(model_simulation *m);

/* mechanism_simulation.c: the author's variables at a point of the inner simulation, by the way
 * back `to` them, into m->base.value; their derivatives into value_yp (n; NULL: not wanted). */
dae_status mechanism_simulation_lift(model_simulation *m, author *to, double t,
                                     const mechanical_point *at, double *value_yp);

/* Computes absolute tolerances of the inner simulation's q, v and multipliers (2 n + m, in
 * k->atols) from those of the author's variables. */
double *mechanism_simulation_atols(const mechanism_simulation *k, const double *atols);

/* mechanism_begin.c: drop() frees what the last start has made, with the system that is
 * followed, m->base.followed; free() frees everything. */
void mechanism_simulation_drop(model_simulation *m);
void mechanism_simulation_free(model_simulation *m); /* without a mechanism it does nothing */

#endif
