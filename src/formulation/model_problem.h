/* The problem handle for models: text and settings, looked at when something is asked. */
#ifndef FORMULATION_MODEL_PROBLEM_H
#define FORMULATION_MODEL_PROBLEM_H

#include "base/message.h"
#include "structure/structure.h"
#include "symbolic/system.h"

#include <daedal/problem.h>

/* The system of a model and its structure, into `a`: each solver has a graph of its own. They are
 * copied from what the handle holds, which is only read. Where the handle has not been looked at,
 * the system is read from the text. `*own` is NULL where nothing has been analysed, or in vain. The
 * message takes errors and notes. DAE_OK, or as dae_problem_status(). */
dae_status model_problem_load(const dae_problem *problem, arena *a, message *m, sym_system **system,
                              structure **own);

/* How often the text has been read and analysed since it was given; and what is held of it, NULL
 * after a failure, before it is looked at, and of problems that are no model. */
size_t model_problem_readings(const dae_problem *problem);
const sym_system *model_problem_system(const dae_problem *problem);

#endif
