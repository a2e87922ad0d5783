/* The problem handle for models: text and settings. The text is read when something is asked. */
#ifndef FORMULATION_MODEL_PROBLEM_H
#define FORMULATION_MODEL_PROBLEM_H

#include "base/message.h"
#include "structure/structure.h"
#include "symbolic/system.h"

#include <daedal/problem.h>

/* Make the system of a model and its structure in `a`, so that each solver has a graph of its own.
 * They are copied from the handle, which is only read. If the handle has not been looked at, the
 * system is read from the text. `*own` is NULL where nothing has been analysed, or where the
 * analysis failed. The message takes errors and notes. DAE_OK, or as dae_problem_status(). */
dae_status model_problem_load(const dae_problem *problem, arena *a, message *m, sym_system **system,
                              structure **own);

/* How often the text has been read and analysed since it was given; and the system that is held.
 * The system is NULL after a failure, before the handle is looked at, and for a problem that is not
 * a model. */
size_t model_problem_readings(const dae_problem *problem);
const sym_system *model_problem_system(const dae_problem *problem);

#endif
