/* What a name in a text stands for (Modelica 3.6, Sec. 5.3.2). */
#include "hierarchy/tree.h"

#include <string.h>

static hier_target walk(hier *h, const hier_env *env, hier_instance *i, const model_part *part);

static const hier_target nothing = {.kind = TARGET_NOTHING};

/* Reports a component that is not there, with the nearest one. */
static hier_target missing(hier *h, const hier_env *env, const hier_instance *i,
                           const model_part *part)
{
    const char *name = hier_spelled(h, part->name);
    hier_error(h, env, part->at, NULL, "%s has no component %s",
               i->name[0] ? i->name : hier_class_path(h, i->class), name);
    LIST(const char *) candidate = {0};
    for (size_t k = 0; k < i->child.count && i->kind == HIER_OBJECT; k++)
        list_push(h->a, &candidate, hier_spelled(h, i->child.item[k]->declaration->name));
    hier_remedy_nearest(h, env, name, candidate.count, candidate.item);
    return nothing;
}

/* From an object or an element to the next name. */
static hier_target walk_on(hier *h, const hier_env *env, hier_instance *i, const model_part *part)
{
    if (!part->next) return (hier_target){.kind = TARGET_INSTANCE, .instance = i, .part = part};
    hier_instance *child = hier_child(h, i, part->next->name);
    if (!child) return missing(h, env, i, part->next);
    if (child->declaration->hidden && i != env->instance)
        hier_error(h, env, part->next->at, "make it public where it is declared",
                   "%s is protected and cannot be used from outside", child->name);
    return walk(h, env, child, part->next);
}

/* Whether values may be subscripts of a dimension (else reported): Booleans of one that Boolean
 * indexes alone, literals of no other enumeration. They become numbers from 1. */
static bool as_subscripts(hier *h, const hier_env *env, const model_expression *s,
                          const hier_instance *of, uint32_t dimension, hier_numbers *list)
{
    hier_numbers all = {0};
    const hier_size *size = dimension < of->size.count ? &of->size.item[dimension] : NULL;
    if (list->kind != HIER_LITERAL && list->kind != HIER_BOOLEAN) return true;
    bool typed = size && hier_all_values(h, &size->env, size->expression, &all);
    bool fits = typed ? all.kind == list->kind && all.of == list->of : list->kind == HIER_LITERAL;
    for (size_t k = 0; k < list->count && list->kind == HIER_BOOLEAN; k++) list->item[k] += 1;
    if (!fits)
        hier_error(h, env, s->at, "a subscript has the type that is written for its size",
                   "%s is not indexed by %s", of->name,
                   list->of ? hier_class_path(h, list->of) : "Boolean");
    return fits;
}

bool hier_taken(hier *h, const hier_env *env, const model_expression *s, const hier_instance *of,
                uint32_t dimension, hier_numbers *list, bool *single)
{
    uint32_t extent = of->extent[dimension];
    hier_bound end = {.name = NAMES_NONE, .known = true, .value = extent, .outer = env->bound};
    hier_env inner = *env;
    hier_value v;
    inner.bound = &end;
    *single = false;
    if (!s || s->kind == EXPRESSION_COLON) {
        for (uint32_t k = 1; k <= extent; k++) list_push(h->a, list, k);
        return true;
    }
    if (s->kind == EXPRESSION_RANGE || s->kind == EXPRESSION_ARRAY)
        return hier_range(h, &inner, s, list) && as_subscripts(h, env, s, of, dimension, list);
    if (hier_all_values(h, &inner, s, list)) return as_subscripts(h, env, s, of, dimension, list);
    *single = true;
    if (!hier_evaluate(h, &inner, s, &v)) return false;
    list->kind = v.kind;
    list->of = v.of;
    list_push(h->a, list, v.number);
    if (v.kind == HIER_LITERAL || v.kind == HIER_BOOLEAN)
        return as_subscripts(h, env, s, of, dimension, list);
    uint32_t number;
    return hier_integer(h, &inner, s, "a subscript", &number);
}

