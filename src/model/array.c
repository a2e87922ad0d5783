/* Arrays built from elements (Modelica 3.6, Sec. 10.4), loops over ranges, and subscripts. */
#include "model/evaluator.h"
#include "model/record.h"
#include "symbolic/simplify.h"

#include <math.h>
#include <string.h>

bool model_common_type(const model_reader *r, model_type *type, model_type other)
{
    if (model_same_type(r, *type, other)) return true;
    bool numbers = (type->base == TYPE_REAL && other.base == TYPE_INTEGER) ||
                   (type->base == TYPE_INTEGER && other.base == TYPE_REAL);
    if (numbers) type->base = TYPE_REAL;
    return numbers;
}

/* Whether the i-th of several elements has the type and size of those before it. */
static bool element_fits(model_reader *r, model_span at, model_value *first, const model_value *v)
{
    if (v->type.base == TYPE_NONE || first->type.base == TYPE_NONE) return false;
    if (!model_common_type(r, &first->type, v->type))
        return model_error(r, at, "the elements differ in type: %s before, %s here",
                           "all elements of an array have one type",
                           model_type_text(r, first->type), model_type_text(r, v->type));
    if (model_same_size(first, v)) return true;
    return model_error(r, at, "the elements differ in size: %s before, %s here",
                       "all elements of an array have one size; blocks are joined by [a, b; c, d]",
                       model_size_text(r, first), model_size_text(r, v));
}

model_value model_stack(model_reader *r, model_span at, model_type type, uint32_t more,
                        const size_t *sizes, const model_value *v)
{
    uint32_t rank = v[0].rank + more;
    if (type.base == TYPE_RECORD) return model_stack_records(r, at, type, more, sizes, v);
    size_t *size = arena_array(r->a, rank, sizeof *size), count = 1;
    for (uint32_t k = 0; k < more; k++) count *= size[k] = sizes[k];
    if (rank > more) memcpy(size + more, v[0].size, v[0].rank * sizeof *size);
    model_value array;
    sym *element = model_new_array(r, at, type, rank, size, &array);
    for (size_t i = 0; element && i < count; i++)
        for (size_t k = 0; k < v[0].count; k++)
            element[i * v[0].count + k] = model_element(&v[i], k);
    return array;
}

/* The vector of an iterator's values; NONE if it is not a vector (reported). */
static model_value range_of(model_reader *r, const model_iterator *i)
{
    model_value range = model_evaluate(r, i->range);
    if (range.type.base == TYPE_RECORD) {
        model_report_type(r, i->range, &range, "a vector of numbers");
        return model_none();
    }
    if (range.type.base == TYPE_NONE || range.rank == 1) return range;
    return model_fail(r, i->range->at, "a for runs over a vector, and this is %s",
                      "a range is written 1:n, a vector {a, b, c}", model_size_text(r, &range));
}

/* Loops over ranges: one level of `model_iterate`. */
typedef struct looping {
    model_reader *r;
    model_iterators *list;
    bool nested;
    void (*body)(model_reader *r, void *context);
    void *context;
    bool known;
} looping;

static void loop_level(looping *l, size_t level)
{
    model_reader *r = l->r;
    if (level == l->list->count) {
        l->body(r, l->context);
        return;
    }
    model_iterator *i = &l->list->item[l->nested ? l->list->count - 1 - level : level];
    model_value range = range_of(r, i);
    if (range.type.base == TYPE_NONE) {
        l->known = false;
        return;
    }
    for (size_t k = 0; k < range.count && l->known; k++) {
        if (!model_spend(r, i->range->at, MODEL_STEP)) return;
        r->mode.frame[i->slot] = (model_value){range.type, .count = 1, .one = range.element[k]};
        loop_level(l, level + 1);
    }
}

bool model_iterate(model_reader *r, model_iterators *list, bool nested,
                   void (*body)(model_reader *r, void *context), void *context)
{
    looping l = {
        .r = r, .list = list, .nested = nested, .body = body, .context = context, .known = true};
    loop_level(&l, 0);
    return l.known;
}

