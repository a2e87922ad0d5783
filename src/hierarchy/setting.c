/* Values that are set from outside (--set NAME=VALUE): of parameters that decide what the model
 * has, and of all variables where the flat text is to have them. */
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

/* Whether a name is that of a class, or the end of it, as it is seen from within a package. */
static bool names_class(hier *h, const hier_class *c, const char *name, size_t length)
{
    const char *path = hier_class_path(h, c);
    size_t whole = strlen(path);
    return length <= whole && strncmp(path + whole - length, name, length) == 0 &&
           (length == whole || path[whole - length - 1] == '.');
}

/* The number of a literal from 1, with or without the name of its enumeration; 0: there is none. */
static size_t literal_of(hier *h, const hier_class *enumeration, const char *set)
{
    const char *dot = strrchr(set, '.'), *literal = dot ? dot + 1 : set;
    if (dot && enumeration && !names_class(h, enumeration, set, (size_t)(dot - set))) return 0;
    for (size_t i = 0; enumeration && i < enumeration->text->literal.count; i++)
        if (strcmp(hier_spelled(h, enumeration->text->literal.item[i].name), literal) == 0)
            return i + 1;
    return 0;
}

static bool is_truth(const char *set)
{
    return strcmp(set, "true") == 0 || strcmp(set, "false") == 0;
}

/* Whether a value has the type of a variable. */
static bool is_valid(hier *h, const hier_instance *leaf, const char *set)
{
    double x;
    switch (leaf->base) {
    case TYPE_REAL: return model_setting_number(h->a, set, &x);
    case TYPE_INTEGER: return model_setting_number(h->a, set, &x) && x == floor(x);
    case TYPE_BOOLEAN: return is_truth(set);
    case TYPE_STRING: return true;
    default: return literal_of(h, leaf->class, set) > 0;
    }
}

bool hier_read_setting(hier *h, const hier_env *env, const model_expression *e,
                       const hier_instance *leaf, const char *set, hier_value *v)
{
    double x;
    size_t literal = literal_of(h, leaf->class, set);
    if (leaf->base == TYPE_STRING)
        *v = (hier_value){HIER_TEXT, names_intern(h->words, set, strlen(set)), NULL};
    else if (is_truth(set))
        *v = (hier_value){HIER_BOOLEAN, set[0] == 't', NULL};
    else if (model_setting_number(h->a, set, &x))
        *v = (hier_value){leaf->base == TYPE_INTEGER && x == floor(x) ? HIER_INTEGER : HIER_REAL, x,
                          NULL};
    else if (literal)
        *v = (hier_value){HIER_LITERAL, (double)literal, leaf->class};
    else
        return hier_no_value(h, env, e,
                             arena_format(h->a, "the value that is set for it is %s", set));
    return true;
}

/* A subscript as it is written: a number, or a value of the type that indexes the dimension; 0:
 * neither. */
static uint32_t read_subscript(hier *h, const hier_size *size, const char *string)
{
    size_t length = strcspn(string, " ,]"), index = 0, digits = strspn(string, "0123456789");
    if (digits > 0 && digits == length) {
        for (; *string >= '0' && *string <= '9' && index <= HIER_MOST_INSTANCES; string++)
            index = 10 * index + (size_t)(*string - '0');
        return (uint32_t)index;
    }
    const char *word = arena_copy(h->a, string, length);
    hier_numbers all = {0};
    if (!hier_all_values(h, &size->env, size->expression, &all)) return 0;
    if (all.kind != HIER_BOOLEAN) return (uint32_t)literal_of(h, all.of, word);
    return is_truth(word) ? 1 + (word[0] == 't') : 0;
}

/* Subscripts such as [2, E.a] of dimensions with these sizes. Returns what follows them; NULL: they
 * are wrong. */
