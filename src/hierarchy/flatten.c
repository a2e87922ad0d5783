#include "hierarchy/hierarchy.h"

#include "hierarchy/tree.h"

#include <string.h>

typedef struct flattening {
    hier h;
    dae_status status;
} flattening;

static void expand_all(hier *h, hier_instance *i)
{
    hier_expand(h, i);
    for (size_t k = 0; k < i->child.count && i->kind != HIER_REMOVED; k++)
        expand_all(h, i->child.item[k]);
}

/* What an object is written with, besides its variables. */
static void write_behaviour(hier *h, hier_instance *i)
{
    for (size_t k = 0; k < i->part.count; k++) {
        const hier_part *part = i->part.item[k];
        const model_class *c = part->class->text;
        hier_env env = {.instance = i, .part = part};
        hier_write_in(h, SECTION_INITIAL);
        hier_write_clauses(h, &env, &c->initial, 1);
        hier_write_in(h, SECTION_EQUATIONS);
        hier_write_clauses(h, &env, &c->equation, 1);
        hier_write_in(h, SECTION_ALGORITHMS);
        for (size_t a = 0; a < c->algorithm.count; a++) {
            text_add(h->out, c->algorithm.item[a].initial ? "initial algorithm" : "algorithm");
            hier_end_line(h, &env, c->algorithm.item[a].at);
            hier_write_clauses(h, &env, &c->algorithm.item[a].statement, 1);
        }
    }
}

static void write_objects(hier *h, hier_instance *i)
{
    if (i->kind == HIER_OBJECT) write_behaviour(h, i);
    for (size_t k = 0; k < i->child.count && i->kind != HIER_REMOVED; k++)
        write_objects(h, i->child.item[k]);
}

static void write_variables(hier *h, hier_instance *i)
{
    if (i->kind == HIER_LEAF) hier_write_declaration(h, i, 1);
    for (size_t k = 0; k < i->child.count && i->kind != HIER_REMOVED; k++)
        write_variables(h, i->child.item[k]);
}

/* A parameter that a later declaration evaluates, as the name of a file, is final and has what was
 * set for it: then all declarations are written once more. */
static void write_declarations(hier *h)
{
    hier_write_in(h, SECTION_DECLARATIONS);
    do {
        h->late = false;
        text_free(h->out);
        h->lines->count = 0;
        write_variables(h, h->top);
    } while (h->late && !h->failed);
}

/* What stands beside the model may need more of its kind. */
static void write_beside(hier *h)
{
    size_t classes = 0, constants = 0;
    hier_write_in(h, SECTION_BESIDE);
    while (classes < h->beside.count || constants < h->constant.count) {
        if (constants < h->constant.count)
            hier_write_constant(h, h->constant.item[constants++]);
        else
            hier_write_class(h, h->beside.item[classes++]);
    }
}

/* --- the whole text --- */

static void add_line(hier *h, const char *format, const char *name)
{
    text_format(&h->flat->text, format, name);
    list_push(h->a, h->lines, h->first_line);
}

static void add_section(hier *h, hier_section_name section, const char *keyword)
{
    hier_section *s = &h->section[section];
    if (s->lines.count == 0) return;
    if (keyword) add_line(h, "%s\n", keyword);
    text_add_bytes(&h->flat->text, text_string(&s->text), s->text.length);
    h->flat->text.cut |= s->text.cut;
    for (size_t i = 0; i < s->lines.count; i++) list_push(h->a, h->lines, s->lines.item[i]);
    text_free(&s->text);
    list_return(h->a, &s->lines);
}

/* Writes an entry of __daedal(...) of a class of an instance; `first`: of all. */
static void add_vendor_entry(hier *h, const hier_env *env, const model_modifier *m, bool *first)
{
    text_add(h->out, *first ? "__daedal(" : ", ");
    *first = false;
    hier_write_word(h, m->name);
    if (!m->value) return;
    text_add(h->out, " = ");
    hier_write_expression(h, env, m->value);
}

/* The invariants of an instance and of its components. Curves stand where their tables do. */
static void add_vendor_entries(hier *h, hier_instance *i, bool *first)
{
    for (size_t p = 0; i->kind == HIER_OBJECT && p < i->part.count; p++) {
        const model_class *c = i->part.item[p]->class->text;
        hier_env env = {.instance = i, .part = i->part.item[p]};
        for (size_t k = 0; k < c->vendor.count; k++) {
            const model_modifier *m = &c->vendor.item[k];
            if (strcmp(names_string(h->words, m->name), "invariant") == 0)
                add_vendor_entry(h, &env, m, first);
        }
    }
    for (size_t k = 0; k < i->child.count && i->kind != HIER_REMOVED; k++)
        add_vendor_entries(h, i->child.item[k], first);
}

/* experiment(...) and __daedal(...), with the names of the flat model. A short definition may have
 * an experiment of its own. */
