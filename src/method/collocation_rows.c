#include "method/collocation_rows.h"

#include "linalg/lapack.h"

#include <math.h>
#include <string.h>

enum { MOST = COLLOCATION_MOST_STAGES };

typedef long double real; /* coefficients are computed with some digits to spare */

/* Solve m x = b by elimination with pivoting; m and b are overwritten, x is b. */
static void solve_small(int n, real m[MOST][MOST], real *b)
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabsl(m[i][k]) > fabsl(m[pivot][k])) pivot = i;
        for (int j = 0; j < n; j++) {
            real other = m[k][j];
            m[k][j] = m[pivot][j];
            m[pivot][j] = other;
        }
        real other = b[k];
        b[k] = b[pivot];
        b[pivot] = other;
        for (int i = k + 1; i < n; i++) {
            real factor = m[i][k] / m[k][k];
            for (int j = k; j < n; j++) m[i][j] -= factor * m[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= m[k][j] * b[j];
        b[k] /= m[k][k];
    }
}

/* Weights w with sum w_j c_j^(k-1) = moment[k-1], k = 1 ... n. */
static void from_moments(int n, const real *c, const real *moment, real *w)
{
    real m[MOST][MOST];
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) m[k][j] = k == 0 ? 1 : m[k - 1][j] * c[j];
        w[k] = moment[k];
    }
    solve_small(n, m, w);
}

static void invert(int n, const real a[MOST][MOST], real inverse[MOST][MOST])
{
    for (int j = 0; j < n; j++) {
        real m[MOST][MOST], b[MOST] = {0};
        memcpy(m, a, sizeof m);
        b[j] = 1;
        solve_small(n, m, b);
        for (int i = 0; i < n; i++) inverse[i][j] = b[i];
    }
}

/* The polynomial d^(s-1)/dx^(s-1) x^(s-1) (x-1)^s, whose roots are the nodes of Radau IIA, by its
 * coefficients from the lowest power up. */
static void radau_polynomial(int s, real *coefficient)
{
    real binomial = 1;
    for (int k = 0; k <= s;
         k++) { /* x^(s-1) times the k-th power of (x-1)^s, differentiated s-1 times */
        real factor = 1;
        for (int i = 0; i < s - 1; i++) factor *= s - 1 + k - i;
        coefficient[k] = ((s - k) % 2 ? -1 : 1) * binomial * factor;
        binomial = binomial * (s - k) / (k + 1);
    }
}

static real evaluate(int degree, const real *coefficient, real x, real *slope)
{
    real value = 0;
    *slope = 0;
    for (int k = degree; k >= 0; k--) {
        *slope = *slope * x + value;
        value = value * x + coefficient[k];
    }
    return value;
}

/* Roots in (0, 1], ascending, by Newton's iteration with the roots found divided out (Maehly). */
static void find_roots(int s, const real *coefficient, real *root)
{
    root[s - 1] = 1;
    for (int found = 1; found < s; found++) {
        real x = 0.99L * root[s - found];
        for (int i = 0; i < 100; i++) {
            real slope, value = evaluate(s, coefficient, x, &slope), deflation = 0;
            for (int k = s - found; k < s; k++) deflation += 1 / (x - root[k]);
            real step = value / (slope - value * deflation);
            x -= step;
            if (fabsl(step) < 1e-19L) break;
        }
        root[s - 1 - found] = x;
    }
}

/* Eigenvalues and vectors of A^-1, in real arithmetic: A^-1 V = V B with B of 1 x 1 and 2 x 2
 * blocks. */
