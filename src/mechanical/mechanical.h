/* A constrained mechanical system at work, for one solver: the author's functions behind one seam,
 * with what follows from them.
 *
 *   q' = S(t, q) v,   M(t, q) v' = f(t, q, v) + G(t, q)^T lambda,
 *   phi(t, q) = 0 (holonomic),   A(t, q) v = b(t, q) (nonholonomic),   G = [phi_q S; A].
 *
 * Constraints have three levels, of `constraints` rows each, the holonomic ones first: on positions
 * phi (the holonomic ones alone), on velocities phi_q S v + phi_t and A v - b, on accelerations
 * G v' + gamma(t, q, v). Formulations, engines, projections and the start read them here, and none
 * derives its own. What the author did not give is had by directional differences.
 *
 * Saddle-point systems of all of them are factored here, in the structure of M and G: dense, or
 * sparse with a cost that follows from the fill. Constraints that depend on others are found, and
 * solved with in the least-squares sense. Callers never assemble. */
#ifndef MECHANICAL_MECHANICAL_H
#define MECHANICAL_MECHANICAL_H

#include "base/message.h"
#include "mechanical/mechanical_form.h"
#include "problem/invariant_check.h"

#include <stdbool.h>
#include <stddef.h>

#define MECHANICAL_UNCOUNTED ((size_t)-1)

typedef struct mechanical {
    const mechanical_form *form; /* the author's, borrowed */
    size_t nq, nv, holonomic, nonholonomic;
    size_t constraints; /* holonomic + nonholonomic: rows of G, and multipliers */
    size_t invariants;  /* that the author knows of the motion */
    bool constant_mass;
    size_t forces, jacobians, factorizations; /* counts: of f, of linearisations, of factors */
    /* After DAE_NOT_EVALUABLE the author's equation, of n as in the form: kinematic ones, those of
     * motion, constraints; after DAE_SINGULAR his unknown. PROBLEM_NOWHERE: a callback refused. */
    size_t bad_row;
    const char *bad_value; /* after DAE_NOT_EVALUABLE: the member whose value is not finite; NULL */
    size_t unkept;         /* a count: of states that were not brought back to the invariants */
    const bool *out;       /* constraints: left out of G and of all levels, which are 0 there;
                              borrowed; NULL: none */
    size_t dependent;      /* after a factorisation: rows of G that depend on others, or
                              MECHANICAL_UNCOUNTED: some, in a system too large to count them */
} mechanical;

/* Ready to work on `form` (borrowed). DAE_NO_MEMORY, with its sentence in `m`. */
dae_status mechanical_create(mechanical **created, const mechanical_form *form, message *m);
void mechanical_free(mechanical *m); /* NULL is fine */

/* The form's nominal sizes have changed. */
void mechanical_take_sizes(mechanical *m);

/* Values. Each returns DAE_OK, DAE_NOT_EVALUABLE (bad_row and bad_value say where) or DAE_STOPPED.
 */
dae_status mechanical_kinematics(mechanical *m, double t, const double *q, const double *v,
                                 double *qp); /* qp (nq) = S v */
dae_status mechanical_force(mechanical *m, double t, const double *q, const double *v, double *f);
dae_status mechanical_position(mechanical *m, double t, const double *q,
                               double *phi); /* holonomic */
/* Whether what the author gave for derivatives of his constraints agrees with differences of them
 * at a point, with the unit of time there; where there is none beside it, nothing is said. Besides
 * DAE_OK, DAE_STOPPED and DAE_NO_MEMORY. */
typedef struct mechanical_fault {
    const char *member, *of; /* the first that does not, and what it is the derivative of; NULL: all
                                agree */
    size_t row, column;      /* among the author's equations, and coordinates; PROBLEM_NOWHERE */
    double given, found;     /* what it is, and what differences make of it */
} mechanical_fault;
dae_status mechanical_verify(mechanical *m, double t, const double *q, const double *v, double unit,
                             double allowed, mechanical_fault *fault);
/* The same of the invariants and their gradients, at a state that meets the constraints; factors of
 * slot 0 are then those of this point. */
dae_status mechanical_verify_invariants(mechanical *m, double t, const double *q, const double *v,
                                        double allowed, invariant_fault *fault);
/* The time in which the fastest coordinate goes as far as its size, by its rate or from rest by its
 * acceleration (v': nv, NULL: not known): an author's unit of time, be it the second or not. A
 * second where nothing moves. */
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
void mechanical_mass_times(const mechanical *m, const double *x, double *r);     /* r (nv) = M x */
void mechanical_gradient_times(const mechanical *m, const double *x, double *r); /* constraints */
void mechanical_gradient_transposed(const mechanical *m, const double *x, double *r); /* nv */
const sparse_pattern *mechanical_mass_pattern(const mechanical *m);                   /* nv x nv */
const sparse_pattern *mechanical_gradient_pattern(const mechanical *m); /* constraints x nv: G */
const double *mechanical_mass(const mechanical *m); /* values as evaluated last */
const double *mechanical_gradient(const mechanical *m);

/* Evaluate, besides M and G, what Newton's matrices of the motion want at a point:
 *   D = -f_v,   K = d(M v' - f - G^T lambda)/dq S,
 * by the author's Jacobians for what he gave, by coloured differences for the rest. */
