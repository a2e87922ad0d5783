/* The differential index at the consistent start. */
#ifndef SOLVE_INDEX_AT_START_H
#define SOLVE_INDEX_AT_START_H

#include "formulation/from_model.h"
#include "structure/local_index.h"

typedef struct index_at_start {
    int index;          /* -1: not determined */
    const char *reason; /* how it was determined, or why not; static text */
    unsigned *variable; /* as many as the author's unknowns: the index of each, beside the start,
                           where no factor is zero by chance; NULL where not determined */
} index_at_start;

/* The index of equations whose system Jacobian is regular at the start. f has been started, and its
 * author's variables have been lifted there. Under the protection of the system's arena. */
index_at_start solve_index_regular(const formulation *f);

/* The index of equations whose structure misleads, from the array of the equations as written,
 * differentiated up to `highest` times. Under the protection of the system's arena. */
index_at_start solve_index_beyond_structure(const sym_system *system, const structure *own,
                                            double t, unsigned highest);

#endif
