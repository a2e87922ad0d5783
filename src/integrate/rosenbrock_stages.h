/* The stages of a Rosenbrock method on F(t, y, y') = 0; for rosenbrock.c.
 *
 * If F = M y' - f(t, y) with a constant M they are, with J = f_y (Hairer & Wanner, Solving ODEs II,
 * 2nd ed., (IV.7.25), with mass),
 *
 *   (M / (h gamma) - J) U_i = f(t_i, Y_i) + M sum_j c_ij U_j / h + h gamma_i f_t,
 *   t_i = t + alpha_i h,  Y_i = y + sum_j a_ij U_j.
 *
 * The matrix is F_y' / (h gamma) + F_y. The first two terms on the right are -F(t_i, Y_i, -sum_j
 * c_ij U_j / h), and f_t = -F_t.
 *
 * Otherwise y' = w is taken as a further variable, which is algebraic (loc. cit., Sec. VI.6), and
 * the method is applied to y' = w, 0 = F(t, y, w). With W_i beside U_i and w_i = w + sum_j a_ij
 * W_j, the first row gives
 *
 *   W_i = U_i / (h gamma) - v_i,  v_i = w_i + sum_j c_ij U_j / h,
 *
 * and with that the second row gives
 *
 *   (F_y' / (h gamma) + F_y) U_i = -F(t_i, Y_i, w_i) - h gamma_i F_t + F_y' v_i,
 *
 * with the same matrix. With a constant M the w_i would cancel. The error of w is not controlled:
 * where y' is a stiff variable, it would respond to errors in y far below the tolerance. Equations
 * that are linear in y' tolerate that. If they are strongly nonlinear in a fast y', an initial
 * layer may need a tighter tolerance, without which the error test fails. */
#ifndef INTEGRATE_ROSENBROCK_STAGES_H
#define INTEGRATE_ROSENBROCK_STAGES_H

#include "base/arena.h"
#include "method/method.h"
#include "problem/problem.h"

/* method_rosenbrock in doubles. */
typedef struct rosenbrock_numbers {
    int stages, dense_rows;
    double gamma;
    double a[METHOD_MOST_STAGES][METHOD_MOST_STAGES], c[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    double m[METHOD_MOST_STAGES], e[METHOD_MOST_STAGES];
    double alpha_sum[METHOD_MOST_STAGES], gamma_sum[METHOD_MOST_STAGES];
    double dense[METHOD_MOST_DEGREE][METHOD_MOST_STAGES];
} rosenbrock_numbers;

typedef struct rosenbrock_stages {
    problem *problem;
    rosenbrock_numbers numbers;
    bool linearized;      /* at the point where the step begins, or anywhere if all is constant */
    double factored_step; /* h for which the matrix is factored; 0: for none */
    double *u, *w;        /* stages x n, rows contiguous; w NULL where the mass is constant */
    double *value, *yp;   /* n each: Y_i and its y'; otherwise scratch */
    double *time;         /* n: dF/dt */
    double *ahead[2];     /* n each: F a little later; otherwise scratch */
} rosenbrock_stages;

/* The problem is borrowed. */
void rosenbrock_stages_take(rosenbrock_stages *s, problem *p, const method *which);

/* Place the arrays in `space`, or measure. */
void rosenbrock_stages_carve(rosenbrock_stages *s, workspace *space);

/* Solves for all stages of a step h from (t, y), with y' = yp where the mass is not constant. The
 * Jacobian is evaluated and factored first, unless this is done already. DAE_NOT_EVALUABLE,
 * DAE_SINGULAR, or a status of the problem. */
dae_status rosenbrock_stages_solve(rosenbrock_stages *s, double t, double h, const double *y,
                                   const double *yp);

#endif
