/* y' and algebraic variables at one time, from what is known of the differential variables: what
 * half-explicit methods solve in each stage, and others at the end of a step.
 *
 * The unknowns are k = y' of differential variables and z. The equations that hold a derivative,
 * and algebraic ones in which an algebraic variable occurs, are solved at that time. Algebraic
 * equations that hold differential variables alone, which give index 2, cannot be: in their place
 * stand the same at a later point that depends on k, or their derivative along the solution. One
 * matrix serves all: F_y' / delta + F_y with a small delta, in which a change of a differential
 * variable is delta times one of its derivative, so that its rows are
 *
 *   F_y' dk + F_z dz + delta F_y dk,     g_y delta dk + g_z dz,
 *
 * the first as they should be but for a term that costs the iteration a rate O(delta), the second
 * either that or g_y dk on a right side that delta is taken out of.
 *
 * A problem of index 1 whose equations are linear in k and z solves for them itself, by one linear
 * system: form->solve_algebraic. */
#ifndef INTEGRATE_INSTANT_H
#define INTEGRATE_INSTANT_H

#include "base/workspace.h"
#include "nonlinear/derivative_along.h"
#include "stepping/engine.h"
#include "stepping/newton.h"

typedef struct instant {
    problem *problem;
    size_t n;
    size_t slot;           /* the problem's factorisation that it uses */
    bool looked;           /* at the equations: which are what */
    size_t positions;      /* algebraic equations that hold differential variables alone */
    bool *position;        /* n: this one does */
    size_t algebraic;      /* algebraic variables */
    double delta;          /* of the factors at hand; 0: there are none */
    bool solves_algebraic; /* the problem solves for them by itself: form->solve_algebraic; no
                              factors then */
    bool exactly;          /* solve down to round-off */
    newton newton;
    double worst_rate;                         /* of convergence, since it was set to 0 */
    size_t iterations;                         /* since it was set to 0 */
    double *residual, *ahead, *value, *change; /* n each */
    double *drift;                             /* n, of which positions */
    double *rise;            /* n: of algebraic variables in the last step, over its length ... */
    double rise_step;        /* ... which was this; 0: there was none */
    derivative_along *along; /* made where there are positions */
    arena memory;            /* of `along` */
} instant;

/* Place the arrays in `space`, or measure. */
void instant_carve(instant *s, workspace *space, problem *p);

/* Begin anew. */
void instant_start(instant *s);

/* Find out which equations are what, once, at a point where the problem is linearised. */
dae_status instant_look(instant *s);

/* After that, from a start: an equation that was taken for one without derivatives because their
 * factors are 0 there, and not beside it; PROBLEM_NOWHERE: there is none. The linearisation is
 * lost.
 */
size_t instant_find_vanishing(instant *s, double t, const double *y, const double *yp);

/* Where a start is examined, over the first step: with so small a delta nothing but the Jacobian by
 * y' and z counts. */
#define INSTANT_SHORT 0x1p-40

/* Factor for steps of about this length, from the problem as linearised last. */
dae_status instant_factor(instant *s, double h);

/* Which equations hold: those at the time itself; the same, but constraints of positions at a later
 * point; the same, but their derivative along (1, y'). */
typedef enum instant_kind { INSTANT_HERE, INSTANT_AHEAD, INSTANT_ALONG } instant_kind;

typedef struct instant_task {
    instant_kind kind;
    double t, h;
    double *y;            /* n: differential ones given, algebraic ones guessed and found */
    double *yp;           /* n: differential ones guessed and found, others not touched */
    const double *weight; /* n */
    double t_ahead, factor;
    const double *from; /* n: INSTANT_AHEAD: constraints hold at from + factor * y' */
    step_failure *failure;
} instant_task;

/* Linearise and factor at the point itself. */
dae_status instant_renew(instant *s, const instant_task *task);

/* DAE_NEWTON, DAE_NOT_EVALUABLE, with the trouble named. */
dae_status instant_solve(instant *s, const instant_task *task);

/* Move the differential variables of y along F_y'^-1 F_z onto the constraints of positions; nothing
 * where there are none. */
dae_status instant_project(instant *s, const instant_task *task);

/* Derivatives of algebraic variables, which no equation holds, into those entries of yp, at the
 * start of an integration with steps of about h: 0 where they cannot be had. */
void instant_begin_yp(instant *s, double t, double h, const double *y, double *yp);

/* The same at the end of a step from y, y' to end, end_yp, which hold at t + h. Of index 1 they
 * follow from the equations, to about half of the digits; of index 2 from three values, before
 * there are so many from two, and then they go into yp as well. */
dae_status instant_find_yp(instant *s, double t, double h, const double *y, double *yp,
                           const double *end, double *end_yp);

/* That step was accepted. */
void instant_note_rise(instant *s, double h, const double *y, const double *end);

void instant_free(instant *s);

void instant_state(instant *s, state_visit *to);

#endif
