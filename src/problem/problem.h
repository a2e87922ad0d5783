/* What an engine integrates: F(t, y, y') = 0, seen through one seam.
 *
 * A problem gives the residual and two matrices, dF/dy' and dF/dy, linearised at a point. Engines
 * never assemble a matrix. They ask for alpha dF/dy' + beta dF/dy to be factored, for real or
 * complex alpha and beta (factors.c). The functions below count the calls and trap values that are
 * not finite. */
#ifndef PROBLEM_PROBLEM_H
#define PROBLEM_PROBLEM_H

#include "base/state.h"
#include "base/text.h"
#include "linalg/sparse.h"

#include <complex.h>
#include <daedal/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a call of the seam costs, roughly in nanoseconds on a machine of the 2020s. Costs are made
 * of counts (nonzeros, colours, operations of the factorisation), never of a clock. Decisions on
 * the reuse of Jacobians and factors follow from them, so a run repeats bit for bit on every
 * machine. Costs are good to a factor of two or three: an author's functions may cost more than
 * their nonzeros suggest. */
typedef struct problem_costs {
    double residual, jacobian;
    double factor, solve; /* of one slot */
} problem_costs;

/* dF/dy' or dF/dy (n x n): its pattern, and its values as linearised last. The form fills them; all
 * is borrowed. `occurs` tells which nonzeros are known to occur. The others are taken in once a
 * linearisation shows that they are not 0. NULL: all occur. */
typedef struct problem_matrix {
    const sparse_pattern *pattern;
    const double *value;
    const bool *occurs;
} problem_matrix;

/* A function of time that is given from outside, or its order-th derivative. */
typedef struct problem_input {
    uint32_t id, order;
} problem_input;

/* dF/dp (n x parameters) and dF/du (n x inputs), for tunable parameters and start values in the
 * order in which the model's reader meets them, and for inputs and derivatives of inputs that occur
 * in F. An input that is taken at several instants has a column for each. All is borrowed, and as
 * linearised last. A matrix without columns may have no pattern. */
typedef struct problem_given {
    size_t parameters, inputs;
    const char *const *parameter; /* parameters: the author's names */
    const problem_input *input;   /* inputs */
    problem_matrix by_p, by_u;
} problem_given;

/* The seam of the problem forms. All functions return DAE_OK or another status. The caller passes
 * that on, except that it answers DAE_NOT_EVALUABLE and DAE_SINGULAR with a smaller step. */
typedef struct problem_form {
    const char *name; /* one of the six of the design */

    /* r (n) = F(t, y, yp) */
    dae_status (*residual)(void *self, double t, const double *y, const double *yp, double *r);

    /* Evaluate dF/dy' and dF/dy there, into the values of the problem's matrices. */
    dae_status (*linearize)(void *self, double t, const double *y, const double *yp);

    /* Evaluate dF/dp and dF/du there. NULL: F depends on neither parameters nor inputs that could
     * be set, as in equations of C programs. */
    dae_status (*linearize_given)(void *self, double t, const double *y, const double *yp,
                                  problem_given *given);

    /* Sets the costs of `residual` and `linearize`. NULL: the costs are not known. */
    void (*costs)(const void *self, problem_costs *costs);

    /* r (n) = dF/dt there. NULL: by differences of the residual. */
    dae_status (*time_derivative)(void *self, double t, const double *y, const double *yp,
                                  double *r);

    /* yp (n) from F(t, y, yp) = 0, where dF/dy' is regular. NULL: by Newton's iteration. */
    dae_status (*yp)(void *self, double t, const double *y, double *yp);

    /* From the differential variables in y: their y' into yp (n), and the algebraic variables into
     * y (n), without a first guess. NULL: they are found by Newton's iteration, or do not
     * follow. */
    dae_status (*solve_algebraic)(void *self, double t, double *y, double *yp);

    /* Those two answer DAE_NOT_EVALUABLE, with bad_row, where y' or an algebraic variable would not
     * be finite. Otherwise that is looked at after them. */
    bool refuses_infinite;

    /* Factors of its own, for `yp` and `solve_algebraic`: the next ones depend on their matrix
     * alone. NULL: it has none that are kept. */
    void (*forget)(void *self);

    /* Whether y_j or its derivative occurs in the equation of row i. */
    bool (*occurs)(const void *self, size_t i, size_t j);

    /* row[i] (n) = true for each row i in which y_j or its derivative occurs. */
    void (*mark_rows)(const void *self, size_t j, bool *row);

    /* Append the author's name of y_j, or of the equation of row i. */
    void (*name_variable)(void *self, size_t j, text *t);
    void (*name_equation)(void *self, size_t i, text *t);
} problem_form;

