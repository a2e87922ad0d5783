/* Andrews' squeezing mechanism in its seven angles: what its forms have in common. Matrices by
 * columns of `ld` rows. */
#ifndef ZOO_ANDREWS_PARTS_H
#define ZOO_ANDREWS_PARTS_H

#include <stddef.h>

enum { ANDREWS_Q = 7, ANDREWS_LOOPS = 6, ANDREWS_TERMS = 4, ANDREWS_ANGLES = 10 };

/* Sines and cosines of the seven angles, and of q1 + q2, q4 + q5, q6 + q7: all that depends on q.
 */
typedef struct andrews_turned {
    double sine[ANDREWS_ANGLES], cosine[ANDREWS_ANGLES];
} andrews_turned;

andrews_turned andrews_turn(const double *q);

/* Entries of M that are not 0, with a mass of body 7 of m7: bodies 1 and 2, 4 and 5, 6 and 7 are
 * coupled. */
typedef struct andrews_inertias {
    double m11, m12, m22, m33, m44, m45, m55, m66, m67, m77;
} andrews_inertias;

andrews_inertias andrews_inertias_at(const andrews_turned *at, double m7);

/* r = M(q) w; block = M; matrix += d(M w)/dq */
void andrews_inertia(const andrews_inertias *m, const double *w, double *r);
void andrews_inertia_matrix(const andrews_inertias *m, double *block, size_t ld);
void andrews_inertia_slopes(const andrews_turned *at, const double *w, double *matrix, size_t ld);

/* f(q, v); matrices -= df/dq and df/dv */
void andrews_forces(const andrews_turned *at, const double *v, double *f);
void andrews_force_slopes(const andrews_turned *at, const double *v, double *by_q, double *by_v,
                          size_t ld);

/* Each term is minus its own second derivative. */
typedef struct andrews_constraints {
    double value[ANDREWS_LOOPS], slope[ANDREWS_LOOPS][ANDREWS_Q],
        term[ANDREWS_LOOPS][ANDREWS_TERMS];
} andrews_constraints;

andrews_constraints andrews_constraints_at(const andrews_turned *at);

/* r = the second derivatives of the constraints over time where v' = 0 */
void andrews_second_rates(const andrews_constraints *c, const double *v, double *r);

/* matrix += d(G^T lambda)/dq and d(G v)/dq */
void andrews_reaction_slopes(const andrews_constraints *c, const double *lambda, double *matrix,
                             size_t ld);
void andrews_rate_slopes(const andrews_constraints *c, const double *v, double *matrix, size_t ld);

#endif
