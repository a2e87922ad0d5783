/* From a model's equations to what can be started, integrated, projected and read back.
 *
 * A formulation turns the author's equations into the problem that an engine integrates. It also
 * provides the constraint levels that hold in addition, the system that the start solves, and the
 * way back to the author's variables. The formulations here never degrade: they keep all
 * derivatives as unknowns and are projected onto the constraints, so nothing has to be renewed
 * during a run. */
#ifndef FORMULATION_FROM_MODEL_H
#define FORMULATION_FROM_MODEL_H

#include "base/message.h"
#include "formulation/author.h"
#include "formulation/prolonged_levels.h"
#include "formulation/prolonged_start.h"
#include "structure/conversion.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"
#include "structure/structure.h"
#include "symbolic/relations.h"
#include "symbolic/system.h"

#include <daedal/problem.h>

/* Where relations switch: the crossing expression of each, left - right, as a function of the
 * unknowns of a prolongation. A root finder searches for its zeros, and a free relation follows its
 * sign. Neither depends on the mode of the relation itself. */

typedef struct crossings {
    size_t count;   /* relations of the graph (relations.h), in their order */
    sym_tape *tape; /* both sides of each */
    double *input, *side;
} crossings;

/* The crossing expressions of a system over the unknowns of `p`, which is a prolongation of `core`.
 * Lives in `a`, under its protection and that of the graph's arena. */
crossings *crossings_create(arena *a, const sym_system *system, const explicit_core *core,
                            const prolongation *p);

/* left - right of each relation (count) at z (p->size), which must hold the derivatives that
 * relations use. */
void crossings_value(crossings *c, double t, const double *z, double *value);

typedef enum formulation_kind {
    /* Each equation is differentiated as often as its structure requires. The result has index 1;
     * projection keeps the constraints of lower levels. */
    FORMULATION_INDEX1,
    /* The equations as given. */
    FORMULATION_DIRECT,
    /* The equations as given. The constraints are the array of all equations differentiated up to
     * `extra` times. For systems whose structure misleads. */
    FORMULATION_ARRAY
} formulation_kind;

typedef struct formulation_choice {
    formulation_kind kind;
    explicit_extent replace; /* which explicit variables are first taken out */
    bool project;   /* states are projected onto the levels, so all derivatives are known */
    bool at_once;   /* all levels are met at once, as one level */
    uint32_t extra; /* differentiations of an array */
    /* expressions that a projection keeps at 0, as rows of one level with all equations; not of an
     * array */
    size_t invariants;
    const sym *invariant; /* of the author's variables; borrowed */
    bool keeps;           /* even where there are no hidden constraints to be projected onto */
    bool index_1;         /* arrays: the system is known to have index 1 */
    /* For a structure that misleads: replace equations by combinations whose structure does not
     * mislead, if such are found. NULL: leave the equations as they are. */
    const conversion_point *convert;
} formulation_choice;

typedef struct formulation {
    formulation_choice choice;
    const char *name; /* as in `--formulation`; "direct" where no equation is differentiated */
    const sym_system *system;
    const structure *own; /* of the author's equations */
    explicit_core *core;
    size_t converted;       /* equations of the core that are combinations of the author's */
    const incidence *in;    /* of the core */
    signature *reduced;     /* its signature, ... */
    const signature *shown; /* ... without what is needed outside the equations */
    prolonged_names *names;
    prolongation *p;
    prolonged_form *form;
    prolonged_levels *levels;
    prolonged_levels
        *met;   /* those that a projection meets: `levels`, or one of all their equations */
    bool keeps; /* `met` holds the invariants */
    prolonged_start *start;
    author *author;
    crossings *crossings;           /* of the relations; all tapes here read their modes */
    size_t constraint_levels;       /* measured: as written, then each hidden one ... */
    prolonged_levels *rows;         /* ... the hidden ones by these rows; NULL: not by rows */
    struct formulated_rates *rates; /* formulation_rates(); NULL before the first call */
} formulation;

/* Build a formulation in the system's arena, under its protection; formulation_free() frees its
 * factorisations. Never NULL: a system that structure_analyze() accepts has every formulation. */
formulation *formulation_create(const sym_system *system, const structure *own,
                                const formulation_choice *choice);

/* Whether the core shows constraints that the structure of the author's equations hides. */
bool formulation_shows_more(const formulation *f);

/* Call after author_lift() at a point z that meets all levels. Raises *residual and constraint
 * (constraint_levels) to the worst violations at that point. */
void formulation_measure(formulation *f, double t, const double *z, double *residual,
                         double *constraint);

/* Derivatives along the solution of all the author's variables (unknowns of the system) at a point
 * z that meets all levels: also of those whose derivative does not occur in the equations. NAN for
 * discrete variables, and where the equations do not determine it: the system Jacobian is singular,
 * or z lacks derivatives that are needed, as with equations integrated as given. The first call
 * compiles. DAE_NO_MEMORY. */
dae_status formulation_rates(formulation *f, double t, const double *z, double *rate);
void formulation_rates_free(formulation *f);

void formulation_free(formulation *f); /* NULL is fine */

/* The problem handle for models: text and settings. The text is read when something is asked. */

/* Make the system of a model and its structure in `a`, so that each solver has a graph of its own.
 * They are copied from the handle, which is only read. If the handle has not been looked at, the
 * system is read from the text. `*own` is NULL where nothing has been analysed, or where the
 * analysis failed. The message takes errors and notes. DAE_OK, or as dae_problem_status().
 * `traced`: numbers keep their parameters (traced.h), for dF/dp of the formulation. */
dae_status model_problem_load(const dae_problem *problem, bool traced, arena *a, message *m,
                              sym_system **system, structure **own);

/* The same, where homotopy(actual, simplified) is led from the simplified value to the actual one
 * by a cell (sym_system.homotopy), of a problem whose system has such calls. */
dae_status model_problem_load_led(const dae_problem *problem, arena *a, message *m,
                                  sym_system **system);

/* How often the text has been read and analysed since it was given; and the system that is held.
 * The system is NULL after a failure, before the handle is looked at, and for a problem that is not
 * a model. */
size_t model_problem_readings(const dae_problem *problem);
const sym_system *model_problem_system(const dae_problem *problem);

#endif
