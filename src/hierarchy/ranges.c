/* Whole numbers, conditions, ranges and sizes among the values that decide what the model has. */
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

static bool refuse(hier *h, const hier_env *env, const model_expression *e, const char *what,
                   const char *remedy)
{
    model_reader *r = &env->part->class->unit->reader;
    hier_error(h, env, e->at, remedy, "%s is not %s", model_excerpt(r, e->at), what);
    return false;
}

bool hier_integer(hier *h, const hier_env *env, const model_expression *e, const char *what,
                  uint32_t *number)
{
    hier_value v;
    if (!hier_evaluate(h, env, e, &v)) return false;
    bool fits = (v.kind == HIER_INTEGER || v.kind == HIER_LITERAL) && v.number >= 0 &&
                v.number <= 1e9;
    *number = fits ? (uint32_t)v.number : 0;
    return fits || refuse(h, env, e, what, "it needs a whole number that is not negative");
}

bool hier_truth(hier *h, const hier_env *env, const model_expression *e, bool *truth)
{
    hier_value v;
    if (!hier_evaluate(h, env, e, &v)) return false;
    *truth = v.number != 0;
    return v.kind == HIER_BOOLEAN || refuse(h, env, e, "a condition", "it needs a Boolean");
}

/* The whole numbers of from:step:to. */
typedef struct steps {
    double from, step, count;
} steps;

static bool find_steps(hier *h, const hier_env *env, const model_expression *e, steps *s)
{
    hier_value from, step = {HIER_INTEGER, 1}, to;
    if (!hier_evaluate(h, env, e->operand[0], &from)) return false;
    if (e->count == 3 && !hier_evaluate(h, env, e->operand[1], &step)) return false;
    if (!hier_evaluate(h, env, e->operand[e->count - 1], &to)) return false;
    bool whole = from.kind == HIER_INTEGER && step.kind == HIER_INTEGER && to.kind == HIER_INTEGER;
    if (!whole || step.number == 0)
        return refuse(h, env, e, "a range of whole numbers", "write 1:n, or 1:2:n");
    double count = floor((to.number - from.number) / step.number) + 1;
    if (count > HIER_MOST_ELEMENTS)
        return refuse(h, env, e, "a range that can be written out", NULL);
    *s = (steps){from.number, step.number, count > 0 ? count : 0};
    return true;
}

static bool add_steps(hier *h, const hier_env *env, const model_expression *e, hier_numbers *list)
{
    steps s;
    if (!find_steps(h, env, e, &s)) return false;
    for (double k = 0; k < s.count; k++) list_push(h->a, list, s.from + k * s.step);
    return true;
}

bool hier_range_element(hier *h, const hier_env *env, const model_expression *e, uint32_t index,
                        double *value)
{
    steps s;
    hier_value v;
    if (e->kind == EXPRESSION_RANGE) {
        bool is = find_steps(h, env, e, &s) && index >= 1 && index <= s.count;
        if (is) *value = s.from + (index - 1) * s.step;
        return is;
    }
    bool written = e->kind == EXPRESSION_ARRAY && !e->iterator && index >= 1 && index <= e->count;
    if (!written || !hier_evaluate(h, env, e->operand[index - 1], &v)) return false;
    *value = v.number;
    return true;
}

bool hier_range(hier *h, const hier_env *env, const model_expression *e, hier_numbers *list)
{
    hier_value v;
    if (e->kind == EXPRESSION_RANGE) return add_steps(h, env, e, list);
    if (e->kind != EXPRESSION_ARRAY || e->iterator)
        return refuse(h, env, e, "a range that is written out", "write 1:n, or {1, 2, 3}");
    for (uint32_t i = 0; i < e->count; i++) {
        if (!hier_evaluate(h, env, e->operand[i], &v)) return false;
        list_push(h->a, list, v.number);
    }
    return true;
}

