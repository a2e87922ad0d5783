/* What the search for a start in one of a model's modes consists of. The present modes are those in
 * m->modes, as far as relations go. */
#ifndef SOLVE_START_MODES_H
#define SOLVE_START_MODES_H

#include "solve/model_simulation.h"

/* model_start_modes.c: the start with the equations of the present modes alone, in which discrete
 * variables have the values that select these equations. False: there is none; then the formulation
 * may be one of other modes. */
bool start_mode_start(model_simulation *m, double t, message *told);

/* start_singular.c: whether the system Jacobian of the present formulation is singular by rows that
 * are numbers, whatever the start. */
bool start_mode_is_singular(const model_simulation *m);

/* start_mode_search.c: a start in a mode that agrees with it, from the present modes and m->z, the
 * start of all modes together or the guesses. At most so many modes are enumerated. */
bool start_mode_search(model_simulation *m, double t, size_t most, message *told);

/* start_parts.c: the equations of one part of the start alone, in a copy of the system (under the
 * protection of its arena): in place of those of other parts, their unknowns are the start values.
 */
void start_part_alone(const model_simulation *m, size_t part, sym_system *system);

/* start_parts.c: whether the parts of a model can be started by themselves. */
bool start_parts_are_apart(const model_simulation *m);

#endif
