/* A constrained mechanical system, for one solver: the author's functions behind one seam, and what
 * follows from them.
 *
 *   q' = S(t, q) v,   M(t, q) v' = f(t, q, v) + G(t, q)^T lambda,
 *   phi(t, q) = 0 (holonomic),   A(t, q) v = b(t, q) (nonholonomic),   G = [phi_q S; A].
 *
 * Constraints have three levels with `constraints` rows each, holonomic ones first. On positions:
 * phi (holonomic ones only). On velocities: phi_q S v + phi_t and A v - b. On accelerations: G v' +
 * gamma(t, q, v). Formulations, engines, projections and the start all use these functions; none
 * derives levels of its own. Derivatives that the author did not give are found by directional
 * differences.
 *
 * All saddle-point systems are factored here, in the structure of M and G: dense, or sparse with a
 * cost that follows from the fill. Constraints that depend on others are found; systems with them
 * are solved in the least-squares sense. Callers never assemble matrices. */
#ifndef MECHANICAL_MECHANICAL_H
#define MECHANICAL_MECHANICAL_H

#include "base/message.h"
#include "linalg/saddle_point.h"
#include "linalg/sparse.h"
#include "mechanical/mechanical_form.h"
#include "problem/invariants.h"

#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define MECHANICAL_UNCOUNTED ((size_t)-1)

/* A matrix of the system, and its values in the order of the pattern. */
typedef struct mechanical_matrix {
    const sparse_pattern *pattern;
    const double *value;
} mechanical_matrix;

typedef struct mechanical {
    const mechanical_form *form; /* the author's, borrowed */
    size_t nq, nv, holonomic, nonholonomic;
    size_t constraints;                   /* holonomic + nonholonomic: rows of G, and multipliers */
    size_t invariants;                    /* invariants of the motion, given by the author */
    mechanical_matrix mass, gradient;     /* M: nv x nv, G: constraints x nv; as evaluated last */
    mechanical_matrix damping, stiffness; /* D, K: nv x nv; as linearised last */
    size_t forces, jacobians, factorizations; /* counts: of f, of linearisations, of factors */
    /* After DAE_NOT_EVALUABLE: the number of the author's equation, in the order of the form:
     * kinematic equations, equations of motion, constraints. After DAE_SINGULAR: the number of the
     * author's unknown. PROBLEM_NOWHERE: a callback refused. */
    size_t bad_row;
    const char *bad_value; /* after DAE_NOT_EVALUABLE: the member whose value is not finite; NULL */
    size_t unkept;         /* count of states that could not be projected onto the invariants */
    const bool *out; /* constraints: whether it is left out, so that its rows of G and of all levels
                        are 0; borrowed; NULL: none */
    size_t dependent; /* after a factorisation: rows of G that depend on others, or
                         MECHANICAL_UNCOUNTED: some, in a system too large to count them */
} mechanical;

/* Create for `form` (borrowed). DAE_NO_MEMORY, with its sentence in `m`. */
dae_status mechanical_create(mechanical **created, const mechanical_form *form, message *m);
void mechanical_free(mechanical *m); /* NULL is fine */

/* Call when the form's nominal sizes have changed. */
void mechanical_take_sizes(mechanical *m);

/* Evaluate values. Each returns DAE_OK, DAE_NOT_EVALUABLE (bad_row and bad_value say where) or
 * DAE_STOPPED. */
dae_status mechanical_kinematics(mechanical *m, double t, const double *q, const double *v,
                                 double *qp); /* qp (nq) = S v */
dae_status mechanical_force(mechanical *m, double t, const double *q, const double *v, double *f);
dae_status mechanical_position(mechanical *m, double t, const double *q,
                               double *phi); /* holonomic */
/* Check whether the author's derivatives of constraints agree with differences of the constraints
 * at a point. `unit` is the unit of time there. If the constraints have no values beside the point,
 * no fault is reported. DAE_OK, DAE_STOPPED or DAE_NO_MEMORY. */
typedef struct mechanical_fault {
    const char *member, *of; /* the first that does not, and what it is the derivative of; NULL: all
                                agree */
    size_t row, column;      /* the equation, the coordinate; or PROBLEM_NOWHERE */
    double given, found;     /* the author's value, and the value from differences */
} mechanical_fault;
dae_status mechanical_verify(mechanical *m, double t, const double *q, const double *v, double unit,
                             double allowed, mechanical_fault *fault);
