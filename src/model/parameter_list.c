/* The parameters of the model, as a list for descriptions. */
#include "model/evaluator.h"
#include "model/record.h"
#include "symbolic/traced.h"

#include <math.h>
#include <string.h>

/* Elements of an array that are listed one by one. */
enum { LARGEST_LISTED = 1000 };

/* The unit as it is written; attributes of parameters are not evaluated. */
static const char *written_unit(model_reader *r, const model_symbol *s)
{
    const model_expression *e = model_attribute_written(r, s, ATTRIBUTE_UNIT);
    if (!e || e->kind != EXPRESSION_STRING) return "";
    const char *spelled = names_string(r->words, e->name);
    char *copy = arena_copy(r->home, spelled, strlen(spelled));
    model_clean(copy, strlen(copy));
    return copy;
}

static const char *type_word(model_base base)
{
    return base == TYPE_ENUMERATION ? "enumeration" : model_base_name[base];
}

/* An element that has a value: those with fixed = false are unknowns. */
static void list_element(model_reader *r, const model_symbol *s, size_t i, const char *unit)
{
    sym_parameter p = {.unit = unit, .type = type_word(s->type.base)};
    if (!sym_number_of(r->graph, model_element(&s->value, i), &p.value)) return;
    const char *name = model_element_name(r, s, i);
    p.name = arena_copy(r->home, name, strlen(name));
    p.at = model_place(&r->source, s->declaration->at);
    if (s->type.base == TYPE_STRING) {
        const char *spelled = names_string(r->words, (uint32_t)sym_value(r->graph, p.value));
        p.text = arena_copy(r->home, spelled, strlen(spelled));
    }
    list_push(r->home, &r->system->parameter, p);
}

/* A large array is one entry without a value: table[1:300,1:2]. */
static void list_array(model_reader *r, const model_symbol *s, const char *unit)
{
    const char *name = arena_format(r->home, "%s[", s->name);
    for (uint32_t k = 0; k < s->value.rank; k++)
        name = arena_format(r->home, "%s1:%zu%s", name, s->value.size[k],
                            k + 1 < s->value.rank ? "," : "]");
    sym_parameter p = {.name = name,
                       .unit = unit,
                       .type = type_word(s->type.base),
                       .value = (double)NAN,
                       .at = model_place(&r->source, s->declaration->at)};
    list_push(r->home, &r->system->parameter, p);
}

void model_list_parameters(model_reader *r)
{
    for (size_t k = 0; k < r->symbol.count; k++) {
        const model_symbol *s = r->symbol.item[k];
        bool valued = s->declaration->variability == VARIABILITY_PARAMETER &&
                      s->valued == PROGRESS_DONE && s->type.base != TYPE_NONE &&
                      s->type.base <= TYPE_STRING && s->value.type.base != TYPE_NONE;
        const char *unit = valued ? written_unit(r, s) : "";
        if (valued && s->value.count > LARGEST_LISTED) {
            list_array(r, s, unit);
            continue;
        }
        for (size_t i = 0; valued && i < s->value.count; i++) list_element(r, s, i, unit);
    }
}
