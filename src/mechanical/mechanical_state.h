/* What the files that implement mechanical.h share. Only mechanical*.c include this header. */
#ifndef MECHANICAL_MECHANICAL_STATE_H
#define MECHANICAL_MECHANICAL_STATE_H

#include "linalg/min_norm.h"
#include "linalg/saddle_point.h"
#include "linalg/sparse.h"
#include "mechanical/mechanical.h"
#include "nonlinear/differences.h"
#include "problem/equations.h"
#include "problem/levels.h"
#include "problem/problem.h"
#include "projection/meet.h"

#include <float.h>

/* Number of distances at which differences for gamma are taken. */
enum { MECHANICAL_DISTANCES = 4 };

/* The author's functions of t and q, or of v too. */
typedef enum mechanical_member {
    CALL_FORCE,
    CALL_FORCE_Q,
    CALL_FORCE_V,
    CALL_MASS,
    CALL_KINEMATICS,
    CALL_CONSTRAINT,
    CALL_CONSTRAINT_Q,
    CALL_CONSTRAINT_T,
    CALL_VELOCITY,
    CALL_VELOCITY_RIGHT,
    CALL_GAMMA,
    MECHANICAL_MEMBERS
} mechanical_member;

typedef struct author_call {
    const char *name;
    int (*of_q)(double t, const double *q, double *out, void *user);
    int (*of_v)(double t, const double *q, const double *v, double *out, void *user);
    size_t rows, first;          /* rows of the values; equation of the first one */
    const author_matrix *matrix; /* the values are its entries; NULL: a vector */
} author_call;

/* A matrix that is a sum of others, and the places of their entries. */
typedef struct mechanical_sum {
    const sparse_pattern *pattern;
    uint32_t *first, *second, *third; /* places of each part's entries; NULL: no such part */
} mechanical_sum;

/* Values of the author's matrices at a point, and G, which follows from them. */
typedef struct mechanical_values {
    double *mass, *gradient;
    double *kinematics, *position, *velocity; /* S, phi_q, A */
} mechanical_values;

/* A slot of mechanical_factor(): one system with the pattern of M in its first block, and one with
 * the pattern of M, D and K. */
typedef struct mechanical_slot {
    saddle_point *of_mass, *of_all;
    bool all; /* of_all was factored last */
} mechanical_slot;

/* A level of constraints, the norm in which the nearest point on it is sought, and its factors. The
 * latter are made at first use. */
typedef struct mechanical_way {
    struct mechanical_state *s;
    const double *jacobian, *metric; /* places of the values */
    double left; /* largest miss of rows that are met in the least-squares sense */
    constraint_level level;
    constraint_levels levels;
    directions ways;
} mechanical_way;

/* Parts of the Jacobian of all constraints by (q, v). Made at first use. */
typedef struct mechanical_together {
    uint32_t *where; /* places of the parts' entries */
    double *value;   /* of the whole */
    double *turn;    /* d(G v + phi_t)/dq */
    double *z;       /* (q, v) */
    differences *differences;
} mechanical_together;

/* `count` invariants, and work space for the projection onto them. */
typedef struct mechanical_invariance {
    double *by_q, *by_v;          /* count x nq, count x nv, by columns */
    double *here, *missed, *size; /* count */
    double *direction, *along;    /* (nv + constraints) x count, nq x count */
    double *product;              /* count x count */
    double *length, *part, *ones; /* count */
    double *before;               /* nv + nq */
    const sparse_pattern *q_pattern, *v_pattern, *square; /* dense */
    min_norm *solver;                                     /* of the product; made at first use */
    differences *q_differences, *v_differences;           /* NULL: the author gave the gradient */
} mechanical_invariance;

