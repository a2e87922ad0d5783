/* yp and algebraic variables from the other variables, in one step. The equations of many models,
 * and of all mechanical ones, are linear in all highest derivatives together: L(t, y) w = r(t, y).
 * With index 1, L is the Jacobian of Pryce's structural analysis (BIT 41 (2001) 364), and regular.
 */
#ifndef FORMULATION_PROLONGED_LEADING_H
#define FORMULATION_PROLONGED_LEADING_H

#include "formulation/prolonged_form.h"
#include "linalg/linear_solver.h"

typedef struct prolonged_leading {
    sym_matrix *system; /* n x (n + 1): L, and -r as its last column */
    double *work, *value;
    sparse_pattern *pattern; /* n x n: of L, whose values come first */
    linear_solver *solver;   /* made when first needed */
    bool constant, factored; /* L is constant; and has been factored */
    double *w;               /* n */
} prolonged_leading;

/* Make the form compute yp and algebraic variables in this way. Row i of the form is equation i
 * differentiated level[i] times, so its index is 1. Does nothing if the rows are not linear in the
 * highest derivatives. Under the protection of the form's arena and the graph's. */
void prolonged_leading_use(prolonged_form *f, const uint32_t *level);

void prolonged_leading_free(prolonged_leading *l); /* NULL is fine */

#endif
