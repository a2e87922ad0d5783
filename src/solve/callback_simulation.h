/* The simulation of the equations of a C program. They are integrated as given or reduced to index
 * 1, and the engine's variables are the author's. */
#ifndef SOLVE_CALLBACK_SIMULATION_H
#define SOLVE_CALLBACK_SIMULATION_H

#include "problem/callback_reduced.h"
#include "problem/callbacks.h"
#include "problem/invariants.h"
#include "solve/author_events.h"
#include "solve/simulation.h"

/* The embedded stabilisation of invariants: y' = f(t, y) - gamma F(t, y) (c(t, y) - c0), with F = D
 * (C D)^-1 and C = dc/dy. It leaves solutions on the manifold unchanged and draws others to the
 * manifold as exp(-gamma t) (Ascher, Chin & Reich, Numer. Math. 67 (1994) 131; Ascher & Petzold
 * (1998), Sec. 10.2).
 *
 * D = W^2 C', where W holds the sizes max(|y_j|, nominal_j), makes F c the shortest way back in
 * units of W. gamma is the rate at which the solution itself changes, the root mean square of f_j /
 * W_j. Where C f vanishes in the whole space, any gamma > 0 draws to the manifold, and a gamma no
 * faster than the solution costs an explicit method no steps. */

typedef struct embedded {
    const equations *plain, *wrapped;
    projection *toward; /* makes one correction; NULL: dormant */
    double *z;          /* 2 n: y and y', in the order of the levels */
    double *plain_yp;   /* n: y' for the invariants, f without the stabilisation */
    arena memory;
} embedded;

/* Wraps equations with invariants (borrowed) and adds the stabilisation to them. It is dormant
 * before embedded_begin(). The Jacobian of the wrapped equations is dense and found by differences.
 * DAE_NO_MEMORY. The struct, zeroed before, stays where it is and is to be freed all the same. */
dae_status embedded_create(embedded *e, const equations *plain);

/* From now on, draw states to these levels (borrowed), which know c0. DAE_NO_MEMORY. */
dae_status embedded_begin(embedded *e, const constraint_levels *levels);

void embedded_free(embedded *e); /* leaves it zeroed */

/* Measures how far values and derivatives miss the equations of a C program.
 *
 * It has an instance of the callbacks of its own. The engine's linearisation stays untouched, so
 * that a solution does not depend on where it is examined, and the counts are those of the run
 * alone. */

typedef struct violation {
    callbacks *callbacks;
    size_t algebraic; /* number of rows without derivatives */
    bool linearized;
    bool *differential;            /* n: whether each row has a derivative */
    double *yp, *residual, *terms; /* n each: y' with 0 for NAN, F, its terms */
    double *slow;                  /* n: nominal sizes of y' */
    workspace space;
} violation;

/* Creates it in a zeroed struct for equations (borrowed), near t and y (n). DAE_NO_MEMORY,
 * DAE_STOPPED; to be freed all the same. */
dae_status violation_create(violation *v, const equations *e, double t, const double *y);

typedef struct violations {
    double equation;  /* the worst miss of all equations */
    size_t row;       /* its row */
    double algebraic; /* the worst miss of equations without derivatives */
} violations;

/* Raises *worst to the misses of F(t, y, y') = 0, as problem/levels.h defines them. y and y' (n
 * each) are the variables; entries of y' that are NAN do not occur. HUGE_VAL where F has no value;
 * DAE_STOPPED. The Jacobian, which differences make expensive, is evaluated only if *worst would be
 * raised by the last one. */
dae_status violation_raise(violation *v, double t, const double *y, const double *yp,
                           violations *worst);

void violation_free(violation *v); /* leaves it zeroed */

typedef struct callback_simulation {
    simulation base;
    arena memory;
    const equations *equations; /* in `memory`, because the problem may be freed */
    unsigned char *held;        /* n: what is known of each start value (callback_reduced.h) */
    double *z;                  /* y and y', n each */
    double *level, *sum; /* as many as invariants: their values, and the sums of their terms */
    double *level_value; /* nonzeros of the invariants' Jacobian */

    /* Made anew at each start; the callbacks only where other derivatives occur: */
    callbacks *callbacks;
    bool index_found; /* an index above 1 was found that the author did not declare */
    int highest; /* the highest index found, of variable of_highest; one above 3 is not solved */
    size_t of_highest;
    size_t rank;    /* of the equations after the last event with derivatives of constraints; 0: not
                       known */
    bool left_open; /* the search leaves algebraic variables open (callback_hidden.c) */
    bool *open;     /* n: whether nothing else determines this one */
    bool checked;   /* the callbacks' Jacobian was compared with differences ... */
    bool misled;    /* ... and is wrong */
    callback_start *search;
    invariant_levels *invariants; /* NULL where there are none */
    callback_levels *constraints; /* NULL where there is no projection onto constraints */
    callback_reduced *reduced;    /* NULL where the equations are integrated as given */
    embedded embedded;            /* zeroed without the embedded stabilisation */
    violation violation;

    author_events *events;              /* in `memory`; NULL: there are none */
    struct callback_simulation *passed; /* what belonged to the equations before the last event;
                                           NULL: nothing */
} callback_simulation;

