/* The simulation of the equations of a C program: they are integrated as they are given, and the
 * engine's variables are the author's. */
#ifndef SOLVE_CALLBACK_SIMULATION_H
#define SOLVE_CALLBACK_SIMULATION_H

#include "problem/callback_levels.h"
#include "problem/callback_reduced.h"
#include "problem/callback_start.h"
#include "problem/invariant_levels.h"
#include "solve/embedded.h"
#include "solve/simulation.h"
#include "solve/violation.h"

typedef struct callback_simulation {
    simulation base;
    arena memory;
    const equations *equations; /* in `memory`: the problem may be freed */
    double *given;              /* n: start values of the problem, NAN where there is none */
    double *start;              /* n: those of this start */
    unsigned char *held;        /* n: what is known of start values: callback_reduced.h */
    double *z;                  /* y and y', n each */
    double *level, *sum;        /* invariants each: values, and sums of derivatives */
    double *level_value;        /* nonzeros of the invariants' Jacobian */

    /* Made anew at each start, the callbacks only where other derivatives occur: */
    callbacks *callbacks;
    bool index_found; /* above 1, though nobody has said so */
    int highest;      /* index so found, of this variable; above 3 it is not solved */
    size_t of_highest;
    bool checked; /* their Jacobian was compared with differences */
    callback_start *search;
    invariant_levels *invariants; /* NULL where there are none */
    callback_levels *constraints; /* NULL where none are projected on */
    callback_reduced *reduced;    /* NULL where they are integrated as given */
    embedded *embedded;           /* NULL where invariants are not stabilised so */
    violation *violation;
} callback_simulation;

/* The simulation of equations with the start values of their problem (n). NULL only when memory is
 * out; other failures leave a simulation with their message in the solver's. */
simulation *callback_simulation_create(const equations *e, const double *given,
                                       const simulation_solver *solver);

/* The equations of such a simulation, NULL for that of another problem. */
const equations *callback_simulation_equations(const simulation *c);

/* callback_begin.c: the differential index of the equations as far as their author says it, -1:
 * not known. */
int callback_simulation_index(const equations *e);

/* callback_begin.c: simulation_ops's. */
extern const start_stages callback_simulation_stages;

/* callback_index.c: where the author says nothing of it, the index of each variable from the
 * linearised equations at the start (y, y' of the simulation). Where it cannot be found it is taken
 * for
 * 1. Whether it is above 1 though nobody has said so. */
bool callback_simulation_find_index(callback_simulation *k, double t);

/* callback_index.c: whether dF/dy' is regular beyond doubt there: there are no constraints. */
bool callback_simulation_is_explicit(const callback_simulation *k, double t, const double *y,
                                     const double *yp);

/* callback_index.c: whether the equations without derivatives determine what is not differentiated
 * beyond doubt, and the others what is, there and beside it: then the index is 1. What of ranks is
 * lost in differences, as beside stiff springs, makes it seem higher. */
bool callback_simulation_is_semi_explicit(callback_simulation *k, double t, const double *y,
                                          const double *yp);

/* callback_singular.c: DAE_STRUCTURE with its sentence where nothing determines the variables of
 * equations that are integrated as given. */
dae_status callback_simulation_refuse_singular(callback_simulation *k, double t);

/* callback_index.c: appended: the variables of an index above 1, with it. */
void callback_simulation_name_index(const callback_simulation *k, text *list);

/* callback_index.c: simulation_ops's report_beyond(). */
bool callback_simulation_report_beyond(const simulation *c, text *t);

/* callback_index.c: a note that it is. */
void callback_simulation_report_index(callback_simulation *k);

/* callback_verified.c: start_stages's, and simulation_ops's: DAE_USAGE with its sentence where
 * invariants that states are drawn to are none, or their gradients are wrong. */
dae_status callback_simulation_verify(simulation *c, double t);
dae_status callback_simulation_verify_end(simulation *c, double t);

/* callback_simulation.c: what z holds becomes y and y' of the simulation. */
void callback_simulation_take(callback_simulation *k);

/* callback_simulation.c: what the last start has made goes. */
void callback_simulation_clear(callback_simulation *k);

/* callback_simulation.c: whether the callbacks at work for the last start serve near t and y (n;
 * NAN: not known) as well; the rest of what it has made goes. */
bool callback_simulation_begin_again(callback_simulation *k, double t, const double *y);

#endif
