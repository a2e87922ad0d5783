/* What the parts of callback_reduced.h share: callback_reduced*.c alone. */
#ifndef PROBLEM_CALLBACK_REDUCED_PARTS_H
#define PROBLEM_CALLBACK_REDUCED_PARTS_H

#include "problem/callback_array.h"
#include "problem/callback_reduced.h"
#include "problem/callback_state.h"

#include <math.h>

enum { REDUCED_MOST_ITERATIONS = 12 }; /* for the derivatives */

/* Singular values below this part of the largest are 0 in any case. */
#define REDUCED_LEAST_ZERO 1e-12

typedef struct svd {
    double *left, *size, *right; /* rows x rows, the values, columns x columns transposed */
    double *copy, *work;
    int length; /* of work */
} svd;

struct callback_reduced {
    problem problem; /* for the engine; its self is this */
    arena memory;
    callback_array array;
    const problem *author;
    int index;
    size_t n, rows, constraints, rank; /* rows: of the array; rank: of by_rest */
    dae_status ended;                  /* of a call in the analysis after which there is none */
    double zero;                       /* singular values below this part of the largest are 0 */
    bool based;                        /* z1 and z2 are there */
    bool unresolved;                   /* the last point, by differences */
    bool exact;                        /* a derivative by time was asked for, since matrices were */
    bool doubtful, outdated;           /* what is taken for 0 is more than noise; it does much */
    double most_left_out;              /* of y, in units of the unknowns, by differences */
    double uncertain;                  /* entries of F_y and F_y' at the start, by so much */
    double noise;                      /* of the array's matrices where ranks were found */
    double *rest, *trial;              /* 3 n each: c_1, ... as linearised last, and on trial */
    double *coefficient, *change;      /* 3 n each */
    double *z1, *z2;                   /* n x (n - constraints), rows x constraints */
    double *range, *left;              /* rows x rank: Z2's complement, by_rest as linearised; its
                                          vectors that the derivatives are found by */
    double *hidden, *tangent;          /* constraints x n: Z2^T by_y; F_y' / h on its kernel */
    double *product;                   /* rows x rows */
    double *f, *consistent, *seen;     /* n each; Z2^T of the array's last values in a search */
    double *step, *before;             /* 3 n, 2 n: of states within steps */
    double *ahead_y, *ahead_rest;      /* n, 3 n: a little later */
    svd of_array, of_hidden, of_mass, of_free;
    double *kept; /* 2 rows x rows + 2 rows: `left`, of_array and `rest` as linearised last */
    bool moved;   /* these are of another point since */
    double *corrections; /* REDUCED_MOST_ITERATIONS times 3 n: of the derivatives, in one search */
    double *jacobian, *mass; /* n x n by columns: of the reduced equations */
    callback_reduced *apart; /* of states within steps; NULL in that itself */
};

static inline double largest_of(size_t n, const double *x)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return most;
}

static inline double dot(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/* Of matrices up to n x n, in `a`. */
void svd_prepare(svd *s, size_t n, arena *a);
/* All singular values and vectors of m (rows x columns); false where it is not finite. */
bool svd_decompose(svd *s, size_t rows, size_t columns, const double *m);

/* callback_reduced_bases.c: by how much matrices of the array are uncertain; what round-off can do
 * to what is solved with the first `count` of these singular values. */
double reduced_noise(const callback_reduced *r);
double reduced_round_off(const callback_reduced *r, const svd *s, size_t count);

/* Constraints and bases from the array's matrices; false: the ranks are in doubt, or not those of
 * an index up to the array's orders. Once `based`, ranks are those that were found, and before that
 * those by r->zero. */
bool reduced_find_bases(callback_reduced *r);

/* The same with the rank that was found last, where that shows as well. */
bool reduced_keeps_bases(callback_reduced *r);

/* The array's matrices and the bases at y (n) and the derivatives in r->rest. DAE_SINGULAR where
 * ranks change. */
dae_status reduced_linearize_array(callback_reduced *r, double t, const double *y);

/* callback_reduced_rank.c: whether the largest singular value that is taken for 0 leaves out little
 * at t, y (n) and the derivatives in r->rest, where the bases are known. */
bool reduced_leaves_out_little(callback_reduced *r, double t, const double *y);

/* Z1^T F and the constraints by y and y', in the author's units of unknowns. */
dae_status reduced_fill_matrices(callback_reduced *r, double t, const double *y, const double *yp);

/* change (rows) = by_rest^+ x (rows), by its largest `rank` singular values. */
void reduced_solve_rest(callback_reduced *r, const double *x, double *change);

/* `rest` becomes what the array determines of r->trial. The rest of that is left from points
 * before, and would tell of a motion that there is not. */
void reduced_take_rest(callback_reduced *r);

/* `left`, of_array and `rest` are those to come back to; come back. */
void reduced_keep(callback_reduced *r);
void reduced_come_back(callback_reduced *r);

/* The derivatives of y that the equations determine at y (n), into r->trial, and the array's values
 * there. DAE_NOT_EVALUABLE where there are none. */
dae_status reduced_find_rest(callback_reduced *r, double t, const double *y);

/* How far, in units of the unknowns, y (n) is moved by what differences leave out of the array's
 * last values, those at y and r->trial: about the most. */
double reduced_truncation(callback_reduced *r, double t, const double *y);

/* Whether round-off in the differences moves y (n) by more than derivatives are known to. */
bool reduced_noise_counts(callback_reduced *r, const double *y);

/* callback_reduced_start.c: find the index at (y, y') by ranks, and make y and y' (n each)
 * consistent; whether it is 2 or 3. What ends the run is in r->ended. */
bool reduced_analyse(callback_reduced *r, double t, const unsigned char *held, double *y,
                     double *yp);

#endif
