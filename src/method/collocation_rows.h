/* Collocation methods from their nodes, with all that an engine needs of them.
 *
 * The coefficients are computed, not typed: a_ij is the integral of the j-th Lagrange polynomial of
 * the nodes from 0 to c_i (Hairer & Wanner, Solving ODEs II, 2nd ed., Sec. IV.5). */
#ifndef METHOD_COLLOCATION_ROWS_H
#define METHOD_COLLOCATION_ROWS_H

#include <daedal/status.h>
#include <stdbool.h>

enum { COLLOCATION_MOST_STAGES = 7, COLLOCATION_MOST_BLOCKS = 4 };

/* An eigenvalue of A^-1, real or one of a conjugate pair, with its row of T^-1 and column of T,
 * where A^-1 = T diag(lambda) T^-1. */
typedef struct collocation_block {
    bool is_complex;
    double re, im;                           /* lambda */
    double into_re[COLLOCATION_MOST_STAGES]; /* row of T^-1 */
    double into_im[COLLOCATION_MOST_STAGES];
    double from_re[COLLOCATION_MOST_STAGES]; /* column of T */
    double from_im[COLLOCATION_MOST_STAGES];
} collocation_block;

typedef struct collocation_row {
    int stages, order;
    double c[COLLOCATION_MOST_STAGES];                                /* nodes, ascending */
    double a[COLLOCATION_MOST_STAGES][COLLOCATION_MOST_STAGES];       /* Butcher's A */
    double inverse[COLLOCATION_MOST_STAGES][COLLOCATION_MOST_STAGES]; /* A^-1 */
    double b[COLLOCATION_MOST_STAGES];                                /* weights */
    /* The polynomial through y at 0 and y + z_i at c_i: its coefficient of x^(m+1) is
       sum_i polynomial[m][i] z_i. */
    double polynomial[COLLOCATION_MOST_STAGES][COLLOCATION_MOST_STAGES];
    double largest_node_product; /* max over 0 <= x <= 1 of |x (x - c_1) ... (x - c_s)| */
    int blocks;
    collocation_block block[COLLOCATION_MOST_BLOCKS]; /* a real one, if any, first */

    /* Embedded formula with the additional node 0 of weight 1/lambda (Hairer & Wanner II,
     * (IV.8.19)): the error is estimated from sum error[i] z_i, to the order error_order. */
    bool has_error;
    double error[COLLOCATION_MOST_STAGES];
    int error_order;
} collocation_row;

/* Radau IIA with 1, 3, 5 or 7 stages, of order 2 stages - 1. Ehle (1969); Hairer & Wanner II, Sec.
 * IV.5. DAE_USAGE for another number. */
dae_status collocation_radau_iia(collocation_row *row, int stages);

#endif
