/* Classes as written, and how they are found by their names (Modelica 3.6, Sec. 5.3). */
#include "hierarchy/tree.h"

#include <string.h>

hier_class *hier_class_new(hier *h, model_class *written, hier_class *outer, hier_unit *unit)
{
    hier_class *c = arena_take(h->a, sizeof *c);
    *c = (hier_class){.text = written, .outer = outer, .unit = unit};
    c->id = h->ids;
    h->ids += 5;
    return c;
}

hier_env hier_class_env(hier *h, hier_class *c)
{
    hier_part *part = arena_take(h->a, sizeof *part);
    part->class = c;
    return (hier_env){.part = part};
}

const char *hier_class_path(hier *h, const hier_class *c)
{
    const char *name = hier_spelled(h, c->text->name);
    if (!c->outer || !c->outer->outer) return name;
    return arena_format(h->a, "%s.%s", hier_class_path(h, c->outer), name);
}

static void report_second(hier *h, hier_class *c, const model_class *second)
{
    hier_env env = hier_class_env(h, c);
    hier_error(h, &env, second->at, "give one of them another name, or remove it",
               "%s is already declared in %s", hier_spelled(h, second->name),
               c->outer ? hier_class_path(h, c) : "this text");
}

static void index_elements(hier *h, hier_class *c)
{
    if (c->indexed) return;
    c->indexed = true;
    for (size_t i = 0; i < c->text->inner.count; i++) {
        model_class *inner = c->text->inner.item[i];
        if (hier_get(h, c->id, inner->name))
            report_second(h, c, inner);
        else
            hier_put(h, c->id, inner->name, hier_class_new(h, inner, c, c->unit));
    }
    for (size_t i = 0; i < c->text->declaration.count; i++) {
        model_declaration *d = c->text->declaration.item[i];
        if (!hier_get(h, c->id + 1, d->name)) hier_put(h, c->id + 1, d->name, d);
    }
}

/* The class of `extends`; NULL: reported. */
static void add_base(hier *h, hier_class *c, const model_path *path, const model_modifiers *m,
                     bool hidden)
{
    hier_found found;
    hier_env env = hier_class_env(h, c);
    if (!hier_find_type(h, &env, path, &found)) return;
    if (!found.class) {
        if (c->text->kind != CLASS_TYPE)
            hier_error(h, &env, path->at, "declare a component of this type",
                       "%s cannot be extended by a %s", names_string(h->words, path->first.name),
                       c->text->connector ? "connector" : "class");
        return;
    }
    hier_base base = {.class = found.class, .modifier = m, .path = path, .hidden = hidden};
    found.class->used = true;
    list_push(h->a, &c->base, base);
}

void hier_bases(hier *h, hier_class *c)
{
    if (c->bases != BASES_NEW) return;
    c->bases = BASES_RUNNING; /* the names of bases are not looked for in bases */
    for (size_t i = 0; i < c->text->extension.count; i++) {
        const model_extension *e = &c->text->extension.item[i];
        add_base(h, c, e->base, &e->modifier, e->hidden);
    }
    if (c->text->base) add_base(h, c, c->text->base, &c->text->modifier, false);
    c->bases = BASES_DONE;
}

enum { DEEPEST_SEARCH = 1000 }; /* bases of bases */

/* The class, or a base of it, whose map has `name` under its own number plus `of`. */
static void *search(hier *h, hier_class *c, uint32_t name, uint32_t of, hier_class **where)
{
    if (c->searched == h->search || h->depth >= DEEPEST_SEARCH) return NULL;
    c->searched = h->search;
    index_elements(h, c);
    *where = c;
    void *found = hier_get(h, c->id + of, name);
    if (!found && of == 0) found = hier_in_folder(h, c, name);
    if (found || c->bases == BASES_RUNNING) return found;
    h->depth++;
    if (c->bases == BASES_NEW) {
        uint32_t outer = h->search; /* bases are looked for in searches of their own */
        hier_bases(h, c);
        h->search = outer;
    }
    for (size_t i = 0; i < c->base.count && !found; i++)
        found = search(h, c->base.item[i].class, name, of, where);
    h->depth--;
    return found;
}

/* Each search has a number, and looks into a class once, so that loops of bases end. */
static void *find_in(hier *h, hier_class *c, uint32_t name, uint32_t of, hier_class **where)
{
    h->search = ++h->searches;
    return search(h, c, name, of, where);
}

hier_class *hier_inner(hier *h, hier_class *c, uint32_t name)
{
    hier_class *where;
    return find_in(h, c, name, 0, &where);
}

const model_declaration *hier_declared(hier *h, hier_class *c, uint32_t name, hier_class **where)
{
    return find_in(h, c, name, 1, where);
}

