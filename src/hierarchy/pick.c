/* An element of an array that is written out, as the value of one component of an array. */
#include "hierarchy/tree.h"

#include <string.h>

/* {f(i) for i in 1:n}: the value of i of this element. */
static bool pick_iterated(hier *h, hier_picked *p)
{
    const model_iterators *list = p->expression->iterator;
    hier_value value;
    if (list->count != 1 ||
        !hier_range_element(h, &p->env, list->item[0].range, p->index[0], &value))
        return false;
    hier_bound *b = arena_take(h->a, sizeof *b);
    *b = (hier_bound){.name = list->item[0].name, .known = true, .outer = p->env.bound};
    b->kind = value.kind;
    b->value = value.number;
    b->of = value.of;
    p->env.bound = b;
    p->expression = p->expression->operand[0];
    return true;
}

static bool is_fill(const hier *h, const hier_picked *p)
{
    const model_expression *e = p->expression;
    return e->kind == EXPRESSION_CALL && !e->call->function.first.next && e->count > 1 &&
           strcmp(names_string(h->words, e->call->function.first.name), "fill") == 0;
}

/* Goes one level into the array; false: its elements are not written out. */
static bool pick_one(hier *h, hier_picked *p)
{
    const model_expression *e = p->expression;
    if (e->kind == EXPRESSION_ARRAY && e->iterator) return pick_iterated(h, p);
    bool array = e->kind == EXPRESSION_ARRAY || e->kind == EXPRESSION_MATRIX ||
                 e->kind == EXPRESSION_ROW;
    if (!array || p->index[0] < 1 || p->index[0] > e->count) return false;
    p->expression = e->operand[p->index[0] - 1];
    return true;
}

hier_frame hier_element(hier *h, const hier_frame *f, uint32_t count, const uint32_t *index)
{
    hier_frame element = *f;
    uint32_t *all = arena_array(h->a, f->count + count, sizeof *all);
    for (uint32_t k = 0; k < f->count; k++) all[k] = f->index[k];
    for (uint32_t k = 0; k < count; k++) all[f->count + k] = index[k];
    element.count = f->count + count;
    element.index = all;
    return element;
}

hier_picked hier_pick(hier *h, const hier_frame *f)
{
    hier_picked p = {f->env, f->modifier->value, f->count, f->index};
    h->quiet++;
    bool failed = h->failed;
    while (p.count > 0) {
        const model_expression *array = hier_from_file(h, &p.env, p.expression);
        if (array) p.expression = array;
        if (is_fill(h, &p) && p.expression->count - 1 <= p.count) {
            uint32_t sizes = p.expression->count - 1;
            p.expression = p.expression->operand[0];
            p.count -= sizes;
            p.index += sizes;
        } else if (pick_one(h, &p)) {
            p.count--;
            p.index++;
        } else {
            break;
        }
    }
    h->quiet--;
    h->failed = failed;
    return p;
}
