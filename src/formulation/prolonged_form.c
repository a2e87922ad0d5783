#include "formulation/prolonged_form.h"

#include "formulation/prolonged_levels.h"
#include "formulation/prolonged_time.h"

#include <math.h>
#include <string.h>

void prolonged_form_gather(const prolonged_form *f, const double *y, const double *yp, double *z)
{
    for (size_t k = 0; k < f->problem.n; k++) z[f->entry[k]] = y[k];
    for (size_t j = 0; j < f->p->n; j++)
        if (f->top[j] > 0) z[f->p->first[j] + f->top[j]] = yp[f->first[j + 1] - 1];
}

void prolonged_form_scatter(const prolonged_form *f, const double *z, double *y, double *yp)
{
    for (size_t j = 0; j < f->p->n; j++) {
        const double *derivative = z + f->p->first[j];
        size_t held = f->first[j + 1] - f->first[j];
        memcpy(y + f->first[j], derivative, held * sizeof *z);
        for (size_t k = 0; k < held; k++)
            yp[f->first[j] + k] = k < f->p->d[j] ? derivative[k + 1] : 0;
    }
}

static void load(prolonged_form *f, double t, const double *y, const double *yp)
{
    f->input[0] = t;
    prolonged_form_gather(f, y, yp, f->input + 1);
}

/* Row first[j] + k is y_k' = y_(k+1). The last row of each unknown's group is an equation. */
static dae_status form_residual(void *self, double t, const double *y, const double *yp, double *r)
{
    prolonged_form *f = self;
    load(f, t, y, yp);
    sym_tape_eval(f->rows, f->input, f->row_value);
    for (size_t j = 0; j < f->p->n; j++) {
        size_t last = f->first[j + 1] - 1;
        for (size_t k = f->first[j]; k < last; k++) r[k] = yp[k] - y[k + 1];
        r[last] = f->row_value[j];
    }
    return DAE_OK;
}

/* dF/dy' and dF/dy. */

/* The place in f->jacobian of an entry that is a number. */

static void fill_matrix(const prolonged_matrix *m, const double *jacobian_value)
{
    for (size_t k = 0; k < m->nonzeros; k++)
        if (m->from[k] != SPARSE_NOWHERE) m->value[k] = jacobian_value[m->from[k]];
}

