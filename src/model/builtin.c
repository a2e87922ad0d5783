#include "model/builtin.h"

#include "model/evaluator.h"

#include <string.h>

const model_builtin model_builtins[] = {
#define MANY MODEL_ANY_NUMBER
#define BUILTIN(name, least, most, raw, applied, operation, type, arguments) \
    {name, least, most, arguments, raw, model_##applied, SYM_##operation, TYPE_##type},
#include "model/builtins.def"
#undef BUILTIN
#undef MANY
};

const size_t model_builtin_count = sizeof model_builtins / sizeof *model_builtins;

bool model_needs_model(const model_builtin *f)
{
    bool refused = f->apply == model_refused || f->apply == model_refused_like;
    bool event = f->apply == model_pre || f->apply == model_edge_change ||
                 f->apply == model_initial_terminal || f->apply == model_sample ||
                 f->apply == model_delay || f->apply == model_transport;
    return f->apply == model_der || event || (refused && f->base != TYPE_STRING);
}

void model_name_builtins(model_reader *r)
{
    uint32_t number[sizeof model_builtins / sizeof *model_builtins];
    for (size_t i = 0; i < model_builtin_count; i++)
        number[i] = names_intern(r->words, model_builtins[i].name, strlen(model_builtins[i].name));
    r->builtin_of = arena_array(r->a, names_count(r->words), sizeof *r->builtin_of);
    for (size_t i = 0; i < model_builtin_count; i++) r->builtin_of[number[i]] = &model_builtins[i];
}

static const char MATH[] = "Modelica.Math.", OLD[] = "Modelica.SIunits.Conversions.",
                  CONVERSIONS[] = "Modelica.Units.Conversions.";

static bool begins(const char *string, const char *with)
{
    return strncmp(string, with, strlen(with)) == 0;
}

const model_builtin *model_builtin_called(const model_reader *r, const model_path *path,
                                          const model_part *part)
{
    if (!part->next && r->builtin_of[part->name]) return r->builtin_of[part->name];
    const model_part *last =
        &path->first; /* `part` may have a name of several, which is not in it */
    while (last->next) last = last->next;
    const char *spelled = model_flat_text(r, path, last, false);
    if (!spelled) return NULL;
    if (begins(spelled, OLD)) /* as version 3 of the library called them */
        spelled = arena_format(r->a, "%s%s", CONVERSIONS, spelled + strlen(OLD));
    bool math = begins(spelled, MATH);
    if (!math && !begins(spelled, CONVERSIONS)) return NULL;
    const char *quoted = arena_format(r->a, "'%s'", spelled);
    uint32_t whole = names_find(r->words, quoted, strlen(quoted));
    if (!math) return whole < r->known ? r->builtin_of[whole] : NULL;
    uint32_t simple = names_find(r->words, spelled + strlen(MATH), strlen(spelled + strlen(MATH)));
    if (whole < r->known && r->builtin_of[whole]) return r->builtin_of[whole];
    return simple < r->known ? r->builtin_of[simple] : NULL;
}

/* The position of a named argument in the list "a,b,c"; UINT32_MAX if it is not in the list. */
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
    model_error(r, call->at, "%s needs %s argument%s, found %u", NULL, f->name, due,
                f->most == 1 ? "" : "s", (unsigned)call->count);
    if (*f->arguments)
        model_remedy(r, "its arguments: %s", f->arguments);
    else if (call->count > f->most)
        model_remedy(r, "leave out the surplus ones");
    else
        model_remedy(r, "separate the arguments by commas");
}

/* The arguments in the order of the function; false if one has a wrong name. */
static bool order_arguments(model_reader *r, model_expression *call, model_expression **ordered)
{
    const model_builtin *f = call->call->builtin;
    for (uint32_t i = 0; i < call->count; i++) {
        uint32_t at = i, name = call->call->argument[i];
        if (name != NAMES_NONE) at = position_of(f->arguments, names_string(r->words, name));
        if (at >= call->count || ordered[at]) {
            const char *word = names_string(r->words, name);
            const char *what = at == UINT32_MAX    ? "has no argument"
                               : at >= call->count ? "lacks an argument before"
                                                   : "has two arguments";
            model_error(r, call->operand[i]->at, "%s %s %s", NULL, f->name, what, word);
            if (*f->arguments)
                model_remedy(r, "its arguments: %s", f->arguments);
            else
                model_remedy(r, "its arguments have no names: leave out '%s ='", word);
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
    if (call->call->iterator.count && !reduces)
        return model_error(r, call->at, "%s cannot be used with for",
                           "write {... for i in ...} for an array", f->name);
    if (a->count > MODEL_FEW_ARGUMENTS)
        a->expression = arena_array(r->a, a->count, sizeof *a->expression);
    else
        a->expression = a->few;
    return order_arguments(r, call, a->expression);
}

/* Whether a function of two scalars may be applied to arrays element by element (Sec. 12.4.6). */
static bool goes_through_arrays(const model_builtin *f)
{
    return f->apply == model_atan2 || f->apply == model_div_mod_rem;
}

static model_value element_of(const model_value *v, size_t i)
{
    return (model_value){.type = v->type, .count = 1, .one = model_element(v, i)};
}

/* Applies such a function to the elements of two values, of which one may be a scalar. */
static model_value apply_to_elements(model_reader *r, const model_arguments *a)
{
    const model_value *x = &a->value[0], *y = &a->value[1], *shape = x->rank ? x : y;
    model_value all = model_none();
    sym *element = NULL;
    if (x->rank && y->rank && !model_same_size(x, y))
        return model_fail(r, a->call->at, "sizes do not fit: %s and %s",
                          "the arguments are scalars, or arrays of one size", model_size_text(r, x),
                          model_size_text(r, y));
    for (size_t i = 0; i < shape->count; i++) {
        const model_value pair[] = {element_of(x, i), element_of(y, i)};
        model_arguments one = {
            .call = a->call, .count = 2, .expression = a->expression, .value = pair};
        model_value v = a->call->call->builtin->apply(r, &one);
        if (v.type.base == TYPE_NONE) return v;
        if (i == 0)
            element = model_new_array(r, a->call->at, v.type, shape->rank, shape->size, &all);
        if (!element) return model_none();
        element[i] = v.one;
    }
    if (shape->count == 0) model_new_array(r, a->call->at, x->type, shape->rank, shape->size, &all);
    return all;
}

model_value model_call_builtin(model_reader *r, model_expression *call)
{
    const model_builtin *f = call->call->builtin;
    model_arguments a;
    if (f->apply == model_string && call->count > 0) /* whose arguments depend on their types */
        return f->apply(r, &(model_arguments){.call = call, .count = call->count});
    if (!model_bind_arguments(r, call, &a)) return model_none();
    if (f->raw) return f->apply(r, &a);
    model_value few[MODEL_FEW_ARGUMENTS], *value = few;
    if (a.count > MODEL_FEW_ARGUMENTS) value = arena_array(r->a, a.count, sizeof *value);
    bool known = true;
    for (uint32_t i = 0; i < a.count; i++) {
        value[i] = model_evaluate(r, a.expression[i]);
        known = known && value[i].type.base != TYPE_NONE;
        if (value[i].type.base == TYPE_RECORD)
            known = model_report_type(r, a.expression[i], &value[i], "a number");
    }
    a.value = value;
    if (known && goes_through_arrays(f) && (value[0].rank || value[1].rank))
        return apply_to_elements(r, &a);
    return known ? f->apply(r, &a) : model_none();
}
