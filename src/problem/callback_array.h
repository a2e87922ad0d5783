/* The derivative array of a C program's equations, from their values alone.
 *
 * Along the polynomial y(t + s h) = sum_j c_j s^j the equations F(t, y, y') have Taylor
 * coefficients in s, which central differences over nine points give: with a step h of a tenth of
 * the time in which the equations change, to some ten digits. All of them are 0 along a solution;
 * they are the derivative array of Campbell (Circuits Systems Signal Process. 2 (1983) 167) in
 * units of h. c_0 = y, c_1 = h y', and so on. Unknowns and equations are in units of their own. */
#ifndef PROBLEM_CALLBACK_ARRAY_H
#define PROBLEM_CALLBACK_ARRAY_H

#include "problem/callbacks.h"

enum { CALLBACK_ARRAY_MOST = 3 }; /* orders: F, its first and second derivative */

typedef struct callback_array {
    callbacks *c;
    size_t n;
    size_t orders;        /* of F: 1 to CALLBACK_ARRAY_MOST */
    bool coarse;          /* matrices to some three digits: ranks are known */
    int side;             /* of a point on which nodes of the differences lie */
    double h;             /* of the differences, a power of 2 */
    double *row, *column; /* n each: units, powers of 2: row F, and y / column are taken */
    double *value;        /* orders n: Taylor coefficients of F */
    double *jacobian,
        *mass;          /* CALLBACK_ARRAY_MOST times n x n by columns: those of F_y, F_y' / h */
    double *by_y;       /* orders n x n by columns: of `value` by c_0 ... */
    double *by_rest;    /* orders n x orders n: and by c_1, c_2, ... */
    double *size;       /* n: what the terms of each equation amount to */
    double *sample;     /* 9 n: F at the nodes of the last value */
    double *trial;      /* 4 n: derivatives by two steps */
    double *y, *yp, *f; /* n each */
    bool missing; /* the author's functions had no value somewhere, since that was set to false */
} callback_array;

/* For equations at work (borrowed), in `a`, under its protection. */
void callback_array_prepare(callback_array *g, callbacks *c, arena *a);

/* Find units and the step of the differences near a point, and c_1 (n of CALLBACK_ARRAY_MOST n)
 * there, the others being 0; DAE_NOT_EVALUABLE. The step is at most an eighth of `unit` of time. */
dae_status callback_array_calibrate(callback_array *g, double t, const double *y, const double *yp,
                                    double unit, double *rest);

/* Whether the step that was found is the longest with that unit. */
bool callback_array_is_longest(const callback_array *g, double unit);

/* Another step where that makes better differences now; c_1, ... (CALLBACK_ARRAY_MOST n) and the
 * units of the equations follow. `noisy`: longer ones than suit the unit of time as well, which
 * may be that of a stiff equation. */
dae_status callback_array_retune(callback_array *g, double t, const double *y, const double *yp,
                                 bool noisy, double *rest);

/* value (orders n) from y (n, in the author's units) and c_1, ... (orders n, scaled). */
dae_status callback_array_value(callback_array *g, double t, const double *y, const double *rest);

/* About how far the Taylor coefficients of the last value are off (orders n), by the differences of
 * the highest orders of what it was made of; round-off apart. */
void callback_array_truncation(const callback_array *g, double *error);

/* What round-off of the terms of the equations makes of Taylor coefficients of the first order and
 * on (orders n). */
void callback_array_round_off(const callback_array *g, double *error);

/* The same at y and c_1, ..., by what half of the step makes of them: what is a polynomial along
 * the other is none by differences of high order, and right all the same. */
dae_status callback_array_halve(callback_array *g, double t, const double *y, const double *rest,
                                double *error);

/* by_y and by_rest there. */
dae_status callback_array_linearize(callback_array *g, double t, const double *y,
                                    const double *rest);

/* Whether the author gave all derivatives by y and y'. */
bool callback_array_has_matrices(const callback_array *g);

/* How far entries of F_y and F_y' by differences are off, about: what half the increments change in
 * them at y and c_1. 0 where none are by differences. */
double callback_array_uncertainty(callback_array *g, double t, const double *y, const double *rest);

/* row F_t (n) at a point alone, and the array's derivative by t (orders n), all else fixed. */
dae_status callback_array_by_time(callback_array *g, double t, const double *y, const double *yp,
                                  const double *rest, double *at_point, double *of_array);

/* F_y and F_y' (n x n by columns, in units) at a point alone, into jacobian and mass. */
dae_status callback_array_at_point(callback_array *g, double t, const double *y, const double *yp);

/* row F (n) at a point alone. */
dae_status callback_array_residual(callback_array *g, double t, const double *y, const double *yp,
                                   double *r);

#endif
