#include "structure/prolongation.h"

#include "symbolic/derive.h"

#include <stdint.h>
#include <string.h>

/* Expressions that have been compiled. */
typedef struct compiled {
    size_t count;
    sym *f; /* count */
    sym_tape *tape;
    sym_matrix *jacobian;
} compiled;

struct prolongation_tapes {
    arena *a; /* in which they live */
    LIST(compiled) item;
};

/* The orders d, and after them the highest ones of unknowns that count as known. */
static const uint32_t *orders_of_all(arena *a, const prolongation *p, const uint32_t *d)
{
    if (p->columns == p->n) return d;
    uint32_t *all = arena_array(a, p->columns, sizeof *all);
    memcpy(all, d, p->n * sizeof *d);
    for (size_t i = 0; i < p->n; i++) {
        const sym_leaf *leaf;
        size_t leaves = sym_leaves(p->g, p->row[p->first_row[i]], &leaf);
        for (size_t k = 0; k < leaves; k++) {
            uint32_t j = p->column_of[leaf[k].id];
            if (j >= p->n && leaf[k].order + p->c[i] > all[j]) all[j] = leaf[k].order + p->c[i];
        }
    }
    return all;
}

static void differentiate(prolongation *p, const explicit_core *core)
{
    for (size_t i = 0; i < p->n; i++) {
        sym f = core->residual[i];
        for (uint32_t k = 0; k <= p->c[i]; k++) {
            p->row[p->first_row[i] + k] = f;
            if (k < p->c[i]) f = sym_time_derivative(p->g, f);
        }
    }
}

prolongation *structure_prolong(arena *a, sym_graph *g, const explicit_core *core,
                                const uint32_t *c, const uint32_t *d)
{
    prolongation *p = arena_take(a, sizeof *p);
    *p = (prolongation){.g = g, .n = core->n, .columns = core->n + core->known, .c = c};
    p->tapes = arena_take(a, sizeof *p->tapes);
    p->tapes->a = a;
    p->system = arena_take(a, sizeof *p->system);
    p->unknown = core->unknown;
    p->column_of = core->column_of;
    p->first = arena_array(a, p->columns + 1, sizeof *p->first);
    p->first_row = arena_array(a, p->n + 1, sizeof *p->first_row);
    for (size_t i = 0; i < p->n; i++) p->first_row[i + 1] = p->first_row[i] + c[i] + 1;
    p->rows = p->first_row[p->n];
    p->row = arena_array(a, p->rows, sizeof *p->row);
    differentiate(p, core);
    p->d = orders_of_all(a, p, d);
    for (size_t j = 0; j < p->columns; j++) p->first[j + 1] = p->first[j] + p->d[j] + 1;
    p->size = p->first[p->columns];
    return p;
}

const sym_entries *structure_system_entries(const prolongation *p)
{
    sym_partials partials = {0};
    if (p->system->count > 0) return p->system;
    for (size_t i = 0; i < p->n; i++) {
        sym_gradient(p->g, p->row[p->first_row[i]], &partials);
        for (size_t k = 0; k < partials.count; k++) {
            sym_view leaf = sym_look(p->g, partials.item[k].leaf);
            if (leaf.op != SYM_VARIABLE) continue;
            size_t j = p->column_of[leaf.id];
            if (j < p->n && leaf.order + p->c[i] == p->d[j])
                list_push(p->tapes->a, p->system, ((sym_entry){i, j, partials.item[k].value}));
        }
    }
    list_return(sym_graph_arena(p->g), &partials);
    return p->system;
}

void prolongation_forget_entries(const prolongation *p)
{
    list_return(p->tapes->a, p->system);
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

void prolongation_share(prolongation *p, const prolongation *other)
{
    if (p->columns == other->columns &&
        memcmp(p->unknown, other->unknown, p->columns * sizeof *p->unknown) == 0 &&
        memcmp(p->first, other->first, (p->columns + 1) * sizeof *p->first) == 0)
        p->tapes = other->tapes;
}

/* What has been compiled of these expressions; NULL: it is not kept, because it lives elsewhere. */
static compiled *compiled_of(const arena *a, const prolongation *p, size_t count, const sym *f)
{
    prolongation_tapes *kept = p->tapes;
    if (a != kept->a) return NULL;
    for (size_t k = 0; k < kept->item.count; k++) {
        compiled *c = &kept->item.item[k];
        if (c->count == count && memcmp(c->f, f, count * sizeof *f) == 0) return c;
    }
    list_push(kept->a, &kept->item,
              ((compiled){.count = count, .f = arena_duplicate(kept->a, f, count, sizeof *f)}));
    return &kept->item.item[kept->item.count - 1];
}

static sym_tape *compile_tape(arena *a, const prolongation *p, size_t count, const sym *f)
{
    return sym_tape_compile(a, p->g, count, f, prolongation_inputs(p), prolongation_slot,
                            (void *)p);
}

sym_tape *prolongation_tape(arena *a, const prolongation *p, size_t count, const sym *f)
{
    compiled *c = count > 0 ? compiled_of(a, p, count, f) : NULL;
    if (!c) return compile_tape(a, p, count, f);
    if (!c->tape) c->tape = compile_tape(a, p, count, f);
    return c->tape;
}

sym_matrix *prolongation_matrix(arena *a, const prolongation *p, size_t rows, size_t columns,
                                const sym_entries *entries)
{
    return sym_matrix_compile(a, p->g, rows, columns, entries, prolongation_inputs(p),
                              prolongation_slot, (void *)p);
}

static sym_matrix *compile_jacobian(arena *a, const prolongation *p, size_t rows, const sym *f)
{
    sym_entries entries = sym_jacobian_entries(a, p->g, rows, f, prolongation_column, (void *)p);
    sym_matrix *m = prolongation_matrix(a, p, rows, p->size, &entries);
    list_return(a, &entries);
    return m;
}

sym_matrix *prolongation_jacobian(arena *a, const prolongation *p, size_t rows, const sym *f)
{
    compiled *c = rows > 0 ? compiled_of(a, p, rows, f) : NULL;
    if (!c) return compile_jacobian(a, p, rows, f);
    if (!c->jacobian) c->jacobian = compile_jacobian(a, p, rows, f);
    return c->jacobian;
}

void prolongation_visit(prolongation *p, bool tapes, sym_visit *visit, void *context)
{
    for (size_t i = 0; i < p->system->count; i++) visit(context, &p->system->item[i].value);
    for (size_t i = 0; i < p->rows; i++) visit(context, &p->row[i]);
    for (size_t k = 0; tapes && k < p->tapes->item.count; k++) {
        const compiled *c = &p->tapes->item.item[k];
        for (size_t i = 0; i < c->count; i++) visit(context, &c->f[i]);
    }
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
