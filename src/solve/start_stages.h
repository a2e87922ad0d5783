/* One start for all simulations: its stages in their order, and what they share.
 *
 *   take | search, or accept | verify_derivatives | formulate | project | verify_invariants | note
 *
 * What differs between a model, the equations of a C program and a mechanical system is a row of
 * functions. A mechanism in a model is started in the model's stage `formulate`, by its own row. */
#ifndef SOLVE_START_STAGES_H
#define SOLVE_START_STAGES_H

#include "formulation/from_model.h"
#include "problem/invariants.h"
#include "problem/start.h"
#include "solve/simulation.h"
#include "structure/local_index.h"

/* The differential index at the consistent start. */

typedef struct index_at_start {
    int index;          /* -1: not determined */
    const char *reason; /* how it was determined, or why not; static text */
    unsigned *variable; /* as many as the author's unknowns: the index of each, beside the start,
                           where no factor is zero by chance; NULL where not determined */
} index_at_start;

/* The index of equations whose system Jacobian is regular at the start. f has been started, and its
 * author's variables have been lifted there. Under the protection of the system's arena. */
index_at_start solve_index_regular(const formulation *f);

/* The index of equations whose structure misleads, from the array of the equations as written,
 * differentiated up to `highest` times. Under the protection of the system's arena. */
index_at_start solve_index_beyond_structure(const sym_system *system, const structure *own,
                                            double t, unsigned highest);

/* A stage that fails has told its message, and ends the start. NULL: there is nothing to do. */
struct start_stages {
    /* The author's values for this start (n; NAN: not given; NULL: none is). What the last start
     * has made goes. DAE_UNSUPPORTED where options do not suit the equations. */
    dae_status (*take)(simulation *c, double t, const double *start);

    /* Values that meet the equations, near those that were taken. */
    dae_status (*search)(simulation *c, double t);

    /* In place of the search: finite values and derivatives (n each) as they are; by how much they
     * miss the equations, relative to their terms, and where they do so most. NULL: not offered. */
    dae_status (*accept)(simulation *c, double t, const double *y, const double *yp, double *miss,
                         text *where);
    bool (*is_differentiated)(const simulation *c, size_t j);

    /* After the search, which ended with `search`: DAE_USAGE where derivatives that the author gave
     * are wrong, else `search`. */
    dae_status (*verify_derivatives)(simulation *c, double t, dae_status search);

    /* The formulation by the options, and from those values the problem for the engine with its
     * start: what is filled at the start in a simulation, but for the projection. */
    dae_status (*formulate)(simulation *c, double t);

    /* What is done to states on the way. */
    dae_status (*project)(simulation *c, double t);

    /* DAE_USAGE where invariants that states are brought back to are none. */
    dae_status (*verify_invariants)(simulation *c, double t);

    /* Notes on what the search has changed and chosen. */
    dae_status (*note)(simulation *c, double t);
};

/* start_stages.c: as dae_solver_start() and dae_solver_start_with(): from start values, and from
 * values and derivatives as they are, which the simulation offers. c->ops may be another row
 * afterwards. */
dae_status simulation_start(simulation *c, double t, const double *start);
dae_status simulation_start_with(simulation *c, double t, const double *y, const double *yp);

/* start_stages.c: DAE_USAGE with its sentence for a function of that form that is not invariant, or
 * whose gradient is wrong; the names are those of the form's members. */
dae_status start_refuse_invariant(const simulation *c, double t, const invariant_fault *f,
                                  const char *form, const char *member, const char *gradient);

/* start_stages.c: z (plain->size) as initial_consistent() finds it, whose notes and failure are
 * collected. The simulation's watch is asked before each evaluation: where it wants an end, or an
 * equation does, the failure is DAE_STOPPED. */
dae_status start_search(const simulation *c, const start_system *plain, double t, double *z,
                        message *collected);

/* start_stages.c: a state beside a start, z (n) by the sizes of its values, and its time where a
 * value goes as far as its size in `unit`: there is seen what is 0 or right at the start alone. */
void start_go_beside(size_t n, const double *value, const double *nominal, double *z);
double start_time_beside(double t, double unit);

/* start_stages.c: a failure that was collected, if it is one, becomes that of the simulation; what
 * was collected is freed. Returns its status. */
dae_status start_take_failure(const simulation *c, message *collected);

/* start_notes.c: what a start has made of the values that were given for it, in notes. */
typedef struct start_notes {
    const simulation *simulation;
    size_t n;                    /* variables, the first of the simulation's */
    const bool *counts;          /* n: those whose change is told; NULL: of all */
    const double *given, *found; /* n; given NAN: to be found */
} start_notes;

/* Those that were given and have changed. Values of algebraic variables are no more than guesses.
 */
void start_note_changes(const start_notes *s);

/* Of those that were to be found the ones that nothing determines, by the systems that the start
 * solved one after the other (`count`), whose entries are first the variables from where the last
 * one's ended. DAE_NO_MEMORY with its message. */
dae_status start_note_open(const start_notes *s, const start_system *const *system, size_t count,
                           double t);

#endif
