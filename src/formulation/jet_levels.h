/* The constraint levels of a prolonged system.
 *
 * Staged: level k of Pryce's scheme (BIT 41 (2001), Sec. 4) holds the equations f_i^(c_i+k) and
 * solves them for x_j^(d_j+k), k = -max d, ..., -1, 0. By Griewank's lemma the Jacobian of each is
 * a part of the one system Jacobian df_i / dx_j^(d_j-c_i). As one array: all equations of the
 * prolongation for all its entries at once, where the structure does not tell which derivative
 * determines what. */
#ifndef FORMULATION_JET_LEVELS_H
#define FORMULATION_JET_LEVELS_H

#include "formulation/jet_form.h"
#include "formulation/jet_lower.h"
#include "formulation/jet_settle.h"
#include "problem/levels.h"

typedef struct jet_level {
    sym_tape *rows;
    double *work;
    size_t *equation; /* rows: which equation */
    uint32_t *order;  /* rows: how often differentiated */
    size_t *taken;    /* the pattern's nonzeros: place in `slope` */
} jet_level;

typedef struct jet_levels {
    constraint_levels levels;
    constraint_level *stage; /* what levels.level points to */
    const jet_form *f;
    jet_level *level;
    sym_matrix *jacobian; /* staged: n x n, the system Jacobian; array: rows x size */
    jet_lower *lower;     /* staged: see there; NULL: none */
    double *jacobian_work, *slope, *input; /* slope: the Jacobian's, then those of `lower` */
    double time_unit;                      /* problem/time_unit.h */
    double *scaled;                        /* the Jacobian in that unit */
    /* of an array, for measuring: */
    double *row_value, *row_slope; /* rows */
    double *nominal;               /* what levels.nominal points to */
    double *author_nominal;        /* size: typical sizes as the author has them */
    constraint_level whole;        /* staged: the form's equations by all derivatives ... */
    double *whole_work;            /* ... for f->jacobian */
    jet_settle *settle;            /* of an array whose form has soft directions; NULL before */
} jet_levels;

/* The system Jacobian of a prolongation as a matrix over its inputs. */
sym_matrix *jet_system_jacobian(arena *a, const prolongation *p);

jet_levels *jet_levels_staged(arena *a, const jet_form *f);
/* paired: the equations have index 1 and are not differentiated. */
jet_levels *jet_levels_array(arena *a, const jet_form *f, bool paired);

/* The rows of all stages as one level, in which algebraic variables change as freely as derivatives
 * do: what has been integrated is to be kept. */
jet_levels *jet_levels_merged(arena *a, const jet_form *f);

/* The same rows, each derivative changing by its own size. */
jet_levels *jet_levels_together(arena *a, const jet_form *f);

/* Sizes of derivatives are those in this unit of time (jet_time_unit.h), once. */
void jet_levels_use_time_unit(jet_levels *l, double unit);

/* Once the form of an array knows its soft directions: have them settled before each projection. In
 * the form's arena, under its protection. */
dae_status jet_levels_settle_soft(jet_levels *l);

void jet_levels_free(jet_levels *l); /* what is not in the arena; NULL is fine */

/* Raise violation[k] to the worst violation among the equations of an array that are differentiated
 * k times, k = 0 ... most, at a point that has been met. */
void jet_levels_measure(jet_levels *l, double t, const double *z, double *violation);

/* The n x n system Jacobian at the point linearised last; staged levels only. */
const sparse_pattern *jet_levels_pattern(const jet_levels *l);
const double *jet_levels_values(const jet_levels *l);

/* The Jacobian at the point linearised last, n x n or that of an array, in the unit of time: what
 * its rank is judged by. */
const double *jet_levels_scaled(jet_levels *l);

#endif
