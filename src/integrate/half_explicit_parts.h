/* What the parts of the engine of half-explicit methods share: half_explicit.c,
 * half_explicit_dense.c. */
#ifndef INTEGRATE_HALF_EXPLICIT_PARTS_H
#define INTEGRATE_HALF_EXPLICIT_PARTS_H

#include "integrate/engines.h"
#include "integrate/refusal.h"
#include "method/scheme.h"
#include "stepping/instant.h"
#include "stepping/stepping.h"

typedef struct half_explicit {
    engine base;
    instant instant;
    scheme scheme;
    watching watching;
    double constraint[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    bool first_is_start; /* y' and z of the first stage are those at the start of the step */
    bool carries;        /* the first stage takes z from the step before, on index 2 as well */
    double *yp;          /* (stages + extra) x n: y' of the stages, 0 of algebraic variables */
    double *stage;       /* n: y of the stage at work */
    double *from;        /* n: the point from which INSTANT_AHEAD starts, or a scratch point */
    double *error, *end, *end_yp; /* n */
    bool linearized, has_polynomial;
} half_explicit;

/* half_explicit.c: solves stage i, or an additional one, of a step h. y goes into e->stage, y' into
 * its row of e->yp. */
dae_status half_explicit_solve_stage(half_explicit *e, int i, double h);

/* half_explicit_dense.c: the degree of a step's polynomial. A method without its own has degree 3,
 * or 4 where the interpolant's error of order 4 would count. */
int half_explicit_degree(const scheme *s);

/* half_explicit_dense.c: sum += h sum_j weight_j Y_j', j < count. */
void half_explicit_add(const half_explicit *e, int count, const double *weight, double h,
                       double *sum);

/* half_explicit_dense.c: the polynomial of a step with its end in e->end and e->end_yp, into
 * e->base.next. */
dae_status half_explicit_interpolate(half_explicit *e, double h);

#endif
