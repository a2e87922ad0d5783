#include "formulation/prolonged_form.h"
#include "symbolic/derive.h"
#include "symbolic/traced.h"

#include <stdint.h>

/* One of the two matrices. */
typedef struct given_matrix {
    sym_matrix *matrix;
    double *value;
} given_matrix;

/* Parameters are the variables after the unknowns, then come inputs. While dF/dp is formed, inputs
 * are functions of their arguments; for dF/du they are variables. */
struct prolonged_given {
    problem_given seen;
    prolonged_form *form;
    uint32_t first_parameter, first_input; /* variables */
    size_t *column;                        /* of each parameter; SIZE_MAX: none */
    LIST(sym) input;
    given_matrix by_p, by_u;
    double *slot; /* inputs of the tapes: those of the prolongation, then the parameters */
};

static size_t column_of_parameter(void *context, size_t row, const sym_view *leaf)
{
    (void)row;
    const prolonged_given *g = context;
    bool given = leaf->op == SYM_VARIABLE && leaf->id >= g->first_parameter;
    return given ? g->column[leaf->id - g->first_parameter] : SIZE_MAX;
}

static size_t column_of_input(void *context, size_t row, const sym_view *leaf)
{
    (void)row;
    const prolonged_given *g = context;
    bool given = leaf->op == SYM_VARIABLE && leaf->id >= g->first_input;
    return given ? leaf->id - g->first_input : SIZE_MAX;
}

static sym variable_for_input(void *context, sym old, sym rebuilt)
{
    prolonged_given *g = context;
    sym_graph *graph = g->form->p->g;
    if (sym_look(graph, old).op != SYM_INPUT) return rebuilt;
    list_push(g->form->memory, &g->input, rebuilt);
    return sym_variable(graph, g->first_input + (uint32_t)g->input.count - 1, 0);
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
    if (leaf->op == SYM_TIME || leaf->id < g->first_parameter)
        return prolongation_slot((void *)g->form->p, leaf);
    return prolongation_inputs(g->form->p) + leaf->id - g->first_parameter;
}

/* Equation i is the last row of its unknown's group. */
static problem_matrix compile(prolonged_given *g, const sym *row, size_t columns, sym_column column,
                              given_matrix *to)
{
    const prolonged_form *f = g->form;
    const prolongation *p = f->p;
    size_t inputs = prolongation_inputs(p) + g->first_input - g->first_parameter;
    sym_entries entries = sym_jacobian_entries(f->memory, p->g, p->n, row, column, g);
    for (size_t k = 0; k < entries.count; k++) {
        sym_entry *e = &entries.item[k];
        e->row = f->first[e->row + 1] - 1;
        if (g->input.count) sym_substitute(p->g, 1, &e->value, input_for_variable, g);
    }
    to->matrix = sym_matrix_compile(f->memory, p->g, f->problem.n, columns, &entries, inputs,
                                    slot_of, g);
    list_return(f->memory, &entries);
    const sparse_pattern *pattern = to->matrix->pattern;
    to->value = arena_array(f->memory, pattern->nonzeros, sizeof *to->value);
    return (problem_matrix){.pattern = pattern, .value = to->value};
}

static void list_parameters(prolonged_given *g, const sym_opened *opened)
{
    const prolonged_form *f = g->form;
    const char **name = arena_array(f->memory, opened->count, sizeof *name);
    g->column = arena_array(f->memory, opened->count, sizeof *g->column);
    g->slot = arena_array(f->memory, prolongation_inputs(f->p) + opened->count, sizeof *g->slot);
    g->first_input = g->first_parameter + (uint32_t)opened->count;
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
    *g = (prolonged_given){.form = f, .first_parameter = (uint32_t)f->system->unknown.count};
    sym *row = arena_array(f->memory, p->n, sizeof *row);
    memcpy(row, f->row, p->n * sizeof *row);
    sym_opened opened = sym_open_parameters(p->g, g->first_parameter, p->n, row);
    list_parameters(g, &opened);
    g->seen.by_p = compile(g, row, g->seen.parameters, column_of_parameter, &g->by_p);
    sym_transform(p->g, p->n, row, variable_for_input, g);
    list_inputs(g);
    g->seen.by_u = compile(g, row, g->seen.inputs, column_of_input, &g->by_u);
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
    sym_matrix_eval(g->by_p.matrix, g->slot, g->by_p.value);
    sym_matrix_eval(g->by_u.matrix, g->slot, g->by_u.value);
    *given = g->seen;
    return DAE_OK;
}
