/* der, noEvent and other operators that are written as functions, and operators for events. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/flatten.h"
#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <string.h>

static bool is_derivative(const model_reader *r, const sym_view *leaf)
{
    (void)r;
    return leaf->op == SYM_VARIABLE && leaf->order > 0;
}

/* Derivatives of parameters that are found at the start are 0. */
static sym constant_parameters(void *context, sym leaf)
{
    const model_reader *r = context;
    sym_view view = sym_look(r->graph, leaf);
    bool known = view.id < r->system->unknown.count;
    if (!known || view.order == 0 || !r->system->unknown.item[view.id].parameter) return leaf;
    return sym_number(r->graph, 0);
}

static sym derivative(model_reader *r, sym f)
{
    sym d = sym_time_derivative(r->graph, f);
    if (r->free_parameters) sym_substitute(r->graph, 1, &d, constant_parameters, r);
    return d;
}

/* Whether a value has a derivative by time; if not, the reason is reported. */
static bool is_differentiable(model_reader *r, const model_arguments *a)
{
    const model_expression *e = a->expression[0];
    const model_value *v = &a->value[0];
    const model_symbol *s = e->kind == EXPRESSION_REFERENCE ? e->reference->meaning.symbol : NULL;
    bool variable = s && e->reference->meaning.kind == MEANS_SYMBOL;
    if (variable && s->type.base == TYPE_REAL &&
        s->declaration->variability == VARIABILITY_DISCRETE)
        return model_error(r, a->call->at, "der(%s): %s is discrete and has no derivative",
                           "declare it without 'discrete'", model_shown(r, e), s->name);
    bool number = v->type.base == TYPE_REAL || (v->type.base == TYPE_INTEGER && !variable);
    if (!number) {
        const char *shown = model_shown(r, e);
        return model_error(r, a->call->at, "der(%s): %s is %s, a derivative needs a Real",
                           "only what changes continuously with time has a derivative", shown,
                           shown, model_type_text(r, v->type));
    }
    for (size_t i = 0; i < v->count; i++) {
        if (!model_any_leaf(r, model_element(v, i), is_derivative)) continue;
        return model_error(r, a->call->at, "der of what has a derivative in it already: %s",
                           "introduce a variable for the inner one: v = der(x), and der(v)",
                           model_shown(r, a->call));
    }
    return true;
}

model_value model_der(model_reader *r, const model_arguments *a)
{
    if (!is_differentiable(r, a)) return model_none();
    const model_value *v = &a->value[0];
    model_value d;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, v->rank,
                                   v->size, &d);
    for (size_t i = 0; element && i < v->count; i++)
        element[i] = derivative(r, model_element(v, i));
    return d;
}

model_value model_without_event(model_reader *r, const model_arguments *a)
{
    long order;
    if (a->count == 2 && !model_whole_number(r, a->expression[0], "the order of smooth()", &order))
        return model_none();
    r->mode.no_event++;
    model_value v = model_evaluate(r, a->expression[a->count - 1]);
    r->mode.no_event--;
    return v;
}

model_value model_homotopy(model_reader *r, const model_arguments *a)
{
    (void)r;
    return a->value[0];
}

/* Stand-ins in the shape of `v`, so that expressions built from them can still be checked. */
static model_value stand_ins(model_reader *r, const model_arguments *a, const model_value *v)
{
    model_value array;
    sym *element = model_new_array(r, a->call->at, v->type, v->rank, v->size, &array);
    for (size_t i = 0; element && i < v->count; i++) element[i] = model_stand_in(r);
    return array;
}

/* What a model can use in place of a refused function. */
static const char *remedy_of(const char *name)
{
    static const struct {
        const char *name, *remedy;
    } row[] = {
        {"delay", "a chain of first-order lags comes near to a delay"},
        {"spatialDistribution", "divide the length into cells, each with its own equation"},
        {"guess", "a start value guides the search: x(start = 1)"},
        {"prioritize", "stateSelect = StateSelect.prefer says which variable should be a state"},
        {"String", "only the message of an assert may have it"},
        {"inStream", "flatten the model first, so that its connections are equations"},
        {"actualStream", "flatten the model first, so that its connections are equations"},
        {"cardinality", "flatten the model first, so that its connections are equations"},
        {"getInstanceName", "write the name as a String"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (strcmp(row[i].name, name) == 0) return row[i].remedy;
    return MODEL_WITHOUT_EVENTS;
}

static void refuse(model_reader *r, const model_arguments *a)
{
    const char *name = a->call->call->builtin->name;
    model_refuse(r, a->call->at, name, "%s() is not supported yet", remedy_of(name), name);
}

model_value model_refused(model_reader *r, const model_arguments *a)
{
    model_base base = a->call->call->builtin->base;
    refuse(r, a);
    if (base == TYPE_NONE) return model_none();
    model_value scalar = model_scalar(base, SYM_NONE);
    return stand_ins(r, a, &scalar);
}

model_value model_refused_like(model_reader *r, const model_arguments *a)
{
    refuse(r, a);
    return stand_ins(r, a, &a->value[0]);
}

model_value model_no_value(model_reader *r, const model_arguments *a)
{
    return model_fail(r, a->call->at, "%s() is an equation of its own and has no value",
                      "write it by itself, behind the keyword 'equation'",
                      a->call->call->builtin->name);
}
