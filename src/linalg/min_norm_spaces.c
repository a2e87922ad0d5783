/* What a complete orthogonal decomposition says besides: the null space, and solutions with the
 * transposed matrix. */
#include "linalg/lapack.h"
#include "linalg/min_norm_parts.h"

#include <string.h>

/* x (columns) = Q x, or Q' x. */
static void turn(min_norm *m, const char *transposed, double *x, int count)
{
    int reflectors = m->rows < m->columns ? m->rows : m->columns, info;
    if (m->rank == 0) return; /* nothing was decomposed, or of no use */
    dormqr_("L", transposed, &m->columns, &count, &reflectors, m->qr, &m->columns, m->tau, x,
            &m->columns, m->work, &m->work_size, &info, 1, 1);
}

void min_norm_null_space(min_norm *m, double *basis)
{
    size_t n = (size_t)m->columns, rank = (size_t)m->rank;
    memset(basis, 0, n * (n - rank) * sizeof *basis);
    for (size_t k = rank; k < n; k++) basis[(k - rank) * n + k] = 1;
    if (rank < n) turn(m, "N", basis, (int)(n - rank));
    for (size_t k = 0; k < n - rank; k++)
        for (size_t j = 0; j < n; j++) basis[k * n + j] *= m->scale[j];
}

void min_norm_solve_transposed(min_norm *m, const double *w, double *mu)
{
    int one = 1, info;
    double *b = m->vector;
    memset(mu, 0, (size_t)m->rows * sizeof *mu);
    if (m->rank == 0) return;
    for (int j = 0; j < m->columns; j++) b[j] = w[j] * m->scale[j];
    turn(m, "T", b, 1);
    if (m->rank < m->rows) {
        for (int i = m->rank; i < m->rows; i++) b[i] = 0;
        dtrsv_("U", "T", "N", &m->rank, m->second, &m->rows, b, &one, 1, 1, 1);
        dormqr_("L", "N", &m->rows, &one, &m->rank, m->second, &m->rows, m->tau2, b, &m->rows,
                m->work, &m->work_size, &info, 1, 1);
    } else {
        dtrsv_("U", "N", "N", &m->rank, m->qr, &m->columns, b, &one, 1, 1, 1);
    }
    for (int i = 0; i < m->rows; i++) {
        int to = m->pivot[i] - 1;
        mu[to] = b[i] * m->row_scale[to];
    }
}
