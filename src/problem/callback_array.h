/* The derivative array of a C program's equations, computed from their values alone.
 *
 * Along the polynomial y(t + s h) = sum_j c_j s^j the equations F(t, y, y') have Taylor
 * coefficients in s. Central differences over nine points give them to some ten digits, if the step
 * h is a tenth of the time in which the equations change. Along a solution all of them are 0. They
 * are the derivative array of Campbell (Circuits Systems Signal Process. 2 (1983) 167) in units of
 * h: c_0 = y, c_1 = h y', and so on. Unknowns and equations are in units of their own. */
#ifndef PROBLEM_CALLBACK_ARRAY_H
#define PROBLEM_CALLBACK_ARRAY_H

#include "problem/callbacks.h"

enum { CALLBACK_ARRAY_MOST = 3 }; /* orders: F, its first and second derivative */

typedef struct callback_array {
    callbacks *c;
    size_t n;
    size_t orders;        /* of F: 1 to CALLBACK_ARRAY_MOST */
    bool coarse;          /* matrices are needed to three digits only: the ranks are known */
    int side;             /* the side of the point on which nodes of the differences lie */
    double h;             /* of the differences, a power of 2 */
    double *row, *column; /* n each: units, powers of 2; the array uses row F and y / column */
    double *value;        /* orders n: Taylor coefficients of F */
    double *jacobian,
        *mass;          /* CALLBACK_ARRAY_MOST times n x n by columns: those of F_y, F_y' / h */
    double *by_y;       /* orders n x n by columns: d value / d c_0 */
    double *by_rest;    /* orders n x orders n: d value / d (c_1, c_2, ...) */
    double *size;       /* n: the sum of the sizes of each equation's terms */
    double *sample;     /* 9 n: F at the nodes of the last value */
    double *trial;      /* 4 n: derivatives by two steps */
    double *y, *yp, *f; /* n each */
    bool missing; /* set to true where the author's functions have no value; the user of the array
                     resets it */
} callback_array;

/* Prepare an array for equations at work (borrowed). In `a`, under its protection. */
void callback_array_prepare(callback_array *g, callbacks *c, arena *a);

/* Find the units and the step of the differences near a point, and c_1 there (n of the
 * CALLBACK_ARRAY_MOST n; the others become 0). DAE_NOT_EVALUABLE. The step is at most an eighth of
 * `unit` of time. */
dae_status callback_array_calibrate(callback_array *g, double t, const double *y, const double *yp,
                                    double unit, double *rest);

/* Whether the step that was found is the longest that this unit allows. */
bool callback_array_is_longest(const callback_array *g, double unit);

/* Take another step if that makes better differences now; c_1, ... (CALLBACK_ARRAY_MOST n) and the
 * units of the equations follow. `noisy`: also try steps longer than the unit of time allows, since
 * that unit may be the one of a stiff equation. */
dae_status callback_array_retune(callback_array *g, double t, const double *y, const double *yp,
                                 bool noisy, double *rest);

/* value (orders n) from y (n, in the author's units) and c_1, ... (orders n, scaled). */
dae_status callback_array_value(callback_array *g, double t, const double *y, const double *rest);

/* An estimate of the error of the last value's Taylor coefficients (orders n), round-off excluded.
 * It comes from the highest differences of the values at the nodes. */
void callback_array_truncation(const callback_array *g, double *error);

/* The error of the Taylor coefficients of first order and above (orders n) from round-off of the
 * equations' terms. */
void callback_array_round_off(const callback_array *g, double *error);

/* The truncation error at y and c_1, ..., from a comparison with half the step. The high
 * differences of callback_array_truncation() can be large for values that are right all the
 * same. */
dae_status callback_array_halve(callback_array *g, double t, const double *y, const double *rest,
                                double *error);

/* Find by_y and by_rest at y and c_1, ... */
dae_status callback_array_linearize(callback_array *g, double t, const double *y,
                                    const double *rest);

/* An estimate of the error of entries of F_y and F_y' that come from differences: their change at y
 * and c_1 if the increments are halved. 0 if none come from differences. */
double callback_array_uncertainty(callback_array *g, double t, const double *y, const double *rest);

/* at_point (n) = row F_t at the point only; of_array (orders n) = the array's derivative by t, all
 * else fixed. */
dae_status callback_array_by_time(callback_array *g, double t, const double *y, const double *yp,
                                  const double *rest, double *at_point, double *of_array);

/* F_y and F_y' (n x n by columns, in units) at the point only, into jacobian and mass. */
dae_status callback_array_at_point(callback_array *g, double t, const double *y, const double *yp);

/* r (n) = row F at the point only. */
dae_status callback_array_residual(callback_array *g, double t, const double *y, const double *yp,
                                   double *r);

#endif
