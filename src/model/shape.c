/* Sizes and types of declarations, and checks that values fit. */
#include "model/evaluator.h"
#include "model/instance.h"

#include <math.h>

const model_class *model_alias_base(const model_reader *r, const model_class *type)
{
    const model_part *part = &type->base->first;
    while (part->next) part = part->next;
    return part->name < r->known ? r->class_of[part->name] : NULL;
}

/* All sizes of a declaration, outermost first: Real[3] x[2] is x[2, 3]. */
static void gather_sizes(model_reader *r, const model_symbol *s, model_expressions *list)
{
    const model_declaration *d = s->declaration;
    for (size_t i = 0; i < d->size.count; i++) list_push(r->a, list, d->size.item[i]);
    for (size_t i = 0; d->type_size && i < d->type_size->count; i++)
        list_push(r->a, list, d->type_size->item[i]);
    const model_class *c = s->alias;
    for (; c && c->kind == CLASS_TYPE; c = model_alias_base(r, c))
        for (size_t i = 0; c->base_size && i < c->base_size->count; i++)
            list_push(r->a, list, c->base_size->item[i]);
}

static bool is_scalar(const model_symbol *s)
{
    return s->declaration->size.count == 0 && !s->declaration->type_size && !s->alias;
}

uint32_t model_declared_rank(model_reader *r, const model_symbol *s)
{
    model_expressions list = {0};
    if (!is_scalar(s)) gather_sizes(r, s, &list);
    return (uint32_t)list.count;
}

bool model_has_open_size(const model_symbol *s)
{
    const model_declaration *d = s->declaration;
    for (size_t i = 0; i < d->size.count; i++)
        if (d->size.item[i]->kind == EXPRESSION_COLON) return true;
    for (size_t i = 0; d->type_size && i < d->type_size->count; i++)
        if (d->type_size->item[i]->kind == EXPRESSION_COLON) return true;
    return false;
}

bool model_read_size(model_reader *r, model_expression *e, size_t *size)
{
    long n = 0;
    *size = 0;
    if (!model_whole_number(r, e, "the size of an array", &n)) return false;
    if (n < 0) {
        model_error(&r->reports, e->at, "a size must not be negative, %s is %ld", model_shown(r, e),
                    n);
        model_remedy(&r->reports, "the size of an empty array is 0");
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
    if (is_scalar(s)) return true;
    model_expressions list = {0};
    gather_sizes(r, s, &list);
    size_t *size = arena_array(r->a, list.count, sizeof *size);
    bool known = true;
    for (size_t k = 0; k < list.count; k++) {
        if (list.item[k]->kind == EXPRESSION_COLON)
            size[k] = given && k < given->rank ? given->size[k] : 0;
        else
            known = evaluate_size(r, list.item[k], &size[k]) && known;
        if (!known) continue;
        if (size[k] && shape->count > MODEL_MOST_ELEMENTS / size[k]) {
            model_error(&r->reports, s->declaration->at, "%s has more than %d elements", s->name,
                        MODEL_MOST_ELEMENTS);
            known = false;
        }
        shape->count *= known ? size[k] : 1;
    }
    shape->rank = (uint32_t)list.count;
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
        model_error(&r->reports, at, "%s is Integer, but its value is %g", name, number);
        model_remedy(&r->reports, "declare it as Real, or round: integer(x)");
    } else if (v->type.base != TYPE_NONE) {
        model_error(&r->reports, at, "%s is %s, but its value is %s", name,
                    model_type_text(r, type), model_type_text(r, v->type));
        model_remedy(&r->reports, "%s", form_of(type.base));
    }
    return false;
}

bool model_size_fits(model_reader *r, model_span at, const char *name, const model_value *shape,
                     const model_value *v)
{
    if (model_same_size(shape, v)) return true;
    model_error(&r->reports, at, "%s is %s, but its value is %s", name, model_size_text(r, shape),
                model_size_text(r, v));
    model_remedy(&r->reports, "change the size where it is declared, or the value");
    if (!v->rank && shape->rank == 1)
        model_remedy(&r->reports, "the same value for all elements is written fill(value, %zu)",
                     shape->size[0]);
    return false;
}
