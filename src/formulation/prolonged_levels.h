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

#include "formulation/prolonged_form.h"
#include "formulation/prolonged_hidden.h"
#include "formulation/prolonged_lower.h"
#include "problem/levels.h"

typedef struct prolonged_level {
    sym_tape *rows;
    double *work;
    size_t *equation; /* rows: which equation */
    uint32_t *order;  /* rows: how often differentiated */
    size_t *taken;    /* nonzeros: place in `jacobian_value` */
} prolonged_level;

typedef struct prolonged_levels {
    constraint_levels levels;
    constraint_level *stage; /* levels.level points here */
    const prolonged_form *f;
    prolonged_level *level;
    sym_matrix *jacobian;   /* staged: n x n, the system Jacobian; array: rows x size */
    prolonged_lower *lower; /* staged: see there; NULL: none */
    double *jacobian_work, *jacobian_value,
        *input;       /* jacobian_value: the Jacobian's, then those of `lower` */
    double time_unit; /* problem/time_unit.h */
    double *scaled;   /* the Jacobian in that unit */
    /* of an array, for measuring: */
    double *row_value, *row_terms; /* rows */
    double *nominal;               /* levels.nominal points here */
    double *author_nominal;        /* size: typical sizes as the author gives them */
    constraint_level whole;        /* staged: the form's equations by all derivatives ... */
    double *whole_work;            /* ... for f->jacobian */
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

/* The same rows, each derivative changing by its own size. */
prolonged_levels *prolonged_levels_together(arena *a, const prolonged_form *f);

/* Scale the sizes of derivatives to this unit of time (prolonged_time_unit.h). Call once. */
void prolonged_levels_use_time_unit(prolonged_levels *l, double unit);

/* Call once the form of an array knows its hidden index-2 directions: they are then solved for
 * before each projection. In the form's arena, under its protection. */
dae_status prolonged_levels_solve_hidden(prolonged_levels *l);

void prolonged_levels_free(prolonged_levels *l); /* what is outside the arena; NULL is fine */

/* Raise violation[k] to the worst violation among the equations of an array that are differentiated
 * k times, k = 0 ... most, at a point that meets the levels. */
void prolonged_levels_measure(prolonged_levels *l, double t, const double *z, double *violation);

/* The n x n system Jacobian at the point linearised last; staged levels only. */
const sparse_pattern *prolonged_levels_pattern(const prolonged_levels *l);
const double *prolonged_levels_values(const prolonged_levels *l);

/* The Jacobian at the point linearised last, n x n or that of an array, in the unit of time. The
 * rank is judged by it. */
const double *prolonged_levels_scaled(prolonged_levels *l);

#endif
