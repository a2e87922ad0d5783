#include "formulation/prolonged_mass.h"

#include <string.h>

/* The column of the Jacobian that belongs to the last y' of unknown j, which has one. */
static size_t mass_column(const prolonged_form *f, size_t j)
{
    return f->p->first[j] + f->top[j];
}

void prolonged_mass_multiply(const prolonged_form *f, const double *v, double *r)
{
    const sparse_pattern *p = f->jacobian->pattern;
    memcpy(r, v, f->problem.n * sizeof *r); /* rows y_k' = y_(k+1) */
    for (size_t j = 0; j < f->p->n; j++) r[f->first[j + 1] - 1] = 0;
    for (size_t j = 0; j < f->p->n; j++) {
        if (f->top[j] == 0) continue;
        size_t column = mass_column(f, j);
        for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++)
            r[f->first[p->row[k] + 1] - 1] += f->slope[k] * v[f->first[j + 1] - 1];
    }
}

void prolonged_mass_find_constant(prolonged_form *f)
{
    const sym_matrix *m = f->jacobian;
    bool *varies = arena_array(f->memory, m->pattern->nonzeros, sizeof *varies);
    for (size_t k = 0; k < m->varying; k++) varies[m->place[k]] = true;
    f->problem.constant = m->varying == 0;
    f->problem.constant_mass = true;
    for (size_t j = 0; j < f->p->n; j++) {
        size_t column = mass_column(f, j);
        for (sparse_index k = m->pattern->start[column]; k < m->pattern->start[column + 1]; k++)
            if (f->top[j] > 0 && varies[k]) f->problem.constant_mass = false;
    }
}
