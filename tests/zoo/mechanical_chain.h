/* (l) A planar chain of uniform rods, of length and mass 1 in all, hung at the origin, as a C
 * program gives it: sparse patterns, constant mass. Centres and angles of the rods from the
 * downward vertical, x, y, theta one rod after the other; two constraints a pin. From rest with
 * theta_i = ((i - 1/2)/N)^2. */
#ifndef ZOO_MECHANICAL_CHAIN_H
#define ZOO_MECHANICAL_CHAIN_H

#include <daedal/forms.h>

typedef struct zoo_chain {
    size_t links;
    dae_mechanical_form form; /* user: this chain */
    double *mass;
    size_t *start, *row; /* of phi_q */
    size_t *none;        /* of df/dq and df/dv, which are 0 */
} zoo_chain;

/* NULL: memory is exhausted. */
zoo_chain *zoo_chain_create(size_t links);
void zoo_chain_start(const zoo_chain *c, double *q, double *v);
void zoo_chain_free(zoo_chain *c); /* NULL is fine */

#endif
