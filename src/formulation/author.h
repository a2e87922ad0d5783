/* Back to what the author wrote: values of all variables and their derivatives from the entries of
 * a prolongation, and how far the equations as written, and the constraints with their derivatives,
 * are met by them. */
#ifndef FORMULATION_AUTHOR_H
#define FORMULATION_AUTHOR_H

#include "formulation/prolonged_names.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"
#include "structure/signature.h"
#include "symbolic/matrix.h"

typedef struct author {
    const sym_system *system;
    const explicit_core *core;
    const prolongation *written; /* of the author's equations, none replaced */
    size_t levels;               /* of constraints: as written, first derivative, ... */
    sym_tape *lift;              /* from z to the derivatives of `written` */
    double *lift_work, *lift_input;
    bool *known; /* written->size: z suffices to compute this derivative */

    sym_tape *rows; /* all rows of `written` that are measured */
    sym_matrix *jacobian;
    double *rows_work, *jacobian_work, *input, *row_value, *jacobian_value, *sum;
    double *size;         /* written->size: of each derivative, at least */
    size_t measured;      /* rows of the tape */
    size_t *row;          /* measured: row of `written` */
    size_t *level_of;     /* measured: constraint level, SIZE_MAX where it is none */
    bool *is_equation;    /* measured: an equation as written */
    sym_tape *assertions; /* conditions */
    double *assertion_work, *assertion_value;
} author;

/* p is the prolongation that is integrated over `core`, of whose derivatives those up to held[j]
 * will be at hand; own is the signature of the author's equations. Lives in `a`, under its
 * protection and that of the graph's arena. */
author *author_create(arena *a, const sym_system *system, const explicit_core *core,
                      const prolongation *p, const uint32_t *held, const signature *own,
                      bool hidden);

/* Sizes of derivatives are those of their variables, by a unit of time (problem/time_unit.h) longer
 * than a second, which would leave a miss of slow ones unseen; in a shorter one they show by
 * themselves what they are. */
void author_use_time_unit(author *w, const prolonged_names *names, double unit);

/* From now on lift from another prolongation, as author_create() has it. False where that gives
 * less than the present one: then nothing is changed. Where `w` lives. */
bool author_lift_from(author *w, arena *a, const explicit_core *core, const prolongation *p,
                      const uint32_t *held);

/* Whether nothing is differentiated in an equation as written. */
bool author_is_constraint(const author *w, size_t equation);

/* Values y (unknowns) and derivatives yp (unknowns, NaN where none is known; NULL: not wanted) of
 * the author's variables, from z. */
void author_lift(author *w, double t, const double *z, double *y, double *yp);

/* After author_lift(): the worst violation among the equations as written, and of each constraint
 * level (levels), as miss.h defines it; each is raised to the maximum with what it
 * holds. */
void author_measure(author *w, double t, double *residual, double *constraint);

/* After author_lift(): a variable without a finite value, or -1; one whose own equation is to
 * blame, where that can be told, rather than one that depends on it. */
long author_missing_value(const author *w);

/* After author_lift(): the first equation as written that has no finite value, and the part of it
 * that is to blame. -1: there is none. */
long author_breakdown(author *w, sym_breakdown *found);

/* After author_lift(): the first assertion from `from` on that fails, or -1. The values are those
 * of the last call from 0 on. */
long author_failed_assertion(author *w, double t, size_t from);

#endif
