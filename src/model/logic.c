/* and, or, not (Modelica 3.6, Sec. 10.6.11); and literals by their numbers (Sec. 4.9.5.2). */
#include "model/evaluator.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

static bool is_boolean(model_reader *r, const model_expression *e, const model_value *v)
{
    if (v->type.base == TYPE_BOOLEAN) return true;
    if (v->type.base != TYPE_NONE) model_report_type(r, e, v, "a Boolean");
    return false;
}

static sym combine(model_reader *r, const model_expression *e, sym a, sym b)
{
    return sym_binary(r->graph, e->kind == EXPRESSION_AND ? SYM_AND : SYM_OR, a, b);
}

/* The combination of two values of the same size. */
static model_value join(model_reader *r, const model_expression *e, const model_value *a,
                        const model_value *b)
{
    if (!model_same_size(a, b))
        return model_fail(r, e->at, "sizes do not fit: %s and %s",
                          "both sides of 'and', 'or' are scalars, or arrays of one size",
                          model_size_text(r, a), model_size_text(r, b));
    model_value v = *a;
    sym *element = model_new_elements(r, &v);
    for (size_t i = 0; i < v.count; i++)
        element[i] = combine(r, e, model_element(a, i), model_element(b, i));
    return v;
}

static model_value negate(model_reader *r, const model_value *a)
{
    model_value v = *a;
    sym *element = model_new_elements(r, &v);
    for (size_t i = 0; i < v.count; i++) element[i] = sym_not(r->graph, model_element(a, i));
    return v;
}

model_value model_logic(model_reader *r, model_expression *e)
{
    model_value all = model_none();
    bool known = true;
    for (uint32_t i = 0; i < e->count; i++) {
        model_value v = model_evaluate(r, e->operand[i]);
        known = is_boolean(r, e->operand[i], &v) && known;
        if (!known) continue;
        if (e->kind == EXPRESSION_NOT) return negate(r, &v);
        all = i == 0 ? v : join(r, e, &all, &v);
        known = all.type.base != TYPE_NONE;
    }
    return known ? all : model_none();
}

/* A number that changes is asserted to be one of a literal. */
static void assert_literal(model_reader *r, const model_expression *e, sym number, size_t literals)
{
    sym_graph *g = r->graph;
    sym from = sym_binary(g, SYM_LESS_EQUAL, sym_number(g, 1), number);
    sym to = sym_binary(g, SYM_LESS_EQUAL, number, sym_number(g, (double)literals));
    model_add_assertion(
        r, (sym_assertion){.condition = sym_binary(g, SYM_AND, from, to),
                           .message = arena_format(r->home, "%s is no literal", model_shown(r, e)),
                           .at = model_place(&r->source, e->at)});
}

model_value model_literal_of_number(model_reader *r, model_expression *e)
{
    const model_class *c = e->call->literal_of;
    model_value v = e->count == 1 ? model_evaluate(r, e->operand[0]) : model_none();
    double number;
    if (e->count != 1 || e->call->argument[0] != NAMES_NONE)
        return model_fail(r, e->at, "%s needs one argument, the number of a literal",
                          "literals are counted from 1", model_spelled(r, c->name));
    if (v.type.base == TYPE_NONE) return v;
    if (v.type.base != TYPE_INTEGER || v.rank) {
        model_report_type(r, e->operand[0], &v, "the number of a literal");
        model_remedy(r, "literals are counted from 1: write an Integer");
        return model_none();
    }
    bool known = sym_is_number(r->graph, v.one, &number);
    if (known && !(number >= 1 && number <= (double)c->literal.count))
        return model_fail(r, e->at, "%s has no literal with the number %g",
                          "literals are counted from 1", model_spelled(r, c->name), number);
    if (!known && r->placed) assert_literal(r, e, v.one, c->literal.count);
    v.type = (model_type){TYPE_ENUMERATION, c};
    return v;
}
