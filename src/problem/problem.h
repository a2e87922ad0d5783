/* What an engine integrates: F(t, y, y') = 0 behind one seam.
 *
 * A problem gives the residual, and two matrices: dF/dy' and dF/dy, as linearised at a point.
 * Engines never assemble: they have alpha dF/dy' + beta dF/dy factored for real or complex alpha
 * and beta (factors.c). The functions below count, and trap values that are not finite. */
#ifndef PROBLEM_PROBLEM_H
#define PROBLEM_PROBLEM_H

#include "base/state.h"
#include "base/text.h"
#include "linalg/sparse.h"

#include <complex.h>
#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>

/* What a call of the seam costs, in about nanoseconds of a machine of the 2020s. They are made of
 * counts (nonzeros, colours, operations of the factorisation), never of a clock, so that a run
 * whose reuse of Jacobians and factors follows from them is the same bit for bit wherever it is
 * repeated. Good to a factor of two or three: an author's functions may be dearer than their
 * nonzeros say. */
typedef struct problem_costs {
    double residual, jacobian;
    double factor, solve; /* of one slot */
} problem_costs;

/* The seam of the problem forms. All return DAE_OK, or a status that the caller passes on or, for
 * DAE_NOT_EVALUABLE and DAE_SINGULAR, answers with a smaller step. */
typedef struct problem_form {
    const char *name; /* one of the six of the design */

    /* r (n) = F(t, y, yp) */
    dae_status (*residual)(void *self, double t, const double *y, const double *yp, double *r);

    /* Evaluate dF/dy' and dF/dy there: into the values of the problem's matrices. */
    dae_status (*linearize)(void *self, double t, const double *y, const double *yp);

    /* Sets what the first two of these cost. NULL: nothing is known of costs. */
    void (*costs)(const void *self, problem_costs *costs);

    /* r (n) = dF/dt there. NULL: by differences of the residual. */
    dae_status (*time_derivative)(void *self, double t, const double *y, const double *yp,
                                  double *r);

    /* yp (n) from F(t, y, yp) = 0, where dF/dy' is regular. NULL: by Newton's iteration. */
    dae_status (*yp)(void *self, double t, const double *y, double *yp);

    /* y' of differential variables into yp (n), and algebraic variables into y (n), from the
     * differential ones in y, without a first guess. NULL: by Newton's iteration, or they do not
     * follow. */
    dae_status (*solve_algebraic)(void *self, double t, double *y, double *yp);

    /* Factors of its own, for `yp` and `solve_algebraic`: the next ones depend on their matrix
     * alone. NULL: it has none that are kept. */
    void (*forget)(void *self);

    /* Whether y_j or its derivative occurs in the equation of row i. */
    bool (*occurs)(const void *self, size_t i, size_t j);

    /* row[i] (n) = true for each row i of these. */
    void (*mark_rows)(const void *self, size_t j, bool *row);

    /* The author's name of y_j, and of the equation of row i; appended. */
    void (*name_variable)(void *self, size_t j, text *t);
    void (*name_equation)(void *self, size_t i, text *t);
} problem_form;

#define PROBLEM_NOWHERE ((size_t)-1)

enum { PROBLEM_MOST_SLOTS = 16 };

typedef struct problem_counts {
    size_t residuals, jacobians, factorizations;
    size_t reorderings; /* of pivots, in sparse factors: counted by the form */
} problem_counts;

/* dF/dy' or dF/dy (n x n): its pattern, and its values as linearised last, which the form fills;
 * all borrowed. `occurs` tells for each nonzero whether it is known to occur; others are taken in
 * once a linearisation shows them. NULL: all do. */
typedef struct problem_matrix {
    const sparse_pattern *pattern;
    const double *value;
    const bool *occurs;
} problem_matrix;

typedef struct problem_factors problem_factors; /* of factors.c */

typedef struct problem {
    const problem_form *form;
    void *self;
    size_t n; /* unknowns and equations */
    problem_matrix by_yp, by_y;
    problem_factors *factors; /* NULL until problem_reserve(): problem_factors_free() */
    bool has_sign;            /* the sign of a determinant of theirs means something: rows are not
                                 combined in one way or another */
    const double *nominal;    /* n: typical sizes, > 0 */
    const bool *dynamic;      /* n: y_j' occurs */
    bool constant_mass;       /* dF/dy' is constant: F = M y' - f(t, y) */
    bool constant;            /* dF/dy is constant as well: one linearisation serves for all */
    unsigned char *index;     /* n: index of each variable, 1 where it is differential; 2 and 3 are
                                 scaled by powers of h */
    const unsigned char *depth;    /* n: see problem_depth(). NULL: as `index` */
    double time_unit;              /* time_unit.h; 0: 1 s */
    struct mechanical *mechanical; /* of constrained mechanical systems at work, for the methods
                                      that advance them as they are, y = (q, v, lambda): the system,
                                      borrowed; NULL of all others */
    unsigned char level;           /* there, of the constraints that a step meets: 3 positions, 2
                                      velocities, 1 accelerations; 0: all three, in the tangent */
    size_t
        hidden_directions; /* directions that have index 2 though no variable by itself has ... */
    const double *hidden_direction; /* ... softs x n, orthonormal in units of `nominal` */
    bool has_real_slot; /* one of the slots that problem_reserve() made is real: the first, ... */
    size_t real_slot;   /* ... this one */
    double real_c;      /* which has factors of real_c F_y' + F_y; 0: of no such matrix */
    bool linearized;    /* the last linearisation succeeded */
    /* The sign of the determinant of the system from which form->solve_algebraic finds y', as it
     * was first; 0: it is not known. Along a solution it stays. */
    int orientation;
    /* The least pivot of that system over the largest that it was: how well y' has followed, the
     * least since a reader has set it to 1; the largest, 0 before the first. */
    double follows, followed_best;
    const struct problem *author; /* the one whose functions these equations call, borrowed: their
                                     calls are counted there; NULL: they are its own */
    problem_counts counts;
    problem_costs costs;                   /* as the last factorisation has them; all 0 before */
    double solve_cost[PROBLEM_MOST_SLOTS]; /* of each slot */
    double work;                           /* what all calls since then have cost */
    /* After DAE_NOT_EVALUABLE: the first row that was not finite. After DAE_SINGULAR: a row that no
     * unknown enters, or a variable that the others leave open; PROBLEM_NOWHERE if unknown. */
    size_t bad_row, bad_column;
    const char
        *linear_solver; /* what factors, and the nonzeros of its factors; after a factorisation */
    size_t factor_nonzeros;
} problem;

