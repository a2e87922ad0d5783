/* The problem handle: a model's text, or the equations or the mechanical system of a C program, and
 * what is asked of all. */
#ifndef FORMULATION_PROBLEM_HANDLE_H
#define FORMULATION_PROBLEM_HANDLE_H

#include "base/message.h"
#include "mechanical/mechanical_form.h"
#include "problem/equations.h"

#include <daedal/problem.h>

/* What the kinds of problem answer for themselves. All but look() and free() are asked only of
 * a problem that has not failed. */
typedef struct problem_kind {
    void (*look)(dae_problem *p); /* whether all is well, into its message; NULL: nothing to see */
    dae_status (*set)(dae_problem *p, const char *name, const char *value);
    size_t (*size)(const dae_problem *p); /* variables */
    const char *(*variable)(const dae_problem *p, size_t i);
    const char *(*unit)(const dae_problem *p, size_t i);
    dae_experiment (*experiment)(const dae_problem *p);
    void (*free)(dae_problem *p); /* what it holds besides what all handles hold; NULL: nothing */
} problem_kind;

/* What handles of all kinds begin with. */
struct dae_problem {
    const problem_kind *kind;
    message message;
    arena memory;
    const equations *equations;        /* of a C program; NULL: another kind */
    const mechanical_form *mechanical; /* of a C program; NULL: another kind */
    double *start;                     /* their n start values, NAN where none was set */
};

/* The equations, or the mechanical system, of a C program; NULL: the problem is another. */
const equations *problem_handle_equations(const dae_problem *p);
const mechanical_form *problem_handle_mechanical(const dae_problem *p);

/* Their start values as dae_problem_set() has set them (n), NAN where it has not; NULL for a model.
 */
const double *problem_handle_start(const dae_problem *p);

/* Pass on the failure of a problem; DAE_OK where it has none. A model is not looked at for it. */
dae_status problem_handle_status(const dae_problem *p, message *m);

#endif
