/* A chart: a formulation of mechanical equations at work.
 *
 * It turns the system into equations that an engine integrates, in unknowns of its own, and back:
 * lower() takes the author's point to them, lift() gives it back. Charts that degrade along the way
 * (a basis that turns, a partition that becomes singular) say how good they are and are renewed;
 * the caller then carries what the engine has of the past into the new one, or starts it anew. */
#ifndef FORMULATION_CHART_H
#define FORMULATION_CHART_H

#include "base/message.h"
#include "mechanical/mechanical.h"
#include "problem/equations.h"
#include "problem/problem.h"

typedef struct chart chart;

/* The author's point: q (nq), v (nv), lambda (constraints), and v' (nv). */
typedef struct chart_point {
    double *q, *v, *lambda, *vp;
} chart_point;

enum { CHART_MOST_PARAMETERS = 3 };

typedef struct chart_parameter {
    const char *name; /* NULL beyond the last */
    double value;     /* where none is given */
    double above;     /* allowed values are larger, and finite ... */
    bool automatic;   /* ... or "auto", 0: the chart finds it on the way */
    const char *unit;
} chart_parameter;

typedef struct chart_ops {
    const char *name;         /* as in dae_options.formulation, before a colon */
    const char *says;         /* what it does and of which systems, for the reasons of a run */
    const char *source;       /* author, year, equation */
    size_t size;              /* of its chart */
    int index;                /* differential index of what is integrated; 0: an ODE */
    bool drifts;              /* constraints are not kept by the equations: states are projected */
    bool by_mass;             /* the way back is that along M^-1 G^T */
    bool holds_multipliers;   /* lambda, and v' or its derivative, are among its unknowns */
    size_t most;              /* velocities and constraints, as it has matrices without zeros; 0: it
                                 has none */
    bool full_jacobian_alone; /* the only one is the Jacobian */
    chart_parameter parameter[CHART_MOST_PARAMETERS];

    bool lifts_forces; /* lambda and v' are no unknowns, but lift() finds them by the equations */

    /* Unknowns and equations from a point at time t, as a form of problem/equations.h, whose
     * callbacks call the chart. Under the protection of c->memory. */
    dae_status (*create)(chart *c, double t, const chart_point *p, message *m);

    /* The chart's y and y' (n each) of a point; those of y' that no equation holds are 0. */
    dae_status (*lower)(chart *c, double t, const chart_point *p, double *y, double *yp);

    /* The author's q and v, and lambda and v' where the chart holds or finds them. */
    dae_status (*lift)(chart *c, double t, const double *y, const double *yp, chart_point *p);

    /* After each step: the parameter that is another one from now on, as the chart finds it by
     * where the step has ended. NULL: none has changed, or none is found. */
    const chart_parameter *(*observe)(chart *c, double t, const double *y);

    /* 1: as new, 0: lost. NULL, and renew() with it: it does not degrade. */
    double (*quality)(chart *c, double t, const double *y);

    /* Made anew at a point, for as many unknowns; the one before can still be lifted from. */
    dae_status (*renew)(chart *c, double t, const chart_point *p);

    /* A step from there has failed: whether it may succeed after renew(). NULL: never. */
    bool (*loosen)(chart *c, double t, const double *y);

    /* Absolute tolerances (n) of its unknowns from those of the author's. NULL: each takes that of
     * its author's unknown, or the least of all. */
    void (*tolerances)(const chart *c, const double *atols, double *inner);

    void (*free)(chart *c); /* what is not in c->memory; NULL: nothing */
} chart_ops;

/* The part that each chart begins with. */
struct chart {
    const chart_ops *ops;
    mechanical *mechanical; /* at work for the equations; owned */
    arena memory;
    const equations *equations; /* filled by create(); in `memory` */
    size_t n;                   /* its unknowns */
    bool without_jacobian;      /* no method will ask for a Jacobian: one without zeros is not held,
                                and the equations have an empty pattern */
    const size_t *author;       /* n: the author's unknown whose tolerance is taken;
                                   PROBLEM_NOWHERE: the smallest of all */
    const unsigned char *depth; /* n: problem_depth() of its unknowns; NULL: their index */
    size_t renewals;            /* so far */
    size_t at;                  /* the chart that lift() is to take, counted by renewals */
    bool keeps;                 /* all can be lifted from; set before the first renewal */
    bool away; /* near a singular configuration constraints are left out that are not met there:
                  states are not to be brought back to them before the next renewal */
    bool engine_moves; /* the system by equations of its own, of which constraints are left out by
                          mechanical->out, not by this chart's */
    double parameter[CHART_MOST_PARAMETERS]; /* in the order of the row's */
};

/* Rows in the order in which they are told; NULL beyond the last. */
const chart_ops *chart_row_at(size_t i);

/* The row of a name, before a colon; NULL: there is none. */
const chart_ops *chart_row_find(const char *name);

/* The chart of that name, with parameters behind a colon ("baumgarte:xi=0.8,omega=2"), at a point
 * that meets the constraints, for methods that ask for a Jacobian or `without_jacobian`. `form` and
 * `name` are borrowed. DAE_USAGE with a sentence on the parameters, DAE_UNSUPPORTED where it does
 * not suit the system, with the sentence that says why; DAE_NO_MEMORY. */
dae_status chart_create(chart **created, const mechanical_form *form, const char *name,
                        bool without_jacobian, double t, const chart_point *p, message *m);
void chart_free(chart *c); /* NULL is fine */

/* Names of the author's equations (form->n), given or by what they are. In `a`, under its
 * protection. */
const char *const *chart_equation_names(arena *a, const mechanical_form *form);

/* What a status of the system says as the return value of a callback. */
int chart_answer(dae_status status);

#endif
