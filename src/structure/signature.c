#include "structure/signature.h"

#include "structure/structure.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <stdlib.h>
#include <string.h>

typedef struct occurrence {
    uint32_t column, order;
} occurrence;

static int by_column(const void *a, const void *b)
{
    const occurrence *x = a, *y = b;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->order < y->order) - (x->order > y->order);
}

incidence *structure_incidence(sym_graph *g, size_t rows, const sym *residual, size_t columns,
                               const uint32_t *column_of)
{
    arena *a = sym_graph_arena(g);
    incidence *found = arena_take(a, sizeof *found);
    LIST(uint32_t) column = {0}, order = {0};
    LIST(occurrence) in_row = {0};
    found->rows = rows;
    found->columns = columns;
    found->start = arena_array(a, rows + 1, sizeof *found->start);
    for (size_t i = 0; i < rows; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(g, residual[i], &leaf);
        in_row.count = 0;
        for (size_t k = 0; k < leaves; k++) {
            uint32_t j = column_of[leaf[k].id];
            if (j < columns) list_push(a, &in_row, ((occurrence){j, leaf[k].order}));
        }
        if (in_row.count) qsort(in_row.item, in_row.count, sizeof(occurrence), by_column);
        for (size_t k = 0; k < in_row.count; k++) {
            if (k > 0 && in_row.item[k].column == in_row.item[k - 1].column) continue;
            list_push(a, &column, in_row.item[k].column);
            list_push(a, &order, in_row.item[k].order);
        }
        found->start[i + 1] = column.count;
    }
    found->column = column.item;
    found->order = order.item;
    return found;
}

typedef struct search {
    const incidence *in;
    signature *s;
    uint32_t *owner;    /* columns: the row assigned to each, or INCIDENCE_NONE */
    uint32_t *row_seen; /* rows: the last round in which a search met them; the next is the same for
                           columns */
    uint32_t *column_seen;
    uint32_t round;
    uint32_t *queue;  /* rows: rows met in this round */
    uint32_t *parent; /* columns: the row from which each was met */
    size_t *ahead;    /* rows: the columns of all entries before are assigned, which they stay */
    size_t queued;
} search;

/* Without offsets, each entry is tight. */
static bool tight(const search *s, size_t row, size_t entry)
{
    return !s->s->c || s->in->order[entry] + s->s->c[row] == s->s->d[s->in->column[entry]];
}

/* Reassign along the path that ended at an unassigned column. */
static void augment(search *s, uint32_t column)
{
    for (;;) {
        uint32_t row = s->parent[column], next = s->s->match[row];
        s->s->match[row] = column;
        s->owner[column] = row;
        if (next == INCIDENCE_NONE) return;
        column = next;
    }
}

/* The first unassigned column to which a row leads, or INCIDENCE_NONE. A sum over all of a model is
 * not looked through each time that it is met (Duff, ACM TOMS 7 (1981), cheap assignments). */
static uint32_t look_ahead(search *s, uint32_t row)
{
    const incidence *in = s->in;
    size_t e = s->ahead[row], end = in->start[row + 1];
    while (e < end && s->owner[in->column[e]] != INCIDENCE_NONE) e++;
    s->s->looked += e - s->ahead[row];
    s->ahead[row] = e;
    for (; e < end; e++, s->s->looked++)
        if (s->owner[in->column[e]] == INCIDENCE_NONE && tight(s, row, e)) return in->column[e];
    return INCIDENCE_NONE;
}

/* Search breadth-first from the rows in the queue along tight entries. True if an unassigned column
 * was reached and the assignment augmented. */
static bool extend(search *s)
{
    const incidence *in = s->in;
    for (size_t q = 0; q < s->queued; q++) {
        uint32_t row = s->queue[q], free = look_ahead(s, row);
        if (free != INCIDENCE_NONE) {
            s->parent[free] = row;
            augment(s, free);
            return true;
        }
        s->s->looked += in->start[row + 1] - in->start[row];
        for (size_t e = in->start[row]; e < in->start[row + 1]; e++) {
            uint32_t column = in->column[e];
            if (s->column_seen[column] == s->round || !tight(s, row, e)) continue;
            s->column_seen[column] = s->round;
            s->parent[column] = row;
            uint32_t owner = s->owner[column];
            if (s->row_seen[owner] == s->round) continue;
            s->row_seen[owner] = s->round;
            s->queue[s->queued++] = owner;
        }
    }
    return false;
}

