#include "problem/pencil.h"

#include <stdlib.h>
#include <string.h>

typedef struct pencil_slot {
    linear_solver *solver;
    bool is_complex;
    void *value;   /* of the sum, double or double complex */
    double *scale; /* n: of the columns */
} pencil_slot;

struct pencil {
    sparse_pattern *pattern;         /* of the sum */
    size_t count_b, count_a;         /* nonzeros of the two */
    const size_t *where_b, *where_a; /* where each stands in the sum */
    size_t slots;
    pencil_slot *slot;
};

static void list_entries(const sparse_pattern *p, size_t *row, size_t *column)
{
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            row[k] = (size_t)p->row[k];
            column[k] = j;
        }
    }
}

pencil *pencil_create(arena *a, const sparse_pattern *b, const sparse_pattern *at)
{
    pencil *p = arena_take(a, sizeof *p);
    size_t entries = b->nonzeros + at->nonzeros;
    size_t *row = arena_array(a, entries, sizeof *row);
    size_t *column = arena_array(a, entries, sizeof *column);
    size_t *where = arena_array(a, entries, sizeof *where);
    list_entries(b, row, column);
    list_entries(at, row + b->nonzeros, column + b->nonzeros);
    p->pattern = sparse_build(a, b->rows, b->columns, entries, row, column, where);
    p->count_b = b->nonzeros;
    p->count_a = at->nonzeros;
    p->where_b = where;
    p->where_a = where + b->nonzeros;
    return p;
}

static size_t value_size(const pencil_slot *s)
{
    return s->is_complex ? sizeof(double complex) : sizeof(double);
}

void pencil_free(pencil *p)
{
    if (!p || !p->slot) return;
    for (size_t i = 0; i < p->slots; i++) {
        linear_solver_free(p->slot[i].solver);
        free(p->slot[i].value);
        free(p->slot[i].scale);
    }
    free(p->slot);
    p->slot = NULL;
}

dae_status pencil_reserve(pencil *p, size_t slots, const bool *is_complex)
{
    pencil_free(p);
    p->slot = calloc(slots, sizeof *p->slot);
    if (!p->slot) return DAE_NO_MEMORY;
    p->slots = slots;
    for (size_t i = 0; i < slots; i++) {
        pencil_slot *s = &p->slot[i];
        s->is_complex = is_complex[i];
        s->value = calloc(p->pattern->nonzeros + 1, value_size(s));
        s->scale = malloc((p->pattern->columns + 1) * sizeof *s->scale);
        if (!s->value || !s->scale) return DAE_NO_MEMORY;
        for (size_t j = 0; j < p->pattern->columns; j++) s->scale[j] = 1;
        dae_status status = i == 0 ? linear_solver_create(&s->solver, p->pattern, is_complex[i])
                                   : linear_solver_create_like(&s->solver, p->slot[0].solver,
                                                               is_complex[i]);
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

double *pencil_scale(pencil *p, size_t slot)
{
    return p->slot[slot].scale;
}

static void add(const pencil_slot *s, double complex factor, size_t count, const size_t *where,
                const double *value)
{
    double complex *sum = s->value;
    double *real_sum = s->value, real = creal(factor);
    for (size_t k = 0; s->is_complex && k < count; k++) sum[where[k]] += factor * value[k];
    for (size_t k = 0; !s->is_complex && k < count; k++) real_sum[where[k]] += real * value[k];
}

dae_status pencil_factor(pencil *p, size_t slot, double complex alpha, const double *b,
                         double complex beta, const double *at)
{
    const pencil_slot *s = &p->slot[slot];
    memset(s->value, 0, p->pattern->nonzeros * value_size(s));
    add(s, alpha, p->count_b, p->where_b, b);
    add(s, beta, p->count_a, p->where_a, at);
    linear_solver_scale_columns(s->solver, s->value, s->scale);
    return linear_solver_factor(s->solver, s->value);
}

void pencil_solve(pencil *p, size_t slot, void *x)
{
    linear_solver_solve(p->slot[slot].solver, x);
}

const linear_solver *pencil_solver(const pencil *p, size_t slot)
{
    return slot < p->slots ? p->slot[slot].solver : NULL;
}

void pencil_costs(const pencil *p, size_t slot, double *factor, double *solve)
{
    *factor = linear_solver_factor_cost(p->slot[slot].solver);
    *solve = linear_solver_solve_cost(p->slot[slot].solver);
}
