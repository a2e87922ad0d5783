/* Names and lines of the flat text. */
#include "hierarchy/tree.h"

#include <string.h>

void hier_write_in(hier *h, hier_section_name section)
{
    h->out = &h->section[section].text;
    h->lines = &h->section[section].lines;
}

/* The line of the model's file where something is written, or where the component is declared that
 * has it. */
static unsigned line_of(const hier *h, const hier_env *env, model_span at)
{
    const hier_unit *file = h->unit.item[0];
    if (!env->part || env->part->class->unit == file) return model_line_number(&file->reader, at);
    const hier_instance *i = env->instance;
    while (i && i->declaration && i->env.part->class->unit != file) i = i->parent;
    bool there = i && i->declaration;
    return there ? model_line_number(&file->reader, i->declaration->at) : h->first_line;
}

void hier_end_line(hier *h, const hier_env *env, model_span at)
{
    hier_check_table(h);
    text_add(h->out, "\n");
    list_push(h->a, h->lines, line_of(h, env, at));
}

static bool is_plain(const char *name)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return name[0] && !strchr("0123456789", name[0]) && name[strspn(name, letters)] == '\0';
}

void hier_write_name(hier *h, const char *name, bool quoted)
{
    if (!quoted && is_plain(name)) {
        text_add(h->out, name);
        return;
    }
    text_add(h->out, "'");
    for (const char *c = name; *c; c++) {
        if (*c == '\'' || *c == '\\') text_add(h->out, "\\");
        text_add_bytes(h->out, c, 1);
    }
    text_add(h->out, "'");
}

void hier_write_word(hier *h, uint32_t name)
{
    const char *word = names_string(h->words, name);
    if (word[0] == '\'')
        hier_write_name(h, hier_spelled(h, name), true);
    else
        text_add(h->out, word);
}

void hier_write_leaf(hier *h, const hier_instance *leaf)
{
    if (leaf->local || (leaf->parent == h->top && !leaf->renamed))
        hier_write_word(h, leaf->declaration->name);
    else
        hier_write_name(h, leaf->name, true);
}

/* A name for what stands beside the model. A variable of the model may have it, too. */
static const char *free_name(hier *h, const char *path)
{
    bool taken = hier_child(h, h->top, hier_word(h, path)) || strcmp(path, h->model) == 0;
    return taken ? arena_format(h->a, ".%s", path) : path;
}

const char *hier_flat_class(hier *h, hier_class *c)
{
    if (c->flat_name) return c->flat_name;
    c->flat_name = free_name(h, hier_class_path(h, c));
    list_push(h->a, &h->beside, c);
    hier_check(h, c);
    return c->flat_name;
}

const char *hier_flat_constant(hier *h, hier_class *c, const model_declaration *d)
{
    hier_constant *known = hier_get(h, c->id + 2, d->name);
    if (known) return known->flat_name;
    if (hier_get(h, c->id + 3, d->name)) {
        hier_env env = hier_class_env(h, c);
        hier_error(h, &env, d->at, "make it a parameter, and an input of the function",
                   "a component modifies %s, which a function or another class uses",
                   hier_spelled(h, d->name));
    }
    hier_constant *constant = arena_take(h->a, sizeof *constant);
    const char *path = hier_class_path(h, c);
    *constant = (hier_constant){.class = c, .declaration = d};
    constant->flat_name = free_name(h, arena_format(h->a, "%s.%s", path, hier_spelled(h, d->name)));
    hier_put(h, c->id + 2, d->name, constant);
    list_push(h->a, &h->constant, constant);
    return constant->flat_name;
}
