#include "structure/deceived_parts.h"

#include "structure/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Blocks that were put together: a list of them. */
typedef struct gathered {
    size_t rows;
    uint32_t first, last;
} gathered;

typedef struct parting {
    arena *a;
    const sparse_pattern *pattern;
    size_t n, points;
    const double *value;
    const uint32_t *match;
    double tolerance;
    double *dense;    /* a block */
    incidence *in;    /* the entries, row by row: also those that are 0 at the points */
    blocks *b;        /* of these */
    uint32_t *owner;  /* columns: the row that each is assigned to */
    uint32_t *block;  /* rows: their blocks ... */
    size_t *place;    /* ... and their places in these */
    uint32_t *next;   /* blocks: the next one of the same part */
    uint32_t *part;   /* blocks: the part that each belongs to, or INCIDENCE_NONE */
    uint32_t *seen;   /* blocks: the last search that met them */
    uint32_t *needed; /* blocks met by the present search */
    size_t found;
    LIST(gathered) gathered;
} parting;

/* The entries row by row. */
static void list_rows(parting *s)
{
    const sparse_pattern *p = s->pattern;
    size_t n = s->n, *next = arena_array(s->a, n + 2, sizeof *next);
    incidence *in = s->in = arena_take(s->a, sizeof *in);
    *in = (incidence){.rows = n, .columns = n, .start = next};
    for (size_t e = 0; e < p->nonzeros; e++) next[p->row[e] + 2]++;
    for (size_t i = 0; i < n; i++) next[i + 2] += next[i + 1];
    in->column = arena_array(s->a, next[n + 1], sizeof *in->column);
    in->order = arena_array(s->a, next[n + 1], sizeof *in->order);
    for (size_t j = 0; j < n; j++)
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++)
            in->column[next[p->row[e] + 1]++] = (uint32_t)j;
}

/* Each entry is one of the system Jacobian, so no offsets are left to be looked at. */
static void find_blocks(parting *s)
{
    const signature all = {.regular = true,
                           .c = arena_array(s->a, s->n, sizeof(uint32_t)),
                           .d = arena_array(s->a, s->n, sizeof(uint32_t)),
                           .match = (uint32_t *)s->match};
    s->b = structure_blocks(s->a, s->in, &all);
    s->owner = arena_array(s->a, s->n, sizeof *s->owner);
    s->block = arena_array(s->a, s->n, sizeof *s->block);
    s->place = arena_array(s->a, s->n, sizeof *s->place);
    for (uint32_t i = 0; i < s->n; i++) s->owner[s->match[i]] = i;
    for (uint32_t k = 0; k < s->b->count; k++)
        for (size_t i = s->b->start[k]; i < s->b->start[k + 1]; i++) {
            s->block[s->b->row[i]] = k;
            s->place[s->b->row[i]] = i - s->b->start[k];
        }
}

static void swap(double *a, double *b)
{
    double other = *a;
    *a = *b, *b = other;
}

static size_t size_of(const parting *s, uint32_t block)
{
    return s->b->start[block + 1] - s->b->start[block];
}

/* Whether elimination with the largest pivots finds one above the tolerance in each row. */
static bool has_full_rank(size_t n, double *a, double tolerance)
{
    for (size_t k = 0; k < n; k++) {
        size_t row = k, column = k;
        for (size_t i = k; i < n; i++)
            for (size_t j = k; j < n; j++)
                if (!(fabs(a[i * n + j]) <= fabs(a[row * n + column]))) row = i, column = j;
        double pivot = a[row * n + column];
        if (!isfinite(pivot) || fabs(pivot) <= tolerance) return false;
        for (size_t j = k; j < n; j++) swap(&a[row * n + j], &a[k * n + j]);
        for (size_t i = k; i < n; i++) swap(&a[i * n + column], &a[i * n + k]);
        for (size_t i = k + 1; i < n; i++) {
            double part = a[i * n + k] / pivot;
            for (size_t j = k; j < n && part != 0; j++) a[i * n + j] -= part * a[k * n + j];
        }
    }
    return true;
}

/* Whether a block is singular at all points. */
static bool is_singular(const parting *s, uint32_t block)
{
    const sparse_pattern *p = s->pattern;
    const uint32_t *row = s->b->row + s->b->start[block];
    size_t size = size_of(s, block);
    double *a = s->dense;
    for (size_t k = 0; k < s->points; k++) {
        memset(a, 0, size * size * sizeof *a);
        for (size_t j = 0; j < size; j++) {
            size_t column = s->match[row[j]];
            for (sparse_index e = p->start[column]; e < p->start[column + 1]; e++)
                if (s->block[p->row[e]] == block)
                    a[s->place[p->row[e]] * size + j] = s->value[k * p->nonzeros + (size_t)e];
        }
        if (has_full_rank(size, a, s->tolerance)) return false;
    }
    return true;
}

