#include "symbolic/graph.h"

#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 40, LONGEST = 400 };

/* How tightly an operation binds, according to the grammar of the model language. */
enum {
    BIND_IF,
    BIND_OR,
    BIND_AND,
    BIND_NOT,
    BIND_RELATION,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_POWER,
    BIND_PRIMARY
};

typedef struct printer {
    const sym_graph *g;
    sym_namer name;
    void *context;
    text *t;
    int depth;
    size_t end; /* length at which the text is cut */
} printer;

static void print(printer *p, sym f, int outer);

static void print_sum(printer *p, const sym_view *view)
{
    bool first = true;
    for (uint32_t i = 0; i < view->count; i++) {
        double factor = sym_value(p->g, view->factor[i]);
        if (!first)
            text_add(p->t, factor < 0 ? " - " : " + ");
        else if (factor < 0)
            text_add(p->t, "-");
        if (fabs(factor) != 1) {
            text_number(p->t, fabs(factor));
            text_add(p->t, "*");
        }
        print(p, view->argument[i], BIND_PRODUCT);
        first = false;
    }
    if (view->value != 0) {
        text_add(p->t, view->value < 0 ? " - " : " + ");
        text_number(p->t, fabs(view->value));
    }
}

static void print_power(printer *p, sym base, double exponent)
{
    if (exponent == 0.5) {
        text_add(p->t, "sqrt(");
        print(p, base, BIND_IF);
        text_add(p->t, ")");
    } else if (exponent == 1) {
        print(p, base, BIND_PRODUCT + 1);
    } else {
        print(p, base, BIND_POWER + 1);
        text_add(p->t, "^");
        text_number(p->t, exponent);
    }
}

static void print_product(printer *p, const sym_view *view)
{
    bool first = true;
    for (uint32_t i = 0; i < view->count; i++) {
        if (view->factor[i] < 0) continue;
        if (!first) text_add(p->t, "*");
        print_power(p, view->argument[i], view->factor[i]);
        first = false;
    }
    if (first) text_add(p->t, "1");
    for (uint32_t i = 0; i < view->count; i++) {
        if (view->factor[i] > 0) continue;
        text_add(p->t, "/");
        print_power(p, view->argument[i], -view->factor[i]);
    }
}

static void print_call(printer *p, const char *function, const sym_view *view)
{
    text_add(p->t, function);
    for (uint32_t i = 0; i < view->count; i++) {
        text_add(p->t, i ? ", " : "(");
        print(p, view->argument[i], BIND_IF);
    }
    text_add(p->t, ")");
}

static void print_named_input(printer *p, const sym_input_name *name, uint32_t order)
{
    for (uint32_t k = 0; k < order; k++) text_add(p->t, "der(");
    text_add(p->t, name->output ? "spatialDistribution" : "delay");
    for (uint32_t i = 0; i < name->count; i++) {
        text_add(p->t, i ? ", " : "(");
        print(p, name->argument[i], 0);
    }
    text_add(p->t, ")");
    if (name->output) text_format(p->t, "[%u]", name->output);
    for (uint32_t k = 0; k < order; k++) text_add(p->t, ")");
}

static void print_input(printer *p, const sym_view *view)
{
    if (view->id < p->g->delayed.count && p->g->delayed.item[view->id].count > 0) {
        print_named_input(p, &p->g->delayed.item[view->id], view->order);
        return;
    }
    text_format(p->t, "input%u", view->id + 1);
    for (uint32_t k = 0; k < view->order; k++) text_add(p->t, "'");
    print_call(p, "", view);
}

/* f(x), or f(x)[2] where it has several outputs. */
static void print_result(printer *p, const sym_view *view)
{
    const sym_callee *f = sym_callee_of(p->g, view->id);
    print_call(p, f->name, view);
    if (f->outputs > 1) text_format(p->t, "[%u]", view->order + 1);
}

static void print_infix(printer *p, const char *sign, const sym_view *view, int binding)
{
    print(p, view->argument[0], binding + 1);
    text_add(p->t, sign);
    print(p, view->argument[1], binding + 1);
}

/* How operations are written that are neither leaves, sums nor products: a sign between two
 * arguments, or a function's name. */
static const struct {
    const char *word;
    int binding; /* 0: a function */
} written[SYM_OP_COUNT] = {
    [SYM_POWER] = {"^", BIND_POWER},
    [SYM_LESS] = {" < ", BIND_RELATION},
    [SYM_LESS_EQUAL] = {" <= ", BIND_RELATION},
    [SYM_EQUAL] = {" == ", BIND_RELATION},
    [SYM_AND] = {" and ", BIND_AND},
    [SYM_OR] = {" or ", BIND_OR},
    [SYM_ATAN2] = {"atan2", 0},
    [SYM_MIN] = {"min", 0},
    [SYM_MAX] = {"max", 0},
    [SYM_ELEMENT] = {"element", 0},
    [SYM_INTERVAL] = {"interval", 0},
#define X(operation, function, formula, derivative) [SYM_##operation] = {function, 0},
#include "symbolic/functions.def"
#undef X
};

