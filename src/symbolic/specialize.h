/* A system in one of its modes.
 *
 * Where branches of an equation hold different variables, as an ideal switch does, or a pendulum
 * that breaks, index and structure depend on the modes. The equations of one mode have the branches
 * that its held relations and cells select, and no others. */
#ifndef SYMBOLIC_SPECIALIZE_H
#define SYMBOLIC_SPECIALIZE_H

#include "symbolic/system.h"

/* The relations and cells that the value of a discrete variable follows from. */
typedef struct sym_followed {
    size_t relations, cells;
    const uint32_t *relation, *cell;
} sym_followed;

/* What selects branches of the equations. */
typedef struct sym_selectors {
    size_t relations, cells;
    const uint32_t *relation, *cell; /* their numbers, ascending */
    size_t followed;                 /* discrete variables in equations that follow from relations:
                                        along the surface of one they are numbers of both sides.
                                        Relations, with those at which their sides bend */
    const sym_followed *of;          /* followed */
} sym_selectors;

/* Whether an equation says that an author's discrete variable has its value at the last event:
 * that is one of the two sides. */
bool sym_is_of_discrete(const sym_system *system, const sym_equation *e);

/* The relation that is true where `less`, and false where `other` is the value of a minimum, a
 * maximum or an absolute value, if bends there are watched; 0: there is none. */
sym sym_bends_at(const sym_system *system, sym node, sym *less, sym *other);

/* Those of a system's equations. selectors.c, in its arena, under its protection. */
sym_selectors sym_find_selectors(const sym_system *system);

/* The surfaces along which a solution slides. */
typedef struct sym_sliding {
    size_t count;             /* of surfaces */
    const uint32_t *relation; /* count: a relation of each */
    const size_t *surface;    /* relations: the surface of each, SIZE_MAX: none of these */
    const signed char
        *along; /* relations: +1 of those that are true just beside their surface where
                   its relation is true, -1 of those that are true on the other side */
} sym_sliding;

/* A copy of the system in another arena, under its protection, with the equations of the present
 * modes and cells of its graph. The copy's graph has the same relations and cells.
 *
 * Branches a and b of the two sides of a surface become share a + (1 - share) b, with one more
 * unknown `share` after the others, and one more equation, that both sides of its relation are
 * equal (Filippov, Differential Equations with Discontinuous Righthand Sides, 1988, Sec. 4; with a
 * share in each equation, and of several surfaces, this is Utkin's equivalent control: Sliding
 * Modes in Control and Optimization, 1992, Ch. 2). NULL: what selects a branch depends on several
 * surfaces at once, so that a share of each says nothing. */
sym_system *sym_specialize(arena *a, const sym_system *from, const sym_sliding *slides);

#endif
