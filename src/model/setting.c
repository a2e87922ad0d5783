/* --set NAME=VALUE: for parameters, and for the start values of variables. */
#include "model/evaluator.h"
#include "model/load.h"

#include <math.h>
#include <string.h>

/* The symbol with this name: as in results, or quoted as in the model. */
static model_symbol *find_symbol(const model_reader *r, const char *name, size_t length)
{
    for (size_t i = 0; i < r->symbol.count; i++) {
        const char *other = r->symbol.item[i]->name;
        if (strlen(other) == length && memcmp(other, name, length) == 0) return r->symbol.item[i];
    }
    if (length < 3 || name[0] != '\'' || name[length - 1] != '\'') return NULL;
    const char *kept = arena_format(r->a, "'%s'", model_unquote(r->a, name, length));
    uint32_t number = names_find(r->words, kept, strlen(kept));
    return number < r->known ? r->symbol_of[number] : NULL;
}

/* Where the subscripts of an element's name begin; NULL if it has none. */
static const char *subscripts_of(const char *name)
{
    size_t length = strlen(name);
    return length && name[length - 1] == ']' ? strrchr(name, '[') : NULL;
}

static const char *trim(arena *a, const char *string)
{
    string += strspn(string, " \t");
    size_t length = strlen(string);
    while (length && strchr(" \t", string[length - 1])) length--;
    return arena_copy(a, string, length);
}

/* What follows a word in a name; quotes around it count as nothing. NULL: another word is there. */
static const char *behind_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    bool quoted = *name == '\'';
    if (strncmp(name + quoted, word, length) != 0) return NULL;
    name += quoted + length;
    if (quoted && *name++ != '\'') return NULL;
    return *name && !strchr(".[", *name) ? NULL : name;
}

/* Takes the subscripts at the beginning of a rest after those before it, [2,1]. NULL: they do not
 * end. */
static const char *take_subscripts(const model_reader *r, const char *rest, const char **all)
{
    if (*rest != '[') return rest;
    size_t length = strcspn(++rest, "]");
    if (!rest[length]) return NULL;
    size_t before = strlen(*all);
    *all = before ? arena_format(r->a, "%.*s,%.*s]", (int)(before - 1), *all, (int)length, rest)
                  : arena_format(r->a, "[%.*s]", (int)length, rest);
    return rest + length + 1;
}

/* The component that a rest names, with the subscripts of all its levels; NULL: none. */
static model_symbol *follow(const model_reader *r, const model_symbol *s, const char *rest,
                            const char **subscripts)
{
    rest = take_subscripts(r, rest, subscripts);
    if (!rest || *rest != '.') return NULL;
    for (size_t i = 0; i < s->member.count; i++) {
        model_symbol *m = s->member.item[i];
        const char *all = *subscripts,
                   *end = behind_word(rest + 1, model_spelled(r, m->declaration->component));
        if (end && m->type.base != TYPE_RECORD) end = take_subscripts(r, end, &all);
        if (!end) continue;
        if (m->type.base == TYPE_RECORD) return follow(r, m, end, subscripts);
        if (*end) return NULL;
        *subscripts = *all ? all : NULL;
        return m;
    }
    return NULL;
}

/* Find a component of a record by its name in the results, r[2].x[1]: 'r.x' and the subscripts
 * [2,1]. */
static model_symbol *find_component(const model_reader *r, const char *name,
                                    const char **subscripts)
{
    for (size_t i = 0; i < r->record.count; i++) {
        const model_symbol *s = r->record.item[i];
        const char *rest = s->owner ? NULL : behind_word(name, s->name);
        *subscripts = "";
        model_symbol *found = rest ? follow(r, s, rest, subscripts) : NULL;
        if (found) return found;
    }
    *subscripts = NULL;
    return NULL;
}

static model_assigned find(const model_reader *r, const char *name)
{
    model_assigned m = {.name = trim(r->a, name)};
    const char *bracket = subscripts_of(m.name);
    m.symbol = find_symbol(r, m.name, strlen(m.name));
    if (!m.symbol && bracket) {
        m.symbol = find_symbol(r, m.name, (size_t)(bracket - m.name));
        m.subscripts = bracket;
    }
    if (!m.symbol) m.symbol = find_component(r, m.name, &m.subscripts);
    return m;
}