static const char *read_subscripts(hier *h, const hier_size *size, uint32_t rank,
                                   const char *string, uint32_t *index)
{
    if (*string != '[') return NULL;
    for (uint32_t k = 0; k < rank; k++) {
        string += 1 + strspn(string + 1, " "); /* after [ or , */
        index[k] = read_subscript(h, &size[k], string);
        string += strcspn(string, " ,]");
        string += strspn(string, " ");
        if (index[k] < 1 || *string != (k + 1 == rank ? ']' : ',')) return NULL;
    }
    return string + 1;
}

static bool exist(const hier_instance *leaf, const uint32_t *index)
{
    for (uint32_t k = 0; k < leaf->rank; k++)
        if (index[k] > leaf->extent[k]) return false;
    return true;
}

/* What follows the name of an instance in that of a setting, level by level, so that the subscripts
 * of components may be literals; NULL: it is another name. */
static const char *behind_levels(hier *h, const hier_instance *i, const char *name)
{
    if (!i->parent) return name;
    name = behind_levels(h, i->parent, name);
    if (name && i->parent->name[0] != '\0' && *name++ != '.') return NULL;
    const char *own = hier_spelled(h, i->declaration->name);
    if (!name || strncmp(name, own, strlen(own)) != 0) return NULL;
    name += strlen(own);
    if (!i->array) return name;
    uint32_t rank = i->array->rank, *index = arena_array(h->a, rank, sizeof *index);
    name = read_subscripts(h, i->array->size.item, rank, name, index);
    return name && memcmp(index, i->index, rank * sizeof *index) == 0 ? name : NULL;
}

/* What follows the name of a variable in that of a setting: "", "[2]", or ".x" of a record; NULL:
 * it is another name. Quotes around the name count as nothing, unless some variable has them in its
 * own. */
static const char *behind(hier *h, const hier_instance *leaf, const char *name)
{
    size_t length = strlen(leaf->name);
    name += strspn(name, " \t");
    bool quoted = !h->renamed && name[0] == '\'' && strncmp(name + 1, leaf->name, length) == 0 &&
                  name[length + 1] == '\'';
    if (strncmp(name, leaf->name, length) == 0)
        name += length;
    else if (quoted)
        name += length + 2;
    else
        name = behind_levels(h, leaf, name);
    return name ? name + strspn(name, " \t") : NULL;
}

static const char *behind_name(hier *h, const hier_instance *leaf, const char *name)
{
    name = behind(h, leaf, name);
    return name && (*name == '\0' || *name == '[') ? name : NULL;
}

static const char *trim(hier *h, const char *string)
{
    string += strspn(string, " \t");
    size_t length = strlen(string);
    while (length && strchr(" \t", string[length - 1])) length--;
    return arena_copy(h->a, string, length);
}

static void take_setting(hier *h, hier_instance *leaf, size_t i)
{
    const char *rest = behind_name(h, leaf, h->request->setting[i].name);
    hier_set set = {.value = h->request->setting[i].value};
    if (!rest || (*rest != '\0') != (leaf->size.count > 0)) return; /* the flat text tells */
    set.value = trim(h, set.value);
    if (h->request->all && !is_valid(h, leaf, set.value)) return;
    if (*rest) {
        if (!hier_measure(h, leaf)) return;
        set.count = leaf->rank;
        set.index = arena_array(h->a, leaf->rank, sizeof *set.index);
        rest = read_subscripts(h, leaf->size.item, leaf->rank, rest, set.index);
        if (!rest || *rest || !exist(leaf, set.index)) return;
    }
    list_push(h->a, &leaf->set, set);
    h->flat->used[i] = true;
}

/* Whether a value may be set at all: of no constant and nothing final. */
static bool is_settable(const hier_instance *leaf)
{
    const model_declaration *d = leaf->declaration;
    bool final = d->final && d->variability == VARIABILITY_PARAMETER;
    for (const hier_frame *f = leaf->frame; f; f = f->next) final = final || f->modifier->final;
    return leaf->parent && d->variability != VARIABILITY_CONSTANT && leaf->base != TYPE_RECORD &&
           !final;
}

void hier_take_settings(hier *h, hier_instance *leaf, bool all)
{
    if (leaf->settled || (all && !h->request->all)) return;
    leaf->settled = true;
    if (!is_settable(leaf)) return;
    for (size_t i = 0; i < h->request->settings; i++) take_setting(h, leaf, i);
}

