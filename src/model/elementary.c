/* Functions of numbers, of which those of one argument also apply to arrays, element by element;
 * and operators that are written as functions. */
#include "model/builtin.h"
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/flatten.h"
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

/* Modelica.Units.Conversions.from_X(x) is factor*x + summand, to_X its inverse. */
static const struct {
    const char *unit;
    double factor, summand;
} conversions[] = {
#define CONVERSION(unit, from, to, factor, summand) {unit "'", factor, summand},
#include "model/conversions.def"
#undef CONVERSION
};

model_value model_conversion(model_reader *r, const model_arguments *a)
{
    const model_value *x = &a->value[0];
    const char *name = strrchr(a->call->call->builtin->name, '.') + 1;
    bool from = strncmp(name, "from_", 5) == 0;
    size_t k = 0;
    while (strcmp(conversions[k].unit, strchr(name, '_') + 1) != 0) k++;
    double factor = conversions[k].factor, summand = conversions[k].summand;
    if (!model_are_numbers(r, a, false)) return model_none();
    model_value v;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, x->rank,
                                   x->size, &v);
    sym moved = sym_number(r->graph, from ? summand : -summand / factor);
    for (size_t i = 0; element && i < v.count; i++)
        element[i] = sym_add(
            r->graph, sym_scale(r->graph, from ? factor : 1 / factor, model_element(x, i)), moved);
    return v;
}

/* noEvent and other operators that are written as functions. */

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

/* lead*actual + (1 - lead)*simplified */
static sym mixture(model_reader *r, sym actual, sym simplified)
{
    sym_graph *g = r->graph;
    if (!r->system->homotopy.led) {
        r->system->homotopy.led = true;
        r->system->homotopy.lead = model_new_cell(r, "homotopy");
    }
    sym lead = sym_cell(g, r->system->homotopy.lead);
    sym rest = sym_subtract(g, sym_number(g, 1), lead);
    return sym_add(g, sym_multiply(g, lead, actual), sym_multiply(g, rest, simplified));
}

/* A start can be led from the simplified to the actual values (Modelica 3.6, Sec. 3.7.4.4). At any
 * other time only the actual ones count. */
model_value model_homotopy(model_reader *r, const model_arguments *a)
{
    const model_value *actual = &a->value[0], *simplified = &a->value[1];
    if (!model_is_numeric(actual) || !model_is_numeric(simplified) ||
        actual->count != simplified->count || actual->rank != simplified->rank)
        return *actual;
    model_value mixed;
    sym *element = NULL;
    if (r->given_leads)
        element = model_new_array(r, a->call->at, (model_type){.base = TYPE_REAL}, actual->rank,
                                  actual->size, &mixed);
    for (size_t i = 0; i < actual->count; i++) {
        sym one = model_element(actual, i), other = model_element(simplified, i);
        r->system->homotopy.count += one != other;
        if (element) element[i] = one == other ? one : mixture(r, one, other);
    }
    return element ? mixed : *actual;
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
        {"guess", "a start value guides the search: x(start = 1)"},
        {"prioritize", "stateSelect = StateSelect.prefer says which variable should be a state"},
        {"inStream", "flatten the model first, so that its connections become equations"},
        {"actualStream", "flatten the model first, so that its connections become equations"},
        {"cardinality", "say by a parameter what is connected"},
        {"previous", "pre(v) in a when with sample(start, interval) is the value before the event"},
        {"hold", "a variable to which a when assigns keeps its value between events"},
        {"noClock", "a variable to which a when assigns keeps its value between events"},
        {"interval", "write the interval of sample(start, interval) as a parameter"},
        {"firstTick", "initial() is true at the start"},
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