#define PROBLEM_NOWHERE ((size_t)-1)

enum { PROBLEM_MOST_SLOTS = 16 };

typedef struct problem_counts {
    size_t residuals, jacobians, factorizations;
    size_t reorderings; /* changes of the pivot order in sparse factors */
} problem_counts;

typedef struct problem_factors problem_factors; /* of factors.c */

typedef struct problem {
    const problem_form *form;
    void *self;
    size_t n; /* unknowns and equations */
    problem_matrix by_yp, by_y;
    problem_factors *factors; /* NULL until problem_reserve(): problem_factors_free() */
    bool has_sign; /* the sign of the matrices' determinant is meaningful: rows are not combined in
                      varying ways */
    const double *nominal; /* n: typical sizes, > 0 */
    const bool *dynamic;   /* n: y_j' occurs */
    bool constant_mass;    /* dF/dy' is constant: F = M y' - f(t, y) */
    bool constant;         /* dF/dy is constant as well: one linearisation serves the whole run */
    unsigned char *index; /* n: index of each variable, 1 where it is differential; those of index 2
                             and 3 are scaled by powers of h */
    const unsigned char *depth;    /* n: see problem_depth(). NULL: as `index` */
    double time_unit;              /* time_unit.h; 0: 1 s */
    struct mechanical *mechanical; /* of constrained mechanical systems, for methods that advance
                                      y = (q, v, lambda) as it is: the system, borrowed; NULL of
                                      all others */
    unsigned char level;           /* there, the constraint level that a step meets: 3 positions, 2
                                      velocities, 1 accelerations; 0: all three, in the tangent */
    size_t
        hidden_directions; /* directions that have index 2 though no variable by itself has ... */
    const double *hidden_direction; /* ... hidden_directions x n, orthonormal in units of
                                       `nominal` */
    bool has_real_slot;             /* problem_reserve() made a real slot: the first one is ... */
    size_t real_slot;               /* ... this one */
    double real_c;   /* it holds factors of real_c F_y' + F_y; 0: of no such matrix */
    bool linearized; /* the last linearisation succeeded */
    /* The sign that the determinant of form->solve_algebraic's system had first; 0: not known. It
     * stays the same along a solution. */
    int orientation;
    /* How well that system determines y': its least pivot, relative to the largest value that this
     * pivot has had. `follows` is the least ratio since a reader set it to 1. `followed_best` is
     * the largest pivot, 0 before the first. `least_reach` is how far y' moved with equations that
     * are a little off, at the least; `reached_best` the pivot then. */
    double follows, followed_best, least_reach, reached_best;
    const struct problem *author; /* the one whose functions these equations call, borrowed: it
                                     counts the calls; NULL: they are its own */
    problem_counts counts;
    problem_costs costs; /* as of the last factorisation; all 0 before the first */
    double solve_cost[PROBLEM_MOST_SLOTS]; /* of each slot */
    double work;                           /* the cost of all calls since the first factorisation */
    /* After DAE_NOT_EVALUABLE: the first row that was not finite. After DAE_SINGULAR: a row that
     * contains no unknown, or a variable that the others do not determine. PROBLEM_NOWHERE if
     * unknown. */
    size_t bad_row, bad_column;
    const char
        *linear_solver; /* what factors, and the nonzeros of its factors; after a factorisation */
    size_t factor_nonzeros;
} problem;

/* A problem of n unknowns before any use: nothing is known of what was bad, or of its solver. */
problem problem_make(const problem_form *form, void *self, size_t n);

/* The highest index of a variable or direction that is integrated as given: 1 to 3. */
int problem_highest_index(const problem *p);

/* The power of h, plus 1, with which the error of each variable (n) counts in norms over a step h <
 * 1. It is the variable's index, with one exception: 2 for an unknown of index 1 that acts on
 * others through their derivatives alone, such as an acceleration or a force. Over a step it moves
 * them by h times itself, as a multiplier of index 2 does (Petzold & Lotstedt, SIAM J. Sci. Stat.
 * Comput. 7 (1986) 720). NULL: all are 1. */
