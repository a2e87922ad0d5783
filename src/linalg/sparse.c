#include "linalg/sparse.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

/* Stable counting sort of `order` (entries, or NULL for 0, 1, 2, ...) by key. */
static void sort_by(arena *a, size_t keys, size_t entries, const uint32_t *key,
                    const uint32_t *order, uint32_t *sorted)
{
    uint32_t *next = arena_array(a, keys + 1, sizeof *next);
    for (size_t i = 0; i < entries; i++) next[key[i] + 1]++;
    for (size_t k = 0; k < keys; k++) next[k + 1] += next[k];
    for (size_t i = 0; i < entries; i++) {
        uint32_t entry = order ? order[i] : (uint32_t)i;
        sorted[next[key[entry]]++] = entry;
    }
    arena_return(a, next, keys + 1, sizeof *next);
}

/* A pattern with room for its nonzeros. */
static sparse_pattern *new_pattern(arena *a, size_t rows, size_t columns, size_t most)
{
    if (most > INT_MAX || rows > INT_MAX) arena_fail(a);
    sparse_pattern *p = arena_take(a, sizeof *p);
    *p = (sparse_pattern){.rows = rows, .columns = columns};
    p->start = arena_array(a, columns + 1, sizeof *p->start);
    p->row = arena_array(a, most, sizeof *p->row);
    return p;
}

sparse_entries sparse_entries_take(arena *a, size_t most)
{
    if (most > INT_MAX) arena_fail(a);
    return (sparse_entries){.most = most,
                            .row = arena_array(a, most, sizeof(uint32_t)),
                            .column = arena_array(a, most, sizeof(uint32_t)),
                            .where = arena_array(a, most, sizeof(uint32_t)),
                            .from = arena_array(a, most, sizeof(uint32_t))};
}

void sparse_entries_add(sparse_entries *e, size_t row, size_t column)
{
    e->row[e->count] = (uint32_t)row;
    e->column[e->count++] = (uint32_t)column;
}

void sparse_entries_add_from(sparse_entries *e, size_t row, size_t column, size_t from)
{
    e->from[e->count] = (uint32_t)from;
    sparse_entries_add(e, row, column);
}

void sparse_entries_add_all(sparse_entries *e, const sparse_pattern *p, size_t row, size_t column)
{
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            sparse_entries_add(e, row + (size_t)p->row[k], column + j);
}

void sparse_entries_add_transposed(sparse_entries *e, const sparse_pattern *p, size_t row,
                                   size_t column)
{
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            sparse_entries_add(e, row + j, column + (size_t)p->row[k]);
}

void sparse_entries_add_column(sparse_entries *e, const sparse_pattern *p, size_t column, size_t to)
{
    for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++)
        sparse_entries_add_from(e, (size_t)p->row[k], to, (size_t)k);
}

sparse_pattern *sparse_entries_build(arena *a, sparse_entries *e, size_t rows, size_t columns)
{
    sparse_pattern *p = new_pattern(a, rows, columns, e->count);
    uint32_t *by_row = arena_array(a, e->count, sizeof *by_row);
    uint32_t *by_column = arena_array(a, e->count, sizeof *by_column);
    sort_by(a, rows, e->count, e->row, NULL, by_row);
    sort_by(a, columns, e->count, e->column, by_row, by_column);
    for (size_t i = 0; i < e->count; i++) {
        uint32_t entry = by_column[i], row = e->row[entry], column = e->column[entry];
        bool new_place = i == 0 || e->column[by_column[i - 1]] != column ||
                         e->row[by_column[i - 1]] != row;
        if (new_place) {
            p->row[p->nonzeros++] = (sparse_index)row;
            p->start[column + 1]++;
        }
        e->where[entry] = (uint32_t)p->nonzeros - 1;
    }
    for (size_t j = 0; j < columns; j++) p->start[j + 1] += p->start[j];
    arena_return(a, by_row, e->count, sizeof *by_row);
    arena_return(a, by_column, e->count, sizeof *by_column);
    arena_return(a, e->row, e->most, sizeof *e->row);
    arena_return(a, e->column, e->most, sizeof *e->column);
    e->row = e->column = NULL;
    return p;
}

