/* Newton's iteration as the one loop of all that goes back to equations by corrections.
 *
 * What the equations are, by which matrices and in which norm they are met is the client's: it
 * finds a correction and moves. When matrices are made anew, when a correction is round-off, when
 * the iteration is given up and how it is damped is decided here, by rules that are data. Far from
 * a solution a correction is taken as far as the next one, with the same matrices, is shorter
 * (Deuflhard, Newton Methods for Nonlinear Problems, 2004, Sec. 3.3: the natural monotonicity
 * test). */
#ifndef NONLINEAR_CORRECTIONS_H
#define NONLINEAR_CORRECTIONS_H

#include <daedal/status.h>
#include <stdbool.h>

/* What a client does. Statuses other than DAE_OK are passed on. */
typedef struct correction_ops {
    /* Matrices of the point as it is. NULL: those at hand serve, or those that `find` makes. */
    dae_status (*renew)(void *self);
    /* The correction of the point by the matrices at hand, and its size; one that is no number is
     * answered with DAE_SINGULAR. */
    dae_status (*find)(void *self, double *size);
    /* Go `part` of the correction that was found last, of that size. Damped: of the one at the last
     * call with the part 1, from the point at that call. NULL: `find` has gone already. */
    dae_status (*move)(void *self, double part, double size);
    /* Whether a correction of this size, made already, that has not shrunk by half is round-off.
     * NULL: only where the rules say so. */
    bool (*is_round_off)(void *self, double size);
} correction_ops;

/* Sizes are in the client's norm. Members that are left 0 ask for nothing. */
typedef struct correction_rules {
    int most;         /* corrections: DAE_NEWTON behind them */
    bool enough;      /* DAE_OK behind them */
    bool by_miss;     /* sizes are what is missed at the point: where that ends it, it stays */
    int fresh;        /* so many of the first ones with matrices of their own point */
    double slow;      /* matrices anew behind one that is more than this part of the one before; 0:
                         never for that */
    double far;       /* and behind a first one of more than this; 0: never for that */
    double round_off; /* one that is not more is the last */
    double nearly;    /* and so is one of less than this that is not below `falls` of the one
                         before */
    double falls;
    double first;    /* what the first one is compared with; 0: with nothing */
    bool must_fall;  /* DAE_NEWTON where one is not below `falls` of the one before */
    double diverges; /* DAE_NEWTON where one is more than so many times the one before and more
                        than 1; 0: never for that */
    double near;     /* damped, until one of less than this follows a whole one; 0: not damped */
} correction_rules;

typedef struct correction_course {
    int count;   /* corrections that were found, without those on trial */
    double size; /* of the last one */
    double
        slowest; /* the largest part that one was of the one before; 0 where that was round-off */
} correction_course;

/* Correct the client's point until the rules are met: DAE_OK. DAE_SINGULAR, DAE_NEWTON; the point
 * may be anywhere then. course: NULL where it is not wanted. */
dae_status corrections_run(const correction_ops *ops, void *self, const correction_rules *rules,
                           correction_course *course);

#endif
