/* Loops over arrays of components. Their elements are variables of their own in the flat text, so
 * such a loop is written out. */
#include "hierarchy/tree.h"

static bool any_passes(hier *h, const hier_env *env, uint32_t count, model_expression *const *list)
{
    for (uint32_t i = 0; i < count; i++)
        if (hier_passes_array(h, env, list[i])) return true;
    return false;
}

/* Whether a path takes an element of an array of components. */
static bool path_passes(hier *h, const hier_env *env, const model_path *path)
{
    for (const hier_bound *b = env->bound; b; b = b->outer)
        if (b->name == path->first.name) return false;
    hier_instance *i = env->instance ? hier_child(h, env->instance, path->first.name) : NULL;
    for (const model_part *part = &path->first; i && part; part = part->next) {
        hier_expand(h, i);
        if (i->kind == HIER_ARRAY && part->count > 0) return true;
        if (i->kind == HIER_ARRAY) i = i->child.count ? i->child.item[0] : NULL;
        if (i) hier_expand(h, i);
        i = i && part->next && i->kind == HIER_OBJECT ? hier_child(h, i, part->next->name) : NULL;
    }
    bool passes = false;
    for (const model_part *part = &path->first; part && !passes; part = part->next)
        passes = any_passes(h, env, part->count, part->subscript);
    return passes;
}

hier_env hier_bind(hier *h, const hier_env *env, const model_iterators *list)
{
    hier_env inner = *env;
    for (size_t i = 0; i < list->count; i++) {
        hier_bound *b = arena_take(h->a, sizeof *b);
        *b = (hier_bound){.name = list->item[i].name, .outer = inner.bound};
        inner.bound = b;
    }
    return inner;
}

bool hier_passes_array(hier *h, const hier_env *env, const model_expression *e)
{
    if (e->kind == EXPRESSION_REFERENCE) return path_passes(h, env, &e->reference->path);
    hier_env inner = *env;
    if (e->kind == EXPRESSION_CALL) inner = hier_bind(h, env, &e->call->iterator);
    if (e->kind == EXPRESSION_ARRAY && e->iterator) inner = hier_bind(h, env, e->iterator);
    return any_passes(h, &inner, e->count, e->operand);
}

bool hier_has_connect(const model_clauses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const model_clause *c = list->item[i];
        if (c->kind == CLAUSE_CONNECT) return true;
        for (size_t k = 0; k < c->branch.count; k++)
            if (hier_has_connect(&c->branch.item[k].body)) return true;
    }
    return false;
}

static bool body_passes(hier *h, const hier_env *env, const model_clauses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const model_clause *c = list->item[i];
        hier_env inner = hier_bind(h, env, &c->iterator);
        if (c->left && hier_passes_array(h, &inner, c->left)) return true;
        if (c->right && hier_passes_array(h, &inner, c->right)) return true;
        for (size_t k = 0; k < c->branch.count; k++) {
            const model_branch *b = &c->branch.item[k];
            if (b->condition && hier_passes_array(h, &inner, b->condition)) return true;
            if (body_passes(h, &inner, &b->body)) return true;
        }
    }
    return false;
}

bool hier_is_unrolled(hier *h, const hier_env *env, const model_clause *c)
{
    if (c->kind != CLAUSE_FOR || c->branch.count == 0) return false;
    hier_env inner = hier_bind(h, env, &c->iterator);
    const model_clauses *body = &c->branch.item[0].body;
    return hier_has_connect(body) || body_passes(h, &inner, body);
}