void model_match_courses(model_reader *r, size_t count, const model_course *course)
{
    for (size_t i = 0; i < count; i++)
        list_push(r->a, &r->fed, ((model_fed){find(r, course[i].name), &course[i]}));
}

void model_match_settings(model_reader *r, size_t count, const model_setting *setting)
{
    for (size_t i = 0; i < count; i++) {
        model_assigned m = find(r, setting[i].name);
        m.value = trim(r->a, setting[i].value);
        if (m.symbol) m.symbol->set = true;
        list_push(r->a, &r->setting, m);
    }
}

/* The end of a value after the name of an enumeration, or after the end of this name as it is
 * seen from within a package: Valve.Kind.quick, Kind.quick. */
static const char *behind_type(const char *name, const char *value)
{
    for (const char *end = name; end; end = strchr(end, '.')) {
        end += *end == '.';
        size_t length = strlen(end);
        if (strncmp(value, end, length) == 0 && value[length] == '.') return value + length + 1;
    }
    return value;
}

/* Read a literal by its name, with or without the name of its enumeration. */
static bool read_literal(model_reader *r, const model_class *type, const char *value,
                         double *number)
{
    value = behind_type(model_spelled(r, type->name), value);
    for (size_t i = 0; i < type->literal.count; i++) {
        uint32_t name = type->literal.item[i].name;
        *number = (double)i + 1;
        if (strcmp(value, names_string(r->words, name)) == 0 ||
            strcmp(value, model_spelled(r, name)) == 0)
            return true;
    }
    return false;
}

/* A subscript as it is written: a number, or a value of the type that indexes the dimension. */
static size_t read_subscript(model_reader *r, const model_expression *size, const char *string)
{
    const model_meaning *by = model_index_type(size);
    double number = 0;
    bool truths = by && by->kind == MEANS_TRUTHS, yes = strcmp(string, "true") == 0;
    if (truths && (yes || strcmp(string, "false") == 0)) return yes ? 2 : 1;
    if (by && !truths && read_literal(r, by->enumeration, string, &number)) return (size_t)number;
    size_t index = 0;
    for (; *string >= '0' && *string <= '9' && index <= MODEL_MOST_ELEMENTS; string++)
        index = 10 * index + (size_t)(*string - '0');
    return *string ? 0 : index;
}

/* Find the element for subscripts such as "[2,3]"; false if it does not exist. */
static bool read_subscripts(model_reader *r, const model_symbol *s, const char *string,
                            size_t *element)
{
    const model_value *shape = &s->value;
    *element = 0;
    for (uint32_t k = 0; k < shape->rank; k++) {
        bool last = k + 1 == shape->rank;
        size_t length = strcspn(++string, last ? "]" : ","); /* after [ or , */
        const char *one = trim(r->a, arena_copy(r->a, string, length));
        const model_expression *size = k < s->sizes.count ? s->sizes.item[k] : NULL;
        size_t index = read_subscript(r, size, one);
        string += length;
        if (index < 1 || index > shape->size[k] || !*string) return false;
        *element = *element * shape->size[k] + index - 1;
    }
    return string[1] == '\0';
}

bool model_assigned_element(model_reader *r, const model_assigned *m, size_t *element)
{
    *element = 0;
    if (!m->subscripts) return m->symbol->value.rank == 0;
    return read_subscripts(r, m->symbol, m->subscripts, element);
}

bool model_setting_number(arena *a, const char *string, double *number)
{
    bool minus = *string == '-';
    if (*string == '-' || *string == '+') string++;
    if (!model_parse_number(a, string, strlen(string), number)) return false;
    if (minus) *number = -*number;
    return true;
}

static const char *literals_text(model_reader *r, const model_class *type)
{
    enum { SHOWN = 8 };
    const char *list = "";
    for (size_t i = 0; i < type->literal.count && i < SHOWN; i++)
        list = arena_format(r->a, "%s%s%s", list, i ? ", " : "",
                            model_spelled(r, type->literal.item[i].name));
    return type->literal.count > SHOWN ? arena_format(r->a, "%s, ...", list) : list;
}

