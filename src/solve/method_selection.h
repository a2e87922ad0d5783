/* Chooses the method of a run where the author leaves it to daedal, from properties of the problem
 * at the start and from what the run shows. */
#ifndef SOLVE_METHOD_SELECTION_H
#define SOLVE_METHOD_SELECTION_H

#include "base/text.h"
#include "problem/problem.h"
#include "stepping/control.h"

#include <stdbool.h>

/* The methods between which `auto` chooses, as arms: explicit, one-step implicit, multistep.
 * Measures the progress of each per work, and makes trials of one against another.
 *
 * Which arm pays depends on the cost of factors, on the smoothness of the solution and on what
 * limits the steps. None of this can be seen from the equations. So another arm is tried where it
 * may be worth it. It stays if it makes enough progress for its work. Otherwise the arm before
 * continues, and the next trial of that kind waits longer. Work is counted (problem_costs), not
 * clocked, so that a run repeats bit for bit. */

typedef enum method_arm { ARM_EXPLICIT, ARM_ONE_STEP, ARM_MULTISTEP, ARM_COUNT } method_arm;

/* What may be on trial. */
typedef enum trial_kind {
    TRIAL_OF_EXPLICIT, /* the explicit arm, after an implicit one */
    TRIAL_OF_IMPLICIT, /* an implicit arm, after the explicit one */
    TRIAL_OF_OTHER,    /* the other implicit arm */
    TRIAL_KINDS
} trial_kind;

typedef enum trial_outcome { TRIAL_RUNS, TRIAL_PASSED, TRIAL_FAILED } trial_outcome;

enum { LONGEST_WINDOW = 20 };

typedef struct method_trial {
    method_arm arm;      /* the arm at work */
    method_arm implicit; /* the implicit arm that is used, or will be */
    bool closed;         /* that implicit arm stays for the rest of the run */
    bool on_trial;       /* the arm at work is on trial, */
    trial_kind kind;     /* in a trial of this kind */
    method_arm before;   /* the arm that continues if the trial fails */
    double rate;         /* the progress of that arm per work */
    size_t since;        /* steps since the method at work began */
    size_t due;          /* steps after which a trial is judged */
    size_t next_look;    /* steps until the other implicit arm is examined */
    size_t patience[TRIAL_KINDS];
    double advanced[LONGEST_WINDOW], work[LONGEST_WINDOW]; /* of the last steps, as rings */
    double seen;          /* the problem's work after the last step */
    double besides;       /* the work of a step besides its engine, whatever the method is */
    bool by_pieces;       /* events are announced, or follow each other soon, and trials last from
                             one to another */
    bool of_state;        /* ... which are none that are announced */
    size_t pieces, steps; /* pieces of the arm at work; steps of the piece so far */
    size_t waited;       /* events from which the implicit arm has begun anew since the other one */
    size_t short_pieces; /* pieces in a row that were short, while they are not compared */
    size_t piece_patience; /* pieces before the other arm is tried */
    double length, begun;  /* the way of the arm at work, and the problem's work before it began */
    bool counted;          /* the last step led to an announced event, and is counted */
    size_t runs;           /* runs of this solver, with the present one */
    double total[ARM_COUNT], spent[ARM_COUNT]; /* progress and work over all runs */
} method_trial;

/* Before each run: r->arm becomes the implicit arm to begin with. A solver that is started again
 * and again, as a circuit at each corner of its inputs, tries each arm for a whole run, its
 * beginning included. It then continues with the arm that made more progress for its work. */
void method_trial_begin(method_trial *r, const problem *p);

/* Sets one implicit arm for the rest of the run, and puts it to work. */
void method_trial_close(method_trial *r, method_arm arm);

/* After an accepted step of length h. */
void method_trial_step(method_trial *r, const problem *p, double h);

/* Another method continues, of the arm `to`, which may be the same; this is no trial. */
void method_trial_change(method_trial *r, const problem *p, method_arm to);

/* Begins a trial: the arm that this kind tries continues. `slow`: it has more steps to recover. */
void method_trial_start(method_trial *r, const problem *p, trial_kind kind, bool slow);

/* Whether the other implicit arm is to be tried now; counts the steps to the next look. */
bool method_trial_wants_other(method_trial *r, const problem *p);