/* {e for i in u, j in v} is {{e for i in u} for j in v}: built from outside. */
static model_value comprehension(model_reader *r, model_expression *e, size_t level)
{
    if (level == 0) return model_evaluate(r, e->operand[0]);
    model_iterator *i = &e->iterator->item[level - 1];
    model_value range = range_of(r, i);
    if (range.type.base == TYPE_NONE) return range;
    if (!model_spend(r, i->range->at, MODEL_STEP * range.count)) return model_none();
    if (range.count == 0) return model_vector(r, (model_type){.base = TYPE_REAL}, 0, NULL);
    model_value *v = arena_array(r->a, range.count, sizeof *v), first = {0};
    for (size_t k = 0; k < range.count; k++) {
        r->mode.frame[i->slot] = (model_value){range.type, .count = 1, .one = range.element[k]};
        v[k] = comprehension(r, e, level - 1);
        if (k == 0) first = v[0];
        if (!element_fits(r, e->operand[0]->at, &first, &v[k])) return model_none();
    }
    return model_stack(r, e->at, first.type, 1, &range.count, v);
}

model_value model_build_array(model_reader *r, model_expression *e)
{
    if (e->iterator) return comprehension(r, e, e->iterator->count);
    if (e->count == 0) return model_vector(r, (model_type){.base = TYPE_INTEGER}, 0, NULL); /* {} */
    model_value *v = arena_array(r->a, e->count, sizeof *v), first = {0};
    bool fits = true;
    for (uint32_t i = 0; i < e->count; i++) {
        v[i] = model_evaluate(r, e->operand[i]);
        if (i == 0) first = v[0];
        fits = element_fits(r, e->operand[i]->at, &first, &v[i]) && fits;
    }
    size_t count = e->count;
    return fits ? model_stack(r, e->at, first.type, 1, &count, v) : model_none();
}

/* Append dimensions of size 1 up to `rank`. */
static model_value promote(model_reader *r, const model_value *v, uint32_t rank)
{
    if (v->rank >= rank) return *v;
    size_t *size = arena_array(r->a, rank, sizeof *size);
    for (uint32_t k = 0; k < rank; k++) size[k] = k < v->rank ? v->size[k] : 1;
    return model_reshape(r, v, rank, size);
}

/* The product of the sizes from `begin` to before `end`. */
static size_t span_of(const model_value *v, uint32_t begin, uint32_t end)
{
    size_t count = 1;
    for (uint32_t k = begin; k < end; k++) count *= v->size[k];
    return count;
}

static bool concatenation_fits(model_reader *r, model_span at, uint32_t k, const model_value *a,
                               const model_value *b)
{
    bool fits = a->rank == b->rank;
    for (uint32_t i = 0; fits && i < a->rank; i++) fits = i == k || a->size[i] == b->size[i];
    if (!fits)
        model_error(r, at, "sizes do not fit: %s beside %s",
                    "arrays that are joined have the same size in all other dimensions",
                    model_size_text(r, a), model_size_text(r, b));
    return fits;
}

model_value model_concatenate(model_reader *r, model_span at, uint32_t k, size_t count,
                              const model_value *v)
{
    model_type type = v[0].type;
    for (size_t i = 0; i < count; i++)
        if (v[i].type.base == TYPE_RECORD)
            return model_fail(r, at, "records cannot be joined to matrices",
                              "an array of records is written {a, b}");
    size_t *size = arena_duplicate(r->a, v[0].size, v[0].rank, sizeof *size);
    for (size_t i = 1; i < count; i++) {
        if (!concatenation_fits(r, at, k, &v[0], &v[i])) return model_none();
        if (!model_common_type(r, &type, v[i].type))
            return model_fail(r, at, "the elements differ in type: %s and %s",
                              "all elements of an array have one type", model_type_text(r, type),
                              model_type_text(r, v[i].type));
        size[k] += v[i].size[k];
    }
    model_value all;
    sym *element = model_new_array(r, at, type, v[0].rank, size, &all);
    if (!element) return all;
    size_t outer = span_of(&v[0], 0, k), inner = span_of(&v[0], k + 1, v[0].rank);
    for (size_t i = 0, offset = 0; i < count; offset += v[i++].size[k])
        for (size_t o = 0; o < outer; o++)
            for (size_t j = 0; j < v[i].size[k] * inner; j++)
                element[(o * size[k] + offset) * inner + j] =
                    v[i].element[o * v[i].size[k] * inner + j];
    return all;
}