sparse_pattern *sparse_build(arena *a, size_t rows, size_t columns, size_t entries,
                             const size_t *row, const size_t *column, size_t *where)
{
    sparse_entries e = sparse_entries_take(a, entries);
    for (size_t i = 0; i < entries; i++) sparse_entries_add(&e, row[i], column[i]);
    sparse_pattern *p = sparse_entries_build(a, &e, rows, columns);
    for (size_t i = 0; i < entries; i++) where[i] = e.where[i];
    arena_return(a, e.where, e.most, sizeof *e.where);
    arena_return(a, e.from, e.most, sizeof *e.from);
    return p;
}

sparse_pattern *sparse_entries_build_from(arena *a, sparse_entries *e, size_t rows, size_t columns,
                                          uint32_t **from)
{
    sparse_pattern *p = sparse_entries_build(a, e, rows, columns);
    *from = arena_array(a, p->nonzeros, sizeof **from);
    for (size_t k = 0; k < e->count; k++) (*from)[e->where[k]] = e->from[k];
    arena_return(a, e->where, e->most, sizeof *e->where);
    arena_return(a, e->from, e->most, sizeof *e->from);
    *e = (sparse_entries){0};
    return p;
}

sparse_pattern *sparse_part(arena *a, const sparse_pattern *all, const bool *kept, size_t **from)
{
    sparse_pattern *p = new_pattern(a, all->rows, all->columns, all->nonzeros);
    *from = arena_array(a, all->nonzeros, sizeof **from);
    for (size_t j = 0; j < all->columns; j++) {
        for (sparse_index k = all->start[j]; k < all->start[j + 1]; k++) {
            if (!kept[k]) continue;
            (*from)[p->nonzeros] = (size_t)k;
            p->row[p->nonzeros++] = all->row[k];
        }
        p->start[j + 1] = (sparse_index)p->nonzeros;
    }
    return p;
}

sparse_pattern *sparse_full(arena *a, size_t rows, size_t columns)
{
    sparse_pattern *p = new_pattern(a, rows, columns, rows * columns);
    for (size_t j = 0; j < columns; j++) {
        for (size_t i = 0; i < rows; i++) p->row[p->nonzeros++] = (sparse_index)i;
        p->start[j + 1] = (sparse_index)p->nonzeros;
    }
    return p;
}

static size_t root_of(size_t *up, size_t i)
{
    while (up[i] != i) i = up[i] = up[up[i]];
    return i;
}

size_t sparse_parts(arena *a, const sparse_pattern *p, size_t *row_part, size_t *column_part)
{
    size_t parts = 0, *up = arena_array(a, p->rows, sizeof *up);
    for (size_t i = 0; i < p->rows; i++) up[i] = i, row_part[i] = SPARSE_NO_PART;
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j] + 1; k < p->start[j + 1]; k++)
            up[root_of(up, (size_t)p->row[k])] = root_of(up, (size_t)p->row[p->start[j]]);
    for (size_t j = 0; j < p->columns; j++) {
        column_part[j] = SPARSE_NO_PART;
        if (p->start[j] == p->start[j + 1]) continue;
        size_t root = root_of(up, (size_t)p->row[p->start[j]]);
        if (row_part[root] == SPARSE_NO_PART) row_part[root] = parts++;
        column_part[j] = row_part[root];
    }
    for (size_t i = 0; i < p->rows; i++) row_part[i] = row_part[root_of(up, i)];
    arena_return(a, up, p->rows, sizeof *up);
    return parts;
}

size_t *sparse_members(arena *a, size_t parts, size_t members, size_t *part, size_t **first)
{
    size_t *list = arena_array(a, members, sizeof *list);
    *first = arena_array(a, parts + 3, sizeof **first); /* also if there are none */
    for (size_t i = 0; i < members; i++) {
        if (part[i] == SPARSE_NO_PART) part[i] = 0;
        (*first)[part[i] + 2]++;
    }
    for (size_t k = 0; k < parts; k++) (*first)[k + 2] += (*first)[k + 1];
    for (size_t i = 0; i < members; i++) list[(*first)[part[i] + 1]++] = i;
    return list;
}

sparse_pattern *sparse_diagonal(arena *a, size_t n)
{
    sparse_pattern *p = new_pattern(a, n, n, n);
    p->nonzeros = n;
    for (size_t j = 0; j < n; j++) {
        p->row[j] = (sparse_index)j;
        p->start[j + 1] = (sparse_index)(j + 1);
    }
    return p;
}

