/* Solves for y' and algebraic variables at one time, when the differential variables are known.
 * Half-explicit methods do this in each stage, other methods at the end of a step.
 *
 * The unknowns are k = y' of differential variables and z. Equations that contain a derivative, and
 * algebraic equations that contain an algebraic variable, are solved at that time. Algebraic
 * equations in differential variables alone, which give index 2, cannot be solved there. Their
 * place is taken by the same equations at a later point that depends on k, or by their derivative
 * along the solution. One matrix serves all of these: F_y' / delta + F_y with a small delta. In it
 * a change of a differential variable is delta times a change of its derivative, so that its rows
 * are
 *
 *   F_y' dk + F_z dz + delta F_y dk,     g_y delta dk + g_z dz.
 *
 * The first row is exact up to a term that gives the iteration a rate O(delta). So is the second
 * row for equations that contain z. For the others it is g_y dk, because their right side has the
 * factor delta as well.
 *
 * A problem of index 1 whose equations are linear in k and z may solve for them itself, by one
 * linear system: form->solve_algebraic. */
#ifndef STEPPING_INSTANT_H
#define STEPPING_INSTANT_H

#include "base/arena.h"
#include "nonlinear/differences.h"
#include "problem/problem.h"
#include "stepping/engine.h"
#include "stepping/newton.h"

typedef struct instant {
    engine *engine; /* whose equations, weights and failure these are */
    problem *problem;
    size_t n;
    size_t slot;           /* index of the problem's factorisation that is used */
    bool looked;           /* the equations have been classified */
    size_t positions;      /* algebraic equations in differential variables alone */
    bool *position;        /* n: this equation is one of them */
    size_t algebraic;      /* number of algebraic variables */
    double delta;          /* of the present factors; 0: there are none */
    bool solves_algebraic; /* the problem solves for these variables itself: form->solve_algebraic;
                            * then there are no factors */
    newton newton;
    double worst_rate;                         /* of convergence, since it was set to 0 */
    double *residual, *ahead, *value, *change; /* n each */
    double *drift;                             /* n, used up to `positions` */
    double *rise;            /* n: change of algebraic variables in the last step, over its length
                              * ... */
    double rise_step;        /* ... which is this; 0: there was no step */
    derivative_along *along; /* NULL unless there are positions */
    arena memory;            /* of `along` */
} instant;

/* Places the arrays in `space`, or measures. */
void instant_carve(instant *s, workspace *space, engine *e);

/* Begins anew. */
void instant_start(instant *s);

/* Classifies the equations, once, at a point where the problem is linearised. */
dae_status instant_look(instant *s);

/* To be called after that, at a start. Finds an equation that was taken for one without derivatives
 * because their factors are 0 there, though not beside it; PROBLEM_NOWHERE: there is none. The
 * linearisation is lost. */
size_t instant_find_vanishing(instant *s, double t, const double *y, const double *yp);

/* The part of the first step over which a start is examined. With so small a delta only the
 * Jacobian by y' and z counts. */
#define INSTANT_SHORT 0x1p-40

/* Factors for steps of about this length, from the problem as linearised last. */
dae_status instant_factor(instant *s, double h);

/* Which equations are solved: those at the time itself; the same, but constraints of positions at a
 * later point; the same, but their derivative along (1, y'). */
typedef enum instant_kind { INSTANT_HERE, INSTANT_AHEAD, INSTANT_ALONG } instant_kind;

typedef struct instant_task {
    instant_kind kind;
    double t, h;
    double *y;  /* n: differential variables are given, algebraic ones guessed and
                 * found */
    double *yp; /* n: those of differential variables are guessed and found, others not
                 * touched */
    double t_ahead, factor;
    const double *from; /* n: INSTANT_AHEAD: constraints hold at from + factor * y' */
} instant_task;

/* Linearises and factors at the point itself. */
dae_status instant_renew(instant *s, const instant_task *task);

/* DAE_NEWTON, DAE_NOT_EVALUABLE, with the failure recorded; or a status of the problem. */
dae_status instant_solve(instant *s, const instant_task *task);

/* Moves the differential variables of y along F_y'^-1 F_z onto the constraints of positions; does
 * nothing if there are none. */
dae_status instant_project(instant *s, const instant_task *task);

/* Finds derivatives of algebraic variables, which no equation determines, at the start of an
 * integration with steps of about h, into these entries of yp; 0 where they cannot be found. */
void instant_begin_yp(instant *s, double t, double h, const double *y, double *yp);

/* The same at the end of a step from y, y' to end, end_yp, which hold at t + h. On index 1 they
 * follow from the equations, to about half of the digits. On index 2 they follow from three values.
 * As long as only two are known they follow from these, and go into yp as well. */
dae_status instant_find_yp(instant *s, double t, double h, const double *y, double *yp,
                           const double *end, double *end_yp);

/* To be called when that step is accepted. */
void instant_note_rise(instant *s, double h, const double *y, const double *end);

void instant_free(instant *s);

void instant_state(instant *s, state_visit *to);

/* The part of y' that F_y' leaves open: its kernel, without a basis of it.
 *
 * (alpha F_y' + F_y)^-1 alpha F_y' v tends, as alpha grows, to the part of v that equations of
 * index 1 determine. The rest is in the kernel of F_y'. */

/* Removes from v (n) what the equations determine of it, with alpha dF/dy' + dF/dy factored in
 * `slot`, a real one, as linearised last; scratch (n). It is removed twice, so that the error is of
 * the order of 1 / alpha^2. */
void open_yp_keep(problem *p, size_t slot, double alpha, double *v, double *scratch);

/* Finds a vector (n) in the kernel with scattered components; 0 up to round-off if F_y' is
 * regular. */
void open_yp_find(problem *p, size_t slot, double alpha, double *v, double *scratch);

/* Whether that vector is more than round-off: in variables whose derivatives occur, or in any. */
bool open_yp_is_any(const problem *p, const double *v, bool dynamic);

#endif
