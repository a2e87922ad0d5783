/* What the parts of the derivative array share: callback_array.c, callback_array_step.c. */
#ifndef PROBLEM_CALLBACK_ARRAY_PARTS_H
#define PROBLEM_CALLBACK_ARRAY_PARTS_H

#include "problem/callback_array.h"

/* Nine nodes around a point. Seven after it, or ahead of it, if there is no value on the other
 * side. */
enum { AROUND, BEHIND, AHEAD, SIDES };
enum { NODES = 9, ON_A_SIDE = 7 };

/* By side: the first node, in steps; the weights that give the Taylor coefficients, to order 8, or
 * 6 on one side. */
extern const int CALLBACK_FIRST[SIDES];
extern const double CALLBACK_WEIGHT[SIDES][CALLBACK_ARRAY_MOST][NODES];

/* Nodes of matrices lie closer by this factor. Round-off matters less in matrices, while truncation
 * errors would look like a higher rank. */
static const double CLOSER = 0.25;

/* The error of a derivative of which the nodes tell nothing. It is finite, so that 0 times it is
 * 0. */
static const double CALLBACK_UNKNOWN = 1e200;

/* F along the polynomial at the nodes that are not passed over, `factor` h apart, into g->sample.
 */
dae_status callback_array_sample(callback_array *g, double t, const double *y, const double *rest,
                                 double factor);

/* Whether a node is skipped because it has no weight. If no derivative is asked for, only the point
 * itself is used. */
bool callback_array_passed_over(const callback_array *g, const double (*weight)[NODES], int node);

/* Whether to try nodes on another side: after a node without a value, until all sides were
 * tried. */
bool callback_array_try_other_side(callback_array *g, dae_status status, int *tried);

#endif