void sparse_multiply(const sparse_pattern *p, const double *value, const double *x, double *y)
{
    memset(y, 0, p->rows * sizeof *y);
    sparse_add_product(p, value, x, y);
}

void sparse_add_product(const sparse_pattern *p, const double *value, const double *x, double *y)
{
    const sparse_index *start = p->start, *row = p->row;
    sparse_index k = start[0];
    for (size_t j = 0, columns = p->columns; j < columns; j++)
        for (sparse_index end = start[j + 1]; k < end; k++) y[row[k]] += value[k] * x[j];
}

void sparse_add_transposed(const sparse_pattern *p, const double *value, double factor,
                           const double *x, double *y)
{
    for (size_t j = 0; j < p->columns; j++) {
        double sum = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) sum += value[k] * x[p->row[k]];
        y[j] += factor * sum;
    }
}

void sparse_row_squares(const sparse_pattern *p, const double *value, const double *unit,
                        double *square)
{
    memset(square, 0, p->rows * sizeof *square);
    for (size_t j = 0; j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            square[p->row[k]] += value[k] * value[k] * unit[j] * unit[j];
}

/* Products of sparse matrices whose patterns stay. */

sparse_product *sparse_product_create(arena *a, const sparse_pattern *left,
                                      const sparse_pattern *right)
{
    sparse_product *p = arena_take(a, sizeof *p);
    for (size_t k = 0; k < right->nonzeros; k++)
        p->terms += (size_t)(left->start[right->row[k] + 1] - left->start[right->row[k]]);
    sparse_entries e = sparse_entries_take(a, p->terms);
    p->left = arena_array(a, p->terms, sizeof *p->left);
    p->right = arena_array(a, p->terms, sizeof *p->right);
    p->where = e.where;
    for (size_t j = 0; j < right->columns; j++) {
        for (sparse_index k = right->start[j]; k < right->start[j + 1]; k++) {
            sparse_index between = right->row[k];
            for (sparse_index i = left->start[between]; i < left->start[between + 1]; i++) {
                p->left[e.count] = (uint32_t)i;
                p->right[e.count] = (uint32_t)k;
                sparse_entries_add(&e, (size_t)left->row[i], j);
            }
        }
    }
    p->pattern = sparse_entries_build(a, &e, left->rows, right->columns);
    return p;
}

void sparse_product_form(const sparse_product *p, const double *left, const double *right,
                         double *product)
{
    memset(product, 0, p->pattern->nonzeros * sizeof *product);
    for (size_t k = 0; k < p->terms; k++)
        product[p->where[k]] += left[p->left[k]] * right[p->right[k]];
}

/* Whether a colour is free in all rows of a column; if so, the column takes it. */
static bool take_column(const sparse_pattern *p, size_t j, size_t colour, size_t *taken_by)
{
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
        if (taken_by[p->row[k]] == colour) return false;
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) taken_by[p->row[k]] = colour;
    return true;
}

colouring *colouring_create(arena *a, const sparse_pattern *p)
{
    colouring *c = arena_take(a, sizeof *c);
    size_t *first = arena_array(a, p->columns + 1, sizeof *first);
    size_t *column = arena_array(a, p->columns, sizeof *column);
    size_t *left = arena_array(a, p->columns, sizeof *left), lefts = p->columns, next = 0;
    size_t *taken_by = arena_array(a, p->rows, sizeof *taken_by);
    for (size_t i = 0; i < p->rows; i++) taken_by[i] = SIZE_MAX;
    for (size_t j = 0; j < p->columns; j++) left[j] = j;
    while (lefts > 0) {
        size_t kept = 0;
        for (size_t k = 0; k < lefts; k++) {
            if (take_column(p, left[k], c->colours, taken_by))
                column[next++] = left[k];
            else
                left[kept++] = left[k];
        }
        lefts = kept;
        first[++c->colours] = next;
    }
    c->first = first;
    c->column = column;
    return c;
}

void sparse_spread(const sparse_pattern *p, const double *value, size_t ld, double *dense)
{
    for (size_t j = 0; j < p->columns; j++) {
        memset(dense + j * ld, 0, p->rows * sizeof *dense);
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            dense[j * ld + (size_t)p->row[k]] = value[k];
    }
}
