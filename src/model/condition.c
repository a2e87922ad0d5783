/* Conditions of events, and what is done where they have become true. */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"

#include <string.h>

sym model_rising(model_reader *r, const char *name, model_span at, sym condition, bool at_start)
{
    double number;
    if (sym_is_number(r->graph, condition, &number) && !at_start) return sym_number(r->graph, 0);
    uint32_t k = model_new_discrete(r, name, model_place(&r->source, at),
                                    (model_type){.base = TYPE_BOOLEAN});
    sym_discrete *d = &r->system->discrete.variable.item[k];
    d->definition = condition;
    d->is_condition = true;
    d->at_start = at_start;
    return sym_binary(r->graph, SYM_AND, model_value_leaf(r, k),
                      sym_not(r->graph, model_before_leaf(r, k)));
}

/* Whether a condition is exactly initial(). */
static bool is_initial(const model_reader *r, sym condition)
{
    sym_view view = sym_look(r->graph, condition);
    return view.op == SYM_CELL && r->system->discrete.initial.used &&
           view.id == r->system->discrete.initial.cell;
}

sym model_when_condition(model_reader *r, model_expression *e)
{
    r->mode.in_condition++;
    model_value v = model_evaluate(r, e);
    r->mode.in_condition--;
    if (v.type.base == TYPE_NONE) return SYM_NONE;
    if (v.type.base != TYPE_BOOLEAN || v.rank > 1) {
        model_error(r, e->at, "the condition of a when must be Boolean, %s is %s",
                    "a condition compares numbers, as in x > 0", model_shown(r, e),
                    model_type_text(r, v.type));
        return SYM_NONE;
    }
    bool listed = e->kind == EXPRESSION_ARRAY && !e->iterator && e->count == v.count;
    sym any = sym_number(r->graph, 0);
    size_t first = r->system->discrete.variable.count;
    bool initial = false;
    for (size_t i = 0; i < v.count; i++) {
        const char *name = model_shown(r, listed ? e->operand[i] : e);
        if (v.rank && !listed) name = arena_format(r->a, "(%s)[%zu]", name, i + 1);
        sym c = model_element(&v, i);
        initial = initial || is_initial(r, c);
        sym risen = model_rising(r, name, listed ? e->operand[i]->at : e->at, c, is_initial(r, c));
        any = sym_binary(r->graph, SYM_OR, any, risen);
    }
    for (size_t k = first; k < r->system->discrete.variable.count; k++) {
        sym_discrete *d = &r->system->discrete.variable.item[k];
        d->waits = d->is_condition && !initial;
    }
    return any;
}

sym model_reached(const model_reader *r)
{
    sym all = sym_number(r->graph, 1);
    for (const model_guard *g = r->mode.guard; g; g = g->outer) {
        if (g->condition == SYM_NONE) continue; /* reported */
        sym holds = g->holds ? g->condition : sym_not(r->graph, g->condition);
        all = sym_binary(r->graph, SYM_AND, holds, all);
    }
    return all;
}

void model_act(model_reader *r, sym_action action)
{
    action.condition = model_reached(r);
    if (r->placed && !sym_is(r->graph, action.condition, 0))
        list_push(r->home, &r->system->discrete.action, action);
}

void model_terminate(model_reader *r, model_expression *call)
{
    model_arguments a;
    if (!model_bind_arguments(r, call, &a)) return;
    if (r->mode.initial) {
        model_error(r, call->at, "terminate() is not allowed in an initial equation",
                    "an assert says what must hold at the start");
        return;
    }
    model_said said = model_message(r, a.expression[0]);
    sym_action action = {.kind = SYM_TERMINATE,
                         .message = said.text,
                         .said = said.said,
                         .at = model_place(&r->source, call->at)};
    if (r->mode.when || !r->placed) {
        model_act(r, action);
        return;
    }
    action.condition = model_rising(r, model_shown(r, call), call->at, model_reached(r), true);
    list_push(r->home, &r->system->discrete.action, action);
}
