/* Instances of classes: each component with its modifiers (Modelica 3.6, Sec. 5.6). */
#include "hierarchy/tree.h"

#include <string.h>

hier_instance *hier_child(const hier *h, const hier_instance *i, uint32_t name)
{
    return hier_get(h, i->id, name);
}

static const char *element_name(hier *h, const char *name, uint32_t rank, const uint32_t *index)
{
    text t = {0};
    text_add(&t, name);
    for (uint32_t k = 0; k < rank; k++) {
        text_add(&t, k ? "," : "[");
        text_whole(&t, index[k]);
    }
    if (rank) text_add(&t, "]");
    const char *copy = arena_copy(h->a, text_string(&t), t.length);
    text_free(&t);
    return copy;
}

/* outer.name, or the name alone */
static const char *inner_name(hier *h, const char *outer, const char *name)
{
    size_t length = strlen(outer), own = strlen(name) + 1;
    if (length == 0) return name;
    char *joined = arena_array(h->a, length + 1 + own, 1);
    memcpy(joined, outer, length);
    joined[length] = '.';
    memcpy(joined + length + 1, name, own);
    return joined;
}

/* Reports modifiers that change what is final, or what is protected. */
static void check_modifiers(hier *h, const model_declaration *d, const hier_frame *list)
{
    const hier_frame *value = hier_value_of(list);
    for (const hier_frame *f = list; f; f = f->next) {
        const char *name = hier_spelled(h, d->name);
        if (f->outside && d->hidden)
            hier_error(h, &f->env, f->modifier->at, "leave the modifier out, or make it public",
                       "%s is protected and cannot be modified from outside", name);
        if (value && value != f && f->modifier->final)
            hier_error(h, &value->env, value->modifier->at, "leave the modifier out",
                       "%s is final and cannot be modified", name);
    }
    if (d->final && value)
        hier_error(h, &value->env, value->modifier->at, "leave the modifier out",
                   "%s is final and cannot be modified", hier_spelled(h, d->name));
}

/* Reports values that one list of modifiers gives twice. */
static void check_twice(hier *h, const hier_env *env, const model_modifiers *a,
                        const model_modifiers *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = a == b ? i + 1 : 0; k < b->count; k++) {
            const model_modifier *x = &a->item[i], *y = &b->item[k];
            if (x->name != y->name) continue;
            if (x->value && y->value)
                hier_error(h, env, y->at, "leave one of them out", "%s is modified twice",
                           hier_spelled(h, y->name));
            check_twice(h, env, &x->nested, &y->nested);
        }
}

/* Reports modifiers of what a class does not have. */
void hier_check_names(hier *h, hier_class *c, const hier_frame *list)
{
    for (const hier_frame *f = list; f; f = f->next) {
        hier_class *where;
        for (size_t i = 0; i < f->modifier->nested.count; i++) {
            const model_modifier *m = &f->modifier->nested.item[i];
            if (hier_declared(h, c, m->name, &where)) continue;
            const char *name = hier_spelled(h, m->name);
            hier_error(h, &f->env, m->at, NULL, "%s has no component %s", hier_class_path(h, c),
                       name);
            LIST(const char *) candidate = {0};
            for (size_t k = 0; k < c->text->declaration.count; k++)
                list_push(h->a, &candidate, hier_spelled(h, c->text->declaration.item[k]->name));
            hier_remedy_nearest(h, &f->env, name, candidate.count, candidate.item);
        }
    }
}

static bool is_structured(const hier_class *c)
{
    return c &&
           (c->text->kind == CLASS_MODEL || (c->text->kind == CLASS_RECORD && c->text->connector));
}

/* The kind of a component by its type; HIER_REMOVED: it can be none (reported). */
static hier_kind kind_of(hier *h, const hier_env *env, const model_declaration *d,
                         const hier_type *type)
{
    if (type->base != TYPE_NONE) return HIER_LEAF;
    if (is_structured(type->class) || (type->connector && type->class)) {
        if (d->variability >= VARIABILITY_DISCRETE || d->flow)
            hier_error(h, env, d->at, "leave the prefix out, or declare a record",
                       "%s is a component and has no prefix", hier_spelled(h, d->name));
        return type->size.count ? HIER_ARRAY : HIER_OBJECT;
    }
    hier_error(h, env, d->type->at, "a component has a model, block, connector, record or type",
               "%s is no class of components",
               type->class ? hier_class_path(h, type->class)
                           : hier_spelled(h, d->type->first.name));
    return HIER_REMOVED;
}

static hier_instance *new_instance(hier *h, const hier_instance *from)
{
    hier_instance *i = arena_duplicate(h->a, from, 1, sizeof *i);
    i->id = h->ids++;
    h->instances++;
    return i;
}

