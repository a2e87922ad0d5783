#include "formulation/prolonged_levels.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

/* Whether a leaf is the highest derivative of an unknown. */
static bool is_leading(void *form, const sym_view *leaf)
{
    const prolonged_form *f = form;
    return leaf->op == SYM_VARIABLE && leaf->order == f->top[f->p->column_of[leaf->id]];
}

static sym without_leading(void *form, sym leaf)
{
    sym_graph *g = ((const prolonged_form *)form)->p->g;
    sym_view view = sym_look(g, leaf);
    return is_leading(form, &view) ? sym_number(g, 0) : leaf;
}

/* The entries of L, and as column n the rest of each row with all highest derivatives set to 0. */
static sym_entries find_entries(prolonged_form *f, const sym *row)
{
    size_t n = f->p->n;
    sym_entries entries = {0};
    size_t *column = arena_array(f->memory, f->p->size, sizeof *column); /* 0: of none, else + 1 */
    sym *rest = arena_array(f->memory, n, sizeof *rest);
    for (size_t j = 0; j < n; j++) column[f->p->first[j] + f->top[j]] = j + 1;
    for (size_t k = 0; k < f->entries.count; k++) {
        sym_entry entry = f->entries.item[k];
        if (column[entry.column] == 0) continue;
        entry.column = column[entry.column] - 1;
        list_push(f->memory, &entries, entry);
    }
    if (n > 0) memcpy(rest, row, n * sizeof *rest);
    sym_substitute(f->p->g, n, rest, without_leading, f);
    for (size_t i = 0; i < n; i++) list_push(f->memory, &entries, ((sym_entry){i, n, rest[i]}));
    return entries;
}

/* The pattern of the first n columns of the system. Its entries have the same places in both. */
static sparse_pattern *pattern_of_matrix(prolonged_form *f, const sparse_pattern *system)
{
    size_t n = f->p->n, *unused;
    size_t nonzeros = (size_t)system->start[n];
    size_t *row = arena_array(f->memory, nonzeros, sizeof *row);
    size_t *column = arena_array(f->memory, nonzeros, sizeof *column);
    unused = arena_array(f->memory, nonzeros, sizeof *unused);
    for (size_t j = 0; j < n; j++)
        for (sparse_index k = system->start[j]; k < system->start[j + 1]; k++)
            row[k] = (size_t)system->row[k], column[k] = j;
    return sparse_build(f->memory, n, n, nonzeros, row, column, unused);
}

static prolonged_leading *compile(prolonged_form *f, const sym *row)
{
    size_t n = f->p->n;
    sym_entries entries = find_entries(f, row);
    prolonged_leading *l = arena_take(f->memory, sizeof *l);
    *l = (prolonged_leading){.constant = true};
    l->system = sym_matrix_compile(f->memory, f->p->g, n, n + 1, &entries,
                                   prolongation_inputs(f->p), prolongation_slot, (void *)f->p);
    l->pattern = pattern_of_matrix(f, l->system->pattern);
    for (size_t k = 0; k < l->system->varying; k++)
        if (l->system->place[k] < l->pattern->nonzeros) l->constant = false;
    l->value = arena_array(f->memory, l->system->pattern->nonzeros, sizeof *l->value);
    l->w = arena_array(f->memory, n, sizeof *l->w);
    return l;
}

/* The last row in the group of an unknown or an equation. */
static size_t last_of(const prolonged_form *f, size_t j)
{
    return j == LINEAR_SOLVER_NOWHERE ? PROBLEM_NOWHERE : f->first[j + 1] - 1;
}

/* Note a factorisation for statistics and messages. */
static void note_factors(prolonged_form *f, dae_status status, size_t reordered)
{
    const linear_solver *solver = f->leading->solver;
    f->problem.counts.factorizations++;
    f->problem.counts.reorderings += linear_solver_reordered(solver) - reordered;
    f->problem.factor_nonzeros = linear_solver_nonzeros(solver);
    f->problem.linear_solver = linear_solver_name(solver);
    if (status != DAE_SINGULAR) return;
    f->problem.bad_row = last_of(f, linear_solver_singular_row(solver));
    f->problem.bad_column = last_of(f, linear_solver_singular_column(solver));
}

