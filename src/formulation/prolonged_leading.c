#include "base/scatter.h"
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

static size_t leading_column(void *form, size_t row, const sym_view *leaf)
{
    (void)row;
    return is_leading(form, leaf) ? ((prolonged_form *)form)->p->column_of[leaf->id] : SIZE_MAX;
}

/* Each row with all highest derivatives set to 0. */
static sym *find_rest(prolonged_form *f)
{
    size_t n = f->p->n;
    sym *rest = arena_array(f->memory, n, sizeof *rest);
    if (n > 0) memcpy(rest, f->row, n * sizeof *rest);
    sym_substitute(f->p->g, n, rest, without_leading, f);
    return rest;
}

/* The entry of L in each column, where each row and column has one, and it is a number other than
 * 0; NULL: it is not so. */
static const sym_entry **find_diagonal(const prolonged_form *f, const sym_entries *entries)
{
    size_t n = f->p->n;
    const sym_entry **of_column = arena_array(f->memory, n, sizeof *of_column);
    bool *taken = arena_array(f->memory, n, sizeof *taken);
    bool single = entries->count == n;
    for (size_t k = 0; single && k < n; k++) {
        const sym_entry *e = &entries->item[k];
        double value = 0;
        single = sym_is_number(f->p->g, e->value, &value) && isfinite(value) && value != 0 &&
                 !taken[e->row] && !of_column[e->column];
        taken[e->row] = true;
        of_column[e->column] = e;
    }
    arena_return(f->memory, taken, n, sizeof *taken);
    if (single) return of_column;
    arena_return(f->memory, of_column, n, sizeof *of_column);
    return NULL;
}

/* The last row in the group of an unknown or an equation. */
static size_t last_of(const prolonged_form *f, size_t j)
{
    return j == LINEAR_SOLVER_NOWHERE ? PROBLEM_NOWHERE : f->first[j + 1] - 1;
}

static size_t state_slot(void *form, const sym_view *leaf)
{
    const prolonged_form *f = form;
    if (leaf->op == SYM_TIME) return 0;
    return f->leading->place[f->first[f->p->column_of[leaf->id]] + leaf->order];
}

/* Places by orders, then by unknowns, so that groups of lanes have them in a row; as in y where
 * there are too few unknowns for groups. */
static void place_states(const prolonged_form *f, prolonged_leading *l)
{
    size_t next = 1;
    l->place = arena_array(f->memory, f->problem.n, sizeof *l->place);
    l->state = arena_array(f->memory, 1 + f->problem.n, sizeof *l->state);
    l->in_order = f->p->n < SYM_TAPE_LANES;
    for (size_t k = 0; l->in_order && k < f->problem.n; k++) l->place[k] = next++;
    for (uint32_t order = 0; next <= f->problem.n; order++)
        for (size_t j = 0; j < f->p->n; j++)
            if (order < f->top[j]) l->place[f->first[j] + order] = next++;
    l->in_order = true;
    for (size_t k = 0; k < f->problem.n; k++) l->in_order = l->in_order && l->place[k] == 1 + k;
}

/* yp by an expression each: a causal model costs what its right-hand sides do. What is left of a
 * row is divided afterwards, so that its terms are added in the order in which they stand. */
static void compile_explicit(prolonged_form *f, prolonged_leading *l, const sym_entry **of_column,
                             const sym *rest)
{
    size_t n = f->problem.n;
    sym_graph *g = f->p->g;
    sym *value = arena_array(f->memory, n, sizeof *value);
    arena_vectors(f->memory, n, (double **[]){&l->rest, &l->divisor, &l->sign, NULL});
    l->row = arena_array(f->memory, n, sizeof *l->row);
    for (size_t j = 0; j < f->p->n; j++) {
        size_t last = f->first[j + 1] - 1;
        for (size_t k = f->first[j]; k < last; k++) {
            value[k] = sym_variable(g, f->p->unknown[j], (uint32_t)(k + 1 - f->first[j]));
            l->row[k] = k;
            l->divisor[k] = 1;
            l->sign[k] = -1;
        }
        value[last] = rest[of_column[j]->row];
        l->row[last] = last_of(f, of_column[j]->row);
        (void)sym_is_number(g, of_column[j]->value, &l->divisor[last]);
        l->divisor[last] = -l->divisor[last];
        l->sign[last] = 1;
    }
    l->divides = false;
    for (size_t k = 0; k < n; k++) l->divides = l->divides || l->divisor[k] != 1;
    place_states(f, l);
    f->leading = l; /* for state_slot() */
    l->explicit = sym_tape_compile(f->memory, g, n, value, 1 + n, state_slot, f);
    arena_return(f->memory, value, n, sizeof *value);
}