/* What a class itself has by a name. */
static bool look_in(hier *h, hier_class *c, uint32_t name, hier_found *found)
{
    *found = (hier_found){.where = c};
    found->class = hier_inner(h, c, name);
    if (!found->class) found->declaration = hier_declared(h, c, name, &found->where);
    return found->class || found->declaration;
}

/* A path of an import: its names count from the outermost on (Sec. 13.2.1). */
static hier_class *imported_class(hier *h, const model_path *path)
{
    hier_class *c = hier_global(h, path->first.name);
    for (const model_part *part = path->first.next; part && c; part = part->next)
        c = hier_inner(h, c, part->name);
    return c;
}

/* The package that a path names without its last name. */
static hier_class *imported_from(hier *h, const model_path *path, uint32_t *last)
{
    hier_class *c = path->first.next ? hier_global(h, path->first.name) : NULL;
    const model_part *part = path->first.next;
    for (; part && part->next && c; part = part->next) c = hier_inner(h, c, part->name);
    *last = part ? part->name : path->first.name;
    return c;
}

static bool look_in_import(hier *h, const model_import *i, uint32_t name, hier_found *found)
{
    *found = (hier_found){0};
    if (i->name == NAMES_NONE) {
        hier_class *package = imported_class(h, i->path);
        return package && look_in(h, package, name, found);
    }
    if (i->name != name) return false;
    uint32_t last;
    hier_class *package = imported_from(h, i->path, &last);
    if (package) return look_in(h, package, last, found);
    found->class = hier_global(h, last);
    return found->class != NULL;
}

static bool is_predefined(const hier *h, uint32_t name)
{
    const char *word = names_string(h->words, name);
    return strcmp(word, "StateSelect") == 0 || strcmp(word, "AssertionLevel") == 0;
}

static model_base builtin_type(const hier *h, uint32_t name)
{
    model_base base = TYPE_STRING;
    while (base > TYPE_NONE && strcmp(names_string(h->words, name), model_base_name[base]) != 0)
        base--;
    return base;
}

/* Whether other imports give the name to another class. */
static void look_further(hier *h, hier_class *c, size_t from, uint32_t name, hier_found *found)
{
    hier_found other;
    for (size_t i = from; i < c->text->import.count && !found->also && found->class; i++)
        if (look_in_import(h, &c->text->import.item[i], name, &other) && other.class &&
            other.class->text != found->class->text)
            found->also = hier_class_path(h, other.class);
}

/* The class around: for the model's text, the package of which it says that it is part. */
static hier_class *around(hier *h, hier_class *c)
{
    if (c->outer || c != h->unit.item[0]->root) return c->outer;
    const model_path *within = c->unit->reader.within;
    return within ? imported_class(h, within) : NULL;
}

bool hier_lookup(hier *h, hier_class *from, uint32_t name, hier_found *found)
{
    for (hier_class *c = from; c && name != NAMES_NONE; c = around(h, c)) {
        if (look_in(h, c, name, found)) return true;
        for (size_t i = 0; i < c->text->import.count; i++)
            if (look_in_import(h, &c->text->import.item[i], name, found)) {
                look_further(h, c, i + 1, name, found);
                return true;
            }
    }
    *found = (hier_found){0};
    if (name == NAMES_NONE) return false;
    found->builtin = builtin_type(h, name);
    found->predefined = is_predefined(h, name);
    if (found->builtin != TYPE_NONE || found->predefined) return true;
    found->class = hier_global(h, name);
    return found->class != NULL;
}

static void add_inner(hier *h, const hier_class *c, hier_words *candidate)
{
    for (size_t i = 0; i < c->text->inner.count; i++)
        list_push(h->a, candidate, hier_spelled(h, c->text->inner.item[i]->name));
    if (c->folder) hier_name_shipped(h, c->folder, candidate);
}

/* A part of a name; `in` is the class that the parts before it name, NULL: it has none. */
static void report_unknown(hier *h, const hier_env *env, const model_path *path,
                           const model_part *part, hier_class *in)
{
    const char *word = hier_spelled(h, part->name);
    const model_reader *r = &env->part->class->unit->reader;
    hier_words candidate = {0};
    if (in) {
        hier_error(h, env, path->at, NULL, "%s: %s has no class %s", model_excerpt(r, path->at),
                   hier_class_path(h, in), word);
        add_inner(h, in, &candidate);
    } else {
        hier_error(h, env, path->at, "declare it in this file, or beside it in a file of its name",
                   "the class %s is not declared", model_excerpt(r, path->at));
        for (model_base b = TYPE_REAL; b <= TYPE_STRING; b++)
            list_push(h->a, &candidate, model_base_name[b]);
        for (const hier_class *c = env->part->class; c; c = c->outer) add_inner(h, c, &candidate);
    }
    hier_remedy_nearest(h, env, word, candidate.count, candidate.item);
}

