#include "model/value.h"

#include "model/reader.h"
#include "model/record.h"

#include <string.h>

const char *const model_base_name[] = {[TYPE_NONE] = "unknown",
                                       [TYPE_REAL] = "Real",
                                       [TYPE_INTEGER] = "Integer",
                                       [TYPE_BOOLEAN] = "Boolean",
                                       [TYPE_STRING] = "String"};

model_value model_none(void)
{
    return (model_value){.type = {.base = TYPE_NONE}, .count = 1, .one = 0};
}

model_value model_scalar(model_base base, sym value)
{
    return (model_value){.type = {.base = base}, .count = 1, .one = value};
}

/* A cache keeps the nodes of recent numbers, because loops use the same numbers again. */
model_value model_number(model_reader *r, model_base base, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    size_t at = (bits ^ bits >> 32 ^ bits >> 45) % MODEL_NUMBERS;
    if (!r->number[at].used || r->number[at].bits != bits) {
        r->number[at].bits = bits;
        r->number[at].node = sym_number(r->graph, value);
        r->number[at].used = true;
    }
    return model_scalar(base, r->number[at].node);
}

sym *model_new_elements(model_reader *r, model_value *v)
{
    if (v->rank == 0) return &v->one;
    sym *element = arena_array(r->a, v->count, sizeof *element);
    v->element = element;
    return element;
}

sym *model_new_array(model_reader *r, model_span at, model_type type, uint32_t rank,
                     const size_t *size, model_value *v)
{
    *v = (model_value){.type = type, .rank = rank, .count = 1};
    for (uint32_t k = 0; k < rank; k++) {
        if (size[k] && v->count > MODEL_MOST_ELEMENTS / size[k]) {
            model_error(r, at, "an array of more than %d elements", NULL, MODEL_MOST_ELEMENTS);
            *v = model_none();
            return NULL;
        }
        v->count *= size[k];
    }
    if (rank) {
        v->size = arena_duplicate(r->a, size, rank, sizeof *size);
        r->work += v->count;
    }
    return model_new_elements(r, v);
}

model_value model_vector(model_reader *r, model_type type, size_t count, const sym *element)
{
    const size_t *size = arena_duplicate(r->a, &count, 1, sizeof count);
    return (model_value){.type = type, .rank = 1, .count = count, .size = size, .element = element};
}

sym model_element(const model_value *v, size_t i)
{
    return v->rank == 0 ? v->one : v->element[i];
}

model_value model_reshape(model_reader *r, const model_value *v, uint32_t rank, const size_t *size)
{
    model_value shaped = *v;
    shaped.rank = rank;
    shaped.size = size;
    if (rank == 0) {
        shaped.one = model_element(v, 0);
    } else if (v->rank == 0) {
        shaped.element = arena_duplicate(r->a, &v->one, 1, sizeof v->one);
    }
    return shaped;
}

bool model_same_size(const model_value *a, const model_value *b)
{
    if (a->rank != b->rank) return false;
    for (uint32_t k = 0; k < a->rank; k++)
        if (a->size[k] != b->size[k]) return false;
    return true;
}

/* An enumeration that stands in a declaration is the one with the same literals (Modelica 3.6,
 * Sec. 6.4: types are equivalent by what they consist of). */
static bool same_literals(const model_class *a, const model_class *b)
{
    if ((!a->unnamed && !b->unnamed) || a->literal.count != b->literal.count) return false;
    for (size_t i = 0; i < a->literal.count; i++)
        if (a->literal.item[i].name != b->literal.item[i].name) return false;
    return true;
}

bool model_same_type(const model_reader *r, model_type a, model_type b)
{
    if (a.base != b.base) return false;
    if (a.declared == b.declared) return true;
    if (a.base == TYPE_RECORD) return model_same_components(r, a.declared, b.declared);
    return a.base == TYPE_ENUMERATION && a.declared && b.declared &&
           same_literals(a.declared, b.declared);
}

bool model_is_numeric(const model_value *v)
{
    return v->type.base == TYPE_REAL || v->type.base == TYPE_INTEGER;
}

const char *model_size_text(model_reader *r, const model_value *v)
{
    if (v->rank == 0) return "a scalar";
    const char *list = arena_format(r->a, "[%zu", v->size[0]);
    for (uint32_t k = 1; k < v->rank; k++) list = arena_format(r->a, "%s, %zu", list, v->size[k]);
    return arena_format(r->a, "%s]", list);
}

const char *model_type_text(model_reader *r, model_type type)
{
    return type.declared ? names_string(r->words, type.declared->name) : model_base_name[type.base];
}

const char *model_index_text(arena *a, uint32_t rank, const size_t *size, size_t i)
{
    enum { DIGITS = 21 };
    char *string = arena_array(a, (size_t)rank * DIGITS + 3, 1);
    char *to = string + (size_t)rank * DIGITS + 2;
    *--to = ']';
    for (uint32_t k = rank; k-- > 0;) {
        size_t index = i % size[k] + 1;
        i /= size[k];
        for (; index; index /= 10) *--to = (char)('0' + index % 10);
        if (k > 0) *--to = ',';
    }
    *--to = '[';
    return to;
}
