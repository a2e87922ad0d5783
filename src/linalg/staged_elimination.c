#include "linalg/staged_elimination.h"

#include "base/scatter.h"
#include "linalg/linear_solver_rows.h"

#include <math.h>
#include <string.h>

/* An entry below this part of its size is round-off. An entry may be a pivot that is at least
 * PIVOT_PART of the largest one in its column, and IN_ROW of the largest one in its row, among
 * columns of its level: what is substituted from a row is divided by its pivot. */
static const double ROUND_OFF_PART = 1e-11, PIVOT_PART = 0.1, IN_ROW = 1e-3;

enum { NOWHERE = -1 };

/* Without the call that fmax() is. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Where an entry is. Entries stay where they are while columns are eliminated. */
typedef struct entry_place {
    size_t row, at;
} entry_place;

typedef LIST(entry_place) holders;

/* What is needed during the elimination. Columns of the present level that may still have pivots
 * are in a list for each number of entries. An entry that is dropped has the value 0. */
typedef struct elimination {
    staged_elimination *e;
    arena *a;
    bool *done;          /* rows: pivot rows */
    size_t *length;      /* rows: entries that are not dropped */
    holders *holder;     /* columns: entries that there have been */
    size_t *count;       /* columns: entries in rows that are left */
    long *place;         /* columns: of an entry in the row at hand; NOWHERE */
    bool *open;          /* columns: in a list */
    long *next, *before; /* columns: in the list */
    long *head;          /* rows + 1: the lists */
    size_t fewest;       /* lists before it are empty */
    const double *scale; /* columns: in which they change */
    size_t level;        /* the present one */
    double *largest;     /* rows: the largest entry in columns of this level; 0: not known */
    LIST(size_t)
    aside; /* columns whose entries are small in their rows, until others are eliminated */
} elimination;

static void link_column(elimination *w, size_t column)
{
    size_t count = w->count[column];
    w->next[column] = w->head[count];
    w->before[column] = NOWHERE;
    if (w->head[count] != NOWHERE) w->before[w->head[count]] = (long)column;
    w->head[count] = (long)column;
    if (count < w->fewest) w->fewest = count;
}

static void unlink_column(elimination *w, size_t column)
{
    long next = w->next[column], before = w->before[column];
    if (next != NOWHERE) w->before[next] = before;
    if (before != NOWHERE)
        w->next[before] = next;
    else
        w->head[w->count[column]] = next;
}

static void count_entry(elimination *w, size_t column, bool more)
{
    if (w->open[column]) unlink_column(w, column);
    w->count[column] += more ? 1 : (size_t)-1;
    if (w->open[column]) link_column(w, column);
}

static void add_entry(elimination *w, size_t row, elimination_entry entry)
{
    elimination_row *list = &w->e->row[row];
    list_push(w->a, &w->holder[entry.column], ((entry_place){row, list->count}));
    list_push(w->a, list, entry);
    w->length[row]++;
    w->largest[row] = 0;
    count_entry(w, entry.column, true);
}

static void drop_entry(elimination *w, size_t row, elimination_entry *entry)
{
    entry->value = 0;
    w->length[row]--;
    w->largest[row] = 0;
    count_entry(w, entry->column, false);
}

static elimination_entry *entry_at(const elimination *w, entry_place place)
{
    return &w->e->row[place.row].item[place.at];
}

/* The entries that are left in the column take the place of its holders. */
static void list_holders(elimination *w, size_t column)
{
    holders *list = &w->holder[column];
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++)
        if (!w->done[list->item[k].row] && entry_at(w, list->item[k])->value != 0)
            list->item[kept++] = list->item[k];
    list->count = kept;
}

/* What a change of the column by its scale makes of the row. */
static double change_by(const elimination *w, const elimination_entry *entry)
{
    return fabs(entry->value) * w->scale[entry->column] / w->e->column_scale[entry->column];
}

static double largest_in_row(elimination *w, size_t row)
{
    const elimination_row *list = &w->e->row[row];
    if (w->largest[row] > 0) return w->largest[row];
    for (size_t k = 0; k < list->count; k++)
        if (w->e->level[list->item[k].column] == w->level)
            w->largest[row] = larger(w->largest[row], change_by(w, &list->item[k]));
    return w->largest[row];
}

/* Of the entries that are large enough the one in the shortest row. any: also where they are small
 * in their rows. */
static entry_place choose_pivot(elimination *w, size_t column, bool any)
{
    const holders *list = &w->holder[column];
    double largest = 0;
    entry_place best = {SPARSE_NO_PART, 0};
    for (size_t k = 0; k < list->count; k++)
        largest = larger(largest, fabs(entry_at(w, list->item[k])->value));
    for (size_t k = 0; k < list->count; k++) {
        entry_place place = list->item[k];
        const elimination_entry *entry = entry_at(w, place);
        if (fabs(entry->value) < PIVOT_PART * largest) continue;
        if (!any && change_by(w, entry) < IN_ROW * largest_in_row(w, place.row)) continue;
        if (best.row == SPARSE_NO_PART || w->length[place.row] < w->length[best.row]) best = place;
    }
    return best;
}

