/* From a model's equations to what can be started, integrated, projected and read back.
 *
 * A formulation turns the author's equations into the problem that an engine integrates, with the
 * constraint levels that hold besides, the system that its start solves, and the way back to the
 * author's variables. It is a formulation that never degrades: it keeps all derivatives as unknowns
 * and is brought back to the constraints, so that nothing has to be renewed on the way. */
#ifndef FORMULATION_FROM_MODEL_H
#define FORMULATION_FROM_MODEL_H

#include "formulation/author.h"
#include "formulation/crossings.h"
#include "formulation/prolonged_levels.h"
#include "formulation/prolonged_start.h"
#include "structure/conversion.h"
#include "structure/structure.h"

typedef enum formulation_kind {
    /* Each equation differentiated as often as its structure asks for: index 1, with the
     * constraints of lower level kept by projection. */
    FORMULATION_INDEX1,
    /* The equations as given. */
    FORMULATION_DIRECT,
    /* The equations as given, with the array of all equations differentiated `extra` times for the
     * constraints: for systems whose structure misleads. */
    FORMULATION_ARRAY
} formulation_kind;

typedef struct formulation_choice {
    formulation_kind kind;
    bool replace;   /* take explicit variables out first */
    bool project;   /* the constraint levels will be met: all derivatives are at hand then */
    bool at_once;   /* all of them at once, as one level */
    uint32_t extra; /* differentiations of an array */
    bool index_1;   /* of an array: it is known to be of index 1 */
    /* The structure misleads: take combinations of the equations whose structure does not, if they
     * are found. NULL: the equations as they are. */
    const conversion_point *convert;
} formulation_choice;

typedef struct formulation {
    formulation_choice choice;
    const char *name; /* as `--formulation` has it; "direct" where no equation is differentiated */
    const sym_system *system;
    const structure *own; /* of the author's equations */
    explicit_core *core;
    size_t converted;   /* equations of the core that are combinations of the author's */
    signature *reduced; /* of the core */
    prolonged_names *names;
    prolongation *p;
    prolonged_form *form;
    prolonged_levels *levels;
    prolonged_levels
        *met; /* those that a projection meets: `levels`, or one of all their equations */
    prolonged_start *start;
    author *author;
    crossings *crossings;     /* of the relations, whose modes all tapes of this read */
    size_t constraint_levels; /* that are measured: as written, then each hidden one ... */
    prolonged_levels *rows;   /* ... of which the last ones by these rows; NULL: none */
} formulation;

/* Build one. In the system's arena, under its protection; its factorisations are freed by
 * formulation_free(). Never NULL: a system that structure_analyze() accepts has each formulation.
 */
formulation *formulation_create(const sym_system *system, const structure *own,
                                const formulation_choice *choice);

/* After author_lift() at z, which has been met on all levels: raise *residual and constraint
 * (constraint_levels) to the worst violations there. */
void formulation_measure(formulation *f, double t, const double *z, double *residual,
                         double *constraint);

void formulation_free(formulation *f); /* NULL is fine */

#endif
