/* What must agree with what: values of arrays of components with their sizes (Modelica 3.6, Sec.
 * 7.2.5), and the modifiers of a class that is inherited in two ways (Sec. 7.1). */
#include "hierarchy/tree.h"

#include <stdlib.h>
#include <string.h>

/* --- sizes of modifiers --- */

/* The size of a value in a dimension, from 1; false: it is not written out. */
static bool size_of(hier *h, const hier_env *env, const model_expression *e, uint32_t dimension,
                    uint32_t *size)
{
    bool failed = h->failed;
    h->quiet++;
    bool known = hier_extent(h, env, e, dimension, size);
    h->quiet--;
    h->failed = failed;
    return known;
}

static void check_sizes(hier *h, const hier_instance *array, const hier_frame *f,
                        const model_modifiers *nested)
{
    for (size_t i = 0; i < nested->count; i++) {
        const model_modifier *m = &nested->item[i];
        uint32_t size;
        if (m->each) continue;
        for (uint32_t k = 0; m->value && k < array->rank; k++) {
            if (!size_of(h, &f->env, m->value, f->count + k + 1, &size)) break;
            if (size == array->extent[k]) continue;
            hier_error(h, &f->env, m->value->at,
                       "give each of them one value, or `each` one for all",
                       "%s has %u value%s for the %u elements of %s", hier_spelled(h, m->name),
                       size, size == 1 ? "" : "s", array->extent[k], array->name);
            break;
        }
        check_sizes(h, array, f, &m->nested);
    }
}

void hier_check_sizes(hier *h, const hier_instance *array)
{
    for (const hier_frame *f = array->frame; f; f = f->next)
        if (!f->of_each) check_sizes(h, array, f, &f->modifier->nested);
}

/* --- modifiers of a class that is inherited twice --- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All modifiers of a list as text, in an order of their own. */
static const char *text_of(hier *h, const hier_frame *list, int level)
{
    hier_words all = {0}, seen = {0};
    const char *joined = "";
    for (const hier_frame *f = list; f && level < HIER_DEEPEST; f = f->next)
        for (size_t i = 0; i < f->modifier->nested.count; i++) {
            uint32_t name = f->modifier->nested.item[i].name;
            const char *word = names_string(h->words, name), *value = "";
            size_t k = 0;
            while (k < seen.count && seen.item[k] != word) k++;
            if (k < seen.count) continue;
            list_push(h->a, &seen, word);
            const hier_frame *of = hier_select(h, list, name), *given = hier_value_of(of);
            if (given)
                value = model_excerpt(&given->env.part->class->unit->reader,
                                      given->modifier->value->at);
            list_push(h->a, &all,
                      arena_format(h->a, "%s = %s(%s)", word, value, text_of(h, of, level + 1)));
        }
    if (all.count) qsort(all.item, all.count, sizeof *all.item, by_text);
    for (size_t i = 0; i < all.count; i++)
        joined = arena_format(h->a, "%s%s, ", joined, all.item[i]);
    return joined;
}

bool hier_same_modifiers(hier *h, const hier_frame *a, const hier_frame *b)
{
    return a == b || strcmp(text_of(h, a, 0), text_of(h, b, 0)) == 0;
}