/* The elements of an array from dimension k on; `offset` counts those before. */
static hier_target walk_array(hier *h, const hier_env *env, hier_instance *i,
                              const model_part *part, uint32_t k, size_t offset)
{
    if (k == i->rank) {
        hier_expand(h, i->child.item[offset]);
        return walk_on(h, env, i->child.item[offset], part);
    }
    hier_numbers list = {0};
    bool single;
    if (!hier_taken(h, env, k < part->count ? part->subscript[k] : NULL, i, k, &list, &single))
        return nothing;
    hier_target group = {.kind = TARGET_GROUP, .part = part, .count = (uint32_t)list.count};
    group.instance = i;
    group.member = arena_array(h->a, list.count, sizeof *group.member);
    for (size_t m = 0; m < list.count; m++) {
        if (list.item[m] < 1 || list.item[m] > i->extent[k]) {
            hier_error(h, env, part->at, "subscripts begin with 1",
                       "%s has no element %.0f: it has %u", i->name, list.item[m], i->extent[k]);
            return nothing;
        }
        size_t at = offset * i->extent[k] + (size_t)list.item[m] - 1;
        group.member[m] = walk_array(h, env, i, part, k + 1, at);
        if (group.member[m].kind == TARGET_NOTHING) return nothing;
    }
    return single ? group.member[0] : group;
}

/* Whether the elements of an array are there. They are not while its own size is looked for. */
static bool has_elements(hier *h, const hier_env *env, const hier_instance *i, model_span at)
{
    double count = 1;
    for (uint32_t k = 0; i->measured && k < i->rank; k++) count *= i->extent[k];
    if (i->measured && (double)i->child.count == count) return true;
    if (!h->failed)
        hier_error(h, env, at, "write its size as a number", "the size of %s follows from itself",
                   i->name);
    return false;
}

static hier_target walk(hier *h, const hier_env *env, hier_instance *i, const model_part *part)
{
    hier_expand(h, i);
    if (i->kind == HIER_ARRAY && !has_elements(h, env, i, part->at)) return nothing;
    if (i->kind == HIER_REMOVED)
        return (hier_target){.kind = TARGET_REMOVED, .instance = i, .part = part};
    if (i->kind == HIER_LEAF) {
        bool record = i->base == TYPE_RECORD;
        if (part->next && !record) return missing(h, env, i, part->next);
        return (hier_target){.kind = TARGET_INSTANCE, .instance = i, .part = part};
    }
    if (i->kind == HIER_OBJECT && part->count == 0) return walk_on(h, env, i, part);
    if (i->kind == HIER_ARRAY && (part->count == 0 || part->count == i->rank))
        return walk_array(h, env, i, part, 0, 0);
    hier_error(h, env, part->at, "write a subscript for each dimension", "%s has %u dimension%s",
               i->name, i->kind == HIER_ARRAY ? i->rank : 0, i->rank == 1 ? "" : "s");
    return nothing;
}

/* Whether a component is seen from the text of a part of its instance. */
static bool is_visible(const hier_instance *i, const hier_part *from, const hier_instance *child)
{
    uint32_t begin = child->env.part->begin;
    return i->diamond || (begin >= from->begin && (begin < from->end || from->end == 0));
}

static hier_target class_constant(hier *h, const hier_env *env, hier_class *where,
                                  const model_declaration *d, const model_part *part)
{
    if (d->variability != VARIABILITY_CONSTANT) {
        hier_error(h, env, part->at, "hand it in as a parameter, or make it a constant",
                   "%s belongs to the class %s, of which only constants are seen here",
                   hier_spelled(h, d->name), hier_class_path(h, where));
        return nothing;
    }
    return (hier_target){.kind = TARGET_CONSTANT, .class = where, .declaration = d, .part = part};
}

/* From a class on: an enumeration's literal, or a constant of it. */
static hier_target walk_class(hier *h, const hier_env *env, hier_class *c, const model_part *part)
{
    for (; part->next; part = part->next) {
        hier_type type = {0};
        if (c->text->base && hier_follow(h, env, c, part->at, &type) && type.class) c = type.class;
        if (c->text->kind == CLASS_ENUMERATION)
            return (hier_target){.kind = TARGET_LITERAL, .class = c, .part = part->next};
        hier_class *where, *inner = hier_inner(h, c, part->next->name);
        const model_declaration *d = inner ? NULL : hier_declared(h, c, part->next->name, &where);
        if (d) return class_constant(h, env, where, d, part->next);
        if (!inner) {
            hier_error(h, env, part->next->at, "declare it there", "%s has no class or constant %s",
                       hier_class_path(h, c), hier_spelled(h, part->next->name));
            return nothing;
        }
        c = inner;
    }
    const char *language = hier_language_function(h, c);
    if (language) return (hier_target){.kind = TARGET_STANDARD, .standard = language, .part = part};
    hier_type type = {0};
    hier_class *function = c->text->base ? hier_function_of(h, env, c, part->at) : c;
    if (c->text->base && hier_follow(h, env, c, part->at, &type) && type.class) c = type.class;
    if (c->text->kind == CLASS_ENUMERATION)
        return (hier_target){.kind = TARGET_LITERAL, .class = c};
    if (type.base == TYPE_BOOLEAN) return (hier_target){.kind = TARGET_TRUTHS};
    if (c->text->kind == CLASS_FUNCTION)
        return (hier_target){.kind = TARGET_FUNCTION, .class = function, .part = part};
    hier_error(h, env, part->at, "write the name of a variable", "%s is a class and has no value",
               hier_class_path(h, c));
    return nothing;
}