static dae_status diagonalize(collocation_row *row)
{
    int n = row->stages, work_size = 64 * MOST, info, one = 1;
    double matrix[MOST * MOST], re[MOST], im[MOST], vector[MOST * MOST], work[64 * MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) matrix[j * n + i] = row->inverse[i][j];
    dgeev_("N", "V", &n, matrix, &n, re, im, NULL, &one, vector, &n, work, &work_size, &info, 1, 1);
    if (info != 0) return DAE_SINGULAR;

    real basis[MOST][MOST] = {{0}}, inverse[MOST][MOST];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) basis[i][j] = (real)vector[j * n + i];
    invert(n, (const real(*)[MOST])basis, inverse);
    row->blocks = 0;
    for (int pass = 0; pass < 2; pass++) { /* real ones first */
        for (int j = 0; j < n; j++) {
            bool is_complex = im[j] != 0;
            if (is_complex != (pass == 1) || im[j] < 0) continue;
            collocation_block *b = &row->block[row->blocks++];
            *b = (collocation_block){.is_complex = is_complex, .re = re[j], .im = im[j]};
            for (int i = 0; i < n; i++) {
                b->from_re[i] = (double)basis[i][j];
                b->from_im[i] = is_complex ? (double)basis[i][j + 1] : 0;
                b->into_re[i] = (double)(is_complex ? inverse[j][i] / 2 : inverse[j][i]);
                b->into_im[i] = is_complex ? (double)(-inverse[j + 1][i] / 2) : 0;
            }
        }
    }
    return DAE_OK;
}

/* The embedded formula uses f(t0, y0) with weight 1/lambda, lambda the real eigenvalue, so that its
 * linear system is one that is factored anyway. */
static void make_error_formula(collocation_row *row, const real *c, const real inverse[MOST][MOST])
{
    int s = row->stages;
    row->has_error = !row->block[0].is_complex;
    if (!row->has_error) return;
    real moment[MOST] = {0}, embedded[MOST];
    for (int k = 0; k < s; k++) moment[k] = 1.0L / (k + 1);
    moment[0] -= 1.0L / (real)row->block[0].re;
    from_moments(s, c, moment, embedded);
    for (int i = 0; i < s; i++) {
        real sum = 0;
        for (int j = 0; j < s; j++) sum += (embedded[j] - (real)row->b[j]) * inverse[j][i];
        row->error[i] = (double)sum;
    }
    row->error_order = s;
}

static void make_polynomial(collocation_row *row, const real *c)
{
    int s = row->stages;
    real powers[MOST][MOST] = {{0}}, inverse[MOST][MOST];
    for (int i = 0; i < s; i++)
        for (int m = 0; m < s; m++) powers[i][m] = m == 0 ? c[i] : powers[i][m - 1] * c[i];
    invert(s, (const real(*)[MOST])powers, inverse);
    for (int m = 0; m < s; m++)
        for (int i = 0; i < s; i++) row->polynomial[m][i] = (double)inverse[m][i];
    for (int k = 1; k < 1000; k++) {
        double product = k / 1000.0;
        for (int i = 0; i < s; i++) product *= k / 1000.0 - row->c[i];
        row->largest_node_product = fmax(row->largest_node_product, fabs(product));
    }
}

static dae_status from_nodes(collocation_row *row, int s, const real *c)
{
    real a[MOST][MOST] = {{0}}, inverse[MOST][MOST], moment[MOST] = {0}, weight[MOST];
    *row = (collocation_row){.stages = s};
    for (int i = 0; i < s; i++) {
        real power = 1;
        for (int k = 0; k < s; k++) moment[k] = (power *= c[i]) / (k + 1);
        from_moments(s, c, moment, a[i]);
    }
    for (int k = 0; k < s; k++) moment[k] = 1.0L / (k + 1);
    from_moments(s, c, moment, weight);
    invert(s, (const real(*)[MOST])a, inverse);
    for (int i = 0; i < s; i++) {
        row->c[i] = (double)c[i];
        row->b[i] = (double)weight[i];
        for (int j = 0; j < s; j++) {
            row->a[i][j] = (double)a[i][j];
            row->inverse[i][j] = (double)inverse[i][j];
        }
    }
    make_polynomial(row, c);
    dae_status status = diagonalize(row);
    if (status == DAE_OK) make_error_formula(row, c, (const real(*)[MOST])inverse);
    return status;
}

dae_status collocation_radau_iia(collocation_row *row, int stages)
{
    real coefficient[MOST + 1], c[MOST];
    if (stages < 1 || stages > MOST || stages % 2 == 0) return DAE_USAGE;
    radau_polynomial(stages, coefficient);
    find_roots(stages, coefficient, c);
    dae_status status = from_nodes(row, stages, c);
    row->order = 2 * stages - 1;
    return status;
}
