#include "formulation/mechanical_formulation_parts.h"

static bool takes(const formulated_block *k, sparse_index row)
{
    return (size_t)row >= k->from && (size_t)row < k->to;
}

static void list_block(const formulated_block *k, sparse_entries *listed)
{
    const sparse_pattern *p = k->pattern;
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index e = p->start[j]; e < p->start[j + 1]; e++) {
            if (!takes(k, p->row[e])) continue;
            size_t i = (size_t)p->row[e] - k->from;
            sparse_entries_add(listed, k->row + (k->turned ? j : i),
                               k->column + (k->turned ? i : j));
        }
    }
}

void formulated_blocks_build(formulated_blocks *b, arena *a)
{
    size_t most = 0;
    for (size_t i = 0; i < b->count; i++) most += b->block[i].pattern->nonzeros;
    sparse_entries listed = sparse_entries_take(a, most);
    for (size_t i = 0; i < b->count; i++) list_block(&b->block[i], &listed);
    b->pattern = author_pattern_of(a, sparse_entries_build(a, &listed, b->n, b->n));
    b->where = listed.where;
}

void formulated_blocks_add(const formulated_blocks *b, int source, const double *from,
                           double *value)
{
    const uint32_t *where = b->where;
    for (size_t i = 0; i < b->count; i++) {
        const formulated_block *k = &b->block[i];
        for (size_t e = 0; e < k->pattern->nonzeros; e++) {
            if (!takes(k, k->pattern->row[e])) continue;
            if (k->source == source) value[*where] += k->factor * (from ? from[e] : 1);
            where++;
        }
    }
}
