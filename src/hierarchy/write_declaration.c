/* Declarations of the flat text, and what stands beside its model. */
#include "hierarchy/tree.h"

#include <string.h>

static bool seen_before(const hier_frame *list, const hier_frame *last, size_t entry, uint32_t name)
{
    for (const hier_frame *f = list; f; f = f->next)
        for (size_t i = 0; i < f->modifier->nested.count; i++) {
            if (f == last && i == entry) return false;
            if (f->modifier->nested.item[i].name == name) return true;
        }
    return false;
}

/* name(nested) = value of all modifiers of one name; `set`: of the variable that has this attribute
 * from outside, else NULL */
static void write_entry(hier *h, const hier_frame *list, uint32_t name, bool array, bool first,
                        const hier_instance *set)
{
    const hier_frame *of = hier_select(h, list, name), *value = hier_value_of(of);
    text_add(h->out, first ? "(" : ", ");
    if (array && value && value->modifier->each && !set) text_add(h->out, "each ");
    hier_write_word(h, name);
    hier_write_entries(h, of, array);
    if (set) hier_write_settings(h, set, value);
    if (!value || set) return;
    text_add(h->out, " = ");
    hier_picked p = hier_pick(h, value);
    hier_write_picked(h, &p);
}

/* started: the variable whose start value is set from outside; NULL: none */
static void write_entries(hier *h, const hier_frame *list, bool array, const hier_instance *started)
{
    uint32_t start = started ? hier_word(h, "start") : NAMES_NONE;
    if (started) write_entry(h, list, start, array, true, started);
    bool first = !started;
    for (const hier_frame *f = list; f; f = f->next)
        for (size_t i = 0; i < f->modifier->nested.count; i++) {
            uint32_t name = f->modifier->nested.item[i].name;
            if (name == start || seen_before(list, f, i, name)) continue;
            write_entry(h, list, name, array, first, NULL);
            first = false;
        }
    if (!first) text_add(h->out, ")");
}

void hier_write_entries(hier *h, const hier_frame *list, bool array)
{
    write_entries(h, list, array, NULL);
}

/* Reports what no attribute of a variable is, or what no component of a record is. */
static void check_attributes(hier *h, const hier_instance *leaf)
{
    static const char *const attribute[] = {
#define ATTRIBUTE(kind, name, types, value) name,
#include "model/attributes.def"
#undef ATTRIBUTE
    };
    const size_t count = sizeof attribute / sizeof *attribute;
    for (const hier_frame *f = leaf->frame; f && leaf->base != TYPE_RECORD; f = f->next)
        for (size_t i = 0; i < f->modifier->nested.count; i++) {
            const model_modifier *m = &f->modifier->nested.item[i];
            const char *name = hier_spelled(h, m->name);
            bool known = false;
            for (size_t k = 0; k < count && !known; k++) known = strcmp(attribute[k], name) == 0;
            if (known) continue;
            hier_error(h, &f->env, m->at, NULL, "%s has no attribute %s", leaf->name, name);
            hier_remedy_nearest(h, &f->env, name, count, attribute);
        }
}

/* Whether a component of a parameter of record type has a value: by the record, or a modifier. */
static bool has_value(hier *h, const hier_instance *leaf, const model_declaration *d)
{
    if (d->binding || d->modifier.count || d->variability != VARIABILITY_PARAMETER) return true;
    const hier_frame *own = hier_select(h, leaf->frame, d->name);
    return own != NULL;
}

/* Reports a record of the library, as a medium, that the author has to give and has not given,
 * where he declares the component. */
static void check_given(hier *h, const hier_instance *leaf)
{
    const hier_class *c = leaf->class;
    bool record = leaf->base == TYPE_RECORD && leaf->parent &&
                  leaf->declaration->variability == VARIABILITY_PARAMETER;
    if (!record || hier_value_of(leaf->frame)) return;
    const char *type = hier_class_path(h, c);
    bool whole = strncmp(type, "Daedal.", 7) != 0;
    for (size_t i = 0; i < c->text->declaration.count && !whole; i++)
        if (!has_value(h, leaf, c->text->declaration.item[i])) {
            const hier_instance *in = leaf;
            while (in->parent && in->parent->declaration &&
                   in->env.part->class->unit != h->unit.item[0])
                in = in->parent;
            bool medium = strcmp(type, "Daedal.Media.Medium") == 0, own = in == leaf;
            hier_error(h, &in->env, in->declaration->at,
                       arena_format(h->a, "give it where %s is declared: %s%s%s%s%s",
                                    own ? "it" : in->name, hier_spelled(h, in->declaration->name),
                                    own         ? ""
                                    : in->array ? "(each "
                                                : "(",
                                    own ? "" : leaf->name + strlen(in->name) + 1,
                                    medium ? " = Daedal.Media.water" : " = ...", own ? "" : ")"),
                       "%s has no value", leaf->name);
            return;
        }
}

