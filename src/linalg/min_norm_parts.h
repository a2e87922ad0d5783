/* What a least-change solver consists of: min_norm.c decomposes small systems, min_norm_sparse.c
 * and min_norm_square.c factor large ones. For both alone. */
#ifndef LINALG_MIN_NORM_PARTS_H
#define LINALG_MIN_NORM_PARTS_H

#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"
#include "linalg/sparse_elimination.h"

/* Rows and columns with entries that nothing links to others, decomposed by themselves:
 * B' P = Q R; of a lower rank than rows R' = Q2 R2 */
typedef struct dense_part {
    int rows, columns, rank;
    int *row_at, *column_at; /* which they are of the matrix, ascending */
    double *qr;              /* columns x rows by columns */
    double *second;          /* rows x rank by columns */
    double *tau, *tau2;
    int *pivot;
    double tolerance; /* of its last decomposition; 0: there is none */
} dense_part;

struct min_norm {
    const sparse_pattern *pattern;
    int rows, columns, rank;
    min_norm_way way;
    double *row_scale, *scale; /* rows, columns */
    bool built;                /* for matrices of any rank, dense or sparse */

    /* square: all rows, or those that do not depend on others */
    linear_solver *lu;          /* NULL: none is wanted, or the rows never determine all columns */
    bool determined;            /* the last matrix: they do */
    arena *lu_room;             /* a part, for what follows */
    sparse_pattern *lu_pattern; /* columns x columns */
    uint32_t *lu_from;          /* its nonzeros: which they are of the matrix */
    size_t *lu_row;             /* its rows: the same */
    double *lu_value, *lu_balance, *lu_left, *lu_x; /* its nonzeros; columns each */

    /* dense */
    double work_of_parts; /* cubes of their sizes, all together */
    int parts;
    dense_part *part;
    int *row_from;                  /* rows: the how manieth of its part */
    size_t *row_part, *column_part; /* sparse_parts() */
    double *part_value;             /* nonzeros: scaled, as each part was decomposed last */
    double *work, *vector;
    int work_size;

    /* sparse */
    linear_solver *saddle; /* NULL where dense */
    sparse_pattern *saddle_pattern;
    uint32_t *entry_above, *entry_below, *diagonal; /* where values go in the saddle matrix */
    double *saddle_value, *solution;
    double *scaled;            /* nonzeros: of B */
    double *left;              /* rows: what is left of the right-hand side */
    int directions;            /* how many are sought at most */
    double *direction, *image; /* directions x columns, x rows */
    double *square;            /* directions: of each image with itself */
    bool rank_known;
    bool *dropped;   /* rows: it depends on others, and is left out; NULL where no rank is wanted */
    arena *found;    /* a part, for what follows: of the last factorisation */
    int dependences; /* known ones */
    sparse_vector *dependence; /* sums of rows that vanish */
    double *gram;              /* dependences squared: the Cholesky factor of their products */
    arena memory;
};

/* Under the protection of m->memory; then the solver, outside it. */
void min_norm_build_saddle(min_norm *m);
dae_status min_norm_create_saddle(min_norm *m, const min_norm *other);

dae_status min_norm_create_square(min_norm *m);
dae_status min_norm_factor_square(min_norm *m, const double *value);
/* The same with the rows that are not left out, if they are as many as columns. */
dae_status min_norm_factor_independent(min_norm *m, const double *value);
void min_norm_solve_square(min_norm *m, const double *r, double *dz);

dae_status min_norm_factor_saddle(min_norm *m, const double *value, double tolerance);
/* The scaled right-hand side into m->left, without what dependent rows contradict. */
void min_norm_begin_right(min_norm *m, const double *r);
void min_norm_solve_saddle(min_norm *m, const double *r, double *dz);
dae_status min_norm_free_columns_of_saddle(min_norm *m, const double *preference, size_t *chosen);

#endif
