/* dF/dy' and dF/dy of the residual form. */
#include "formulation/prolonged_form.h"

/* The place in f->jacobian of an entry that is a number. */
static const size_t NOWHERE = (size_t)-1;

/* Add a column of f->jacobian to one of these matrices. */
static void list_column(const prolonged_form *f, size_t z, size_t column, sparse_entries *e)
{
    const sparse_pattern *p = f->jacobian->pattern;
    for (sparse_index k = p->start[z]; k < p->start[z + 1]; k++)
        sparse_entries_add_from(e, f->first[p->row[k] + 1] - 1, column, (size_t)k);
}

/* Add the rows y_k' = y_(k+1) and the equations. x^(top) is the derivative of the last entry that y
 * holds of x. */
static void list_unknown(const prolonged_form *f, size_t j, sparse_entries *by_yp,
                         sparse_entries *by_y)
{
    size_t first = f->first[j], last = f->first[j + 1] - 1;
    for (size_t k = first; k < last; k++) {
        sparse_entries_add_from(by_yp, k, k, NOWHERE);
        sparse_entries_add_from(by_y, k, k + 1, NOWHERE);
    }
    for (size_t k = first; k <= last; k++) list_column(f, f->p->first[j] + k - first, k, by_y);
    if (f->top[j] > 0) list_column(f, f->p->first[j] + f->top[j], last, by_yp);
}

static problem_matrix build(prolonged_form *f, const sparse_entries *e, double number,
                            prolonged_matrix *m)
{
    size_t n = f->problem.n;
    const sparse_pattern *p = sparse_entries_build_from(f->memory, e, n, n, &m->from);
    m->nonzeros = p->nonzeros;
    m->value = arena_array(f->memory, p->nonzeros, sizeof *m->value);
    for (size_t k = 0; k < p->nonzeros; k++)
        if (m->from[k] == NOWHERE) m->value[k] = number;
    return (problem_matrix){.pattern = p, .value = m->value};
}

static bool is_constant(const prolonged_matrix *m, const bool *varies)
{
    for (size_t k = 0; k < m->nonzeros; k++)
        if (m->from[k] != NOWHERE && varies[m->from[k]]) return false;
    return true;
}

void prolonged_matrices_create(prolonged_form *f)
{
    const sym_matrix *all = f->jacobian;
    size_t most = all->pattern->nonzeros + f->problem.n;
    sparse_entries by_yp = sparse_entries_take(f->memory, most);
    sparse_entries by_y = sparse_entries_take(f->memory, most);
    for (size_t j = 0; j < f->p->n; j++) list_unknown(f, j, &by_yp, &by_y);
    f->problem.by_yp = build(f, &by_yp, 1, &f->by_yp);
    f->problem.by_y = build(f, &by_y, -1, &f->by_y);
    bool *varies = arena_array(f->memory, all->pattern->nonzeros, sizeof *varies);
    for (size_t k = 0; k < all->varying; k++) varies[all->place[k]] = true;
    f->problem.constant_mass = is_constant(&f->by_yp, varies);
    f->problem.constant = f->problem.constant_mass && is_constant(&f->by_y, varies);
}

static void fill(const prolonged_matrix *m, const double *jacobian_value)
{
    for (size_t k = 0; k < m->nonzeros; k++)
        if (m->from[k] != NOWHERE) m->value[k] = jacobian_value[m->from[k]];
}

void prolonged_matrices_fill(prolonged_form *f)
{
    fill(&f->by_yp, f->jacobian_value);
    fill(&f->by_y, f->jacobian_value);
}