/* The same for the invariants and their gradients, at a state that meets the constraints.
 * Afterwards slot 0 holds the factors of this point. */
dae_status mechanical_verify_invariants(mechanical *m, double t, const double *q, const double *v,
                                        double allowed, invariant_fault *fault);
/* The time in which the fastest coordinate moves by its size, by its rate, or from rest by its
 * acceleration (v': nv, NULL: not known). This estimates the author's unit of time, which need not
 * be the second. One second where nothing moves. */
dae_status mechanical_time_unit(mechanical *m, double t, const double *q, const double *v,
                                const double *vp, double *unit);
/* phi_q in the order of its pattern. */
dae_status mechanical_position_gradient(mechanical *m, double t, const double *q, double *value);
dae_status mechanical_velocity(mechanical *m, double t, const double *q, const double *v,
                               double *c); /* constraints */
dae_status mechanical_gamma(mechanical *m, double t, const double *q, const double *v,
                            double *gamma); /* constraints */
/* r (nv) = M v' - f - G^T lambda; f NULL: evaluated. Evaluates M and G at (t, q). */
dae_status mechanical_motion(mechanical *m, double t, const double *q, const double *v,
                             const double *vp, const double *lambda, const double *f, double *r);

/* Evaluate M and G at (t, q), for the products and factors below. */
dae_status mechanical_evaluate(mechanical *m, double t, const double *q);

/* r (nv) = M x */
static inline void mechanical_mass_times(const mechanical *m, const double *x, double *r)
{
    sparse_multiply(m->mass.pattern, m->mass.value, x, r);
}

/* r (constraints) = G x */
static inline void mechanical_gradient_times(const mechanical *m, const double *x, double *r)
{
    sparse_multiply(m->gradient.pattern, m->gradient.value, x, r);
}

/* r (nv) = G^T x */
static inline void mechanical_gradient_transposed(const mechanical *m, const double *x, double *r)
{
    memset(r, 0, m->nv * sizeof *r);
    sparse_add_transposed(m->gradient.pattern, m->gradient.value, 1, x, r);
}

/* Evaluate M and G, and the other matrices that Newton's iteration for the motion needs at a point:
 *   D = -f_v,   K = d(M v' - f - G^T lambda)/dq S,
 * by the author's Jacobians where given, else by coloured differences. */
dae_status mechanical_linearize(mechanical *m, double t, const double *q, const double *v,
                                const double *vp, const double *lambda);

/* Systems [a M + d D + k K, -G^T; G, 0] (x, lambda) = (r, s), with the matrices evaluated or
 * linearised last. d = k = 0 needs only mechanical_evaluate(). If rows of G depend on others,
 * lambda is the shortest solution and the constraint rows are met in the least-squares sense, both
 * relative to the lengths of the rows. DAE_SINGULAR where the first block is singular on the null
 * space of G: bad_row is then the velocity with the largest part of the singular direction. A slot
 * keeps the factors made last in it, and allocates its memory at first use. */
enum { MECHANICAL_MOST_SLOTS = 4 };
dae_status mechanical_factor(mechanical *m, size_t slot, double a, double d, double k);
void mechanical_solve(mechanical *m, size_t slot,
                      double *x); /* nv + constraints: (r, s) in, (x, lambda) out */

/* The factors made last in a slot. */
saddle_point *mechanical_factors(const mechanical *m, size_t slot);

/* v' and lambda at a point: M v' = f + G^T lambda, G v' + gamma = 0. The multipliers of constraints
 * that are left out are 0. Slot 0. */
dae_status mechanical_accelerate(mechanical *m, double t, const double *q, const double *v,
                                 double *vp, double *lambda);

/* The same, to round-off, with the factors of a nearby point in slot 0 and iterative refinement.
 * The factors are renewed only if the refinement does not converge fast. */
dae_status mechanical_accelerate_nearby(mechanical *m, double t, const double *q, const double *v,
                                        double *vp, double *lambda);

/* The same for stages of an engine, by saddle_point_solve_once(). */
dae_status mechanical_accelerate_once(mechanical *m, double t, const double *q, const double *v,
                                      double *vp, double *lambda);

