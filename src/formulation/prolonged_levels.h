/* The constraint levels of a prolonged system.
 *
 * Staged: level k of Pryce's scheme (BIT 41 (2001), Sec. 4) holds the equations f_i^(c_i+k) and
 * solves them for x_j^(d_j+k), k = -max d, ..., -1, 0. By Griewank's lemma the Jacobian of each is
 * a part of the one system Jacobian df_i / dx_j^(d_j-c_i).
 *
 * As one array: all equations of the prolongation are solved for all its entries at once. This is
 * for systems whose structure does not show which equation determines which derivative. */
#ifndef FORMULATION_PROLONGED_LEVELS_H
#define FORMULATION_PROLONGED_LEVELS_H

#include "formulation/prolonged_time.h"
#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"
#include "problem/levels.h"
#include "problem/problem.h"

/* Solution of a derivative array for its hidden index-2 directions, before a projection.
 *
 * A hidden index-2 direction v satisfies E v = 0 with E = dF/dy'. A change of y along v changes
 * nothing that has been integrated, and the array determines this change. The shortest change of y
 * that meets the array would also move the integrated part E y, a little in each step. So the array
 * is first met, as well as possible, by changes of hidden index-2 directions and derivatives only.
 * The projection then corrects only the drift of E y. */

typedef struct prolonged_hidden {
    const constraint_levels *levels; /* one level, the array */
    const problem *problem;          /* of its hidden index-2 directions */
    size_t hidden_directions,
        columns;             /* hidden index-2 directions, then entries of z that y does not hold */
    size_t *entry;           /* columns: entry of z, of columns after the hidden directions */
    const size_t *held;      /* problem->n: entry of z that y_k is */
    sparse_pattern *pattern; /* rows x columns; those of hidden directions are full */
    uint32_t *from; /* nonzeros: place in the array's Jacobian; unused in hidden directions */
    double *value, *array_value, *residual, *size, *change, *scale; /* size: of rows, as residual */
    double *beside, *beside_value; /* a point as near as z is accurate, and the array's Jacobian */
    min_norm *linear;
    double t, *z;    /* the point at which the array is being met */
    double accuracy; /* of z; 0: not known */
} prolonged_hidden;

/* For an array whose Jacobian has this pattern and a form that knows its hidden index-2 directions.
 * held (borrowed): see the struct. The arrays live in `a`, under its protection;
 * prolonged_hidden_free() frees the rest. NULL if memory is exhausted. */
prolonged_hidden *prolonged_hidden_create(arena *a, const constraint_levels *levels,
                                          const problem *p, const size_t *held);

/* Correct derivatives and hidden index-2 directions of z so that the array is met. Entries of its
 * Jacobian that may be 0 for all that is known of z, by its accuracy, count as 0. z is unchanged if
 * the iteration does not converge. */
dae_status prolonged_hidden_meet(prolonged_hidden *s, double t, double *z, double accuracy);

void prolonged_hidden_free(prolonged_hidden *s); /* NULL is fine */

/* Entries below the leading ones that a constraint level may move.
 *
 * A level solves for x_j^(d_j-b) and holds the lower derivatives of x_j at the values that earlier
 * levels found. Many of these lower derivatives occur in no earlier level, though. Example: 0 = x'
 * + 1e6 x - s(t) in the first level. An error of 1e-9 in x would cause an error of 1e-3 in x',
 * which then spreads to everything that the level solves for. The smallest change of both x and x'
 * moves x by 1e-9 instead. */

/* The balance of jumps in staged levels: constraint_levels_form.balance. */
typedef struct prolonged_jumps prolonged_jumps; /* of prolonged_jumps.c */
struct prolonged_levels;
dae_status prolonged_jumps_balance(struct prolonged_levels *l, size_t b, double t, const double *z,
                                   jump_balance *found);

/* The equations of staged levels in a short time: fast_equations and fast_rows of
 * constraint_levels_form. */
typedef struct prolonged_fast prolonged_fast; /* of prolonged_fast.c */
dae_status prolonged_fast_equations(struct prolonged_levels *l, const unsigned *forced,
                                    const bool *moves, const fast_equations **found);
void prolonged_fast_rows(struct prolonged_levels *l, size_t power, double t, double s,
                         const double *z, const double *coefficient, double *row);

/* p->rows x p->size: derivatives by these entries, only for rows of the entry's level. NULL if
 * there are none. In `a`, under its protection and the graph's. */
sym_matrix *prolonged_lower_create(arena *a, const prolongation *p);

typedef struct prolonged_level {
    sym_tape *rows;
    size_t *equation; /* rows: which equation */
    uint32_t *order;  /* rows: how often differentiated */
    uint32_t *taken;  /* nonzeros: place in `jacobian_value`; NULL: its own */
} prolonged_level;

