#include "linalg/lexicographic.h"

#include "linalg/min_norm.h"
#include "linalg/rows.h"
#include "linalg/staged_elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the rows with pivots of a level say of the columns of this level. Where they do not
 * determine all of them, these change as little as possible. */
typedef struct tier {
    size_t first, rows; /* the pivots of the level */
    bool *open;         /* rows: in parts that they do not determine */
    size_t columns;     /* of those parts */
    size_t *column;     /* columns: which they are of the matrix */
    sparse_pattern *pattern;
    min_norm *least; /* NULL: the rows determine all that they contain */
} tier;

struct lexicographic {
    const sparse_pattern *pattern;
    const double *value, *scale;
    const unsigned char *level;
    size_t levels;
    staged_elimination *e;
    tier *tier;
    double *b, *y;         /* rows, columns: in the scales of the elimination */
    double *rest, *change; /* rows, columns: of a tier */
    dae_status status;
    arena memory;
};

/* The pattern of the level's rows in its columns, and the places of their entries. */
static sparse_pattern *pattern_of(lexicographic *l, const tier *t, size_t level, double **value)
{
    const staged_elimination *e = l->e;
    arena *a = &l->memory;
    size_t most = 0, count = 0;
    uint32_t *from;
    for (size_t i = 0; i < t->rows; i++) most += e->row[e->pivot_row[t->first + i]].count;
    sparse_entries entries = sparse_entries_take(a, most);
    double *all = arena_array(a, most, sizeof *all);
    for (size_t i = 0; i < t->rows; i++) {
        const elimination_row *row = &e->row[e->pivot_row[t->first + i]];
        for (size_t k = 0; k < row->count; k++) {
            if (l->level[row->item[k].column] != level) continue;
            sparse_entries_add_from(&entries, i, row->item[k].column, count);
            all[count++] = row->item[k].value;
        }
    }
    sparse_pattern *p = sparse_entries_build_from(a, &entries, t->rows, e->columns, &from);
    *value = arena_array(a, p->nonzeros, sizeof **value);
    for (size_t k = 0; k < p->nonzeros; k++) (*value)[k] = all[from[k]];
    return p;
}

/* Marks the rows and columns of the parts that have more columns than rows; returns how many such
 * columns there are. */
static size_t mark_open(lexicographic *l, const sparse_pattern *p, bool *open_row, bool *open)
{
    arena *a = &l->memory;
    size_t *row_part = arena_array(a, p->rows, sizeof *row_part),
           *column_part = arena_array(a, p->columns, sizeof *column_part), marked = 0;
    size_t parts = sparse_parts(a, p, row_part, column_part);
    long *excess = arena_array(a, parts, sizeof *excess);
    for (size_t i = 0; i < p->rows; i++) excess[row_part[i]]--;
    for (size_t j = 0; j < p->columns; j++)
        if (column_part[j] != SPARSE_NO_PART) excess[column_part[j]]++;
    for (size_t j = 0; j < p->columns; j++) {
        open[j] = column_part[j] != SPARSE_NO_PART && excess[column_part[j]] > 0;
        marked += open[j];
    }
    for (size_t i = 0; i < p->rows; i++) open_row[i] = excess[row_part[i]] > 0;
    return marked;
}

/* The part of the level's rows that leaves columns open, and its decomposition. */
static void build_least(lexicographic *l, tier *t, const sparse_pattern *all, const double *value,
                        const bool *open)
{
    arena *a = &l->memory;
    size_t columns = 0;
    uint32_t *from;
    sparse_entries entries = sparse_entries_take(a, all->nonzeros);
    t->column = arena_array(a, t->columns, sizeof *t->column);
    double *scale = arena_array(a, t->columns, sizeof *scale);
    for (size_t j = 0; j < all->columns; j++) {
        if (!open[j]) continue;
        for (sparse_index k = all->start[j]; k < all->start[j + 1]; k++)
            sparse_entries_add_from(&entries, (size_t)all->row[k], columns, (size_t)k);
        t->column[columns] = j;
        scale[columns++] = l->scale[j] / l->e->column_scale[j];
    }
    t->pattern = sparse_entries_build_from(a, &entries, t->rows, t->columns, &from);
    double *own = arena_array(a, t->pattern->nonzeros, sizeof *own);
    for (size_t k = 0; k < t->pattern->nonzeros; k++) own[k] = value[from[k]];
    l->status = min_norm_create(&t->least, t->pattern, MIN_NORM_FAST);
    if (l->status == DAE_OK) l->status = min_norm_factor(t->least, own, scale, 0);
}

static void build_tier(lexicographic *l, size_t level)
{
    tier *t = &l->tier[level];
    double *value;
    t->first = l->e->first[level];
    t->rows = l->e->first[level + 1] - t->first;
    if (t->rows == 0) return;
    const sparse_pattern *p = pattern_of(l, t, level, &value);
    bool *open = arena_array(&l->memory, p->columns, sizeof *open);
    t->open = arena_array(&l->memory, p->rows, sizeof *t->open);
    t->columns = mark_open(l, p, t->open, open);
    if (t->columns > 0) build_least(l, t, p, value, open);
}

