/* when-clauses are checked and then refused, because events are not supported yet. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/flatten.h"

static void check_condition(model_reader *r, model_expression *e)
{
    r->mode.in_condition++;
    model_value v = model_evaluate(r, e);
    r->mode.in_condition--;
    if (v.type.base == TYPE_NONE) return;
    if (v.type.base != TYPE_BOOLEAN || v.rank > 1) {
        model_error(r, e->at, "the condition of a when must be Boolean, %s is %s",
                    model_shown(r, e), model_type_text(r, v.type));
        model_remedy(r, "a condition compares numbers, as in x > 0");
    }
}

void model_flatten_when(model_flattening *f, model_clause *c)
{
    model_reader *r = f->r;
    const model_clause *outer = f->when;
    if (outer) {
        model_error(r, c->at, "a when inside of a when");
        model_remedy(r, "join the conditions: when a and b then");
    } else if (f->initial) {
        model_error(r, c->at, "a when cannot stand in an initial equation");
        model_remedy(r, "use an if");
    } else {
        model_refuse(r, c->at, "when", "when-equations are not supported yet");
        model_remedy(r, MODEL_WITHOUT_EVENTS);
    }
    if (!outer) f->when = c;
    for (size_t k = 0; k < c->branch.count; k++) {
        check_condition(r, c->branch.item[k].condition);
        model_flatten_clauses(f, &c->branch.item[k].body);
    }
    f->when = outer;
}

/* Note the variables on the left side as assigned by this when-clause. */
static void note_assigned(model_flattening *f, const model_clause *c, model_expression *left)
{
    model_reader *r = f->r;
    if (left->kind == EXPRESSION_NONE) return;
    model_value v = model_evaluate(r, left);
    if (v.type.base == TYPE_NONE) return;
    if (left->kind != EXPRESSION_REFERENCE) {
        model_error(r, left->at, "in a when, the left side must be a variable");
        model_remedy(r, "solve the equation for its variable");
        return;
    }
    for (size_t i = 0; i < v.count; i++) {
        sym_view leaf = sym_look(r->graph, model_element(&v, i));
        if (leaf.op != SYM_VARIABLE) {
            model_error(r, left->at, "in a when, the left side must be a variable");
            model_remedy(r, "solve the equation for its variable");
            return;
        }
        model_defined d = {
            .id = leaf.id, .at = c->at, .name = model_shown(r, left), .when = f->when};
        list_push(r->a, &f->events.assigned, d);
    }
}

void model_flatten_in_when(model_flattening *f, model_clause *c)
{
    model_reader *r = f->r;
    if (c->left->kind == EXPRESSION_TUPLE) {
        for (uint32_t i = 0; i < c->left->count; i++) note_assigned(f, c, c->left->operand[i]);
        return;
    }
    note_assigned(f, c, c->left);
    model_value lhs = model_evaluate(r, c->left), rhs = model_evaluate(r, c->right);
    model_sides_fit(r, c, &lhs, &rhs);
}

void model_flatten_reinit(model_flattening *f, model_expression *call)
{
    model_reader *r = f->r;
    model_arguments a;
    if (!f->when) {
        model_error(r, call->at, "reinit() stands only in a when");
        model_remedy(r, "a start value is given by x(start = 1, fixed = true)");
        return;
    }
    if (!model_bind_arguments(r, call, &a)) return;
    model_value x = model_evaluate(r, a.expression[0]), v = model_evaluate(r, a.expression[1]);
    if (x.type.base == TYPE_NONE || v.type.base == TYPE_NONE) return;
    if (x.type.base != TYPE_REAL || a.expression[0]->kind != EXPRESSION_REFERENCE) {
        model_report_type(r, a.expression[0], &x, "a Real variable");
    } else if (!model_is_numeric(&v) || !model_same_size(&x, &v)) {
        model_report_type(r, a.expression[1], &v, "a number like the variable");
    }
    model_refuse(r, call->at, "reinit", "reinit() is not supported yet");
    model_remedy(r, MODEL_WITHOUT_EVENTS);
    for (size_t i = 0; i < x.count; i++) {
        sym_view leaf = sym_look(r->graph, model_element(&x, i));
        model_defined d = {
            .at = call->at, .name = model_shown(r, a.expression[0]), .when = f->when};
        d.id = leaf.op == SYM_VARIABLE ? leaf.id : UINT32_MAX;
        list_push(r->a, &f->events.reinit, d);
    }
}