static void add_child(hier *h, hier_instance *parent, const hier_part *part,
                      const model_declaration *d, const hier_frame *list)
{
    hier_env env = {.instance = parent, .part = part};
    const hier_instance *twin = hier_child(h, parent, d->name);
    if (twin) {
        if (twin->declaration != d)
            hier_error(h, &env, d->at, "give one of them another name, or remove it",
                       "%s is already declared in %s", hier_spelled(h, d->name),
                       hier_class_path(h, twin->env.part->class));
        return;
    }
    hier_type type;
    bool typed = hier_type_of(h, &env, d, &type);
    const hier_frame *outer = hier_select(h, list, d->name);
    check_modifiers(h, d, outer);
    if (d->variability == VARIABILITY_CONSTANT && hier_value_of(outer))
        hier_put(h, part->class->id + 3, d->name, parent);
    const model_modifier *own = hier_modifier(h, d->name, d->at, &d->modifier, d->binding);
    check_twice(h, &env, &d->modifier, &d->modifier);
    hier_instance child = {.parent = parent, .declaration = d, .env = env};
    child.frame = hier_join(h, outer, hier_join(h, hier_own(h, &env, own), type.frame));
    child.name = inner_name(h, parent->name, hier_spelled(h, d->name));
    child.kind = typed ? kind_of(h, &env, d, &type) : HIER_REMOVED;
    child.class = type.class;
    child.base = type.base;
    child.standard = type.standard;
    child.annotated = type.annotated;
    child.size.item = type.size.item;
    child.size.count = child.size.capacity = type.size.count;
    child.connector = type.connector;
    child.flow = type.flow;
    child.direction = type.direction;
    hier_instance *made = new_instance(h, &child);
    hier_put(h, parent->id, d->name, made);
    list_push(h->a, &parent->child, made);
}

/* Whether there are not too many bases; a class may stand among its own. */
static bool enter_part(hier *h, hier_instance *i, hier_class *c, int level)
{
    if (level < HIER_DEEPEST) return true;
    hier_env env = hier_class_env(h, c);
    env.instance = i;
    h->stopped = true;
    hier_error(h, &env, c->text->at, "extend classes that do not extend each other",
               "%s extends itself, or more than %d classes one after the other",
               hier_class_path(h, c), HIER_DEEPEST);
    return false;
}

static const hier_part *part_of(const hier_instance *i, const hier_class *c)
{
    for (size_t k = 0; k < i->part.count; k++)
        if (i->part.item[k]->class == c) return i->part.item[k];
    return NULL;
}

/* Adds to an instance what a class declares, first what its bases do. */
static void add_part(hier *h, hier_instance *i, hier_class *c, const hier_frame *list, int level)
{
    if (h->stopped || !enter_part(h, i, c, level)) return;
    const hier_part *twice = part_of(i, c);
    if (twice) {
        hier_env here = {.instance = i, .part = twice};
        i->diamond = true;
        if (!hier_same_modifiers(h, twice->frame, list))
            hier_error(h, &here, c->text->at, "give both the same modifiers, or extend it once",
                       "%s is extended in two ways, with different modifiers",
                       hier_class_path(h, c));
        return;
    }
    hier_part *part = arena_take(h->a, sizeof *part);
    *part = (hier_part){.class = c, .begin = h->parts++, .frame = list};
    hier_env env = {.instance = i, .part = part};
    hier_check(h, c);
    hier_bases(h, c);
    for (size_t k = 0; k < c->base.count; k++) {
        const hier_base *b = &c->base.item[k];
        hier_type type = {0};
        if (!hier_follow(h, &env, b->class, b->path->at, &type) || !type.class) continue;
        if (type.size.count || !is_structured(type.class)) {
            hier_error(h, &env, b->path->at, "extend a model, a block or a connector",
                       "%s cannot be extended here", hier_class_path(h, b->class));
            continue;
        }
        const model_modifier *m = hier_modifier(h, NAMES_NONE, b->path->at, b->modifier, NULL);
        const hier_frame *own = hier_own(h, &env, m);
        hier_check_names(h, type.class, own);
        check_twice(h, &env, b->modifier, b->modifier);
        add_part(h, i, type.class, hier_join(h, hier_join(h, list, own), type.frame), level + 1);
    }
    for (size_t k = 0; k < c->text->declaration.count; k++)
        add_child(h, i, part, c->text->declaration.item[k], list);
    part->end = h->parts;
    list_push(h->a, &i->part, part);
}

/* Whether an object may be expanded: it stands in no instance of its own class. */
static bool may_nest(hier *h, const hier_instance *i)
{
    int level = 0;
    for (const hier_instance *p = i->parent; p; p = p->parent, level++) {
        if (p->class != i->class && level < HIER_DEEPEST) continue;
        bool same = p->class == i->class;
        h->stopped = true;
        hier_error(h, &i->env, i->declaration->at,
                   same ? "a class cannot contain itself: take one of them out"
                        : "write classes that are nested less deep",
                   same ? "%s is a component of itself" : "%s is nested too deep",
                   hier_class_path(h, i->class));
        return false;
    }
    if (i->class->text->partial)
        hier_error(h, &i->env, i->declaration->type->at,
                   "use a class that extends it, and completes its equations",
                   "%s is partial and cannot be a component", hier_class_path(h, i->class));
    return !i->class->text->partial;
}

