/* Names of the Modelica Standard Library. The reader of flat texts knows some of its types,
 * constants and functions; they are written with their whole names. */
#include "hierarchy/tree.h"

#include <string.h>

static const char TABLE[] = "Modelica.Math.Vectors.interpolate",
                  SURFACE[] = "Daedal.Tables.interpolate2";

static bool begins_library(const hier *h, const model_path *path)
{
    return strcmp(names_string(h->words, path->first.name), "Modelica") == 0;
}

static const char *joined(hier *h, const char *before, const model_part *part)
{
    for (; part; part = part->next)
        before = arena_format(h->a, "%s%s%s", before, *before ? "." : "",
                              hier_spelled(h, part->name));
    return before;
}

const char *hier_standard_name(hier *h, const hier_env *env, const model_path *path)
{
    const char *found = NULL;
    if (begins_library(h, path)) return joined(h, "", &path->first);
    for (const hier_class *c = env->part->class; c && !found; c = c->outer)
        for (size_t i = 0; i < c->text->import.count; i++) {
            const model_import *m = &c->text->import.item[i];
            if (!begins_library(h, m->path)) continue;
            const char *package = joined(h, "", &m->path->first);
            if (m->name == path->first.name) return joined(h, package, path->first.next);
            if (m->name == NAMES_NONE) found = joined(h, package, &path->first);
        }
    return found;
}

const char *hier_language_function(hier *h, hier_class *c)
{
    for (int steps = 0; steps < HIER_DEEPEST; steps++) {
        const model_path *path = c->text->base;
        hier_found found;
        bool is_short = c->text->kind == CLASS_FUNCTION && path && !c->text->modifier.count;
        if (!is_short || !c->outer) return NULL;
        const hier_env env = hier_class_env(h, c->outer);
        if (hier_lookup(h, c->outer, path->first.name, &found)) {
            if (!found.class || found.class == c || path->first.next) return NULL;
            c = found.class;
            continue;
        }
        const char *name = names_string(h->words, path->first.name);
        if (!path->first.next && hier_is_builtin(name)) return name;
        return hier_standard_name(h, &env, path);
    }
    return NULL;
}

/* --- curves of tables, which an annotation of the place chooses --- */

/* An entry of the innermost annotation around a place; "": none. own: of what begins there alone.
 */
static const char *entry_at(const hier *h, const model_reader *r, model_span at, bool own,
                            const char *name)
{
    for (size_t i = 0; i < r->vendor.count; i++) { /* annotations of inner parts end earlier */
        const model_vendor *v = &r->vendor.item[i];
        if (at.begin < v->at.begin || at.end > v->at.end) continue;
        if (own && at.begin != v->at.begin) continue;
        for (size_t k = 0; k < v->entry.count; k++) {
            const model_modifier *m = &v->entry.item[k];
            bool string = m->value && m->value->kind == EXPRESSION_STRING;
            if (string && strcmp(names_string(h->words, m->name), name) == 0)
                return names_string(h->words, m->value->name);
        }
    }
    return "";
}

static void note_curve(hier *h, const hier_table *t)
{
    bool same = !h->table.interpolation || (strcmp(h->table.interpolation, t->interpolation) == 0 &&
                                            strcmp(h->table.outside, t->outside) == 0);
    if (!same)
        hier_error(h, &t->env, t->at, "give one of them a variable of its own",
                   "two tables with different curves come into one equation");
    h->table = *t;
}

/* An entry of a variable, of its type, or else of the classes around it. */
static const char *entry_of(const hier *h, const hier_instance *leaf, const char *name)
{
    const model_reader *r = &leaf->env.part->class->unit->reader;
    model_span at = leaf->declaration->at;
    const char *entry = entry_at(h, r, at, true, name);
    const hier_class *c = leaf->annotated;
    if (!*entry && c) entry = entry_at(h, &c->unit->reader, c->text->at, true, name);
    return *entry ? entry : entry_at(h, r, at, false, name);
}

void hier_note_table(hier *h, const hier_env *env, const model_expression *call, const char *name)
{
    const model_reader *r = &env->part->class->unit->reader;
    hier_table t = {.at = call->at, .env = *env};
    if (!strstr(name, TABLE) && !strstr(name, SURFACE)) return;
    t.interpolation = entry_at(h, r, call->at, false, "interpolation");
    t.outside = entry_at(h, r, call->at, false, "outside");
    note_curve(h, &t);
}

void hier_note_course(hier *h, const hier_instance *leaf)
{
    if (leaf->direction != DIRECTION_INPUT || hier_value_of(leaf->frame)) return;
    hier_table t = {.at = leaf->declaration->at, .env = leaf->env};
    t.interpolation = entry_of(h, leaf, "interpolation");
    t.outside = entry_of(h, leaf, "outside");
    note_curve(h, &t);
}

void hier_write_table(hier *h)
{
    const hier_table *t = &h->table;
    if (t->interpolation && (*t->interpolation || *t->outside)) {
        text_add(h->out, " annotation(__daedal(");
        if (*t->interpolation) text_format(h->out, "interpolation = \"%s\"", t->interpolation);
        if (*t->interpolation && *t->outside) text_add(h->out, ", ");
        if (*t->outside) text_format(h->out, "outside = \"%s\"", t->outside);
        text_add(h->out, "))");
    }
    h->table = (hier_table){0};
}

void hier_check_table(hier *h)
{
    const hier_table *t = &h->table;
    if (t->interpolation && (*t->interpolation || *t->outside))
        hier_error(h, &t->env, t->at, "give the value of the table a variable of its own",
                   "a table whose curve is chosen, in a condition");
    h->table = (hier_table){0};
}

bool hier_is_curve(const hier *h, const model_modifier *m)
{
    const char *name = names_string(h->words, m->name);
    return strcmp(name, "interpolation") == 0 || strcmp(name, "outside") == 0;
}