static void add_annotation(hier *h, const hier_class *model)
{
    bool own = model->text->experiment.count > 0;
    const model_class *c = own ? model->text : h->top->class->text;
    hier_env env = {.instance = h->top};
    bool none = true;
    for (size_t k = 0; k < h->top->part.count; k++)
        if (h->top->part.item[k]->class == h->top->class) env.part = h->top->part.item[k];
    if (!env.part) return;
    h->out = &h->section[SECTION_ANNOTATION].text;
    add_vendor_entries(h, h->top, &none);
    h->out = &h->flat->text;
    const model_modifier experiment = {.nested = c->experiment};
    if (c->experiment.count == 0 && none) return;
    text_add(h->out, "  annotation(");
    if (c->experiment.count) text_add(h->out, "experiment");
    if (c->experiment.count) hier_write_entries(h, hier_own(h, &env, &experiment), false);
    if (c->experiment.count && !none) text_add(h->out, ", ");
    const text *entries = &h->section[SECTION_ANNOTATION].text;
    if (!none) text_add_bytes(h->out, text_string(entries), entries->length);
    text_add(h->out, none ? ");\n" : "));\n");
    h->out->cut |= entries->cut;
    list_push(h->a, h->lines, h->first_line);
}

static void write_text(hier *h, const hier_class *model)
{
    hier_lines lines = {0};
    text name = {0};
    h->out = &name;
    hier_write_word(h, model->text->name);
    h->lines = &lines;
    bool package = h->section[SECTION_BESIDE].lines.count > 0;
    if (package) add_line(h, "package %s\n", text_string(&name));
    add_section(h, SECTION_BESIDE, NULL);
    add_line(h, "model %s\n", text_string(&name));
    add_section(h, SECTION_DECLARATIONS, NULL);
    add_section(h, SECTION_INITIAL, "initial equation");
    add_section(h, SECTION_EQUATIONS, "equation");
    add_section(h, SECTION_ALGORITHMS, NULL);
    add_annotation(h, model);
    add_line(h, "end %s;\n", text_string(&name));
    if (package) add_line(h, "end %s;\n", text_string(&name));
    text_free(&name);
    list_push(h->a, &lines, h->first_line); /* of what follows the last line */
    h->flat->line = arena_duplicate(&h->flat->memory, lines.item, lines.count, sizeof *lines.item);
}

static void write_all(hier *h, const hier_class *model)
{
    hier_open_net(h);
    write_objects(h, h->top);
    if (h->failed) return;
    hier_write_in(h, SECTION_EQUATIONS);
    hier_write_connections(h);
    if (!h->failed) hier_write_fluids(h);
    if (h->failed) return;
    hier_list_open_inputs(h);
    write_declarations(h);
    write_beside(h);
    if (!h->failed) write_text(h, model);
}

static void work(void *argument)
{
    flattening *f = argument;
    hier *h = &f->h;
    h->a = arena_part(&h->flat->memory); /* of what the text is made of */
    h->flat->settings = h->request->settings;
    h->flat->used = arena_array(&h->flat->memory, h->request->settings, sizeof(bool));
    h->flat->name = arena_array(&h->flat->memory, h->request->settings, sizeof(char *));
    h->ids = 2; /* 0 and 1 are those of unit.c */
    hier_open_first(h, h->request->text);
    if (h->unit.item[0]->reader.reports.list.count) return;
    hier_class *model = hier_choose(h, &f->status);
    if (!model) return;
    h->model = hier_spelled(h, model->text->name);
    h->first_line = model_line_number(&h->unit.item[0]->reader, model->text->at);
    h->top = hier_instantiate(h, model);
    if (h->top) expand_all(h, h->top);
    if (h->top) hier_part_names(h);
    if (h->top && !h->failed) write_all(h, model);
    if (h->top && !h->failed) hier_name_settings(h);
}

static void write_reports(void *argument)
{
    flattening *f = argument;
    if (f->status == DAE_OK) f->status = hier_write_reports(&f->h);
}

dae_status hierarchy_flatten(const hierarchy_request *request, message *m, hierarchy_flat *flat)
{
    *flat = (hierarchy_flat){0};
    flattening f = {.h = {.request = request, .m = m, .flat = flat}};
    bool fits = arena_protect(&flat->memory, work, &f) == DAE_OK &&
                arena_protect(&flat->memory, write_reports, &f) == DAE_OK;
    for (int i = 0; i < HIER_SECTIONS; i++) text_free(&f.h.section[i].text);
    columns_free(&f.h.columns);
    if (f.h.a) arena_free(f.h.a);
    if (!fits || flat->text.cut)
        return message_fail(m, DAE_NO_MEMORY, "memory is exhausted in flattening %s",
                            request->text->file);
    if (f.status == DAE_OK && f.h.failed)
        f.status = message_fail(m, DAE_MODEL_ERROR, "%s: error: it cannot be flattened",
                                request->text->file);
    return f.status;
}

void hierarchy_flat_free(hierarchy_flat *flat)
{
    text_free(&flat->text);
    arena_free(&flat->memory);
    *flat = (hierarchy_flat){0};
}