/* One row of [a, b; c, d]: its elements as arrays of `rank`, side by side. */
static model_value build_row(model_reader *r, const model_expression *row, const model_value *v,
                             uint32_t rank)
{
    model_value *whole = arena_array(r->a, row->count, sizeof *whole);
    for (uint32_t i = 0; i < row->count; i++) whole[i] = promote(r, &v[i], rank);
    return model_concatenate(r, row->at, 1, row->count, whole);
}

model_value model_build_matrix(model_reader *r, model_expression *e)
{
    uint32_t rank = 2;
    bool known = true;
    model_value **v = arena_array(r->a, e->count, sizeof *v);
    for (uint32_t i = 0; i < e->count; i++) {
        const model_expression *row = e->operand[i];
        v[i] = arena_array(r->a, row->count, sizeof **v);
        for (uint32_t k = 0; k < row->count; k++) {
            v[i][k] = model_evaluate(r, row->operand[k]);
            known = known && v[i][k].type.base != TYPE_NONE;
            if (v[i][k].rank > rank) rank = v[i][k].rank;
        }
    }
    if (!known) return model_none();
    model_value *rows = arena_array(r->a, e->count, sizeof *rows);
    for (uint32_t i = 0; i < e->count; i++) {
        rows[i] = build_row(r, e->operand[i], v[i], rank);
        if (rows[i].type.base == TYPE_NONE) return model_none();
    }
    return model_concatenate(r, e->at, 0, e->count, rows);
}

/* The bounds and the step of a range as numbers. */
static bool range_numbers(model_reader *r, const model_expression *e, model_type *type,
                          double *number)
{
    bool known = true;
    for (uint32_t i = 0; i < e->count; i++) {
        model_value v = model_evaluate(r, e->operand[i]);
        bool counts = model_is_numeric(&v) || v.type.base == TYPE_ENUMERATION ||
                      (v.type.base == TYPE_BOOLEAN && e->count == 2);
        if (i == 0) *type = v.type;
        if (v.type.base == TYPE_NONE) {
            known = false;
        } else if (!counts || v.rank) {
            model_report_type(r, e->operand[i], &v, "a number");
            known = false;
        } else if (!model_common_type(r, type, v.type)) {
            model_error(r, e->operand[i]->at, "the parts of a range differ in type: %s and %s",
                        "a range of literals is written E.a:E.c, without a step",
                        model_type_text(r, *type), model_type_text(r, v.type));
            known = false;
        } else if (!sym_is_number(r->graph, v.one, &number[i])) {
            model_refuse(
                r, e->operand[i]->at, NULL,
                "ranges with bounds that are not known before the start are not supported yet",
                NULL);
            known = false;
        }
    }
    return known;
}

model_value model_build_range(model_reader *r, model_expression *e)
{
    double number[3] = {0};
    model_type type = {.base = TYPE_NONE};
    if (!range_numbers(r, e, &type, number)) return model_none();
    double from = number[0], step = e->count == 3 ? number[1] : 1, to = number[e->count - 1];
    if (step == 0)
        return model_fail(r, e->operand[1]->at, "the step of a range is 0",
                          "a range is written from:step:to, or from:to with a step of 1");
    double steps = (to - from) / step; /* a Real range may miss its end by rounding */
    double count = floor(steps + (type.base == TYPE_REAL ? 1e-10 * fmax(1, fabs(steps)) : 0)) + 1;
    if (!(count <= MODEL_MOST_ELEMENTS))
        return model_fail(r, e->at, "a range of more than %d elements", NULL, MODEL_MOST_ELEMENTS);
    size_t size = count > 0 ? (size_t)count : 0;
    model_value range;
    sym *element = model_new_array(r, e->at, type, 1, &size, &range);
    for (size_t i = 0; element && i < size; i++)
        element[i] = sym_number(r->graph, from + (double)i * step);
    return range;
}
