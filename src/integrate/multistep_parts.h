/* What the parts of the engine of multistep methods share: multistep.c, multistep_blocked.c. */
#ifndef INTEGRATE_MULTISTEP_PARTS_H
#define INTEGRATE_MULTISTEP_PARTS_H

#include "integrate/runge_kutta_parts.h"
#include "integrate/stages.h"
#include "method/method.h"
#include "stepping/corrector.h"
#include "stepping/history.h"

/* The numbers that the engine of multistep methods needs from a row of the catalogue, in doubles.
 * Points are counted back from the newest known one: j = 0 is y_(n+k-1), j = k - 1 is y_n. */

/* The unknown of a step is x, the value with which the equations are met: F(t + leg h, x, x') = 0.
 *
 *   implicit:  x' = gain x / h + sum_j (value_j y_j / h + yp_j y_j'),
 *   explicit:  x = sum_j (value_j y_j + yp_j h y_j'), and x' follows from F.
 *
 * The new point is x itself. For variables that the method carries it is y = new x + sum_j old_j
 * y_j, where x = sum_j beta_j y_(n+j) in a one-leg method and x = z - sum_j gamma_j z_(n+j) /
 * beta_k in a blocked one. */
typedef struct multistep_formula {
    int steps;
    int order;
    bool is_implicit, one_leg, blocked;
    double gain, leg;
    double value[METHOD_MOST_STEPS], yp[METHOD_MOST_STEPS];
    double new_part, old_part[METHOD_MOST_STEPS];
} multistep_formula;

enum { MULTISTEP_MOST_POINTS = HISTORY_MOST_ORDER + 1 };

typedef struct multistep {
    engine base;
    multistep_formula formula;
    corrector corrector;
    const method *method;

    int points; /* number of values and derivatives that are kept, newest first: one more than the
                 * larger of steps and order */
    int known;  /* how many of them are known, at equal steps ... */
    double spacing;   /* ... of this length */
    bool solves_open; /* solves for derivatives that no equation determines, in combinations of
                       * variables; otherwise their errors grow */
    bool met;         /* the last step with this spacing has set met_at and met_yp */
    double *value[MULTISTEP_MOST_POINTS], *yp[MULTISTEP_MOST_POINTS]; /* n each */
    history table; /* the differences of the values, from which the polynomial of a step is made */
    double *predicted, *yp_there; /* n: the prediction of x, and x' at it */
    double *x, *xp, *change;      /* n */
    double *met_at, *met_yp;      /* n each: x and x' of the last step */

    bool *carried; /* n: variables whose values the method carries */
    double *mass;  /* n: the factor of each derivative, and ... */
    size_t *row;   /* ... the equation in which it occurs; for blocked methods */
    bool *taken;   /* n: whether an equation has a derivative */
} multistep;

/* Finds which variables the method carries: a one-leg method all, a blocked one the algebraic ones
 * of index 2. */
void multistep_find_carried(multistep *e);

/* Whether a blocked method can separate derivatives from the rest of the equations: as far as can
 * be told before there are values, and then with the values of the start. DAE_UNSUPPORTED. */
dae_status multistep_refuse_blocked(const multistep *e, const char *name, message *m);
dae_status multistep_examine_blocked(multistep *e, const char *name, message *m);

/* Finds y' of the new point from the y' with which the equations were solved. e->x holds the new
 * point, e->xp is corrected. */
dae_status multistep_finish_blocked(multistep *e, double t);

#endif
