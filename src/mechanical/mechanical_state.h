/* What the parts of mechanical.h share; for mechanical*.c alone. */
#ifndef MECHANICAL_MECHANICAL_STATE_H
#define MECHANICAL_MECHANICAL_STATE_H

#include "linalg/min_norm.h"
#include "linalg/saddle_point.h"
#include "linalg/sparse.h"
#include "mechanical/mechanical.h"
#include "nonlinear/derivative_outward.h"
#include "nonlinear/differences.h"
#include "problem/equations.h"
#include "problem/miss.h"
#include "problem/problem.h"
#include "projection/meet.h"

#include <float.h>

/* Distances of the differences for gamma. */
enum { MECHANICAL_DISTANCES = 4 };

/* A matrix made of the entries of others: where each goes. */
typedef struct mechanical_sum {
    const sparse_pattern *pattern;
    size_t *first, *second, *third; /* of each part; NULL: not a part */
} mechanical_sum;

/* Values of the author's matrices at a point, and the gradient that they give. */
typedef struct mechanical_values {
    double *mass, *gradient;
    double *kinematics, *position, *velocity; /* S, phi_q, A */
} mechanical_values;

/* One of the systems of mechanical_factor(): with the pattern of M in its first block, and with
 * that of M, D and K. */
typedef struct mechanical_slot {
    saddle_point *of_mass, *of_all;
    bool all; /* which was factored last */
} mechanical_slot;

/* A level of constraints with the norm in which it is nearest, and the way there, which is made
 * when it is used first. */
typedef struct mechanical_way {
    struct mechanical_state *s;
    const double *jacobian, *metric; /* where the values are */
    double left;                     /* how far rows may be missed in the least-squares sense */
    constraint_level level;
    constraint_levels levels;
    directions ways;
} mechanical_way;

/* What all constraints by (q, v) are made of; made when it is used first. */
typedef struct mechanical_together {
    size_t *where; /* where the entries of the parts go */
    double *value; /* of the whole */
    double *turn;  /* d(G v + phi_t)/dq */
    double *z;     /* (q, v) */
    differences *differences;
} mechanical_together;

/* Invariants, `count` of them, and what brings velocities back to them. */
typedef struct mechanical_invariance {
    double *by_q, *by_v;          /* count x nq, count x nv, by columns */
    double *here, *missed, *size; /* count */
    double *direction, *along;    /* (nv + constraints) x count, nq x count */
    double *product;              /* count x count */
    double *length, *part, *ones; /* count */
    double *before;               /* nv + nq */
    const sparse_pattern *q_pattern, *v_pattern, *square; /* dense */
    min_norm *solver;                           /* of the product; made when it is used first */
    differences *q_differences, *v_differences; /* NULL: the author gave the gradient */
} mechanical_invariance;

typedef struct mechanical_state {
    mechanical base; /* what others see; the first member */
    arena memory;
    const mechanical_form *form;
    size_t first_motion, first_constraint; /* among the author's equations */

    sparse_product *position_product;  /* phi_q S; NULL: S = 1 */
    mechanical_sum gradient;           /* G of phi_q S and A */
    mechanical_sum by_q;               /* nv x nq: df/dq, and of what reactions depend on */
    sparse_product *stiffness_product; /* of it with S; NULL: S = 1 */
    mechanical_sum all;                /* M, D, K */

    mechanical_values here;  /* as evaluated last */
    mechanical_values there; /* at a point of differences or of a level; mass not if constant */
    double *damping, *stiffness, *stiffness_by_q;
    double *laid;    /* values as the author lays them out */
    double *product; /* phi_q S: nonzeros */
    double *terms;   /* the sizes of its terms */
    double *block;   /* nonzeros of `all` */
    double *weight;  /* nq + nv: 1 over squares of nominal sizes */
    size_t *every;   /* nq + nv: 0, 1, ... */
    const double *nominal_q, *nominal_v;

    differences *q_differences, *v_differences; /* NULL: not needed */

    double *rate;                           /* nq: S v */
    double *moved_q, *rate_q;               /* nq: a point on the way, and the way */
    double *quotient[MECHANICAL_DISTANCES]; /* constraints: of the level of velocities */
    double *level;                          /* constraints */
    double *before;                         /* constraints: the level behind */
    double *doubt, *noise;       /* constraints: of the best gamma so far; of the level */
    derivative_outward *outward; /* of so many rows */
    double reach, seen; /* in s: that gamma is looked for from at most, 0: not known; how far out
                           that was looked for */
    double *force_here, *force_there; /* nv */
    double *right;                    /* nv + constraints */
    double *trial_q, *size;           /* nq, constraints */

    double at_t; /* the point of differences that are being taken */
    const double *at_q, *at_v, *at_vp, *at_lambda;

    const char *refused;
    int code;
    mechanical_slot slot[MECHANICAL_MOST_SLOTS];
    mechanical_way position[2], velocity[2]; /* by nominal sizes, by mass */
    mechanical_way at_once;                  /* both levels, by nominal sizes */
    mechanical_together together;            /* what that is made of */
    meeting meet;
    workspace space; /* of meet */
    mechanical_invariance invariance;
    min_norm *null_rows; /* of G; made when it is asked for */
} mechanical_state;

