/* Sizes and types of declarations, and checks that values fit. */
#include "model/evaluator.h"
#include "model/instance.h"

#include <math.h>

bool model_has_open_size(const model_symbol *s)
{
    for (size_t i = 0; i < s->sizes.count; i++)
        if (s->sizes.item[i]->kind == EXPRESSION_COLON) return true;
    return false;
}

bool model_read_size(model_reader *r, model_expression *e, size_t *size)
{
    long n = 0;
    *size = 0;
    if (!model_whole_number(r, e, "the size of an array", &n)) return false;
    if (n < 0) {
        model_error(r, e->at, "a size must not be negative, %s is %ld", model_shown(r, e), n);
        model_remedy(r, "the size of an empty array is 0");
        return false;
    }
    *size = (size_t)n;
    return true;
}

static bool evaluate_size(model_reader *r, model_expression *e, size_t *size)
{
    if (e->kind == EXPRESSION_REFERENCE && e->reference->meaning.kind == MEANS_ENUMERATION) {
        *size = e->reference->meaning.enumeration->literal.count;
        return true;
    }
    return model_read_size(r, e, size);
}

bool model_declared_size(model_reader *r, const model_symbol *s, const model_value *given,
                         model_value *shape)
{
    *shape = (model_value){.type = s->type, .count = 1};
    if (!s->sizes.count) return true;
    size_t *size = arena_array(r->a, s->sizes.count, sizeof *size);
    bool known = true;
    for (size_t k = 0; k < s->sizes.count; k++) {
        if (s->sizes.item[k]->kind == EXPRESSION_COLON)
            size[k] = given && k < given->rank ? given->size[k] : 0;
        else
            known = evaluate_size(r, s->sizes.item[k], &size[k]) && known;
        if (!known) continue;
        if (size[k] && shape->count > MODEL_MOST_ELEMENTS / size[k]) {
            model_error(r, s->declaration->at, "%s has more than %d elements", s->name,
                        MODEL_MOST_ELEMENTS);
            known = false;
        }
        shape->count *= known ? size[k] : 1;
    }
    shape->rank = (uint32_t)s->sizes.count;
    shape->size = size;
    return known;
}

/* How values of a type are written. */
static const char *form_of(model_base type)
{
    switch (type) {
    case TYPE_BOOLEAN: return "a Boolean is true, false or a relation";
    case TYPE_STRING: return "a String stands in double quotes";
    case TYPE_ENUMERATION: return "a literal is written Type.literal";
    default: return "write a number; a Boolean becomes one by (if b then 1 else 0)";
    }
}

bool model_convert(model_reader *r, model_span at, const char *name, model_type type,
                   model_value *v)
{
    double number = 0;
    bool whole = type.base == TYPE_INTEGER && v->type.base == TYPE_REAL;
    for (size_t i = 0; whole && i < v->count; i++)
        whole = sym_is_number(r->graph, model_element(v, i), &number) && number == floor(number);
    bool widened = type.base == TYPE_REAL && v->type.base == TYPE_INTEGER;
    if (model_same_type(type, v->type) || whole || widened) {
        v->type = type;
        return true;
    }
    if (type.base == TYPE_INTEGER && v->type.base == TYPE_REAL && !v->rank &&
        sym_is_number(r->graph, v->one, &number)) {
        model_error(r, at, "%s is Integer, but its value is %g", name, number);
        model_remedy(r, "declare it as Real, or round: integer(x)");
    } else if (v->type.base != TYPE_NONE) {
        model_error(r, at, "%s is %s, but its value is %s", name, model_type_text(r, type),
                    model_type_text(r, v->type));
        model_remedy(r, "%s", form_of(type.base));
    }
    return false;
}

bool model_size_fits(model_reader *r, model_span at, const char *name, const model_value *shape,
                     const model_value *v)
{
    if (model_same_size(shape, v)) return true;
    model_error(r, at, "%s is %s, but its value is %s", name, model_size_text(r, shape),
                model_size_text(r, v));
    model_remedy(r, "change the size where it is declared, or the value");
    if (!v->rank && shape->rank == 1)
        model_remedy(r, "the same value for all elements is written fill(value, %zu)",
                     shape->size[0]);
    return false;
}
