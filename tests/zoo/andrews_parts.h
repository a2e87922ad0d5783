/* Andrews' squeezing mechanism in its seven angles: what its forms have in common. Matrices by
 * columns of `ld` rows. */
#ifndef ZOO_ANDREWS_PARTS_H
#define ZOO_ANDREWS_PARTS_H

#include <stddef.h>

enum { ANDREWS_Q = 7, ANDREWS_LOOPS = 6, ANDREWS_TERMS = 4 };

/* r = M(q) w, with a mass of body 7 of m7; block = M; matrix += d(M w)/dq */
void andrews_inertia(const double *q, const double *w, double m7, double *r);
void andrews_inertia_matrix(const double *q, double m7, double *block, size_t ld);
void andrews_inertia_slopes(const double *q, const double *w, double *matrix, size_t ld);

/* f(q, v); matrices -= df/dq and df/dv */
void andrews_forces(const double *q, const double *v, double *f);
void andrews_force_slopes(const double *q, const double *v, double *by_q, double *by_v, size_t ld);

/* Each term is minus its own second derivative. */
typedef struct andrews_constraints {
    double value[ANDREWS_LOOPS], slope[ANDREWS_LOOPS][ANDREWS_Q],
        term[ANDREWS_LOOPS][ANDREWS_TERMS];
} andrews_constraints;

andrews_constraints andrews_constraints_at(const double *q);

/* matrix += d(G^T lambda)/dq and d(G v)/dq */
void andrews_reaction_slopes(const andrews_constraints *c, const double *lambda, double *matrix,
                             size_t ld);
void andrews_rate_slopes(const andrews_constraints *c, const double *v, double *matrix, size_t ld);

#endif
