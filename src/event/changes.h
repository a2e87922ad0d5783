/* What the search for events shares: the step that is looked at, in parts of 0 to 1, and the
 * changes of sign of its root functions. */
#ifndef EVENT_CHANGES_H
#define EVENT_CHANGES_H

#include "event/events.h"

static inline signed char sign_of(double value)
{
    return (signed char)((value > 0) - (value < 0));
}

/* Two times of a step closer than this are one instant. */
double events_resolution(const engine *e);

/* The values of the root functions at v->y and v->yp. */
dae_status events_evaluate(events *v, double t, double *value);

/* The values at a time of the last step, by its polynomial; v->y and v->yp are the state there. */
dae_status events_roots_at(events *v, engine *e, double t, double *value);

/* The same; at its end where events_take_state() leads. */
dae_status events_values_at(events *v, engine *e, double t, double *value);

/* v->y and v->yp at a time of the last step; at its end that of the engine, which may have been
 * projected. */
void events_take_state(events *v, engine *e, double t);

/* The time at x of 0 to 1 of the last step. */
double events_time_at(const engine *e, double x);

double events_part_at(const engine *e, double t);

/* Whether the source itself knows the sign of each root, whatever rounding its value has. */
bool events_know_signs(const events *v);

/* changes.c: takes as many points of the part v->begin to v->end as the root functions need where
 * they may change their sign; *m: intervals between points, to begin with and in the end. */
dae_status changes_resolve(events *v, engine *e, int *m);

/* met.c: decides, at a time of the step, whether root k tells less where states are brought back to
 * the equations than on the polynomial: v->loose. Statuses of the roots that end a run. */
dae_status events_look_how_loose(events *v, engine *e, double t, size_t k);

/* Whether root k on the polynomial at a time differs from where the equations are met by more than
 * errors of the unknowns make of it. */
dae_status events_polynomial_tells(events *v, engine *e, double t, size_t k, bool *tells);

/* Whether root k may be another one there. */
bool events_root_moves(const events *v, size_t k);

/* The roots at a time of the last step, where root k is to be judged, into v->value. */
dae_status events_met_roots(events *v, engine *e, double t, size_t k);

/* hidden.c: whether points of the part that were taken do not show that a root changes its sign in
 * it; *x: a point of the step at which one has its other sign. */
bool hidden_find(events *v, engine *e, double *x);

/* Finds where in the part each root first changes its sign, if it does. */
dae_status changes_find(events *v, engine *e, int m, bool *any);

/* Finds the first event of the changes that were found. All roots that change within the same
 * instant are crossed together. */
dae_status changes_locate(events *v, engine *e);

/* equal.c: of the roots that the equations hold at 0, lets those go that are beyond rounding at a
 * time of the step, the end of what is looked at. v->at_end has the values there. */
dae_status equal_look(events *v, engine *e, double t);

/* held.c: moves the differential variables of v->y by their tolerances, by parts of 1/2 to 3/2 that
 * do not cancel in differences of few of them. all: algebraic variables, too, and derivatives by
 * what that makes over the step. */
void events_move_unknowns(events *v, const engine *e, bool all);

/* held.c: the rates (count) of the roots at a point of the engine where v->now has their values, in
 * the direction of the run; 0 for roots of algebraic variables and derivatives, unless one of them
 * was crossed at the last event. v->y, v->yp and v->at_low are scratch. A status of the roots. */
dae_status events_rates(events *v, const engine *e, const engine_point *at, double *rate);

/* Looks, before the event that was found, or in the part of the step without one, whether a
 * root that is held has left 0. */
void held_look(events *v, engine *e, bool found);

#endif
