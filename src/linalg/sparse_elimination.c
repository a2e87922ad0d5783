#include "linalg/sparse_elimination.h"

#include "base/round_off.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The search is given up after so many operations, and so many for each entry. */
static const double MOST_WORK = 1e8, MOST_FOR_ENTRY = 200;

static const double SMALL_PIVOT = 0.5, SMALL_ENTRY = 1e-9;

#define NOBODY UINT32_MAX

typedef struct entry {
    uint32_t column;
    double value;
} entry;

typedef struct line {
    entry *item;
    uint32_t count, room;
    uint32_t next, before; /* of the lines with as many entries; NOBODY */
    double size;           /* largest of the terms of which its entries are sums */
    bool done;
} line;

typedef struct column_list {
    uint32_t *line; /* lines that have, or had, an entry there */
    uint32_t count, room, alive;
} column_list;

/* A row that was used, and the column that it gives. */
typedef struct pivot {
    uint32_t line, column;
} pivot;

struct sparse_elimination {
    arena *a;
    size_t columns;
    double tolerance;
    line *line;
    column_list *at;
    uint32_t *shortest; /* first line of each length, up to columns */
    size_t least;       /* no line is shorter */
    LIST(pivot) pivot;
    LIST(entry) sum;
    double work, most_work;
    bool *given;  /* columns: solved for */
    double *full; /* columns, all 0 */
};

static void take_out(sparse_elimination *e, uint32_t i)
{
    line *l = &e->line[i];
    if (l->before == NOBODY)
        e->shortest[l->count] = l->next;
    else
        e->line[l->before].next = l->next;
    if (l->next != NOBODY) e->line[l->next].before = l->before;
}

static void put_in(sparse_elimination *e, uint32_t i)
{
    line *l = &e->line[i];
    l->before = NOBODY;
    l->next = e->shortest[l->count];
    if (l->next != NOBODY) e->line[l->next].before = i;
    e->shortest[l->count] = i;
    if (l->count < e->least) e->least = l->count;
}

static void note_line(sparse_elimination *e, uint32_t column, uint32_t i)
{
    column_list *c = &e->at[column];
    if (c->count == c->room) {
        uint32_t room = c->room < 4 ? 4 : 2 * c->room;
        uint32_t *grown = arena_array(e->a, room, sizeof *grown);
        if (c->count) memcpy(grown, c->line, c->count * sizeof *grown);
        arena_return(e->a, c->line, c->room, sizeof *c->line);
        c->line = grown;
        c->room = room;
    }
    c->line[c->count++] = i;
    c->alive++;
}

static entry *entry_at(const line *l, uint32_t column)
{
    uint32_t low = 0, high = l->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->item[middle].column < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->count && l->item[low].column == column ? &l->item[low] : NULL;
}

/* The entry of a line by which it is solved; NULL: rounding is all that is left of it. */
static const entry *choose(const sparse_elimination *e, const line *l)
{
    double largest = 0;
    const entry *best = NULL;
    for (uint32_t k = 0; k < l->count; k++) largest = fmax(largest, fabs(l->item[k].value));
    if (largest <= e->tolerance * l->size) return NULL;
    for (uint32_t k = 0; k < l->count; k++) {
        const entry *x = &l->item[k];
        if (fabs(x->value) < SMALL_PIVOT * largest) continue;
        if (!best || e->at[x->column].alive < e->at[best->column].alive) best = x;
    }
    return best;
}

/* line i += factor * by; both ascend. */
static void add_line(sparse_elimination *e, uint32_t i, double factor, const line *by)
{
    line *l = &e->line[i];
    uint32_t p = 0, q = 0;
    e->sum.count = 0;
    while (p < l->count || q < by->count) {
        bool own = q == by->count || (p < l->count && l->item[p].column < by->item[q].column);
        bool both = !own && p < l->count && l->item[p].column == by->item[q].column;
        if (own) {
            list_push(e->a, &e->sum, l->item[p]);
            p++;
            continue;
        }
        entry x = {by->item[q].column, factor * by->item[q].value};
        q++;
        if (both) {
            double before = l->item[p++].value, after = before + x.value;
            double size = fmax(fabs(before), fabs(x.value));
            bool cancels = fabs(after) <= ROUND_OFF_LONG_SUM * size;
            x.value = after;
            l->size = fmax(l->size, size);
            if (cancels) e->at[x.column].alive--;
            if (cancels) continue;
        } else {
            note_line(e, x.column, i);
        }
        list_push(e->a, &e->sum, x);
    }
    if (e->sum.count > l->room) {
        arena_return(e->a, l->item, l->room, sizeof *l->item);
        l->room = (uint32_t)e->sum.count + (uint32_t)e->sum.count / 2;
        l->item = arena_array(e->a, l->room, sizeof *l->item);
    }
    l->count = (uint32_t)e->sum.count;
    if (l->count) memcpy(l->item, e->sum.item, l->count * sizeof *l->item);
    e->work += l->count + by->count;
}

