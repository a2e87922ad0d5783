/* What is claimed of formulations of constrained mechanical systems by each method: orders with
 * constant steps, errors at a tolerance, and how far each level of the constraints is met. */
#ifndef TESTS_ACCURACY_FORMULATION_CLAIMS_H
#define TESTS_ACCURACY_FORMULATION_CLAIMS_H

#include "accuracy/method_theory.h"
#include "formulation/mechanical_formulation.h"

#include <daedal/daedal.h>
#include <math.h>
#include <string.h>

/* An error of one step of order 1 falls as slowly as that of the end: steps are as many as the
 * tolerance is small. */
static const double TOLERANCE = 1e-6, TOLERANCE_OF_ORDER_1 = 1e-3;

/* Errors of single steps, each below the tolerance, may have grown to this much of it; values
 * within a step may differ from it by less. */
static const double GROWTH = 100, WITHIN = 10;

/* What equations that meet constraints by forces leave of them with their default numbers. */
static const double FORCED = 1e-3;

static const double ROUND_OFF = 1e-13, CONDITION = 1e3;

static inline const theory *theory_of(const char *name)
{
    for (size_t i = 0; i < sizeof theories / sizeof *theories; i++)
        if (strcmp(theories[i].name, name) == 0) return &theories[i];
    return NULL;
}

/* Of positions or of velocities, with constant steps; OPEN or FAILS without a promise. */
static inline int promise(const char *name, const char *formulation, bool velocities)
{
    const mechanical_formulation_ops *row = mechanical_formulation_find(formulation);
    const theory *found = theory_of(name);
    if (!found) return OPEN;
    if (!row || row->index == 0) return found->ode[0];
    if (row->index == 1) return found->index1[0];
    return row->index == 2 ? found->index2[0] : found->index3[velocities];
}

static inline bool is_forced(const char *formulation)
{
    return strcmp(formulation, "penalty") == 0 || strcmp(formulation, "augmented") == 0;
}

static inline double tolerance_of(const char *name)
{
    const theory *found = theory_of(name);
    return found && found->ode[0] == 1 ? TOLERANCE_OF_ORDER_1 : TOLERANCE;
}

/* Whether all coordinates follow from as many unknowns as there are freedoms. */
static inline bool is_minimal(const char *formulation)
{
    const mechanical_formulation_ops *row = mechanical_formulation_find(formulation);
    return row && row->index == 0 && !row->drifts && !is_forced(formulation);
}

/* How far a level of the constraints is met: where a projection or the tangent holds the state, to
 * round-off; where coordinates and velocities follow from as many unknowns as there are freedoms,
 * so are positions, and the others up to the condition of what they follow from; where positions
 * are equations, as values within steps are; where they are part of another equation, as the state
 * is. Nothing is claimed of the rest. */
static inline double claim(const dae_options *o, bool projected, size_t level)
{
    const char *formulation = o->formulation;
    const mechanical_formulation_ops *row = mechanical_formulation_find(formulation);
    if (projected || strcmp(formulation, "tangent") == 0) return ROUND_OFF;
    if (is_minimal(formulation)) return (level == 0 ? 1 : CONDITION) * ROUND_OFF;
    if (level > 0 || o->step > 0) return HUGE_VAL;
    if (is_forced(formulation)) return fmax(FORCED, GROWTH * o->rtol);
    return (row && row->index > 1 ? WITHIN : GROWTH) * o->rtol;
}

/* Whether velocities are what index 3 leaves uncontrolled: their tolerances are meant after
 * multiplication with the step (Hairer, Lubich & Roche, LNM 1409 (1989), p. 84). */
static inline bool has_deep_velocities(const char *formulation)
{
    return strcmp(formulation, "index3") == 0;
}

#endif
