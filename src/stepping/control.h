/* Error norms and the choice of the step, for all engines. */
#ifndef STEPPING_CONTROL_H
#define STEPPING_CONTROL_H

#include "base/arena.h"
#include "problem/problem.h"

#include <stdbool.h>
#include <stddef.h>

/* weight_i = 1 / (rtol |y_i| + atol_i); atols NULL: atol for all. `share` multiplies each absolute
 * tolerance. */
void control_weights(size_t n, const double *y, double rtol, double atol, const double *atols,
                     double share, double *weight);

/* Root mean square of the weighted entries; entries of index 2 and 3 count with a factor h and h^2
 * (Hairer, Lubich & Roche, LNM 1409 (1989), p. 84). index NULL: all of index 1. */
double control_norm(size_t n, const double *x, const double *weight, const unsigned char *index,
                    double h);

/* The same for a change x of y in a step h, in which variables and directions of higher index count
 * with powers of h. `scaled` (n) is scratch. NULL: no directions are scaled. */
double control_norm_in_step(const problem *p, const double *x, const double *weight, double h,
                            double *scaled);

/* The size of an error that two estimates show: `other` counts where the first alone is far smaller
 * (Hairer, Norsett & Wanner I, Sec. II.10). */
double control_joint_size(double size, double other);

/* An error of this size, `off` (n), takes the place of `error` if it is larger. */
void control_raise(size_t n, double other, const double *off, double *size, double *error);

/* The tolerance at which the error estimate of a step is held, so that the error over an interval
 * falls with the tolerance that the user asks for. With an estimate of order q and a method of
 * order p, rtol^((q+1)/p) makes the global error, h^p, proportional to rtol. Where the solution is
 * stiff, the filtered estimate falls like h^p as well, and rtol itself would do. The exponent lies
 * a quarter of the way between these. It is at least `least_exponent`, and 3/2 for methods of order
 * 1. */
double control_tolerance(double rtol, int estimate_order, int order, double least_exponent);

/* The least exponent of implicit methods with embedded weights and stage order s. In stiff
 * components their order falls to that of the stages. If errors of steps also add up, as in weakly
 * damped oscillations, only rtol^((s+1)/s) keeps their sum in proportion. The exponent lies a
 * quarter of the way to that. For s = 1 it takes s = 2, because the steps would be too expensive
 * otherwise. */
double control_least_exponent(int estimate_order, int order, int stage_order);

/* How the next step follows from the errors of the last ones. */
typedef enum control_choice {
    CONTROL_PREDICTIVE, /* K. Gustafsson, ACM TOMS 20 (1994), as in Hairer & Wanner II, (IV.8.21):
                           for implicit methods */
    CONTROL_PI          /* proportional-integral, Gustafsson (1991), as in Hairer & Wanner II,
                           (IV.2.43): keeps explicit methods quiet at the border of stability */
} control_choice;

typedef struct step_control {
    control_choice choice;
    int order; /* of the estimate; the step is proportional to error^(-1/(order+1)) */
    double last_step, last_error; /* of the last step accepted; 0 before */
    bool rejected;                /* the last attempt was */
} step_control;

/* The factor of the next step after an attempt with this error (1 is the limit). effort is a safety
 * factor below 1 that gets smaller with the number of Newton iterations. */
double control_factor(step_control *control, double h, double error, double effort);

/* The largest eigenvalue of dy'/dy, where y' depends on y with algebraic variables following the
 * others. It is found by power iteration. */

typedef struct stiffness {
    problem *problem;
    bool possible;         /* y' follows from y alone: form->yp or form->solve_algebraic */
    double *direction;     /* n: near the eigenvector, kept from one call to the next */
    double *value, *yp[2]; /* n each */
    double grown;          /* factor by which the last iteration made it longer */
    double radius;  /* modulus of the eigenvalue, by the last two iterations, because those of a
                     * complex pair alternate; 0: not known */
    double damping; /* minus its real part, by the last iteration; to be compared with `grown` */
} stiffness;

/* Place the arrays in `space`, or measure; the problem is borrowed. */
void stiffness_carve(stiffness *s, workspace *space, problem *p);

/* Makes so many iterations at a point, with one evaluation of the derivative each and one more, by
 * differences in units of `weight` (n, 1 over tolerances). DAE_NOT_EVALUABLE, or a status of the
 * problem. */
dae_status stiffness_iterate(stiffness *s, int iterations, double t, const double *y,
                             const double *weight);

/* After that, at the same point: the step that accuracy allows a method of this order (Hairer,
 * Norsett & Wanner I, Sec. II.4), with one evaluation; 0 if it cannot be found. */
double stiffness_accurate_step(stiffness *s, int order, double t, const double *y,
                               const double *weight);

#endif
