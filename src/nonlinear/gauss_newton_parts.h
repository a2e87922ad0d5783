/* What the files of Gauss-Newton's iteration share. Only they include this header. */
#ifndef NONLINEAR_GAUSS_NEWTON_PARTS_H
#define NONLINEAR_GAUSS_NEWTON_PARTS_H

#include "nonlinear/gauss_newton.h"

/* The correction below which only round-off is left to remove. */
#define NEARLY_CONVERGED 1e-8

/* The length of dx in each part, relative to the sizes of x. */
void gauss_newton_measure(gauss_newton *gn, const double *x, const double *dx,
                          const double *nominal);

/* Evaluate and decompose as corrections need it. */
dae_status gauss_newton_decompose(gauss_newton *gn, const double *x, const double *weight);

#endif
