/* The Schur form of a matrix by its strong components.
 *
 * In the order of its components the matrix is block upper triangular. Each diagonal block is
 * balanced (D) and brought to its Schur form, D_i^-1 A_ii D_i = Q_i T_ii Q_i^T; with T_ij = Q_i^T
 * D_i^-1 A_ij D_j Q_j the whole is one quasi-triangular T, whose eigenvectors follow by
 * substitution (Golub & Van Loan, Matrix Computations, ch. 7.6). For a single component these are
 * the steps of LAPACK's dgeev. */
#include "analysis/spectrum.h"

#include "linalg/lapack.h"
#include "structure/structure.h"

#include <string.h>

/* Columns of work space: LAPACK's blocks of 32, twice, and what dgehrd keeps besides. */
enum { WORK_COLUMNS = 64, WORK_BESIDES = 4160 };

typedef struct schur {
    arena *scratch;
    size_t n;
    size_t *at;    /* n: the row of the matrix that stands there */
    double *T, *Q; /* n x n, columns contiguous */
    double *scale; /* n: D */
    spectrum *s;
} schur;

/* A component: its first place and how many there are. */
typedef struct component {
    size_t first, count;
} component;

/* Each row may be computed once those are known that it depends on: a regular system with x_i' in
 * place i. */
static const blocks *components(arena *a, size_t n, const double *m)
{
    incidence in = {.rows = n, .columns = n};
    signature s = {.regular = true};
    size_t entries = n;
    for (size_t k = 0; k < n * n; k++) entries += m[k] != 0;
    in.start = arena_array(a, n + 1, sizeof *in.start);
    in.column = arena_array(a, entries, sizeof *in.column);
    in.order = arena_array(a, entries, sizeof *in.order);
    s.c = arena_array(a, n, sizeof *s.c);
    s.d = arena_array(a, n, sizeof *s.d);
    s.match = arena_array(a, n, sizeof *s.match);
    size_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++)
            if (i == j || m[i * n + j] != 0) in.column[at++] = j;
        in.start[i + 1] = at;
        s.match[i] = i;
    }
    return structure_blocks(a, &in, &s);
}

/* T becomes the matrix with its components in such an order that it is block upper triangular. */
static void arrange(schur *w, const double *m, const blocks *b)
{
    size_t n = w->n;
    for (size_t i = 0; i < n; i++) w->at[i] = b->row[n - 1 - i];
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) w->T[j * n + i] = m[w->at[i] * n + w->at[j]];
    for (size_t i = 0; i < n; i++) w->scale[i] = 1;
}

/* The diagonal block in T and Q becomes its Schur form. */
static bool decompose_block(const schur *w, component c)
{
    int size = (int)c.count, n = (int)w->n, one = 1, low, high, info = 0;
    int length = WORK_COLUMNS * size + WORK_BESIDES;
    size_t diagonal = c.first * w->n + c.first;
    double *T = w->T + diagonal, *Q = w->Q + diagonal, *work, *tau;
    work = arena_array(w->scratch, (size_t)length, sizeof *work);
    tau = arena_array(w->scratch, c.count, sizeof *tau);
    dgebal_("S", &size, T, &n, &low, &high, w->scale + c.first, &info, 1);
    dgehrd_(&size, &one, &size, T, &n, tau, work, &length, &info);
    for (size_t j = 0; j < c.count; j++) memcpy(Q + j * w->n, T + j * w->n, c.count * sizeof *Q);
    dorghr_(&size, &one, &size, Q, &n, tau, work, &length, &info);
    dhseqr_("S", "V", &size, &one, &size, T, &n, w->s->real + c.first, w->s->imaginary + c.first, Q,
            &n, work, &length, &info, 1, 1);
    return info == 0;
}

static bool is_zero(size_t rows, size_t columns, const double *m, size_t stride)
{
    for (size_t j = 0; j < columns; j++)
        for (size_t i = 0; i < rows; i++)
            if (m[j * stride + i] != 0) return false;
    return true;
}

