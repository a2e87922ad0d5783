/* sum, product, min and max: of an array, of two numbers, or of an expression for iterators. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

/* The values of a reduction. */
typedef struct gathered {
    model_expression *expression; /* each step adds its value */
    model_type type;
    bool known;
    LIST(sym) element;
} gathered;

static bool is_number(model_reader *r, const model_expression *e, const model_value *v)
{
    if (v->type.base == TYPE_NONE) return false;
    bool ordered = model_is_numeric(v) || v->type.base == TYPE_ENUMERATION;
    if (!ordered) model_report_type(r, e, v, "a number");
    return ordered;
}

static void add_elements(model_reader *r, gathered *g, const model_expression *e,
                         const model_value *v)
{
    bool fits = is_number(r, e, v);
    if (fits && g->type.base == TYPE_NONE) g->type = v->type;
    if (fits && !model_common_type(&g->type, v->type)) {
        model_report_type(r, e, v, model_type_text(r, g->type));
        fits = false;
    }
    g->known = g->known && fits;
    for (size_t i = 0; fits && i < v->count; i++) list_push(r->a, &g->element, model_element(v, i));
}

static void step(model_reader *r, void *context)
{
    gathered *g = context;
    model_value v = model_evaluate(r, g->expression);
    if (v.rank) {
        model_report_type(r, g->expression, &v, "a scalar");
        g->known = false;
        return;
    }
    add_elements(r, g, g->expression, &v);
}

static bool gather(model_reader *r, const model_arguments *a, gathered *g)
{
    model_iterators *list = &a->call->call->iterator;
    g->known = true;
    g->expression = a->expression[0];
    if (list->count) return model_iterate(r, list, true, step, g) && g->known;
    for (uint32_t i = 0; i < a->count; i++) {
        model_value v = model_evaluate(r, a->expression[i]);
        bool array = a->count == 1;
        if (v.type.base != TYPE_NONE && array != (v.rank > 0)) {
            model_report_type(r, a->expression[i], &v, array ? "an array" : "a scalar");
            g->known = false;
        }
        add_elements(r, g, a->expression[i], &v);
    }
    return g->known;
}

/* Equal weights 1, as factors of a sum or exponents of a product. */
static double *ones(model_reader *r, size_t count)
{
    double *one = arena_array(r->a, count, sizeof *one);
    for (size_t i = 0; i < count; i++) one[i] = 1;
    return one;
}

static sym extreme(model_reader *r, const model_arguments *a, const gathered *g)
{
    sym value = g->element.item[0];
    sym_op op = a->call->call->builtin->op;
    for (size_t i = 1; i < g->element.count; i++)
        value = sym_binary(r->graph, op, value, g->element.item[i]);
    if (!sym_is_number(r->graph, value, NULL) && g->element.count > 1)
        model_note_switch(r, a->call, value);
    return value;
}

static sym multiply_all(model_reader *r, const gathered *g)
{
    double number = 1, x;
    size_t factors = 0;
    sym *factor = arena_array(r->a, g->element.count, sizeof *factor);
    for (size_t i = 0; i < g->element.count; i++) {
        if (sym_number_of(r->graph, g->element.item[i], &x))
            number = sym_calculate(r->graph, TRACED_PRODUCT, number, x);
        else
            factor[factors++] = g->element.item[i];
    }
    return sym_scale(r->graph, number, sym_product(r->graph, factors, factor, ones(r, factors)));
}

model_value model_reduction(model_reader *r, const model_arguments *a)
{
    const model_builtin *f = a->call->call->builtin;
    gathered g = {0};
    if (!gather(r, a, &g)) return model_none();
    bool extremal = f->op == SYM_MIN || f->op == SYM_MAX;
    size_t count = g.element.count;
    if (extremal && count == 0) {
        model_error(r, a->call->at, "%s of an empty array", f->name);
        model_remedy(r, "test its size first: if size(x, 1) > 0 then ... else ...");
        return model_none();
    }
    if (g.type.base == TYPE_NONE) g.type.base = TYPE_INTEGER; /* empty: 0 or 1 */
    if (g.type.base == TYPE_ENUMERATION && !extremal) {
        model_error(r, a->call->at, "%s of literals of an enumeration", f->name);
        model_remedy(r, "their numbers are Integer(e)");
        return model_none();
    }
    model_value v = {.type = g.type, .count = 1};
    v.one = extremal           ? extreme(r, a, &g)
            : f->op == SYM_SUM ? sym_sum(r->graph, 0, count, g.element.item, ones(r, count))
                               : multiply_all(r, &g);
    return v;
}