static void eliminate(sparse_elimination *e, uint32_t i)
{
    line *l = &e->line[i];
    const entry *by = choose(e, l);
    l->done = true;
    for (uint32_t k = 0; k < l->count; k++) e->at[l->item[k].column].alive--;
    if (!by) return;
    const uint32_t column = by->column;
    const double value = by->value;
    column_list *c = &e->at[column];
    for (uint32_t k = 0; k < c->count; k++) {
        uint32_t other = c->line[k];
        line *o = &e->line[other];
        const entry *x = o->done ? NULL : entry_at(o, column);
        if (!x) continue;
        take_out(e, other);
        add_line(e, other, -x->value / value, l);
        entry *left = entry_at(o, column); /* rounding may leave it */
        if (left) memmove(left, left + 1, (size_t)(o->item + --o->count - left) * sizeof *left);
        put_in(e, other);
    }
    list_push(e->a, &e->pivot, ((pivot){i, column}));
}

static void begin(sparse_elimination *e, size_t rows, const sparse_row *row)
{
    e->line = arena_array(e->a, rows, sizeof *e->line);
    e->at = arena_array(e->a, e->columns, sizeof *e->at);
    e->shortest = arena_array(e->a, e->columns + 1, sizeof *e->shortest);
    for (size_t k = 0; k <= e->columns; k++) e->shortest[k] = NOBODY;
    e->least = e->columns;
    for (uint32_t i = 0; i < rows; i++) {
        line *l = &e->line[i];
        l->room = (uint32_t)row[i].count;
        l->item = arena_array(e->a, l->room, sizeof *l->item);
        for (size_t k = 0; k < row[i].count; k++) {
            if (row[i].value[k] == 0) continue;
            l->item[l->count++] = (entry){row[i].column[k], row[i].value[k]};
            l->size = fmax(l->size, fabs(row[i].value[k]));
            note_line(e, row[i].column[k], i);
        }
        e->most_work += MOST_FOR_ENTRY * (double)row[i].count;
        put_in(e, i);
    }
}

/* Lines of one entry come first: what they give is 0. */
static bool reduce(sparse_elimination *e)
{
    for (;;) {
        while (e->least <= e->columns && (e->least == 0 || e->shortest[e->least] == NOBODY))
            e->least++;
        if (e->least > e->columns) return true;
        if (e->work > e->most_work) return false;
        uint32_t i = e->shortest[e->least];
        take_out(e, i);
        eliminate(e, i);
    }
}

sparse_row *sparse_transposed_rows(arena *a, const sparse_pattern *p, const double *value)
{
    uint32_t *at = arena_array(a, p->nonzeros, sizeof *at);
    sparse_row *row = arena_array(a, p->columns, sizeof *row);
    for (size_t k = 0; k < p->nonzeros; k++) at[k] = (uint32_t)p->row[k];
    for (size_t j = 0; j < p->columns; j++)
        row[j] = (sparse_row){(size_t)(p->start[j + 1] - p->start[j]), at + p->start[j],
                              value + p->start[j]};
    return row;
}

sparse_elimination *sparse_eliminate(arena *a, size_t rows, const sparse_row *row, size_t columns,
                                     double tolerance)
{
    sparse_elimination *e = arena_take(a, sizeof *e);
    *e = (sparse_elimination){
        .a = a, .columns = columns, .tolerance = tolerance, .most_work = MOST_WORK};
    begin(e, rows, row);
    if (!reduce(e)) return NULL;
    e->given = arena_array(a, columns, sizeof *e->given);
    e->full = arena_array(a, columns, sizeof *e->full);
    for (size_t k = 0; k < e->pivot.count; k++) e->given[e->pivot.item[k].column] = true;
    return e;
}

size_t sparse_elimination_rank(const sparse_elimination *e)
{
    return e->pivot.count;
}

bool sparse_elimination_is_open(const sparse_elimination *e, size_t column)
{
    return !e->given[column];
}

/* Backwards through the rows that were used. */
sparse_vector sparse_elimination_vector(sparse_elimination *e, size_t open)
{
    sparse_vector v = {0};
    double *full = e->full;
    full[open] = 1;
    for (size_t k = e->pivot.count; k-- > 0;) {
        const pivot *p = &e->pivot.item[k];
        const line *l = &e->line[p->line];
        double sum = 0, by = 1;
        for (uint32_t q = 0; q < l->count; q++) {
            const entry *x = &l->item[q];
            if (x->column == p->column)
                by = x->value;
            else
                sum += x->value * full[x->column];
        }
        full[p->column] = -sum / by;
    }
    for (size_t j = 0; j < e->columns; j++) v.count += fabs(full[j]) > SMALL_ENTRY;
    v.place = arena_array(e->a, v.count, sizeof *v.place);
    v.value = arena_array(e->a, v.count, sizeof *v.value);
    v.count = 0;
    for (size_t j = 0; j < e->columns; j++) {
        if (fabs(full[j]) > SMALL_ENTRY) {
            v.place[v.count] = (uint32_t)j;
            v.value[v.count++] = full[j];
        }
        full[j] = 0;
    }
    return v;
}
