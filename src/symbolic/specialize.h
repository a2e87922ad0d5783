/* A system in one of its modes.
 *
 * Where branches of an equation hold different variables, as an ideal switch does, or a pendulum
 * that breaks, index and structure depend on the modes. The equations of one mode have the branches
 * that its held relations and cells select, and no others. */
#ifndef SYMBOLIC_SPECIALIZE_H
#define SYMBOLIC_SPECIALIZE_H

#include "symbolic/system.h"

/* What selects branches of the equations. */
typedef struct sym_selectors {
    size_t relations, cells;
    const uint32_t *relation, *cell; /* their numbers, ascending */
} sym_selectors;

/* Those of a system's equations. In its arena, under its protection. */
sym_selectors sym_find_selectors(const sym_system *system);

/* A copy of the system in another arena, under its protection, with the equations of the present
 * modes and cells of its graph. The copy's graph has the same relations and cells.
 *
 * slides: SYM_NONE, or a relation at whose surface the solution slides. along (relations): +1 of
 * those that are true, just beside that surface, where it is true, -1 of those that are false there
 * and true on the other side; 0 of others. Branches a and b of these two sides become share a + (1
 * - share) b, with one more unknown `share` behind the others, and one more equation, that both
 * sides of the relation are equal (Filippov, Differential Equations with Discontinuous Righthand
 * Sides, 1988, Sec. 4; with a share in each equation, which for several of them is Utkin's
 * equivalent control). */
sym_system *sym_specialize(arena *a, const sym_system *from, uint32_t slides,
                           const signed char *along);

#endif
