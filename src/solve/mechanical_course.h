/* The course of a constrained mechanical system: formulated by a chart (formulation/chart.h), in
 * whose variables the engine works; what is asked for is q, v and lambda. */
#ifndef SOLVE_MECHANICAL_COURSE_H
#define SOLVE_MECHANICAL_COURSE_H

#include "formulation/chart.h"
#include "method/method.h"
#include "problem/callbacks.h"
#include "solve/course.h"
#include "solve/mechanical_structural.h"

/* What is done to a state that is brought back to the constraints. */
typedef enum mechanical_way {
    MECHANICAL_NOTHING,
    MECHANICAL_SETTLED, /* the state stays; accelerations and multipliers follow from it */
    MECHANICAL_NEAREST, /* the nearest in the norm of the nominal sizes */
    MECHANICAL_AT_ONCE, /* the same, positions and velocities at once */
    MECHANICAL_BY_MASS, /* in that of the mass */
    MECHANICAL_POST     /* one correction, or two, with the factors of one point */
} mechanical_way;

typedef struct mechanical_course {
    course base;
    arena memory;
    const mechanical_form *form; /* in `memory`: the problem may be freed */
    const char *const *equation; /* form->n: names */
    double *nominal;             /* form->n: form->nominal, which the mass may change */
    double *given;               /* form->n: start values of the problem, NAN where there is none */
    double *start;               /* form->n: those of this start */
    mechanical *system;          /* for all that is no engine's: its points do not meet those */
    chart_point point;           /* of the author's, evaluated last; its v' is kept here */
    double *position;            /* phi_q */
    double *change;              /* nv + constraints */
    double *step;                /* nq */
    double *level, *size;        /* constraints each */
    double *motion, *terms;      /* nv each: the residual, and what it is relative to */

    double *kept, *now; /* as many as there are invariants: at the start, and as measured */

    mechanical_way way;
    int corrections;    /* of MECHANICAL_POST */
    double renew_below; /* a quality: charts that are worse are renewed */
    bool of_model;      /* inside a model's course, whose variables the options are about */

    /* Made anew at each start: */
    const structural_way *structural; /* NULL where the method is none */
    chart *chart;
    callbacks *callbacks;
    struct {
        double found; /* the worst violation since it was set to 0 */
        size_t row;   /* of the author's equations */
        int order;    /* of its derivative that is missed */
    } worst;
    size_t ends;    /* of runs since the start */
    bool told_away; /* that the chart leaves constraints out which do not depend on others */
} mechanical_course;

/* The course of a system with the start values of its problem (form->n). NULL only when memory is
 * out; other failures leave a course with their message in the solver's. */
course *mechanical_course_create(const mechanical_form *form, const double *given,
                                 const course_solver *solver);

/* The system of such a course, NULL for that of another problem. */
const mechanical_form *mechanical_course_form(const course *c);

/* mechanical_begin.c: the differential index of a system as it is given: 3 with holonomic
 * constraints, 2 with nonholonomic ones alone. */
int mechanical_course_index(const mechanical_form *form);

/* mechanical_begin.c: course_row's. */
dae_status mechanical_course_start(course *c, double t, const double *start);
dae_status mechanical_course_start_with(course *c, double t, const double *y, const double *yp);

/* mechanical_choice.c: the formulation by the options; where they leave it open, elimination suits
 * explicit methods, and implicit ones where the system is small, unless multipliers would come out
 * far less accurate than the states; Gear, Gupta and Leimkuhler's equations keep the sparsity of a
 * large one, and multipliers in the error test. Looks at states beside k->point. */
const char *mechanical_course_formulation(mechanical_course *k, bool with_explicit, double t);

/* mechanical_choice.c: whether the options name a method, and such a one. */
bool mechanical_course_names(const course *c, bool (*is_one)(const method *m));

/* mechanical_begin.c: sizes by which the constraints can be told apart at k->point.q. */
dae_status mechanical_course_settle_sizes(mechanical_course *k, double t);

/* mechanical_search.c: values for k->point that meet all levels, near k->start (NAN: not known),
 * with notes on what has changed. Failures with their message. */
dae_status mechanical_course_search(mechanical_course *k, double t);

/* mechanical_verified.c: after that search, which ended with `search`: DAE_USAGE with its sentence
 * where derivatives of constraints that the author gave are wrong, else `search`. */
dae_status mechanical_course_verify(mechanical_course *k, double t, dae_status search);

/* mechanical_verified.c: at the start of a course that is set to work, DAE_USAGE with its sentence
 * where invariants that states are brought back to are none. */
dae_status mechanical_course_verify_invariants(mechanical_course *k, double t);

/* mechanical_verified.c: course_row's, at the ends number 1, 2, 4, 8, ... of runs. */
dae_status mechanical_course_verify_end(course *c, double t);

/* mechanical_measure.c: course_row's measure(). */
dae_status mechanical_course_measure(course *c, double t);

/* mechanical_measure.c: raise the worst violations (of the equations, and of each level) to those
 * at k->point. */
dae_status mechanical_course_judge(mechanical_course *k, double t, double *equation,
                                   double *constraint);

/* mechanical_course.c: v' and lambda of k->point from its q and v. */
dae_status mechanical_course_accelerate(mechanical_course *k, double t);

/* mechanical_course.c: what the last start has made goes. */
void mechanical_course_clear(mechanical_course *k);

/* mechanical_course.c: append what a status of k->system means, in the author's names. */
void mechanical_course_tell(const mechanical_course *k, const mechanical *m, dae_status status,
                            text *t);

#endif
