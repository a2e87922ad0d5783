/* What the parts of the derivative array share: callback_array.c, callback_array_step.c. */
#ifndef PROBLEM_CALLBACK_ARRAY_PARTS_H
#define PROBLEM_CALLBACK_ARRAY_PARTS_H

#include "problem/callback_array.h"

/* Nine nodes around a point; seven behind it or ahead of it where there is no value on the other
 * side. */
enum { AROUND, BEHIND, AHEAD, SIDES };
enum { NODES = 9, ON_A_SIDE = 7 };

/* By side: the first node, in steps; the weights of the Taylor coefficients, to order 8, or 6. */
extern const int CALLBACK_FIRST[SIDES];
extern const double CALLBACK_WEIGHT[SIDES][CALLBACK_ARRAY_MOST][NODES];

/* Nodes of matrices lie closer by this: round-off counts less in them, and what differences leave
 * out would look as if it gave them a higher rank. */
static const double CLOSER = 0.25;

/* The error of a derivative of which the nodes know nothing; times 0 it is none. */
static const double CALLBACK_UNKNOWN = 1e200;

/* The polynomial at t + k h into g->y, g->yp. */
void callback_array_go_to(callback_array *g, double k, const double *y, const double *rest);

/* Only the point itself where no derivative is asked for, and nodes that have a weight. */
bool callback_array_passed_over(const callback_array *g, const double (*weight)[NODES], int node);

/* Whether to try nodes on another side: where there was no value, until all have been tried. */
bool callback_array_try_other_side(callback_array *g, dae_status status, int *tried);

#endif
