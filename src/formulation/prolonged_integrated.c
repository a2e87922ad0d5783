#include "formulation/prolonged_integrated.h"

#include <math.h>
#include <string.h>

static size_t array_rows(const prolonged_integrated *l)
{
    return l->array->level[0].rows;
}

/* r (n) = E (y - y0) */
static void integrated(prolonged_integrated *l, const double *z, double *r)
{
    const problem *p = &l->form->problem;
    prolonged_form_scatter(l->form, z, l->y, l->yp);
    for (size_t j = 0; j < p->n; j++) l->y[j] -= l->y0[j];
    memset(r, 0, p->n * sizeof *r);
    sparse_add_product(p->by_yp.pattern, l->e, l->y, r);
}

static dae_status levels_value(void *self, size_t level, double t, const double *z, double *c)
{
    prolonged_integrated *l = self;
    dae_status status = l->array->form->value(l->array->self, level, t, z, c);
    if (status == DAE_OK) integrated(l, z, c + array_rows(l));
    return status;
}

static dae_status levels_linearize(void *self, double t, const double *z)
{
    const constraint_levels *array = ((prolonged_integrated *)self)->array;
    return array->form->linearize(array->self, t, z);
}

static void levels_jacobian(void *self, size_t level, double *value)
{
    const prolonged_integrated *l = self;
    size_t of_array = l->array->level[0].pattern->nonzeros;
    l->array->form->jacobian(l->array->self, level, l->array_value);
    for (size_t k = 0; k < l->whole.pattern->nonzeros; k++)
        value[k] = l->from[k] < of_array ? l->array_value[l->from[k]] : l->e[l->from[k] - of_array];
}

static const constraint_levels_form form_of_levels = {
    .value = levels_value, .linearize = levels_linearize, .jacobian = levels_jacobian};

/* The rows of the array, then those of E, whose columns are the entries of z that y is. */
static sparse_pattern *build_pattern(arena *a, prolonged_integrated *l)
{
    const sparse_pattern *array = l->array->level[0].pattern, *e = l->form->problem.by_yp.pattern;
    sparse_entries all = sparse_entries_take(a, array->nonzeros + e->nonzeros);
    for (size_t j = 0; j < array->columns; j++)
        for (sparse_index k = array->start[j]; k < array->start[j + 1]; k++)
            sparse_entries_add_from(&all, (size_t)array->row[k], j, (size_t)k);
    for (size_t j = 0; j < e->columns; j++)
        for (sparse_index k = e->start[j]; k < e->start[j + 1]; k++)
            sparse_entries_add_from(&all, array->rows + (size_t)e->row[k], l->form->entry[j],
                                    array->nonzeros + (size_t)k);
    return sparse_entries_build_from(a, &all, array->rows + e->rows, array->columns, &l->from);
}

prolonged_integrated *prolonged_integrated_create(arena *a, const constraint_levels *array,
                                                  prolonged_form *form)
{
    const problem *p = &form->problem;
    prolonged_integrated *l = arena_take(a, sizeof *l);
    *l = (prolonged_integrated){.array = array, .form = form};
    l->whole = (constraint_level){.rows = array->level[0].rows + p->n,
                                  .columns = array->level[0].columns,
                                  .column = array->level[0].column,
                                  .pattern = build_pattern(a, l)};
    l->levels = (constraint_levels){.form = &form_of_levels,
                                    .self = l,
                                    .size = array->size,
                                    .count = 1,
                                    .level = &l->whole,
                                    .nominal = array->nominal,
                                    .accuracy = array->accuracy};
    l->array_value = arena_array(a, array->level[0].pattern->nonzeros + 1, sizeof(double));
    l->e = arena_array(a, p->by_yp.pattern->nonzeros + 1, sizeof(double));
    arena_vectors(a, p->n + 1, (double **[]){&l->y0, &l->y, &l->yp, NULL});
    l->sum = arena_array(a, 2 * p->n + 1, sizeof *l->sum);
    return l;
}

dae_status prolonged_integrated_hold(prolonged_integrated *l, double t, const double *z)
{
    problem *p = &l->form->problem;
    prolonged_form_scatter(l->form, z, l->y0, l->yp);
    dae_status status = problem_linearize(p, t, l->y0, l->yp);
    size_t nonzeros = p->by_yp.pattern->nonzeros;
    if (nonzeros) memcpy(l->e, p->by_yp.value, nonzeros * sizeof *l->e);
    return status;
}

double prolonged_integrated_moved(prolonged_integrated *l, const double *z)
{
    const problem *p = &l->form->problem;
    double most = 0, *sum = l->sum, *terms = l->sum + p->n;
    integrated(l, z, sum);
    for (size_t j = 0; j < p->n; j++) l->y[j] = fabs(l->y[j]);
    miss_terms(p->by_yp.pattern, l->e, l->y, p->nominal, terms);
    miss_raise(&most, miss_largest(p->n, sum, terms, NULL));
    return most;
}
