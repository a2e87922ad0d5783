/* The stages of a Rosenbrock method on F(t, y, y') = 0; for rosenbrock.c.
 *
 * Where F = M y' - f(t, y) with a constant M they are, with J = f_y (Hairer & Wanner, Solving ODEs
 * II, 2nd ed., (IV.7.25), with mass),
 *
 *   (M / (h gamma) - J) U_i = f(t_i, Y_i) + M sum_j c_ij U_j / h + h gamma_i f_t,
 *   t_i = t + alpha_i h,  Y_i = y + sum_j a_ij U_j.
 *
 * The matrix is F_y' / (h gamma) + F_y, the first two terms on the right are -F(t_i, Y_i, -sum_j
 * c_ij U_j / h), and f_t = -F_t.
 *
 * Else y' = w is taken as a further variable, which is algebraic (loc. cit., Sec. VI.6): the method
 * is applied to y' = w, 0 = F(t, y, w). Its first row gives, with W_i beside U_i and w_i = w +
 * sum_j a_ij W_j,
 *
 *   W_i = U_i / (h gamma) - v_i,  v_i = w_i + sum_j c_ij U_j / h,
 *
 * and with that its second one
 *
 *   (F_y' / (h gamma) + F_y) U_i = -F(t_i, Y_i, w_i) - h gamma_i F_t + F_y' v_i,
 *
 * the same matrix again. Of a constant M the w_i would cancel. The error of w is not controlled:
 * where y' is a stiff variable it would tell of errors in y that are far below the tolerance.
 * Equations that are linear in y' bear that; where they are strongly nonlinear in a fast y', an
 * initial layer may want a tighter tolerance, and the error test fails without it. */
#ifndef INTEGRATE_ROSENBROCK_STAGES_H
#define INTEGRATE_ROSENBROCK_STAGES_H

#include "base/workspace.h"
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
    double *value, *yp;   /* n each: Y_i, and y' in it; at other times for anyone */
    double *time;         /* n: dF/dt */
    double *ahead[2];     /* n each: F a little later; at other times for anyone */
} rosenbrock_stages;

/* The problem is borrowed. */
void rosenbrock_stages_take(rosenbrock_stages *s, problem *p, const method *which);

/* Place the arrays in `space`, or measure. */
void rosenbrock_stages_carve(rosenbrock_stages *s, workspace *space);

/* Solve for all stages of a step h from (t, y), with y' = yp where the mass is not constant; the
 * Jacobian is evaluated and factored first, as far as it is not at hand. DAE_NOT_EVALUABLE,
 * DAE_SINGULAR, or what the problem says. */
dae_status rosenbrock_stages_solve(rosenbrock_stages *s, double t, double h, const double *y,
                                   const double *yp);

#endif