dae_status mechanical_linearize(mechanical *m, double t, const double *q, const double *v,
                                const double *vp, const double *lambda);
const sparse_pattern *mechanical_damping_pattern(const mechanical *m);   /* nv x nv */
const sparse_pattern *mechanical_stiffness_pattern(const mechanical *m); /* nv x nv */
const double *mechanical_damping(const mechanical *m);
const double *mechanical_stiffness(const mechanical *m);

/* Systems [a M + d D + k K, -G^T; G, 0] (x, lambda) = (r, s), of what was evaluated or linearised
 * last; d = k = 0 wants mechanical_evaluate() alone. With rows of G that depend on others lambda is
 * the shortest, and the constraint rows are met in the least-squares sense, both relative to the
 * lengths of the rows. DAE_SINGULAR where the first block is singular on the null space of G:
 * bad_row is then the velocity that has most of that direction. The factors of the matrix that was
 * factored last in the slot are kept. A slot takes its memory when it is used first. */
enum { MECHANICAL_MOST_SLOTS = 4 };
dae_status mechanical_factor(mechanical *m, size_t slot, double a, double d, double k);
void mechanical_solve(mechanical *m, size_t slot,
                      double *x); /* nv + constraints: (r, s) in, (x, lambda) out */

/* Of the matrix that was factored last in a slot: nonzeros of the factors of the whole, and what
 * factors it. */
size_t mechanical_nonzeros(const mechanical *m, size_t slot);
const char *mechanical_solver_name(const mechanical *m, size_t slot);

/* v' and lambda at a point: M v' = f + G^T lambda, G v' + gamma = 0. Slot 0. */
dae_status mechanical_accelerate(mechanical *m, double t, const double *q, const double *v,
                                 double *vp, double *lambda);

/* The same to round-off with the factors that slot 0 has of a point nearby: they are refined, and
 * made anew only where that does not converge fast. */
dae_status mechanical_accelerate_nearby(mechanical *m, double t, const double *q, const double *v,
                                        double *vp, double *lambda);

/* The same without the constraints that are left `out` (constraints): their multipliers are 0. */
dae_status mechanical_accelerate_without(mechanical *m, const bool *out, double t, const double *q,
                                         const double *v, double *vp, double *lambda);

/* The same for stages of an engine, with saddle_point_solve_once(). */
dae_status mechanical_accelerate_once(mechanical *m, double t, const double *q, const double *v,
                                      double *vp, double *lambda);

/* Where the levels of velocities and of accelerations depend on coordinates (constraints x nq): a
 * holonomic one, where q' = v, on those in its gradient; of others that is not known. In `a`, under
 * its protection. */
sparse_pattern *mechanical_level_pattern(arena *a, const mechanical_form *f);

/* Project q onto phi = 0, then v onto the level of velocities, by the least change in the norm of M
 * (`by_mass`; q where q' = v) or of the nominal sizes, until met to round-off. DAE_NO_START where
 * Newton's iteration finds no such configuration: bad_row is then the constraint that is missed
 * most. Evaluates M and G; uses no slot. */
dae_status mechanical_project(mechanical *m, double t, double *q, double *v, bool by_mass);

/* The same with both levels met at once, by the least change of q and v together in the norm of
 * the nominal sizes. */
dae_status mechanical_project_together(mechanical *m, double t, double *q, double *v);

/* The author's invariants, as many as m->invariants, and their gradients by q and v (invariants x
 * nq and x nv, by columns; NULL: not wanted), his or by differences, which last until the next
 * call. Where there are any. */
dae_status mechanical_invariants(mechanical *m, double t, const double *q, const double *v,
                                 double *c);
dae_status mechanical_invariant_gradient(mechanical *m, double t, const double *q, const double *v,
                                         const double **by_q, const double **by_v);

/* *worst is raised to the most that an invariant is off from what is kept. */
dae_status mechanical_miss_invariants(mechanical *m, double t, const double *q, const double *v,
                                      const double *kept, double *worst);

/* The norm of a change: of the nominal sizes; of the mass; of the mass with the factors that slot 0
 * has of a point nearby. */
typedef enum mechanical_norm {
    MECHANICAL_NOMINAL,
    MECHANICAL_MASS,
    MECHANICAL_FROZEN
} mechanical_norm;

/* After the projection of q and v: v by the least change along the constraints to what keeps the
 * invariants at `kept`, or q, and v with it, where v cannot, as that of an energy near rest; in so
 * many corrections, or (0) until that is met to round-off. Where neither does, both stay, and
 * m->unkept counts it. */
dae_status mechanical_keep(mechanical *m, double t, double *q, double *v, const double *kept,
                           mechanical_norm norm, int corrections);

/* A basis N (nv x freedoms, by columns) of the null space of G as evaluated last, orthonormal, by
 * a rank-revealing QR decomposition of G^T. N has room for nv x nv. DAE_UNSUPPORTED beyond some
 * hundreds of velocities and constraints. */
dae_status mechanical_null_space(mechanical *m, double *basis, size_t *freedoms);

/* The name of the callback that refused or stopped last and what it returned; NULL: none did. */
const char *mechanical_refused(const mechanical *m, int *code);

#endif
