/* The model of a text that is flattened. */
#include "hierarchy/tree.h"

#include <string.h>

typedef LIST(hier_class *) candidates;

static void gather(hier *h, hier_class *in, candidates *list)
{
    for (size_t i = 0; i < in->text->inner.count; i++) {
        const model_class *own = in->text->inner.item[i];
        hier_class *c = hier_inner(h, in, own->name);
        if (!c || c->text != own) continue;
        if (own->kind == CLASS_MODEL && !own->partial) list_push(h->a, list, c);
        if (own->kind == CLASS_PACKAGE) gather(h, c, list);
    }
}

/* Marks the classes that a class uses. */
static void mark_used(hier *h, hier_class *c)
{
    hier_env env = hier_class_env(h, c);
    hier_found found;
    hier_bases(h, c);
    for (size_t i = 0; i < c->text->declaration.count; i++) {
        bool is = hier_find_type(h, &env, c->text->declaration.item[i]->type, &found);
        if (!is || !found.class) continue;
        found.class->used = true;
        c->composed |= found.class->text->kind == CLASS_MODEL;
    }
    for (size_t i = 0; i < c->text->inner.count; i++)
        if (c->text->inner.item[i]->kind == CLASS_MODEL)
            mark_used(h, hier_inner(h, c, c->text->inner.item[i]->name));
}

static void mark_all(hier *h, hier_class *in)
{
    for (size_t i = 0; i < in->text->inner.count; i++) {
        hier_class *c = hier_inner(h, in, in->text->inner.item[i]->name);
        if (c->text->kind == CLASS_PACKAGE) mark_all(h, c);
        if (c->text->kind == CLASS_MODEL) mark_used(h, c);
    }
}

/* The class of a dotted name. */
static hier_class *class_called(hier *h, hier_class *root, const char *name)
{
    hier_class *c = root;
    while (c && *name) {
        size_t length = name[0] == '\'' ? strcspn(name + 1, "'") + 2 : strcspn(name, ".");
        if (length > strlen(name)) return NULL;
        c = hier_inner(h, c, names_intern(h->words, name, length));
        name += length;
        if (*name == '.') name++;
    }
    return c;
}

/* Whether the name of the file is that of the class. */
static bool named_as_file(hier *h, const hier_class *c)
{
    const char *file = strrchr(h->request->text->file, '/');
    file = file ? file + 1 : h->request->text->file;
    size_t length = strcspn(file, ".");
    const char *name = hier_spelled(h, c->text->name);
    return strlen(name) == length && strncmp(name, file, length) == 0;
}

/* The only candidate with a property; NULL: none or several. */
static hier_class *only(hier *h, const candidates *list, int property)
{
    hier_class *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        hier_class *c = list->item[i];
        bool has = property == 0 || (property == 1 && named_as_file(h, c)) ||
                   (property == 2 && !c->used) ||
                   (property == 3 && !c->used && c->text->experiment.count > 0) ||
                   (property == 4 && !c->used && c->composed);
        if (has) found = c;
        count += has;
    }
    return count == 1 ? found : NULL;
}

static void list_candidates(hier *h, const candidates *list)
{
    enum { MOST = 20 };
    for (size_t i = 0; i < list->count && i < MOST; i++)
        message_more(h->m, "%s%s", i ? ", " : "", hier_class_path(h, list->item[i]));
    if (list->count > MOST) message_more(h->m, " and %zu more", list->count - MOST);
}

static hier_class *choose_called(hier *h, hier_class *root, const candidates *list,
                                 dae_status *status)
{
    hier_class *c = class_called(h, root, h->request->model);
    if (c && c->text->kind == CLASS_MODEL && !c->text->partial) return c;
    *status = message_fail(h->m, DAE_USAGE,
                           c ? "%s of %s is partial, or no model; models are: "
                             : "there is no model %s in %s; models are: ",
                           h->request->model, h->request->text->file);
    list_candidates(h, list);
    return NULL;
}

hier_class *hier_choose(hier *h, dae_status *status)
{
    hier_class *root = h->unit.item[0]->root;
    candidates list = {0};
    gather(h, root, &list);
    if (h->request->model) return choose_called(h, root, &list, status);
    if (list.count == 0) {
        model_error(&h->unit.item[0]->reader,
                    root->text->inner.count ? root->text->inner.item[0]->at : (model_span){0, 1},
                    "no model in this text",
                    "a model is written: model NAME ... equation ... end NAME;");
        h->failed = true;
        return NULL;
    }
    h->quiet++;
    mark_all(h, root);
    h->quiet--;
    h->failed = false;
    for (int property = 0; property < 5; property++) {
        hier_class *c = only(h, &list, property);
        if (c) return c;
    }
    *status = message_fail(h->m, DAE_USAGE, "%s has several models; choose one of them (--model): ",
                           h->request->text->file);
    list_candidates(h, &list);
    return NULL;
}