static bool is_round_off(const elimination_entry *e)
{
    double size = larger(e->size, larger(fabs(e->change[0]), fabs(e->change[1])));
    return !(fabs(e->value) > ROUND_OFF_PART * size);
}

/* entry -= factor * other, where `factor_change` is how the factor changes. */
static void subtract_product(elimination_entry *entry, double factor, const double *factor_change,
                             const elimination_entry *other)
{
    double product = factor * other->value;
    entry->size = larger(entry->size, fabs(product));
    entry->value -= product;
    for (int k = 0; k < ELIMINATION_CHANGES; k++)
        entry->change[k] -= factor_change[k] * other->value + factor * other->change[k];
}

/* Finds the entries of a row in the columns of another one, w->place: by the row, or by the columns
 * where these have fewer entries, as in a row that is full. Returns whether by the row. */
static bool find_places(elimination *w, size_t row, const elimination_row *other)
{
    const elimination_row *list = &w->e->row[row];
    size_t by_columns = 0;
    for (size_t k = 0; k < other->count; k++) by_columns += w->holder[other->item[k].column].count;
    if (by_columns >= list->count) {
        for (size_t k = 0; k < list->count; k++)
            if (list->item[k].value != 0) w->place[list->item[k].column] = (long)k;
        return true;
    }
    for (size_t k = 0; k < other->count; k++) {
        const holders *holder = &w->holder[other->item[k].column];
        for (size_t i = 0; i < holder->count; i++)
            if (holder->item[i].row == row && entry_at(w, holder->item[i])->value != 0)
                w->place[other->item[k].column] = (long)holder->item[i].at;
    }
    return false;
}

static void forget_places(elimination *w, size_t row, const elimination_row *other, bool by_row)
{
    const elimination_row *list = by_row ? &w->e->row[row] : other;
    for (size_t k = 0; k < list->count; k++) w->place[list->item[k].column] = NOWHERE;
}

/* row -= factor * pivot row, so that the row has no entry in the pivot's column. */
static void subtract(elimination *w, entry_place own, size_t pivot_row,
                     const elimination_entry *pivot)
{
    staged_elimination *e = w->e;
    elimination_row *list = &e->row[own.row];
    const elimination_row *from = &e->row[pivot_row];
    const elimination_entry first = list->item[own.at];
    double factor = first.value / pivot->value, change[ELIMINATION_CHANGES];
    for (int k = 0; k < ELIMINATION_CHANGES; k++)
        change[k] = (first.change[k] - factor * pivot->change[k]) / pivot->value;
    bool by_row = find_places(w, own.row, from);
    for (size_t k = 0; k < from->count; k++) {
        const elimination_entry *other = &from->item[k];
        if (other->value == 0 || other->column == pivot->column) continue;
        long place = w->place[other->column];
        if (place == NOWHERE) {
            elimination_entry fill = {.column = other->column};
            subtract_product(&fill, factor, change, other);
            if (!is_round_off(&fill)) add_entry(w, own.row, fill);
            continue;
        }
        elimination_entry *entry = &list->item[place];
        subtract_product(entry, factor, change, other);
        w->largest[own.row] = 0;
        if (is_round_off(entry)) drop_entry(w, own.row, entry);
    }
    forget_places(w, own.row, from, by_row);
    drop_entry(w, own.row, &list->item[own.at]);
    list_push(w->a, &e->step, ((elimination_step){pivot_row, own.row, factor}));
}

/* False if all that could be pivots are small in their rows. */
static bool eliminate(elimination *w, size_t column, bool any, size_t *pivots)
{
    staged_elimination *e = w->e;
    list_holders(w, column);
    entry_place chosen = choose_pivot(w, column, any);
    if (chosen.row == SPARSE_NO_PART) return w->holder[column].count == 0;
    const elimination_entry pivot = *entry_at(w, chosen);
    const elimination_row *row = &e->row[chosen.row];
    w->done[chosen.row] = true;
    for (size_t k = 0; k < row->count; k++)
        if (row->item[k].value != 0) count_entry(w, row->item[k].column, false);
    const holders list = w->holder[column];
    for (size_t k = 0; k < list.count; k++)
        if (list.item[k].row != chosen.row) subtract(w, list.item[k], chosen.row, &pivot);
    e->pivot_row[*pivots] = chosen.row;
    e->pivot_column[(*pivots)++] = column;
    return true;
}

static void open_column(elimination *w, size_t column)
{
    w->open[column] = true;
    link_column(w, column);
}

/* The columns that were put aside are open again; false if there are none. */
static bool open_aside(elimination *w)
{
    if (w->aside.count == 0) return false;
    for (size_t k = 0; k < w->aside.count; k++) open_column(w, w->aside.item[k]);
    w->aside.count = 0;
    return true;
}

