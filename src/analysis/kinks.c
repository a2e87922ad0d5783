/* Points at which the equations of a model have no unique derivative. */
#include "analysis/linear_terms.h"
#include "base/round_off.h"
#include "problem/levels.h"
#include "solve/model_simulation.h"
#include "symbolic/simplify.h"

#include <math.h>

typedef struct kinks {
    const model_simulation *m;
    message *message;
    LIST(sym) node; /* with a kink where ... */
    LIST(sym) zero; /* ... this is 0 */
} kinks;

/* abs(x), min(x, y), x < y */
static void add(kinks *k, arena *a, sym_graph *g, sym node)
{
    sym_view view = sym_look(g, node);
    bool two = view.op == SYM_MIN || view.op == SYM_MAX || view.op == SYM_LESS ||
               view.op == SYM_LESS_EQUAL;
    if (!two && view.op != SYM_ABS && view.op != SYM_SIGN) return;
    sym zero = two ? sym_subtract(g, view.argument[0], view.argument[1]) : view.argument[0];
    list_push(a, &k->node, node);
    list_push(a, &k->zero, zero);
}

/* What depends on time alone is an event of time, and what holds a cell changes at events. */
static void find(kinks *k, arena *a, const prolongation *p)
{
    const sym *node;
    sym *row = arena_array(a, p->n, sizeof *row);
    for (size_t i = 0; i < p->n; i++) row[i] = p->row[p->first_row[i]];
    size_t nodes = sym_keep_reached(p->g, p->n, row, &node);
    for (size_t i = 0; i < nodes; i++) add(k, a, p->g, node[i]);
}

static void note(kinks *k, size_t which)
{
    const model_simulation *m = k->m;
    text words = {0};
    prolonged_print(m->formulation->names, k->node.item[which], &words);
    message_note(k->message,
                 "at t = %.9g %s is at its kink, where it has no unique derivative: the "
                 "linearisation is that of one side, or lies between both",
                 m->formulation->author->input[0], text_string(&words));
    text_free(&words);
}

static void look(void *argument)
{
    kinks *k = argument;
    const author *w = k->m->formulation->author;
    const prolongation *p = w->written;
    arena *a = k->m->system->memory;
    find(k, a, p);
    size_t count = k->zero.count;
    sym_tape *tape = prolongation_tape(a, p, count, k->zero.item);
    sym_matrix *jacobian = prolongation_jacobian(a, p, count, k->zero.item);
    double *entry = arena_array(a, jacobian->pattern->nonzeros, sizeof *entry);
    double *value = arena_array(a, count, sizeof *value), *sum = arena_array(a, count, sizeof *sum);
    sym_tape_eval(tape, w->input, value);
    sym_matrix_eval(jacobian, w->input, entry);
    miss_terms(jacobian->pattern, entry, w->input + 1, w->size, sum);
    for (size_t i = 0; i < count; i++)
        if (sum[i] > 0 && fabs(value[i]) <= ROUND_OFF_ITERATED * sum[i]) note(k, i);
}

dae_status linear_terms_note_kinks(dae_solver *s, message *m)
{
    model_simulation *model = model_simulation_of(s->simulation);
    kinks k = {.m = model, .message = m};
    return model ? arena_protect(model->system->memory, look, &k) : DAE_OK;
}