/* The size of a variable in dimension `dimension`, without those that its subscripts take away. */
/* A size may follow from an earlier one of the same array: Real A[:, size(A, 1)]. */
static bool leaf_extent(hier *h, const hier_env *env, const model_expression *e,
                        hier_instance *leaf, const model_part *part, uint32_t dimension,
                        uint32_t *extent)
{
    if (dimension > leaf->sized && !hier_measure(h, leaf)) return false;
    if (part->count || part->next || dimension > leaf->rank)
        return refuse(h, env, e, "an array with a known size", "take the size of a whole array");
    *extent = leaf->extent[dimension - 1];
    return true;
}

static bool constant_extent(hier *h, const hier_target *t, uint32_t dimension, uint32_t *extent)
{
    hier_env own = hier_class_env(h, t->class);
    const model_declaration *d = t->declaration;
    bool written = dimension <= d->dimensions && d->size[dimension - 1]->kind != EXPRESSION_COLON;
    if (written) return hier_integer(h, &own, d->size[dimension - 1], "a size", extent);
    return d->binding && hier_extent(h, &own, d->binding, dimension, extent);
}

static bool reference_extent(hier *h, const hier_env *env, const model_expression *e,
                             uint32_t dimension, uint32_t *extent)
{
    hier_target t = hier_resolve(h, env, &e->reference->path);
    if (t.kind == TARGET_NOTHING) return false;
    if (t.kind == TARGET_CONSTANT && constant_extent(h, &t, dimension, extent)) return true;
    if (t.kind == TARGET_INSTANCE && t.instance->kind == HIER_LEAF)
        return leaf_extent(h, env, e, t.instance, t.part, dimension, extent);
    const hier_target *g = &t;
    for (; g->kind == TARGET_GROUP && dimension > 1 && g->count; dimension--) g = g->member;
    if (g->kind != TARGET_GROUP)
        return refuse(h, env, e, "an array with a known size", "take the size of a whole array");
    *extent = g->count;
    return true;
}

/* fill(v, 2, 3), zeros(2, 3), linspace(a, b, n) */
static bool call_extent(hier *h, const hier_env *env, const model_expression *e, uint32_t dimension,
                        uint32_t *extent)
{
    const char *f = names_string(h->words, e->call->function.first.name);
    uint32_t first = strcmp(f, "fill") == 0 ? 1 : strcmp(f, "linspace") == 0 ? 2 : 0;
    bool known = first > 0 || strcmp(f, "zeros") == 0 || strcmp(f, "ones") == 0;
    if (!known || e->call->function.first.next || first + dimension > e->count)
        return refuse(h, env, e, "an array with a known size",
                      "write its size where it is declared");
    return hier_integer(h, env, e->operand[first + dimension - 1], "a size", extent);
}

bool hier_extent(hier *h, const hier_env *env, const model_expression *e, uint32_t dimension,
                 uint32_t *extent)
{
    e = hier_from_file(h, env, e);
    if (!e) return false;
    if (e->kind == EXPRESSION_REFERENCE) return reference_extent(h, env, e, dimension, extent);
    if (e->kind == EXPRESSION_CALL) return call_extent(h, env, e, dimension, extent);
    if (e->kind == EXPRESSION_MATRIX && dimension <= 2) {
        *extent = dimension == 1 ? e->count : e->operand[0]->count;
        return true;
    }
    if (e->kind == EXPRESSION_ARRAY && !e->iterator) {
        *extent = e->count;
        return dimension == 1 || hier_extent(h, env, e->operand[0], dimension - 1, extent);
    }
    if (e->kind == EXPRESSION_ARRAY && e->iterator->count == 1 && dimension == 1) {
        hier_numbers list = {0};
        if (!hier_range(h, env, e->iterator->item[0].range, &list)) return false;
        *extent = (uint32_t)list.count;
        return true;
    }
    return refuse(h, env, e, "an array with a known size", "write its size where it is declared");
}