static void expand_object(hier *h, hier_instance *i)
{
    if (i->parent && !may_nest(h, i)) return;
    const hier_frame *value = hier_value_of(i->frame);
    if (value)
        hier_error(h, &value->env, value->modifier->at, "modify its components: c(p = 1)",
                   "%s is no variable and has no value", i->name);
    const hier_frame *list = hier_outside(h, i->frame);
    hier_check_names(h, i->class, i->frame);
    add_part(h, i, i->class, list, 0);
}

/* The next index of an array; false after the last one. */
static bool advance(const hier_instance *array, uint32_t *index)
{
    for (uint32_t k = array->rank; k-- > 0;) {
        if (++index[k] <= array->extent[k]) return true;
        index[k] = 1;
    }
    return false;
}

static void expand_array(hier *h, hier_instance *i)
{
    if (!hier_measure(h, i)) return;
    double count = 1;
    for (uint32_t k = 0; k < i->rank; k++) count *= i->extent[k];
    if (count == 0) return;
    if (count > HIER_MOST_INSTANCES) {
        hier_error(h, &i->env, i->declaration->at, "make the array smaller",
                   "%s has more than %d elements", i->name, HIER_MOST_INSTANCES);
        return;
    }
    hier_check_sizes(h, i);
    uint32_t *index = arena_array(h->a, i->rank, sizeof *index);
    for (uint32_t k = 0; k < i->rank; k++) index[k] = 1;
    do {
        hier_instance element = *i;
        element.kind = HIER_OBJECT;
        element.size.count = element.child.count = element.child.capacity = 0;
        element.child.item = NULL;
        element.expanded = HIER_NEW;
        element.rank = 0;
        element.array = i;
        element.index = arena_duplicate(h->a, index, i->rank, sizeof *index);
        element.name = element_name(h, i->name, i->rank, index);
        element.frame = hier_indexed(h, i->frame, i->rank, index);
        list_push(h->a, &i->child, new_instance(h, &element));
    } while (advance(i, index));
}

/* Whether a conditional component is there. */
static bool is_there(hier *h, hier_instance *i)
{
    const model_declaration *d = i->declaration;
    bool truth = true;
    if (d && d->condition && i->kind != HIER_REMOVED) {
        hier_env env = i->env;
        if (!hier_truth(h, &env, d->condition, &truth)) return false;
    }
    return truth;
}

void hier_expand(hier *h, hier_instance *i)
{
    if (i->expanded != HIER_NEW || h->stopped) return;
    if (h->instances >= HIER_MOST_INSTANCES) {
        h->stopped = true;
        hier_error(h, &i->env, i->declaration ? i->declaration->at : i->class->text->at,
                   "make arrays of components smaller",
                   "the model has more than %d components and variables", HIER_MOST_INSTANCES);
        return;
    }
    i->expanded = HIER_RUNNING;
    if (!is_there(h, i)) i->kind = HIER_REMOVED;
    if (i->kind == HIER_OBJECT) expand_object(h, i);
    if (i->kind == HIER_ARRAY) expand_array(h, i);
    i->expanded = HIER_DONE;
}

bool hier_measure(hier *h, hier_instance *i)
{
    if (i->measured) return true;
    i->rank = (uint32_t)i->size.count;
    i->sized = 0;
    i->extent = arena_array(h->a, i->rank, sizeof *i->extent);
    const hier_frame *value = hier_value_of(i->frame);
    for (uint32_t k = 0; k < i->rank; k++) {
        const hier_size *s = &i->size.item[k];
        bool open = s->expression->kind == EXPRESSION_COLON;
        hier_numbers all = {0};
        bool typed = hier_all_values(h, &s->env, s->expression, &all); /* Real x[E] */
        bool known = typed;
        if (typed) i->extent[k] = (uint32_t)all.count;
        if (!typed && !open)
            known = hier_integer(h, &s->env, s->expression, "a size", &i->extent[k]);
        if (open && value)
            known = hier_extent(h, &value->env, value->modifier->value, k + 1, &i->extent[k]);
        if (open && !value)
            hier_error(h, &i->env, i->declaration->at, "give it a value, or write its size",
                       "the size of %s is not known", i->name);
        if (!known) return false;
        i->sized = k + 1;
    }
    return i->measured = true;
}

hier_instance *hier_instantiate(hier *h, hier_class *c)
{
    hier_type type = {0};
    hier_env env = hier_class_env(h, c);
    if (!hier_follow(h, &env, c, c->text->at, &type) || !type.class) return NULL;
    hier_instance top = {.kind = HIER_OBJECT, .name = "", .class = type.class, .env = env};
    top.frame = type.frame;
    hier_instance *i = new_instance(h, &top);
    hier_expand(h, i);
    return i;
}
