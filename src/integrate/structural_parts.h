/* Internals of the engine of structural methods, for its own files. */
#ifndef INTEGRATE_STRUCTURAL_PARTS_H
#define INTEGRATE_STRUCTURAL_PARTS_H

#include "integrate/engines.h"
#include "mechanical/mechanical.h"
#include "stepping/newton.h"
#include "stepping/stepping.h"

typedef struct tangent tangent;

/* The end of a step: y = (q, v, lambda), with v' and the algorithmic acceleration a. */
typedef struct structural_point {
    double *y, *q, *v, *lambda; /* the last three are parts of the first */
    double *vp, *a;
} structural_point;

typedef struct structural {
    engine base;
    newton newton;
    mechanical *mechanical;
    size_t nq, nv, constraints;
    int level; /* of the constraints: 3, 2, 1; 0: in the tangent */
    unsigned char *index;

    double max_step; /* as the user gave it */

    /* The numbers of the method. */
    const method_structural *numbers;
    double alpha_m, alpha_f, beta, gamma, delta;
    double shift;            /* a_n is v' at t_n + shift h */
    double share;            /* share of v' in a at the end */
    double error_q, error_v; /* errors of a step: these times h^2 (a_1 - a_0), and times the change
                              * of that */

    double *bend;         /* nv: (a - v') / h at the start */
    double *a;            /* nv: a at the start of the step that is tried */
    double *trend;        /* nv: (a_1 - a_0) / h of the last step */
    double *trend_before; /* nv: the trend of the step before */
    double trend_step;    /* its h; 0: there is none */
    structural_point at;  /* the end of the step that is tried */
    double *old;          /* nv: contribution of the old accelerations to the new a */
    double *right;        /* nv + constraints */
    double *v;            /* nv: the velocities with which the step that is tried starts */
    double *increment;    /* nv: the increment of q over the step, in units of velocities times h */
    double *room;         /* nq + 3 nv + constraints: scratch of structural_jerk() */
    double *middle;       /* nq, as the next: scratch of structural_move() */
    double *rate;
    double *change; /* n: change of y in Newton's iteration; then the error */
    double *yp;     /* n: yp at the end */
    double *from;   /* n: yp at the start, for the dense output */

    bool renews;      /* renews the factor in each iteration */
    bool factored;    /* a factor is at hand ... */
    double factor_h;  /* ... for steps of about this length */
    double h, t_end;  /* of the step that is tried */
    tangent *tangent; /* NULL unless in the tangent */
} structural;

/* Solves the equations of a step h for `at`, whose vp and lambda hold a guess. */
dae_status structural_solve(structural *e);

/* Finds e->v, the velocities with which a step h starts. They depend on the length of the step. */
void structural_finish_velocities(structural *e, double h);

/* Renews the factor of that system for steps e->h, at `at`. */
dae_status structural_renew_factor(structural *e);

/* Finds q, v and a at the end from v' there, by the formulas of the method. Fails as
 * structural_move() does. */
dae_status structural_find_point(structural *e);

/* Finds where constant velocities `way`/h lead within h from q at t: `to` (nq). This is q + way if
 * q' = v. DAE_NEWTON if S turns too far within h, or a status of the kinematics. */
dae_status structural_move(structural *e, double t, double h, const double *q, const double *way,
                           double *to);

/* Finds v'' (nv) along the motion at (t, q, v), by differences of the accelerations. `trial` (nq +
 * 3 nv + constraints) is scratch. */
dae_status structural_jerk(structural *e, double t, const double *q, const double *v,
                           const double *vp, double *trial, double *jerk);

#endif
