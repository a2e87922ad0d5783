/* How structural methods advance a mechanical system: with y = (q, v, lambda), and with the
 * constraints on the level that the formulation names. */
#ifndef SOLVE_MECHANICAL_STRUCTURAL_H
#define SOLVE_MECHANICAL_STRUCTURAL_H

#include "mechanical/mechanical_form.h"
#include "solve/simulation.h"

typedef struct structural_way {
    const char *name;    /* as in dae_options.formulation */
    const char *says;    /* what it does, for the reasons of a run */
    unsigned char level; /* constraint level, as in problem.h */
    bool drifts;         /* positions drift off their constraints */
} structural_way;

/* The way that the options name, or that suits the method where they leave it open. NULL where the
 * method is not structural. DAE_UNSUPPORTED with its message where formulation and method do not go
 * together. */
dae_status mechanical_structural_choose(const simulation *c, const mechanical_form *f,
                                        const structural_way **way);

/* Whether the options name a structural method. */
bool mechanical_structural_asked(const simulation *c);

#endif
