#include "formulation/prolonged_lower.h"

#include <string.h>

static size_t slot_of(void *prolonged, size_t row, const sym_view *leaf)
{
    (void)row;
    return leaf->op == SYM_VARIABLE ? prolongation_slot(prolonged, leaf) - 1 : SIZE_MAX;
}

/* The first level b that meets row f_i^(k): b = c_i - k. The last level is 0. */
static uint32_t *levels_of_rows(arena *a, const prolongation *p)
{
    uint32_t *level = arena_array(a, p->rows, sizeof *level);
    for (size_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k <= p->c[i]; k++) level[p->first_row[i] + k] = p->c[i] - k;
    return level;
}

/* The level b that solves for an entry x_j^(d_j-b). */
static uint32_t *levels_of_entries(arena *a, const prolongation *p)
{
    uint32_t *level = arena_array(a, p->size, sizeof *level);
    for (size_t j = 0; j < p->n; j++)
        for (uint32_t k = 0; k <= p->d[j]; k++) level[p->first[j] + k] = p->d[j] - k;
    return level;
}

prolonged_lower *prolonged_lower_create(arena *a, const prolongation *p)
{
    const uint32_t *of_row = levels_of_rows(a, p), *own = levels_of_entries(a, p);
    uint32_t *seen = arena_array(a, p->size, sizeof *seen); /* first in that level */
    sym_entries all = sym_jacobian_entries(a, p->g, p->rows, p->row, slot_of, (void *)p);
    sym_entries lower = {0};
    memset(seen, 0, p->size * sizeof *seen);
    for (size_t k = 0; k < all.count; k++) {
        const sym_entry *e = &all.item[k];
        if (of_row[e->row] > seen[e->column]) seen[e->column] = of_row[e->row];
    }
    for (size_t k = 0; k < all.count; k++) {
        const sym_entry *e = &all.item[k];
        uint32_t level = of_row[e->row];
        if (level > 0 && level == seen[e->column] && own[e->column] > level)
            list_push(a, &lower, *e);
    }
    if (lower.count == 0) return NULL;
    prolonged_lower *made = arena_take(a, sizeof *made);
    made->matrix = sym_matrix_compile(a, p->g, p->rows, p->size, &lower, prolongation_inputs(p),
                                      prolongation_slot, (void *)p);
    made->work = arena_array(a, sym_matrix_work(made->matrix), sizeof(double));
    sym_matrix_prepare(made->matrix, made->work);
    return made;
}
