/* The nonlinear system that consistent initial values solve: the equations and what follows from
 * them by differentiation, then the conditions that the author adds. */
#ifndef PROBLEM_START_H
#define PROBLEM_START_H

#include "base/text.h"
#include "linalg/sparse.h"

#include <daedal/solver.h>
#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct start_system start_system;

typedef struct start_form {
    dae_status (*value)(void *self, double t, const double *z, double *r); /* rows */
    /* In the pattern's order; entries may be infinite, as those of a root at 0. */
    dae_status (*jacobian)(void *self, double t, const double *z, double *value);
    void (*name_row)(void *self, size_t row, text *t);   /* the equation or condition, and where */
    void (*locate_row)(void *self, size_t row, text *t); /* FILE:LINE:COLUMN of it */
    void (*name_entry)(void *self, size_t entry, text *t); /* the author's name of z_i */
    /* ", with x = 1, y = 2": values of what is in a row and not fixed; NULL: not told. */
    void (*report_values)(void *self, size_t row, double t, const double *z, text *reported);
    /* A line each: equations that are no rows because a variable of these was taken out by them;
     * of a row alone, equations of the same variables as well. NULL: not told. */
    void (*report_beside)(void *self, size_t count, const size_t *row, text *reported);
} start_form;

/* Before each evaluation the watch is asked; when it wants an end, or an evaluation does, every
 * further evaluation fails with DAE_STOPPED. */
typedef struct start_watch {
    dae_watch ask; /* NULL: nobody watches */
    void *user;
    bool *reported; /* cleared where the watch was asked, which may share what evaluations do; NULL:
                       nothing is shared */
    bool stopped;   /* whoever wanted it */
} start_watch;

struct start_system {
    const start_form *form;
    void *self;
    start_watch *watch;            /* borrowed; NULL: there is none */
    size_t size;                   /* of z */
    size_t equations;              /* rows that follow from the equations, first ... */
    size_t rows;                   /* ... then initial equations; all together. Where the last of
                                      them are not to count it is less than the pattern has: the
                                      form fills them all the same */
    const sparse_pattern *pattern; /* of all rows of the form, x size */
    const double *guess;           /* size: start values */
    const bool *given;             /* size: the author gave that start value */
    const bool *fixed;             /* size: and it is not to be changed */
    const bool *held;              /* size: and not to be changed where the rows can be met without;
                                      NULL: none */
    const bool *guessed;           /* size: given, where what is held is fixed; NULL: as `given` */
    const bool *variable;          /* size: a variable of the author's, not a derivative */
    const bool *differentiated;    /* size: and it is differentiated; NULL: not known */
    bool settled_elsewhere;        /* what is not differentiated and stays open: no note of it */
    bool incomplete;               /* the equations hide more than the rows say: what stays open is
                                      perhaps not free */
    const double *nominal;         /* size: typical sizes */
    const double *preference;      /* size: how gladly the entry is taken as a state, > 0 */
};

/* The form's value() and jacobian(), watched. */
dae_status start_system_value(const start_system *s, double t, const double *z, double *r);
dae_status start_system_jacobian(const start_system *s, double t, const double *z, double *value);

#endif