/* A parameter that decides what the model has, or that a declaration or modifier makes final. */
static bool is_final(const hier_instance *leaf)
{
    bool final = leaf->declaration->final || leaf->evaluated;
    for (const hier_frame *f = leaf->frame; f; f = f->next) final = final || f->modifier->final;
    return final;
}

static void write_prefixes(hier *h, const hier_instance *leaf)
{
    const model_declaration *d = leaf->declaration;
    bool alone = leaf->parent == h->top || !leaf->parent; /* inputs of components are connected */
    bool set = d->variability == VARIABILITY_PARAMETER;
    bool closed = leaf->local && d->final && leaf->direction == DIRECTION_INPUT;
    if ((set && is_final(leaf)) || closed) text_add(h->out, "final ");
    if (set) text_add(h->out, "parameter ");
    if (d->variability == VARIABILITY_CONSTANT) text_add(h->out, "constant ");
    if (d->variability == VARIABILITY_DISCRETE) text_add(h->out, "discrete ");
    if (alone && leaf->direction == DIRECTION_INPUT) text_add(h->out, "input ");
    if (alone && leaf->direction == DIRECTION_OUTPUT) text_add(h->out, "output ");
}

static void write_type(hier *h, const hier_instance *leaf)
{
    const model_declaration *d = leaf->declaration;
    if (leaf->class)
        hier_write_name(h, hier_flat_class(h, leaf->class), false);
    else if (leaf->standard)
        text_add(h->out, leaf->standard);
    else if (leaf->base == TYPE_ENUMERATION)
        hier_write_word(h, d->type->first.name); /* StateSelect */
    else
        text_add(h->out, model_base_name[leaf->base]);
    text_add(h->out, " ");
}

static void write_sizes(hier *h, const hier_instance *leaf)
{
    for (size_t i = 0; i < leaf->size.count; i++) {
        text_add(h->out, i ? ", " : "[");
        hier_write_expression(h, &leaf->size.item[i].env, leaf->size.item[i].expression);
    }
    if (leaf->size.count) text_add(h->out, "]");
}

/* The comment of its declaration, if it is on one line. */
static void write_comment(hier *h, const hier_instance *leaf)
{
    model_span at = leaf->declaration->comment;
    const char *bytes = leaf->env.part->class->unit->reader.source.bytes + at.begin;
    size_t length = at.end - at.begin;
    if (length == 0 || memchr(bytes, '\n', length) || memchr(bytes, '\r', length)) return;
    text_add(h->out, " ");
    text_add_bytes(h->out, bytes, length);
}

/* The value, with what was set from outside. */
static void write_binding(hier *h, const hier_instance *leaf, bool set)
{
    const hier_frame *value = hier_value_of(leaf->frame);
    if (set) hier_write_settings(h, leaf, value);
    if (set || !value) return;
    text_add(h->out, " = ");
    hier_picked p = hier_pick(h, value);
    hier_write_picked(h, &p);
}

void hier_write_declaration(hier *h, hier_instance *leaf, int indent)
{
    hier_take_settings(h, leaf, true);
    leaf->written = true;
    bool set = leaf->set.count > 0,
         started = set && leaf->declaration->variability < VARIABILITY_PARAMETER;
    text_spaces(h->out, 2 * (size_t)indent);
    check_attributes(h, leaf);
    check_given(h, leaf);
    write_prefixes(h, leaf);
    write_type(h, leaf);
    if (leaf->parent || leaf->local)
        hier_write_leaf(h, leaf);
    else
        hier_write_name(h, leaf->name, true);
    write_sizes(h, leaf);
    write_entries(h, leaf->frame, leaf->size.count > 0, started ? leaf : NULL);
    write_binding(h, leaf, set && !started);
    write_comment(h, leaf);
    hier_note_course(h, leaf);
    hier_write_table(h);
    text_add(h->out, ";");
    hier_end_line(h, &leaf->env, leaf->declaration->at);
}

/* A variable of a class without instance. */
static bool as_leaf(hier *h, hier_class *c, const model_declaration *d, const hier_frame *list,
                    hier_instance *leaf)
{
    hier_type type;
    hier_env env = hier_class_env(h, c);
    if (!hier_type_of(h, &env, d, &type)) return false;
    bool function = type.class && type.class->text->kind == CLASS_FUNCTION &&
                    c->text->kind == CLASS_FUNCTION;
    if (type.base == TYPE_NONE && !function) {
        hier_error(h, &env, d->type->at, "use a type, a record or an enumeration",
                   "%s cannot be a component", hier_spelled(h, d->name));
        return false;
    }
    const model_modifier *own = hier_modifier(h, d->name, d->at, &d->modifier, d->binding);
    *leaf = (hier_instance){.kind = HIER_LEAF, .declaration = d, .env = env};
    leaf->frame = hier_join(h, list, hier_join(h, hier_own(h, &env, own), type.frame));
    leaf->class = type.class;
    leaf->base = type.base;
    leaf->standard = type.standard;
    leaf->direction = type.direction;
    leaf->size.item = type.size.item;
    leaf->size.count = type.size.count;
    leaf->name = hier_spelled(h, d->name);
    return true;
}