/* The state of the present trial. After TRIAL_FAILED the arm before is at work. *part: the progress
 * of the arm on trial per work, relative to that arm. */
trial_outcome method_trial_judge(method_trial *r, const problem *p, double *part);

/* Before the first step of a run with announced events: a multistep method begins. A run between
 * two events begins anew, whatever the method, and its steps are short at first; so progress is
 * compared by whole pieces. True where the arm at work has changed. */
bool method_trial_announce(method_trial *r, const problem *p);

/* At an announced event: ends a piece. *part as below. TRIAL_RUNS: nothing changes. */
trial_outcome method_trial_end_piece(method_trial *r, const problem *p, double *part);

/* At an event of the state, from which each method begins anew as well. True where it ends a piece,
 * as it does where such events follow each other soon and none is announced. */
bool method_trial_restart(method_trial *r, const problem *p);

/* At such an event: whether the other implicit arm is to be tried now. */
bool method_trial_wants_piece(const method_trial *r);

/* Makes the next trial of that kind wait FAILED times longer. */
void method_trial_put_off(method_trial *r, trial_kind kind);

/* The mean length of the steps of the arm at work since it began. */
double method_trial_step_length(const method_trial *r);

/* The cost of one of the last steps, in steps of a multistep method. */
double method_trial_dearness(const method_trial *r, const problem *p);

typedef struct method_selection {
    bool automatic;
    const char *name;    /* the method chosen; NULL before there is one */
    const char *at_work; /* that of the engine, which changes to `next` before the next step */
    const char *next;    /* the method to change to before the next step; NULL: no change */
    method_trial trial;  /* the arm at work, and how others compare */
    bool suspect;        /* damped eigenvalues were seen at the start */
    size_t stiff, calm;  /* consecutive steps (stiff) or looks (calm) */
    size_t bound;        /* steps of an explicit method that stability may have bound */
    double longest;      /* longest step of this run */
    double begun;        /* the problem's work before this run */
    bool started;        /* a run has begun, */
    double start;        /* at this time */
    bool behind;         /* this run continues an earlier one, which may have ended at a jump of the
                            input, or its steps have crept */
    bool failed;         /* a method has stopped, and another one continued */
    unsigned tried;      /* methods tried after a failure, as bits, since the run last advanced */
    size_t since_failure; /* steps since the last failure */
    stiffness stiffness;
    double *weight; /* n */
    workspace space;
} method_selection;

/* What is known when the choice is made. */
typedef struct method_view {
    problem *problem;
    double t, rtol, atol;
    const double *y, *atols; /* problem->n; atols NULL: atol for all */
    double besides;          /* the work of a step besides its engine */
    bool fixed_step;
    bool solves_yp; /* simulation.h */
    bool switches;  /* relations in the equations switch, at instants that are not located */
} method_view;

/* Looks at a problem from now on, where equations are formed anew or a state is restored.
 * Eigenvalues are sought afresh. DAE_NO_MEMORY. */
dae_status method_selection_make(method_selection *c, problem *p);

/* Chooses the method to begin with; why is appended to `reasons`. DAE_NO_MEMORY. */
dae_status method_selection_begin(method_selection *c, const method_view *v, text *reasons);

/* After an accepted step of length h, for which the engine measured this stiffness (`shown`,
 * engine.h). Fills c->next where another method suits better, and appends why. */
void method_selection_watch(method_selection *c, const method_view *v, double h, double shown,
                            text *reasons);

/* Before a step, where an event is announced for the time `next`. */
void method_selection_announce(method_selection *c, const method_view *v, double next,
                               text *reasons);

/* At such an event, from which the engine starts anew. */
void method_selection_pass_event(method_selection *c, const method_view *v, double h,
                                 bool announced, text *reasons);

/* The first step of the method that continues after one of length h; 0: the method finds it. */
double method_selection_first_step(const method_selection *c, double h);

/* After the method at work has stopped: sets c->next to another one, the most robust first. False
 * where each has been tried since the run last advanced. */
bool method_selection_after_failure(method_selection *c, const method_view *v, text *reasons);

/* After that, where the run goes back to an earlier point: all methods may be tried again from
 * there. */
void method_selection_go_back(method_selection *c, const method_view *v, text *reasons);

#endif
