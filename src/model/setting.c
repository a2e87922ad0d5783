/* --set NAME=VALUE: for parameters, and for the start values of variables. */
#include "model/instance.h"

#include <math.h>
#include <string.h>

static model_symbol *find_symbol(const model_reader *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->symbol.count; i++) {
        const char *other = r->symbol.item[i]->name;
        if (strlen(other) == length && memcmp(other, name, length) == 0) return r->symbol.item[i];
    }
    return NULL;
}

void model_match_settings(model_reader *r, size_t count, const model_setting *setting)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = setting[i].name, *bracket = strrchr(name, '[');
        model_assigned m = {.setting = &setting[i], .symbol = find_symbol(r, name, strlen(name))};
        if (!m.symbol && bracket && name[strlen(name) - 1] == ']') {
            m.symbol = find_symbol(r, name, (size_t)(bracket - name));
            m.subscripts = bracket;
        }
        if (m.symbol) m.symbol->set = true;
        list_push(r->a, &r->setting, m);
    }
}

/* The element that "[2,3]" means; false if there is none. */
static bool read_subscripts(const model_value *shape, const char *string, size_t *element)
{
    *element = 0;
    for (uint32_t k = 0; k < shape->rank; k++) {
        size_t index = 0;
        string++; /* [ or , */
        while (*string == ' ') string++;
        for (; *string >= '0' && *string <= '9' && index <= shape->size[k]; string++)
            index = 10 * index + (size_t)(*string - '0');
        while (*string == ' ') string++;
        bool last = k + 1 == shape->rank;
        if (index < 1 || index > shape->size[k] || *string != (last ? ']' : ',')) return false;
        *element = *element * shape->size[k] + index - 1;
    }
    return string[1] == '\0';
}

static bool read_number(model_reader *r, const char *string, double *number)
{
    while (*string == ' ') string++;
    bool minus = *string == '-';
    if (*string == '-' || *string == '+') string++;
    size_t length = strlen(string);
    while (length && string[length - 1] == ' ') length--;
    if (!model_parse_number(r->a, string, length, number)) return false;
    if (minus) *number = -*number;
    return true;
}

/* The value in the type of the symbol; otherwise what is wrong with it. */
static const char *read_value(model_reader *r, const model_symbol *s, const char *value,
                              double *number)
{
    bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
    switch (s->type.base) {
    case TYPE_BOOLEAN: *number = yes; return yes || no ? NULL : "is Boolean: true or false";
    case TYPE_INTEGER:
        if (!read_number(r, value, number)) return "is Integer: a whole number";
        return *number == floor(*number) ? NULL : "is Integer: a whole number";
    case TYPE_REAL: return read_number(r, value, number) ? NULL : "is Real: a number";
    default: return arena_format(r->a, "is a %s and cannot be set", model_type_text(r, s->type));
    }
}

/* The element and number of a setting; otherwise a sentence about what is wrong. */
static const char *read_setting(model_reader *r, const model_assigned *m, size_t *element,
                                double *number)
{
    const model_symbol *s = m->symbol;
    const char *name = m->setting->name, *value = m->setting->value;
    if (s->declaration->variability == VARIABILITY_CONSTANT)
        return arena_format(r->a, "%s is a constant and cannot be set", name);
    if (s->declaration->variability == VARIABILITY_PARAMETER && s->declaration->final)
        return arena_format(r->a, "%s is a final parameter and cannot be set", name);
    *element = 0;
    if (m->subscripts && !read_subscripts(&s->value, m->subscripts, element))
        return arena_format(r->a, "there is no element %s: %s is %s", name, s->name,
                            model_size_text(r, &s->value));
    if (!m->subscripts && s->value.rank)
        return arena_format(r->a, "%s is an array %s: set its elements one by one, as in %s%s=%s",
                            name, model_size_text(r, &s->value), name,
                            model_index_text(r->a, s->value.rank, s->value.size, 0), value);
    const char *wrong = read_value(r, s, value, number);
    return wrong ? arena_format(r->a, "%s=%s: %s %s", name, value, name, wrong) : NULL;
}

bool model_setting_of(model_reader *r, const model_symbol *s, size_t i, double *number)
{
    size_t element;
    for (size_t k = r->setting.count; s->set && k-- > 0;) { /* the last one counts */
        const model_assigned *m = &r->setting.item[k];
        if (m->symbol == s && !read_setting(r, m, &element, number) && element == i) return true;
    }
    return false;
}

dae_status model_check_settings(model_reader *r, message *m)
{
    for (size_t i = 0; i < r->setting.count; i++) {
        const model_assigned *a = &r->setting.item[i];
        size_t element;
        double number;
        const char *wrong = a->symbol ? read_setting(r, a, &element, &number) : NULL;
        if (wrong) return message_fail(m, DAE_USAGE, "%s", wrong);
        if (a->symbol) continue;
        LIST(const char *) candidate = {0};
        for (size_t k = 0; k < r->symbol.count; k++)
            list_push(r->a, &candidate, r->symbol.item[k]->name);
        const char *nearest = text_nearest(a->setting->name, candidate.item, candidate.count);
        return message_fail(m, DAE_USAGE, "no parameter or variable is called %s%s%s",
                            a->setting->name, nearest ? "; nearest: " : "", nearest ? nearest : "");
    }
    return DAE_OK;
}
