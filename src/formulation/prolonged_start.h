/* The system that determines consistent initial values of a prolonged system.
 *
 * Its vector z holds all derivatives of the remaining unknowns, then those explicit variables to
 * which the author gave a start value of their own. Its rows are all equations of the prolongation,
 * the definitions of those variables, and the initial equations. */
#ifndef FORMULATION_PROLONGED_START_H
#define FORMULATION_PROLONGED_START_H

#include "formulation/prolonged_names.h"
#include "problem/start.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"
#include "symbolic/matrix.h"

typedef struct prolonged_start {
    start_system start;
    const sym_system *system;
    const explicit_core *core;
    const prolonged_names *names;
    const prolongation *p;
    size_t extras;      /* explicit variables in z */
    uint32_t *extra;    /* their ids */
    size_t *extra_slot; /* id -> place in the input of tapes; 0: none */
    sym_tape *rows;
    sym_matrix *jacobian;
    double *rows_work, *jacobian_work, *input;
    double time_unit; /* prolonged_time_unit.h */
} prolonged_start;

/* Lives in `a`, under its protection and that of the graph's arena. initial: the system's initial
 * equations, rewritten in the core's unknowns. time_unit: the unit where it is known, as for
 * combinations of equations, whose coefficients may cancel. 0: find it from the equations. */
prolonged_start *prolonged_start_create(arena *a, const sym_system *system,
                                        const explicit_core *core, const prolonged_names *names,
                                        const prolongation *p, const sym *initial,
                                        double time_unit);

#endif
