/* Lists of a description: variables, parameters, blocks and equations that are differentiated. */
#ifndef ANALYSIS_DESCRIBE_LISTS_H
#define ANALYSIS_DESCRIBE_LISTS_H

#include "solve/model_simulation.h"

#include <daedal/description.h>

/* What is known before a start. `read`: the system of the problem, with its parameters; NULL: not
 * known. All in `a`, under its protection;
 * `t` is room for a line. */
void describe_lists(const model_simulation *m, const sym_system *read, arena *a, text *t,
                    dae_description *to);

/* The values at the start that was found, and how start values were used. */
void describe_start_values(const model_simulation *m, dae_description *to);

/* The variables of a C program: their names and start values. */
void describe_program_variables(const simulation *c, arena *a, dae_description *to);

/* What steps solve for, in the formulation with which the start was found; after describe_lists().
 */
void describe_tearing(const model_simulation *m, arena *a, dae_description *to);

#endif