static bool is_negative_of(const sym_graph *g, sym a, sym b)
{
    sym_view v = sym_look(g, a);
    return v.op == SYM_SUM && v.count == 1 && v.value == 0 && v.factor[0] == -1 &&
           v.argument[0] == b;
}

/* The function that selects one of two sides by a relation of them, as it does within a mode; NULL:
 * there is none. */
static const char *selector(const sym_graph *g, const sym_view *view)
{
    sym_view by = sym_look(g, view->argument[0]);
    sym yes = view->argument[1], no = view->argument[2];
    if (by.op != SYM_LESS && by.op != SYM_LESS_EQUAL) return NULL;
    if (by.argument[0] == yes && by.argument[1] == no) return "min";
    if (by.argument[0] == no && by.argument[1] == yes) return "max";
    sym_view zero = sym_look(g, by.argument[1]);
    bool at_zero = zero.op == SYM_CONSTANT && sym_value(g, zero.value) == 0;
    return at_zero && by.argument[0] == no && is_negative_of(g, yes, no) ? "abs" : NULL;
}

static int binding_of(const sym_graph *g, const sym_view *view)
{
    switch (view->op) {
    case SYM_SUM: return view->count == 1 && view->value == 0 ? BIND_PRODUCT : BIND_SUM;
    case SYM_PRODUCT: return view->count == 1 && view->factor[0] != 0.5 ? BIND_POWER : BIND_PRODUCT;
    case SYM_NOT: return BIND_NOT;
    case SYM_IF: return selector(g, view) ? BIND_PRIMARY : BIND_IF;
    case SYM_CONSTANT: return view->value < 0 ? BIND_SUM : BIND_PRIMARY;
    default: return written[view->op].binding ? written[view->op].binding : BIND_PRIMARY;
    }
}

static void print_if(printer *p, const sym_view *view)
{
    const char *function = selector(p->g, view);
    if (function) {
        sym_view by = sym_look(p->g, view->argument[0]);
        by.count = strcmp(function, "abs") == 0 ? 1 : 2;
        print_call(p, function, &by);
        return;
    }
    text_add(p->t, "if ");
    print(p, view->argument[0], BIND_OR);
    text_add(p->t, " then ");
    print(p, view->argument[1], BIND_IF);
    text_add(p->t, " else ");
    print(p, view->argument[2], BIND_IF);
}

static void print_operation(printer *p, const sym_view *view)
{
    switch (view->op) {
    case SYM_CONSTANT: text_number(p->t, view->value); break;
    case SYM_TIME: text_add(p->t, "time"); break;
    case SYM_VARIABLE: p->name(p->context, p->t, view->id, view->order); break;
    case SYM_CELL: text_add(p->t, p->g->cells.name.item[view->id]); break;
    case SYM_SUM: print_sum(p, view); break;
    case SYM_PRODUCT: print_product(p, view); break;
    case SYM_INPUT: print_input(p, view); break;
    case SYM_CALL: print_result(p, view); break;
    case SYM_NOT:
        text_add(p->t, "not ");
        print(p, view->argument[0], BIND_NOT + 1);
        break;
    case SYM_IF: print_if(p, view); break;
    default:
        if (written[view->op].binding)
            print_infix(p, written[view->op].word, view, written[view->op].binding);
        else
            print_call(p, written[view->op].word, view);
    }
}

static const char *written_as(const sym_graph *g, sym f)
{
    for (size_t i = 0; i < g->written.count; i++)
        if (g->written.item[i].node == f) return g->written.item[i].as;
    return NULL;
}

static void print(printer *p, sym f, int outer)
{
    if (p->depth > DEEPEST || p->t->length > p->end) {
        text_add(p->t, "...");
        return;
    }
    const char *as = written_as(p->g, f);
    if (as) {
        text_add(p->t, as);
        return;
    }
    p->depth++;
    sym_view view = sym_look(p->g, f);
    view.value = sym_value(p->g, view.value);
    bool bracket = binding_of(p->g, &view) < outer;
    if (bracket) text_add(p->t, "(");
    print_operation(p, &view);
    if (bracket) text_add(p->t, ")");
    p->depth--;
}

void sym_print(const sym_graph *g, sym f, sym_namer name, void *context, text *t)
{
    printer p = {.g = g, .name = name, .context = context, .t = t, .end = t->length + LONGEST};
    print(&p, f, BIND_IF);
}

void sym_print_side(const sym_graph *g, sym f, sym_namer name, void *context, text *t)
{
    printer p = {.g = g, .name = name, .context = context, .t = t, .end = t->length + LONGEST};
    print(&p, f, BIND_RELATION + 1);
}

void sym_write_as(sym_graph *g, sym f, const char *as)
{
    sym_written w = {f, arena_copy(g->home, as, strlen(as))};
    list_push(g->home, &g->written, w);
}
