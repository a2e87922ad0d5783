/* What the parts of the engine of variable BDF share: bdf.c, bdf_choice.c. */
#ifndef INTEGRATE_BDF_PARTS_H
#define INTEGRATE_BDF_PARTS_H

#include "integrate/engines.h"
#include "integrate/stages.h"
#include "stepping/corrector.h"
#include "stepping/history.h"
#include "stepping/stepping.h"

enum { BDF_MOST_ORDER = 5 };

typedef struct bdf {
    engine base;
    stepping stepping;
    history past;
    corrector corrector;
    int most, order;     /* the highest order, the present one */
    int steady;          /* steps accepted since order or spacing changed */
    int failures;        /* failed attempts of the step that is being tried */
    bool chooses, ended; /* order and step are still to be chosen; the last step led to an end */
    double accepted;     /* size of the last accepted step's error, before projection */
    double last_error;   /* size of the error at the last failed error test of this step */
    starter starter;     /* makes the first fixed steps */
    dense_output polynomial;                                /* of the last step */
    double *predicted, *yp, *change, *end, *end_yp, *error; /* n each */
    workspace space;
} bdf;

/* c h of the formula of order k. A step solves with y' = yp + c (y - predicted), where predicted
 * and yp are the values of the polynomial through the last k + 1 points. */
double bdf_leading(int order);

/* The size of the error, 1 being the limit, of the formula of that order, where nabla^(order + 1) y
 * is x (n). The error itself is left in e->error. */
double bdf_size(bdf *e, int order, const double *x);

/* After an accepted step: checks whether round-off shows at order 1. */
void bdf_look_back(bdf *e);

/* Before the step that follows an accepted one: chooses its order and length. By then the newest
 * point has been projected like the older ones. The part that projection removes at every point
 * would be in all differences of an unprojected point, and would count against every other
 * order. */
void bdf_choose(bdf *e);

/* After an error beyond the limit: chooses order and length of the next attempt. */
void bdf_retreat(bdf *e, double size);

#endif
