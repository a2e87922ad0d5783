/* Functions of numbers, of which those of one argument also apply to arrays, element by element;
 * and operators that are written as functions. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/flatten.h"
#include "symbolic/derive.h"
#include "symbolic/domain.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

bool model_are_numbers(model_reader *r, const model_arguments *a, bool scalars)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const model_value *v = &a->value[i];
        bool array = scalars && v->rank > 0;
        if (array || !model_is_numeric(v))
            return model_report_type(r, a->expression[i], v, array ? "a scalar" : "a number");
    }
    return true;
}

/* Whether a function of a number is a number. log(-1), for example, is not. */
static bool is_defined(model_reader *r, const model_arguments *a, sym x, sym f)
{
    double argument, value;
    if (!sym_number_of(r->graph, x, &argument)) return true;
    if (sym_number_of(r->graph, f, &value) && sym_ask(r->graph, IS_FINITE, value, 0)) return true;
    argument = sym_value(r->graph, argument);
    const char *shown = model_shown(r, a->call);
    if (a->expression[0]->kind == EXPRESSION_NUMBER) {
        model_error(r, a->call->at, "%s has no finite value", "the function is not defined there",
                    shown);
    } else {
        model_error(r, a->call->at, "%s has no finite value, the argument is %g",
                    "its parameters take the argument out of the function's domain", shown,
                    argument);
    }
    return false;
}

model_value model_map(model_reader *r, const model_arguments *a, model_base base,
                      model_scalar_function *function)
{
    if (!model_are_numbers(r, a, false)) return model_none();
    const model_value *x = &a->value[0];
    sym_op op = a->call->call->builtin->op;
    model_value v;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = base}, x->rank, x->size,
                                   &v);
    for (size_t i = 0; element && i < v.count; i++) {
        element[i] = function(r, op, model_element(x, i));
        if (!is_defined(r, a, model_element(x, i), element[i])) return model_none();
    }
    return v;
}

static sym elementary(model_reader *r, sym_op op, sym x)
{
    return sym_function(r->graph, op, x);
}

model_value model_elementary(model_reader *r, const model_arguments *a)
{
    return model_map(r, a, TYPE_REAL, elementary);
}

static sym root(model_reader *r, sym_op op, sym x)
{
    (void)op;
    return sym_power_number(r->graph, x, 0.5);
}

model_value model_square_root(model_reader *r, const model_arguments *a)
{
    return model_map(r, a, TYPE_REAL, root);
}

model_value model_atan2(model_reader *r, const model_arguments *a)
{
    if (!model_are_numbers(r, a, true)) return model_none();
    return model_scalar(TYPE_REAL,
                        sym_binary(r->graph, SYM_ATAN2, a->value[0].one, a->value[1].one));
}

model_value model_enumeration_number(model_reader *r, const model_arguments *a)
{
    model_value v = a->value[0];
    if (v.type.base == TYPE_ENUMERATION || v.type.base == TYPE_INTEGER) {
        v.type = (model_type){.base = TYPE_INTEGER};
        return v;
    }
    model_report_type(r, a->expression[0], &v, "a literal of an enumeration");
    model_remedy(r, "integer(x) rounds down to a whole number");
    return model_none();
}

/* x >= 0 ? p x : n x */
model_value model_semi_linear(model_reader *r, const model_arguments *a)
{
    sym_graph *g = r->graph;
    if (!model_are_numbers(r, a, true)) return model_none();
    sym x = a->value[0].one;
    sym positive = model_relate(r, SYM_LESS_EQUAL, sym_number(g, 0), x);
    model_note_switch(r, a->call, positive);
    return model_scalar(TYPE_REAL, sym_if(g, positive, sym_multiply(g, a->value[1].one, x),
                                          sym_multiply(g, a->value[2].one, x)));
}

/* der, noEvent and other operators that are written as functions. */

static bool is_derivative(const model_reader *r, const sym_view *leaf)
{
    (void)r;
    return leaf->op == SYM_VARIABLE && leaf->order > 0;
}