/* No unassigned column can be reached: differentiate all equations met so far until another entry
 * becomes tight. False if no entry ever will, because these equations have too few unknowns. */
static bool differentiate(search *s)
{
    const incidence *in = s->in;
    uint32_t least = UINT32_MAX;
    for (size_t q = 0; q < s->queued; q++) {
        uint32_t row = s->queue[q];
        for (size_t e = in->start[row]; e < in->start[row + 1]; e++) {
            uint32_t column = in->column[e];
            if (s->column_seen[column] == s->round) continue;
            uint32_t slack = s->s->d[column] - s->s->c[row] - in->order[e];
            if (slack < least) least = slack;
        }
    }
    if (least == UINT32_MAX) return false;
    for (size_t q = 0; q < s->queued; q++) {
        uint32_t row = s->queue[q];
        s->s->c[row] += least;
        if (s->s->match[row] != INCIDENCE_NONE) s->s->d[s->s->match[row]] += least;
    }
    return true;
}

static bool extend_from(search *s, uint32_t row)
{
    s->queue[0] = row;
    s->queued = 1;
    s->row_seen[row] = s->round;
    return extend(s);
}

static bool assign(search *s, uint32_t row)
{
    s->round++;
    if (extend_from(s, row)) return true;
    do {
        if (!differentiate(s)) return false;
    } while (!extend(s));
    return true;
}

/* Most rows have a tight column that no other row wants. These are assigned first. */
static void assign_greedily(search *s)
{
    for (size_t row = 0; row < s->in->rows; row++) {
        for (size_t e = s->in->start[row]; e < s->in->start[row + 1]; e++) {
            uint32_t column = s->in->column[e];
            if (s->owner[column] != INCIDENCE_NONE || !tight(s, row, e)) continue;
            s->owner[column] = (uint32_t)row;
            s->s->match[row] = column;
            break;
        }
    }
}

static void summarize(const incidence *in, signature *s)
{
    uint32_t highest = 0, algebraic = 0;
    size_t sum_c = 0, sum_d = 0;
    for (size_t i = 0; i < in->rows; i++) {
        sum_c += s->c[i];
        if (s->c[i] > highest) highest = s->c[i];
    }
    for (size_t j = 0; j < in->columns; j++) {
        sum_d += s->d[j];
        if (s->d[j] == 0) algebraic = 1;
    }
    s->index = highest + algebraic;
    s->freedom = sum_d - sum_c;
    s->differentiations = sum_c;
}

static search open_search(arena *a, const incidence *in, signature *s, uint32_t *owner)
{
    size_t *ahead = arena_array(a, in->rows, sizeof *ahead);
    if (in->rows) memcpy(ahead, in->start, in->rows * sizeof *ahead);
    return (search){.in = in,
                    .s = s,
                    .owner = owner,
                    .ahead = ahead,
                    .row_seen = arena_array(a, in->rows, sizeof(uint32_t)),
                    .column_seen = arena_array(a, in->columns, sizeof(uint32_t)),
                    .queue = arena_array(a, in->rows, sizeof(uint32_t)),
                    .parent = arena_array(a, in->columns, sizeof(uint32_t))};
}

static void close_search(arena *a, const search *s)
{
    arena_return(a, s->row_seen, s->in->rows, sizeof *s->row_seen);
    arena_return(a, s->column_seen, s->in->columns, sizeof *s->column_seen);
    arena_return(a, s->queue, s->in->rows, sizeof *s->queue);
    arena_return(a, s->parent, s->in->columns, sizeof *s->parent);
    arena_return(a, s->ahead, s->in->rows, sizeof *s->ahead);
}

static uint32_t *unassigned(arena *a, size_t count)
{
    uint32_t *none = arena_array(a, count, sizeof *none);
    for (size_t i = 0; i < count; i++) none[i] = INCIDENCE_NONE;
    return none;
}

