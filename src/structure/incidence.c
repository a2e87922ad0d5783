#include "structure/signature.h"

#include "symbolic/derive.h"

#include <stdlib.h>

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
            if (j != INCIDENCE_NONE) list_push(a, &in_row, ((occurrence){j, leaf[k].order}));
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
