/* Modifiers. What is written further outside comes first and counts (Modelica 3.6, Sec. 7.2.4). */
#include "hierarchy/tree.h"

typedef struct chain {
    hier_frame *first, *last;
} chain;

/* Appends a copy. */
static hier_frame *append(hier *h, chain *c, const hier_frame *f)
{
    hier_frame *copy = arena_duplicate(h->a, f, 1, sizeof *copy);
    copy->next = NULL;
    if (c->last)
        c->last->next = copy;
    else
        c->first = copy;
    return c->last = copy;
}

model_modifier *hier_modifier(hier *h, uint32_t name, model_span at, const model_modifiers *nested,
                              model_expression *value)
{
    model_modifier *m = arena_take(h->a, sizeof *m);
    *m = (model_modifier){.name = name, .at = at, .value = value};
    if (nested) m->nested = *nested;
    return m;
}

hier_frame *hier_own(hier *h, const hier_env *env, const model_modifier *m)
{
    if (m->nested.count == 0 && !m->value) return NULL;
    hier_frame *f = arena_take(h->a, sizeof *f);
    *f = (hier_frame){.modifier = m, .env = *env};
    return f;
}

const hier_frame *hier_join(hier *h, const hier_frame *first, const hier_frame *second)
{
    if (!first || !second) return first ? first : second;
    chain c = {0};
    for (const hier_frame *f = first; f; f = f->next) append(h, &c, f);
    for (const hier_frame *f = second; f; f = f->next) append(h, &c, f);
    return c.first;
}

const hier_frame *hier_select(hier *h, const hier_frame *list, uint32_t name)
{
    chain c = {0};
    for (const hier_frame *f = list; f; f = f->next)
        for (size_t i = 0; i < f->modifier->nested.count; i++) {
            const model_modifier *m = &f->modifier->nested.item[i];
            if (m->name != name) continue;
            hier_frame *selected = append(h, &c, f);
            selected->modifier = m;
            if (m->each) selected->count = 0;
        }
    return c.first;
}

const hier_frame *hier_indexed(hier *h, const hier_frame *list, uint32_t count,
                               const uint32_t *index)
{
    chain c = {0};
    for (const hier_frame *f = list; f; f = f->next) {
        if (f->of_each) {
            append(h, &c, f)->of_each = false;
            continue;
        }
        uint32_t *all = arena_array(h->a, f->count + count, sizeof *all);
        for (uint32_t k = 0; k < f->count; k++) all[k] = f->index[k];
        for (uint32_t k = 0; k < count; k++) all[f->count + k] = index[k];
        hier_frame *of = append(h, &c, f);
        of->count = f->count + count;
        of->index = all;
    }
    return c.first;
}

const hier_frame *hier_outside(hier *h, const hier_frame *list)
{
    chain c = {0};
    for (const hier_frame *f = list; f; f = f->next) append(h, &c, f)->outside = true;
    return c.first;
}

const hier_frame *hier_value_of(const hier_frame *list)
{
    while (list && !list->modifier->value) list = list->next;
    return list;
}
