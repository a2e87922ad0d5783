/* The simulation of a constrained mechanical system. The engine works in the variables of a
 * formulation (formulation/mechanical_formulation.h); the results are q, v and lambda. */
#ifndef SOLVE_MECHANICAL_SIMULATION_H
#define SOLVE_MECHANICAL_SIMULATION_H

#include "formulation/mechanical_formulation.h"
#include "mechanical/mechanical_form.h"
#include "method/method.h"
#include "problem/callbacks.h"
#include "solve/author_events.h"
#include "solve/simulation.h"

/* How structural methods advance a mechanical system: with y = (q, v, lambda), and with the
 * constraints on the level that the formulation names. */

typedef struct structural_way {
    const char *name;    /* as in dae_options.formulation */
    const char *says;    /* what it does, for the reasons of a run */
    unsigned char level; /* constraint level, as in problem.h */
    bool drifts;         /* positions drift off their constraints */
} structural_way;

/* Whether the options name a structural method. */
bool mechanical_structural_asked(const simulation *c);

/* How a state is brought back to the constraints. */
typedef enum mechanical_way {
    MECHANICAL_NOTHING,
    MECHANICAL_SETTLED, /* the state stays; accelerations and multipliers are computed from it */
    MECHANICAL_NEAREST, /* the nearest state in the norm of the nominal sizes */
    MECHANICAL_AT_ONCE, /* the same, for positions and velocities at once */
    MECHANICAL_BY_MASS, /* the nearest state in the norm of the mass */
    MECHANICAL_POST     /* one or two corrections, with the factors of one point */
} mechanical_way;

typedef struct level_search level_search; /* mechanical_search.c */

typedef struct mechanical_simulation {
    simulation base;
    arena memory;
    const mechanical_form
        *form;                   /* in `memory`, because the problem may be freed; the mass may
                                    change its nominal sizes, while base.nominal stays the author's */
    const char *const *equation; /* form->n: names of the equations */
    mechanical *system; /* for everything but the engine, which evaluates at points of its own */
    mechanical_point point; /* the author's variables evaluated last; v' is stored here */
    double *position;       /* phi_q */
    double *change;         /* nv + constraints */
    double *step;           /* nq */
    double *level, *size;   /* constraints each */
    double *motion, *terms; /* nv each: the residual of motion, and the size of its terms */

    level_search *search; /* 2: of coordinates, and of velocities */

    double *kept; /* as many as invariants: their values at the start */

    mechanical_way way;
    int corrections;    /* number of corrections with MECHANICAL_POST */
    double renew_below; /* formulations of a lower quality are renewed */
    bool of_model; /* it belongs to a model's simulation, to whose variables the options refer */

    /* Made anew at each start: */
    const structural_way *structural; /* NULL: the method is not structural */
    mechanical_formulation *formulation;
    callbacks *callbacks;
    /* What the engine has before it is replaced, where an event has changed the number of freedoms;
     * NULL: nothing */
    mechanical_formulation *passed;
    callbacks *passed_callbacks;
    struct {
        double found; /* the worst violation since this was set to 0 */
        size_t row;   /* the row of the author's equations */
        int order;    /* order of the missed derivative of that row */
    } worst;
    author_events *events; /* in `memory`; NULL: there are none */
    bool no_configuration; /* the run has ended where the constraints could not be met */
    bool reported_away; /* the user was told that the formulation leaves out constraints that do not
                           depend on others */
} mechanical_simulation;

/* Creates the simulation of a system with the start values of its problem (form->n). NULL only when
 * memory is exhausted. After other failures the simulation exists and the solver has the message.
 */
simulation *mechanical_simulation_create(const dae_mechanical_form *form, const double *given,
                                         const simulation_solver *solver);

/* The system of such a simulation; NULL for a simulation of another kind. */
const mechanical_form *mechanical_simulation_form(const simulation *c);

/* mechanical_begin.c: the differential index of a system as given: 3 with holonomic constraints, 2
 * with nonholonomic ones only, 0 without constraints. */
int mechanical_simulation_index(const mechanical_form *form);

/* mechanical_begin.c: creates the formulation, numbered from there on, its problem and the engine's
 * variables from k->point. Failures without a message are those of a status of the formulation. */
dae_status mechanical_simulation_formulate(mechanical_simulation *k, const char *name,
                                           bool with_explicit, double t, size_t number);

