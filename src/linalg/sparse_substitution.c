#include "linalg/sparse.h"

enum { LOWER, UPPER, BESIDE, FACTORS };

static size_t first_of(const sparse_substitution *s, int factor)
{
    return factor == LOWER ? 0 : factor == UPPER ? s->lower : s->lower + s->upper;
}

static void carve_rows(factor_rows *r, workspace *space, size_t n, size_t entries)
{
    r->start = workspace_take(space, n + 1, sizeof *r->start);
    r->from = workspace_take(space, entries, sizeof *r->from);
    r->column = workspace_take(space, entries, sizeof *r->column);
    r->value = workspace_doubles(space, entries);
}

/* Diagonal entries of L and U are not among the rows. */
static void carve(sparse_substitution *s)
{
    const size_t entries[FACTORS] = {s->lower, s->upper, s->beside};
    for (int f = 0; f < FACTORS; f++) {
        s->start[f] = workspace_take(&s->space, s->n + 1, sizeof *s->start[f]);
        s->row[f] = workspace_take(&s->space, entries[f] + 1, sizeof *s->row[f]);
    }
    s->value = workspace_doubles(&s->space, s->lower + s->upper + s->beside + 1);
    carve_rows(&s->forward, &s->space, s->n, s->lower - s->n + s->beside);
    carve_rows(&s->backward, &s->space, s->n, s->upper - s->n);
    s->scale = workspace_doubles(&s->space, s->n);
    s->pivot = workspace_doubles(&s->space, s->n);
    s->x = workspace_doubles(&s->space, s->n);
}

static void extract(sparse_substitution *s, klu_common *common)
{
    double *value[FACTORS];
    for (int f = 0; f < FACTORS; f++) value[f] = s->value + first_of(s, f);
    klu_extract(s->numeric, s->symbolic, s->start[LOWER], s->row[LOWER], value[LOWER],
                s->start[UPPER], s->row[UPPER], value[UPPER], s->start[BESIDE], s->row[BESIDE],
                value[BESIDE], NULL, NULL, NULL, NULL, common);
}

/* Count the off-diagonal entries of each row, in start[row + 1]. */
static void count_rows(const sparse_substitution *s, int factor, factor_rows *r)
{
    for (size_t j = 0; j < s->n; j++)
        for (sparse_index k = s->start[factor][j]; k < s->start[factor][j + 1]; k++)
            if (s->row[factor][k] != (sparse_index)j) r->start[s->row[factor][k] + 1]++;
}

/* start[row] goes on with each of its entries. */
static void place_entries(const sparse_substitution *s, int factor, factor_rows *r)
{
    for (size_t j = 0; j < s->n; j++)
        for (sparse_index k = s->start[factor][j]; k < s->start[factor][j + 1]; k++) {
            if (s->row[factor][k] == (sparse_index)j) continue;
            size_t e = r->start[s->row[factor][k]]++;
            r->column[e] = (unsigned)j;
            r->from[e] = first_of(s, factor) + (size_t)k;
        }
}

static void list_rows(const sparse_substitution *s, factor_rows *r, int factor, int another)
{
    count_rows(s, factor, r);
    if (another != factor) count_rows(s, another, r);
    for (size_t i = 0; i < s->n; i++) r->start[i + 1] += r->start[i];
    place_entries(s, factor, r);
    if (another != factor) place_entries(s, another, r);
    for (size_t i = s->n; i > 0; i--) r->start[i] = r->start[i - 1];
    r->start[0] = 0;
}

static void take_rows(const sparse_substitution *s, factor_rows *r)
{
    for (size_t e = 0; e < r->start[s->n]; e++) r->value[e] = s->value[r->from[e]];
}

static void take_values(sparse_substitution *s)
{
    const double *pivot = s->numeric->Udiag, *scale = s->numeric->Rs;
    take_rows(s, &s->forward);
    take_rows(s, &s->backward);
    for (size_t k = 0; k < s->n; k++) {
        s->pivot[k] = 1 / pivot[k];
        s->scale[k] = scale ? 1 / scale[k] : 1;
    }
}

dae_status sparse_substitution_make(sparse_substitution *s, klu_symbolic *symbolic,
                                    klu_numeric *numeric, klu_common *common)
{
    sparse_substitution_free(s);
    s->symbolic = symbolic;
    s->numeric = numeric;
    s->n = (size_t)numeric->n;
    s->lower = (size_t)numeric->lnz;
    s->upper = (size_t)numeric->unz;
    s->beside = (size_t)numeric->nzoff;
    carve(s);
    dae_status status = workspace_allocate(&s->space);
    if (status != DAE_OK) return status;
    carve(s);
    extract(s, common);
    list_rows(s, &s->forward, LOWER, BESIDE);
    list_rows(s, &s->backward, UPPER, UPPER);
    take_values(s);
    return DAE_OK;
}

void sparse_substitution_take(sparse_substitution *s, klu_common *common)
{
    extract(s, common);
    take_values(s);
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