const unsigned char *problem_depth(const problem *p);

/* The unit of time in seconds; see `time_unit`. */
double problem_time_unit(const problem *p);

/* The factor of errors of index-2 variables in a step h; errors of index 3 are multiplied with it
 * twice. It is the step in the equations' unit of time, at most 1 (Hairer, Lubich & Roche 1989,
 * Sec. 8, use seconds). */
double problem_depth_factor(const problem *p, double h);

/* y (n) = x with its part along the hidden index-2 directions multiplied by h. */
void problem_scale_hidden_directions(const problem *p, double h, const double *x, double *y);

/* Scales of the columns of alpha F_y' + beta F_y. A variable of index k is scaled by
 * |beta/alpha|^(k-1), about h^(k-1), rounded to a power of 2. With these scales, and with rows
 * scaled by the linear solver, the condition of the matrix does not grow as h falls (Petzold &
 * Lotstedt, SIAM J. Sci. Stat. Comput. 7 (1986) 720). False: all scales are 1, and scale (n) is not
 * touched. */
bool problem_column_scales(const problem *p, double complex alpha, double complex beta,
                           double *scale);

/* DAE_OK, or DAE_NOT_EVALUABLE if a row of r is not finite; p->bad_row is the first one then. */
dae_status problem_finite(problem *p, size_t rows, const double *r);

dae_status problem_residual(problem *p, double t, const double *y, const double *yp, double *r);
/* Does nothing if the problem is constant and has been linearised. */
dae_status problem_linearize(problem *p, double t, const double *y, const double *yp);
/* dF/dp and dF/du at a point. They are formed at the first call, and change neither the matrices as
 * linearised last nor counts. Without parameters and inputs: none of either. DAE_NO_MEMORY;
 * DAE_NOT_EVALUABLE with bad_row if a value is not finite. */
dae_status problem_linearize_given(problem *p, double t, const double *y, const double *yp,
                                   problem_given *given);
dae_status problem_yp(problem *p, double t, const double *y, double *yp); /* by form->yp */
dae_status problem_solve_algebraic(problem *p, double t, double *y,
                                   double *yp); /* by form->solve_algebraic */

/* Make room for `slots` factorisations, each real or complex. A later call may keep slots whose
 * kind is unchanged. DAE_NO_MEMORY, or DAE_SINGULAR if the sum of the two patterns is structurally
 * singular. */
dae_status problem_reserve(problem *p, size_t slots, const bool *is_complex);

/* The kinds of the slots (PROBLEM_MOST_SLOTS), and their number. */
size_t problem_slots(const problem *p, bool *is_complex);

/* Factor alpha dF/dy' + beta dF/dy, as linearised last, into a slot. DAE_SINGULAR, DAE_NO_MEMORY.
 */
dae_status problem_factor(problem *p, size_t slot, double complex alpha, double complex beta);

/* The next factorisation into a slot depends on its matrix only: see linear_solver_forget(). */
void problem_forget(problem *p, size_t slot);

/* Solve in place: b (n; double or double complex, as the slot is) becomes the solution. */
void problem_solve(problem *p, size_t slot, void *b);

/* The sign of the determinant of the real matrix c F_y' + F_y that was factored last; 0: there is
 * no such matrix, or its sign is not known. */
int problem_sign(const problem *p);

/* r (n) = dF/dy' v, as linearised last. */
void problem_multiply(const problem *p, const double *v, double *r);

/* To be called after the matrices were linearised by a way other than problem_linearize(). `anew`:
 * for a new start, which counts afresh how often entries were taken in. */
void problem_factors_look(problem *p, bool anew);

/* Free the factors. */
void problem_factors_free(problem *p);

/* What the calls cost, for decisions on the reuse of Jacobians and factors; see problem_costs. The
 * Jacobian of a constant problem costs nothing. All costs are 0 if the form does not know them. */
void problem_estimate_costs(const problem *p, size_t slot, problem_costs *costs);

/* What engines leave in the problem: both matrices as linearised last, factors, counts. The problem
 * that is restored was made from the same equations. See pencil_state(). */
void problem_state(problem *p, state_visit *s);

#endif
