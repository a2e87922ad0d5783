#include "problem/pair_rows.h"

#include "linalg/complex_parts.h"

#include <math.h>
#include <string.h>

/* A real array holds real parts alone. The functions that take `is_complex` are called with
 * constants and put in place, so that nothing is left of imaginary parts where they are compiled
 * for real arrays. */
typedef complex_parts parts;

static inline parts at(bool is_complex, const double *array, size_t k)
{
    return is_complex ? (parts){array[2 * k], array[2 * k + 1]} : (parts){array[k], 0};
}

static inline void set(bool is_complex, double *array, size_t k, parts value)
{
    array[is_complex ? 2 * k : k] = value.re;
    if (is_complex) array[2 * k + 1] = value.im;
}

static inline parts product(bool is_complex, parts a, parts b)
{
    return is_complex ? complex_product(a, b) : (parts){a.re * b.re, 0};
}

void pair_factors_carve(pair_factors *f, workspace *space)
{
    const pair_rows *r = f->rows;
    size_t n = r->whole->columns, trees = r->reduced->columns;
    size_t number = f->is_complex ? sizeof(parts) : sizeof(double);
    f->pair = workspace_take(space, r->count, sizeof *f->pair);
    f->root = workspace_take(space, trees, sizeof *f->root);
    f->ratio = workspace_take(space, r->count, number);
    f->inverse = workspace_take(space, r->count, number);
    f->weight = workspace_take(space, n, number);
    f->known = workspace_take(space, n, number);
    f->right = workspace_take(space, trees + 1, number);
    f->column = workspace_take(space, n, sizeof *f->column);
}

static inline __attribute__((always_inline)) size_t weigh(const pair_factors *f, bool is_complex,
                                                          const double *value)
{
    double *weight = f->weight;
    for (size_t i = 0; i < f->rows->reduced->columns; i++)
        set(is_complex, weight, f->root[i], (parts){1, 0});
    for (size_t e = 0; e < f->rows->count; e++) {
        const pair_row *p = &f->pair[e];
        parts child = at(is_complex, value, p->at_child);
        parts inverse = is_complex ? complex_inverse(child) : (parts){1 / child.re, 0};
        parts quotient = product(is_complex, at(is_complex, value, p->at_parent), inverse);
        parts ratio = {-quotient.re, -quotient.im};
        set(is_complex, f->inverse, e, inverse);
        set(is_complex, f->ratio, e, ratio);
        set(is_complex, weight, p->child,
            product(is_complex, ratio, at(is_complex, weight, p->parent)));
        if (!isfinite(inverse.re) || !isfinite(inverse.im)) return p->row;
        if (!isfinite(ratio.re) || !isfinite(ratio.im)) return p->row;
    }
    return f->rows->whole->rows;
}

/* Add up the columns of each tree, each times its weight, to one column. */
static inline __attribute__((always_inline)) void merge(const pair_factors *f, bool is_complex,
                                                        const double *value, double *reduced)
{
    const pair_rows *r = f->rows;
    const sparse_pattern *p = r->whole;
    size_t size = is_complex ? sizeof(parts) : sizeof(double);
    memset(reduced, 0, r->reduced->nonzeros * size);
    for (size_t j = 0; j < p->columns; j++) {
        parts weight = at(is_complex, f->weight, j);
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            parts part = product(is_complex, weight, at(is_complex, value, (size_t)k));
            parts sum = at(is_complex, reduced, r->where[k]);
            set(is_complex, reduced, r->where[k], (parts){sum.re + part.re, sum.im + part.im});
        }
    }
}

static inline __attribute__((always_inline)) size_t reduce(pair_factors *f, bool is_complex,
                                                           const double *value, double *reduced)
{
    size_t bad_row = weigh(f, is_complex, value);
    if (bad_row == f->rows->whole->rows) merge(f, is_complex, value, reduced);
    return bad_row;
}

size_t pair_factors_reduce(pair_factors *f, const void *value, const double *scale, void *reduced)
{
    f->value = value;
    pair_rows_choose_roots(f->rows, value, f->is_complex, scale, f->root, f->pair);
    return f->is_complex ? reduce(f, true, value, reduced) : reduce(f, false, value, reduced);
}

/* The sign by the order of elimination: first the pivots of the pairs, then the reduced matrix.
 * Adding multiples of columns to the roots' columns does not change the determinant. */
int pair_factors_sign(const pair_factors *f, int reduced)
{
    const pair_rows *r = f->rows;
    const double *value = f->value;
    size_t *column = f->column;
    bool minus = reduced < 0;
    for (size_t i = 0; i < r->reduced->rows; i++) column[r->kept[i]] = f->root[i];
    for (size_t e = 0; e < r->count; e++) {
        column[f->pair[e].row] = f->pair[e].child;
        if (value[f->pair[e].at_child] < 0) minus = !minus;
    }
    for (size_t i = 0; i < r->whole->rows; i++) { /* each exchange puts one column into its place */
        while (column[i] != i) {
            size_t other = column[i];
            column[i] = column[other];
            column[other] = other;
            minus = !minus;
        }
    }
    return minus ? -1 : 1;
}

/* Move the known parts of all columns that are not roots to the right side. */
static inline __attribute__((always_inline)) void take(const pair_factors *f, bool is_complex,
                                                       const double *x)
{
    const pair_rows *r = f->rows;
    const sparse_pattern *p = r->whole;
    double *known = f->known, *right = f->right;
    for (size_t i = 0; i < r->reduced->rows; i++) {
        set(is_complex, right, i, at(is_complex, x, r->kept[i]));
        set(is_complex, known, f->root[i], (parts){0, 0});
    }
    for (size_t e = 0; e < r->count; e++) {
        const pair_row *pair = &f->pair[e];
        size_t j = pair->child;
        parts own = product(is_complex, at(is_complex, x, pair->row),
                            at(is_complex, f->inverse, e));
        parts more = product(is_complex, at(is_complex, f->ratio, e),
                             at(is_complex, known, pair->parent));
        parts sum = {own.re + more.re, own.im + more.im};
        set(is_complex, known, j, sum);
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = r->place[p->row[k]];
            parts part = product(is_complex, at(is_complex, f->value, (size_t)k), sum);
            parts left = at(is_complex, right, i);
            set(is_complex, right, i, (parts){left.re - part.re, left.im - part.im});
        }
    }
}

void pair_factors_take(pair_factors *f, const void *x)
{
    if (f->is_complex)
        take(f, true, x);
    else
        take(f, false, x);
}

static inline __attribute__((always_inline)) void give(const pair_factors *f, bool is_complex,
                                                       double *x)
{
    const pair_rows *r = f->rows;
    for (size_t tree = 0; tree < r->reduced->columns; tree++) {
        parts right = at(is_complex, f->right, tree);
        set(is_complex, x, f->root[tree], right);
        for (size_t e = r->first[tree]; e < r->first[tree + 1]; e++) {
            size_t j = f->pair[e].child;
            parts known = at(is_complex, f->known, j);
            parts part = product(is_complex, at(is_complex, f->weight, j), right);
            set(is_complex, x, j, (parts){known.re + part.re, known.im + part.im});
        }
    }
}

void pair_factors_give(pair_factors *f, void *x)
{
    if (f->is_complex)
        give(f, true, x);
    else
        give(f, false, x);
}
