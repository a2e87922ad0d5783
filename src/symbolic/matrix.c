#include "symbolic/tape.h"

#include "symbolic/derive.h"
#include "symbolic/traced.h"

#include <stdint.h>
#include <string.h>

sym_matrix *sym_matrix_compile(arena *a, sym_graph *g, size_t rows, size_t columns,
                               const sym_entries *entries, size_t inputs, sym_slot slot,
                               void *context)
{
    size_t count = entries->count;
    sparse_entries e = sparse_entries_take(a, count);
    for (size_t i = 0; i < count; i++)
        sparse_entries_add(&e, entries->item[i].row, entries->item[i].column);
    sym_matrix *m = arena_take(a, sizeof *m);
    m->pattern = sparse_entries_build(a, &e, rows, columns);

    double *numbers = arena_array(a, m->pattern->nonzeros, sizeof *numbers);
    sym *varying = arena_array(a, count, sizeof *varying);
    m->place = arena_array(a, count, sizeof *m->place);
    for (size_t i = 0; i < count; i++) {
        double number; /* not pinned */
        if (sym_number_of(g, entries->item[i].value, &number)) {
            numbers[e.where[i]] = sym_value(g, number);
            continue;
        }
        varying[m->varying] = entries->item[i].value;
        m->place[m->varying++] = e.where[i];
    }
    m->numbers = numbers;
    m->nonzeros = m->pattern->nonzeros;
    m->work = arena_array(a, m->varying, sizeof *m->work);
    arena_return(a, e.where, e.most, sizeof *e.where);
    arena_return(a, e.from, e.most, sizeof *e.from);
    m->tape = sym_tape_compile(a, g, m->varying, varying, inputs, slot, context);
    arena_return(a, varying, count, sizeof *varying);
    return m;
}

sym_entries sym_jacobian_entries(arena *a, sym_graph *g, size_t rows, const sym *f,
                                 sym_column column, void *context)
{
    sym_entries entries = {0};
    sym_partials partials = {0};
    for (size_t i = 0; i < rows; i++) {
        sym_gradient(g, f[i], &partials);
        for (size_t k = 0; k < partials.count; k++) {
            sym_view leaf = sym_look(g, partials.item[k].leaf);
            size_t j = column(context, i, &leaf);
            if (j != SIZE_MAX)
                list_push(a, &entries,
                          ((sym_entry){(uint32_t)i, (uint32_t)j, partials.item[k].value}));
        }
    }
    list_return(sym_graph_arena(g), &partials);
    return entries;
}

sym_matrix *sym_matrix_part(arena *a, const sym_matrix *whole, size_t nonzeros,
                            const uint32_t *nonzero, const size_t *varying_of, size_t inputs,
                            const size_t *input, uint32_t *room)
{
    sym_matrix *m = arena_take(a, sizeof *m);
    double *numbers = arena_array(a, nonzeros, sizeof *numbers);
    size_t *output = arena_array(a, nonzeros, sizeof *output);
    m->place = arena_array(a, nonzeros, sizeof *m->place);
    for (size_t k = 0; k < nonzeros; k++) {
        numbers[k] = whole->numbers[nonzero[k]];
        if (varying_of[nonzero[k]] == 0) continue;
        output[m->varying] = varying_of[nonzero[k]] - 1;
        m->place[m->varying++] = k;
    }
    m->numbers = numbers;
    m->nonzeros = nonzeros;
    m->work = arena_array(a, m->varying, sizeof *m->work);
    m->tape = sym_tape_part(a, whole->tape, m->varying, output, inputs, input, room);
    return m->tape ? m : NULL;
}

size_t sym_matrix_work(const sym_matrix *m)
{
    return sym_tape_work(m->tape) + m->varying;
}

void sym_matrix_eval(const sym_matrix *m, const double *input, double *value)
{
    sym_tape_eval(m->tape, input, m->work);
    if (m->nonzeros) memcpy(value, m->numbers, m->nonzeros * sizeof *value);
    for (size_t i = 0; i < m->varying; i++) value[m->place[i]] = m->work[i];
}
