/* What the parts of the engine of variable BDF share: bdf.c, bdf_choice.c. */
#ifndef INTEGRATE_BDF_PARTS_H
#define INTEGRATE_BDF_PARTS_H

#include "integrate/bdf.h"
#include "integrate/starter.h"
#include "stepping/corrector.h"
#include "stepping/history.h"
#include "stepping/stepping.h"

enum { BDF_MOST_ORDER = 5 };

typedef struct bdf {
    engine base;
    stepping stepping;
    history past;
    corrector corrector;
    int most, order;         /* the highest one, the present one */
    int steady;              /* steps accepted since order or spacing changed */
    int failures;            /* of the step that is being tried */
    bool chooses, ended;     /* order and step are still to be chosen; the last one led to an end */
    double accepted;         /* the size of the error of the last step, before it was projected */
    double last_error;       /* of the last of them that failed the error test */
    starter starter;         /* makes the first fixed steps */
    dense_output polynomial; /* of the last step */
    double *predicted, *yp, *change, *end, *end_yp, *error; /* n each */
    workspace space;
} bdf;

/* Of the formula of order k: c h in y' = yp + c (y - predicted), where predicted and
 * yp are those of the polynomial through the last k + 1 points. */
double bdf_leading(int order);

/* The size of the error, 1 being the limit, of the formula of that order, whose nabla^(order + 1)
 * y is x (n); the error is left in e->error. */
double bdf_size(bdf *e, int order, const double *x);

/* After an accepted step: whether round-off shows at order 1. */
void bdf_look_back(bdf *e);

/* Before the step after one that was accepted: its order and length. Then the newest point has been
 * projected like those before: what projections take away at each point is in all differences of
 * one that has not, and would speak against every other order. */
void bdf_choose(bdf *e);

/* After an error beyond the limit: those of the next attempt. */
void bdf_retreat(bdf *e, double size);

#endif
