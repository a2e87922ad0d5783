/* What the parts of callback_reduced.h share. Only callback_reduced*.c include it. */
#ifndef PROBLEM_CALLBACK_REDUCED_PARTS_H
#define PROBLEM_CALLBACK_REDUCED_PARTS_H

#include "linalg/rows.h"
#include "problem/callback_array.h"
#include "problem/callback_reduced.h"
#include "problem/callback_state.h"

#include <math.h>

enum { REDUCED_MOST_ITERATIONS = 12 }; /* of the search for the derivatives */

/* Singular values below this part of the largest always count as 0. */
#define REDUCED_LEAST_ZERO 1e-12

typedef struct svd {
    double *left, *size, *right; /* rows x rows; values; columns x columns, transposed */
    double *copy, *work;
    int length; /* of work */
} svd;

struct callback_reduced {
    problem problem; /* for the engine; its self is this */
    arena memory;
    callback_array array;
    const problem *author;
    int index;
    size_t n, rows, constraints, rank; /* rows of the array; rank of by_rest */
    dae_status ended;                  /* what ended the analysis for good, else DAE_OK */
    double zero;                       /* singular values below this part of the largest are 0 */
    bool based;                        /* z1 and z2 exist */
    bool unresolved;                   /* differences resolve too little at the last point */
    bool exact;              /* a derivative by time was asked for since the last linearisation */
    bool doubtful, outdated; /* values taken for 0 exceed noise; they leave out much */
    double t;                /* the start that is analysed, and what is held there (n) */
    const unsigned char *held;
    double most_left_out; /* the most error of y, in units of the unknowns, that differences may
                             cause */
    double uncertain;     /* the error of entries of F_y and F_y' at the start */
    double noise;         /* the error of the array's matrices where ranks were found */
    double *rest, *trial; /* 3 n each: c_1, ... as linearised last, and on trial */
    double *coefficient, *change; /* 3 n each */
    double *z1, *z2;              /* n x (n - constraints), rows x constraints */
    double *range, *left; /* rows x rank: the complement of Z2; left singular vectors of by_rest as
                             linearised last, which serve to find the derivatives */
    double *hidden, *tangent;      /* constraints x n: Z2^T by_y; F_y' / h on its kernel */
    double *product;               /* rows x rows */
    double *f, *consistent, *seen; /* n each; seen: Z2^T of the array's last values in a search */
    double *step, *before;         /* 3 n, 2 n: for states within steps */
    double *ahead_y, *ahead_rest;  /* n, 3 n: the state a little later */
    svd of_array, of_hidden, of_mass, of_free;
    double *kept; /* 2 rows x rows + 2 rows: `left`, of_array and `rest` as linearised last */
    bool moved;   /* the live ones belong to another point by now */
    double *corrections; /* REDUCED_MOST_ITERATIONS times 3 n: the corrections of the derivatives in
                            one search */
    double *jacobian, *mass; /* n x n by columns: of the reduced equations */
    callback_reduced *apart; /* an instance for states within steps; its own is NULL */
};

/* Prepare for matrices up to n x n, in `a`. */
void svd_prepare(svd *s, size_t n, arena *a);
/* All singular values and vectors of m (rows x columns); false where it is not finite. */
bool svd_decompose(svd *s, size_t rows, size_t columns, const double *m);

/* callback_reduced_bases.c: the error of the array's matrices; the effect of round-off on a
 * solution with the first `count` of these singular values. */
double reduced_noise(const callback_reduced *r);
double reduced_round_off(const callback_reduced *r, const svd *s, size_t count);

/* Find the constraints and bases from the array's matrices. False: the ranks are in doubt, or do
 * not belong to an index up to the array's orders. Once `based`, the ranks found before are used;
 * before that, r->zero decides them. */
bool reduced_find_bases(callback_reduced *r);

/* The same with the rank that was found last; false if the matrices do not show that rank. */
bool reduced_keeps_bases(callback_reduced *r);

/* Find the array's matrices and the bases at y (n) and the derivatives in r->rest. DAE_SINGULAR if
 * ranks change. */
dae_status reduced_linearize_array(callback_reduced *r, double t, const double *y);

/* callback_reduced.c: whether the largest singular value that is taken for 0 leaves out little
 * at t, y (n) and the derivatives in r->rest. The bases must be known. */
bool reduced_leaves_out_little(callback_reduced *r, double t, const double *y);

/* Fill r->jacobian and r->mass: the derivatives of Z1^T F and the constraints by y and y', in the
 * author's units of unknowns. */
dae_status reduced_fill_matrices(callback_reduced *r, double t, const double *y, const double *yp);

/* change (rows) = by_rest^+ x (rows), by its largest `rank` singular values. */
void reduced_solve_rest(callback_reduced *r, const double *x, double *change);

/* `rest` becomes the part of r->trial that the array determines. The remaining part stems from
 * earlier points and would suggest a motion that does not exist. */
void reduced_take_rest(callback_reduced *r);

/* Save `left`, of_array and `rest`, or restore them. */
void reduced_keep(callback_reduced *r, state_way way);

/* Find the derivatives of y that the equations determine at y (n), into r->trial, and the array's
 * values there. DAE_NOT_EVALUABLE if there are none. */
dae_status reduced_find_rest(callback_reduced *r, double t, const double *y);

/* An estimate of the largest move of y (n), in units of the unknowns, that the truncation error of
 * the array's last values causes; these are the values at y and r->trial. */
double reduced_truncation(callback_reduced *r, double t, const double *y);

/* Whether round-off in the differences moves y (n) by more than the accuracy of the derivatives. */
bool reduced_noise_counts(callback_reduced *r, const double *y);

/* callback_reduced_start.c: find the index at (y, y') by ranks, and make y and y' (n each)
 * consistent. Returns whether the index is 2 or 3. What ends the run is in r->ended. */
bool reduced_analyse(callback_reduced *r, double t, const unsigned char *held, double *y,
                     double *yp);

#endif
