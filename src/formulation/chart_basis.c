#include "formulation/mechanical_minimal.h"

#include "linalg/lapack.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Work space of the decompositions. */
typedef struct basis_work {
    int rows, columns, most, length;
    double *a;     /* most x most: the matrix to decompose; holds the next three as well */
    double *spare; /* most x most */
    double *size;  /* most: values that show the rank, descending */
    double *work;  /* length */
    int *pivot;    /* most */
} basis_work;

static dae_status take(basis_work *w, size_t rows, size_t columns)
{
    size_t most = rows > columns ? rows : columns;
    *w = (basis_work){.rows = (int)rows, .columns = (int)columns, .most = (int)most};
    w->length = (int)(8 * most + 64);
    w->a = calloc(2 * most * most + most + (size_t)w->length, sizeof *w->a);
    w->pivot = calloc(most, sizeof *w->pivot);
    if (!w->a || !w->pivot) return DAE_NO_MEMORY;
    w->spare = w->a + most * most;
    w->size = w->spare + most * most;
    w->work = w->size + most;
    return DAE_OK;
}

/* If the caller did not set the number of freedoms, find it from the rank. */
static void count_freedoms(const basis_work *w, double tolerance, size_t *freedoms)
{
    int rank = 0, least = w->rows < w->columns ? w->rows : w->columns;
    while (rank < least && w->size[rank] > tolerance * w->size[0]) rank++;
    if (*freedoms == (size_t)-1) *freedoms = (size_t)(w->columns - rank);
}

/* The columns of G that pivoting takes last belong to the independent coordinates. */
static dae_status by_partition(basis_work *w, const double *g, double *v, size_t *freedoms)
{
    int info;
    memcpy(w->a, g, (size_t)(w->rows * w->columns) * sizeof *g);
    dgeqp3_(&w->rows, &w->columns, w->a, &w->rows, w->pivot, w->size, w->work, &w->length, &info);
    for (int k = 0; k < w->rows && k < w->columns; k++) w->size[k] = fabs(w->a[k * w->rows + k]);
    count_freedoms(w, w->columns * DBL_EPSILON, freedoms);
    memset(v, 0, (size_t)w->columns * *freedoms * sizeof *v);
    size_t first = (size_t)w->columns - *freedoms;
    for (size_t k = 0; k < *freedoms; k++)
        v[k * (size_t)w->columns + (size_t)w->pivot[first + k] - 1] = 1;
    return info == 0 ? DAE_OK : DAE_SINGULAR;
}

/* The last columns of Q in G^T P = Q R. */
static dae_status by_qr(basis_work *w, const double *g, double *v, size_t *freedoms)
{
    int info, n = w->columns, least = w->rows < n ? w->rows : n;
    for (int i = 0; i < w->rows; i++)
        for (int j = 0; j < n; j++) w->a[i * n + j] = g[j * w->rows + i];
    dgeqp3_(&n, &w->rows, w->a, &n, w->pivot, w->spare, w->work, &w->length, &info);
    for (int k = 0; k < least; k++) w->size[k] = fabs(w->a[k * n + k]);
    count_freedoms(w, n * DBL_EPSILON, freedoms);
    int count = (int)*freedoms;
    memset(v, 0, (size_t)n * *freedoms * sizeof *v);
    for (int k = 0; k < count; k++) v[k * n + n - count + k] = 1;
    if (info == 0)
        dormqr_("L", "N", &n, &count, &least, w->a, &n, w->spare, v, &n, w->work, &w->length, &info,
                1, 1);
    return info == 0 ? DAE_OK : DAE_SINGULAR;
}

/* The last right singular vectors of G. */
static dae_status by_singular_values(basis_work *w, const double *g, double *v, size_t *freedoms)
{
    int info, n = w->columns, one = 1;
    memcpy(w->a, g, (size_t)(w->rows * n) * sizeof *g);
    dgesvd_("N", "A", &w->rows, &n, w->a, &w->rows, w->size, NULL, &one, w->spare, &n, w->work,
            &w->length, &info, 1, 1);
    count_freedoms(w, n * DBL_EPSILON, freedoms);
    int first = n - (int)*freedoms;
    for (size_t k = 0; k < *freedoms; k++)
        for (int j = 0; j < n; j++) v[k * (size_t)n + (size_t)j] = w->spare[j * n + first + (int)k];
    return info == 0 ? DAE_OK : DAE_SINGULAR;
}

/* The first eigenvectors of G^T G, whose eigenvalues ascend (Walton & Steeves, NASA TR R-326,
 * 1969).
 */
static dae_status by_eigenvalues(basis_work *w, const double *g, double *v, size_t *freedoms)
{
    int info, n = w->columns;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            w->a[j * n + i] = vector_dot((size_t)w->rows, g + i * w->rows, g + j * w->rows);
    dsyev_("V", "U", &n, w->a, &n, w->spare, w->work, &w->length, &info, 1, 1);
    for (int k = 0; k < n; k++) w->size[k] = fmax(w->spare[n - 1 - k], 0);
    count_freedoms(w, n * DBL_EPSILON, freedoms);
    memcpy(v, w->a, (size_t)n * *freedoms * sizeof *v);
    return info == 0 ? DAE_OK : DAE_SINGULAR;
}

dae_status chart_basis(chart_basis_way way, size_t rows, size_t columns, const double *g, double *v,
                       size_t *freedoms)
{
    static dae_status (*const ways[])(basis_work *, const double *, double *, size_t *) = {
        [CHART_BASIS_PARTITION] = by_partition,
        [CHART_BASIS_QR] = by_qr,
        [CHART_BASIS_SVD] = by_singular_values,
        [CHART_BASIS_EIGENVALUES] = by_eigenvalues,
    };
    basis_work w;
    if (!vector_is_finite(rows * columns, g)) return DAE_SINGULAR;
    if (rows == 0) { /* all coordinates are free */
        *freedoms = columns;
        memset(v, 0, columns * columns * sizeof *v);
        for (size_t j = 0; j < columns; j++) v[j * columns + j] = 1;
        return DAE_OK;
    }
    dae_status status = take(&w, rows, columns);
    if (status == DAE_OK) status = ways[way](&w, g, v, freedoms);
    free(w.a);
    free(w.pivot);
    return status;
}
