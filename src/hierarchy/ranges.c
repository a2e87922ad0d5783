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

/* The values of from:step:to, which are whole numbers, or literals or Booleans with the step 1. */
typedef struct steps {
    double from, step, count;
    hier_value_kind kind;
    hier_class *of;
} steps;

static bool find_steps(hier *h, const hier_env *env, const model_expression *e, steps *s)
{
    hier_value from, step = {.kind = HIER_INTEGER, .number = 1}, to;
    if (!hier_evaluate(h, env, e->operand[0], &from)) return false;
    if (e->count == 3 && !hier_evaluate(h, env, e->operand[1], &step)) return false;
    if (!hier_evaluate(h, env, e->operand[e->count - 1], &to)) return false;
    bool whole = from.kind == HIER_INTEGER && step.kind == HIER_INTEGER && to.kind == HIER_INTEGER;
    bool listed = (from.kind == HIER_LITERAL || from.kind == HIER_BOOLEAN) && e->count == 2 &&
                  to.kind == from.kind && to.of == from.of;
    if ((!whole && !listed) || step.number == 0)
        return refuse(h, env, e, "a range of whole numbers", "write 1:n, or 1:2:n");
    double count = floor((to.number - from.number) / step.number) + 1;
    if (count > HIER_MOST_ELEMENTS)
        return refuse(h, env, e, "a range that can be written out", NULL);
    *s = (steps){from.number, step.number, count > 0 ? count : 0, from.kind, from.of};
    return true;
}

static bool add_steps(hier *h, const hier_env *env, const model_expression *e, hier_numbers *list)
{
    steps s;
    if (!find_steps(h, env, e, &s)) return false;
    for (double k = 0; k < s.count; k++) list_push(h->a, list, s.from + k * s.step);
    list->kind = s.kind;
    list->of = s.of;
    return true;
}

/* An enumeration, or TARGET_TRUTHS, by its name. */
static hier_target index_type(hier *h, const hier_env *env, const model_expression *e)
{
    const hier_target none = {.kind = TARGET_NOTHING};
    if (e->kind != EXPRESSION_REFERENCE) return none;
    bool failed = h->failed;
    h->quiet++;
    hier_target t = hier_resolve_end(h, env, &e->reference->path);
    h->quiet--;
    h->failed = failed;
    bool all = t.kind == TARGET_TRUTHS || (t.kind == TARGET_LITERAL && !t.part);
    return all ? t : none;
}

bool hier_all_values(hier *h, const hier_env *env, const model_expression *e, hier_numbers *list)
{
    hier_target t = index_type(h, env, e);
    if (t.kind == TARGET_NOTHING) return false;
    list->kind = t.kind == TARGET_TRUTHS ? HIER_BOOLEAN : HIER_LITERAL;
    list->of = t.class;
    size_t literals = t.class ? t.class->text->literal.count : 0;
    for (size_t k = 1; k <= literals; k++) list_push(h->a, list, (double)k);
    for (int k = 0; k < 2 && !t.class; k++) list_push(h->a, list, k);
    return true;
}

hier_bound hier_bound_to(const hier_numbers *list, size_t k, uint32_t name, const hier_bound *outer)
{
    return (hier_bound){.name = name,
                        .known = true,
                        .kind = list->kind,
                        .value = list->item[k],
                        .of = list->of,
                        .outer = outer};
}

bool hier_range_element(hier *h, const hier_env *env, const model_expression *e, uint32_t index,
                        hier_value *v)
{
    steps s;
    hier_numbers all = {0};
    if (hier_all_values(h, env, e, &all)) {
        bool is = index >= 1 && index <= all.count;
        if (is) *v = (hier_value){all.kind, all.item[index - 1], all.of};
        return is;
    }
    if (e->kind == EXPRESSION_RANGE) {
        bool is = find_steps(h, env, e, &s) && index >= 1 && index <= s.count;
        if (is) *v = (hier_value){s.kind, s.from + (index - 1) * s.step, s.of};
        return is;
    }
    bool written = e->kind == EXPRESSION_ARRAY && !e->iterator && index >= 1 && index <= e->count;
    return written && hier_evaluate(h, env, e->operand[index - 1], v);
}

bool hier_range(hier *h, const hier_env *env, const model_expression *e, hier_numbers *list)
{
    hier_value v = {.kind = HIER_INTEGER};
    if (e->kind == EXPRESSION_RANGE) return add_steps(h, env, e, list);
    if (hier_all_values(h, env, e, list)) return true;
    if (e->kind != EXPRESSION_ARRAY || e->iterator)
        return refuse(h, env, e, "a range that is written out", "write 1:n, or {1, 2, 3}");
    for (uint32_t i = 0; i < e->count; i++) {
        if (!hier_evaluate(h, env, e->operand[i], &v)) return false;
        list_push(h->a, list, v.number);
        bool same = i == 0 || (v.kind == list->kind && v.of == list->of);
        if (!same && (list->of || v.of || v.kind == HIER_BOOLEAN))
            return refuse(h, env, e, "a range of one type", "write 1:n, or {1, 2, 3}");
        if (i == 0 || v.kind == HIER_REAL) list->kind = v.kind;
        list->of = v.of;
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
