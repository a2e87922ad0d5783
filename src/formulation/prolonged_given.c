#include "formulation/prolonged_form.h"
#include "symbolic/derive.h"
#include "symbolic/traced.h"

#include <stdint.h>

/* Parameters are the variables behind the unknowns, then come inputs. While dF/dp is formed, inputs
 * are functions of their arguments; for dF/du they are variables. */
struct prolonged_given {
    problem_given seen;
    prolonged_form *form;
    uint32_t first; /* variable: the first parameter, and the first input */
    size_t *column; /* of each parameter; SIZE_MAX: none */
    LIST(sym) input;
    sym_matrix *by_p, *by_u;
    double *value_p, *value_u;
    double *slot; /* inputs of the tapes: those of the prolongation, then the parameters */
    size_t parameters;
};

static size_t column_of_parameter(void *context, size_t row, const sym_view *leaf)
{
    (void)row;
    const prolonged_given *g = context;
    bool given = leaf->op == SYM_VARIABLE && leaf->id >= g->first;
    return given ? g->column[leaf->id - g->first] : SIZE_MAX;
}

static size_t column_of_input(void *context, size_t row, const sym_view *leaf)
{
    (void)row;
    const prolonged_given *g = context;
    size_t before = g->first + g->parameters;
    return leaf->op == SYM_VARIABLE && leaf->id >= before ? leaf->id - before : SIZE_MAX;
}

static sym variable_for_input(void *context, sym old, sym rebuilt)
{
    prolonged_given *g = context;
    sym_graph *graph = g->form->p->g;
    if (sym_look(graph, old).op != SYM_INPUT) return rebuilt;
    list_push(g->form->memory, &g->input, rebuilt);
    return sym_variable(graph, (uint32_t)(g->first + g->parameters + g->input.count - 1), 0);
}

static sym input_for_variable(void *context, sym leaf)
{
    const prolonged_given *g = context;
    sym_view view = sym_look(g->form->p->g, leaf);
    size_t k = column_of_input(context, 0, &view);
    return k == SIZE_MAX ? leaf : g->input.item[k];
}

static size_t slot_of(void *context, const sym_view *leaf)
{
    const prolonged_given *g = context;
    if (leaf->op == SYM_TIME || leaf->id < g->first)
        return prolongation_slot((void *)g->form->p, leaf);
    return prolongation_inputs(g->form->p) + leaf->id - g->first;
}

/* Equation i is the last row of its unknown's group. */
static sym_matrix *compile(prolonged_given *g, const sym *row, size_t columns, sym_column column,
                           double **value)
{
    const prolonged_form *f = g->form;
    const prolongation *p = f->p;
    sym_entries entries = sym_jacobian_entries(f->memory, p->g, p->n, row, column, g);
    for (size_t k = 0; k < entries.count; k++) {
        sym_entry *e = &entries.item[k];
        e->row = f->first[e->row + 1] - 1;
        sym_substitute(p->g, 1, &e->value, input_for_variable, g);
    }
    sym_matrix *m = sym_matrix_compile(f->memory, p->g, f->problem.n, columns, &entries,
                                       prolongation_inputs(p) + g->parameters, slot_of, g);
    *value = arena_array(f->memory, m->pattern->nonzeros, sizeof **value);
    return m;
}

static void list_parameters(prolonged_given *g, const sym_opened *opened)
{
    const prolonged_form *f = g->form;
    const char **name = arena_array(f->memory, opened->count, sizeof *name);
    g->column = arena_array(f->memory, opened->count, sizeof *g->column);
    g->slot = arena_array(f->memory, prolongation_inputs(f->p) + opened->count, sizeof *g->slot);
    g->parameters = opened->count;
    for (size_t k = 0; k < opened->count; k++) {
        g->slot[prolongation_inputs(f->p) + k] = opened->value[k];
        g->column[k] = SIZE_MAX;
        if (opened->structural[k] || opened->same_as[k] != k) continue;
        name[g->seen.parameters] = sym_trace_name(f->p->g, k);
        g->column[k] = g->seen.parameters++;
    }
    g->seen.parameter = name;
}

static void list_inputs(prolonged_given *g)
{
    problem_input *input = arena_array(g->form->memory, g->input.count, sizeof *input);
    for (size_t k = 0; k < g->input.count; k++) {
        sym_view view = sym_look(g->form->p->g, g->input.item[k]);
        input[k] = (problem_input){view.id, view.order};
    }
    g->seen.inputs = g->input.count;
    g->seen.input = input;
}

static void create(void *argument)
{
    prolonged_form *f = argument;
    const prolongation *p = f->p;
    prolonged_given *g = arena_take(f->memory, sizeof *g);
    *g = (prolonged_given){.form = f, .first = (uint32_t)f->system->unknown.count};
    sym *row = arena_array(f->memory, p->n, sizeof *row);
    for (size_t i = 0; i < p->n; i++) row[i] = p->row[p->first_row[i] + f->level[i]];
    sym_opened opened = sym_open_parameters(p->g, g->first, p->n, row);
    list_parameters(g, &opened);
    g->by_p = compile(g, row, g->seen.parameters, column_of_parameter, &g->value_p);
    sym_transform(p->g, p->n, row, variable_for_input, g);
    list_inputs(g);
    g->by_u = compile(g, row, g->seen.inputs, column_of_input, &g->value_u);
    g->seen.by_p = (problem_matrix){.pattern = g->by_p->pattern, .value = g->value_p};
    g->seen.by_u = (problem_matrix){.pattern = g->by_u->pattern, .value = g->value_u};
    f->given = g;
}

dae_status prolonged_given_linearize(void *form, double t, const double *y, const double *yp,
                                     problem_given *given)
{
    prolonged_form *f = form;
    if (!f->given && arena_protect(f->memory, create, f) != DAE_OK) return DAE_NO_MEMORY;
    prolonged_given *g = f->given;
    g->slot[0] = t;
    prolonged_form_gather(f, y, yp, g->slot + 1);
    sym_matrix_eval(g->by_p, g->slot, g->value_p);
    sym_matrix_eval(g->by_u, g->slot, g->value_u);
    *given = g->seen;
    return DAE_OK;
}