/* m (rows x columns) becomes the product a b of which it is one factor. */
static void replace_by_product(const schur *w, const char *transposed, size_t rows, size_t columns,
                               size_t inner, const double *a, const double *b, double *m)
{
    double one = 1, none = 0;
    int i = (int)rows, j = (int)columns, k = (int)inner, n = (int)w->n;
    double *product = arena_array(w->scratch, rows * columns, sizeof *product);
    dgemm_(transposed, "N", &i, &j, &k, &one, a, &n, b, &n, &none, product, &i, 1, 1);
    for (size_t q = 0; q < columns; q++) memcpy(m + q * w->n, product + q * rows, rows * sizeof *m);
}

/* The blocks right of the diagonal one and above it follow its change of variables. */
static void change_others(const schur *w, component c)
{
    size_t n = w->n, end = c.first + c.count, behind = n - end;
    double *right = w->T + end * n + c.first, *above = w->T + c.first * n;
    const double *Q = w->Q + c.first * n + c.first;
    if (!is_zero(c.count, behind, right, n)) {
        for (size_t j = 0; j < behind; j++)
            for (size_t i = 0; i < c.count; i++) right[j * n + i] /= w->scale[c.first + i];
        replace_by_product(w, "T", c.count, behind, c.count, Q, right, right);
    }
    if (!is_zero(c.first, c.count, above, n)) {
        for (size_t j = 0; j < c.count; j++)
            for (size_t i = 0; i < c.first; i++) above[j * n + i] *= w->scale[c.first + j];
        replace_by_product(w, "N", c.first, c.count, c.count, above, Q, above);
    }
}

static bool decompose(const schur *w, component c)
{
    size_t diagonal = c.first * w->n + c.first;
    if (c.count == 1) {
        w->s->real[c.first] = w->T[diagonal];
        w->Q[diagonal] = 1;
        return true;
    }
    arena_mark mark = arena_here(w->scratch);
    bool done = decompose_block(w, c);
    if (done) change_others(w, c);
    arena_back(w->scratch, mark);
    return done;
}

/* Vectors of the balanced matrix in its order become those of the matrix; its rows are divided by
 * D for the left ones. */
static void put_back(const schur *w, bool left, double *columns)
{
    size_t n = w->n;
    double *own = arena_array(w->scratch, n, sizeof *own);
    for (size_t j = 0; j < n; j++) {
        double *column = columns + j * n;
        memcpy(own, column, n * sizeof *own);
        for (size_t i = 0; i < n; i++)
            column[w->at[i]] = left ? own[i] / w->scale[i] : own[i] * w->scale[i];
    }
}

static bool find_vectors(const schur *w)
{
    int n = (int)w->n, found, info, length = WORK_COLUMNS * n;
    double *work = arena_array(w->scratch, (size_t)length, sizeof *work);
    memcpy(w->s->left, w->Q, w->n * w->n * sizeof *w->Q);
    w->s->right = w->Q;
    dtrevc3_("B", "B", NULL, &n, w->T, &n, w->s->left, &n, w->s->right, &n, &n, &found, work,
             &length, &info, 1, 1);
    put_back(w, true, w->s->left);
    put_back(w, false, w->s->right);
    return info == 0;
}

bool spectrum_find(arena *a, size_t n, const double *m, spectrum *s)
{
    *s = (spectrum){.n = n};
    schur w = {.scratch = arena_part(a), .n = n, .s = s};
    const blocks *b = components(w.scratch, n, m);
    arena_vectors(a, n, (double **[]){&s->real, &s->imaginary, NULL});
    arena_vectors(a, n * n, (double **[]){&s->left, &w.Q, NULL});
    w.T = arena_array(w.scratch, n * n, sizeof *w.T);
    w.scale = arena_array(w.scratch, n, sizeof *w.scale);
    w.at = arena_array(w.scratch, n, sizeof *w.at);
    arrange(&w, m, b);
    for (size_t k = 0; k < b->count; k++) {
        size_t end = b->start[k + 1];
        if (!decompose(&w, (component){.first = n - end, .count = end - b->start[k]})) return false;
    }
    bool done = n == 0 || find_vectors(&w);
    arena_free(w.scratch);
    return done;
}
