/* Roots that are judged along slow motions, where a fast motion holds them near 0. */
#ifndef EVENT_CONTRACTED_H
#define EVENT_CONTRACTED_H

#include "event/changes.h"

/* After changes_find(), which has *found some: looks for roots a change of which errors of the
 * state blur, but not where they decay. *anew: there are some, and changes are to be found anew. */
dae_status contracted_look(events *v, engine *e, bool *found, bool *anew);

/* Goes back for that to where the search in the step began, at `begin` of it. */
dae_status contracted_go_back(events *v, engine *e, double begin, double t_begin);

/* Gives such roots in `value` (count) their values where v->y and v->yp, at time t of the step, are
 * brought to the equations along slow motions. */
dae_status contracted_roots(events *v, engine *e, double t, double *value);

/* Brings v->y and v->yp there, if such a root is crossed at t. */
dae_status contracted_state(events *v, engine *e, double t);

/* A step begins, where the last one has ended, or at an event. */
void contracted_begin(events *v);
void contracted_forget(events *v);

/* The step, or what it was looked at in, is over. */
void contracted_end(events *v);

/* The equations are others from now on. */
void contracted_free(events *v);

#endif
