/* Ways to choose as many coordinates as there are freedoms: columns V such that [G; V^T] is
 * regular. */
#ifndef FORMULATION_CHART_BASIS_H
#define FORMULATION_CHART_BASIS_H

#include <daedal/status.h>
#include <stddef.h>

typedef enum chart_basis_way {
    CHART_BASIS_PARTITION,  /* unit vectors: independent coordinates, found by pivoting */
    CHART_BASIS_QR,         /* the null space of G by orthogonal triangularisation of G^T */
    CHART_BASIS_SVD,        /* by singular values */
    CHART_BASIS_EIGENVALUES /* by the eigenvalues 0 of G^T G */
} chart_basis_way;

/* V (columns x *freedoms, by columns; room for columns x columns) for G (rows x columns, by
 * columns). *freedoms is the wanted number of columns. If it is PROBLEM_NOWHERE, (size_t)-1, it
 * becomes the number of columns minus the rank of G. DAE_NO_MEMORY, DAE_SINGULAR for values that
 * are not finite. */
dae_status chart_basis(chart_basis_way way, size_t rows, size_t columns, const double *g, double *v,
                       size_t *freedoms);

#endif
