/* The problem handle: a model's text, or the equations or mechanical system of a C program, and the
 * functions common to all of these. */
#ifndef FORMULATION_PROBLEM_HANDLE_H
#define FORMULATION_PROBLEM_HANDLE_H

#include "base/message.h"
#include "mechanical/mechanical_form.h"
#include "problem/equations.h"

#include <daedal/problem.h>

/* The functions that differ between kinds of problem. Except for look() and free() they are called
 * only for a problem that has not failed; set() also before look(), and where a text is wrong. */
typedef struct problem_kind {
    void (*look)(dae_problem *p); /* note failures in its message; NULL: nothing to check */
    dae_status (*set)(dae_problem *p, const char *name, const char *value);
    dae_status (*feed)(dae_problem *p, const char *name, size_t count, const double *time,
                       const double *value); /* NULL: it has no inputs */
    size_t (*size)(const dae_problem *p);    /* variables */
    const char *(*variable)(const dae_problem *p, size_t i);
    bool (*is_input)(const dae_problem *p, size_t i);    /* NULL: none is one */
    bool (*is_discrete)(const dae_problem *p, size_t i); /* NULL: none is */
    const char *(*unit)(const dae_problem *p, size_t i); /* NULL: no variable has one */
    dae_experiment (*experiment)(const dae_problem *p);  /* NULL: there is none */
    void (*free)(dae_problem *p); /* what it holds beyond a dae_problem; NULL: nothing */
} problem_kind;

/* The first member of each kind's struct. */
struct dae_problem {
    const problem_kind *kind;
    message message;
    arena memory;
    const equations *equations;        /* of a C program; NULL: another kind */
    const mechanical_form *mechanical; /* of a C program; NULL: another kind */
    double *start; /* n start values of a C program's problem: NAN where dae_problem_set() has not
                      set one; NULL: a model */
};

/* Copy the failure of a problem into the message; DAE_OK where it has none. Does not read the text
 * of a model. */
dae_status problem_handle_status(const dae_problem *p, message *m);

#endif