/* Eliminates the columns of a level, those of few entries first. Columns that were put aside come
 * again once others have been eliminated, and at last with any pivot. */
static void eliminate_level(elimination *w, size_t level, size_t *pivots)
{
    staged_elimination *e = w->e;
    size_t before = *pivots;
    w->fewest = e->rows;
    w->level = level;
    memset(w->largest, 0, e->rows * sizeof *w->largest);
    for (size_t j = 0; j < e->columns; j++)
        if (e->level[j] == level) open_column(w, j);
    for (bool any = false;;) {
        while (w->fewest <= e->rows && w->head[w->fewest] == NOWHERE) w->fewest++;
        if (w->fewest > e->rows) {
            if (!open_aside(w)) break;
            any = *pivots == before;
            before = *pivots;
            continue;
        }
        size_t column = (size_t)w->head[w->fewest];
        unlink_column(w, column);
        w->open[column] = false;
        if (w->count[column] > 0 && !eliminate(w, column, any, pivots))
            list_push(w->a, &w->aside, column);
    }
}

static void take_out_dropped(elimination_row *list)
{
    size_t kept = 0;
    for (size_t k = 0; k < list->count; k++)
        if (list->item[k].value != 0) list->item[kept++] = list->item[k];
    list->count = kept;
}

/* An entry and how it changes with the two sets of drawn changes. */
static elimination_entry entry_of_matrix(size_t column, double value, size_t number)
{
    elimination_entry e = {.column = column, .value = value, .size = fabs(value)};
    for (size_t k = 0; k < ELIMINATION_CHANGES; k++)
        e.change[k] = value * scattered(number * ELIMINATION_CHANGES + k);
    return e;
}

static void take_matrix(elimination *w, const sparse_pattern *p, const double *value)
{
    staged_elimination *e = w->e;
    for (size_t i = 0; i < e->rows; i++) e->row_scale[i] = 1;
    for (size_t j = 0; j < e->columns; j++) e->column_scale[j] = 1;
    if (equilibrate(p, value, e->row_scale, e->column_scale) != DAE_OK) arena_fail(w->a);
    for (size_t j = 0; j < e->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = (size_t)p->row[k];
            double entry = e->row_scale[i] * value[k] * e->column_scale[j];
            if (entry != 0) add_entry(w, i, entry_of_matrix(j, entry, (size_t)k));
        }
}

static elimination begin(arena *a, staged_elimination *e)
{
    size_t rows = e->rows, columns = e->columns;
    elimination w = {.e = e,
                     .a = a,
                     .done = arena_array(a, rows, sizeof *w.done),
                     .length = arena_array(a, rows, sizeof *w.length),
                     .holder = arena_array(a, columns, sizeof *w.holder),
                     .count = arena_array(a, columns, sizeof *w.count),
                     .place = arena_array(a, columns, sizeof *w.place),
                     .open = arena_array(a, columns, sizeof *w.open),
                     .next = arena_array(a, columns, sizeof *w.next),
                     .before = arena_array(a, columns, sizeof *w.before),
                     .head = arena_array(a, rows + 1, sizeof *w.head),
                     .largest = arena_array(a, rows, sizeof *w.largest)};
    for (size_t j = 0; j < columns; j++) w.place[j] = NOWHERE;
    for (size_t i = 0; i <= rows; i++) w.head[i] = NOWHERE;
    return w;
}

staged_elimination *staged_elimination_create(arena *a, const sparse_pattern *p,
                                              const double *value, const unsigned char *level,
                                              size_t levels, const double *scale)
{
    staged_elimination *e = arena_take(a, sizeof *e);
    size_t pivots = 0;
    e->rows = p->rows;
    e->columns = p->columns;
    e->levels = levels;
    e->level = level;
    e->row_scale = arena_array(a, e->rows, sizeof *e->row_scale);
    e->column_scale = arena_array(a, e->columns, sizeof *e->column_scale);
    e->row = arena_array(a, e->rows, sizeof *e->row);
    e->pivot_row = arena_array(a, e->rows, sizeof *e->pivot_row);
    e->pivot_column = arena_array(a, e->rows, sizeof *e->pivot_column);
    e->first = arena_array(a, levels + 1, sizeof *e->first);
    elimination w = begin(a, e);
    w.scale = scale;
    take_matrix(&w, p, value);
    for (size_t k = 0; k < levels; k++) {
        eliminate_level(&w, k, &pivots);
        e->first[k + 1] = pivots;
    }
    for (size_t i = 0; i < e->rows; i++) take_out_dropped(&e->row[i]);
    return e;
}

void staged_elimination_apply(const staged_elimination *e, double *b)
{
    for (size_t i = 0; i < e->rows; i++) b[i] *= e->row_scale[i];
    for (size_t k = 0; k < e->step.count; k++)
        b[e->step.item[k].to] -= e->step.item[k].factor * b[e->step.item[k].from];
}
