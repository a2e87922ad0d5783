#include "symbolic/domain.h"

#include <math.h>

typedef struct evaluation {
    sym_graph *g;
    sym root;
    size_t inputs;
    sym_slot slot;
    void *context;
    const double *input;
    const sym *node; /* all parts, ascending ... */
    double *value;   /* ... and their values */
    size_t count;
} evaluation;

static void evaluate(void *argument)
{
    evaluation *e = argument;
    e->count = sym_keep_reached(e->g, 1, &e->root, &e->node);
    arena *a = sym_graph_arena(e->g);
    e->value = arena_array(a, e->count, sizeof *e->value);
    sym_tape *tape = sym_tape_compile(a, e->g, e->count, e->node, e->inputs, e->slot, e->context);
    sym_tape_eval(tape, e->input, e->value);
}

static double value_of(const evaluation *e, sym node)
{
    return e->value[sym_place(e->count, e->node, node)];
}

/* An argument without a finite value; a leaf only if there is no other. Of `if`, only the branch
 * that is taken counts. */
static sym broken_argument(const evaluation *e, const sym_view *view)
{
    uint32_t first = 0, last = view->count;
    if (view->op == SYM_IF) {
        first = value_of(e, view->argument[0]) != 0 ? 1 : 2;
        last = first + 1;
    }
    sym leaf = SYM_NONE;
    for (uint32_t i = first; i < last; i++) {
        if (isfinite(value_of(e, view->argument[i]))) continue;
        if (sym_look(e->g, view->argument[i]).count > 0) return view->argument[i];
        leaf = view->argument[i];
    }
    return leaf;
}

static void blame(const evaluation *e, const sym_view *view, sym_breakdown *b)
{
    for (uint32_t i = 0; i < view->count; i++) {
        double value = value_of(e, view->argument[i]);
        double exponent = view->op == SYM_PRODUCT ? view->factor[i] : 1;
        bool broken = view->op == SYM_PRODUCT ? !isfinite(pow(value, exponent)) : view->count == 1;
        if (!broken) continue;
        b->argument = view->argument[i];
        b->value = value;
        b->exponent = exponent;
        return;
    }
}

static bool descend(const evaluation *e, sym_breakdown *found)
{
    sym part = e->root;
    if (isfinite(value_of(e, part))) return false;
    for (;;) {
        sym_view view = sym_look(e->g, part);
        sym next = broken_argument(e, &view);
        if (next == SYM_NONE) {
            *found = (sym_breakdown){.part = part, .argument = SYM_NONE};
            blame(e, &view, found);
            return view.count > 0;
        }
        part = next;
    }
}

bool sym_find_breakdown(sym_graph *g, sym root, size_t inputs, sym_slot slot, void *context,
                        const double *input, sym_breakdown *found)
{
    evaluation e = {
        .g = g, .root = root, .inputs = inputs, .slot = slot, .context = context, .input = input};
    return arena_protect(sym_graph_arena(g), evaluate, &e) == DAE_OK && descend(&e, found);
}

bool sym_is_ended_root(const sym_graph *g, const sym_breakdown *b)
{
    bool root = b->argument != SYM_NONE && sym_look(g, b->part).op == SYM_PRODUCT;
    return root && b->value < 0 && b->exponent > 0 && b->exponent < 1;
}

static const char *word_of(const sym_breakdown *b, sym_op op)
{
    bool product = op == SYM_PRODUCT;
    if (op == SYM_LOG || op == SYM_LOG10) return "the logarithm of ";
    if (product && b->value == 0) return "a division by ";
    if (product && b->value < 0 && fabs(b->exponent) == 0.5) return "the root of ";
    if (product) return "a power of ";
    return NULL;
}

void sym_report_breakdown(const sym_graph *g, const sym_breakdown *b, sym_namer name, void *context,
                          text *t)
{
    sym_op op = sym_look(g, b->part).op;
    const char *word = b->argument == SYM_NONE ? NULL : word_of(b, op);
    if (word) {
        text_add(t, word);
    } else {
        sym_print(g, b->part, name, context, t);
        text_add(t, b->argument == SYM_NONE ? ", which overflows" : ", where ");
    }
    if (b->argument == SYM_NONE) return;
    sym_print(g, b->argument, name, context, t);
    text_format(t, "%s is %.6g", word ? ", which" : "", b->value);
}