typedef struct prolonged_levels {
    constraint_levels levels;
    constraint_level *stage; /* levels.level points here */
    const prolonged_form *f;
    prolonged_level *level;
    sym_matrix *jacobian;   /* staged: n x n, the system Jacobian; array: rows x size */
    sym_matrix *lower;      /* staged: prolonged_lower_create(); NULL: none */
    double *jacobian_value; /* the Jacobian's, then those of `lower` */
    double *regular;        /* values of the Jacobian with which it has been found regular; NULL:
                               nobody has asked */
    prolonged_jumps *jumps; /* NULL: nobody has asked for them */
    prolonged_fast *fast;   /* NULL: nobody has asked for it */
    double *input;
    prolonged_orders orders; /* of the Jacobian */
    double time_unit;        /* problem/time_unit.h */
    double *scaled;          /* the Jacobian in that unit */
    /* of an array that is measured: */
    double *row_value, *row_terms; /* rows */
    double *author_nominal;        /* size: typical sizes as the author gives them */
    constraint_level whole;        /* staged: the form's equations by all derivatives */
    prolonged_hidden
        *hidden; /* of an array whose form has hidden index-2 directions; NULL before */
} prolonged_levels;

/* The system Jacobian of a prolongation as a matrix over its inputs. */
sym_matrix *prolonged_system_jacobian(arena *a, const prolongation *p);

prolonged_levels *prolonged_levels_staged(arena *a, const prolonged_form *f);
/* paired: the equations have index 1 and are not differentiated. */
prolonged_levels *prolonged_levels_array(arena *a, const prolonged_form *f, bool paired);

/* The rows of all stages as one level. Algebraic variables change as freely as derivatives, so that
 * integrated variables are kept as far as possible. */
prolonged_levels *prolonged_levels_merged(arena *a, const prolonged_form *f);

/* The same with further rows, expressions of the core that are to be 0. */
prolonged_levels *prolonged_levels_keeping(arena *a, const prolonged_form *f, size_t more,
                                           const sym *row);

/* The rows of all stages as one level, each derivative changing by its own size. Sizes and entries
 * are those of the stages, which have a whole. */
prolonged_levels *prolonged_levels_together(arena *a, const prolonged_levels *staged);

/* Call once the form of an array knows its hidden index-2 directions: they are then solved for
 * before each projection. In the form's arena, under its protection. */
dae_status prolonged_levels_solve_hidden(prolonged_levels *l);

void prolonged_levels_free(prolonged_levels *l); /* what is outside the arena; NULL is fine */

/* Room for measuring the rows of an array. In `a`, under its protection. */
void prolonged_levels_begin_measuring(arena *a, prolonged_levels *l);

/* Raise violation[k] to the worst violation among the equations of an array that are differentiated
 * k times, k = 0 ... most, at a point that meets the levels. */
void prolonged_levels_measure(prolonged_levels *l, double t, const double *z, double *violation);

/* The Jacobian at the point linearised last, n x n or that of an array, in the unit of time. The
 * rank is judged by it. */
const double *prolonged_levels_scaled(prolonged_levels *l);

/* yp and algebraic variables from the other variables, in one step. The equations of many models,
 * and of all mechanical ones, are linear in all highest derivatives together: L(t, y) w = r(t, y).
 * With index 1, L is the Jacobian of Pryce's structural analysis (BIT 41 (2001) 364), and regular.
 */

typedef struct prolonged_leading {
    /* Where there are no algebraic variables, and L is a diagonal of numbers in some order of its
     * rows: yp[k] = rest[k] / divisor[k]. NULL: it is not so. Nothing after `state` is needed
     * then. */
    sym_tape *explicit; /* rest, over `state` */
    double *rest;       /* as many as yp has entries, as of what follows */
    double *divisor;
    bool divides;  /* not all divisors are 1 */
    bool in_order; /* place[k] is 1 + k */
    size_t *row;   /* of the form, from which the derivative is: ... */
    double *sign;  /* ... sign[k] (rest[k] - divisor[k] yp[k]) */
    size_t *place; /* of each entry of y in ... */
    double *state; /* ... the time, then, where there are many, all x, all x', ...: an array's in a
                      row */
    sym_matrix *system; /* n x (n + 1): L, and -r as its last column */
    double *value;
    sparse_pattern pattern;         /* n x n: of L, whose values come first */
    linear_solver *solver;          /* made when first needed */
    bool constant, factored;        /* L is constant; and has been factored */
    double *w;                      /* n */
    double *row_size, *column_size; /* n: of L's first values, columns in units of the rows */
    bool sized;                     /* these are known */
} prolonged_leading;

/* Make the form, of index 1, compute yp and algebraic variables in this way. Does nothing if its
 * rows are not linear in the highest derivatives. Under the protection of the form's arena and the
 * graph's. */
void prolonged_leading_use(prolonged_form *f);

void prolonged_leading_free(prolonged_leading *l); /* NULL is fine */

/* The index of the variables that an engine sees, for its error norm. */

/* Find the directions of index 2 in a form that is integrated as given and linearised at a
 * consistent point. With E = dF/dy', Z' E = 0 and W = dF/dy, they are the directions v with E v = 0
 * and Z' W v = 0 (Maerz, Acta Numerica 1 (1992), in coordinates). They become the problem's hidden
 * index-2 directions. Returns false without a search if the form is too large. Under the protection
 * of the form's arena. */
bool prolonged_form_find_hidden_direction(prolonged_form *f);

#endif
