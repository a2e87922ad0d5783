/* Expressions evaluated: in double for callbacks, and as Taylor series in time, in quadruple
 * precision, for what is known of a problem before it is solved. */
#ifndef RANDOM_TAPE_H
#define RANDOM_TAPE_H

#include "base/quad.h"
#include "random/expression.h"

enum { TAPE_TIMES = 32 };

/* The nodes that some expressions need, in order. The pool must stay and may not grow. */
typedef struct tape {
    const expr_pool *pool;
    int length, outputs;
    expr *step;    /* length: the node */
    int *place;    /* by node: its step */
    int *output;   /* outputs: the step */
    double *value; /* length */
    int timed;     /* steps that depend on the time alone */
    int *order;    /* length: those steps, then the others */
    double *kept;  /* TAPE_TIMES x timed: their values at the times that were asked for last */
    double at[TAPE_TIMES]; /* these times; NaN: none yet */
    int next;              /* the one that is replaced next */
} tape;

void tape_open(tape *t, const expr_pool *p, int outputs, const expr *e);
void tape_close(tape *t);

/* `result` has one value an output. Differences and Newton's iterations ask for few times again and
 * again: what depends on the time alone is computed once for each of them. */
void tape_run(tape *t, double time, const double *y, const double *yp, double *result);

enum { SERIES_MOST = 8 }; /* coefficients */

typedef struct series {
    quad c[SERIES_MOST]; /* c[k]: derivative k over k! */
} series;

/* Coefficients 0 ... terms - 1 of each output at `time`, along series of y and y' (NULL: none
 * occur). `signs`: NULL, or each product, quotient and function is off by 2^-53 in the direction
 * of a bit. */
void tape_series(const tape *t, int terms, double time, const series *y, const series *yp,
                 const unsigned char *signs, series *result);

#endif
