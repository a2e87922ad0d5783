/* External functions of the flat text, and the derivatives that their annotations name. */
#include "hierarchy/tree.h"

#include <string.h>

/* The class in which an external function has its clause: itself, or one that it extends. */
static hier_class *clause_of(hier *h, hier_class *c, int level)
{
    if (c->text->external) return c;
    hier_class *found = NULL;
    if (level > HIER_DEEPEST) return NULL;
    hier_bases(h, c);
    for (size_t i = 0; i < c->base.count && !found; i++)
        found = clause_of(h, c->base.item[i].class, level + 1);
    return found;
}

static void write_call(hier *h, const hier_env *env, const model_external *x)
{
    if (x->result) {
        text_add(h->out, " ");
        hier_write_expression(h, env, x->result);
        text_add(h->out, " =");
    }
    text_add(h->out, " ");
    hier_write_word(h, x->function);
    text_add(h->out, "(");
    for (size_t i = 0; i < x->argument.count; i++) {
        if (i > 0) text_add(h->out, ", ");
        hier_write_expression(h, env, x->argument.item[i]);
    }
    text_add(h->out, ")");
}

/* (order = 2, noDerivative = x) */
static void write_options(hier *h, const hier_env *env, const model_modifiers *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const model_modifier *m = &list->item[i];
        text_add(h->out, i ? ", " : "(");
        hier_write_word(h, m->name);
        if (!m->value) continue;
        text_add(h->out, " = ");
        hier_write_expression(h, env, m->value);
    }
    if (list->count) text_add(h->out, ")");
}

static void write_rates(hier *h, const hier_env *env, const model_class *c)
{
    bool first = true;
    for (size_t i = 0; i < c->rate.count; i++) {
        const model_path *path = &c->rate.item[i]->function;
        hier_found found;
        hier_type type = {0};
        if (!hier_find_type(h, env, path, &found) || !found.class) continue;
        if (!hier_follow(h, env, found.class, path->at, &type) || !type.class) continue;
        text_add(h->out, first ? "    annotation(derivative" : ", derivative");
        first = false;
        write_options(h, env, &c->rate.item[i]->option);
        text_add(h->out, " = ");
        hier_write_name(h, hier_flat_class(h, type.class), false);
    }
    if (first) return;
    text_add(h->out, ");");
    hier_end_line(h, env, c->at);
}

void hier_write_external(hier *h, hier_class *c)
{
    hier_class *of = clause_of(h, c, 0);
    if (!of) return;
    const model_external *x = of->text->external;
    hier_env env = hier_class_env(h, of);
    text_format(h->out, "    external \"%s\"", x->language);
    if (x->function != NAMES_NONE) write_call(h, &env, x);
    text_add(h->out, ";");
    hier_end_line(h, &env, x->at);
    env = hier_class_env(h, c);
    write_rates(h, &env, c->text);
}
