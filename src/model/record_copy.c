/* Copies of the expressions in a record's declaration, for each variable of its type: names of
 * components become those of the variable. */
#include "model/record.h"

#include <string.h>

typedef struct copier {
    model_reader *r;
    const model_scope *scope;
    LIST(uint32_t) bound; /* names of the iterators around */
    bool replaced;
} copier;

static model_expression *copy(copier *k, const model_expression *e);

uint32_t model_index_name(model_reader *r, uint32_t k)
{
    const char *name = arena_format(r->a, "'of record %u'", (unsigned)k + 1);
    return names_intern(r->words, name, strlen(name));
}

static model_expression **copy_all(copier *k, uint32_t count, model_expression *const *e)
{
    model_expression **to = arena_array(k->r->a, count, sizeof *to);
    for (uint32_t i = 0; i < count; i++) to[i] = copy(k, e[i]);
    return to;
}

static bool is_component(const copier *k, uint32_t name)
{
    if (!k->scope || !k->scope->around) return false;
    for (size_t i = 0; i < k->bound.count; i++)
        if (k->bound.item[i] == name) return false;
    const model_class *record = k->scope->record;
    for (size_t i = 0; i < record->declaration.count; i++)
        if (record->declaration.item[i]->name == name) return true;
    return false;
}

static model_expression *index_of(copier *k, model_span at, uint32_t i)
{
    model_expression *e = arena_take(k->r->a, sizeof *e);
    *e = (model_expression){.kind = EXPRESSION_REFERENCE, .at = at};
    e->reference = arena_take(k->r->a, sizeof *e->reference);
    e->reference->path = (model_path){.at = at, .first.at = at};
    e->reference->path.first.name = model_index_name(k->r, i);
    return e;
}

/* x[2] of a component of r[3] becomes 'r.x'[i, 2]. */
static void replace(copier *k, model_part *part)
{
    const model_scope *s = k->scope;
    uint32_t count = s->rank + part->count;
    model_expression **subscript = arena_array(k->r->a, count, sizeof *subscript);
    for (uint32_t i = 0; i < count; i++)
        subscript[i] = i < s->rank ? index_of(k, part->at, i) : part->subscript[i - s->rank];
    part->name = model_joined_name(k->r, s->around->name, part->name);
    part->count = count;
    part->subscript = subscript;
    k->replaced = true;
}

static model_path copy_path(copier *k, const model_path *path)
{
    model_path copied = *path;
    for (model_part *part = &copied.first; part; part = part->next) {
        part->subscript = copy_all(k, part->count, part->subscript);
        if (part->next) part->next = arena_duplicate(k->r->a, part->next, 1, sizeof *part);
    }
    if (is_component(k, copied.first.name)) replace(k, &copied.first);
    return copied;
}

/* The iterators of {e for i in u, j in v}, the last of which is the outermost. */
static model_iterators copy_iterators(copier *k, const model_iterators *list)
{
    model_iterators copied = {0};
    for (size_t i = 0; i < list->count; i++) list_push(k->r->a, &copied, list->item[i]);
    for (size_t i = list->count; i-- > 0;) {
        copied.item[i].range = copy(k, list->item[i].range);
        list_push(k->r->a, &k->bound, list->item[i].name);
    }
    return copied;
}

static model_expression *copy(copier *k, const model_expression *e)
{
    if (!e) return NULL;
    arena *a = k->r->a;
    size_t bound = k->bound.count;
    model_expression *to = arena_duplicate(a, e, 1, sizeof *e);
    if (e->kind == EXPRESSION_REFERENCE) {
        to->reference = arena_duplicate(a, e->reference, 1, sizeof *e->reference);
        to->reference->path = copy_path(k, &e->reference->path);
    } else if (e->kind == EXPRESSION_CALL || e->kind == EXPRESSION_FUNCTION) {
        to->call = arena_duplicate(a, e->call, 1, sizeof *e->call);
        to->call->iterator = copy_iterators(k, &e->call->iterator);
    } else if (e->kind == EXPRESSION_ARRAY && e->iterator) {
        to->iterator = arena_take(a, sizeof *to->iterator);
        *to->iterator = copy_iterators(k, e->iterator);
    } else if (e->kind == EXPRESSION_MEMBER) {
        to->member = arena_duplicate(a, e->member, 1, sizeof *e->member);
        to->member->kept = NULL;
    }
    to->operand = copy_all(k, e->count, e->operand);
    k->bound.count = bound;
    return to;
}

model_expression *model_copy_expression(model_reader *r, const model_expression *e,
                                        const model_scope *scope, bool *replaced)
{
    copier k = {.r = r, .scope = scope};
    model_expression *to = copy(&k, e);
    if (replaced) *replaced = *replaced || k.replaced;
    return to;
}
