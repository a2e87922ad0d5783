/* Names in expressions of the flat text. */
#include "hierarchy/tree.h"

static void write_target(hier *h, const hier_env *env, const model_path *path, const hier_target *t,
                         uint32_t count, const uint32_t *index);

void hier_write_subscripts(hier *h, const hier_env *env, const model_part *part)
{
    for (uint32_t i = 0; i < part->count; i++) {
        text_add(h->out, i ? ", " : "[");
        hier_write_expression(h, env, part->subscript[i]);
    }
    if (part->count) text_add(h->out, "]");
}

static void write_index(hier *h, uint32_t count, const uint32_t *index)
{
    for (uint32_t i = 0; i < count; i++) {
        text_add(h->out, i ? ", " : "[");
        text_whole(h->out, index[i]);
    }
    if (count) text_add(h->out, "]");
}

/* What follows the name of a variable: its subscripts, and components of a record. */
static void write_rest(hier *h, const hier_env *env, const model_part *part)
{
    hier_write_subscripts(h, env, part);
    for (part = part->next; part; part = part->next) {
        text_add(h->out, ".");
        hier_write_word(h, part->name);
        hier_write_subscripts(h, env, part);
    }
}

static void write_variable(hier *h, const hier_env *env, const hier_target *t, uint32_t count,
                           const uint32_t *index)
{
    bool apart = count > 0 && (t->part->count > 0 || t->part->next);
    if (apart) text_add(h->out, "(");
    hier_write_leaf(h, t->instance);
    write_rest(h, env, t->part);
    if (apart) text_add(h->out, ")");
    write_index(h, count, index);
}

static void write_group(hier *h, const hier_env *env, const model_path *path, const hier_target *t,
                        uint32_t count, const uint32_t *index)
{
    if (count > 0 && index[0] >= 1 && index[0] <= t->count) {
        write_target(h, env, path, &t->member[index[0] - 1], count - 1, index + 1);
        return;
    }
    if (t->count == 0) {
        text_add(h->out, "fill(0, 0)");
        return;
    }
    for (uint32_t k = 0; k < t->count; k++) {
        text_add(h->out, k ? ", " : "{");
        write_target(h, env, path, &t->member[k], 0, NULL);
    }
    text_add(h->out, "}");
}

static void write_instance(hier *h, const hier_env *env, const model_path *path,
                           const hier_target *t, uint32_t count, const uint32_t *index)
{
    if (t->instance->kind == HIER_LEAF) {
        write_variable(h, env, t, count, index);
        return;
    }
    hier_error(h, env, path->at, "name one of its variables", "%s is a component and has no value",
               t->instance->name);
}

static void write_bound(hier *h, const hier_bound *b)
{
    if (!b->known) {
        hier_write_word(h, b->name);
    } else if (b->kind == HIER_LITERAL) {
        hier_write_name(h, hier_flat_class(h, b->of), false);
        text_add(h->out, ".");
        hier_write_word(h, b->of->text->literal.item[(size_t)b->value - 1].name);
    } else if (b->kind == HIER_BOOLEAN) {
        text_add(h->out, b->value != 0 ? "true" : "false");
    } else {
        text_format(h->out, b->value < 0 ? "(%.17g)" : "%.17g", b->value);
    }
}

static void write_literal(hier *h, const hier_target *t)
{
    hier_write_name(h, hier_flat_class(h, t->class), false);
    if (!t->part) return;
    text_add(h->out, ".");
    hier_write_word(h, t->part->name);
}

static void write_verbatim(hier *h, const hier_env *env, const model_path *path)
{
    hier_write_word(h, path->first.name);
    write_rest(h, env, &path->first);
}

static void write_target(hier *h, const hier_env *env, const model_path *path, const hier_target *t,
                         uint32_t count, const uint32_t *index)
{
    switch (t->kind) {
    case TARGET_INSTANCE: write_instance(h, env, path, t, count, index); return;
    case TARGET_GROUP: write_group(h, env, path, t, count, index); return;
    case TARGET_TIME: text_add(h->out, "time"); return;
    case TARGET_BOUND: write_bound(h, t->bound); return;
    case TARGET_FUNCTION: hier_write_name(h, hier_flat_class(h, t->class), false); break;
    case TARGET_TRUTHS: text_add(h->out, "Boolean"); break;
    case TARGET_LITERAL: write_literal(h, t); return;
    case TARGET_LOCAL:
    case TARGET_PREDEFINED: write_verbatim(h, env, path); break;
    case TARGET_STANDARD: text_add(h->out, t->standard); break;
    case TARGET_CONSTANT:
        hier_write_name(h, hier_flat_constant(h, t->class, t->declaration), true);
        write_rest(h, env, t->part);
        break;
    case TARGET_NOTHING:
    case TARGET_REMOVED: return; /* reported */
    }
    write_index(h, count, index);
}

void hier_write_reference(hier *h, const hier_env *env, const model_path *path, uint32_t count,
                          const uint32_t *index)
{
    hier_target t = hier_resolve(h, env, path);
    write_target(h, env, path, &t, count, index);
}

bool hier_is_extent(hier *h, const hier_env *env, const model_expression *call)
{
    const model_expression *array = call->count ? call->operand[0] : NULL;
    if (!array || array->kind != EXPRESSION_REFERENCE) return false;
    hier_target t = hier_resolve(h, env, &array->reference->path);
    return t.kind == TARGET_GROUP && call->count == 2;
}
