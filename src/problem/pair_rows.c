#include "problem/pair_rows.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The state of the search for pair rows. */
typedef struct search {
    arena *memory;
    pair_rows *r;
    size_t n;
    size_t *entries;       /* n: entries of each row */
    size_t (*column)[2];   /* n: the columns of its first two entries ... */
    size_t (*at)[2];       /* ... and their places among the nonzeros */
    size_t *group;         /* n: of each column, a link towards its group's representative */
    bool *taken;           /* n: rows that are not kept */
    size_t *next, *before; /* lists, by column, of the two ends of rows that are not kept */
    size_t *tree;          /* n: the tree of each column */
} search;

#define NO_END ((size_t)-1)

static void count_entries(search *s)
{
    const sparse_pattern *p = s->r->whole;
    for (size_t j = 0; j < s->n; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = (size_t)p->row[k], entry = s->entries[i]++;
            if (entry > 1) continue;
            s->column[i][entry] = j;
            s->at[i][entry] = (size_t)k;
        }
    }
}

static size_t group_of(const search *s, size_t j)
{
    while (s->group[j] != j) j = s->group[j] = s->group[s->group[j]];
    return j;
}

/* Take the rows with two entries. Rows that would close a ring are kept. */
static void take_rows(search *s)
{
    for (size_t j = 0; j < s->n; j++) s->group[j] = j;
    for (size_t i = 0; i < s->n; i++) {
        if (s->entries[i] != 2) continue;
        size_t g = group_of(s, s->column[i][0]), h = group_of(s, s->column[i][1]);
        if (g == h) continue;
        s->group[g] = h;
        s->taken[i] = true;
        s->r->count++;
    }
}

/* List the ends by column. End 2 i + e is the entry e of row i. */
static void list_ends(search *s)
{
    for (size_t j = 0; j < s->n; j++) s->next[j] = NO_END;
    for (size_t end = 2 * s->n; end-- > 0;) {
        if (!s->taken[end / 2]) continue;
        size_t j = s->column[end / 2][end % 2];
        s->before[end] = s->next[j];
        s->next[j] = end;
    }
}

/* Visit all columns of the tree that contains this one, from it outward. */
static void walk_tree(search *s, size_t top, size_t tree, size_t *pairs)
{
    pair_rows *r = s->r;
    size_t looked = *pairs, column = top;
    s->tree[top] = tree;
    for (;;) {
        for (size_t end = s->next[column]; end != NO_END; end = s->before[end]) {
            size_t i = end / 2, here = end % 2, child = s->column[i][1 - here];
            if (s->tree[child] != NO_END) continue;
            s->tree[child] = tree;
            r->above[child] = (uint32_t)*pairs;
            r->pair[(*pairs)++] = (pair_row){(uint32_t)i, (uint32_t)child, (uint32_t)column,
                                             (uint32_t)s->at[i][1 - here],
                                             (uint32_t)s->at[i][here]};
        }
        if (looked == *pairs) return;
        column = r->pair[looked++].child;
    }
}

static void grow_trees(search *s)
{
    pair_rows *r = s->r;
    size_t trees = s->n - r->count, tree = 0, pairs = 0;
    r->pair = arena_array(s->memory, r->count, sizeof *r->pair);
    r->first = arena_array(s->memory, trees + 1, sizeof *r->first);
    r->top = arena_array(s->memory, trees, sizeof *r->top);
    r->above = arena_array(s->memory, s->n, sizeof *r->above);
    for (size_t j = 0; j < s->n; j++) {
        s->tree[j] = NO_END;
        r->above[j] = (uint32_t)r->count;
    }
    for (size_t j = 0; j < s->n; j++) {
        if (s->tree[j] != NO_END) continue;
        r->top[tree] = (uint32_t)j;
        walk_tree(s, j, tree, &pairs);
        r->first[++tree] = (uint32_t)pairs;
    }
}

