/* The nonlinear system that consistent initial values solve: first the equations and the equations
 * that follow by differentiation, then the conditions that the author adds. */
#ifndef PROBLEM_START_H
#define PROBLEM_START_H

#include "base/arena.h"
#include "base/text.h"
#include "linalg/sparse.h"

#include <daedal/solver.h>
#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct start_system start_system;

/* Rows of a system, all their nonzeros, and the entries in these; all ascending. */
typedef struct start_choice {
    size_t rows, entries, nonzeros;
    const size_t *row, *entry;
    const uint32_t *nonzero;
} start_choice;

typedef struct start_form {
    bool rows_apart; /* value() fills in all rows that have values, whatever it returns, and each
                        from the entries of the pattern alone */
    dae_status (*value)(void *self, double t, const double *z, double *r); /* rows */
    /* In the pattern's order. Entries may be infinite, such as the derivative of a root at 0. */
    dae_status (*jacobian)(void *self, double t, const double *z, double *value);
    void (*name_row)(void *self, size_t row, text *t);   /* the equation or condition, its place */
    void (*locate_row)(void *self, size_t row, text *t); /* FILE:LINE:COLUMN */
    void (*name_entry)(void *self, size_t entry, text *t); /* the author's name of z_i */
    /* ", with x = 1, y = 2": the values of what occurs in a row and is not fixed. NULL: not
     * reported. */
    void (*report_values)(void *self, size_t row, double t, const double *z, text *reported);
    /* One line each: equations that are no rows because they served to take out a variable of these
     * rows; for a single row, also equations of the same variables. NULL: not reported. */
    void (*report_beside)(void *self, size_t count, const size_t *row, text *reported);
    /* Whether what the author asserts holds at z. NULL: nothing is asserted. */
    bool (*holds)(void *self, double t, const double *z);

    /* Evaluation of some rows alone, for what it costs by itself. NULL: there is none. divide() is
     * called once, in `a` and under its protection; part() for each choice, NULL if the choice can
     * only be evaluated with the whole. */
    void *(*divide)(void *self, arena *a);
    void *(*part)(void *division, arena *a, const start_choice *c);
    void (*part_value)(void *part, double t, const double *z, double *r);
    void (*part_jacobian)(void *part, double t, const double *z, double *value);
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
    start_watch *watch; /* borrowed; NULL: there is none */
    size_t size;        /* of z */
    size_t equations;   /* rows that follow from the equations come first ... */
    size_t rows; /* ... then initial equations; all together. Less than the pattern has if the last
                    of them are not to count: the form fills them all the same */
    const sparse_pattern *pattern; /* of all rows of the form, x size */
    const double *guess;           /* size: start values */
    const double *start;           /* size: the author's, where guesses are others; NULL: guesses */
    const bool *given;             /* size: the author gave that start value */
    const bool *fixed;             /* size: that value is not to be changed */
    const bool *held;              /* size: that value is not to be changed if the rows can be met
                                      without; NULL: none */
    const bool *guessed;           /* size: given, once held values are fixed; NULL: as `given` */
    const bool *states;   /* size: given, and differentiated or fixed: other given values are
                             guesses that move none of these if the rows can be met without;
                             NULL: all given values count alike */
    const bool *leading;  /* size: given values that count before other given values; NULL: all
                             count alike */
    const bool *variable; /* size: a variable of the author's, not a derivative */
    const bool *differentiated; /* size: a variable that is differentiated; NULL: not known */
    bool settled_elsewhere;     /* no note of variables that are not differentiated and stay open */
    bool incomplete; /* the equations imply more than the rows say: what stays open is perhaps not
                        free */
    bool of_parts;   /* the system of some parts of another: its conditions are noted there */
    bool brief; /* one of many searches: linear rows that the guesses do not lead to are given up */
    bool *taken; /* size: becomes true where no condition fixes a variable, so that its start value
                    was used; NULL: that is not wanted */
    const double *nominal;    /* size: typical sizes */
    const double *preference; /* size: preference for the entry as a state, > 0 */
    double *nearest;  /* size: receives what violates the rows least, where they cannot be met;
                         NULL: not asked for */
    text *redundancy; /* what would be a note of redundant conditions, where an event at the
                         start may yet change the equations; NULL: it is a note */
};

/* The form's value() and jacobian(), watched. */
dae_status start_system_value(const start_system *s, double t, const double *z, double *r);
dae_status start_system_jacobian(const start_system *s, double t, const double *z, double *value);

#endif
