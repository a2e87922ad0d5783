#include "model/builtin.h"

#include "model/evaluator.h"

#include <string.h>

static const model_builtin table[] = {
    /* clang-format off */
/*   name               least most            arguments                          raw    applied            op, type */
    {"sin",                1, 1,                "",                                false, model_elementary,        SYM_SIN,   TYPE_REAL},
    {"cos",                1, 1,                "",                                false, model_elementary,        SYM_COS,   TYPE_REAL},
    {"tan",                1, 1,                "",                                false, model_elementary,        SYM_TAN,   TYPE_REAL},
    {"asin",               1, 1,                "",                                false, model_elementary,        SYM_ASIN,  TYPE_REAL},
    {"acos",               1, 1,                "",                                false, model_elementary,        SYM_ACOS,  TYPE_REAL},
    {"atan",               1, 1,                "",                                false, model_elementary,        SYM_ATAN,  TYPE_REAL},
    {"sinh",               1, 1,                "",                                false, model_elementary,        SYM_SINH,  TYPE_REAL},
    {"cosh",               1, 1,                "",                                false, model_elementary,        SYM_COSH,  TYPE_REAL},
    {"tanh",               1, 1,                "",                                false, model_elementary,        SYM_TANH,  TYPE_REAL},
    {"exp",                1, 1,                "",                                false, model_elementary,        SYM_EXP,   TYPE_REAL},
    {"log",                1, 1,                "",                                false, model_elementary,        SYM_LOG,   TYPE_REAL},
    {"log10",              1, 1,                "",                                false, model_elementary,        SYM_LOG10, TYPE_REAL},
    {"sqrt",               1, 1,                "",                                false, model_square_root,       SYM_POWER, TYPE_REAL},
    {"atan2",              2, 2,                "",                                false, model_atan2,             SYM_ATAN2, TYPE_REAL},
    {"abs",                1, 1,                "",                                false, model_abs_sign,          SYM_ABS,   TYPE_REAL},
    {"sign",               1, 1,                "",                                false, model_abs_sign,          SYM_SIGN,  TYPE_INTEGER},
    {"floor",              1, 1,                "",                                false, model_whole_part,        SYM_FLOOR, TYPE_REAL},
    {"ceil",               1, 1,                "",                                false, model_whole_part,        SYM_CEIL,  TYPE_REAL},
    {"integer",            1, 1,                "",                                false, model_whole_part,        SYM_FLOOR, TYPE_INTEGER},
    {"div",                2, 2,                "",                                false, model_div_mod_rem,       SYM_SUM,   TYPE_REAL},
    {"mod",                2, 2,                "",                                false, model_div_mod_rem,       SYM_FLOOR, TYPE_REAL},
    {"rem",                2, 2,                "",                                false, model_div_mod_rem,       SYM_SIGN,  TYPE_REAL},
    {"Integer",            1, 1,                "",                                false, model_enumeration_number, SYM_SUM,  TYPE_INTEGER},
    {"semiLinear",         3, 3,                "x,positiveSlope,negativeSlope",   false, model_semi_linear,       SYM_IF,    TYPE_REAL},

    {"der",                1, 1,                "",                                false, model_der,               SYM_SUM,   TYPE_REAL},
    {"noEvent",            1, 1,                "",                                true,  model_without_event,     SYM_SUM,   TYPE_REAL},
    {"smooth",             2, 2,                "p,expr",                          true,  model_without_event,     SYM_SUM,   TYPE_REAL},
    {"homotopy",           2, 2,                "actual,simplified",               false, model_homotopy,          SYM_SUM,   TYPE_REAL},
    {"pre",                1, 1,                "",                                false, model_refused_like,      SYM_SUM,   TYPE_REAL},
    {"edge",               1, 1,                "",                                false, model_refused,           SYM_SUM,   TYPE_BOOLEAN},
    {"change",             1, 1,                "",                                false, model_refused,           SYM_SUM,   TYPE_BOOLEAN},
    {"initial",            0, 0,                "",                                false, model_refused,           SYM_SUM,   TYPE_BOOLEAN},
    {"terminal",           0, 0,                "",                                false, model_refused,           SYM_SUM,   TYPE_BOOLEAN},
    {"sample",             2, 2,                "start,interval",                  false, model_refused,           SYM_SUM,   TYPE_BOOLEAN},
    {"delay",              2, 3,                "expr,delayTime,delayMax",         false, model_refused_like,      SYM_SUM,   TYPE_REAL},
    {"spatialDistribution", 0, MODEL_ANY_NUMBER, "in0,in1,x,positiveVelocity,initialPoints,initialValues",
                                                                                   false, model_refused,           SYM_SUM,   TYPE_NONE},
    {"guess",              1, 1,                "",                                false, model_refused_like,      SYM_SUM,   TYPE_REAL},
    {"prioritize",         2, 2,                "",                                false, model_refused_like,      SYM_SUM,   TYPE_REAL},
    {"String",             1, MODEL_ANY_NUMBER, "value,significantDigits,minimumLength,leftJustified,format",
                                                                                   false, model_refused,           SYM_SUM,   TYPE_STRING},
    {"assert",             2, 3,                "condition,message,level",         true,  model_no_value,          SYM_SUM,   TYPE_NONE},
    {"reinit",             2, 2,                "",                                true,  model_no_value,          SYM_SUM,   TYPE_NONE},
    {"terminate",          1, 1,                "",                                true,  model_no_value,          SYM_SUM,   TYPE_NONE},

    {"sum",                1, 1,                "",                                true,  model_reduction,         SYM_SUM,   TYPE_REAL},
    {"product",            1, 1,                "",                                true,  model_reduction,         SYM_PRODUCT, TYPE_REAL},
    {"min",                1, 2,                "",                                true,  model_reduction,         SYM_MIN,   TYPE_REAL},
    {"max",                1, 2,                "",                                true,  model_reduction,         SYM_MAX,   TYPE_REAL},

    {"size",               1, 2,                "",                                true,  model_size,              SYM_SUM,   TYPE_INTEGER},
    {"ndims",              1, 1,                "",                                true,  model_ndims,             SYM_SUM,   TYPE_INTEGER},
    {"fill",               2, MODEL_ANY_NUMBER, "",                                true,  model_fill,              SYM_SUM,   TYPE_NONE},
    {"zeros",              1, MODEL_ANY_NUMBER, "",                                true,  model_fill,              SYM_SUM,   TYPE_INTEGER},
    {"ones",               1, MODEL_ANY_NUMBER, "",                                true,  model_fill,              SYM_PRODUCT, TYPE_INTEGER},
    {"identity",           1, 1,                "",                                true,  model_identity,          SYM_SUM,   TYPE_INTEGER},
    {"linspace",           3, 3,                "",                                true,  model_linspace,          SYM_SUM,   TYPE_REAL},
    {"array",              1, MODEL_ANY_NUMBER, "",                                true,  model_array_of,          SYM_SUM,   TYPE_REAL},
    {"cat",                2, MODEL_ANY_NUMBER, "",                                true,  model_cat,               SYM_SUM,   TYPE_REAL},
    {"scalar",             1, 1,                "",                                false, model_reshaped,          SYM_SUM,   TYPE_REAL},
    {"vector",             1, 1,                "",                                false, model_reshaped,          SYM_SUM,   TYPE_REAL},
    {"matrix",             1, 1,                "",                                false, model_reshaped,          SYM_SUM,   TYPE_REAL},

    {"transpose",          1, 1,                "",                                false, model_transpose,         SYM_SUM,   TYPE_REAL},
    {"symmetric",          1, 1,                "",                                false, model_symmetric,         SYM_SUM,   TYPE_REAL},
    {"diagonal",           1, 1,                "",                                false, model_diagonal,          SYM_SUM,   TYPE_REAL},
    {"cross",              2, 2,                "",                                false, model_cross,             SYM_SUM,   TYPE_REAL},
    {"skew",               1, 1,                "",                                false, model_skew,              SYM_SUM,   TYPE_REAL},
    {"outerProduct",       2, 2,                "",                                false, model_outer_product,     SYM_SUM,   TYPE_REAL},
    /* clang-format on */
};

