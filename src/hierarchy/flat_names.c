/* Different variables with the same flat name: 'a.b', and b of the component a. Each of them is
 * written with the quotes that its text has: '\'a.b\'' and 'a.b'. */
#include "hierarchy/tree.h"

#include <string.h>

typedef LIST(hier_instance *) instances;

/* Whether a name of the text looks like one of a component, or of an element. */
static bool looks_joined(const hier *h, const hier_instance *i)
{
    return i->declaration && strpbrk(hier_spelled(h, i->declaration->name), ".[");
}

static bool gather(hier *h, hier_instance *i, instances *list)
{
    bool any = looks_joined(h, i);
    if (i->kind == HIER_LEAF) list_push(h->a, list, i);
    for (size_t k = 0; k < i->child.count && i->kind != HIER_REMOVED; k++)
        any |= gather(h, i->child.item[k], list);
    return any;
}

/* The name with the quotes of the text. The elements of an array have its parent and declaration,
 * and their subscripts after its name. */
static const char *quoted_name(hier *h, const hier_instance *i)
{
    if (!i->declaration) return "";
    const char *own = hier_spelled(h, i->declaration->name), *outer = quoted_name(h, i->parent);
    const char *dot = *outer ? "." : "", *quote = looks_joined(h, i) ? "'" : "";
    size_t skip = strlen(i->parent->name) + (i->parent->name[0] != '\0') + strlen(own);
    return arena_format(h->a, "%s%s%s%s%s%s", outer, dot, quote, own, quote, i->name + skip);
}

void hier_part_names(hier *h)
{
    instances all = {0}, twin = {0};
    if (!gather(h, h->top, &all)) return; /* then names are different */
    uint32_t owner = h->ids++;
    for (size_t k = 0; k < all.count; k++) {
        hier_instance *i = all.item[k], *first = hier_get(h, owner, hier_word(h, i->name));
        if (first) list_push(h->a, &twin, first);
        if (first) list_push(h->a, &twin, i);
        if (!first) hier_put(h, owner, hier_word(h, i->name), i);
    }
    for (size_t k = 0; k < twin.count; k++) {
        hier_instance *i = twin.item[k];
        if (i->renamed) continue;
        const char *name = quoted_name(h, i);
        i->renamed = strcmp(name, i->name) != 0;
        i->name = name;
        h->renamed |= i->renamed;
    }
}
