/* What the engine of Runge-Kutta methods needs of a row, in doubles: its stages, divided into
 * blocks that are solved one after the other, each decoupled by the eigenvectors of its part of A.
 *
 * A block is the smallest run of stages that depends on no later stage. A single stage with a_ii =
 * 0 is explicit, one with a_ii != 0 diagonally implicit. Several stages are coupled: for Gauss or
 * Radau these are all stages, for Lobatto IIIA all but the first. So one engine runs every
 * family. */
#ifndef METHOD_SCHEME_H
#define METHOD_SCHEME_H

#include "method/method.h"

enum { SCHEME_MOST_COUPLED = 7, SCHEME_MOST_PARTS = 4, SCHEME_MOST_SLOTS = 8 };

/* An eigenvalue of the inverse of a block of A: real, or one of a conjugate pair. `into` transforms
 * a right side of all stages into one row for a real part, or into real and imaginary part for a
 * complex one. `from` times the solutions of the linear systems is the solution; a conjugate pair
 * contributes twice the real part. With A^-1 = T diag(lambda) T^-1 (Butcher 1976; Bickart 1977),
 * `into` consists of rows of T^-1 and `from` of columns of T. */
typedef struct scheme_part {
    bool is_complex;
    double re, im; /* lambda */
    int slot;      /* of the factorisation; equal eigenvalues share it */
    int row;       /* first row in `into`, first column in `from` */
} scheme_part;

typedef struct scheme_block {
    int first, stages;
    bool is_implicit;
    double inverse[SCHEME_MOST_COUPLED][SCHEME_MOST_COUPLED]; /* of the block of A */
    double into[SCHEME_MOST_COUPLED][SCHEME_MOST_COUPLED];
    double from[SCHEME_MOST_COUPLED][SCHEME_MOST_COUPLED];
    int parts;
    scheme_part part[SCHEME_MOST_PARTS]; /* a real one, if any, comes first */
} scheme_block;

typedef enum scheme_estimate {
    SCHEME_NO_ESTIMATE,
    SCHEME_EMBEDDED,  /* error = h sum error[0][i] Y_i', or two of them (method.h); enlarged if it
                       * would be smaller than the error on undamped oscillations */
    SCHEME_EXTRA_NODE /* by an additional node 0 of weight 1 / lambda, lambda the real eigenvalue,
                       * whose linear system is factored anyway (Hairer & Wanner II, Sec. IV.8); sum
                       * error[0][i] Z_i */
} scheme_estimate;

typedef struct scheme {
    const method *method;
    int stages, extra; /* extra: stages for dense output only */
    double a[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    double b[METHOD_MOST_STAGES], c[METHOD_MOST_STAGES];
    int blocks;
    scheme_block block[METHOD_MOST_STAGES];
    int slots; /* factorisations of blocks */
    bool slot_is_complex[SCHEME_MOST_SLOTS];

    int order, stage_order; /* of the method on ODEs, of its stages: C(q) */
    bool is_implicit;       /* some block is */
    bool stiffly_accurate;  /* the last stage is the end of the step */
    bool carries_yp;        /* the first stage is the beginning of the step: Y_1' = y' there */
    bool needs_yp;          /* y' is computed from y somewhere: dF/dy' must be regular */

    scheme_estimate estimate;
    int estimate_order;
    bool filters;        /* an embedded error has to be damped in stiff components */
    bool embedded_meets; /* the embedded solution is a stage, and meets the equations */
    double error[2][METHOD_MOST_STAGES];
    int errors; /* number of these */

    /* y(t + x h) = y + h sum_ik interpolant[k][i] x^(k+1) Y_i'. degree 0: cubic Hermite polynomial,
     * by values and derivatives at both ends. */
    int degree;
    double interpolant[METHOD_MOST_DEGREE][METHOD_MOST_STAGES];
    double largest_node_product; /* max over 0 <= x <= 1 of |x (x - c_1) ... (x - c_s)| */
} scheme;

/* DAE_SINGULAR if a coupled block is singular or cannot be decoupled, DAE_UNSUPPORTED if it is too
 * large, DAE_NO_MEMORY. The method is borrowed. */
dae_status scheme_make(scheme *s, const method *m);

/* The same without the tables of the build. */
dae_status scheme_compute(scheme *s, const method *m);

#endif