static bool is_delayed(sym_op op)
{
    return op == SYM_INPUT;
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
    if (variable && s->type.base == TYPE_REAL && s->discrete) {
        model_error(r, a->call->at, "der(%s): %s is discrete and has no derivative",
                    "declare it without 'discrete'", model_shown(r, e), s->name);
        return s->in_when && model_remedy(r, "a when assigns to it, so that it changes at events "
                                             "alone; reinit() changes what has a derivative");
    }
    bool number = v->type.base == TYPE_REAL || (v->type.base == TYPE_INTEGER && !variable);
    if (!number) {
        const char *shown = model_shown(r, e);
        return model_error(r, a->call->at, "der(%s): %s is %s, a derivative needs a Real",
                           "only what changes continuously with time has a derivative", shown,
                           shown, model_type_text(r, v->type));
    }
    for (size_t i = 0; i < v->count; i++) {
        sym f = model_element(v, i);
        bool lost = sym_any(r->graph, 1, &f, is_delayed) && sym_may_jump(r->graph, f);
        if (lost || sym_steps(r->graph, f))
            return model_error(r, a->call->at,
                               "der() of an expression that jumps has an impulse there: %s",
                               "introduce a variable for it: u = ..., and der(u), whose impulses "
                               "are followed",
                               model_shown(r, a->call));
        if (!model_any_leaf(r, f, is_derivative)) continue;
        return model_error(r, a->call->at,
                           "der() of an expression that already contains a derivative: %s",
                           "introduce a variable for the inner one: v = der(x), and der(v)",
                           model_shown(r, a->call));
    }
    return true;
}

/* Notes what may jump: whether it does so is seen at events. */
static void note_differentiated(model_reader *r, const model_arguments *a, sym f)
{
    if (!r->placed || !sym_may_jump(r->graph, f)) return;
    for (size_t i = 0; i < r->system->differentiated.count; i++)
        if (r->system->differentiated.item[i].value == f) return;
    list_push(r->home, &r->system->differentiated,
              ((sym_differentiated){.value = f,
                                    .text = arena_format(r->home, "%s", model_shown(r, a->call)),
                                    .at = model_place(&r->source, a->call->at)}));
}

model_value model_der(model_reader *r, const model_arguments *a)
{
    if (!is_differentiable(r, a)) return model_none();
    const model_value *v = &a->value[0];
    for (size_t i = 0; i < v->count; i++) note_differentiated(r, a, model_element(v, i));
    model_value d;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, v->rank,
                                   v->size, &d);
    for (size_t i = 0; element && i < v->count; i++)
        element[i] = derivative(r, model_element(v, i));
    return d;
}

model_value model_without_event(model_reader *r, const model_arguments *a)
{
    long order = 1; /* smooth(0, expr) is continuous, but bends at events (Sec. 3.7.5) */
    if (a->count == 2 && !model_whole_number(r, a->expression[0], "the order of smooth()", &order))
        return model_none();
    r->mode.no_event += order > 0;
    model_value v = model_evaluate(r, a->expression[a->count - 1]);
    r->mode.no_event -= order > 0;
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
    static const model_hint hints[] = {
        {"spatialDistribution", "divide the length into cells, each with its own equation"},
        {"guess", "a start value guides the search: x(start = 1)"},
        {"prioritize", "stateSelect = StateSelect.prefer says which variable should be a state"},
        {"String", "it is allowed only in the message of an assert"},
        {"inStream", "flatten the model first, so that its connections become equations"},
        {"actualStream", "flatten the model first, so that its connections become equations"},
        {"cardinality", "flatten the model first, so that its connections become equations"},
        {"getInstanceName", "write the name as a String"},
        {NULL, "sample(start, interval) in a when gives events at equal intervals"},
    };
    return model_hint_for(hints, name);
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
                      "write it by itself, after the keyword 'equation'",
                      a->call->call->builtin->name);
}
