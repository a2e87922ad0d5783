/* The course of a model in which the form of a mechanism is found (structure/mechanism.h).
 *
 * It starts as the model does; from there on the course of a mechanical system is followed
 * (mechanical_course.h), in q, q' and multipliers of its own. What is asked for, told and measured
 * are the variables and equations of the model. */
#ifndef SOLVE_MECHANISM_COURSE_H
#define SOLVE_MECHANISM_COURSE_H

#include "formulation/mechanism_lift.h"
#include "formulation/mechanism_reactions.h"
#include "solve/mechanical_course.h"
#include "solve/model_course.h"

typedef struct mechanism_course {
    const mechanism *found;
    mechanism_form *form;
    mechanism_reactions *reactions;
    mechanism_lift *lift;
    double *given;      /* 2 n + m: start values of the inner course */
    double *lambda;     /* m: the author's multipliers */
    double *share;      /* m x m, as mechanism_reactions.h has it, at the start */
    double *atols;      /* 2 n + m: of the inner course */
    bool ends_may_fail; /* ends of steps may lack values, or break assertions */

    /* Made anew at each start: */
    message heard; /* what the inner course told before it was followed */
    text reasons;
    course *inner; /* NULL before */
} mechanism_course;

/* mechanism_choice.c: at the creation of a model's course: m->wish by the options, and where they
 * ask for this way the form, m->mechanism. The message fails with DAE_UNSUPPORTED where the
 * equations have another one, or with DAE_NO_MEMORY. */
void mechanism_course_look(model_course *m);

/* mechanism_choice.c: after the model's start, from m->z: follow the mechanical system where that
 * is asked for or left open; m->base.row is changed for it. Where the system cannot be followed the
 * message says why in case it is asked for, else a reason. */
dae_status mechanism_course_try(model_course *m, double t);

/* mechanism_begin.c: the same without a choice, of a form that has been found. */
dae_status mechanism_course_start(model_course *m, double t);

/* mechanism_begin.c: of a form that has been found and is not followed: whether it could be from a
 * start, and is small enough for `elimination` to pass singular configurations. */
bool mechanism_course_passes_singular(model_course *m);

/* mechanism_choice.c: appended to what stopped a model that by its options is not followed so: that
 * the form is there, and what passes singular configurations; nothing where that would not. */
void mechanism_course_tell_remedy(course *c, text *t);

/* Whether it is followed. */
bool mechanism_course_followed(const model_course *m);

/* mechanism_course.c: whether the inner course's start leaves what the author fixed as it is; it
 * knows nothing of that, and where constraints depend on each other multipliers are chosen. */
bool mechanism_course_keeps_fixed(model_course *m, double t);

/* mechanism_course.c: from now on what is integrated is the inner course's problem. */
void mechanism_course_follow(model_course *m);

/* Absolute tolerances of the inner course's q, v and multipliers (2 n + m, in k->atols) from those
 * of the author's variables. */
double *mechanism_course_atols(const mechanism_course *k, const double *atols);

/* How good what follows from positions and velocities is, at the start and beside it. */
typedef struct mechanism_spread {
    double missed;     /* the worst violation of the author's equations at the start */
    double spread;     /* how many of its tolerances the most sensitive multiplier moves, where
                          positions and velocities move by theirs */
    size_t multiplier; /* that one, among the author's variables */
} mechanism_spread;

/* mechanism_spread.c: after the inner course's start, `from` being the way back to the author's
 * variables. m->base.value is lost. */
mechanism_spread mechanism_course_spread(model_course *m, author *from, double t);

/* mechanism_begin.c: what the last start has made goes; all. */
void mechanism_course_drop(mechanism_course *k);
void mechanism_course_free(mechanism_course *k); /* NULL is fine */

#endif
