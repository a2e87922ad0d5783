#include "linalg/sparse.h"

/* A column of a factor, as klu_numeric has it among units of a double: the numbers of its rows,
 * then their values (T. A. Davis & E. Palamadai Natarajan, Algorithm 907: KLU, ACM Trans. Math.
 * Softw. 37 (2010), 36). */
typedef struct factor_column {
    sparse_index count;
    const sparse_index *row; /* from the first one of the block */
    const double *value;
} factor_column;

static factor_column column_of(const double *block, sparse_index place, sparse_index count)
{
    const double *at = block + place;
    size_t units = ((size_t)count * sizeof(sparse_index) + sizeof *at - 1) / sizeof *at;
    return (factor_column){count, (const sparse_index *)at, at + units};
}

static void carve_rows(factor_rows *r, workspace *space, size_t n, size_t entries)
{
    r->start = workspace_take(space, n + 1, sizeof *r->start);
    r->column = workspace_take(space, entries, sizeof *r->column);
    r->value = workspace_doubles(space, entries);
}

/* Diagonal entries of L and U are not among the rows. */
static void carve(sparse_substitution *s)
{
    const klu_numeric *numeric = s->numeric;
    size_t lower = (size_t)numeric->lnz - s->n, upper = (size_t)numeric->unz - s->n;
    carve_rows(&s->forward, &s->space, s->n, lower + (size_t)numeric->nzoff);
    carve_rows(&s->backward, &s->space, s->n, upper);
    s->scale = workspace_doubles(&s->space, s->n);
    s->pivot = workspace_doubles(&s->space, s->n);
    s->x = workspace_doubles(&s->space, s->n);
}

typedef void take_column(factor_rows *r, size_t first, size_t j, factor_column c);

/* Count the entries of each row, in start[row + 1]. */
static void count_column(factor_rows *r, size_t first, size_t j, factor_column c)
{
    (void)j;
    for (sparse_index k = 0; k < c.count; k++) r->start[first + (size_t)c.row[k] + 1]++;
}

/* start[row] goes on with each of its entries. */
static void place_column(factor_rows *r, size_t first, size_t j, factor_column c)
{
    for (sparse_index k = 0; k < c.count; k++) {
        unsigned e = r->start[first + (size_t)c.row[k]]++;
        r->column[e] = (unsigned)j;
        r->value[e] = c.value[k];
    }
}

/* All columns of L or of U; a block of one row has none. */
static void take_factor(const sparse_substitution *s, bool upper, take_column *take, factor_rows *r)
{
    const klu_numeric *numeric = s->numeric;
    const sparse_index *block = s->symbolic->R;
    const sparse_index *place = upper ? numeric->Uip : numeric->Lip;
    const sparse_index *count = upper ? numeric->Ulen : numeric->Llen;
    for (sparse_index i = 0; i < s->symbolic->nblocks; i++)
        for (sparse_index j = block[i]; block[i + 1] - block[i] > 1 && j < block[i + 1]; j++)
            take(r, (size_t)block[i], (size_t)j, column_of(numeric->LUbx[i], place[j], count[j]));
}

static void take_beside(const sparse_substitution *s, take_column *take, factor_rows *r)
{
    const sparse_index *start = s->numeric->Offp;
    const double *value = s->numeric->Offx;
    for (size_t j = 0; j < s->n; j++)
        take(r, 0, j,
             (factor_column){start[j + 1] - start[j], s->numeric->Offi + start[j],
                             value + start[j]});
}

static void take_rows(sparse_substitution *s, take_column *take)
{
    take_factor(s, false, take, &s->forward);
    take_beside(s, take, &s->forward);
    take_factor(s, true, take, &s->backward);
}

static void count_rows(const sparse_substitution *s, factor_rows *r)
{
    for (size_t i = 0; i < s->n; i++) r->start[i + 1] += r->start[i];
}

/* After start[] has gone through the entries of its row. */
static void return_to_starts(const sparse_substitution *s, factor_rows *r)
{
    for (size_t i = s->n; i > 0; i--) r->start[i] = r->start[i - 1];
    r->start[0] = 0;
}

void sparse_substitution_take(sparse_substitution *s)
{
    const double *pivot = s->numeric->Udiag, *scale = s->numeric->Rs;
    take_rows(s, place_column);
    return_to_starts(s, &s->forward);
    return_to_starts(s, &s->backward);
    for (size_t k = 0; k < s->n; k++) {
        s->pivot[k] = 1 / pivot[k];
        s->scale[k] = scale ? 1 / scale[k] : 1;
    }
}

dae_status sparse_substitution_make(sparse_substitution *s, const klu_symbolic *symbolic,
                                    const klu_numeric *numeric)
{
    sparse_substitution_free(s);
    s->symbolic = symbolic;
    s->numeric = numeric;
    s->n = (size_t)numeric->n;
    carve(s);
    dae_status status = workspace_allocate(&s->space);
    if (status != DAE_OK) return status;
    carve(s);
    take_rows(s, count_column);
    count_rows(s, &s->forward);
    count_rows(s, &s->backward);
    sparse_substitution_take(s);
    return DAE_OK;
}

/* The sum of entries e ... end - 1 of a row times x. Long rows use four partial sums, because one
 * sum would wait for each of its additions. */
static inline double product(const factor_rows *r, size_t e, size_t end, const double *x)
{
    const double *value = r->value;
    const unsigned *column = r->column;
    double sum = 0;
    if (e + 4 <= end) {
        double second = 0, third = 0, fourth = 0;
        for (; e + 4 <= end; e += 4) {
            sum += value[e] * x[column[e]];
            second += value[e + 1] * x[column[e + 1]];
            third += value[e + 2] * x[column[e + 2]];
            fourth += value[e + 3] * x[column[e + 3]];
        }
        sum = (sum + second) + (third + fourth);
    }
    for (; e < end; e++) sum += value[e] * x[column[e]];
    return sum;
}

/* x[first ... end - 1] = L^-1 (R P b - F x) */
static void forward(const sparse_substitution *s, size_t first, size_t end, const double *b,
                    double *x)
{
    const sparse_index *from = s->numeric->Pnum;
    const factor_rows *r = &s->forward;
    for (size_t k = first; k < end; k++)
        x[k] = s->scale[k] * b[from[k]] - product(r, r->start[k], r->start[k + 1], x);
}

/* x[first ... end - 1] = U^-1 x */
static void backward(const sparse_substitution *s, size_t first, size_t end, double *x)
{
    const factor_rows *r = &s->backward;
    for (size_t k = end; k-- > first;)
        x[k] = s->pivot[k] * (x[k] - product(r, r->start[k], r->start[k + 1], x));
}

void sparse_substitution_solve(const sparse_substitution *s, double *b)
{
    const sparse_index *block = s->symbolic->R, *to = s->symbolic->Q;
    for (sparse_index i = s->symbolic->nblocks; i-- > 0;) {
        size_t first = (size_t)block[i], end = (size_t)block[i + 1];
        forward(s, first, end, b, s->x);
        backward(s, first, end, s->x);
    }
    for (size_t k = 0; k < s->n; k++) b[to[k]] = s->x[k];
}

void sparse_substitution_free(sparse_substitution *s)
{
    workspace_free(&s->space);
    *s = (sparse_substitution){0};
}
