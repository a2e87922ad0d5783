/* Kinds of random systems: each fills equations, solution, index and freedom; t0, t1 and the pool
 * are there. */
#ifndef RANDOM_KINDS_H
#define RANDOM_KINDS_H

#include "random/system.h"

typedef struct random_kind {
    const char *name;
    void (*make)(random_system *s, draw *d);
} random_kind;

extern const random_kind kinds[];
extern const int kind_count;

/* Canonical form E u' = A u of chosen blocks, in other coordinates, its equations mixed. */
void kind_linear_dense(random_system *s, draw *d);
void kind_linear_sparse(random_system *s, draw *d);
void kind_linear_stiff(random_system *s, draw *d);
void kind_linear_varying(random_system *s, draw *d);
void kind_nonlinear(random_system *s, draw *d);

void kind_hessenberg_2(random_system *s, draw *d);
void kind_hessenberg_3(random_system *s, draw *d);
void kind_chain(random_system *s, draw *d);
void kind_mechanical(random_system *s, draw *d);
void kind_invariant(random_system *s, draw *d);

#endif
