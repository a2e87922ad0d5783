#include "problem/pair_rows.h"

#include <math.h>
#include <string.h>

/* Complex numbers as real and imaginary parts, stored in turn. The language's complex operators
 * test each product for NaN; these do not. */
typedef struct parts {
    double re, im;
} parts;

static parts product(parts a, parts b)
{
    return (parts){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Smith, Comm. ACM 5 (1962) 435. */
static parts inverse_of(parts a)
{
    if (fabs(a.re) >= fabs(a.im)) {
        double ratio = a.im / a.re, size = a.re + a.im * ratio;
        return (parts){1 / size, -ratio / size};
    }
    double ratio = a.re / a.im, size = a.re * ratio + a.im;
    return (parts){ratio / size, -1 / size};
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

static size_t weigh(pair_factors *f, const double *value)
{
    double *weight = f->weight, *ratio = f->ratio, *inverse = f->inverse;
    for (size_t i = 0; i < f->rows->reduced->columns; i++) weight[f->root[i]] = 1;
    for (size_t e = 0; e < f->rows->count; e++) {
        const pair_row *p = &f->pair[e];
        inverse[e] = 1 / value[p->at_child];
        ratio[e] = -value[p->at_parent] * inverse[e];
        weight[p->child] = ratio[e] * weight[p->parent];
        if (!isfinite(inverse[e]) || !isfinite(ratio[e])) return p->row;
    }
    return f->rows->whole->rows;
}

static size_t weigh_complex(pair_factors *f, const parts *value)
{
    parts *weight = f->weight, *ratio = f->ratio, *inverse = f->inverse;
    for (size_t i = 0; i < f->rows->reduced->columns; i++) weight[f->root[i]] = (parts){1, 0};
    for (size_t e = 0; e < f->rows->count; e++) {
        const pair_row *p = &f->pair[e];
        inverse[e] = inverse_of(value[p->at_child]);
        parts quotient = product(value[p->at_parent], inverse[e]);
        ratio[e] = (parts){-quotient.re, -quotient.im};
        weight[p->child] = product(ratio[e], weight[p->parent]);
        if (!isfinite(inverse[e].re) || !isfinite(inverse[e].im)) return p->row;
        if (!isfinite(ratio[e].re) || !isfinite(ratio[e].im)) return p->row;
    }
    return f->rows->whole->rows;
}

/* Add up the columns of each tree, each times its weight, to one column. */
static void merge(const pair_factors *f, const double *value, double *reduced)
{
    const pair_rows *r = f->rows;
    const sparse_pattern *p = r->whole;
    const double *weight = f->weight;
    memset(reduced, 0, r->reduced->nonzeros * sizeof *reduced);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            reduced[r->where[k]] += weight[j] * value[k];
}

static void merge_complex(const pair_factors *f, const parts *value, parts *reduced)
{
    const pair_rows *r = f->rows;
    const sparse_pattern *p = r->whole;
    const parts *weight = f->weight;
    memset(reduced, 0, r->reduced->nonzeros * sizeof *reduced);
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            parts part = product(weight[j], value[k]);
            reduced[r->where[k]].re += part.re;
            reduced[r->where[k]].im += part.im;
        }
    }
}

size_t pair_factors_reduce(pair_factors *f, const void *value, const double *scale, void *reduced)
{
    f->value = value;
    pair_rows_choose_roots(f->rows, value, f->is_complex, scale, f->root, f->pair);
    size_t bad_row = f->is_complex ? weigh_complex(f, value) : weigh(f, value);
    if (bad_row < f->rows->whole->rows) return bad_row;
    if (f->is_complex)
        merge_complex(f, value, reduced);
    else
        merge(f, value, reduced);
    return bad_row;
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
static void take(const pair_factors *f, const double *x)
{
    const pair_rows *r = f->rows;
    const sparse_pattern *p = r->whole;
    const double *value = f->value, *ratio = f->ratio, *inverse = f->inverse;
    double *known = f->known, *right = f->right;
    for (size_t i = 0; i < r->reduced->rows; i++) {
        right[i] = x[r->kept[i]];
        known[f->root[i]] = 0;
    }
    for (size_t e = 0; e < r->count; e++) {
        size_t j = f->pair[e].child;
        known[j] = x[f->pair[e].row] * inverse[e] + ratio[e] * known[f->pair[e].parent];
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            right[r->place[p->row[k]]] -= value[k] * known[j];
    }
}

static void take_complex(const pair_factors *f, const parts *x)
{
    const pair_rows *r = f->rows;
    const sparse_pattern *p = r->whole;
    const parts *value = f->value, *ratio = f->ratio, *inverse = f->inverse;
    parts *known = f->known, *right = f->right;
    for (size_t i = 0; i < r->reduced->rows; i++) {
        right[i] = x[r->kept[i]];
        known[f->root[i]] = (parts){0, 0};
    }
    for (size_t e = 0; e < r->count; e++) {
        size_t j = f->pair[e].child;
        parts own = product(x[f->pair[e].row], inverse[e]);
        parts more = product(ratio[e], known[f->pair[e].parent]);
        known[j] = (parts){own.re + more.re, own.im + more.im};
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            parts part = product(value[k], known[j]);
            right[r->place[p->row[k]]].re -= part.re;
            right[r->place[p->row[k]]].im -= part.im;
        }
    }
}

void pair_factors_take(pair_factors *f, const void *x)
{
    if (f->is_complex)
        take_complex(f, x);
    else
        take(f, x);
}

static void give(const pair_factors *f, double *x)
{
    const pair_rows *r = f->rows;
    const double *known = f->known, *weight = f->weight, *right = f->right;
    for (size_t tree = 0; tree < r->reduced->columns; tree++) {
        x[f->root[tree]] = right[tree];
        for (size_t e = r->first[tree]; e < r->first[tree + 1]; e++) {
            size_t j = f->pair[e].child;
            x[j] = known[j] + weight[j] * right[tree];
        }
    }
}

static void give_complex(const pair_factors *f, parts *x)
{
    const pair_rows *r = f->rows;
    const parts *known = f->known, *weight = f->weight, *right = f->right;
    for (size_t tree = 0; tree < r->reduced->columns; tree++) {
        x[f->root[tree]] = right[tree];
        for (size_t e = r->first[tree]; e < r->first[tree + 1]; e++) {
            size_t j = f->pair[e].child;
            parts part = product(weight[j], right[tree]);
            x[j] = (parts){known[j].re + part.re, known[j].im + part.im};
        }
    }
}

void pair_factors_give(pair_factors *f, void *x)
{
    if (f->is_complex)
        give_complex(f, x);
    else
        give(f, x);
}
