/* The problem handle for models: text and settings, looked at when something is asked. */
#ifndef FORMULATION_MODEL_PROBLEM_H
#define FORMULATION_MODEL_PROBLEM_H

#include "base/message.h"
#include "symbolic/system.h"

#include <daedal/problem.h>

/* Flatten the model once more, into `a`: each solver has a graph of its own. The message takes
 * errors and notes. DAE_OK, or as dae_problem_status(). */
dae_status model_problem_load(const dae_problem *problem, arena *a, message *m,
                              sym_system **system);

#endif
