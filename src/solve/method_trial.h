/* One-step or multistep, where neither is known to suit better: each runs for a while, and the one
 * that advances further for its work goes on.
 *
 * A multistep method has one real matrix, seldom factored; a Radau method takes a real and a
 * complex one and long steps. Which pays depends on what factors cost, on how smooth the solution
 * is and how undamped its oscillations are, which no one sees from the equations. Work is counted
 * (problem_costs), not clocked, so that a run is the same wherever it is repeated. */
#ifndef SOLVE_METHOD_TRIAL_H
#define SOLVE_METHOD_TRIAL_H

#include "problem/problem.h"

#include <stdbool.h>

enum { METHOD_TRIAL_ONE_STEP, METHOD_TRIAL_MULTISTEP, METHOD_TRIAL_METHODS };

typedef struct method_trial {
    bool open;             /* else one runs alone */
    int at_work;           /* of METHOD_TRIAL_METHODS */
    size_t since;          /* steps since it has been */
    size_t next_look;      /* in such steps */
    size_t patience;       /* steps to the next trial of the other one, growing */
    bool on_trial;         /* the one at work is, against `rate` of the other */
    double rate;           /* of the other: how far it came for its work */
    double advanced, work; /* since the window was opened */
    double early[2];       /* both after the first half of the window */
    size_t steps;          /* since then */
    double seen;           /* the problem's work after the last step */
    size_t runs;           /* of this solver, this one included */
    double total[METHOD_TRIAL_METHODS], spent[METHOD_TRIAL_METHODS]; /* over all of them */
} method_trial;

/* Before a run, also after others: the method to begin with is r->at_work. A solver that is started
 * again and again, as a circuit is at each corner of its inputs, tries each method for a whole run,
 * beginning included, and goes on with the one that came further for its work. */
void method_trial_begin(method_trial *r, const problem *p);

/* One method for the rest of the run. */
void method_trial_close(method_trial *r, int method);

/* After an accepted step of length h; whether the other one is to go on. */
bool method_trial_watch(method_trial *r, const problem *p, double h);

/* What the method at work came so far for its work in the last window; and how many steps of a
 * multistep method one of its steps took. */
double method_trial_rate(const method_trial *r);
double method_trial_dearness(const method_trial *r, const problem *p);

#endif
