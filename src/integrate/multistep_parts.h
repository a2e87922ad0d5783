/* What the parts of the engine of multistep methods share: multistep.c, multistep_blocked.c. */
#ifndef INTEGRATE_MULTISTEP_PARTS_H
#define INTEGRATE_MULTISTEP_PARTS_H

#include "integrate/multistep.h"
#include "integrate/multistep_formula.h"
#include "integrate/runge_kutta_parts.h"
#include "integrate/starter.h"
#include "stepping/corrector.h"
#include "stepping/history.h"
#include "stepping/stepping.h"

enum { MULTISTEP_MOST_POINTS = HISTORY_MOST_ORDER + 1 };

typedef struct multistep {
    engine base;
    multistep_formula formula;
    stepping stepping;
    corrector corrector;
    const method *method;
    starter starter; /* makes the steps for which too few points are known */

    int points; /* values and derivatives that are kept, newest first: one more than the larger of
                   steps and order ... */
    int known;  /* ... of them there are, at equal steps ... */
    double spacing;                                                   /* ... of this length */
    double *value[MULTISTEP_MOST_POINTS], *yp[MULTISTEP_MOST_POINTS]; /* n each */
    history table;                /* the differences of the values, from which ... */
    dense_output polynomial;      /* ... the polynomial of a step is made */
    double *predicted, *yp_there; /* n: of x, and of x' with it */
    double *x, *xp, *change;      /* n */
    bool met;                     /* of the last step with this spacing ... */
    double *met_at, *met_yp;      /* ... x and x' (n) */

    bool solves_open; /* derivatives that no equation holds, in combinations of variables: else they
                       * grow
                       */
    bool *carried;    /* n: variables whose values the method carries */
    double *mass;     /* n: the factor of each derivative, and ... */
    size_t *row;      /* ... the equation in which it stands; of blocked methods */
    bool *taken;      /* n: equations that have one */
    workspace space;
} multistep;

/* Which variables the method carries: all of a one-leg one; of a blocked one those that are
 * algebraic and of index 2. */
void multistep_find_carried(multistep *e);

/* Whether a blocked method can tell derivatives from the rest of the equations, as far as that can
 * be said before there are values, and with those of the start. DAE_UNSUPPORTED. */
dae_status multistep_refuse_blocked(const multistep *e, const char *name, message *m);
dae_status multistep_examine_blocked(multistep *e, const char *name, message *m);

/* y' of the new point, from that of the equations as they were solved: e->x holds the new point,
 * e->xp is corrected. */
dae_status multistep_finish_blocked(multistep *e, double t);

/* multistep_open.c: whether the equations leave combinations of derivatives open and the method
 * lets errors in these grow, at the start; then what is open in e->base.yp becomes that of e->xp.
 */
dae_status multistep_look_for_open(multistep *e);
dae_status multistep_solve_open(multistep *e, double h);

#endif