void hier_write_constant(hier *h, const hier_constant *c)
{
    hier_instance leaf;
    if (!as_leaf(h, c->class, c->declaration, NULL, &leaf)) return;
    leaf.name = c->flat_name;
    hier_write_declaration(h, &leaf, 1);
}

/* The variables of a function or record, first those of its bases. */
static void write_members(hier *h, hier_class *c, const hier_frame *list, bool *hidden, int level)
{
    hier_env env = hier_class_env(h, c);
    if (level > HIER_DEEPEST)
        hier_error(h, &env, c->text->at, "extend another class", "%s extends itself",
                   hier_class_path(h, c));
    if (level > HIER_DEEPEST) return;
    hier_bases(h, c);
    for (size_t i = 0; i < c->base.count; i++) {
        hier_type type = {0};
        const hier_base *b = &c->base.item[i];
        if (!hier_follow(h, &env, b->class, b->path->at, &type) || !type.class) continue;
        const model_modifier *m = hier_modifier(h, NAMES_NONE, b->path->at, b->modifier, NULL);
        const hier_frame *own = hier_join(h, hier_own(h, &env, m), type.frame);
        write_members(h, type.class, hier_join(h, list, own), hidden, level + 1);
    }
    for (size_t i = 0; i < c->text->declaration.count; i++) {
        const model_declaration *d = c->text->declaration.item[i];
        hier_instance leaf;
        if (!as_leaf(h, c, d, hier_select(h, list, d->name), &leaf)) continue;
        bool apart = d->hidden != *hidden && c->text->kind == CLASS_FUNCTION;
        if (apart) text_add(h->out, d->hidden ? "  protected" : "  public");
        if (apart) hier_end_line(h, &env, d->at);
        if (apart) *hidden = d->hidden;
        leaf.local = true;
        hier_write_declaration(h, &leaf, 2);
    }
}

static void write_algorithms(hier *h, hier_class *c)
{
    hier_env env = hier_class_env(h, c);
    for (size_t i = 0; i < c->base.count; i++) write_algorithms(h, c->base.item[i].class);
    for (size_t i = 0; i < c->text->algorithm.count; i++) {
        text_add(h->out, "  algorithm");
        hier_end_line(h, &env, c->text->algorithm.item[i].at);
        hier_write_clauses(h, &env, &c->text->algorithm.item[i].statement, 2);
    }
}

static void write_enumeration(hier *h, const hier_class *c)
{
    text_add(h->out, " = enumeration(");
    for (size_t i = 0; i < c->text->literal.count; i++) {
        if (i > 0) text_add(h->out, ", ");
        hier_write_word(h, c->text->literal.item[i].name);
    }
    text_add(h->out, ");");
}

void hier_write_class(hier *h, hier_class *c)
{
    hier_env env = hier_class_env(h, c);
    model_class_kind kind = c->text->kind;
    bool hidden = false;
    hier_class *body = c;
    hier_type type = {0};
    bool brief = kind == CLASS_FUNCTION && c->text->base; /* function g = f(a = 2) */
    if (brief && hier_follow(h, &env, c, c->text->at, &type) && type.class) body = type.class;
    if (brief) hier_check_names(h, body, type.frame);
    text_add(h->out, "  ");
    if (body->text->impure) text_add(h->out, "impure ");
    if (body->text->partial && kind == CLASS_FUNCTION) text_add(h->out, "partial ");
    text_add(h->out, kind == CLASS_FUNCTION ? "function "
                     : kind == CLASS_RECORD ? "record "
                                            : "type ");
    hier_write_name(h, c->flat_name, false);
    if (kind == CLASS_ENUMERATION) {
        write_enumeration(h, c);
        hier_end_line(h, &env, c->text->at);
        return;
    }
    hier_end_line(h, &env, c->text->at);
    write_members(h, body, type.frame, &hidden, 0);
    if (kind == CLASS_FUNCTION) write_algorithms(h, body);
    if (kind == CLASS_FUNCTION) hier_write_external(h, body);
    text_add(h->out, "  end ");
    hier_write_name(h, c->flat_name, false);
    text_add(h->out, ";");
    hier_end_line(h, &env, c->text->at);
}