/* Creates the simulation of equations with the start values of their problem (n). NULL only when
 * memory is exhausted. After other failures the simulation exists and the solver has the message.
 */
simulation *callback_simulation_create(const equations *e, const double *given,
                                       const simulation_solver *solver);

/* The equations of such a simulation; NULL for a simulation of another kind. */
const equations *callback_simulation_equations(const simulation *c);

/* callback_begin.c: the differential index as far as the author of the equations declares it; -1:
 * not known. */
int callback_simulation_index(const equations *e);

/* callback_begin.c: start() and start_with() of simulation_ops. */
extern const start_stages callback_simulation_stages;

/* callback_hidden.c: reduces the equations at (y, y') of the simulation, which become consistent on
 * all levels; `reduced` stays NULL and y as it was where that is not possible. */
dae_status callback_simulation_reduce(callback_simulation *k, double t);

/* callback_hidden.c: of equations that are integrated as given: finds the algebraic variables that
 * the search leaves open, if asked for by the derivative array, and notes what is not found. */
dae_status callback_simulation_find_open(callback_simulation *k, double t, bool by_array);
void callback_simulation_note_open(const callback_simulation *k, double t);

/* callback_index.c: finds the index of each variable from the linearised equations at the start (y,
 * y' of the simulation), unless the author declares it. An index that cannot be found is taken for
 * 1. Returns whether an index above 1 was found that the author did not declare. */
bool callback_simulation_find_index(callback_simulation *k, double t);

/* callback_index.c: whether dF/dy' is clearly regular at (t, y, y'). There are no constraints then.
 */
bool callback_simulation_is_explicit(const callback_simulation *k, double t, const double *y,
                                     const double *yp);

/* A matrix in neutral units whose reciprocal condition number, times its size, is above this is
 * regular beyond doubt. */
#define CALLBACK_REGULAR 0.03

/* callback_index.c: whether the index is clearly 1, there and beside it: the equations without
 * derivatives determine the algebraic variables, and the other equations determine the derivatives.
 * This test is needed because differences lose rank, as beside stiff springs, and the index then
 * seems higher. */
bool callback_simulation_is_semi_explicit(callback_simulation *k, double t, const double *y,
                                          const double *yp);

/* callback_index.c: DAE_STRUCTURE with its message where nothing determines some variables of
 * equations that are integrated as given. */
dae_status callback_simulation_refuse_singular(callback_simulation *k, double t);

/* callback_index.c: appends the variables of an index above 1, each with its index. */
void callback_simulation_name_index(const callback_simulation *k, text *list);

/* callback_index.c: report_beyond() of simulation_ops. */
bool callback_simulation_report_beyond(const simulation *c, text *t);

/* callback_index.c: notes the variables of an index above 1. */
void callback_simulation_report_index(callback_simulation *k);

/* callback_begin.c: verify() of simulation_ops: checks the invariants that states are drawn to at
 * ends of runs number 1, 2, 4, 8, ... DAE_USAGE with its message where they are not invariant or
 * their gradients are wrong. */
dae_status callback_simulation_verify_end(simulation *c, double t);

/* callback_events.c: how it knows the author's variables at events; frees what belonged to earlier
 * equations. */
extern const author_events_way callback_simulation_events;
void callback_simulation_forget_passed(callback_simulation *k);

/* callback_simulation.c: copies z to y and y' of the simulation. */
void callback_simulation_take(callback_simulation *k);

/* callback_simulation.c: frees everything that the last start has made. */
void callback_simulation_clear(callback_simulation *k);

/* callback_simulation.c: whether the callbacks of the last start also serve near t and y (n; NAN:
 * not known). Everything else that the start has made is freed. */
bool callback_simulation_begin_again(callback_simulation *k, double t, const double *y);

#endif
