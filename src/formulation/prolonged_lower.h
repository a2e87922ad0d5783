/* Entries below the leading ones that a constraint level may move.
 *
 * A level solves for x_j^(d_j-b) and holds the lower derivatives of x_j at the values that earlier
 * levels found. Many of these lower derivatives occur in no earlier level, though. Example: 0 = x'
 * + 1e6 x - s(t) in the first level. An error of 1e-9 in x would cause an error of 1e-3 in x',
 * which then spreads to everything that the level solves for. The smallest change of both x and x'
 * moves x by 1e-9 instead. */
#ifndef FORMULATION_PROLONGED_LOWER_H
#define FORMULATION_PROLONGED_LOWER_H

#include "formulation/prolonged_form.h"

typedef struct prolonged_lower {
    sym_matrix *matrix; /* p->rows x p->size: derivatives by these entries, only for rows of the
                           entry's level */
    double *work;
} prolonged_lower;

/* NULL if there are none. In `a`, under its protection and the graph's. */
prolonged_lower *prolonged_lower_create(arena *a, const prolongation *p);

#endif
