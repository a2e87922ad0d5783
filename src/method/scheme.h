/* What the engine of Runge-Kutta methods needs of a row, in doubles: its stages cut into blocks
 * that are solved one after the other, each decoupled by the eigenvectors of its part of A.
 *
 * A block is the smallest run of stages that need none beyond it: a single stage with a_ii = 0 is
 * explicit, one with a_ii != 0 diagonally implicit, several are coupled, and are all stages for
 * Gauss or Radau, all but the first for Lobatto IIIA. So one engine runs every family. */
#ifndef METHOD_SCHEME_H
#define METHOD_SCHEME_H

#include "method/method.h"

enum { SCHEME_MOST_COUPLED = 7, SCHEME_MOST_PARTS = 4, SCHEME_MOST_SLOTS = 8 };

/* An eigenvalue of the inverse of a block of A, real or one of a conjugate pair. A right side r of
 * all stages becomes into r: one row of a real part, real and imaginary part of a complex one. What
 * the linear systems make of them, times `from`, is the solution, to which a conjugate pair gives
 * twice the real part. With A^-1 = T diag(lambda) T^-1 (Butcher 1976; Bickart 1977) `into` is made
 * of rows of T^-1 and `from` of columns of T. */
typedef struct scheme_part {
    bool is_complex;
    double re, im; /* lambda */
    int slot;      /* of the factorisation; equal eigenvalues share one */
    int row;       /* of `into`, column of `from`: its first */
} scheme_part;

typedef struct scheme_block {
    int first, stages;
    bool is_implicit;
    double inverse[SCHEME_MOST_COUPLED][SCHEME_MOST_COUPLED]; /* of the block of A */
    double into[SCHEME_MOST_COUPLED][SCHEME_MOST_COUPLED];
    double from[SCHEME_MOST_COUPLED][SCHEME_MOST_COUPLED];
    int parts;
    scheme_part part[SCHEME_MOST_PARTS]; /* a real one, if any, first */
} scheme_block;

typedef enum scheme_estimate {
    SCHEME_NO_ESTIMATE,
    SCHEME_EMBEDDED, /* error = h sum error[0][i] Y_i', or two of them (method.h); enlarged where it
                        would be smaller than the error on undamped oscillations */
    SCHEME_EXTRA_NODE /* by a further node 0 of weight 1 / lambda, lambda the real eigenvalue: its
                         linear system is one that is factored anyway (Hairer & Wanner II, Sec.
                         IV.8); there sum error[0][i] Z_i */
} scheme_estimate;

typedef struct scheme {
    const method *method;
    int stages, extra; /* extra: stages for the dense output alone */
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
    bool filters;        /* an embedded error is to be damped in stiff components */
    bool embedded_meets; /* the embedded solution is a stage, and meets the equations */
    double error[2][METHOD_MOST_STAGES];
    int errors; /* of these */

    /* y(t + x h) = y + h sum_ik interpolant[k][i] x^(k+1) Y_i'; degree 0: by the values and
     * derivatives at both ends (cubic Hermite). */
    int degree;
    double interpolant[METHOD_MOST_DEGREE][METHOD_MOST_STAGES];
    double largest_node_product; /* max over 0 <= x <= 1 of |x (x - c_1) ... (x - c_s)| */
} scheme;

/* DAE_SINGULAR where a coupled block is singular or cannot be decoupled, DAE_UNSUPPORTED where it
 * is too large, DAE_NO_MEMORY. The method is borrowed. */
dae_status scheme_make(scheme *s, const method *m);

#endif
