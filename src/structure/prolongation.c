#include "structure/prolongation.h"

#include "symbolic/derive.h"

#include <stdint.h>

prolongation *structure_prolong(arena *a, sym_graph *g, const explicit_core *core,
                                const uint32_t *c, const uint32_t *d)
{
    prolongation *p = arena_take(a, sizeof *p);
    *p = (prolongation){.g = g, .n = core->n, .c = c, .d = d};
    p->unknown = core->unknown;
    p->column_of = core->column_of;
    p->first = arena_array(a, p->n + 1, sizeof *p->first);
    p->first_row = arena_array(a, p->n + 1, sizeof *p->first_row);
    for (size_t i = 0; i < p->n; i++) {
        p->first[i + 1] = p->first[i] + d[i] + 1;
        p->first_row[i + 1] = p->first_row[i] + c[i] + 1;
    }
    p->size = p->first[p->n];
    p->rows = p->first_row[p->n];
    p->row = arena_array(a, p->rows, sizeof *p->row);
    for (size_t i = 0; i < p->n; i++) {
        sym f = core->residual[i];
        for (uint32_t k = 0; k <= c[i]; k++) {
            p->row[p->first_row[i] + k] = f;
            if (k < c[i]) f = sym_time_derivative(g, f);
        }
    }
    return p;
}

sym_entries structure_system_entries(arena *a, const prolongation *p)
{
    sym_entries entries = {0};
    sym_partials partials = {0};
    for (size_t i = 0; i < p->n; i++) {
        sym_gradient(p->g, p->row[p->first_row[i]], &partials);
        for (size_t k = 0; k < partials.count; k++) {
            sym_view leaf = sym_look(p->g, partials.item[k].leaf);
            if (leaf.op != SYM_VARIABLE) continue;
            size_t j = p->column_of[leaf.id];
            if (leaf.order + p->c[i] == p->d[j])
                list_push(a, &entries, ((sym_entry){i, j, partials.item[k].value}));
        }
    }
    return entries;
}

size_t prolongation_slot(void *prolonged, const sym_view *leaf)
{
    const prolongation *p = prolonged;
    if (leaf->op == SYM_TIME) return 0;
    return 1 + p->first[p->column_of[leaf->id]] + leaf->order;
}

size_t prolongation_inputs(const prolongation *p)
{
    return 1 + p->size;
}

size_t prolongation_column(void *prolonged, size_t row, const sym_view *leaf)
{
    (void)row;
    return leaf->op == SYM_TIME ? SIZE_MAX : prolongation_slot(prolonged, leaf) - 1;
}

sym_tape *prolongation_tape(arena *a, const prolongation *p, size_t count, const sym *f)
{
    return sym_tape_compile(a, p->g, count, f, prolongation_inputs(p), prolongation_slot,
                            (void *)p);
}

sym_matrix *prolongation_matrix(arena *a, const prolongation *p, size_t rows, size_t columns,
                                const sym_entries *entries)
{
    return sym_matrix_compile(a, p->g, rows, columns, entries, prolongation_inputs(p),
                              prolongation_slot, (void *)p);
}

sym_matrix *prolongation_jacobian(arena *a, const prolongation *p, size_t rows, const sym *f)
{
    sym_entries entries = sym_jacobian_entries(a, p->g, rows, f, prolongation_column, (void *)p);
    sym_matrix *m = prolongation_matrix(a, p, rows, p->size, &entries);
    list_return(a, &entries);
    return m;
}

size_t prolongation_group(const size_t *first, size_t n, size_t index)
{
    size_t low = 0, high = n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(first[middle] <= index ? &low : &high) = middle;
    }
    return low;
}