size_t model_builtin_count(void)
{
    return sizeof table / sizeof *table;
}

const char *model_builtin_name(size_t i)
{
    return table[i].name;
}

bool model_needs_model(const model_builtin *f)
{
    bool event = f->apply == model_refused || f->apply == model_refused_like;
    return f->apply == model_der || (event && f->base != TYPE_STRING);
}

void model_name_builtins(model_reader *r)
{
    uint32_t number[sizeof table / sizeof *table];
    for (size_t i = 0; i < model_builtin_count(); i++)
        number[i] = names_intern(r->names, table[i].name, strlen(table[i].name));
    r->builtin_of = arena_array(r->a, names_count(r->names), sizeof *r->builtin_of);
    for (size_t i = 0; i < model_builtin_count(); i++) r->builtin_of[number[i]] = &table[i];
}

/* The position of a named argument in the list "a,b,c"; UINT32_MAX if it is not there. */
static uint32_t position_of(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (uint32_t i = 0; *list; i++) {
        size_t next = strcspn(list, ",");
        if (next == length && memcmp(list, name, length) == 0) return i;
        list += next + (list[next] == ',');
    }
    return UINT32_MAX;
}

static void report_count(model_reader *r, const model_expression *call, const model_builtin *f)
{
    const char *due = f->least == f->most ? arena_format(r->a, "%u", (unsigned)f->least)
                      : f->most == MODEL_ANY_NUMBER
                          ? arena_format(r->a, "at least %u", (unsigned)f->least)
                          : arena_format(r->a, "%u or %u", (unsigned)f->least, (unsigned)f->most);
    model_error(&r->reports, call->at, "%s needs %s argument%s, found %u", f->name, due,
                f->most == 1 ? "" : "s", (unsigned)call->count);
    if (*f->arguments) model_remedy(&r->reports, "its arguments: %s", f->arguments);
}

