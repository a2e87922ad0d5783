/* Classes of other files: beside the model, in the directories of packages (Modelica 3.6,
 * Sec. 13.4), and in the library that is part of the program. A class NAME of a package that is a
 * directory stands in NAME.mo there, or is a directory itself, with its text in NAME/package.mo. */
#include "hierarchy/shipped.h"
#include "hierarchy/tree.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LEVELS = 20 }; /* of directories above the one of the model */

/* Reads a whole file; false: it is not there. */
static bool read_file(const char *path, text *all)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char part[16384];
    size_t got;
    while (!all->cut && all->length <= MODEL_LARGEST_TEXT &&
           (got = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(all, part, got);
    bool whole = !ferror(file);
    fclose(file);
    return whole && !all->cut;
}

static bool is_shipped(const char *path, model_text *found)
{
    const hier_shipped *s = hier_shipped_texts;
    while (s->path && strcmp(s->path, path) != 0) s++;
    *found = (model_text){.file = s->path, .bytes = (const char *)s->bytes, .length = s->length};
    return s->path != NULL;
}

static bool is_there(hier *h, const hier_folder *folder, const char *path, model_text *found)
{
    if (folder->shipped) return is_shipped(path, found);
    text all = {0};
    bool there = read_file(path, &all);
    *found = (model_text){.file = path, .length = all.length};
    if (there) found->bytes = arena_copy(h->a, text_string(&all), all.length);
    text_free(&all);
    return there;
}

/* The class `name` that a folder has as a file or as a folder, in the class `outer`; NULL: it has
 * none. */
static hier_class *class_of_file(hier *h, const hier_folder *folder, uint32_t name,
                                 hier_class *outer)
{
    const char *word = names_string(h->words, name);
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (word[strspn(word, letters)] != '\0') return NULL; /* no name of a file */
    const char *base = arena_format(h->a, "%s%s", folder->path, word);
    model_text written;
    bool inside = false;
    if (!is_there(h, folder, arena_format(h->a, "%s.mo", base), &written)) {
        inside = is_there(h, folder, arena_format(h->a, "%s/package.mo", base), &written);
        if (!inside) return NULL;
    }
    hier_unit *unit = hier_open(h, &written);
    hier_class *c = unit->root ? hier_inner(h, unit->root, name) : NULL;
    if (!c) return NULL;
    if (outer) c->outer = outer;
    if (inside) {
        hier_folder *own = arena_take(h->a, sizeof *own);
        *own = (hier_folder){arena_format(h->a, "%s/", base), folder->shipped};
        c->folder = own;
    }
    return c;
}

hier_class *hier_in_folder(hier *h, hier_class *package, uint32_t name)
{
    uint32_t sought = package->id + 4;
    if (!package->folder || hier_get(h, sought, name)) return NULL;
    hier_put(h, sought, name, h);
    hier_class *c = class_of_file(h, package->folder, name, package);
    if (c) hier_put(h, package->id, name, c);
    return c;
}

void hier_name_shipped(hier *h, const hier_folder *folder, hier_words *list)
{
    size_t length = strlen(folder->path);
    for (const hier_shipped *s = hier_shipped_texts; folder->shipped && s->path; s++) {
        if (strncmp(s->path, folder->path, length) != 0) continue;
        const char *name = s->path + length;
        if (strcmp(name, "package.mo") != 0)
            list_push(h->a, list, arena_copy(h->a, name, strcspn(name, "/.")));
    }
}

static bool is_package(const hier *h)
{
    const char *file = h->request->text->file, *slash = strrchr(file, '/');
    return strcmp(slash ? slash + 1 : file, "package.mo") == 0;
}

void hier_mark_package(hier *h, hier_class *root)
{
    const char *directory = h->request->directory;
    if (!directory || !is_package(h) || root->text->inner.count != 1) return;
    hier_folder *own = arena_take(h->a, sizeof *own);
    bool here = strcmp(directory, ".") == 0;
    own->path = here ? "" : arena_format(h->a, "%s/", directory);
    hier_class *package = hier_inner(h, root, root->text->inner.item[0]->name);
    if (package) package->folder = own;
}

/* A text that says `within P.Q` stands two directories below the one that has P, and as package.mo
 * three. */
static size_t levels_above(const hier *h)
{
    size_t levels = is_package(h);
    const model_path *within = h->unit.item[0]->reader.within;
    for (const model_part *p = within ? &within->first : NULL; p; p = p->next) levels++;
    return levels < MOST_LEVELS ? levels : MOST_LEVELS;
}

hier_class *hier_outermost(hier *h, uint32_t name)
{
    hier_class *found = NULL;
    if (h->request->directory) {
        bool here = strcmp(h->request->directory, ".") == 0;
        hier_folder folder = {here ? "" : arena_format(h->a, "%s/", h->request->directory), false};
        found = class_of_file(h, &folder, name, NULL);
        for (size_t k = levels_above(h); k > 0 && !found; k--) {
            folder.path = arena_format(h->a, "%s../", folder.path);
            found = class_of_file(h, &folder, name, NULL);
        }
    }
    const hier_folder shipped = {"", true};
    return found ? found : class_of_file(h, &shipped, name, NULL);
}
