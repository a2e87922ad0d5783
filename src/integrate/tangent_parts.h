/* Internals of a step in the tangent, for its own files. */
#ifndef INTEGRATE_TANGENT_PARTS_H
#define INTEGRATE_TANGENT_PARTS_H

#include "integrate/structural_parts.h"
#include "linalg/min_norm.h"

/* A step in the tangent of the constraints, for structural methods (Urkullu and others, "A new
 * formulation for the direct integration of DAEs on the tangent space", 2023). The method advances
 * alpha = N^T q, where N is an orthonormal basis of the null space of the constraints' gradient at
 * the end of the step. The state at the start of the step is projected into the same tangent. With
 * particular solutions of minimum norm, which are orthogonal to N, this gives
 *
 *   N^T (q_1 - q_0 - h V_0 - h^2 ((1/2 - beta) a_0 + beta a_1)) = 0,
 *   N^T (V_1 - V_0 - h ((1 - gamma) a_0 + gamma a_1)) = 0,       V = v + delta h^2 v'',
 *
 * while (q_1, v_1) meets the constraints on positions and velocities, and v'_1 and lambda_1 solve
 * the equations of motion there: all levels hold at once. alpha is linear in q. So in alpha the
 * method behaves as on equations without constraints, with its order and its limit of the step.
 * Nonholonomic constraints enter only the N of the second equation, because they restrict
 * velocities but not positions. If q' = S v, the first equation is about increments in units of
 * velocities, see structural_move(). Then N is that of G = [phi_q S; A], along which the forces
 * act, and S N that of the coordinates.
 *
 * delta = 1/12 gives Fox-Goodwin's method order 4 with velocity-dependent forces as well, because
 * v_1, from which these follow, is the velocity itself.
 *
 * Newton's iteration renews N at each point. All matrices are dense. */

/* DAE_NO_MEMORY; DAE_UNSUPPORTED for more constraints and velocities than dense decompositions are
 * meant for (linalg/min_norm.h). */
dae_status tangent_create(tangent **created, const structural *e);
void tangent_free(tangent *t); /* NULL is fine */

/* Begins anew at e->at. Only the sizes of what is factored remain known. */
void tangent_start(tangent *t, structural *e);

/* Finds the end of a step of length e->h, into e->at. */
dae_status tangent_solve(tangent *t, structural *e);

/* Removes from x (nv) what is not in the tangent at the end of the step. The constraints determine
 * that part. It holds no error of the method, but much round-off where constraints are about to
 * lose rank. */
void tangent_keep(tangent *t, double *x);

/* For the reduced system M_R alpha'' + C_R alpha' + K_R alpha at the end of the last step that was
 * solved: finds the largest omega with omega^2 an eigenvalue of (K_R, M_R), and the damping ratio
 * of its mode. False if there is none. */
bool tangent_frequency(tangent *t, double *omega, double *ratio);

struct tangent {
    workspace space;
    min_norm *rows; /* the constraints' gradient; NULL without constraints */
    min_norm *held; /* the rows on positions alone; NULL if there are no others */
    size_t nq, nv, holonomic, constraints;
    size_t freedoms; /* degrees of freedom of velocities */
    size_t places;   /* of positions: more than freedoms with nonholonomic constraints */
    double *weight;  /* nv: 1 / square of nominal velocities; in this norm N is orthonormal */
    double *basis;   /* nv x places, by columns, as the next: N; columns of velocities first */
    double *turn;    /* nv x places: change of velocities with positions, for motion in the
                      * tangent */
    double *values;  /* of the gradient, without the rows of nonholonomic constraints */

    /* The reduced equations at the last point, N^T v' = ... + by_q alpha + by_v alpha', with the N
     * of positions. places x places, places x freedoms. */
    double *by_q, *by_v;
    bool known;

    double unit;    /* of the sizes of corrections: 1, or a part of the tolerances */
    double *matrix; /* places + freedoms, square */
    int *pivot;
    double *unknown;             /* changes of N^T a (places) and of alpha' (freedoms) */
    double *miss_q, *miss_v;     /* the residuals of the method's equations */
    double *normal;              /* places: the change of N^T v' by the normal corrections */
    double *normal_q, *normal_v; /* nv: those corrections */
    double *jerk_start, *jerk;   /* nv */

    /* Scratch of tangent_linear.c. */
    double *way, *moved_q; /* nq */
    double *moved_v, *level, *before, *after, *right, *part, *rest, *saved_vp;
    double *eigen; /* scratch for frequencies: 3 freedoms^2 + 10 freedoms */
};

/* Finds, at (t, q, v) with v' and lambda: N, `turn`, by_q and by_v, and the normal corrections with
 * their effect. Makes all evaluations that it needs. */
dae_status tangent_linearize(tangent *t, structural *e);

/* r (count) = N^T W x, N being the first columns of the basis and W the weights. */
void tangent_reduce(const tangent *t, size_t count, const double *x, double *r);

#endif
