#include "structure/structure.h"

#include <stdbool.h>

typedef struct assignment {
    const incidence *in;
    uint32_t *column_of; /* rows */
    uint32_t *row_of;    /* columns */
    size_t *by_column;   /* columns + 1: the transposed incidence */
    uint32_t *row;
    bool *row_met, *column_met;
    uint32_t *queue, *parent;
} assignment;

static void transpose(arena *a, assignment *s)
{
    const incidence *in = s->in;
    size_t entries = in->start[in->rows];
    s->by_column = arena_array(a, in->columns + 2, sizeof *s->by_column);
    s->row = arena_array(a, entries, sizeof *s->row);
    for (size_t e = 0; e < entries; e++) s->by_column[in->column[e] + 2]++;
    for (size_t j = 0; j < in->columns; j++) s->by_column[j + 2] += s->by_column[j + 1];
    for (uint32_t i = 0; i < in->rows; i++)
        for (size_t e = in->start[i]; e < in->start[i + 1]; e++)
            s->row[s->by_column[in->column[e] + 1]++] = i;
}

/* Search breadth-first from an unassigned row. The marks of failed searches are kept until an
 * augmentation clears them, because a row that was visited without success cannot lead to success
 * later (Duff, ACM TOMS 7 (1981)). */
static bool augment(assignment *s, uint32_t root)
{
    const incidence *in = s->in;
    size_t head = 0, tail = 0;
    s->queue[tail++] = root;
    s->row_met[root] = true;
    while (head < tail) {
        uint32_t row = s->queue[head++];
        for (size_t e = in->start[row]; e < in->start[row + 1]; e++) {
            uint32_t column = in->column[e];
            if (s->column_met[column]) continue;
            s->column_met[column] = true;
            s->parent[column] = row;
            if (s->row_of[column] != INCIDENCE_NONE) {
                s->row_met[s->row_of[column]] = true;
                s->queue[tail++] = s->row_of[column];
                continue;
            }
            for (;;) { /* reassign along the path back to the root */
                uint32_t from = s->parent[column], next = s->column_of[from];
                s->row_of[column] = from;
                s->column_of[from] = column;
                if (next == INCIDENCE_NONE) return true;
                column = next;
            }
        }
    }
    return false;
}

static void clear_marks(assignment *s)
{
    for (size_t i = 0; i < s->in->rows; i++) s->row_met[i] = false;
    for (size_t j = 0; j < s->in->columns; j++) s->column_met[j] = false;
}

static size_t assign(assignment *s)
{
    const incidence *in = s->in;
    size_t assigned = 0;
    for (uint32_t i = 0; i < in->rows; i++) {
        for (size_t e = in->start[i]; e < in->start[i + 1]; e++) {
            if (s->row_of[in->column[e]] != INCIDENCE_NONE) continue;
            s->row_of[in->column[e]] = i;
            s->column_of[i] = in->column[e];
            assigned++;
            break;
        }
    }
    clear_marks(s);
    for (uint32_t i = 0; i < in->rows; i++) {
        if (s->column_of[i] != INCIDENCE_NONE || s->row_met[i] || !augment(s, i)) continue;
        assigned++;
        clear_marks(s);
    }
    return assigned;
}

static void mark_over(assignment *s)
{
    clear_marks(s);
    for (uint32_t i = 0; i < s->in->rows; i++)
        if (s->column_of[i] == INCIDENCE_NONE && !s->row_met[i]) augment(s, i);
}

static void mark_under(assignment *s)
{
    size_t head = 0, tail = 0;
    clear_marks(s);
    for (uint32_t j = 0; j < s->in->columns; j++) {
        if (s->row_of[j] != INCIDENCE_NONE) continue;
        s->column_met[j] = true;
        s->queue[tail++] = j;
    }
    while (head < tail) {
        uint32_t column = s->queue[head++];
        for (size_t e = s->by_column[column]; e < s->by_column[column + 1]; e++) {
            uint32_t row = s->row[e], next = s->column_of[row];
            s->row_met[row] = true;
            if (s->column_met[next]) continue;
            s->column_met[next] = true;
            s->queue[tail++] = next;
        }
    }
}

static size_t list_met(arena *a, const bool *met, size_t count, uint32_t **list)
{
    size_t found = 0;
    *list = arena_array(a, count, sizeof **list);
    for (uint32_t i = 0; i < count; i++)
        if (met[i]) (*list)[found++] = i;
    return found;
}

deficient *structure_deficient(arena *a, const incidence *in)
{
    size_t larger = in->rows > in->columns ? in->rows : in->columns;
    assignment s = {.in = in};
    s.column_of = arena_array(a, in->rows, sizeof *s.column_of);
    s.row_of = arena_array(a, in->columns, sizeof *s.row_of);
    s.row_met = arena_array(a, in->rows, sizeof *s.row_met);
    s.column_met = arena_array(a, in->columns, sizeof *s.column_met);
    s.queue = arena_array(a, larger + 1, sizeof *s.queue);
    s.parent = arena_array(a, in->columns, sizeof *s.parent);
    for (size_t i = 0; i < in->rows; i++) s.column_of[i] = INCIDENCE_NONE;
    for (size_t j = 0; j < in->columns; j++) s.row_of[j] = INCIDENCE_NONE;
    transpose(a, &s);

    deficient *found = arena_take(a, sizeof *found);
    found->assigned = assign(&s);
    mark_over(&s);
    found->over_rows = list_met(a, s.row_met, in->rows, &found->over_row);
    found->over_columns = list_met(a, s.column_met, in->columns, &found->over_column);
    mark_under(&s);
    found->under_rows = list_met(a, s.row_met, in->rows, &found->under_row);
    found->under_columns = list_met(a, s.column_met, in->columns, &found->under_column);
    return found;
}