typedef struct mechanical_state {
    mechanical base; /* the public part; the first member */
    arena memory;
    const mechanical_form *form;
    size_t first_motion, first_constraint; /* numbers among the author's equations */

    sparse_product *position_product;  /* phi_q S; NULL: S = 1 */
    mechanical_sum gradient;           /* G from phi_q S and A */
    mechanical_sum by_q;               /* nv x nq: df/dq, and derivatives of reactions */
    sparse_product *stiffness_product; /* by_q times S; NULL: S = 1 */
    mechanical_sum all;                /* M, D, K */

    mechanical_values here;  /* as evaluated last */
    mechanical_values there; /* at a point of differences or of a level; no mass if constant */
    double *damping, *stiffness, *stiffness_by_q;
    double *laid;    /* values in the author's layout */
    double *product; /* phi_q S: nonzeros */
    double *terms;   /* the sizes of its terms */
    double *block;   /* nonzeros of `all` */
    double *weight;  /* nq + nv: 1 over squares of nominal sizes */
    size_t *every;   /* nq + nv: 0, 1, ... */
    const double *nominal_q, *nominal_v;

    differences *q_differences, *v_differences; /* NULL: not needed */

    double *rate;                           /* nq: S v */
    double *moved_q, *rate_q;               /* nq: a moved point, and the direction of moves */
    double *quotient[MECHANICAL_DISTANCES]; /* constraints: of the velocity level */
    double *level;                          /* constraints */
    double *before;                         /* constraints: the level at the point after */
    double *doubt, *noise; /* constraints: error of the best gamma so far; noise of the level */
    derivative_outward *outward; /* for `constraints` rows */
    double reach, seen; /* in s: longest distance for differences of gamma, 0: not known; how far
                           out the search for it went */
    double *force_here, *force_there; /* nv */
    double *right;                    /* nv + constraints */
    double *trial_q, *size;           /* nq, constraints */

    double at_t; /* the point at which differences are taken */
    const double *at_q, *at_v, *at_vp, *at_lambda;

    author_call call[MECHANICAL_MEMBERS];
    const char *refused;
    int code;
    mechanical_slot slot[MECHANICAL_MOST_SLOTS];
    mechanical_way position[2], velocity[2]; /* by nominal sizes, by mass */
    mechanical_way at_once;                  /* both levels together, by nominal sizes */
    mechanical_together together;            /* the parts of at_once */
    meeting meet;
    mechanical_invariance invariance;
    min_norm *null_rows; /* of G; made at first use */
} mechanical_state;

static inline mechanical_state *mechanical_inside(mechanical *m)
{
    return (mechanical_state *)m;
}

static inline const mechanical_state *mechanical_look(const mechanical *m)
{
    return (const mechanical_state *)m;
}

/* mechanical_gamma.c: gamma by differences, even if the author gave it, into s->outward by a search
 * from short distances outward, independent of earlier searches. */
dae_status mechanical_gamma_outward(mechanical_state *s, double t, const double *q,
                                    const double *v);

/* mechanical_calls.c: call one of the author's functions (v NULL: of t and q), interpret its return
 * value and check that values are finite. Vectors that the author did not give become 0; a matrix
 * without rows or function keeps its values. */
dae_status mechanical_call(mechanical_state *s, mechanical_member member, double t, const double *q,
                           const double *v, double *value);
dae_status mechanical_call_invariant_gradient(mechanical_state *s, double t, const double *q,
                                              const double *v, double *by_q, double *by_v);

/* mechanical_calls.c: S, phi_q and A. */
dae_status mechanical_call_parts(mechanical_state *s, double t, const double *q,
                                 mechanical_values *values);

/* mechanical_calls.c: describe the author's functions in s->call. */
void mechanical_make_calls(mechanical_state *s);

/* The largest miss of a level: see problem/levels.h. An invariant whose miss is at most
 * MECHANICAL_MET is met. */
#define MECHANICAL_MET    (2 * DBL_EPSILON)
#define MECHANICAL_NEARLY 1e-10

/* mechanical_project.c: project z onto a level. After a failure z is unchanged. DAE_NO_START:
 * bad_row is s->first_constraint + the row with the largest miss. DAE_SINGULAR: bad_row is the
 * entry of z that is not determined. Or a status of the level. */
dae_status mechanical_meet(mechanical_way *w, double t, double *z);

/* mechanical_project.c: factor the saddle-point system of least changes of v, with M and G as
 * evaluated last. */
dae_status mechanical_velocity_norm(mechanical_state *s, bool by_mass, const double *v,
                                    saddle_point **p);

/* mechanical_project.c: make a level of this form. The caller sets its metric, values and `left`.
 * The other two are callbacks of the form. */
void mechanical_way_make(mechanical_way *w, mechanical_state *s, const constraint_levels_form *form,
                         const sparse_pattern *pattern, const double *nominal);
void mechanical_way_jacobian(void *self, size_t level, double *value);
const double *mechanical_way_metric(void *self, size_t level);

/* mechanical_project.c: the levels of positions and velocities, under the protection of s->memory.
 */
void mechanical_make_levels(mechanical_state *s);

/* mechanical_levels.c: M and G. */
dae_status mechanical_values_at(mechanical_state *s, double t, const double *q,
                                mechanical_values *values);

/* mechanical_levels.c: rate (nq) = S v, and c = (phi_q S v + phi_t, A v - b), from evaluated parts.
 */
void mechanical_rate(const mechanical_state *s, const mechanical_values *values, const double *v,
                     double *rate);
dae_status mechanical_velocity_of(mechanical_state *s, const mechanical_values *values, double t,
                                  const double *q, const double *v, double *c);

/* mechanical_levels.c: set the level to 0 for constraints that are left out. */
void mechanical_leave_out(const mechanical *m, size_t count, double *level);

#endif
