/* Entries below the leading ones that a constraint level may move.
 *
 * A level solves for x_j^(d_j-b), and holds lower derivatives of x_j as levels before have met
 * them. But many of these occur in no level before. Where 0 = x' + 1e6 x - s(t) is in the first
 * level, an error of 1e-9 of such an x would become one of 1e-3 of x', and go from there into all
 * that the level solves for. The shortest change of both moves x by 1e-9. */
#ifndef FORMULATION_PROLONGED_LOWER_H
#define FORMULATION_PROLONGED_LOWER_H

#include "formulation/prolonged_form.h"

typedef struct prolonged_lower {
    sym_matrix *matrix; /* p->rows x p->size: the rows by these entries, each in its level alone */
    double *work;
} prolonged_lower;

/* NULL: there are none. In `a`, under its protection and the graph's. */
prolonged_lower *prolonged_lower_create(arena *a, const prolongation *p);

#endif
