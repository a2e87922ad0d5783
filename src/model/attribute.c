#include "model/instance.h"

#include "model/evaluator.h"
#include "model/scope.h"

#include <string.h>

static const struct {
    const char *name, *of;
    model_base value;
} table[ATTRIBUTE_COUNT] = {
#define ATTRIBUTE(attribute, spelling, types, base) {spelling, types, base},
#include "model/attributes.def"
#undef ATTRIBUTE
};

/* Whether variables of a type have an attribute. */
static bool belongs(int attribute, model_type type)
{
    static const char letter[] = {[TYPE_REAL] = 'R',
                                  [TYPE_INTEGER] = 'I',
                                  [TYPE_BOOLEAN] = 'B',
                                  [TYPE_STRING] = 'S',
                                  [TYPE_ENUMERATION] = 'E'};
    return strchr(table[attribute].of, letter[type.base]) != NULL;
}

static void report_attribute(model_reader *r, const model_symbol *s, const model_modifier *m)
{
    const char *candidate[ATTRIBUTE_COUNT];
    size_t count = 0;
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        if (belongs(i, s->type)) candidate[count++] = table[i].name;
    const char *name = model_spelled(r, m->name);
    const char *list = "";
    for (size_t i = 0; i < count; i++)
        list = arena_format(r->a, "%s%s%s", list, i ? ", " : "", candidate[i]);
    model_error(r, m->at, "%s has no attribute %s", model_type_text(r, s->type), name);
    model_remedy(r, "its attributes: %s", list);
    model_remedy_nearest(r, name, count, candidate);
}

static void check_modifiers(model_reader *r, const model_symbol *s, const model_modifiers *list)
{
    bool given[ATTRIBUTE_COUNT] = {false};
    for (size_t i = 0; i < list->count; i++) {
        const model_modifier *m = &list->item[i];
        int k = 0;
        while (k < ATTRIBUTE_COUNT && r->attribute[k] != m->name) k++;
        if (k == ATTRIBUTE_COUNT || !belongs(k, s->type)) {
            report_attribute(r, s, m);
            continue;
        }
        if (given[k]) {
            model_error(r, m->at, "%s is given twice", table[k].name);
            model_remedy(r, "leave one of them out");
        }
        given[k] = true;
        if (m->nested.count || !m->value)
            model_error(r, m->at, "expected a value for %s: %s = ...", table[k].name,
                        table[k].name);
    }
}

void model_check_attributes(model_reader *r, const model_symbol *s)
{
    if (s->type.base == TYPE_NONE || s->type.base == TYPE_RECORD) return;
    check_modifiers(r, s, &s->declaration->modifier);
    for (const model_class *c = s->alias; c; c = model_alias_base(r, c))
        check_modifiers(r, s, &c->modifier);
}

static const model_modifier *find(const model_modifiers *list, uint32_t name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->item[i].name == name && list->item[i].value) return &list->item[i];
    return NULL;
}

/* Whether a value is a scalar or an array of the last dimensions of the symbol. */
static bool size_fits(const model_symbol *s, const model_value *v)
{
    if (v->rank > s->value.rank) return false;
    for (uint32_t k = 0; k < v->rank; k++)
        if (v->size[k] != s->value.size[s->value.rank - v->rank + k]) return false;
    return true;
}

bool model_attribute(model_reader *r, const model_symbol *s, model_attribute_name name,
                     model_value *v)
{
    const model_modifier *m = find(&s->declaration->modifier, r->attribute[name]);
    for (const model_class *c = s->alias; c && !m; c = model_alias_base(r, c))
        m = find(&c->modifier, r->attribute[name]);
    if (!m) return false;
    model_mode before = model_enter_model(r);
    *v = model_evaluate(r, m->value);
    r->mode = before;
    if (v->type.base == TYPE_NONE) return false;
    bool fits = false;
    switch (table[name].value) {
    case TYPE_NONE: fits = model_convert(r, m->value->at, table[name].name, s->type, v); break;
    case TYPE_ENUMERATION:
        fits = v->type.base == TYPE_ENUMERATION &&
               strcmp(names_string(r->words, v->type.declared->name), "StateSelect") == 0;
        if (!fits) model_report_type(r, m->value, v, "a StateSelect");
        break;
    default:
        fits = model_convert(r, m->value->at, table[name].name,
                             (model_type){.base = table[name].value}, v);
    }
    if (!fits || size_fits(s, v)) return fits;
    model_error(r, m->value->at, "%s is %s, but its %s is %s", s->name,
                model_size_text(r, &s->value), table[name].name, model_size_text(r, v));
    model_remedy(r, "write 'each' before it to give all elements one value");
    return false;
}

sym model_element_of(const model_value *v, size_t i)
{
    return v->count ? model_element(v, i % v->count) : 0;
}
