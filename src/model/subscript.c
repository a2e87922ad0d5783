/* Elements of arrays by their subscripts (Modelica 3.6, Sec. 10.5). */
#include "model/discrete.h"
#include "model/evaluator.h"
#include "model/record.h"
#include "symbolic/lists.h"
#include "symbolic/simplify.h"

#include <math.h>

/* One subscript: the indices (from 0) that it picks. */
typedef struct picked {
    size_t count;
    size_t first;        /* of a scalar subscript and of a whole dimension */
    const size_t *index; /* of a vector subscript; NULL: first, first + 1, ... */
    bool scalar;
    sym chosen; /* of a scalar subscript that changes: its value; else SYM_NONE */
} picked;

static bool in_bounds(model_reader *r, const model_expression *e, const model_expression *whole,
                      double index, size_t size)
{
    if (index >= 1 && index <= (double)size && index == floor(index)) return true;
    const char *shown = model_shown(r, whole);
    if (index != floor(index)) {
        model_error(r, e->at, "a subscript must be a whole number, not %g",
                    "integer(x) rounds down to a whole number", index);
    } else if (size == 0) {
        model_error(r, e->at, "subscript %g of an empty dimension in %s",
                    "leave it out where the size is 0: if size(x, 1) > 0 then ... end if", index,
                    shown);
    } else {
        model_error(r, e->at, "subscript %g is out of bounds 1:%zu in %s",
                    "subscripts run from 1 to end", index, size, shown);
    }
    return false;
}

static bool refuse_changing(model_reader *r, const model_expression *e)
{
    return model_refuse(r, e->at, NULL, "subscripts that change with time are not supported here",
                        "read single elements by them, as in x = a[k]");
}

const model_meaning *model_index_type(const model_expression *size)
{
    if (!size || size->kind != EXPRESSION_REFERENCE) return NULL;
    const model_meaning *m = &size->reference->meaning;
    return m->kind == MEANS_ENUMERATION || m->kind == MEANS_TRUTHS ? m : NULL;
}

/* The size of dimension k of the variable that an expression names, as it is declared; NULL: it is
 * not known. */
static const model_expression *declared_size(const model_expression *e, uint32_t rank, uint32_t k)
{
    if (e->kind != EXPRESSION_REFERENCE) return NULL;
    const model_meaning *m = &e->reference->meaning;
    bool variable = (m->kind == MEANS_SYMBOL || m->kind == MEANS_LOCAL) && m->symbol;
    return variable && m->symbol->sizes.count == rank ? m->symbol->sizes.item[k] : NULL;
}

/* Whether a subscript is made with `end`, which is a number. */
static bool counts_from_end(const model_expression *e)
{
    bool any = e->kind == EXPRESSION_END;
    for (uint32_t i = 0; i < e->count && !any; i++) any = counts_from_end(e->operand[i]);
    return any;
}

/* Whether a subscript has a type by which a dimension is indexed: a Boolean of Boolean dimensions
 * alone, a literal of no other enumeration (else reported). */
static bool indexes(model_reader *r, const model_expression *e, const model_expression *whole,
                    const model_value *v, const model_expression *size)
{
    const model_meaning *by = model_index_type(size);
    if (model_is_numeric(v) && (!by || counts_from_end(e))) return true;
    bool truth = by && by->kind == MEANS_TRUTHS;
    if (!by && v->type.base == TYPE_ENUMERATION) return true;
    if (!by) return model_report_type(r, e, v, "an Integer");
    model_type wanted = {truth ? TYPE_BOOLEAN : TYPE_ENUMERATION, truth ? NULL : by->enumeration};
    if (model_same_type(r, wanted, v->type)) return true;
    return model_error(r, e->at, "%s is indexed by %s, but %s is %s",
                       truth ? "its elements have the subscripts false and true"
                             : "a subscript is one of its literals",
                       model_shown(r, whole), model_type_text(r, wanted), model_shown(r, e),
                       model_type_text(r, v->type));
}