static const char LIBRARY[] = "Daedal"; /* that is part of the program */

/* The class with a name in a package of the library that is part of the program; NULL: none. */
static const char *shipped_class(hier *h, const char *name)
{
    hier_class *library = hier_global(h, hier_word(h, LIBRARY)), *found = NULL;
    hier_words package = {0};
    if (!library || !library->folder) return NULL;
    hier_name_shipped(h, library->folder, &package);
    for (size_t i = 0; i < package.count && !found; i++) {
        hier_class *c = hier_inner(h, library, hier_word(h, package.item[i]));
        found = c ? hier_inner(h, c, hier_word(h, name)) : NULL;
    }
    return found ? hier_class_path(h, found) : NULL;
}

/* Reports what is no known type of the Modelica Standard Library, by its whole name. What daedal
 * has by the same name is the remedy. */
static void report_foreign(hier *h, const hier_env *env, const model_path *path, const char *whole)
{
    const char *dot = strrchr(whole, '.');
    const char *own = dot ? shipped_class(h, dot + 1) : NULL;
    hier_error(h, env, path->at, NULL, "the class %s is not declared", whole);
    if (h->quiet) return;
    model_remedy_library(&env->part->class->unit->reader, whole);
    if (own)
        model_remedy(&env->part->class->unit->reader,
                     "components of the Modelica Standard Library are not read; daedal has %s",
                     own);
}

bool hier_find_type(hier *h, const hier_env *env, const model_path *path, hier_found *found)
{
    const model_part *part = &path->first;
    hier_class *in = NULL;
    bool is = hier_lookup(h, path->global ? NULL : env->part->class, part->name, found);
    if (is && found->also)
        hier_error(h, env, path->at, "import one of them by its name",
                   "%s may mean %s or %s, which are both imported", hier_spelled(h, part->name),
                   hier_class_path(h, found->class), found->also);
    while (is && found->class && part->next) {
        in = found->class;
        part = part->next;
        *found = (hier_found){.class = hier_inner(h, in, part->name)};
        is = found->class != NULL;
    }
    if (is && !found->declaration && !part->next) return true;
    const char *standard = hier_standard_name(h, env, path);
    bool known = standard && model_library_has(&env->part->class->unit->reader, standard);
    if (standard && !known && path->first.next) {
        report_foreign(h, env, path, standard);
        return false;
    }
    if (!known) standard = NULL;
    if (standard) *found = (hier_found){.builtin = TYPE_REAL, .standard = standard};
    if (standard) return true;
    report_unknown(h, env, path, part, in);
    return false;
}

/* Whether an import names something; the Modelica Standard Library is not read. */
static bool is_imported(hier *h, const model_import *i)
{
    hier_found found;
    if (strcmp(names_string(h->words, i->path->first.name), "Modelica") == 0) return true;
    if (i->name == NAMES_NONE) return imported_class(h, i->path) != NULL;
    return look_in_import(h, i, i->name, &found);
}

/* The nearest to the first name of a path that is not there. */
static void remedy_import(hier *h, const hier_env *env, const model_import *i)
{
    const model_part *part = &i->path->first;
    hier_class *c = hier_global(h, part->name), *inner = c;
    hier_words candidate = {0};
    for (part = c ? part->next : part; part && inner; part = inner ? part->next : part) {
        inner = hier_inner(h, c, part->name);
        if (inner) c = inner;
    }
    if (!part || h->quiet) return;
    if (c)
        add_inner(h, c, &candidate);
    else
        list_push(h->a, &candidate, LIBRARY);
    hier_remedy_nearest(h, env, hier_spelled(h, part->name), candidate.count, candidate.item);
}

/* Reports the imports of a class, and of those around it, that name nothing. */
static void check_imports(hier *h, hier_class *c)
{
    for (; c && !c->imports_checked; c = c->outer) {
        c->imports_checked = true;
        hier_env here = {.part = hier_class_env(h, c).part};
        for (size_t k = 0; k < c->text->import.count; k++) {
            const model_import *i = &c->text->import.item[k];
            if (is_imported(h, i)) continue;
            hier_error(h, &here, i->path->at,
                       "import a package, a class or a constant of this text, of a file beside it "
                       "or of the library Daedal",
                       "the import %s names nothing", model_excerpt(&c->unit->reader, i->path->at));
            remedy_import(h, &here, i);
        }
    }
}

void hier_check(hier *h, hier_class *c)
{
    if (c->checked) return;
    c->checked = true;
    check_imports(h, c);
    hier_env here = {.part = hier_class_env(h, c).part};
    for (size_t i = 0; i < c->text->refused.count; i++) {
        const model_unsupported *u = &c->text->refused.item[i];
        hier_error(h, &here, u->at, u->remedy, "%s is not supported yet, in %s", u->what,
                   hier_class_path(h, c));
    }
}
