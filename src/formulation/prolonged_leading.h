/* y' and algebraic variables from the rest, in one step: the equations of many models, of mechanics
 * all, are linear in the highest derivatives together, L(t, y) w = r(t, y). Of index 1, L is the
 * Jacobian of Pryce's structural analysis (BIT 41 (2001) 364), and regular. */
#ifndef FORMULATION_PROLONGED_LEADING_H
#define FORMULATION_PROLONGED_LEADING_H

#include "formulation/prolonged_form.h"
#include "linalg/linear_solver.h"

typedef struct prolonged_leading {
    sym_matrix *system; /* n x (n + 1): L, and -r as its last column */
    double *work, *value;
    sparse_pattern *pattern; /* n x n: of L, whose values come first */
    linear_solver *solver;   /* made when it is asked for the first time */
    bool constant, factored; /* L holds numbers alone; and they have been factored */
    double *w;               /* n */
} prolonged_leading;

/* Let the form do so, of which row i is equation i differentiated level[i] times, so that its index
 * is 1; nothing where the rows are not linear in the highest derivatives. Under the protection of
 * its arena and that of the graph's. */
void prolonged_leading_use(prolonged_form *f, const uint32_t *level);

void prolonged_leading_free(prolonged_leading *l); /* NULL is fine */

#endif
