/* The methods between which `auto` chooses, as arms: explicit, one-step implicit, multistep. How
 * far each comes for its work, and trials of one against another.
 *
 * Which arm pays depends on what factors cost, on how smooth the solution is and on what binds the
 * steps, which no one sees from the equations. So another arm is tried where it may be worth it. It
 * stays if it comes far enough for its work; else the arm before goes on, and the next trial of
 * that kind waits longer. Work is counted (problem_costs), not clocked: a run repeats bit for bit.
 */
#ifndef SOLVE_METHOD_TRIAL_H
#define SOLVE_METHOD_TRIAL_H

#include "problem/problem.h"

#include <stdbool.h>

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
    method_arm arm;      /* at work */
    method_arm implicit; /* of the two implicit arms, the one that is or will be */
    bool closed;         /* that one stays */
    bool on_trial;       /* the arm at work is, ... */
    trial_kind kind;     /* ... in a trial of this kind */
    method_arm before;   /* the arm that goes on if it fails, ... */
    double rate;         /* ... and how far that came for its work */
    size_t since;        /* steps since the method at work began */
    size_t due;          /* steps after which a trial is judged */
    size_t next_look;    /* steps until the other implicit arm is looked at */
    size_t patience[TRIAL_KINDS];
    double advanced[LONGEST_WINDOW], work[LONGEST_WINDOW]; /* of the last steps, in turn */
    double seen;                                           /* the problem's work after the last */
    size_t runs;                                           /* of this solver, this one included */
    double total[ARM_COUNT], spent[ARM_COUNT];             /* over all of them */
} method_trial;

/* Before a run, also after others: r->arm becomes the implicit arm to begin with. A solver that is
 * started again and again, as a circuit is at each corner of its inputs, tries each arm for a whole
 * run, beginning included, and goes on with the one that came further for its work. */
void method_trial_begin(method_trial *r, const problem *p);

/* One implicit arm for the rest of the run; it is at work. */
void method_trial_close(method_trial *r, method_arm arm);

/* After an accepted step of length h. */
void method_trial_step(method_trial *r, const problem *p, double h);

/* Another method goes on, of the arm `to`, which may be the same; no trial. */
void method_trial_change(method_trial *r, const problem *p, method_arm to);

/* The arm that a trial of that kind tries goes on; `slow`: it has longer to find its way. */
void method_trial_start(method_trial *r, const problem *p, trial_kind kind, bool slow);

/* Whether the other implicit arm is to be tried now; counts the steps to the next look. */
bool method_trial_wants_other(method_trial *r, const problem *p);

/* What has become of the trial that is on. After TRIAL_FAILED the arm before is at work; *part: how
 * far the arm on trial came for its work, over that. */
trial_outcome method_trial_judge(method_trial *r, const problem *p, double *part);

/* The next trial of that kind waits so many times longer. */
void method_trial_put_off(method_trial *r, trial_kind kind);

/* How many steps of a multistep method one of the last steps took. */
double method_trial_dearness(const method_trial *r, const problem *p);

#endif
