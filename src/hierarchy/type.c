/* The type of a declaration. Short definitions, type V = Real(unit = "V") or model M = N(p = 2),
 * add modifiers and sizes to what they define. */
#include "hierarchy/tree.h"

static void add_sizes(hier *h, const hier_env *env, const model_path *path, hier_type *type)
{
    const model_part *part = &path->first;
    while (part->next) part = part->next;
    for (uint32_t i = 0; i < part->count; i++)
        list_push(h->a, &type->size, ((hier_size){.expression = part->subscript[i], .env = *env}));
}

/* What a class is short for; NULL: it is none. */
static const model_path *short_for(const model_class *c, const model_modifiers **modifier)
{
    *modifier = &c->modifier;
    if (c->base || c->kind != CLASS_TYPE || c->extension.count != 1) return c->base;
    *modifier = &c->extension.item[0].modifier;
    return c->extension.item[0].base;
}

static bool follow_step(hier *h, hier_class **c, const model_path *path,
                        const model_modifiers *modifier, hier_type *type)
{
    hier_found found;
    hier_env own = hier_class_env(h, *c);
    type->connector |= (*c)->text->connector;
    type->flow |= (*c)->text->flow;
    if ((*c)->text->direction != DIRECTION_NONE) type->direction = (*c)->text->direction;
    if (!type->annotated && (*c)->text->vendor.count) type->annotated = *c;
    hier_check(h, *c);
    size_t sizes = type->size.count;
    add_sizes(h, &own, path, type);
    const model_modifier *m = hier_modifier(h, NAMES_NONE, path->at, modifier, NULL);
    hier_frame *frame = hier_own(h, &own, m);
    if (frame) frame->of_each = type->size.count == sizes;
    type->frame = hier_join(h, type->frame, frame);
    if (!hier_find_type(h, &own, path, &found)) return false;
    *c = found.class;
    type->base = found.predefined ? TYPE_ENUMERATION : found.builtin;
    type->standard = found.standard;
    return true;
}

bool hier_follow(hier *h, const hier_env *env, hier_class *c, model_span at, hier_type *type)
{
    const model_modifiers *modifier;
    const model_path *path;
    for (int steps = 0; c && (path = short_for(c->text, &modifier)); steps++) {
        if (steps == HIER_DEEPEST) {
            hier_error(h, env, at, "define it by another class", "%s is defined in terms of itself",
                       hier_class_path(h, c));
            return false;
        }
        if (!follow_step(h, &c, path, modifier, type)) return false;
    }
    type->class = c;
    if (!c) return true;
    hier_check(h, c);
    type->connector |= c->text->connector;
    if (c->text->kind == CLASS_ENUMERATION) type->base = TYPE_ENUMERATION;
    if (c->text->kind == CLASS_RECORD && !c->text->connector) type->base = TYPE_RECORD;
    return true;
}

hier_class *hier_function_of(hier *h, const hier_env *env, hier_class *c, model_span at)
{
    hier_type type = {0};
    if (!hier_follow(h, env, c, at, &type) || !type.class) return NULL;
    bool function = type.class->text->kind == CLASS_FUNCTION;
    return function && type.frame ? c : type.class;
}

bool hier_type_of(hier *h, const hier_env *env, const model_declaration *d, hier_type *type)
{
    hier_found found;
    *type = (hier_type){.flow = d->flow, .direction = d->direction};
    for (uint32_t i = 0; i < d->dimensions; i++)
        list_push(h->a, &type->size, ((hier_size){.expression = d->size[i], .env = *env}));
    add_sizes(h, env, d->type, type);
    if (!hier_find_type(h, env, d->type, &found)) return false;
    type->base = found.predefined ? TYPE_ENUMERATION : found.builtin;
    type->standard = found.standard;
    return hier_follow(h, env, found.class, d->type->at, type);
}