static prolonged_leading *compile(prolonged_form *f, bool algebraic)
{
    size_t n = f->p->n;
    sym_entries entries = sym_jacobian_entries(f->memory, f->p->g, n, f->row, leading_column, f);
    const sym *rest = find_rest(f);
    prolonged_leading *l = arena_take(f->memory, sizeof *l);
    *l = (prolonged_leading){.constant = true};
    const sym_entry **diagonal = algebraic ? NULL : find_diagonal(f, &entries);
    if (diagonal) {
        compile_explicit(f, l, diagonal, rest);
        arena_return(f->memory, diagonal, n, sizeof *diagonal);
        arena_return(f->memory, rest, n, sizeof *rest);
        list_return(f->memory, &entries);
        return l;
    }
    for (size_t i = 0; i < n; i++) list_push(f->memory, &entries, ((sym_entry){i, n, rest[i]}));
    l->system = prolongation_matrix(f->memory, f->p, n, n + 1, &entries);
    arena_return(f->memory, rest, n, sizeof *rest);
    list_return(f->memory, &entries);
    l->pattern = *l->system->pattern; /* whose first n columns are L */
    l->pattern.columns = n;
    l->pattern.nonzeros = (size_t)l->pattern.start[n];
    for (size_t k = 0; k < l->system->varying; k++)
        if (l->system->place[k] < l->pattern.nonzeros) l->constant = false;
    l->value = arena_array(f->memory, l->system->pattern->nonzeros, sizeof *l->value);
    arena_vectors(f->memory, n, (double **[]){&l->w, &l->row_size, &l->column_size, NULL});
    return l;
}

/* Note a factorisation for statistics and messages. */
static void note_factors(prolonged_form *f, dae_status status, size_t reordered)
{
    const linear_solver *solver = f->leading->solver;
    f->problem.counts.factorizations++;
    f->problem.counts.reorderings += solver->reordered - reordered;
    f->problem.factor_nonzeros = solver->nonzeros;
    f->problem.linear_solver = solver->name;
    if (status != DAE_SINGULAR) return;
    f->problem.bad_row = last_of(f, solver->singular_row);
    f->problem.bad_column = last_of(f, solver->singular_column);
}

/* How far w moves, in sizes that L's first columns had, where each row is off by a part of the
 * size that it had first: far where L is singular. Overwrites l->w. */
static double find_reach(prolonged_leading *l)
{
    const sparse_pattern *p = &l->pattern;
    double most = 0;
    for (size_t k = 0; !l->sized && k < p->nonzeros; k++)
        l->row_size[p->row[k]] = fmax(l->row_size[p->row[k]], fabs(l->value[k]));
    for (size_t j = 0; !l->sized && j < p->columns; j++)
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if (l->value[k] != 0)
                l->column_size[j] = fmax(l->column_size[j],
                                         fabs(l->value[k]) / l->row_size[p->row[k]]);
    l->sized = true;
    for (size_t i = 0; i < p->rows; i++) l->w[i] = l->row_size[i] * scattered(i);
    linear_solver_solve(l->solver, l->w);
    for (size_t j = 0; j < p->columns; j++) most = fmax(most, fabs(l->w[j]) * l->column_size[j]);
    return most;
}