/* Finds the variable of a setting below an instance. */
static const char *flat_name_of(hier *h, const hier_instance *i, const char *name)
{
    const char *rest = i->kind == HIER_LEAF ? behind(h, i, name) : NULL, *found = NULL;
    bool fits = rest && (*rest == '\0' || *rest == '[' || *rest == '.');
    if (fits) return arena_format(&h->flat->memory, "%s%s", i->name, rest);
    for (size_t k = 0; k < i->child.count && !found; k++)
        found = flat_name_of(h, i->child.item[k], name);
    return found;
}

void hier_name_settings(hier *h)
{
    for (size_t i = 0; i < h->request->settings; i++) {
        const char *name = h->request->setting[i].name, *word = strchr(name, '[');
        if (h->flat->used[i] || !word || word[strspn(word, "[]0123456789, ")] == '\0') continue;
        h->flat->name[i] = flat_name_of(h, h->top, name);
    }
}

const char *hier_setting(const hier_instance *leaf, uint32_t count, const uint32_t *index)
{
    for (size_t k = leaf->set.count; k-- > 0;) { /* the last one counts */
        const hier_set *s = &leaf->set.item[k];
        if (s->count == count && (!count || memcmp(s->index, index, count * sizeof *index) == 0))
            return s->value;
    }
    return NULL;
}

/* --- in the flat text --- */

static void write_value(hier *h, const hier_instance *leaf, const char *set)
{
    if (leaf->base == TYPE_STRING) {
        hier_write_string(h, set);
    } else if (leaf->class) {
        size_t literal = literal_of(h, leaf->class, set);
        hier_write_name(h, leaf->class->flat_name, false);
        text_add(h->out, ".");
        if (literal) hier_write_word(h, leaf->class->text->literal.item[literal - 1].name);
    } else {
        text_add(h->out, set);
    }
}

/* Whether a modifier has one value for all elements of a variable. `each` before an attribute says
 * so; before a value it says that all components of an array around have it. */
static bool is_for_each(const hier_instance *leaf, const hier_frame *f)
{
    model_expression_kind kind = f->modifier->value->kind;
    bool attribute = leaf->declaration->variability < VARIABILITY_PARAMETER;
    return (attribute && f->modifier->each) || f->of_each || kind == EXPRESSION_NUMBER ||
           kind == EXPRESSION_TRUTH;
}

/* An element that is not set keeps its value. */
static void write_kept(hier *h, const hier_instance *leaf, const hier_frame *f, uint32_t count,
                       const uint32_t *index)
{
    if (!f) {
        text_add(h->out, leaf->base == TYPE_BOOLEAN ? "false" : "0");
        return;
    }
    const hier_frame element = count && !is_for_each(leaf, f) ? hier_element(h, f, count, index)
                                                              : *f;
    hier_picked p = hier_pick(h, &element);
    hier_write_picked(h, &p);
}

/* The elements with the first `level` subscripts. */
static void write_elements(hier *h, const hier_instance *leaf, const hier_frame *f, uint32_t level,
                           uint32_t *index)
{
    uint32_t rank = leaf->size.count ? leaf->rank : 0;
    if (level == rank) {
        const char *set = hier_setting(leaf, rank, index);
        if (set)
            write_value(h, leaf, set);
        else
            write_kept(h, leaf, f, rank, index);
        return;
    }
    text_add(h->out, "{");
    for (index[level] = 1; index[level] <= leaf->extent[level]; index[level]++) {
        if (index[level] > 1) text_add(h->out, ", ");
        write_elements(h, leaf, f, level + 1, index);
    }
    text_add(h->out, "}");
}

void hier_write_settings(hier *h, const hier_instance *leaf, const hier_frame *value)
{
    uint32_t *index = arena_array(h->a, leaf->size.count, sizeof *index);
    text_add(h->out, " = ");
    write_elements(h, leaf, value, 0, index);
}