static void reduce(search *s)
{
    pair_rows *r = s->r;
    const sparse_pattern *p = r->whole;
    size_t trees = s->n - r->count, kept = 0, entry = 0;
    sparse_entries e = sparse_entries_take(s->memory, p->nonzeros);
    r->kept = arena_array(s->memory, trees, sizeof *r->kept);
    r->place = arena_array(s->memory, s->n, sizeof *r->place);
    r->where = arena_array(s->memory, p->nonzeros, sizeof *r->where);
    for (size_t i = 0; i < s->n; i++) {
        r->place[i] = (uint32_t)(s->taken[i] ? trees : kept);
        if (!s->taken[i]) r->kept[kept++] = (uint32_t)i;
    }
    for (size_t j = 0; j < s->n; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if (!s->taken[p->row[k]]) sparse_entries_add(&e, r->place[p->row[k]], s->tree[j]);
    r->reduced = sparse_entries_build(s->memory, &e, trees, trees);
    for (size_t k = 0; k < p->nonzeros; k++)
        r->where[k] = (uint32_t)(s->taken[p->row[k]] ? r->reduced->nonzeros : e.where[entry++]);
    arena_return(s->memory, e.where, e.most, sizeof *e.where);
    arena_return(s->memory, e.from, e.most, sizeof *e.from);
}

static void end_search(search *s)
{
    arena_return(s->memory, s->entries, s->n, sizeof *s->entries);
    arena_return(s->memory, s->column, s->n, sizeof *s->column);
    arena_return(s->memory, s->at, s->n, sizeof *s->at);
    arena_return(s->memory, s->group, s->n, sizeof *s->group);
    arena_return(s->memory, s->taken, s->n, sizeof *s->taken);
    arena_return(s->memory, s->next, s->n, sizeof *s->next);
    arena_return(s->memory, s->before, 2 * s->n, sizeof *s->before);
    arena_return(s->memory, s->tree, s->n, sizeof *s->tree);
}

/* With fewer pairs than this part of the rows, the saving is smaller than the error of cost
 * estimates (pencil.c), and what describes them would take more memory than the matrix. */
static const double FEW = 0.02;

static void find_pairs(search *s)
{
    count_entries(s);
    take_rows(s);
    if ((double)s->r->count <= FEW * (double)s->n) s->r->count = 0;
    if (s->r->count == 0) return;
    s->r->size = arena_array(s->memory, s->n, sizeof *s->r->size);
    list_ends(s);
    grow_trees(s);
    reduce(s);
}

pair_rows *pair_rows_find(arena *a, const sparse_pattern *whole)
{
    size_t n = whole->columns;
    pair_rows *r = arena_take(a, sizeof *r);
    search s = {.memory = a, .r = r, .n = n};
    r->whole = whole;
    s.entries = arena_array(a, n, sizeof *s.entries);
    s.column = arena_array(a, n, sizeof *s.column);
    s.at = arena_array(a, n, sizeof *s.at);
    s.group = arena_array(a, n, sizeof *s.group);
    s.taken = arena_array(a, n, sizeof *s.taken);
    s.next = arena_array(a, n, sizeof *s.next);
    s.before = arena_array(a, 2 * n, sizeof *s.before);
    s.tree = arena_array(a, n, sizeof *s.tree);
    find_pairs(&s);
    end_search(&s);
    return r;
}

/* A number as part * 2^power with 1 <= part < 2, so that no product overflows. 0 ranks below all
 * products of other numbers. */
static pair_size size_of(double x)
{
    enum { OF_ZERO = -1000000, BIAS = 1023 };
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    long power = (long)(bits >> 52 & 0x7ff);
    if (power == 0) return (pair_size){.part = 1, .power = OF_ZERO};
    bits = (bits & 0xfffffffffffff) | (uint64_t)BIAS << 52;
    pair_size size = {.power = power - BIAS};
    memcpy(&size.part, &bits, sizeof bits);
    return size;
}

static pair_size normal(double part, long power)
{
    if (part >= 2) return (pair_size){part / 2, power + 1};
    return part < 1 ? (pair_size){part * 2, power - 1} : (pair_size){part, power};
}

static pair_size size_at(const void *value, size_t k, bool is_complex, const double *scale,
                         size_t j)
{
    const double *part = (const double *)value + (is_complex ? 2 * k : k);
    pair_size size = size_of(is_complex ? fabs(part[0]) + fabs(part[1]) : part[0]);
    if (!scale) return size;
    pair_size unit = size_of(scale[j]);
    return normal(size.part * unit.part, size.power + unit.power);
}

/* The column of a tree with the largest weight: |x_child| = |b / a| |x_parent|. */
static size_t largest_weight(pair_rows *r, size_t tree, const void *value, bool is_complex,
                             const double *scale)
{
    size_t largest = r->top[tree];
    r->size[largest] = (pair_size){.part = 1};
    for (size_t e = r->first[tree]; e < r->first[tree + 1]; e++) {
        const pair_row *p = &r->pair[e];
        pair_size above = size_at(value, p->at_parent, is_complex, scale, p->parent);
        pair_size own = size_at(value, p->at_child, is_complex, scale, p->child);
        pair_size ratio = normal(above.part / own.part, above.power - own.power);
        pair_size top = r->size[p->parent];
        r->size[p->child] = normal(top.part * ratio.part, top.power + ratio.power);
        const pair_size *new = &r->size[p->child], *most = &r->size[largest];
        if (new->power > most->power || (new->power == most->power &&new->part > most->part))
            largest = p->child;
    }
    return largest;
}

/* Replaces the size of a column between a tree's root and its top. */
static const double ON_THE_WAY = 0;

/* The pairs of a tree with this root, parents first. Pairs between the root and the top are
 * reversed. Returns the end of what was written. */
static pair_row *order_pairs(pair_rows *r, size_t tree, size_t root, pair_row *ordered)
{
    for (size_t j = root; j != r->top[tree];) {
        const pair_row *p = &r->pair[r->above[j]];
        *ordered++ = (pair_row){p->row, p->parent, p->child, p->at_parent, p->at_child};
        r->size[j].part = ON_THE_WAY;
        j = p->parent;
    }
    for (size_t e = r->first[tree]; e < r->first[tree + 1]; e++)
        if (r->size[r->pair[e].child].part != ON_THE_WAY) *ordered++ = r->pair[e];
    return ordered;
}

void pair_rows_choose_roots(pair_rows *r, const void *value, bool is_complex, const double *scale,
                            size_t *root, pair_row *ordered)
{
    size_t trees = r->reduced->columns;
    for (size_t tree = 0; tree < trees; tree++) {
        root[tree] = r->top[tree];
        if (r->first[tree] == r->first[tree + 1]) continue;
        root[tree] = largest_weight(r, tree, value, is_complex, scale);
        ordered = order_pairs(r, tree, root[tree], ordered);
    }
}
