/* Operators for events: pre, edge, change, sample, initial, terminal (Modelica 3.6, Sec. 3.7.5). */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

/* The value of a reference in the model's equations. In an algorithm, what the statements before
 * have assigned to it does not count. */
static model_value declared_value(model_reader *r, model_expression *e)
{
    model_symbol *s = e->reference->meaning.symbol;
    model_value *shadow = s->shadow;
    s->shadow = NULL;
    model_value v = model_evaluate(r, e);
    s->shadow = shadow;
    return v;
}

/* pre(x) of a continuous variable. */
static sym left_value(model_reader *r, uint32_t id)
{
    sym_discrete_part *d = &r->system->discrete;
    for (size_t i = 0; i < d->left.count; i++)
        if (d->left.item[i].unknown == id) return sym_cell(r->graph, d->left.item[i].cell);
    const char *name = arena_format(r->a, "pre(%s)", r->system->unknown.item[id].name);
    sym_left left = {.unknown = id, .cell = model_new_cell(r, name)};
    r->cell.item[left.cell].before = true;
    list_push(r->home, &d->left, left);
    return sym_cell(r->graph, left.cell);
}

/* The value of one element before the event; SYM_NONE if there is none (reported). */
static sym element_before(model_reader *r, const model_arguments *a, sym element)
{
    const char *name = a->call->call->builtin->name, *shown = model_shown(r, a->expression[0]);
    sym_view view = sym_look(r->graph, element);
    uint32_t variable = model_declared_of(r, element, false);
    if (variable != MODEL_NO_VARIABLE) return model_before_leaf(r, variable);
    if (!model_varies(r, element) || !r->placed) return element;
    if (view.op == SYM_VARIABLE && view.order == 0 && view.id < r->system->unknown.count) {
        if (r->mode.when) return left_value(r, view.id);
        model_error(r, a->call->at, "%s(%s): %s changes continuously",
                    "outside of a when, only a variable that changes at events alone has a value "
                    "before the event",
                    name, shown, shown);
    }
    return SYM_NONE;
}

/* The values of the argument before the event; NONE if it is not a variable (reported). */
static model_value value_before(model_reader *r, const model_arguments *a)
{
    model_expression *e = a->expression[0];
    model_expression *named = model_named_element(r, e);
    if (named) e = named;
    if (e->kind != EXPRESSION_REFERENCE || e->reference->meaning.kind != MEANS_SYMBOL) {
        model_value v = model_evaluate(r, e);
        if (v.type.base == TYPE_NONE) return v;
        return model_fail(r, e->at, "%s(%s): %s is not a variable",
                          "introduce a variable that equals it: b = ...",
                          a->call->call->builtin->name, model_shown(r, e), model_shown(r, e));
    }
    const model_value declared = declared_value(r, e);
    if (declared.type.base == TYPE_NONE) return declared;
    if (declared.type.base == TYPE_RECORD) {
        model_report_type(r, e, &declared, "a variable that is no record");
        return model_none();
    }
    model_value before = declared;
    sym *element = model_new_elements(r, &before);
    for (size_t i = 0; i < before.count; i++) {
        element[i] = element_before(r, a, model_element(&declared, i));
        if (element[i] == SYM_NONE) return model_none();
    }
    return before;
}

model_value model_pre(model_reader *r, const model_arguments *a)
{
    return value_before(r, a);
}

/* edge(b) is b and not pre(b); change(v) is v <> pre(v). */
model_value model_edge_change(model_reader *r, const model_arguments *a)
{
    sym_graph *g = r->graph;
    bool edge = a->call->call->builtin->op == SYM_AND;
    model_value v, before = value_before(r, a);
    if (before.type.base == TYPE_NONE) return before;
    model_value now = model_evaluate(r, a->expression[0]);
    if (now.type.base == TYPE_NONE) return now;
    if (edge && now.type.base != TYPE_BOOLEAN) {
        model_report_type(r, a->expression[0], &now, "a Boolean");
        model_remedy(r, "change(%s) tells that its value is another one",
                     model_shown(r, a->expression[0]));
        return model_none();
    }
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_BOOLEAN}, now.rank,
                                   now.size, &v);
    for (size_t i = 0; element && i < v.count; i++) {
        sym x = model_element(&now, i), p = model_element(&before, i);
        element[i] = edge ? sym_binary(g, SYM_AND, x, sym_not(g, p))
                          : sym_not(g, sym_binary(g, SYM_EQUAL, x, p));
    }
    return v;
}

model_value model_initial_terminal(model_reader *r, const model_arguments *a)
{
    sym_discrete_part *d = &r->system->discrete;
    bool first = a->call->call->builtin->op == SYM_SUM;
    bool *used = first ? &d->initial.used : &d->terminal.used;
    uint32_t *cell = first ? &d->initial.cell : &d->terminal.cell;
    if (!*used) *cell = model_new_cell(r, first ? "initial()" : "terminal()");
    *used = true;
    return model_scalar(TYPE_BOOLEAN, sym_cell(r->graph, *cell));
}

/* Whether an argument of sample() is a number, and that number. */
static bool is_known(model_reader *r, const model_arguments *a, uint32_t i, double *number)
{
    const model_value *v = &a->value[i];
    const char *shown = model_shown(r, a->expression[i]);
    if (v->rank || !model_is_numeric(v))
        return model_report_type(r, a->expression[i], v, v->rank ? "a scalar" : "a number");
    if (sym_number_of(r->graph, v->one, number)) return true;
    if (!r->placed) return false;
    if (model_varies(r, v->one))
        return model_error(r, a->expression[i]->at,
                           "the %s of sample() must not change with time: %s",
                           "a condition that compares time with a discrete variable gives events "
                           "at times that change: when time >= pre(next) then next = ...",
                           i ? "interval" : "start", shown);
    return model_refuse(r, a->expression[i]->at, NULL,
                        "a sample() whose %s is found at the start is not supported yet: %s",
                        "write a number, or an expression of parameters that have values",
                        i ? "interval" : "start", shown);
}

model_value model_sample(model_reader *r, const model_arguments *a)
{
    double start, interval;
    sym_discrete_part *d = &r->system->discrete;
    if (a->count < 2) {
        model_refuse(r, a->call->at, "sample of a clock",
                     "sample() of a clock is not supported yet",
                     "sample(start, interval) gives events at equal intervals");
        return model_none();
    }
    bool known = is_known(r, a, 0, &start);
    known = is_known(r, a, 1, &interval) && known;
    if (!known) return r->placed ? model_none() : model_scalar(TYPE_BOOLEAN, model_stand_in(r));
    if (!sym_ask(r->graph, IS_LESS, 0, interval))
        return model_fail(r, a->expression[1]->at,
                          "the interval of sample() must be above 0, %s is %g",
                          "sample(start, interval) is true at start, start + interval, ...",
                          model_shown(r, a->expression[1]), sym_value(r->graph, interval));
    for (size_t i = 0; i < d->sample.count; i++)
        if (d->sample.item[i].start == a->value[0].one &&
            d->sample.item[i].interval == a->value[1].one)
            return model_scalar(TYPE_BOOLEAN, sym_cell(r->graph, d->sample.item[i].cell));
    sym_sample s = {.cell = model_new_cell(r, model_shown(r, a->call)),
                    .start = a->value[0].one,
                    .interval = a->value[1].one,
                    .at = model_place(&r->source, a->call->at)};
    list_push(r->home, &d->sample, s);
    return model_scalar(TYPE_BOOLEAN, sym_cell(r->graph, s.cell));
}
