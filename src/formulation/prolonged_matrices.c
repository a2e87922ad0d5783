/* dF/dy' and dF/dy of the residual form. */
#include "formulation/prolonged_form.h"

/* Entries of one of the two matrices, in the order in which they are found. */
typedef struct listing {
    size_t count;
    size_t *row, *column;
    size_t *from; /* count: place of the value in f->jacobian; NOWHERE: a number */
    double *number;
} listing;

static const size_t NOWHERE = (size_t)-1;

static listing list_begin(arena *a, size_t most)
{
    return (listing){.row = arena_array(a, most, sizeof(size_t)),
                     .column = arena_array(a, most, sizeof(size_t)),
                     .from = arena_array(a, most, sizeof(size_t)),
                     .number = arena_array(a, most, sizeof(double))};
}

static void list(listing *l, size_t row, size_t column, size_t from, double number)
{
    l->row[l->count] = row;
    l->column[l->count] = column;
    l->from[l->count] = from;
    l->number[l->count++] = number;
}

/* Add a column of f->jacobian to one of these matrices. */
static void list_column(const prolonged_form *f, size_t z, size_t column, listing *l)
{
    const sparse_pattern *p = f->jacobian->pattern;
    for (sparse_index k = p->start[z]; k < p->start[z + 1]; k++)
        list(l, f->first[p->row[k] + 1] - 1, column, (size_t)k, 0);
}

/* Add the rows y_k' = y_(k+1) and the equations. x^(top) is the derivative of the last entry that y
 * holds of x. */
static void list_unknown(const prolonged_form *f, size_t j, listing *by_yp, listing *by_y)
{
    size_t first = f->first[j], last = f->first[j + 1] - 1;
    for (size_t k = first; k < last; k++) {
        list(by_yp, k, k, NOWHERE, 1);
        list(by_y, k, k + 1, NOWHERE, -1);
    }
    for (size_t k = first; k <= last; k++) list_column(f, f->p->first[j] + k - first, k, by_y);
    if (f->top[j] > 0) list_column(f, f->p->first[j] + f->top[j], last, by_yp);
}

static problem_matrix build(prolonged_form *f, const listing *l, prolonged_matrix *m)
{
    size_t n = f->problem.n, *where = arena_array(f->memory, l->count, sizeof *where);
    sparse_pattern *pattern = sparse_build(f->memory, n, n, l->count, l->row, l->column, where);
    m->value = arena_array(f->memory, pattern->nonzeros, sizeof *m->value);
    m->from = arena_array(f->memory, l->count, sizeof *m->from);
    m->where = arena_array(f->memory, l->count, sizeof *m->where);
    for (size_t k = 0; k < l->count; k++) {
        if (l->from[k] == NOWHERE) {
            m->value[where[k]] = l->number[k];
            continue;
        }
        m->from[m->count] = l->from[k];
        m->where[m->count++] = where[k];
    }
    return (problem_matrix){.pattern = pattern, .value = m->value};
}

static bool is_constant(const prolonged_matrix *m, const bool *varies)
{
    for (size_t k = 0; k < m->count; k++)
        if (varies[m->from[k]]) return false;
    return true;
}

void prolonged_matrices_create(prolonged_form *f)
{
    const sym_matrix *all = f->jacobian;
    size_t most = all->pattern->nonzeros + f->problem.n;
    listing by_yp = list_begin(f->memory, most), by_y = list_begin(f->memory, most);
    for (size_t j = 0; j < f->p->n; j++) list_unknown(f, j, &by_yp, &by_y);
    f->problem.by_yp = build(f, &by_yp, &f->by_yp);
    f->problem.by_y = build(f, &by_y, &f->by_y);
    bool *varies = arena_array(f->memory, all->pattern->nonzeros, sizeof *varies);
    for (size_t k = 0; k < all->varying; k++) varies[all->place[k]] = true;
    f->problem.constant_mass = is_constant(&f->by_yp, varies);
    f->problem.constant = f->problem.constant_mass && is_constant(&f->by_y, varies);
}

static void fill(const prolonged_matrix *m, const double *jacobian_value)
{
    for (size_t k = 0; k < m->count; k++) m->value[m->where[k]] = jacobian_value[m->from[k]];
}

void prolonged_matrices_fill(prolonged_form *f)
{
    fill(&f->by_yp, f->jacobian_value);
    fill(&f->by_y, f->jacobian_value);
}