/* mechanical_begin.c: allocates the engine's variables for k->formulation. */
dae_status mechanical_simulation_take_inner(mechanical_simulation *k);

/* mechanical_begin.c: start() and start_with() of simulation_ops. */
extern const start_stages mechanical_simulation_stages;

/* mechanical_begin.c: the failure of a status of k->system at the start. */
dae_status mechanical_simulation_fail_at_start(mechanical_simulation *k, double t,
                                               dae_status status);

/* mechanical_begin.c: makes sure that the nominal sizes can tell the constraints apart at
 * k->point.q; otherwise they are taken from the mass. */
dae_status mechanical_simulation_finish_sizes(mechanical_simulation *k, double t);

/* mechanical_search.c: k->search, in k->memory under its protection. */
level_search *mechanical_simulation_make_search(mechanical_simulation *k);

/* mechanical_search.c: finds values for k->point that meet all levels, near c->start (NAN: not
 * known), and notes what has changed. Failures with their message. */
dae_status mechanical_simulation_search(simulation *c, double t);
dae_status mechanical_simulation_note(simulation *c, double t);

/* mechanical_verified.c: after that search, which ended with status `search`: DAE_USAGE with its
 * message where derivatives of constraints that the author gave are wrong, otherwise `search`. */
dae_status mechanical_simulation_verify(simulation *c, double t, dae_status search);

/* mechanical_verified.c: at the start, once the engine's variables exist: DAE_USAGE with its
 * message where functions that states are brought back to are not invariant. */
dae_status mechanical_simulation_verify_invariants(simulation *c, double t);

/* mechanical_verified.c: verify() of simulation_ops, at ends of runs number 1, 2, 4, 8, ... */
dae_status mechanical_simulation_verify_end(simulation *c, double t);

/* mechanical_measure.c: measure() of simulation_ops. */
dae_status mechanical_simulation_measure(simulation *c, double t);

/* mechanical_measure.c: raises the worst violations (of the equations, and of each level) to those
 * at k->point. */
dae_status mechanical_simulation_judge(mechanical_simulation *k, double t, double *equation,
                                       double *constraint);

/* mechanical_simulation.c: members of simulation_ops, also for a model that is followed as a
 * mechanical system. */
dae_status mechanical_simulation_project(simulation *c, double t, const double *y,
                                         const double *yp);
bool mechanical_simulation_loosen(simulation *c, double t, const double *y);
dae_status mechanical_simulation_carry(simulation *c, double t, double *y);
void mechanical_simulation_report_point(simulation *c, dae_status status, text *t);
bool mechanical_simulation_report_remedy(simulation *c, text *t);

/* mechanical_events.c: how it knows the author's variables at events. */
extern const author_events_way mechanical_simulation_events;
void mechanical_simulation_forget_passed(mechanical_simulation *k);

/* mechanical_simulation.c: computes v' and lambda of k->point from its q and v. */
dae_status mechanical_simulation_accelerate(mechanical_simulation *k, double t);

/* mechanical_simulation.c: frees everything that the last start has made. */
void mechanical_simulation_clear(mechanical_simulation *k);

/* mechanical_simulation.c: appends what a status of `m` means, in the author's names. */
void mechanical_simulation_report(const mechanical_simulation *k, const mechanical *m,
                                  dae_status status, text *t);

/* How much the multipliers move where positions and velocities, from which they are computed, move
 * by their tolerances. Error tests of formulations without multipliers do not count this: with a
 * stiff damper c v, a reaction is off by c times the error of v. */

typedef struct mechanical_spreading {
    mechanical *system;
    double t;
    const mechanical_point *from; /* the start; kept */
    const double *nominal;        /* nq + nv: sizes */
    const double *atol;           /* nq + nv + multipliers: absolute tolerances */
    double rtol;
    size_t multipliers;
    /* Computes the multipliers of interest at a point, such as an author's. NULL: the point's own.
     */
    dae_status (*look)(void *self, double t, const mechanical_point *p, double *multiplier);
    void *self;
} mechanical_spreading;

/* The largest number of tolerances by which a multiplier moves where positions and velocities move
 * by their tolerances along the constraints, and by round-off, at the start and beside it. *worst:
 * that multiplier. 0 where the multipliers are not unique or nothing is known. */
double mechanical_spread(const mechanical_spreading *given, size_t *worst);

#endif
