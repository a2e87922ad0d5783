/* Expressions that are differentiated as they stand: der(if b then x else y).
 *
 * The rules of differentiation take each piece by itself. Where the expression jumps from one piece
 * to another, its derivative has an impulse that they lose. So an event at which that happens is
 * refused; a variable that stands for the expression has its impulses followed (event/impulse.h). A
 * jump of the variables in it has its impulse in their derivatives, which the rules keep. */
#include "solve/model_formed.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An expression that changes by more than this part of its terms has jumped. */
static const double OFF = 1e-6;

struct model_differentiated {
    size_t count;
    sym_tape *tape; /* by the time and the author's variables: values, the sums of the sizes of
                       terms, and those at nominal sizes */
    double *input, *before, *behind; /* 1 + unknowns; 3 count each */
};

static size_t slot(void *context, const sym_view *leaf)
{
    (void)context;
    return leaf->op == SYM_VARIABLE ? 1 + leaf->id : 0;
}

/* The sum of |df/dx| x, at the present sizes or at nominal ones. */
static sym terms_of(const sym_system *system, sym f, bool nominal)
{
    sym_graph *g = system->graph;
    sym_partials by = {0};
    sym sum = sym_number(g, 0);
    sym_gradient(g, f, &by);
    for (size_t k = 0; k < by.count; k++) {
        sym_view leaf = sym_look(g, by.item[k].leaf);
        bool variable = leaf.op == SYM_VARIABLE;
        if (!variable && nominal) continue;
        sym size = nominal ? sym_number(g, system->unknown.item[leaf.id].nominal)
                           : sym_variable(g, leaf.id, 0);
        if (!variable) size = sym_time(g);
        size = sym_multiply(g, by.item[k].value, size);
        sum = sym_add(g, sum, sym_function(g, SYM_ABS, size));
    }
    return sum;
}

model_differentiated *model_differentiated_create(const sym_system *system)
{
    arena *a = system->memory;
    size_t count = system->differentiated.count, inputs = 1 + system->unknown.count;
    if (count == 0) return NULL;
    model_differentiated *d = arena_take(a, sizeof *d);
    sym *output = arena_array(a, 3 * count, sizeof *output);
    for (size_t i = 0; i < count; i++) {
        output[i] = system->differentiated.item[i].value;
        output[count + i] = terms_of(system, output[i], false);
        output[2 * count + i] = terms_of(system, output[i], true);
    }
    d->count = count;
    d->tape = sym_tape_compile(a, system->graph, 3 * count, output, inputs, slot, NULL);
    arena_vectors(a, inputs, (double **[]){&d->input, NULL});
    arena_vectors(a, 3 * count, (double **[]){&d->before, &d->behind, NULL});
    return d;
}

void model_differentiated_before(model_differentiated *d, double t, size_t n, const double *value)
{
    d->input[0] = t;
    memcpy(d->input + 1, value, n * sizeof *value);
}

/* In modes that the whole system has not, as a formulation of one mode is present. */
static void evaluate(model_simulation *m, model_modes *modes, double *value)
{
    sym_graph *whole = m->whole.system->graph;
    model_modes_swap(modes, whole);
    sym_tape_eval(m->differentiated->tape, m->differentiated->input, value);
    model_modes_swap(modes, whole);
}

static dae_status refuse(const model_simulation *m, double t, size_t i)
{
    const sym_differentiated *f = &m->whole.system->differentiated.item[i];
    return message_fail(m->base.solver.message, DAE_EVENT,
                        "the event at t = %.9g has %s (%s:%u) jump by %.6g, and the impulse of its "
                        "derivative is not followed\n  remedy: introduce a variable for it: u = "
                        "..., and der(u), whose impulses are followed",
                        t, f->text, m->whole.system->file, f->at.line,
                        m->differentiated->behind[i] - m->differentiated->before[i]);
}

dae_status model_differentiated_behind(model_simulation *m, double t, model_modes *before)
{
    const model_differentiated *d = m->differentiated;
    const dae_options *o = m->base.solver.options;
    model_modes now;
    if (model_modes_note(m, &now) != DAE_OK) return DAE_NO_MEMORY;
    evaluate(m, before, d->before);
    evaluate(m, &now, d->behind);
    model_modes_free(&now);
    for (size_t i = 0; i < d->count; i++) {
        const double *at[] = {d->before, d->behind};
        double by = fabs(at[1][i] - at[0][i]), most = 0;
        for (int k = 0; k < 2; k++) {
            double terms = fabs(at[k][i]) + at[k][d->count + i], nominal = at[k][2 * d->count + i];
            double errors = o->rtol * terms + o->atol * nominal;
            most = fmax(most, fmax(errors, OFF * terms));
        }
        if (by > most) return refuse(m, t, i);
    }
    return DAE_OK;
}
