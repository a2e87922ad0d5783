/* Functions of numbers. Those of one argument also apply to arrays, element by element. */
#include "model/builtin.h"
#include "model/evaluator.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

typedef sym (*scalar_function)(sym_graph *g, sym_op op, sym x);

static bool numbers(model_reader *r, const model_arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (model_is_numeric(&a->value[i])) continue;
        return model_report_type(r, a->expression[i], &a->value[i], "a number");
    }
    return true;
}

static bool scalars(model_reader *r, const model_arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (!a->value[i].rank) continue;
        return model_report_type(r, a->expression[i], &a->value[i], "a scalar");
    }
    return numbers(r, a);
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
                    "the values of its parameters lead out of where the function is defined", shown,
                    argument);
    }
    return false;
}

static model_value map(model_reader *r, const model_arguments *a, model_base base,
                       scalar_function function)
{
    if (!numbers(r, a)) return model_none();
    const model_value *x = &a->value[0];
    sym_op op = a->call->call->builtin->op;
    model_value v;
    sym *element = model_new_array(r, a->call->at, (model_type){.base = base}, x->rank, x->size,
                                   &v);
    for (size_t i = 0; element && i < v.count; i++) {
        element[i] = function(r->graph, op, model_element(x, i));
        if (!is_defined(r, a, model_element(x, i), element[i])) return model_none();
    }
    return v;
}

model_value model_elementary(model_reader *r, const model_arguments *a)
{
    return map(r, a, TYPE_REAL, sym_function);
}

static sym root(sym_graph *g, sym_op op, sym x)
{
    (void)op;
    return sym_sqrt(g, x);
}

model_value model_square_root(model_reader *r, const model_arguments *a)
{
    return map(r, a, TYPE_REAL, root);
}

model_value model_atan2(model_reader *r, const model_arguments *a)
{
    if (!scalars(r, a)) return model_none();
    return model_scalar(TYPE_REAL,
                        sym_binary(r->graph, SYM_ATAN2, a->value[0].one, a->value[1].one));
}

model_value model_abs_sign(model_reader *r, const model_arguments *a)
{
    const model_builtin *f = a->call->call->builtin;
    model_value v = map(r, a, f->op == SYM_SIGN ? TYPE_INTEGER : a->value[0].type.base,
                        sym_function);
    for (size_t i = 0; v.type.base != TYPE_NONE && i < v.count; i++)
        model_note_switch(r, a->call, model_element(&v, i));
    return v;
}

/* Functions with jumps cause events if an argument changes with time. */
static bool jumps(model_reader *r, const model_arguments *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < a->value[i].count; k++) {
            if (r->mode.no_event || !model_varies(r, model_element(&a->value[i], k))) continue;
            const char *name = a->call->call->builtin->name;
            model_refuse(r, a->call->at, name,
                         "%s() of what changes with time is not supported yet: it makes events",
                         NULL, name);
            model_remedy(r, "noEvent(%s) jumps without an event", model_shown(r, a->call));
            return true;
        }
    return false;
}

model_value model_whole_part(model_reader *r, const model_arguments *a)
{
    if (jumps(r, a)) return model_none();
    model_base base = a->call->call->builtin->base;
    return map(r, a, a->value[0].type.base == TYPE_INTEGER ? TYPE_INTEGER : base, sym_function);
}

/* x/y rounded towards zero */
static sym quotient(sym_graph *g, sym x, sym y)
{
    sym ratio = sym_divide(g, x, y);
    sym below = sym_binary(g, SYM_LESS, ratio, sym_number(g, 0));
    return sym_if(g, below, sym_function(g, SYM_CEIL, ratio), sym_function(g, SYM_FLOOR, ratio));
}

model_value model_div_mod_rem(model_reader *r, const model_arguments *a)
{
    sym_graph *g = r->graph;
    if (!scalars(r, a) || jumps(r, a)) return model_none();
    sym x = a->value[0].one, y = a->value[1].one;
    if (sym_is(g, y, 0))
        return model_fail(r, a->expression[1]->at, "division by %s, which is 0 in %s",
                          "its value follows from those of constants and parameters; one of them "
                          "must be another one",
                          model_shown(r, a->expression[1]), model_shown(r, a->call));
    bool whole = a->value[0].type.base == TYPE_INTEGER && a->value[1].type.base == TYPE_INTEGER;
    model_base base = whole ? TYPE_INTEGER : TYPE_REAL;
    sym_op op = a->call->call->builtin->op;
    if (op == SYM_SUM) return model_scalar(base, quotient(g, x, y));
    sym times = op == SYM_FLOOR ? sym_function(g, SYM_FLOOR, sym_divide(g, x, y))
                                : quotient(g, x, y);
    return model_scalar(base, sym_subtract(g, x, sym_multiply(g, times, y)));
}

model_value model_enumeration_number(model_reader *r, const model_arguments *a)
{
    model_value v = a->value[0];
    if (v.type.base == TYPE_ENUMERATION || v.type.base == TYPE_INTEGER) {
        v.type = (model_type){.base = TYPE_INTEGER};
        return v;
    }
    model_report_type(r, a->expression[0], &v, "a literal of an enumeration");
    model_remedy(r, "the largest whole number below is integer(x)");
    return model_none();
}

/* x >= 0 ? p x : n x */
model_value model_semi_linear(model_reader *r, const model_arguments *a)
{
    sym_graph *g = r->graph;
    if (!scalars(r, a)) return model_none();
    sym x = a->value[0].one;
    sym positive = model_relate(r, SYM_LESS_EQUAL, sym_number(g, 0), x);
    model_note_switch(r, a->call, positive);
    return model_scalar(TYPE_REAL, sym_if(g, positive, sym_multiply(g, a->value[1].one, x),
                                          sym_multiply(g, a->value[2].one, x)));
}