static dae_status form_linearize(void *self, double t, const double *y, const double *yp)
{
    prolonged_form *f = self;
    load(f, t, y, yp);
    sym_matrix_eval(f->jacobian, f->input, f->jacobian_value);
    bool known = prolonged_beside_fill(f, f->input, f->jacobian->pattern, NULL, f->jacobian_value);
    fill_matrix(&f->by_yp, f->jacobian_value);
    fill_matrix(&f->by_y, f->jacobian_value);
    return known ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* The rows y_k' = y_(k+1) do not depend on time. */
static dae_status form_time_derivative(void *self, double t, const double *y, const double *yp,
                                       double *r)
{
    prolonged_form *f = self;
    const sparse_pattern *p = f->by_time->pattern;
    load(f, t, y, yp);
    memset(r, 0, f->problem.n * sizeof *r);
    sym_matrix_eval(f->by_time, f->input, f->row_value);
    if (p->nonzeros > 0) prolonged_beside_fill_time(f, f->input, p, f->row_value);
    for (size_t k = 0; k < p->nonzeros; k++) {
        size_t row = f->first[p->row[k] + 1] - 1;
        r[row] = f->row_value[k];
        if (isfinite(r[row])) continue;
        f->problem.bad_row = row;
        return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

/* An instruction of a tape takes 3 ns (measured). */
static void form_costs(const void *self, problem_costs *costs)
{
    const double instruction = 3;
    const prolonged_form *f = self;
    costs->residual = instruction * (double)sym_tape_work(f->rows);
    costs->jacobian = instruction * (double)sym_matrix_work(f->jacobian);
}

static void form_name_variable(void *self, size_t index, text *t)
{
    prolonged_form *f = self;
    prolonged_name_entry(f->names, f->p, f->entry[index], t);
}

static void form_name_equation(void *self, size_t row, text *t)
{
    prolonged_form *f = self;
    size_t j = f->group[row];
    if (row + 1 < f->first[j + 1])
        form_name_variable(self, row + 1, t);
    else
        sym_equation_name(f->system, &f->system->equation.item[f->core->equation[j]], t);
}

/* The rows y_k' = y_(k+1) are not equations of the author. */
static bool form_occurs(const void *self, size_t row, size_t index)
{
    const prolonged_form *f = self;
    const sparse_pattern *jacobian = f->jacobian->pattern;
    size_t equation = f->group[row], unknown = f->group[index];
    if (row + 1 < f->first[equation + 1]) return false;
    for (size_t k = f->p->first[unknown]; k <= f->p->first[unknown] + f->p->d[unknown]; k++)
        for (sparse_index e = jacobian->start[k]; e < jacobian->start[k + 1]; e++)
            if ((size_t)jacobian->row[e] == equation) return true;
    return false;
}

static void form_mark_rows(const void *self, size_t index, bool *row)
{
    const prolonged_form *f = self;
    const sparse_pattern *jacobian = f->jacobian->pattern;
    size_t unknown = f->group[index];
    for (size_t k = f->p->first[unknown]; k <= f->p->first[unknown] + f->p->d[unknown]; k++)
        for (sparse_index e = jacobian->start[k]; e < jacobian->start[k + 1]; e++)
            row[f->first[jacobian->row[e] + 1] - 1] = true;
}

static const problem_form prolonged_residual_form = {
    .name = "residual",
    .residual = form_residual,
    .linearize = form_linearize,
    .linearize_given = prolonged_given_linearize,
    .costs = form_costs,
    .time_derivative = form_time_derivative,
    .occurs = form_occurs,
    .mark_rows = form_mark_rows,
    .name_variable = form_name_variable,
    .name_equation = form_name_equation,
};

static size_t by_time(void *context, size_t row, const sym_view *leaf)
{
    (void)context, (void)row;
    return leaf->op == SYM_TIME ? 0 : SIZE_MAX;
}

/* Most systems do not contain the time. For these nothing is differentiated. */
static void compile_by_time(prolonged_form *f, const sym *row)
{
    const prolongation *p = f->p;
    size_t rows = sym_holds_time(p->g, p->n, row) ? p->n : 0;
    sym_entries entries = sym_jacobian_entries(f->memory, p->g, rows, row, by_time, NULL);
    f->by_time = prolongation_matrix(f->memory, p, rows, 1, &entries);
    list_return(f->memory, &entries);
}

static void compile(prolonged_form *f)
{
    const prolongation *p = f->p;
    sym *row = arena_array(f->memory, p->n, sizeof *row);
    for (size_t i = 0; i < p->n; i++) row[i] = p->row[p->first_row[i] + f->level[i]];
    f->rows = prolongation_tape(f->memory, p, p->n, row);
    f->jacobian = prolongation_jacobian(f->memory, p, p->n, row);
    f->jacobian_value = arena_array(f->memory, f->jacobian->pattern->nonzeros, sizeof(double));
    compile_by_time(f, row);
    f->row = row;
}

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
        sparse_entries_add_from(by_yp, k, k, SPARSE_NOWHERE);
        sparse_entries_add_from(by_y, k, k + 1, SPARSE_NOWHERE);
    }
    for (size_t k = first; k <= last; k++) list_column(f, f->p->first[j] + k - first, k, by_y);
    if (f->top[j] > 0) list_column(f, f->p->first[j] + f->top[j], last, by_yp);
}

static problem_matrix build_matrix(prolonged_form *f, sparse_entries *e, double number,
                                   prolonged_matrix *m)
{
    size_t n = f->problem.n;
    const sparse_pattern *p = sparse_entries_build_from(f->memory, e, n, n, &m->from);
    m->nonzeros = p->nonzeros;
    m->value = arena_array(f->memory, p->nonzeros, sizeof *m->value);
    for (size_t k = 0; k < p->nonzeros; k++)
        if (m->from[k] == SPARSE_NOWHERE) m->value[k] = number;
    return (problem_matrix){.pattern = p, .value = m->value};
}

static bool is_constant(const prolonged_matrix *m, const bool *varies)
{
    for (size_t k = 0; k < m->nonzeros; k++)
        if (m->from[k] != SPARSE_NOWHERE && varies[m->from[k]]) return false;
    return true;
}

static void create_matrices(prolonged_form *f)
{
    const sym_matrix *all = f->jacobian;
    size_t most = all->pattern->nonzeros + f->problem.n;
    sparse_entries by_yp = sparse_entries_take(f->memory, most);
    sparse_entries by_y = sparse_entries_take(f->memory, most);
    for (size_t j = 0; j < f->p->n; j++) list_unknown(f, j, &by_yp, &by_y);
    f->problem.by_yp = build_matrix(f, &by_yp, 1, &f->by_yp);
    f->problem.by_y = build_matrix(f, &by_y, -1, &f->by_y);
    bool *varies = arena_array(f->memory, all->pattern->nonzeros, sizeof *varies);
    for (size_t k = 0; k < all->varying; k++) varies[all->place[k]] = true;
    f->problem.constant_mass = is_constant(&f->by_yp, varies);
    f->problem.constant = f->problem.constant_mass && is_constant(&f->by_y, varies);
    arena_return(f->memory, varies, all->pattern->nonzeros, sizeof *varies);
}

static void describe_variables(prolonged_form *f)
{
    size_t n = f->problem.n;
    double *nominal = arena_array(f->memory, n, sizeof *nominal);
    bool *dynamic = arena_array(f->memory, n, sizeof *dynamic);
    f->problem.index = arena_array(f->memory, n, sizeof *f->problem.index);
    f->entry = arena_array(f->memory, n, sizeof *f->entry);
    f->group = arena_array(f->memory, n, sizeof *f->group);
    for (size_t j = 0; j < f->p->n; j++) {
        for (size_t k = f->first[j]; k < f->first[j + 1]; k++) {
            nominal[k] = f->system->unknown.item[f->p->unknown[j]].nominal /
                         pow(f->problem.time_unit, (double)(k - f->first[j]));
            dynamic[k] = f->top[j] > 0;
            f->problem.index[k] = 1;
            f->entry[k] = f->p->first[j] + k - f->first[j];
            f->group[k] = (uint32_t)j;
        }
    }
    f->problem.nominal = nominal;
    f->problem.dynamic = dynamic;
}

prolonged_form *prolonged_form_create(arena *a, const sym_system *system, const explicit_core *core,
                                      const prolonged_names *names, const prolongation *p,
                                      const uint32_t *level, const uint32_t *top, double time_unit)
{
    prolonged_form *f = arena_take(a, sizeof *f);
    *f = (prolonged_form){.p = p,
                          .system = system,
                          .core = core,
                          .names = names,
                          .top = top,
                          .level = level,
                          .memory = a};
    f->first = arena_array(a, p->n + 1, sizeof *f->first);
    for (size_t j = 0; j < p->n; j++) f->first[j + 1] = f->first[j] + (top[j] > 0 ? top[j] : 1);
    f->form = prolonged_residual_form;
    f->problem.form = &f->form;
    f->problem.self = f;
    f->problem.n = f->first[p->n];
    f->problem.linear_solver = "none";
    f->problem.time_unit = time_unit;
    compile(f);
    describe_variables(f);
    create_matrices(f);
    f->input = arena_array(a, prolongation_inputs(p), sizeof(double));
    f->row_value = arena_array(a, p->n, sizeof(double));
    f->beside = arena_array(a, 3 * p->n, sizeof(double));
    return f;
}

void prolonged_form_free(prolonged_form *f)
{
    if (!f) return;
    prolonged_leading_free(f->leading);
    problem_factors_free(&f->problem);
}
