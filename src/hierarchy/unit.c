/* Texts with classes: the file of the model and others (folder.c), and mistakes in them. */
#include "hierarchy/tree.h"
#include "model/evaluator.h"
#include "model/parser.h"

#include <stdarg.h>
#include <string.h>

enum { GLOBAL = 0, SOUGHT = 1 }; /* owners in the map: classes of all texts; names looked for */

hier_unit *hier_open(hier *h, const model_text *from)
{
    hier_unit *unit = arena_take(h->a, sizeof *unit);
    model_reader *r = &unit->reader;
    r->a = r->home = h->a;
    r->words = h->words;
    r->hierarchical = true;
    list_push(h->a, &h->unit, unit);
    if (!model_open_text(r, *from)) return unit;
    model_lex(r);
    h->words = r->words;
    model_parse(r);
    unit->root = hier_class_new(h, r->root, NULL, unit);
    return unit;
}

void hier_open_first(hier *h, const model_text *from)
{
    hier_class *root = hier_open(h, from)->root;
    if (!root) return;
    for (size_t i = 0; i < root->text->inner.count; i++) {
        uint32_t name = root->text->inner.item[i]->name;
        if (!hier_get(h, GLOBAL, name)) hier_put(h, GLOBAL, name, hier_inner(h, root, name));
    }
    hier_mark_package(h, root);
}

hier_class *hier_global(hier *h, uint32_t name)
{
    hier_class *known = hier_get(h, GLOBAL, name);
    if (known || hier_get(h, SOUGHT, name)) return known;
    hier_put(h, SOUGHT, name, h);
    known = hier_outermost(h, name);
    if (known && !hier_get(h, GLOBAL, name)) hier_put(h, GLOBAL, name, known);
    return hier_get(h, GLOBAL, name);
}

const char *hier_spelled(const hier *h, uint32_t name)
{
    const char *string = names_string(h->words, name);
    return string[0] == '\'' ? arena_copy(h->a, string + 1, strlen(string) - 2) : string;
}

void hier_error(hier *h, const hier_env *env, model_span at, const char *remedy, const char *format,
                ...)
{
    h->failed = true;
    if (h->quiet) return;
    va_list arguments;
    va_start(arguments, format);
    const char *what = arena_format_list(h->a, format, arguments);
    va_end(arguments);
    const hier_instance *in = env->instance;
    if (in && in->name[0]) what = arena_format(h->a, "%s (in %s)", what, in->name);
    model_error(&env->part->class->unit->reader, at, "%s", NULL, what);
    if (remedy) model_remedy(&env->part->class->unit->reader, "%s", remedy);
}

void hier_remedy_nearest(hier *h, const hier_env *env, const char *word, size_t count,
                         const char *const *candidate)
{
    if (h->quiet) return;
    model_remedy_nearest(&env->part->class->unit->reader, word, count, candidate);
}

dae_status hier_write_reports(hier *h)
{
    dae_status status = DAE_OK;
    for (size_t i = 0; i < h->unit.count; i++) {
        model_reader *r = &h->unit.item[i]->reader;
        if (r->reports.list.count == 0) continue;
        if (status != DAE_OK) message_more(h->m, "\n");
        status = model_reports_write(r, h->m);
    }
    for (size_t i = 0; status == DAE_OK && i < h->unit.count; i++) {
        model_reader *r = &h->unit.item[i]->reader;
        model_note_vendor(r);
        for (size_t k = 0; k < r->note.count; k++) message_note(h->m, "%s", r->note.item[k]);
    }
    return status;
}
