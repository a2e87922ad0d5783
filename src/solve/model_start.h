/* What the parts of a model's start share. */
#ifndef SOLVE_MODEL_START_H
#define SOLVE_MODEL_START_H

#include "solve/model_simulation.h"

/* model_start.c: takes over the messages of a first attempt: its notes, or its failure. */
dae_status model_start_take_over(model_simulation *m, message *told);

/* model_misleading.c: once the search has found a start, with what m->searched tells of it: finds
 * the index of equations whose structure does not mislead; `direct`: they are integrated as given.
 * Follows a model whose structure misleads as a mechanism, or by other equations. Or integrates the
 * given ones, as the options ask for. */
dae_status model_start_finish_regular(model_simulation *m, double t, bool direct);
dae_status model_start_finish_misleading(model_simulation *m, double t);
dae_status model_start_finish_as_given(model_simulation *m, double t);

#endif