static hier_target unknown(hier *h, const hier_env *env, const model_part *part)
{
    const char *name = hier_spelled(h, part->name);
    hier_error(h, env, part->at, "declare it", "%s is not declared", name);
    LIST(const char *) candidate = {0};
    const hier_instance *i = env->instance;
    for (size_t k = 0; i && k < i->child.count; k++)
        list_push(h->a, &candidate, hier_spelled(h, i->child.item[k]->declaration->name));
    hier_remedy_nearest(h, env, name, candidate.count, candidate.item);
    return nothing;
}

/* The variables of a function or a record keep their names where its text is written. */
bool hier_is_local(hier *h, const hier_env *env, uint32_t name)
{
    hier_class *c = env->part->class, *where;
    bool keeps = !env->instance &&
                 (c->text->kind == CLASS_FUNCTION || c->text->kind == CLASS_RECORD);
    return keeps && hier_declared(h, c, name, &where);
}

static hier_target look_outside(hier *h, const hier_env *env, const model_path *path)
{
    hier_found found;
    const model_part *first = &path->first;
    bool is = hier_lookup(h, path->global ? NULL : env->part->class, first->name, &found);
    if (is && found.class) return walk_class(h, env, found.class, first);
    if (is && found.declaration)
        return class_constant(h, env, found.where, found.declaration, first);
    if (is && found.builtin == TYPE_BOOLEAN && !first->next)
        return (hier_target){.kind = TARGET_TRUTHS};
    if (!is && strcmp(names_string(h->words, first->name), "time") == 0)
        return (hier_target){.kind = TARGET_TIME};
    const char *standard = is ? NULL : hier_standard_name(h, env, path);
    if (standard)
        return (hier_target){.kind = TARGET_STANDARD, .standard = standard, .part = first};
    bool builtin = !is && !first->next && hier_is_builtin(names_string(h->words, first->name));
    if (builtin || (is && found.predefined))
        return (hier_target){.kind = TARGET_PREDEFINED, .part = first};
    return unknown(h, env, first);
}

hier_target hier_resolve_end(hier *h, const hier_env *env, const model_path *path)
{
    const model_part *first = &path->first;
    if (path->global) return look_outside(h, env, path);
    for (const hier_bound *b = env->bound; b; b = b->outer)
        if (b->name == first->name && b->name != NAMES_NONE)
            return (hier_target){.kind = TARGET_BOUND, .bound = b, .part = first};
    hier_instance *child = env->instance ? hier_child(h, env->instance, first->name) : NULL;
    if (child && is_visible(env->instance, env->part, child)) return walk(h, env, child, first);
    if (hier_is_local(h, env, first->name))
        return (hier_target){.kind = TARGET_LOCAL, .part = first};
    return look_outside(h, env, path);
}

/* The first part of a target that its condition has removed; NULL: none. */
static const hier_target *removed(const hier_target *t)
{
    const hier_target *found = t->kind == TARGET_REMOVED ? t : NULL;
    for (uint32_t k = 0; t->kind == TARGET_GROUP && k < t->count && !found; k++)
        found = removed(&t->member[k]);
    return found;
}

hier_target hier_resolve(hier *h, const hier_env *env, const model_path *path)
{
    hier_target t = hier_resolve_end(h, env, path);
    const hier_target *gone = removed(&t);
    if (!gone) return t;
    hier_error(h, env, path->at, "use a conditional component in connections alone",
               "%s does not exist: its condition is false", gone->instance->name);
    return nothing;
}
