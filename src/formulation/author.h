/* Back to the author's equations. Computes values of all variables and their derivatives from the
 * entries of a prolongation. Measures how far these values violate the equations as written, and
 * the constraints with their derivatives. */
#ifndef FORMULATION_AUTHOR_H
#define FORMULATION_AUTHOR_H

#include "formulation/prolonged_start.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"
#include "structure/signature.h"
#include "symbolic/tape.h"

/* The points for which there is room. */
enum { AUTHOR_MARGINS = 6 };

typedef struct author {
    const sym_system *system;
    const explicit_core *core;
    prolongation *written; /* of the author's equations, with all variables */
    size_t levels;         /* constraint levels: as written, first derivative, ... */
    sym_tape *lift;        /* from z to the derivatives of `written` */
    double *lift_input;
    bool is_finite; /* all variables that were lifted last */
    bool *known;    /* written->size: z suffices to compute this derivative */

    sym_tape *rows; /* all rows of `written` that are measured */
    sym_matrix *jacobian;
    double *input, *row_value, *jacobian_value, *sum;
    double *size; /* written->size: of each derivative, at least */
    size_t measured,
        implied;          /* rows of the tape; of these, the last ones: those that are implied */
    sym *row;             /* measured: a row of `written`, or an equation that is implied */
    size_t *level_of;     /* measured: constraint level; SIZE_MAX: no constraint */
    bool *is_equation;    /* measured: an equation as written */
    size_t *equation;     /* measured: its number in the system, or after all of these that of one
                             that is implied */
    sym_tape *assertions; /* conditions */
    double *assertion_value; /* and, after those of all, the values of their messages */
    size_t margins;          /* relations in assertions: */
    sym_tape *margin;        /* left - right of each, */
    double *margin_at;       /* AUTHOR_MARGINS x margins: and room for its values at some points */
} author;

/* p is the integrated prolongation of `core`; derivatives of its unknown j up to order held[j] will
 * be known. written: the author's equations as a core. own: their signature. hidden: measure
 * derivatives of constraints too. Lives in `a`, under its protection and that of the graph's arena.
 */
author *author_create(arena *a, const sym_system *system, const explicit_core *core,
                      const explicit_core *written, const prolongation *p, const uint32_t *held,
                      const signature *own, bool hidden);

/* Which of some expressions in the unknowns of p (count) contain only derivatives that are known,
 * those of unknown j up to order held[j]. In `a`, under its protection. */
void author_find_known(arena *a, const prolongation *p, const uint32_t *held, size_t count,
                       const sym *value, bool *found);

/* Scale the sizes of derivatives to a unit of time (problem/time_unit.h) that is longer than a
 * second. Per second, slow derivatives would look small, and their misses would go unnoticed. For a
 * shorter unit the sizes stay as they are, because fast derivatives are large by themselves. */
void author_use_time_unit(author *w, const prolonged_names *names, double unit);

/* From now on lift from another prolongation, with arguments as in author_create(). Returns false,
 * and changes nothing, if that would give fewer derivatives than now. a: the arena of `w`. */
bool author_lift_from(author *w, arena *a, const explicit_core *core, const prolongation *p,
                      const uint32_t *held);

/* For sym_graph_back(): the expressions that it refers to; `tapes` as in prolongation_visit(). */
void author_visit(author *w, bool tapes, sym_visit *visit, void *context);

/* Whether an equation as written contains no derivatives. */
bool author_is_constraint(const author *w, size_t equation);

/* Values y (unknowns) and derivatives yp (unknowns, NaN where none is known; NULL: not wanted) of
 * the author's variables, from z. */
void author_lift(author *w, double t, const double *z, double *y, double *yp);

/* After author_lift(): raise *residual to the worst violation among the equations as written, and
 * constraint (levels) to the worst of each constraint level. Violations are as in levels.h. */
void author_measure(author *w, double t, double *residual, double *constraint);

/* The worst violation among the equations of `w` as written at what was lifted last to `at`, whose
 * system has the same variables; those that are not known there, or have no value, are left out. */
double author_miss(author *w, const author *at, double t);

/* After author_measure(): append the equation that is missed most among those as written, and by
 * how much. */
void author_name_missed(const author *w, text *t);

/* After author_lift(): a variable without a finite value, or -1. If possible, it is one whose own
 * equation is the cause, rather than one that depends on such a variable. */
long author_missing_value(const author *w);

/* After author_lift(): the first equation as written that has no finite value, and the part of it
 * that is the cause. -1: there is none. */
long author_breakdown(author *w, sym_breakdown *found);

/* After author_lift(): the first assertion from number `from` on that fails, or -1. Assertions are
 * evaluated only if `from` is 0; later calls use these values. */
long author_failed_assertion(author *w, double t, size_t from);

/* After author_lift(): the values of left - right of the relations in assertions (margins), which
 * tell how near an assertion is to fail. */
void author_margins(author *w, double t, double *value);

/* After author_failed_assertion(): append the message of an assertion, with the values that it has
 * there. */
void author_say_assertion(const author *w, size_t i, text *t);

#endif
