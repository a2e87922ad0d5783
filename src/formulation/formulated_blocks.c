#include "formulation/mechanical_formulation_parts.h"

static bool takes(const formulated_block *k, sparse_index row)
{
    return (size_t)row >= k->from && (size_t)row < k->to;
}

static size_t count_entries(const formulated_blocks *b)
{
    size_t entries = 0;
    for (size_t i = 0; i < b->count; i++) entries += b->block[i].pattern->nonzeros;
    return entries;
}

static size_t list_block(const formulated_block *k, size_t *row, size_t *column)
{
    const sparse_pattern *p = k->pattern;
    size_t listed = 0;
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) {
            if (!takes(k, p->row[e])) continue;
            size_t i = (size_t)p->row[e] - k->from;
            row[listed] = k->row + (k->turned ? j : i);
            column[listed++] = k->column + (k->turned ? i : j);
        }
    }
    return listed;
}

void formulated_blocks_build(formulated_blocks *b, arena *a)
{
    size_t most = count_entries(b), entries = 0;
    size_t *row = arena_array(a, most, sizeof *row), *column = arena_array(a, most, sizeof *column);
    size_t *where = arena_array(a, most, sizeof *where);
    for (size_t i = 0; i < b->count; i++)
        entries += list_block(&b->block[i], row + entries, column + entries);
    const sparse_pattern *p = sparse_build(a, b->n, b->n, entries, row, column, where);
    b->pattern = author_pattern_of(a, p);
    b->where = where;
}

void formulated_blocks_add(const formulated_blocks *b, int source, const double *from,
                           double *value)
{
    const size_t *where = b->where;
    for (size_t i = 0; i < b->count; i++) {
        const formulated_block *k = &b->block[i];
        for (size_t e = 0; e < k->pattern->nonzeros; e++) {
            if (!takes(k, k->pattern->row[e])) continue;
            if (k->source == source) value[*where] += k->factor * (from ? from[e] : 1);
            where++;
        }
    }
}