signature *structure_signature(arena *a, const incidence *in, const uint32_t *lowest)
{
    size_t n = in->rows;
    signature *result = arena_take(a, sizeof *result);
    result->c = arena_array(a, n, sizeof *result->c);
    result->d = arena_array(a, n, sizeof *result->d);
    result->match = unassigned(a, n);
    if (lowest && n) memcpy(result->d, lowest, n * sizeof *lowest);
    for (size_t e = 0; e < in->start[n]; e++)
        if (in->order[e] > result->d[in->column[e]]) result->d[in->column[e]] = in->order[e];

    search s = open_search(a, in, result, unassigned(a, n));
    assign_greedily(&s);
    result->regular = true;
    for (uint32_t row = 0; row < n && result->regular; row++)
        result->regular = result->match[row] != INCIDENCE_NONE || assign(&s, row);
    close_search(a, &s);
    arena_return(a, s.owner, n, sizeof *s.owner);
    if (result->regular) summarize(in, result);
    return result;
}

static incidence *transpose(arena *a, const incidence *in)
{
    size_t entries = in->start[in->rows], *next = arena_array(a, in->columns + 2, sizeof *next);
    incidence *to = arena_take(a, sizeof *to);
    *to = (incidence){.rows = in->columns, .columns = in->rows, .start = next};
    to->column = arena_array(a, entries, sizeof *to->column);
    for (size_t e = 0; e < entries; e++) next[in->column[e] + 2]++;
    for (size_t j = 0; j < in->columns; j++) next[j + 2] += next[j + 1];
    for (uint32_t i = 0; i < in->rows; i++)
        for (size_t e = in->start[i]; e < in->start[i + 1]; e++)
            to->column[next[in->column[e] + 1]++] = i;
    return to;
}

static size_t list_seen(arena *a, const uint32_t *seen, uint32_t round, size_t count,
                        uint32_t **list)
{
    size_t found = 0;
    *list = arena_array(a, count, sizeof **list);
    for (uint32_t i = 0; i < count; i++)
        if (seen[i] == round) (*list)[found++] = i;
    return found;
}

/* Search from all unassigned rows. Marks of searches without success are kept until one succeeds,
 * because a row that was met without success cannot lead to success later (Duff, ACM TOMS 7
 * (1981)). */
static void search_all(search *s)
{
    s->round++;
    for (uint32_t i = 0; i < s->in->rows; i++)
        if (s->s->match[i] == INCIDENCE_NONE && s->row_seen[i] != s->round && extend_from(s, i))
            s->round++;
}

deficient *structure_deficient(arena *a, const incidence *in)
{
    deficient *found = arena_take(a, sizeof *found);
    signature rows = {.match = unassigned(a, in->rows)};
    search s = open_search(a, in, &rows, unassigned(a, in->columns));
    assign_greedily(&s);
    search_all(&s);
    search_all(&s); /* the assignment is a maximum one, so all is met from which nothing is free */
    found->over_rows = list_seen(a, s.row_seen, s.round, in->rows, &found->over_row);
    found->over_columns = list_seen(a, s.column_seen, s.round, in->columns, &found->over_column);
    for (size_t i = 0; i < in->rows; i++) found->assigned += rows.match[i] != INCIDENCE_NONE;

    signature columns = {.match = s.owner};
    search t = open_search(a, transpose(a, in), &columns, rows.match);
    search_all(&t);
    found->under_columns = list_seen(a, t.row_seen, t.round, in->columns, &found->under_column);
    found->under_rows = list_seen(a, t.column_seen, t.round, in->rows, &found->under_row);
    return found;
}

static bool occurs(sym_graph *g, sym f, uint32_t v)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (leaf[k].id == v) return true;
    return false;
}

sym structure_solve_pieces(sym_graph *g, sym f, uint32_t v)
{
    sym_view view = sym_look(g, f);
    if (view.op == SYM_IF) {
        sym condition = view.argument[0], yes = view.argument[1], no = view.argument[2];
        if (occurs(g, condition, v)) return SYM_NONE;
        yes = structure_solve_pieces(g, yes, v);
        if (yes != SYM_NONE) no = structure_solve_pieces(g, no, v);
        return yes == SYM_NONE || no == SYM_NONE ? SYM_NONE : sym_if(g, condition, yes, no);
    }
    sym slope, rest;
    double number;
    bool solved = sym_split_linear(g, f, sym_variable(g, v, 0), &slope, &rest) &&
                  !occurs(g, rest, v) && sym_is_number(g, slope, &number);
    return solved ? sym_scale(g, -1 / number, rest) : SYM_NONE;
}