/* Read the value in the type of the symbol. Returns NULL, or what was expected. */
static const char *read_value(model_reader *r, const model_symbol *s, const char *value,
                              double *number)
{
    bool yes = strcmp(value, "true") == 0, no = strcmp(value, "false") == 0;
    switch (s->type.base) {
    case TYPE_BOOLEAN: *number = yes; return yes || no ? NULL : "true or false";
    case TYPE_INTEGER:
        return model_setting_number(r->a, value, number) && *number == floor(*number)
                   ? NULL
                   : "a whole number";
    case TYPE_STRING: *number = names_intern(r->words, value, strlen(value)); return NULL;
    case TYPE_REAL: return model_setting_number(r->a, value, number) ? NULL : "a number";
    default:
        return read_literal(r, s->type.declared, value, number)
                   ? NULL
                   : arena_format(r->a, "one of %s", literals_text(r, s->type.declared));
    }
}

/* Why a symbol cannot be set at all; NULL if it can. */
static const char *unsettable(const model_symbol *s)
{
    if (s->declaration->variability == VARIABILITY_CONSTANT) return "a constant";
    if (s->declaration->variability == VARIABILITY_PARAMETER && s->declaration->final)
        return "a final parameter";
    bool variable = s->declaration->variability < VARIABILITY_PARAMETER;
    if (s->type.base == TYPE_OBJECT) return "an external object";
    return variable && s->type.base == TYPE_STRING ? "a String that is no parameter" : NULL;
}

/* Of what was to be the value of an array, that of its first element: 1 of {1, 2}. */
static const char *first_value(model_reader *r, const char *value)
{
    const char *from = value + strspn(value, "{[ ");
    return from == value ? value : arena_copy(r->a, from, strcspn(from, ",;}] "));
}

/* Read the element and number of a setting. Returns NULL, or a sentence about the mistake. */
static const char *read_setting(model_reader *r, const model_assigned *m, size_t *element,
                                double *number)
{
    const model_symbol *s = m->symbol;
    const char *name = m->name, *what = unsettable(s);
    *element = 0;
    if (m->subscripts && !read_subscripts(r, s, m->subscripts, element))
        return arena_format(r->a, "there is no element %s: %s is %s", name, s->name,
                            model_size_text(r, &s->value));
    if (!m->subscripts && s->value.rank && s->value.count == 0)
        return arena_format(r->a, "%s is an array %s and has no elements", name,
                            model_size_text(r, &s->value));
    if (!m->subscripts && s->value.rank)
        return arena_format(r->a, "%s is an array %s: set its elements one by one, as in %s%s=%s",
                            name, model_size_text(r, &s->value), name,
                            model_index_text(r->a, s->value.rank, s->value.size, 0),
                            first_value(r, m->value));
    if (what) return arena_format(r->a, "%s is %s and cannot be set", name, what);
    const char *expected = read_value(r, s, m->value, number);
    return expected ? arena_format(r->a, "%s=%s: expected %s, because %s is %s", name, m->value,
                                   expected, name, model_type_text(r, s->type))
                    : NULL;
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

/* The known name nearest to an unknown one; NULL if none is near. */
static const char *nearest_name(model_reader *r, const char *name)
{
    LIST(const char *) candidate = {0};
    const char *bracket = subscripts_of(name);
    size_t length = strlen(name);
    for (size_t k = 0; k < r->symbol.count; k++) {
        const model_symbol *s = r->symbol.item[k];
        list_push(r->a, &candidate, s->name);
        if (bracket && s->value.rank)
            list_push(r->a, &candidate, arena_format(r->a, "%s%s", s->name, bracket));
    }
    if (length > 2 && name[0] == '\'' && name[length - 1] == '\'')
        name = model_unquote(r->a, name, length);
    return text_nearest(name, candidate.item, candidate.count);
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
        const char *nearest = nearest_name(r, a->name);
        return message_fail(m, DAE_USAGE, "no parameter or variable is called %s%s%s", a->name,
                            nearest ? "; nearest: " : "", nearest ? nearest : "");
    }
    return DAE_OK;
}
