/* Values that are set from outside (--set NAME=VALUE): of parameters that decide what the model
 * has, and of all variables where the flat text is to have them. */
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

/* The number of a literal from 1, with or without the name of its enumeration; 0: there is none. */
static size_t literal_of(const hier *h, const hier_class *enumeration, const char *set)
{
    const char *dot = strrchr(set, '.'), *literal = dot ? dot + 1 : set;
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

/* Subscripts such as [2, 3], within the sizes of a variable. */
static bool read_subscripts(const hier_instance *leaf, const char *string, uint32_t *index)
{
    for (uint32_t k = 0; k < leaf->rank; k++) {
        string += 1 + strspn(string + 1, " "); /* behind [ or , */
        index[k] = 0;
        for (; *string >= '0' && *string <= '9' && index[k] <= leaf->extent[k]; string++)
            index[k] = 10 * index[k] + (uint32_t)(*string - '0');
        string += strspn(string, " ");
        bool last = k + 1 == leaf->rank;
        if (index[k] < 1 || index[k] > leaf->extent[k] || *string != (last ? ']' : ','))
            return false;
    }
    return string[1] == '\0';
}

/* What follows the name of a variable in that of a setting: "", or "[2]"; NULL: it is another name.
 * Quotes around the name count as nothing, unless some variable has them in its own. */
static const char *behind_name(const hier *h, const hier_instance *leaf, const char *name)
{
    size_t length = strlen(leaf->name);
    name += strspn(name, " \t");
    if (strncmp(name, leaf->name, length) == 0) {
        name += length;
    } else {
        bool quoted = !h->renamed && name[0] == '\'' &&
                      strncmp(name + 1, leaf->name, length) == 0 && name[length + 1] == '\'';
        if (!quoted) return NULL;
        name += length + 2;
    }
    name += strspn(name, " \t");
    return *name == '\0' || *name == '[' ? name : NULL;
}

static void take_setting(hier *h, hier_instance *leaf, size_t i)
{
    const char *rest = behind_name(h, leaf, h->request->setting[i].name);
    hier_set set = {.value = h->request->setting[i].value};
    if (!rest || (*rest != '\0') != (leaf->size.count > 0)) return; /* the flat text tells */
    set.value += strspn(set.value, " \t");
    if (h->request->all && !is_valid(h, leaf, set.value)) return;
    if (*rest) {
        if (!hier_measure(h, leaf)) return;
        set.count = leaf->rank;
        set.index = arena_array(h->a, leaf->rank, sizeof *set.index);
        if (!read_subscripts(leaf, rest, set.index)) return;
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

/* Whether a modifier has one value for all elements of an array. */
static bool is_for_each(const hier_frame *f)
{
    model_expression_kind kind = f->modifier->value->kind;
    return f->modifier->each || f->of_each || kind == EXPRESSION_NUMBER || kind == EXPRESSION_TRUTH;
}

/* An element that is not set keeps its value. */
static void write_kept(hier *h, const hier_instance *leaf, const hier_frame *f, uint32_t count,
                       const uint32_t *index)
{
    if (!f) {
        text_add(h->out, leaf->base == TYPE_BOOLEAN ? "false" : "0");
        return;
    }
    const hier_frame element = count && !is_for_each(f) ? hier_element(h, f, count, index) : *f;
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