static inline mechanical_state *mechanical_inside(mechanical *m)
{
    return (mechanical_state *)m;
}

static inline const mechanical_state *mechanical_look(const mechanical *m)
{
    return (const mechanical_state *)m;
}

/* mechanical_patterns.c: all patterns, under the protection of s->memory. */
void mechanical_make_patterns(mechanical_state *s);

/* mechanical_patterns.c: positions of entries that are collected for a pattern, and places for
 * them (sparse_build()): room for so many; one; those of a pattern, from a row and a column on;
 * the pattern of all. In `a`, under its protection. */
typedef struct mechanical_entries {
    size_t *row, *column, *where, count;
} mechanical_entries;
mechanical_entries mechanical_entries_take(arena *a, size_t most);
void mechanical_entries_add(mechanical_entries *e, size_t row, size_t column);
void mechanical_entries_add_all(mechanical_entries *e, const sparse_pattern *p, size_t row,
                                size_t column);
sparse_pattern *mechanical_entries_build(arena *a, const mechanical_entries *e, size_t rows,
                                         size_t columns);

/* mechanical_gamma.c: gamma, whatever the author gave; what its error may be is in s->doubt. The
 * other finds it in s->outward, from short distances outward, whatever was seen elsewhere. */
dae_status mechanical_gamma_outward(mechanical_state *s, double t, const double *q,
                                    const double *v);
dae_status mechanical_gamma_by_differences(mechanical_state *s, double t, const double *q,
                                           const double *v, double *gamma);

/* mechanical_calls.c: the author's functions, with what they answer and finite values. */
dae_status mechanical_call_force(mechanical_state *s, double t, const double *q, const double *v,
                                 double *f);
dae_status mechanical_call_gamma(mechanical_state *s, double t, const double *q, const double *v,
                                 double *gamma);
dae_status mechanical_call_constraint(mechanical_state *s, double t, const double *q, double *phi);
dae_status mechanical_call_constraint_t(mechanical_state *s, double t, const double *q, double *dt);
dae_status mechanical_call_velocity_right(mechanical_state *s, double t, const double *q,
                                          double *b);
dae_status mechanical_call_force_q(mechanical_state *s, double t, const double *q, const double *v,
                                   double *value);
dae_status mechanical_call_force_v(mechanical_state *s, double t, const double *q, const double *v,
                                   double *value);

dae_status mechanical_call_invariant(mechanical_state *s, double t, const double *q,
                                     const double *v, double *c);
dae_status mechanical_call_invariant_gradient(mechanical_state *s, double t, const double *q,
                                              const double *v, double *by_q, double *by_v);

/* mechanical_calls.c: M where it is not constant; S, phi_q and A. */
dae_status mechanical_call_mass(mechanical_state *s, double t, const double *q, double *mass);
dae_status mechanical_call_position(mechanical_state *s, double t, const double *q, double *value);
dae_status mechanical_call_parts(mechanical_state *s, double t, const double *q,
                                 mechanical_values *values);

/* How far a level may be missed at most: see problem/miss.h. Invariants that are missed by no more
 * than the former are met. */
#define MECHANICAL_MET    (2 * DBL_EPSILON)
#define MECHANICAL_NEARLY 1e-10

/* mechanical_project.c: z brought to a level. DAE_NO_START, s->first_constraint + the row that is
 * missed most being the bad row, DAE_SINGULAR, where that is the entry of z that is open, or the
 * statuses of the level; z then stays. */
dae_status mechanical_meet(mechanical_way *w, double t, double *z);

/* mechanical_project.c: the least changes of v, by M and G as evaluated last, factored. */
dae_status mechanical_velocity_norm(mechanical_state *s, bool by_mass, const double *v,
                                    saddle_point **p);

/* mechanical_project.c: a level of this form, its metric, values and `left` being still to be set;
 * what the form hands out. */
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

/* mechanical_levels.c: rate (nq) = S v, and c = phi_q S v + phi_t, A v - b, of parts that were
 * evaluated. */
void mechanical_rate(const mechanical_state *s, const mechanical_values *values, const double *v,
                     double *rate);
dae_status mechanical_velocity_of(mechanical_state *s, const mechanical_values *values, double t,
                                  const double *q, const double *v, double *c);

/* mechanical_levels.c: 0 for what is left out. */
void mechanical_leave_out(const mechanical *m, size_t count, double *level);

#endif
