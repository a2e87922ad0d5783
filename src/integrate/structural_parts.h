/* The inside of the engine of structural methods, for its own files. */
#ifndef INTEGRATE_STRUCTURAL_PARTS_H
#define INTEGRATE_STRUCTURAL_PARTS_H

#include "base/workspace.h"
#include "integrate/structural.h"
#include "mechanical/mechanical.h"
#include "stepping/newton.h"
#include "stepping/stepping.h"

typedef struct tangent tangent;

/* Where a step is to end: y = (q, v, lambda), with v' and the algorithmic acceleration a. */
typedef struct structural_point {
    double *y, *q, *v, *lambda; /* the last three are parts of the first */
    double *vp, *a;
} structural_point;

typedef struct structural {
    engine base;
    workspace space;
    stepping stepping;
    newton newton;
    mechanical *mechanical;
    size_t nq, nv, constraints;
    int level; /* 3, 2, 1; 0: in the tangent */
    unsigned char *index;

    double max_step; /* the user's */

    /* The numbers of the method. */
    const method_structural *numbers;
    double alpha_m, alpha_f, beta, gamma, delta;
    double shift;            /* a_n is v' at t_n + shift h */
    double share;            /* of v' in a at the end */
    double error_q, error_v; /* h^2 (a_1 - a_0) and its change by these are errors of a step */

    double *bend;         /* nv: (a - v') / h at the start */
    double *a;            /* nv: a there, for the step that is tried */
    double *trend;        /* nv: (a_1 - a_0) / h of the last step */
    double *trend_before; /* nv: of the step before */
    double trend_step;    /* its h; 0: there is none */
    structural_point at;  /* the end that is tried */
    double *old;          /* nv: what the old acceleration gives to the new a */
    double *right;        /* nv + constraints */
    double *v;            /* nv: from which the step that is tried goes */
    double *increment;    /* nv: what moves q to the end, in units of velocities times h */
    double *room;         /* nq + 3 nv + constraints: of the derivative of accelerations */
    double *middle;       /* nq, as the next: of what moves q */
    double *rate;
    double *change; /* n: of y, in Newton's iteration; then the error */
    double *yp;     /* n: yp at the end */
    double *from;   /* n: yp at the start as the dense output takes it */
    dense_output next;

    bool renews;      /* the factor, in each iteration */
    bool factored;    /* a factor is at hand ... */
    double factor_h;  /* ... for steps of about this length */
    double h, t_end;  /* of the step that is tried */
    tangent *tangent; /* NULL but in the tangent */
} structural;

/* Solve the equations of a step h for `at`, whose vp and lambda hold a guess. */
dae_status structural_solve(structural *e);

/* e->v, from which a step h goes, and which the length of the step has a part in. */
void structural_finish_velocities(structural *e, double h);

/* The factor of that system for steps e->h, at `at`. */
dae_status structural_renew_factor(structural *e);

/* q, v and a at the end from v' there, as the method has them. Fails as structural_move() does. */
dae_status structural_find_point(structural *e);

/* Where constant velocities `way`/h lead in h from q at t: `to` (nq). q + way where q' = v.
 * DAE_NEWTON where S turns too far in h; what the kinematics return. */
dae_status structural_move(structural *e, double t, double h, const double *q, const double *way,
                           double *to);

/* v'' (nv) along the motion at (t, q, v), by differences of the accelerations. `trial` (nq + 3 nv +
 * constraints). */
dae_status structural_jerk(structural *e, double t, const double *q, const double *v,
                           const double *vp, double *trial, double *jerk);

/* The level on which a step meets constraints: those on velocities alone have none on positions. 0
 * in the tangent, 1 as well where there are no constraints. */
int structural_level(const problem *p);

/* structural_refusal.c: whether the method advances the problem; why the tangent is too large; a
 * note where multipliers do not converge. */
dae_status structural_refuse(const problem *p, const method *which, const engine_options *options,
                             message *m);
void structural_refuse_size(const structural *e, message *m);
void structural_note_level(const problem *p, const method *which, message *m);

#endif
