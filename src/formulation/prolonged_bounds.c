#include "formulation/prolonged_bounds.h"

#include "linalg/rows.h"

#include <string.h>

static const start_system *inner_of(const prolonged_bounds *b)
{
    return &b->s->start;
}

/* The first row of a bound. */
static size_t own_rows_from(const prolonged_bounds *b)
{
    return b->alone ? 0 : inner_of(b)->rows;
}

static const double *load(prolonged_bounds *b, double t, const double *z)
{
    b->input[0] = t;
    memcpy(b->input + 1, z, b->s->p->size * sizeof *z);
    return b->input;
}

static dae_status bounds_value(void *self, double t, const double *z, double *r)
{
    prolonged_bounds *b = self;
    const start_system *inner = inner_of(b);
    size_t first = own_rows_from(b);
    dae_status status = b->alone ? DAE_OK : inner->form->value(inner->self, t, z, r);
    if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
    sym_tape_eval(b->values, load(b, t, z), b->at);
    for (size_t k = 0; k < b->held; k++) r[first + k] = b->at[b->which[k]] - b->target[b->which[k]];
    if (status != DAE_OK) return status;
    return vector_is_finite(b->held, r + first) ? DAE_OK : DAE_NOT_EVALUABLE;
}

static dae_status bounds_jacobian(void *self, double t, const double *z, double *value)
{
    prolonged_bounds *b = self;
    const start_system *inner = inner_of(b);
    const sparse_pattern *p = b->slopes->pattern;
    const uint32_t *where = b->where;
    dae_status status = DAE_OK;
    if (!b->alone) {
        status = inner->form->jacobian(inner->self, t, z, b->inner);
        for (size_t k = 0; k < inner->pattern->nonzeros; k++) value[*where++] = b->inner[k];
    }
    sym_matrix_eval(b->slopes, load(b, t, z), b->own);
    for (size_t held = 0; held < b->held; held++)
        for (size_t k = 0; k < p->nonzeros; k++)
            if ((size_t)p->row[k] == b->which[held]) value[*where++] = b->own[k];
    return status;
}

static const sym_unknown *unknown_of(const prolonged_bounds *b, size_t row)
{
    return &b->s->system->unknown.item[b->id[b->which[row - own_rows_from(b)]]];
}

static void bounds_name_row(void *self, size_t row, text *t)
{
    const prolonged_bounds *b = self;
    if (row < own_rows_from(b))
        inner_of(b)->form->name_row(inner_of(b)->self, row, t);
    else
        text_format(t, "the bound of %s", unknown_of(b, row)->name);
}

static void bounds_locate_row(void *self, size_t row, text *t)
{
    const prolonged_bounds *b = self;
    if (row < own_rows_from(b)) {
        inner_of(b)->form->locate_row(inner_of(b)->self, row, t);
        return;
    }
    const prolonged_start *s = b->s;
    uint32_t id = b->id[b->which[row - own_rows_from(b)]];
    const sym_equation *e = &s->system->equation.item[s->core->given_by[id]];
    text_format(t, "%s:%u:%u", s->system->file, e->at.line, e->at.column);
}

static void bounds_name_entry(void *self, size_t entry, text *t)
{
    const prolonged_bounds *b = self;
    inner_of(b)->form->name_entry(inner_of(b)->self, entry, t);
}

static const start_form prolonged_bounds_form = {
    .rows_apart = true,
    .value = bounds_value,
    .jacobian = bounds_jacobian,
    .name_row = bounds_name_row,
    .locate_row = bounds_locate_row,
    .name_entry = bounds_name_entry,
};

prolonged_bounds *prolonged_bounds_create(arena *a, const prolonged_start *s, size_t count,
                                          const uint32_t *id)
{
    prolonged_bounds *b = arena_take(a, sizeof *b);
    *b = (prolonged_bounds){.s = s, .count = count, .id = id};
    sym *value = arena_array(a, count, sizeof *value);
    for (size_t k = 0; k < count; k++) value[k] = s->core->value[id[k]];
    b->values = prolongation_tape(a, s->p, count, value);
    b->slopes = prolongation_jacobian(a, s->p, count, value);
    b->which = arena_array(a, count, sizeof *b->which);
    arena_vectors(a, count, (double **const[]){&b->target, &b->at, NULL});
    b->input = arena_array(a, prolongation_inputs(s->p), sizeof *b->input);
    b->inner = arena_array(a, s->start.pattern->nonzeros, sizeof *b->inner);
    b->own = arena_array(a, b->slopes->pattern->nonzeros, sizeof *b->own);
    return b;
}

start_system prolonged_bounds_system(prolonged_bounds *b, arena *a, const start_system *from,
                                     bool alone)
{
    const sparse_pattern *inner = inner_of(b)->pattern, *own = b->slopes->pattern;
    start_system system = *from;
    b->alone = alone;
    size_t first = own_rows_from(b);
    sparse_entries e = sparse_entries_take(a, inner->nonzeros + b->held * own->nonzeros);
    if (!alone) sparse_entries_add_all(&e, inner, 0, 0);
    for (size_t held = 0; held < b->held; held++)
        for (size_t j = 0; j < own->columns; j++)
            for (sparse_index k = own->start[j]; k < own->start[j + 1]; k++)
                if ((size_t)own->row[k] == b->which[held]) sparse_entries_add(&e, first + held, j);
    system.pattern = sparse_entries_build(a, &e, first + b->held, inner_of(b)->size);
    b->where = e.where;
    system.form = &prolonged_bounds_form;
    system.self = b;
    system.rows = first + b->held;
    if (alone) system.equations = 0;
    return system;
}
