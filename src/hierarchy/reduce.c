/* Sums, products and extremes of arrays whose values decide what the flat model has. */
#include "hierarchy/tree.h"

#include <string.h>

static bool add_elements(hier *h, const hier_env *env, const model_expression *e,
                         hier_numbers *list, bool *whole);

/* {e for i in r} */
static bool add_iterated(hier *h, const hier_env *env, const model_expression *e,
                         const model_iterators *over, size_t level, hier_numbers *list, bool *whole)
{
    if (level == over->count) return add_elements(h, env, e->operand[0], list, whole);
    hier_numbers range = {0};
    if (!hier_range(h, env, over->item[level].range, &range)) return false;
    for (size_t k = 0; k < range.count; k++) {
        hier_env inner = *env;
        hier_bound b = hier_bound_to(&range, k, over->item[level].name, env->bound);
        inner.bound = &b;
        if (!add_iterated(h, &inner, e, over, level + 1, list, whole)) return false;
    }
    return true;
}

/* All elements of a whole array that is a parameter or constant: its name with subscripts. */
static bool add_parameter(hier *h, const hier_env *env, const model_expression *e, uint32_t rank,
                          const uint32_t *extent, hier_numbers *list, bool *whole)
{
    size_t count = 1;
    for (uint32_t k = 0; k < rank; k++) count *= extent[k];
    for (size_t i = 0; i < count; i++) {
        model_expression *with = arena_duplicate(h->a, e, 1, sizeof *with);
        with->reference = arena_duplicate(h->a, e->reference, 1, sizeof *with->reference);
        model_part *part = &with->reference->path.first;
        for (; part->next; part = part->next)
            part->next = arena_duplicate(h->a, part->next, 1, sizeof *part);
        part->count = rank;
        part->subscript = arena_array(h->a, rank, sizeof *part->subscript);
        size_t rest = i;
        for (uint32_t k = rank; k-- > 0; rest /= extent[k]) {
            model_expression *n = part->subscript[k] = arena_take(h->a, sizeof *n);
            *n = (model_expression){.kind = EXPRESSION_NUMBER, .whole = true};
            n->number = (double)(rest % extent[k]) + 1;
        }
        if (!add_elements(h, env, with, list, whole)) return false;
    }
    return true;
}

/* The number of dimensions of a whole array, up to 2. */
static uint32_t rank_of(hier *h, const hier_env *env, const model_expression *e)
{
    hier_target t = hier_resolve(h, env, &e->reference->path);
    if (t.part && t.part->count) return 0;
    if (t.kind == TARGET_INSTANCE && t.instance->kind == HIER_LEAF && hier_measure(h, t.instance))
        return t.instance->rank;
    return t.kind == TARGET_CONSTANT ? t.declaration->dimensions : 0;
}

static bool add_elements(hier *h, const hier_env *env, const model_expression *e,
                         hier_numbers *list, bool *whole)
{
    bool array = e->kind == EXPRESSION_ARRAY || e->kind == EXPRESSION_MATRIX ||
                 e->kind == EXPRESSION_ROW;
    if (array && e->iterator) return add_iterated(h, env, e, e->iterator, 0, list, whole);
    for (uint32_t i = 0; array && i < e->count; i++)
        if (!add_elements(h, env, e->operand[i], list, whole)) return false;
    if (array) return true;
    if (e->kind == EXPRESSION_RANGE) return hier_range(h, env, e, list);
    uint32_t rank = e->kind == EXPRESSION_REFERENCE ? rank_of(h, env, e) : 0;
    uint32_t *extent = arena_array(h->a, rank, sizeof *extent);
    for (uint32_t k = 0; k < rank; k++)
        if (!hier_extent(h, env, e, k + 1, &extent[k])) return false;
    if (rank) return add_parameter(h, env, e, rank, extent, list, whole);
    hier_value v;
    if (!hier_evaluate(h, env, e, &v)) return false;
    *whole = *whole && v.kind == HIER_INTEGER;
    list_push(h->a, list, v.number);
    return true;
}

bool hier_reduce(hier *h, const hier_env *env, const model_expression *e, const char *f,
                 hier_value *v)
{
    hier_numbers list = {0};
    bool whole = true, product = strcmp(f, "product") == 0, sum = strcmp(f, "sum") == 0;
    bool least = strcmp(f, "min") == 0;
    bool is = e->call->iterator.count
                  ? add_iterated(h, env, e, &e->call->iterator, 0, &list, &whole)
                  : add_elements(h, env, e->operand[0], &list, &whole);
    if (!is) return false;
    if (!list.count && !sum && !product)
        return hier_no_value(h, env, e, "the array has no element");
    double value = list.count && !sum && !product ? list.item[0] : product;
    for (size_t i = 0; i < list.count; i++) {
        double x = list.item[i];
        value = sum ? value + x : product ? value * x : (least ? x < value : x > value) ? x : value;
    }
    *v = (hier_value){whole ? HIER_INTEGER : HIER_REAL, value, NULL};
    return true;
}
