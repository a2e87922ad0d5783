/* Newton's iteration: the one loop for all corrections towards equations.
 *
 * The client knows the equations, the matrices and the norm: it finds a correction and moves. The
 * loop decides when matrices are renewed, when a correction is round-off, when to give up, and how
 * to damp, by rules that are data. Far from a solution, a correction is shortened until the next
 * correction, with the same matrices, is shorter (Deuflhard, Newton Methods for Nonlinear Problems,
 * 2004, Sec. 3.3: the natural monotonicity test). */
#ifndef NONLINEAR_CORRECTIONS_H
#define NONLINEAR_CORRECTIONS_H

#include <daedal/status.h>
#include <stdbool.h>

/* What a client does. Statuses other than DAE_OK are passed on. */
typedef struct correction_ops {
    /* Renew the matrices at the present point. NULL: the present ones serve, or `find` makes
     * them. */
    dae_status (*renew)(void *self);
    /* Find the correction of the point with the present matrices, and its size. A size that is not
     * finite becomes DAE_SINGULAR. */
    dae_status (*find)(void *self, double *size);
    /* Move by `part` of the last correction found, whose size is given. Damped: by `part` of the
     * correction at the last call with part 1, from the point at that call. NULL: `find` has moved
     * already. */
    dae_status (*move)(void *self, double part, double size);
    /* Whether a correction of this size is round-off; it has been made and has not shrunk by half.
     * NULL: only the rules decide. */
    bool (*is_round_off)(void *self, double size);
    /* Damped: how far, in the client's norm, the correction found last is from what `part` of the
     * correction at the last call of `move` with part 1 has left of it. */
    double (*strays)(void *self, double part);
} correction_ops;

/* Sizes are in the client's norm. Members that are 0 have no effect. */
typedef struct correction_rules {
    int most;     /* the most corrections; DAE_NEWTON after them */
    bool enough;  /* DAE_OK after them */
    bool by_miss; /* sizes measure the miss at the point: if a size ends the iteration, the point is
                     not moved */
    int fresh;    /* this many first corrections use matrices of their own point */
    double slow; /* renew matrices after a correction that is more than this part of the one before;
                    0: never for that */
    double far;  /* renew matrices after a first correction larger than this; 0: never for that */
    double round_off; /* a correction that is not larger is the last */
    double nearly;    /* so is one below this that is not below `falls` times the one before */
    double falls;
    double first;    /* the size that the first correction is compared with; 0: none */
    bool must_fall;  /* DAE_NEWTON if a correction is not below `falls` times the one before */
    double diverges; /* DAE_NEWTON if a correction is more than 1 and more than this many times the
                        one before; 0: never */
    double near;     /* damped, until a correction smaller than this follows an undamped one; 0: not
                        damped */
    double close;    /* damped: a part is made where the next correction strays by no more than this
                        part of it, so that corrections follow Newton's flow and lead past no solution
                        (Deuflhard, Sec. 3.1.4); 0: never for that */
} correction_rules;

typedef struct correction_course {
    int count;   /* corrections that were found, except those of damping trials */
    double size; /* size of the last one */
    double
        slowest; /* the largest ratio of a correction to the one before; 0 if that was round-off */
} correction_course;

/* Correct the client's point until the rules are met: DAE_OK. DAE_SINGULAR, DAE_NEWTON: the point
 * may then be anywhere. course: NULL if it is not wanted. */
dae_status corrections_run(const correction_ops *ops, void *self, const correction_rules *rules,
                           correction_course *course);

#endif
