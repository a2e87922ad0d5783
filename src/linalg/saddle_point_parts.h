/* What the files saddle_*.c share; for these alone. */
#ifndef LINALG_SADDLE_POINT_PARTS_H
#define LINALG_SADDLE_POINT_PARTS_H

#include "base/arena.h"
#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"
#include "linalg/saddle_point.h"
#include "linalg/sparse.h"

#include <stdbool.h>

/* How systems with the current values are solved. */
typedef enum saddle_way {
    SADDLE_NONE,   /* none are factored */
    SADDLE_SMALL,  /* by Cholesky's factors of H and of G H^-1 G' */
    SADDLE_BLOCKS, /* by the inverse of H, whose blocks are small */
    SADDLE_SQUARE, /* the whole matrix is regular */
    SADDLE_NULL,   /* by the null space of G */
    SADDLE_SHIFTED /* the whole matrix with a shift, which iterations take back */
} saddle_way;

/* The null-space method. */
typedef struct saddle_null {
    min_norm *rows;                     /* of G */
    double *basis, *product;            /* n x free: null space N of G, and H N */
    double *reduced, *size;             /* free x free: N' H N, scaled by `size` on both sides */
    double *right, *particular, *force; /* n each */
    double *work;                       /* of LAPACK: 4 n */
    int *pivot, *integers;
} saddle_null;

/* An H of small blocks. */
typedef struct saddle_blocks {
    size_t count, *first, *member;   /* blocks; where each begins in `member` */
    size_t *of_member;               /* n: the place of each in its block */
    sparse_pattern *inverse_pattern; /* of H^-1 */
    uint32_t *place;                 /* entries of the blocks, one after the other, in it */
    double *inverse;
    bool inverted;                 /* with the values of H that are kept */
    uint32_t *turned;              /* nonzeros of G: where each is in G' */
    double *transposed;            /* G' */
    sparse_product *forces;        /* H^-1 G' */
    sparse_product *products;      /* S = G H^-1 G' */
    double *force, *product;       /* their values */
    const sparse_pattern *pattern; /* of S with its diagonal; NULL: H has no small blocks */
    uint32_t *entry, *diagonal;    /* where those of S and the diagonal go */
    double *value, *column;        /* of S, made comparable by `column` on both sides */
    double *right;                 /* n */
    linear_solver *solver;
} saddle_blocks;

/* A small system whose H is symmetric. */
typedef struct saddle_small {
    bool fits, factored;      /* the patterns do; H is, with the values that are kept */
    size_t *first, *twin;     /* n: of L, where rows begin; nonzeros of H: the transposed entry */
    bool good[2];             /* no pivot is small, of H and of S */
    size_t nonzeros;          /* of both factors */
    double *lower;            /* n x n, by rows: L */
    double *forces, *product; /* n x m: W; m x m: the factor of S; by rows */
    double *diagonal;         /* n + m: 1 over those of both factors */
} saddle_small;

/* The whole matrix. */
typedef struct saddle_square {
    linear_solver *solver;
    sparse_pattern *pattern;
    uint32_t *of_h, *of_g, *of_gt, *diagonal; /* where entries of H, G, -G' and the diagonal go */
    double *value;
    double *column; /* n + m: of the columns, what makes rows and columns comparable */
    double *length; /* m: of the rows of G over the first n of those */
    double *shift;  /* m: of the last diagonal entries */
    double *solution, *left, *terms; /* n + m each */
} saddle_square;

struct saddle_point {
    const sparse_pattern *h, *g;
    const double *scale;
    size_t n, m, rank, factored, undetermined;
    saddle_way way;
    bool deficient;            /* rows depended on others when it was last looked at */
    double trusted;            /* a smallest pivot with which the rank was found full */
    double *h_value, *g_value; /* as factored last */
    saddle_small small;
    saddle_blocks blocks;
    saddle_square square;
    saddle_null *null;    /* NULL: not needed so far */
    saddle_point *gram;   /* G over the squares of `scale`; NULL: not needed so far */
    sparse_pattern *unit; /* n x n, a diagonal */
    double *weight;       /* n: 1 over the squares of `scale` */
    arena memory;
};

/* The functions saddle_..._build() are called under the protection of p->memory.
 *
 * saddle_small.c: a system that does not qualify, or is too large, is not factored this way. False
 * where H is not clearly symmetric and positive definite, or rows of G may depend on each other. */
void saddle_small_build(saddle_point *p);
bool saddle_small_factor(saddle_point *p);
void saddle_small_solve(saddle_point *p, double *x);

/* saddle_blocks.c: the pattern is NULL where H has no small blocks. DAE_SINGULAR where a block or S
 * is singular. */
void saddle_blocks_build(saddle_point *p);
dae_status saddle_blocks_factor(saddle_point *p, bool same_h);
void saddle_blocks_solve(saddle_point *p, double *x);

/* saddle_square.c: LU factors of the whole matrix, allocated at first use. */
void saddle_square_build(saddle_point *p);
dae_status saddle_square_factor(saddle_point *p, bool shifted);
void saddle_square_solve(saddle_point *p, double *x);

/* saddle_null.c: the null-space method, allocated at first use. */
dae_status saddle_null_factor(saddle_point *p);
void saddle_null_solve(saddle_point *p, double *x);

#endif
