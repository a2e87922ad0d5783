/* A chart: a formulation of mechanical equations at work.
 *
 * It turns the system into equations that an engine integrates, in unknowns of its own, and back:
 * lower() takes the author's point to them, lift() gives it back with derivatives and multipliers.
 * Charts that degrade along the way (a basis that turns, a partition that becomes singular) say how
 * good they are and are renewed; the engine is then started anew or mapped by the caller. */
#ifndef FORMULATION_CHART_H
#define FORMULATION_CHART_H

#include "base/message.h"
#include "mechanical/mechanical.h"
#include "problem/equations.h"

typedef struct chart chart;

/* The author's point: q (nq), v (nv), lambda (constraints), and v' (nv). */
typedef struct chart_point {
    double *q, *v, *lambda, *vp;
} chart_point;

typedef struct chart_row {
    const char *name;       /* as in dae_options.formulation, before a colon */
    const char *parameters; /* "" or as of a method: "xi=0.8 in [0,inf) omega=2 in [0,inf)" */
    int index;              /* differential index of what is integrated; 0: an ODE */
    bool drifts;            /* constraints are not kept by the equations: states are projected */
    bool holds_multipliers; /* lambda is among its unknowns */

    /* Unknowns and equations, as a form of problem/equations.h, whose callbacks call the chart. */
    dae_status (*create)(chart *c, message *m);
    dae_status (*lower)(chart *c, double t, const chart_point *p, double *y, double *yp);
    dae_status (*lift)(chart *c, double t, const double *y, const double *yp, chart_point *p);
    double (*quality)(chart *c, double t, const double *y); /* 1: as new, 0: lost; NULL: always 1 */
    dae_status (*renew)(chart *c, double t, const chart_point *p);
    void (*free)(chart *c);
} chart_row;

/* The part that each chart begins with. */
struct chart {
    const chart_row *row;
    mechanical *mechanical; /* at work for the equations; owned */
    arena memory;
    const equations *equations; /* filled by create(); in `memory` */
    size_t n;                   /* its unknowns */
    double parameter[4];        /* in the order of the row's `parameters` */
};

/* Rows in the order in which they are told; NULL beyond the last. */
const chart_row *chart_row_at(size_t i);

/* The chart of that name, with parameters behind a colon ("baumgarte:xi=0.8,omega=2"). DAE_USAGE
 * with a sentence that lists the names, DAE_UNSUPPORTED where it does not suit the system, with the
 * sentence that says why; DAE_NO_MEMORY. */
dae_status chart_create(chart **created, const mechanical_form *form, const char *name, message *m);
void chart_free(chart *c); /* NULL is fine */

#endif