/* The highest index of a variable or direction that is integrated as given: 1 to 3. */
int problem_highest_index(const problem *p);

/* 1 and the power of h with which errors of each variable (n) count in norms over a step h < 1: its
 * index, but 2 for an unknown of index 1 that acts on others through their derivatives alone, as
 * accelerations and forces do: over a step it moves them by h times itself, as a multiplier of
 * index 2 does (Petzold & Lotstedt, SIAM J. Sci. Stat. Comput. 7 (1986) 720). NULL: all are 1. */
const unsigned char *problem_depth(const problem *p);

/* Its time_unit. */
double problem_time_unit(const problem *p);

/* What errors of variables of index 2 are multiplied with in a step h, those of index 3 twice: the
 * step in the equations' unit of time, at most 1 (Hairer, Lubich & Roche 1989, Sec. 8, in s). */
double problem_depth_factor(const problem *p, double h);

/* y (n) = x with its part along the hidden index-2 directions multiplied by h. */
void problem_scale_hidden_directions(const problem *p, double h, const double *x, double *y);

/* Scales of the columns of alpha F_y' + beta F_y: a variable of index k counts in units of
 * |beta/alpha|^(k-1), about h^(k-1), rounded to a power of 2. So scaled, and with its rows scaled
 * by the linear solver, the matrix keeps its condition as h falls (Petzold & Lotstedt, SIAM J. Sci.
 * Stat. Comput. 7 (1986) 720). False: all are 1; scale (n) is not touched. */
bool problem_column_scales(const problem *p, double complex alpha, double complex beta,
                           double *scale);

dae_status problem_residual(problem *p, double t, const double *y, const double *yp, double *r);
/* Does nothing where a constant problem has been linearised. */
dae_status problem_linearize(problem *p, double t, const double *y, const double *yp);
dae_status problem_yp(problem *p, double t, const double *y, double *yp); /* of form->yp */
dae_status problem_solve_algebraic(problem *p, double t, double *y,
                                   double *yp); /* of form->solve_algebraic */

/* Make room for factorisations: `slots` of them, each real or complex. Asked again, it may keep
 * those that were there and are of the same kinds. DAE_NO_MEMORY, or DAE_SINGULAR where no numbers
 * could make the sum of the two patterns regular. */
dae_status problem_reserve(problem *p, size_t slots, const bool *is_complex);

/* Factor alpha dF/dy' + beta dF/dy, as linearised last, into a slot. DAE_SINGULAR, DAE_NO_MEMORY.
 */
dae_status problem_factor(problem *p, size_t slot, double complex alpha, double complex beta);

/* The next factorisation into a slot depends on its matrix alone: see linear_solver_forget(). */
void problem_forget(problem *p, size_t slot);

/* b (n; double or double complex as the slot is) becomes the solution. */
void problem_solve(problem *p, size_t slot, void *b);

/* The sign of the determinant of the real matrix c F_y' + F_y that was factored last; 0: there is
 * none, or it is not known. */
int problem_sign(const problem *p);

/* r (n) = dF/dy' v, as linearised last. */
void problem_multiply(const problem *p, const double *v, double *r);

/* The matrices have been linearised by other ways than problem_linearize(); `anew`: for a new
 * start, which counts from there how often entries were taken in. */
void problem_factors_look(problem *p, bool anew);

/* Free the factors. */
void problem_factors_free(problem *p);

/* What the calls cost, for decisions on the reuse of Jacobians and factors; see problem_costs. The
 * Jacobian of a constant problem costs nothing; where nothing is known all are 0. */
void problem_estimate_costs(const problem *p, size_t slot, problem_costs *costs);

/* What engines leave in the problem: both matrices as linearised last, factors, counts. The problem
 * that is restored was made from the same equations and has the same slots. See pencil_state(). */
void problem_state(problem *p, state_visit *s);

#endif