static void look_at_pivots(prolonged_form *f)
{
    problem *p = &f->problem;
    double pivot = linear_solver_least_pivot(f->leading->solver);
    p->followed_best = fmax(p->followed_best, pivot);
    if (p->followed_best > 0) p->follows = fmin(p->follows, pivot / p->followed_best);
}

/* If the determinant has changed its sign along the solution, the step has crossed a point where L
 * is singular and w is not determined. States beyond it do not continue the solution. */
static dae_status look_at_sign(prolonged_form *f)
{
    int sign = linear_solver_sign(f->leading->solver);
    if (f->problem.orientation == 0) f->problem.orientation = sign;
    if (f->problem.orientation == sign) return DAE_OK;
    f->problem.bad_row = f->problem.bad_column = PROBLEM_NOWHERE;
    return DAE_SINGULAR;
}

static dae_status factor(prolonged_form *f)
{
    prolonged_leading *l = f->leading;
    if (l->factored) return DAE_OK;
    dae_status status = l->solver ? DAE_OK : linear_solver_create(&l->solver, l->pattern, false);
    if (status != DAE_OK) return status;
    size_t reordered = linear_solver_reordered(l->solver);
    status = linear_solver_factor(l->solver, l->value);
    note_factors(f, status, reordered);
    l->factored = status == DAE_OK && l->constant;
    if (status != DAE_OK) return status;
    look_at_pivots(f);
    return look_at_sign(f);
}

/* Find w at f->input. Its entries for highest derivatives are not used. */
static dae_status find_leading(prolonged_form *f)
{
    prolonged_leading *l = f->leading;
    const sparse_pattern *p = l->system->pattern;
    size_t n = f->p->n;
    if (!l->constant) f->problem.counts.jacobians++;
    sym_matrix_eval(l->system, f->input, l->value);
    for (size_t k = 0; k < p->nonzeros; k++) {
        if (isfinite(l->value[k])) continue;
        f->problem.bad_row = last_of(f, (size_t)p->row[k]);
        return DAE_NOT_EVALUABLE;
    }
    dae_status status = factor(f);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < n; i++) l->w[i] = -l->value[l->pattern->nonzeros + i];
    linear_solver_solve(l->solver, l->w);
    return DAE_OK;
}

static void form_forget(void *self)
{
    prolonged_leading *l = ((prolonged_form *)self)->leading;
    l->factored = false;
    if (l->solver) linear_solver_forget(l->solver);
}

static dae_status form_yp(void *self, double t, const double *y, double *yp)
{
    prolonged_form *f = self;
    f->input[0] = t;
    prolonged_form_gather(f, y, yp, f->input + 1);
    dae_status status = find_leading(f);
    for (size_t j = 0; status == DAE_OK && j < f->p->n; j++) {
        size_t last = f->first[j + 1] - 1;
        for (size_t k = f->first[j]; k < last; k++) yp[k] = y[k + 1];
        if (f->top[j] > 0) yp[last] = f->leading->w[j];
    }
    return status;
}

static dae_status form_solve_algebraic(void *self, double t, double *y, double *yp)
{
    const prolonged_form *f = self;
    dae_status status = form_yp(self, t, y, yp);
    for (size_t j = 0; status == DAE_OK && j < f->p->n; j++)
        if (f->top[j] == 0) y[f->first[j]] = f->leading->w[j];
    return status;
}

void prolonged_leading_use(prolonged_form *f, const uint32_t *level)
{
    const prolongation *p = f->p;
    sym *row = arena_array(f->memory, p->n, sizeof *row);
    bool algebraic = false;
    for (size_t i = 0; i < p->n; i++) {
        row[i] = p->row[p->first_row[i] + level[i]];
        algebraic = algebraic || f->top[i] == 0;
    }
    if (!sym_is_affine(p->g, p->n, row, is_leading, f)) return;
    f->leading = compile(f, row);
    f->form.solve_algebraic = form_solve_algebraic;
    f->form.forget = form_forget;
    f->form.yp = algebraic ? NULL : form_yp;
}

void prolonged_leading_free(prolonged_leading *l)
{
    if (!l) return;
    linear_solver_free(l->solver);
    l->solver = NULL;
    l->factored = false;
}

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
    return made;
}
