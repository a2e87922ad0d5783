/* y' and algebraic variables from the rest, in one step: the equations of many models, of mechanics
 * all, are linear in the highest derivatives together, L(t, y) w = r(t, y). Of index 1, L is the
 * Jacobian of Pryce's structural analysis (BIT 41 (2001) 364), and regular. */
#ifndef FORMULATION_JET_LEADING_H
#define FORMULATION_JET_LEADING_H

#include "formulation/jet_form.h"

typedef struct jet_leading {
    sym_matrix *system; /* n x (n + 1): L, and -r as its last column */
    double *work, *value;
    sparse_pattern *pattern; /* n x n: of L, whose values come first */
    linear_solver *solver;   /* made when it is asked for the first time */
    bool constant, factored; /* L holds numbers alone; and they have been factored */
    double *w;               /* n */
} jet_leading;

/* Let the form do so, of which row i is equation i differentiated level[i] times, so that its index
 * is 1; nothing where the rows are not linear in the highest derivatives. Under the protection of
 * its arena and that of the graph's. */
void jet_leading_use(jet_form *f, const uint32_t *level);

void jet_leading_free(jet_leading *l); /* NULL is fine */

#endif
