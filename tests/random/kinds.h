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

/* Parts of several of them. size times a smooth bounded function of the unknowns first ... */
expr kind_bend(random_system *s, draw *d, int first, int count, double size);
/* Constraint k of `all` on `count` unknowns from `first` on: the k-th and a bend of the others. */
expr kind_constraint(random_system *s, draw *d, int first, int count, int k, int all);
/* e along the solution, as a function of the time. */
expr kind_at_solution(random_system *s, expr e);

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
void kind_nonholonomic(random_system *s, draw *d);
void kind_invariant(random_system *s, draw *d);

#endif
