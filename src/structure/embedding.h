/* A system whose structure misleads, in a larger one whose structure does so less.
 *
 * Where combinations of equations (conversion.h) still contain highest derivatives, because the
 * equations are not linear in them, the system is embedded: W. Yang, W. Wu & G. Reid, Index
 * reduction for degenerated differential-algebraic equations by embedding, arXiv:2111.02678 (2021).
 * Let u J = 0 with the system Jacobian J at consistent values, c_l the least c_i with u_i not 0,
 * and R the equations with u_i not 0. The highest derivatives enter f_i^(c_i - c_l), i in R, by
 * |R| - 1 quantities. So these equations also hold where |R| - 1 of these derivatives are replaced
 * by new unknowns, and the others keep their present values. These copies contain no highest
 * derivatives of the old unknowns. They replace f_l, which follows from the others; so the system
 * has fewer degrees of freedom than before in its structure.
 *
 * The same is right where J is singular on solutions alone, as for f g = 0 with g not 0 and an
 * algebraic unknown in g: a copy says the same of f, whatever value g has. For f + g^2 = 0 beside g
 * = 0 it does so only if g is 0 in the copies as well, so that R needs the equations that determine
 * what is in g (embedding_kept.h). What replaces an equation that it does not follow from is
 * noticed, because that is still measured (sym_system.implied). */
#ifndef STRUCTURE_EMBEDDING_H
#define STRUCTURE_EMBEDDING_H

#include "structure/deceived_parts.h"
#include "structure/explicit.h"
#include "structure/prolongation.h"

typedef struct embedding_point {
    const sparse_pattern *pattern; /* n x n: of the system Jacobian ... */
    const double *jacobian;        /* ... and its values, without what is only rounding */
    const uint32_t *match;         /* n: a column for each row, by which the structure is regular */
    double t;
    const double *z;  /* p->size: consistent values */
    double time_unit; /* problem/time_unit.h */
} embedding_point;

/* The system with one equation of each deceived part (deceived_parts.h) embedded, which shares the
 * graph of `from`. p is the prolongation of the core of `from`. NULL: the
 * Jacobian is regular, or no part can be embedded. In the system's arena, under its protection. */
sym_system *structure_embed(const sym_system *from, const explicit_core *core,
                            const prolongation *p, const embedding_point *at);

#endif