/* The arguments in the order of the function; false if one has a wrong name. */
static bool order_arguments(model_reader *r, model_expression *call, model_expression **ordered)
{
    const model_builtin *f = call->call->builtin;
    for (uint32_t i = 0; i < call->count; i++) {
        uint32_t at = i, name = call->call->argument[i];
        if (name != NAMES_NONE) at = position_of(f->arguments, names_string(r->names, name));
        if (at >= call->count || ordered[at]) {
            model_error(&r->reports, call->operand[i]->at, "%s has no argument %s", f->name,
                        names_string(r->names, name));
            if (*f->arguments) model_remedy(&r->reports, "its arguments: %s", f->arguments);
            return false;
        }
        ordered[at] = call->operand[i];
    }
    return true;
}

bool model_bind_arguments(model_reader *r, model_expression *call, model_arguments *a)
{
    const model_builtin *f = call->call->builtin;
    *a = (model_arguments){.call = call, .count = call->count};
    if (call->count < f->least || call->count > f->most) {
        report_count(r, call, f);
        return false;
    }
    bool reduces = f->apply == model_reduction || f->apply == model_array_of;
    if (call->call->iterator.count && !reduces) {
        model_error(&r->reports, call->at, "%s cannot be used with for", f->name);
        model_remedy(&r->reports, "write {... for i in ...} for an array");
        return false;
    }
    a->expression = arena_array(r->a, a->count, sizeof *a->expression);
    return order_arguments(r, call, a->expression);
}

model_value model_call_builtin(model_reader *r, model_expression *call)
{
    const model_builtin *f = call->call->builtin;
    model_arguments a;
    if (!model_bind_arguments(r, call, &a)) return model_none();
    if (f->raw) return f->apply(r, &a);
    model_value *value = arena_array(r->a, a.count, sizeof *value);
    bool known = true;
    for (uint32_t i = 0; i < a.count; i++) {
        value[i] = model_evaluate(r, a.expression[i]);
        known = known && value[i].type.base != TYPE_NONE;
    }
    a.value = value;
    return known ? f->apply(r, &a) : model_none();
}
