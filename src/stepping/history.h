/* What a multistep method of variable order remembers: backward differences of the last points, as
 * if they lay at equal steps.
 *
 * Row j of `difference` is nabla^j y_n at the present spacing. When the step changes, the
 * polynomial through the points is evaluated at the new spacing (quasi-constant steps: Shampine &
 * Reichelt, SIAM J. Sci. Comput. 18 (1997) 1, Sec. 2; Krogh 1969). The polynomial of order k is
 *
 *   y(t_n + s h) = sum_(j = 0..k) nabla^j y_n (1/j!) s (s + 1) ... (s + j - 1). */
#ifndef INTEGRATE_HISTORY_H
#define INTEGRATE_HISTORY_H

#include "base/arena.h"
#include "base/state.h"
#include "stepping/engine.h"

#include <stdbool.h>

enum { HISTORY_MOST_ORDER = 8, HISTORY_ROWS = HISTORY_MOST_ORDER + 3 };

typedef struct history {
    size_t n;
    int most;           /* the highest order */
    double t, h;        /* the newest point; the spacing, negative for a run back */
    int known;          /* rows 0 ... known are differences of actual points */
    double *difference; /* (most + 3) x n, rows contiguous */
    double power[HISTORY_ROWS][HISTORY_ROWS]; /* power[i][j]: the coefficient of x^i that nabla^j
                                                 has in history_interpolate() */
} history;

/* nabla^j of the newest point (n). */
static inline double *history_row(const history *p, int j)
{
    return p->difference + (size_t)j * p->n;
}

void history_carve(history *p, workspace *space, size_t n, int most);

/* Begins with one point and its derivative: order 1. */
void history_start(history *p, double t, double h, const double *y, const double *yp);

/* Begins with points at equal steps h up to t. Rows 0 to `last` hold their values, the newest
 * first. */
void history_take(history *p, double t, double h, int last);

/* Moves the points to another spacing, on the polynomial of this order. Higher differences are
 * scaled by their power of the ratio. Returns false if the spacing is the same up to round-off, as
 * in steps to equidistant ends. Then differences still are those of actual points. */
bool history_respace(history *p, int order, double h);

/* y and y' (n each; NULL: not wanted) of the polynomial of this order at t_n + s h. s = 1 predicts
 * the next point. */
void history_evaluate(const history *p, int order, double s, double *y, double *yp);

/* Adds the next point y at t_n + h, found by a formula of this order. change = y - its prediction,
 * which is nabla^(order + 1) of the new point. */
void history_advance(history *p, int order, const double *change);

/* Moves the newest point by `change`, without a restart. Each difference changes by the same. */
void history_move_newest(history *p, const double *change);

/* Maps all points of the history to other unknowns. The polynomial then passes through the mapped
 * points, at the same spacing. A status of the map; after a failure nothing is known any more. */
dae_status history_carry(history *p, point_map map, void *self);

/* The polynomial of this order over the last step, from t_n - h to t_n. */
void history_interpolate(const history *p, int order, dense_output *d);

void history_state(history *p, state_visit *s);

#endif