static void build(void *self)
{
    lexicographic *l = self;
    arena *a = &l->memory;
    size_t rows = l->pattern->rows, columns = l->pattern->columns;
    l->e = staged_elimination_create(a, l->pattern, l->value, l->level, l->levels, l->scale);
    l->tier = arena_array(a, l->levels, sizeof *l->tier);
    arena_vectors(a, rows, (double **const[]){&l->b, &l->rest, NULL});
    arena_vectors(a, columns, (double **const[]){&l->y, &l->change, NULL});
    for (size_t k = 0; k < l->levels && l->status == DAE_OK; k++) build_tier(l, k);
}

dae_status lexicographic_create(lexicographic **created, const sparse_pattern *pattern,
                                const double *value, const unsigned char *level, size_t levels,
                                const double *scale)
{
    if (!vector_is_finite(pattern->nonzeros, value)) return DAE_SINGULAR;
    lexicographic *l = calloc(1, sizeof *l);
    if (!l) return DAE_NO_MEMORY;
    l->pattern = pattern;
    l->value = value;
    l->level = level;
    l->levels = levels;
    l->scale = scale;
    dae_status status = arena_protect(&l->memory, build, l);
    if (status == DAE_OK) status = l->status;
    if (status == DAE_OK)
        *created = l;
    else
        lexicographic_free(l);
    return status;
}

/* What all columns but one leave of the right-hand side of a pivot's row; SPARSE_NO_PART: all. */
static double left_of(const lexicographic *l, size_t pivot, size_t without)
{
    const elimination_row *row = &l->e->row[l->e->pivot_row[pivot]];
    double left = l->b[l->e->pivot_row[pivot]];
    for (size_t k = 0; k < row->count; k++)
        if (row->item[k].column != without) left -= row->item[k].value * l->y[row->item[k].column];
    return left;
}

static double pivot_of(const staged_elimination *e, size_t pivot)
{
    const elimination_row *row = &e->row[e->pivot_row[pivot]];
    size_t k = 0;
    while (row->item[k].column != e->pivot_column[pivot]) k++;
    return row->item[k].value;
}

/* Changes the columns that are open as little as possible. */
static void solve_open(lexicographic *l, tier *t)
{
    for (size_t i = 0; i < t->rows; i++) l->rest[i] = -left_of(l, t->first + i, SPARSE_NO_PART);
    min_norm_solve(t->least, l->rest, l->change);
    for (size_t j = 0; j < t->columns; j++) l->y[t->column[j]] += l->change[j];
}

/* Solves rows of a tier, open ones or the others, for their pivots. */
static void substitute(lexicographic *l, const tier *t, bool open)
{
    const staged_elimination *e = l->e;
    for (size_t i = t->rows; i-- > 0;) {
        if (t->open[i] != open) continue;
        size_t column = e->pivot_column[t->first + i];
        l->y[column] = left_of(l, t->first + i, column) / pivot_of(e, t->first + i);
    }
}

/* Rows that nearly depend on each other are met better by substitution, unless a pivot is small in
 * its row: in a chain of such rows round-off grows by each of them. So it may only polish. Returns
 * whether it does. */
static bool polish_open(lexicographic *l, const tier *t)
{
    static const double POLISHES = 1e-6;
    const size_t *column = l->e->pivot_column + t->first;
    double size = 0, changed = 0;
    for (size_t i = 0; i < t->rows; i++) l->rest[i] = l->y[column[i]];
    substitute(l, t, true);
    for (size_t i = 0; i < t->rows; i++) {
        size = fmax(size, fabs(l->rest[i]));
        if (!(fabs(l->y[column[i]] - l->rest[i]) <= changed))
            changed = fabs(l->y[column[i]] - l->rest[i]);
    }
    bool polishes = changed <= POLISHES * size;
    for (size_t i = 0; i < t->rows && !polishes; i++) l->y[column[i]] = l->rest[i];
    return polishes;
}

/* The columns of a level, from the wish: those that are open, and by substitution the others. */
static void solve_tier(lexicographic *l, tier *t)
{
    if (t->least) {
        solve_open(l, t);
        if (!polish_open(l, t)) solve_open(l, t); /* once more, by what round-off has left */
    }
    substitute(l, t, false);
}

void lexicographic_solve(lexicographic *l, const double *r, double *dz)
{
    size_t rows = l->pattern->rows, columns = l->pattern->columns;
    for (size_t i = 0; i < rows; i++) l->b[i] = -r[i];
    staged_elimination_apply(l->e, l->b);
    for (size_t j = 0; j < columns; j++) l->y[j] = dz[j] / l->e->column_scale[j];
    for (size_t k = l->levels; k-- > 0;) solve_tier(l, &l->tier[k]);
    for (size_t j = 0; j < columns; j++) dz[j] = l->y[j] * l->e->column_scale[j];
}

size_t lexicographic_rank(const lexicographic *l)
{
    return l->e->first[l->levels];
}

size_t lexicographic_lower_rank(const lexicographic *l)
{
    return l->e->first[l->levels - 1];
}

void lexicographic_free(lexicographic *l)
{
    if (!l) return;
    for (size_t k = 0; l->tier && k < l->levels; k++) min_norm_free(l->tier[k].least);
    arena_free(&l->memory);
    free(l);
}
