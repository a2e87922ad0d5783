/* The problem handle: a model's text or the equations of a C program, and what is asked of both. */
#ifndef FORMULATION_PROBLEM_HANDLE_H
#define FORMULATION_PROBLEM_HANDLE_H

#include "base/message.h"
#include "problem/equations.h"

#include <daedal/problem.h>

/* What the two kinds of problem answer for themselves; all may look at the problem first. */
typedef struct problem_kind {
    void (*look)(dae_problem *p); /* whether all is well, into its message */
    dae_status (*set)(dae_problem *p, const char *name, const char *value);
    size_t (*size)(dae_problem *p); /* variables; 0 after a failure */
    const char *(*variable)(dae_problem *p, size_t i);
    const char *(*unit)(dae_problem *p, size_t i);
    dae_experiment (*experiment)(dae_problem *p);
    void (*free)(dae_problem *p); /* what it holds besides the members below */
} problem_kind;

/* What handles of both kinds begin with. */
struct dae_problem {
    const problem_kind *kind;
    message message;
    arena memory;
};

/* The equations of a C program; NULL: the problem is a model. */
const equations *problem_handle_equations(const dae_problem *p);

/* Their start values as dae_problem_set() has set them (n), NAN where it has not; NULL for a model.
 */
const double *problem_handle_start(const dae_problem *p);

/* Pass on the failure of a problem; DAE_OK where it has none. */
dae_status problem_handle_status(const dae_problem *p, message *m);

#endif