/* The pattern in which the levels of velocities and accelerations depend on coordinates
 * (constraints x nq). Where q' = v, a holonomic constraint depends on the coordinates in its
 * gradient. Other rows are full, because their dependence is not known. In `a`, under its
 * protection. */
sparse_pattern *mechanical_level_pattern(arena *a, const mechanical_form *f);

/* Project q onto phi = 0, then v onto the level of velocities, by the least change in the norm of M
 * (`by_mass`; q where q' = v) or of the nominal sizes, until met to round-off. DAE_NO_START where
 * Newton's iteration finds no such configuration: bad_row is then the constraint with the largest
 * miss. Evaluates M and G; uses no slot. */
dae_status mechanical_project(mechanical *m, double t, double *q, double *v, bool by_mass);

/* What a blow does to velocities, with what the constraints pass on of it: w (nv) becomes d, with
 * M d = w + G^T L and G d = 0. At the configuration of the last mechanical_project() by mass, whose
 * velocities are v. DAE_SINGULAR, DAE_NO_MEMORY. */
dae_status mechanical_blow(mechanical *m, const double *v, double *w);

/* The same, but both levels are met at once, by the least change of q and v together in the norm of
 * the nominal sizes. */
dae_status mechanical_project_together(mechanical *m, double t, double *q, double *v);

/* The author's invariants (m->invariants), and their gradients by q and v (invariants x nq and x
 * nv, by columns; NULL: not wanted). Gradients are the author's or by differences, and valid until
 * the next call. Only if there are invariants. */
dae_status mechanical_invariants(mechanical *m, double t, const double *q, const double *v,
                                 double *c);
dae_status mechanical_invariant_gradient(mechanical *m, double t, const double *q, const double *v,
                                         const double **by_q, const double **by_v);

/* Raise *worst to the largest miss of an invariant from its value in `kept`. */
dae_status mechanical_miss_invariants(mechanical *m, double t, const double *q, const double *v,
                                      const double *kept, double *worst);

/* The norm of a change: by nominal sizes; by the mass; by the mass with the factors of a nearby
 * point in slot 0. */
typedef enum mechanical_norm {
    MECHANICAL_NOMINAL,
    MECHANICAL_MASS,
    MECHANICAL_FROZEN
} mechanical_norm;

/* Call after the projection of q and v. Moves v by the least change along the constraints that
 * keeps the invariants at `kept`. Where a change of v cannot do that, as for an energy near rest, q
 * is moved, and v with it. `corrections` limits the number of corrections; 0: correct until met to
 * round-off. If both fail, q and v stay, and m->unkept counts it. */
dae_status mechanical_keep(mechanical *m, double t, double *q, double *v, const double *kept,
                           mechanical_norm norm, int corrections);

/* An orthonormal basis N (nv x freedoms, by columns) of the null space of G as evaluated last, by a
 * rank-revealing QR decomposition of G^T. N has room for nv x nv. DAE_UNSUPPORTED beyond some
 * hundreds of velocities and constraints. */
dae_status mechanical_null_space(mechanical *m, double *basis, size_t *freedoms);

/* The name of the callback that refused or stopped last; *code becomes its return value. NULL: none
 * did. */
const char *mechanical_refused(const mechanical *m, int *code);

/* Sizes of velocities for judging whether constraints of a mechanism are independent.
 *
 * Whether rows of G depend on others is judged in units of typical sizes. If these differ much from
 * the actual sizes of velocities, independent rows look parallel. An example is one velocity in
 * metres and others in units of 1e-12 m. The mass gives better sizes: velocities of the sizes 1 /
 * sqrt(M_jj) have equal energies in any units (E. Eich-Soellner & C. Fuehrer, Numerical Methods in
 * Multibody Dynamics, 1998, Sec. 2.3, take M as that metric). */

/* M and G at a point, with the given sizes of velocities (nv, > 0). */
typedef struct mechanical_sizing {
    mechanical_matrix mass, gradient;
    const double *size;
} mechanical_sizing;

/* Find factors (nv) from the mass. *better: whether, in units of sizes times factor, more rows of G
 * are independent or rows are far more clearly independent. Very large systems are not examined.
 * DAE_NO_MEMORY. */
dae_status mechanical_better_sizes(const mechanical_sizing *s, double *factor, bool *better);

#endif