/* A small pivot alone says little: in a sparse matrix it may be one that saves entries. */
static void look_at_pivots(prolonged_form *f)
{
    static const double SMALL = 1e-2, BETTER = 2;
    problem *p = &f->problem;
    prolonged_leading *l = f->leading;
    double pivot = linear_solver_least_pivot(l->solver);
    if (pivot > BETTER * p->reached_best) {
        p->least_reach = fmin(p->reached_best > 0 ? p->least_reach : HUGE_VAL, find_reach(l));
        p->reached_best = pivot;
    }
    p->followed_best = fmax(p->followed_best, pivot);
    double part = p->followed_best > 0 ? pivot / p->followed_best : 1;
    if (part < SMALL) part = fmax(part, fmin(1, p->least_reach / find_reach(l)));
    p->follows = fmin(p->follows, part);
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
    dae_status status = l->solver ? DAE_OK : linear_solver_create(&l->solver, &l->pattern, false);
    if (status != DAE_OK) return status;
    size_t reordered = l->solver->reordered;
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
    for (size_t i = 0; i < n; i++) l->w[i] = -l->value[l->pattern.nonzeros + i];
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

static void evaluate_explicit(const prolonged_form *f, double t, const double *y, double *value)
{
    const prolonged_leading *l = f->leading;
    l->state[0] = t;
    if (l->in_order)
        memcpy(l->state + 1, y, f->problem.n * sizeof *y);
    else
        for (size_t k = 0; k < f->problem.n; k++) l->state[l->place[k]] = y[k];
    sym_tape_eval(l->explicit, l->state, value);
}

/* What messages look at where something is not finite. */
static void keep_input(const prolonged_form *f, double t, const double *y, const double *yp)
{
    f->input[0] = t;
    prolonged_form_gather(f, y, yp, f->input + 1);
}

/* The rows y_k' = y_(k+1), and of each equation its rest and the derivative that it gives. */
static dae_status explicit_residual(void *self, double t, const double *y, const double *yp,
                                    double *r)
{
    const prolonged_form *f = self;
    const prolonged_leading *l = f->leading;
    double sum = 0;
    evaluate_explicit(f, t, y, l->rest);
    for (size_t k = 0; k < f->problem.n; k++) {
        double value = l->rest[k] - l->divisor[k] * yp[k];
        r[l->row[k]] = l->sign[k] * value;
        sum += 0 * value;
    }
    if (!(sum == 0)) keep_input(f, t, y, yp);
    return DAE_OK;
}

/* Divides; whether all that results is finite, as it is where the sum is. Four sums do not wait for
 * each other. divisor: NULL where nothing is to be divided. */
static bool divide(size_t n, double *x, const double *divisor)
{
    double a = 0, b = 0, c = 0, d = 0;
    size_t k = 0;
    for (; divisor && k + 4 <= n; k += 4) {
        a += x[k] /= divisor[k], b += x[k + 1] /= divisor[k + 1];
        c += x[k + 2] /= divisor[k + 2], d += x[k + 3] /= divisor[k + 3];
    }
    for (; divisor && k < n; k++) a += x[k] /= divisor[k];
    for (; k + 4 <= n; k += 4) a += x[k], b += x[k + 1], c += x[k + 2], d += x[k + 3];
    for (; k < n; k++) a += x[k];
    return isfinite(a + b + (c + d));
}

static dae_status explicit_yp(void *self, double t, const double *y, double *yp)
{
    prolonged_form *f = self;
    const prolonged_leading *l = f->leading;
    evaluate_explicit(f, t, y, yp);
    if (divide(f->problem.n, yp, l->divides ? l->divisor : NULL)) return DAE_OK;
    bool finite = true;
    for (size_t k = 0; k < f->problem.n; k++) {
        if (isfinite(yp[k])) continue;
        f->problem.bad_row = l->row[k];
        finite = false;
    }
    if (finite) return DAE_OK;
    keep_input(f, t, y, yp);
    return DAE_NOT_EVALUABLE;
}

static dae_status explicit_solve(void *self, double t, double *y, double *yp)
{
    return explicit_yp(self, t, y, yp);
}

static dae_status form_solve_algebraic(void *self, double t, double *y, double *yp)
{
    const prolonged_form *f = self;
    dae_status status = form_yp(self, t, y, yp);
    for (size_t j = 0; status == DAE_OK && j < f->p->n; j++)
        if (f->top[j] == 0) y[f->first[j]] = f->leading->w[j];
    return status;
}

void prolonged_leading_use(prolonged_form *f)
{
    bool algebraic = false;
    for (size_t j = 0; j < f->p->n; j++) algebraic = algebraic || f->top[j] == 0;
    if (!sym_is_affine(f->p->g, f->p->n, f->row, is_leading, f)) return;
    f->leading = compile(f, algebraic);
    bool explicit = f->leading->explicit;
    if (explicit) f->form.residual = explicit_residual;
    f->form.solve_algebraic = explicit ? explicit_solve : form_solve_algebraic;
    f->form.forget = explicit ? NULL : form_forget;
    f->form.refuses_infinite = explicit;
    f->form.yp = algebraic ? NULL : explicit ? explicit_yp : form_yp;
}

void prolonged_leading_free(prolonged_leading *l)
{
    if (!l) return;
    linear_solver_free(l->solver);
    l->solver = NULL;
    l->factored = false;
}

/* How far each derivative of n things is below the highest one. Of rows f_i^(k): the first level
 * b = c_i - k that meets the row; the last level is 0. Of entries x_j^(d_j-b): the level b that
 * solves for the entry. */
static const uint32_t *levels_below(arena *a, size_t n, const size_t *first,
                                    const uint32_t *highest)
{
    uint32_t *level = arena_array(a, first[n], sizeof *level);
    for (size_t j = 0; j < n; j++)
        for (uint32_t k = 0; k <= highest[j]; k++) level[first[j] + k] = highest[j] - k;
    return level;
}

sym_matrix *prolonged_lower_create(arena *a, const prolongation *p)
{
    const uint32_t *of_row = levels_below(a, p->n, p->first_row, p->c);
    const uint32_t *own = levels_below(a, p->n, p->first, p->d);
    uint32_t *seen = arena_array(a, p->size, sizeof *seen); /* first in that level */
    sym_entries all = sym_jacobian_entries(a, p->g, p->rows, p->row, prolongation_column,
                                           (void *)p);
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
    list_return(a, &all);
    arena_return(a, seen, p->size, sizeof *seen);
    if (lower.count == 0) return NULL;
    return prolongation_matrix(a, p, p->rows, p->size, &lower);
}
