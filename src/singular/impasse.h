/* Points at which the derivative of a solution becomes infinite: what they are, by following the
 * curve of solutions past them.
 *
 * At a fold of the algebraic equations, or where the matrix of y' becomes singular, time turns
 * along the curve: y - y* grows as (t* - t)^(1/2). No solution goes on after such an impasse point
 * in the direction of time (P. J. Rabier & W. C. Rheinboldt, J. Math. Anal. Appl. 181 (1994) 429).
 * At a pole a variable itself grows without bound, and time does not turn. Where constraints lose
 * rank curves of solutions cross, and the tangent of a single one says nothing. */
#ifndef SINGULAR_IMPASSE_H
#define SINGULAR_IMPASSE_H

#include "singular/curve.h"

typedef enum singular_kind {
    SINGULAR_NONE,     /* the curve goes on in time, or it cannot be followed */
    SINGULAR_IMPASSE,  /* time turns */
    SINGULAR_VERTICAL, /* the derivative is infinite at one instant, and time goes on */
    SINGULAR_SWITCHES, /* time would turn, but the equations change at that very point */
    SINGULAR_POLE,     /* a variable grows without bound */
    SINGULAR_CROSSING  /* the equations lose rank: curves of solutions may cross */
} singular_kind;

enum { SINGULAR_MOST_NAMED = 3 };

typedef struct singular_point {
    singular_kind kind;
    double t; /* where it is; of a pole the time that was reached */
    /* Whether solutions reach it in the direction of the run and end there; otherwise two of them
     * begin there. For times that rise this is the sign of alpha in Rabier & Rheinboldt: negative
     * where it is accessible. */
    bool accessible;
    double exponent;      /* at an impasse y' grows as |t* - t|^exponent; -1/2 at a simple fold */
    double square, whole; /* curve_singular_values() */
    /* The unknowns that change most along the curve there, or that grow, by curve_order(). */
    size_t named, unknown[SINGULAR_MOST_NAMED];
} singular_point;

typedef struct singular_search {
    double direction; /* of time: +1 or -1 */
    double reach;     /* how far in time the curve is followed where nothing happens */
    bool at_start;    /* the point is that of a start, to which no solution has led */
    /* Whether the equations change where time turns at a part of the last step of the curve, as h =
     * q*abs(q) does at q = 0. NULL: they never do. */
    bool (*switches)(void *self, solution_curve *c, double part);
    void *self;
} singular_search;

/* Looks for such a point from the present point of a curve on, in the direction of time, and also
 * to its other side where time hardly changes at it. The curve has moved afterwards. DAE_OK, also
 * where nothing is found; DAE_STOPPED, DAE_NO_MEMORY. */
dae_status singular_look(solution_curve *c, const singular_search *search, singular_point *found);

/* Whether time turns within the last step: *part is where dt/ds vanishes there, to round-off, and
 * curve_within() was called for it last. `way`: the sign of dt/ds before. */
bool singular_turns(solution_curve *c, double way, double *part);

/* Fills what is known of a point by the last step, within which time turns at `part`. */
dae_status singular_classify(solution_curve *c, double direction, double part,
                             singular_point *found);

#endif
