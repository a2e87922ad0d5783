/* Elements of arrays by their subscripts (Modelica 3.6, Sec. 10.5). */
#include "model/evaluator.h"

#include <math.h>

/* One subscript: the indices (from 0) that it picks. */
typedef struct picked {
    size_t count;
    size_t first;        /* of a scalar subscript and of a whole dimension */
    const size_t *index; /* of a vector subscript; NULL: first, first + 1, ... */
    bool scalar;
} picked;

static bool in_bounds(model_reader *r, const model_expression *e, const model_expression *whole,
                      double index, size_t size)
{
    if (index >= 1 && index <= (double)size && index == floor(index)) return true;
    const char *shown = model_shown(r, whole);
    if (index != floor(index)) {
        model_error(r, e->at, "a subscript must be a whole number, %g is none", index);
        model_remedy(r, "integer(x) is the largest whole number below");
    } else if (size == 0) {
        model_error(r, e->at, "subscript %g of an empty dimension in %s", index, shown);
        model_remedy(r, "leave it out where the size is 0: if size(x, 1) > 0 then ... end if");
    } else {
        model_error(r, e->at, "subscript %g is out of bounds 1:%zu in %s", index, size, shown);
        model_remedy(r, "the first element has the subscript 1, the last one end");
    }
    return false;
}

static bool pick(model_reader *r, model_expression *e, const model_expression *whole, size_t size,
                 picked *p)
{
    *p = (picked){.count = size};
    if (e->kind == EXPRESSION_COLON) return true;
    model_mode before = r->mode;
    r->mode.has_end = true;
    r->mode.end = size;
    model_value v = model_evaluate(r, e);
    r->mode.has_end = before.has_end;
    r->mode.end = before.end;
    if (v.type.base == TYPE_NONE) return false;
    bool counts = model_is_numeric(&v) || v.type.base == TYPE_ENUMERATION;
    if (!counts || v.rank > 1) {
        model_report_type(r, e, &v, "an Integer");
        return false;
    }
    size_t *index = v.rank ? arena_array(r->a, v.count, sizeof *index) : &p->first;
    for (size_t i = 0; i < v.count; i++) {
        double number;
        if (!sym_is_number(r->graph, model_element(&v, i), &number)) {
            model_refuse(r, e->at, NULL, "subscripts that change with time are not supported yet");
            model_remedy(r, "choose the element by an if-expression");
            return false;
        }
        if (!in_bounds(r, e, whole, number, size)) return false;
        index[i] = (size_t)number - 1;
    }
    p->count = v.count;
    p->scalar = v.rank == 0;
    p->index = v.rank ? index : NULL;
    return true;
}

/* All subscripts of an array; dimensions without one are taken whole. */
static bool pick_all(model_reader *r, const model_value *v, uint32_t count,
                     model_expression *const *subscript, const model_expression *whole, picked *p)
{
    if (count > v->rank) {
        model_error(r, whole->at, "%u subscript%s for %s%s", (unsigned)count, count > 1 ? "s" : "",
                    v->rank ? "an array " : "", model_size_text(r, v));
        model_remedy(r, v->rank ? "it has no more than one for each dimension"
                                : "leave them out, or declare it with a size");
        return false;
    }
    bool known = true;
    for (uint32_t k = 0; k < v->rank; k++) {
        p[k] = (picked){.count = v->size[k]};
        if (k < count) known = pick(r, subscript[k], whole, v->size[k], &p[k]) && known;
    }
    return known;
}

/* The sizes of the picked part, without dimensions with a scalar subscript. Returns its rank. */
static uint32_t picked_size(const model_value *v, const picked *p, size_t *size)
{
    uint32_t rank = 0;
    for (uint32_t k = 0; k < v->rank; k++)
        if (!p[k].scalar) size[rank++] = p[k].count;
    return rank;
}

/* The index in the array of the i-th picked element, both in row-major order. */
static size_t origin(const model_value *v, const picked *p, size_t i)
{
    size_t from = 0, stride = 1;
    for (uint32_t k = v->rank; k-- > 0; stride *= v->size[k]) {
        size_t at = p[k].scalar ? 0 : i % p[k].count;
        if (!p[k].scalar) i /= p[k].count;
        from += stride * (p[k].index ? p[k].index[at] : p[k].first + at);
    }
    return from;
}

enum { FEW = 4 };

model_value model_subscript(model_reader *r, const model_value *v, uint32_t count,
                            model_expression *const *subscript, const model_expression *whole)
{
    picked few[FEW], *p = v->rank <= FEW ? few : arena_array(r->a, v->rank, sizeof *p);
    size_t few_sizes[FEW],
        *size = v->rank <= FEW ? few_sizes : arena_array(r->a, v->rank, sizeof *size);
    if (!pick_all(r, v, count, subscript, whole, p)) return model_none();
    uint32_t rank = picked_size(v, p, size);
    model_value part;
    sym *element = model_new_array(r, whole->at, v->type, rank, size, &part);
    for (size_t i = 0; element && i < part.count; i++) element[i] = v->element[origin(v, p, i)];
    return part;
}

bool model_assign_part(model_reader *r, model_value *v, uint32_t count,
                       model_expression *const *subscript, const model_expression *whole,
                       const model_value *value)
{
    picked *p = arena_array(r->a, v->rank, sizeof *p);
    size_t *size = arena_array(r->a, v->rank, sizeof *size);
    if (!pick_all(r, v, count, subscript, whole, p)) return false;
    model_value part = {.rank = picked_size(v, p, size), .size = size};
    if (!model_same_size(&part, value)) {
        model_error(r, whole->at, "sizes do not fit: %s := %s", model_size_text(r, &part),
                    model_size_text(r, value));
        model_remedy(r, "assign as many elements as the subscripts pick");
        return false;
    }
    sym *element = (sym *)v->element; /* a variable owns its elements */
    for (size_t i = 0; i < value->count; i++) element[origin(v, p, i)] = model_element(value, i);
    return true;
}
