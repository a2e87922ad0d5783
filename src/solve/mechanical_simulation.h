/* The simulation of a constrained mechanical system: formulated by a formulation
 * (formulation/formulation.h), in whose variables the engine works; what is asked for is q, v and
 * lambda. */
#ifndef SOLVE_MECHANICAL_SIMULATION_H
#define SOLVE_MECHANICAL_SIMULATION_H

#include "formulation/mechanical_formulation.h"
#include "method/method.h"
#include "problem/callbacks.h"
#include "solve/mechanical_structural.h"
#include "solve/simulation.h"

/* What is done to a state that is brought back to the constraints. */
typedef enum mechanical_way {
    MECHANICAL_NOTHING,
    MECHANICAL_SETTLED, /* the state stays; accelerations and multipliers follow from it */
    MECHANICAL_NEAREST, /* the nearest in the norm of the nominal sizes */
    MECHANICAL_AT_ONCE, /* the same, positions and velocities at once */
    MECHANICAL_BY_MASS, /* in that of the mass */
    MECHANICAL_POST     /* one correction, or two, with the factors of one point */
} mechanical_way;

typedef struct level_search level_search; /* mechanical_search.c */

typedef struct mechanical_simulation {
    simulation base;
    arena memory;
    const mechanical_form *form; /* in `memory`: the problem may be freed; the mass may change its
                                    nominal sizes, those of base.nominal stay the author's */
    const char *const *equation; /* form->n: names */
    double *given;               /* form->n: start values of the problem, NAN where there is none */
    double *start;               /* form->n: those of this start */
    mechanical *system;          /* for all that is no engine's: its points do not meet those */
    mechanical_point point;      /* of the author's, evaluated last; its v' is kept here */
    double *position;            /* phi_q */
    double *change;              /* nv + constraints */
    double *step;                /* nq */
    double *level, *size;        /* constraints each */
    double *motion, *terms;      /* nv each: the residual, and what it is relative to */

    level_search *search; /* 2: of coordinates, and of velocities */

    double *kept; /* as many as there are invariants: at the start */

    mechanical_way way;
    int corrections;    /* of MECHANICAL_POST */
    double renew_below; /* a quality: formulations that are worse are renewed */
    bool of_model;      /* inside a model's simulation, whose variables the options are about */

    /* Made anew at each start: */
    const structural_way *structural; /* NULL where the method is none */
    mechanical_formulation *formulation;
    callbacks *callbacks;
    struct {
        double found; /* the worst violation since it was set to 0 */
        size_t row;   /* of the author's equations */
        int order;    /* of its derivative that is missed */
    } worst;
    bool reported_away; /* that the formulation leaves constraints out which do not depend on others
                         */
} mechanical_simulation;

/* The simulation of a system, whose form is copied, with start values (n) of its problem. NULL only
 * when memory is out; other failures leave a simulation with their message in the solver's. */
simulation *mechanical_simulation_create(const dae_mechanical_form *form, const double *given,
                                         const simulation_solver *solver);

/* The system of such a simulation, NULL for that of another problem. */
const mechanical_form *mechanical_simulation_form(const simulation *c);

/* mechanical_begin.c: the differential index of a system as it is given: 3 with holonomic
 * constraints, 2 with nonholonomic ones alone. */
int mechanical_simulation_index(const mechanical_form *form);

/* mechanical_begin.c: simulation_ops's. */
extern const start_stages mechanical_simulation_stages;

/* mechanical_begin.c: the failure of a status of k->system at the start. */
dae_status mechanical_simulation_fail_at_start(mechanical_simulation *k, double t,
                                               dae_status status);

/* mechanical_choice.c: the formulation by the options; where they leave it open, elimination suits
 * explicit methods, and implicit ones where the system is small, unless multipliers would come out
 * far less accurate than the states; Gear, Gupta and Leimkuhler's equations keep the sparsity of a
 * large one, and multipliers in the error test. Looks at states beside k->point. */
const char *mechanical_simulation_formulation(mechanical_simulation *k, bool with_explicit,
                                              double t);

/* mechanical_choice.c: whether the options name a method, and such a one. */
bool mechanical_simulation_names(const simulation *c, bool (*is_one)(const method *m));

/* mechanical_begin.c: sizes by which the constraints can be told apart at k->point.q. */
dae_status mechanical_simulation_finish_sizes(mechanical_simulation *k, double t);

/* mechanical_search.c: k->search, in k->memory under its protection. */
level_search *mechanical_simulation_make_search(mechanical_simulation *k);

/* mechanical_search.c: start_stages's: values for k->point that meet all levels, near k->start
 * (NAN: not known); and notes on what that has changed. */
dae_status mechanical_simulation_search(simulation *c, double t);
dae_status mechanical_simulation_note(simulation *c, double t);

/* mechanical_verified.c: start_stages's, of derivatives of constraints. */
dae_status mechanical_simulation_verify(simulation *c, double t, dae_status search);

/* mechanical_verified.c: at the start of a simulation that is set to work, DAE_USAGE with its
 * sentence where invariants that states are brought back to are none. */
dae_status mechanical_simulation_verify_invariants(simulation *c, double t);

/* mechanical_verified.c: simulation_ops's. */
dae_status mechanical_simulation_verify_end(simulation *c, double t);

/* mechanical_measure.c: simulation_ops's measure(). */
dae_status mechanical_simulation_measure(simulation *c, double t);

/* mechanical_measure.c: raise the worst violations (of the equations, and of each level) to those
 * at k->point. */
dae_status mechanical_simulation_judge(mechanical_simulation *k, double t, double *equation,
                                       double *constraint);

/* mechanical_simulation.c: v' and lambda of k->point from its q and v. */
dae_status mechanical_simulation_accelerate(mechanical_simulation *k, double t);

/* mechanical_simulation.c: what the last start has made goes. */
void mechanical_simulation_clear(mechanical_simulation *k);

/* mechanical_simulation.c: append what a status of k->system means, in the author's names. */
void mechanical_simulation_report(const mechanical_simulation *k, const mechanical *m,
                                  dae_status status, text *t);

#endif