static bool pick(model_reader *r, model_expression *e, const model_expression *whole,
                 const model_expression *declared, size_t size, picked *p)
{
    *p = (picked){.count = size, .chosen = SYM_NONE};
    if (e->kind == EXPRESSION_COLON) return true;
    model_mode before = r->mode;
    r->mode.has_end = true;
    r->mode.end = size;
    model_value v = model_evaluate(r, e);
    r->mode.has_end = before.has_end;
    r->mode.end = before.end;
    if (v.type.base == TYPE_NONE) return false;
    if (v.rank > 1) return model_report_type(r, e, &v, "an Integer");
    if (!indexes(r, e, whole, &v, declared)) return false;
    size_t *index = v.rank ? arena_array(r->a, v.count, sizeof *index) : &p->first;
    for (size_t i = 0; i < v.count; i++) {
        double number;
        sym at = model_element(&v, i);
        if (v.type.base == TYPE_BOOLEAN) at = sym_add(r->graph, sym_number(r->graph, 1), at);
        if (!sym_is_number(r->graph, at, &number)) {
            p->chosen = at;
            p->scalar = true;
            bool fits = v.type.base != TYPE_REAL || model_has_trait(r, at, TRAIT_WHOLE);
            if (!fits) return model_report_type(r, e, &v, "an Integer");
            return v.rank == 0 || refuse_changing(r, e);
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
    if (count > v->rank)
        return model_error(r, whole->at, "%u subscript%s for %s%s",
                           v->rank ? "it has no more than one for each dimension"
                                   : "leave them out, or declare it with a size",
                           (unsigned)count, count > 1 ? "s" : "", v->rank ? "an array " : "",
                           model_size_text(r, v));
    bool known = true;
    for (uint32_t k = 0; k < v->rank; k++) {
        p[k] = (picked){.count = v->size[k], .chosen = SYM_NONE};
        if (k >= count) continue;
        const model_expression *declared = declared_size(whole, v->rank, k);
        known = pick(r, subscript[k], whole, declared, v->size[k], &p[k]) && known;
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

/* --- elements that a subscript chooses while time goes on --- */

static bool has_chosen(uint32_t rank, const picked *p)
{
    for (uint32_t k = 0; k < rank; k++)
        if (p[k].chosen != SYM_NONE) return true;
    return false;
}

/* One of elements first ... last by a subscript that is one of these. */
static sym choose_between(sym_graph *g, const sym *element, size_t first, size_t last, sym k)
{
    if (first == last) return element[first - 1];
    size_t middle = first + (last - first) / 2;
    sym below = sym_binary(g, SYM_LESS, k, sym_number(g, (double)middle + 0.5));
    return sym_if(g, below, choose_between(g, element, first, middle, k),
                  choose_between(g, element, middle + 1, last, k));
}

/* The element with a subscript that changes; NaN where there is none. */
static sym choose(model_reader *r, const sym *element, size_t size, sym k)
{
    sym_graph *g = r->graph;
    double *number = arena_array(r->a, size + 2, sizeof *number);
    bool known = true;
    number[0] = number[size + 1] = (double)NAN;
    for (size_t i = 0; i < size && known; i++) known = sym_is_number(g, element[i], &number[i + 1]);
    if (known) return sym_element(g, sym_new_list(g, size + 2, number), k);
    sym none = sym_number(g, (double)NAN);
    sym above = sym_binary(g, SYM_LESS, sym_number(g, (double)size + 0.5), k);
    sym below = sym_binary(g, SYM_LESS, k, sym_number(g, 0.5));
    sym outside = sym_binary(g, SYM_OR, below, above);
    return sym_if(g, outside, none, choose_between(g, element, 1, size, k));
}

/* The element that begins at `from` in dimension k, by the subscripts that change from there on. */
static sym chosen_from(model_reader *r, const model_value *v, const picked *p, uint32_t k,
                       size_t from)
{
    while (k < v->rank && p[k].chosen == SYM_NONE) k++;
    if (k == v->rank) return v->element[from];
    size_t stride = 1;
    for (uint32_t i = k + 1; i < v->rank; i++) stride *= v->size[i];
    sym *element = arena_array(r->a, v->size[k] + 1, sizeof *element);
    for (size_t i = 0; i < v->size[k]; i++)
        element[i] = chosen_from(r, v, p, k + 1, from + i * stride);
    return choose(r, element, v->size[k], p[k].chosen);
}

static model_value pick_records(model_reader *r, const model_value *v, const picked *p,
                                uint32_t rank, const size_t *size)
{
    model_value part = {.rank = rank, .size = size, .count = 1};
    for (uint32_t k = 0; k < rank; k++) part.count *= size[k];
    size_t *from = arena_array(r->a, part.count, sizeof *from);
    for (size_t i = 0; i < part.count; i++) from[i] = origin(v, p, i);
    return model_take(r, v, v->rank, &part, from);
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
    bool chosen = has_chosen(v->rank, p);
    if (chosen && v->type.base == TYPE_RECORD) {
        refuse_changing(r, whole);
        return model_none();
    }
    if (v->type.base == TYPE_RECORD) return pick_records(r, v, p, rank, size);
    sym *element = model_new_array(r, whole->at, v->type, rank, size, &part);
    for (size_t i = 0; element && i < part.count; i++)
        element[i] = chosen_from(r, v, p, 0, origin(v, p, i));
    return part;
}

bool model_assign_part(model_reader *r, model_value *v, uint32_t count,
                       model_expression *const *subscript, const model_expression *whole,
                       const model_value *value)
{
    picked *p = arena_array(r->a, v->rank, sizeof *p);
    size_t *size = arena_array(r->a, v->rank, sizeof *size);
    if (!pick_all(r, v, count, subscript, whole, p)) return false;
    if (has_chosen(v->rank, p)) return refuse_changing(r, whole);
    model_value part = {.rank = picked_size(v, p, size), .size = size};
    if (!model_same_size(&part, value))
        return model_error(r, whole->at, "sizes do not fit: %s := %s",
                           "assign as many elements as the subscripts pick",
                           model_size_text(r, &part), model_size_text(r, value));
    sym *element = (sym *)v->element; /* a variable owns its elements */
    for (size_t i = 0; i < value->count; i++) element[origin(v, p, i)] = model_element(value, i);
    return true;
}

model_expression *model_named_element(model_reader *r, const model_expression *left)
{
    model_expression *e = left->kind == EXPRESSION_SUBSCRIPT ? left->operand[0] : NULL;
    for (uint32_t k = 1; e && k < left->count; k++) {
        double number;
        if (e->kind != EXPRESSION_ARRAY || e->iterator) return NULL;
        model_mode before = r->mode;
        r->mode.has_end = true;
        r->mode.end = e->count;
        model_value v = model_evaluate(r, left->operand[k]);
        r->mode.has_end = before.has_end;
        r->mode.end = before.end;
        bool known = v.type.base != TYPE_NONE && v.rank == 0 &&
                     sym_is_number(r->graph, model_element(&v, 0), &number);
        bool within = known && number >= 1 && number <= e->count && number == floor(number);
        e = within ? e->operand[(size_t)number - 1] : NULL;
    }
    return e;
}