static void meet(parting *s, uint32_t block, uint32_t round)
{
    if (s->seen[block] == round) return;
    s->seen[block] = round;
    s->needed[s->found++] = block;
}

/* Lists the blocks that one needs, itself among them, and those that are in parts with these.
 * Returns how many rows they have; more than DECEIVED_LARGEST: not all were listed. */
static size_t list_needed(parting *s, uint32_t block, uint32_t round)
{
    size_t rows = 0;
    s->found = 0;
    meet(s, block, round);
    for (size_t k = 0; k < s->found && rows <= DECEIVED_LARGEST; k++) {
        uint32_t at = s->needed[k];
        rows += size_of(s, at);
        for (size_t i = s->b->start[at]; i < s->b->start[at + 1]; i++) {
            uint32_t row = s->b->row[i];
            for (size_t e = s->in->start[row]; e < s->in->start[row + 1]; e++)
                meet(s, s->block[s->owner[s->in->column[e]]], round);
        }
        if (s->part[at] == INCIDENCE_NONE) continue;
        uint32_t other = s->gathered.item[s->part[at]].first;
        for (; other != INCIDENCE_NONE; other = s->next[other]) meet(s, other, round);
    }
    return rows;
}

/* Makes a part of the blocks that are listed; the parts that they were in are no more. */
static void gather(parting *s)
{
    gathered all = {.first = INCIDENCE_NONE};
    uint32_t number = (uint32_t)s->gathered.count;
    for (size_t k = 0; k < s->found; k++) {
        uint32_t block = s->needed[k];
        if (s->part[block] != INCIDENCE_NONE) s->gathered.item[s->part[block]].rows = 0;
        s->part[block] = number;
        s->next[block] = all.first;
        all.first = block;
        all.rows += size_of(s, block);
    }
    list_push(s->a, &s->gathered, all);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static deceived_parts *list_parts(const parting *s)
{
    arena *a = s->a;
    deceived_parts *found = arena_take(a, sizeof *found);
    found->start = arena_array(a, s->gathered.count + 1, sizeof *found->start);
    found->row = arena_array(a, s->n, sizeof *found->row);
    found->column = arena_array(a, s->n, sizeof *found->column);
    size_t at = 0;
    for (size_t k = 0; k < s->gathered.count; k++) {
        const gathered *part = &s->gathered.item[k];
        if (part->rows == 0) continue;
        uint32_t *row = found->row + at, *column = found->column + at;
        for (uint32_t block = part->first; block != INCIDENCE_NONE; block = s->next[block])
            for (size_t i = s->b->start[block]; i < s->b->start[block + 1]; i++)
                found->row[at++] = s->b->row[i];
        qsort(row, part->rows, sizeof *row, ascending);
        for (size_t i = 0; i < part->rows; i++) column[i] = s->match[row[i]];
        qsort(column, part->rows, sizeof *column, ascending);
        found->start[++found->count] = at;
    }
    return found;
}

deceived_parts *structure_deceived_parts(arena *a, const sparse_pattern *pattern, size_t points,
                                         const double *value, double tolerance,
                                         const uint32_t *match)
{
    size_t n = pattern->rows, largest = n < DECEIVED_LARGEST ? n : DECEIVED_LARGEST;
    parting s = {.a = a,
                 .pattern = pattern,
                 .n = n,
                 .points = points,
                 .value = value,
                 .match = match,
                 .tolerance = tolerance};
    list_rows(&s);
    find_blocks(&s);
    s.dense = arena_array(a, largest * largest, sizeof *s.dense);
    s.next = arena_array(a, n, sizeof *s.next);
    s.part = arena_array(a, n, sizeof *s.part);
    s.seen = arena_array(a, n, sizeof *s.seen);
    s.needed = arena_array(a, n, sizeof *s.needed);
    for (uint32_t k = 0; k < s.b->count; k++) s.part[k] = INCIDENCE_NONE;
    for (uint32_t k = 0; k < s.b->count; k++) { /* each after those that it needs */
        if (size_of(&s, k) > DECEIVED_LARGEST || !is_singular(&s, k)) continue;
        if (list_needed(&s, k, k + 1) > DECEIVED_LARGEST) s.needed[0] = k, s.found = 1;
        gather(&s);
    }
    return list_parts(&s);
}
