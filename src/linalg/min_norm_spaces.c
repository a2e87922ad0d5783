/* What a complete orthogonal decomposition says besides: the null space, and solutions with the
 * transposed matrix. */
#include "linalg/lapack.h"
#include "linalg/min_norm_parts.h"

#include <string.h>

/* x = Q x, or Q' x, of columns with entries; `count` such. */
static void turn(min_norm *m, const char *transposed, double *x, int count)
{
    int rows = m->full_rows, n = m->full_columns, reflectors = rows < n ? rows : n, info;
    if (m->rank == 0) return; /* nothing was decomposed, or of no use */
    dormqr_("L", transposed, &n, &count, &reflectors, m->qr, &n, m->tau, x, &n, m->work,
            &m->work_size, &info, 1, 1);
}

/* Vectors over the columns with entries, one behind the other, become such over all, in place. */
static void spread(const min_norm *m, double *basis, size_t count)
{
    size_t all = (size_t)m->columns, n = (size_t)m->full_columns;
    for (size_t k = count; k-- > 0;) {
        size_t c = n;
        for (size_t j = all; j-- > 0;) {
            bool full = c > 0 && m->column_at[c - 1] == (int)j;
            if (full) c--;
            basis[k * all + j] = full ? basis[k * n + c] * m->scale[j] : 0;
        }
    }
}

void min_norm_null_space(min_norm *m, double *basis)
{
    size_t all = (size_t)m->columns, n = (size_t)m->full_columns, rank = (size_t)m->rank;
    memset(basis, 0, all * (all - rank) * sizeof *basis);
    for (size_t k = rank; k < n; k++) basis[(k - rank) * n + k] = 1;
    if (rank < n) turn(m, "N", basis, (int)(n - rank));
    spread(m, basis, n - rank);
    for (size_t j = 0, c = 0, k = n - rank; j < all; j++) {
        if (c < n && m->column_at[c] == (int)j)
            c++;
        else
            basis[k++ * all + j] = m->scale[j];
    }
}

void min_norm_solve_transposed(min_norm *m, const double *w, double *mu)
{
    int one = 1, info, rows = m->full_rows;
    double *b = m->vector;
    memset(mu, 0, (size_t)m->rows * sizeof *mu);
    if (m->rank == 0) return;
    for (int c = 0; c < m->full_columns; c++) b[c] = w[m->column_at[c]] * m->scale[m->column_at[c]];
    turn(m, "T", b, 1);
    if (m->rank < rows) {
        for (int i = m->rank; i < rows; i++) b[i] = 0;
        dtrsv_("U", "T", "N", &m->rank, m->second, &rows, b, &one, 1, 1, 1);
        dormqr_("L", "N", &rows, &one, &m->rank, m->second, &rows, m->tau2, b, &rows, m->work,
                &m->work_size, &info, 1, 1);
    } else {
        dtrsv_("U", "N", "N", &m->rank, m->qr, &m->full_columns, b, &one, 1, 1, 1);
    }
    for (int i = 0; i < rows; i++) {
        int to = m->row_at[m->pivot[i] - 1];
        mu[to] = b[i] * m->row_scale[to];
    }
}
