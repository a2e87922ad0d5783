/* Declarations: their sizes, and the values of parameters. */
#include "model/evaluator.h"
#include "model/record.h"
#include "model/string.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

model_mode model_enter_model(model_reader *r)
{
    model_mode before = r->mode;
    r->mode = (model_mode){.frame = r->frame};
    return before;
}

/* Find sizes. `r` is in the mode of the model. */
static bool find_size(model_reader *r, model_symbol *s)
{
    model_value given = {0}, shape;
    bool open = model_has_open_size(s);
    if (open && !s->declaration->binding)
        return model_error(r, s->declaration->at, "the size of %s is ':', but it has no value",
                           "write the size, or a value that has one", s->name);
    if (open) {
        given = model_evaluate(r, s->declaration->binding);
        if (given.type.base == TYPE_NONE) return false;
        s->value.rank = given.rank; /* for A[:, size(A, 1)] */
        s->value.size = given.size;
    }
    if (!model_declared_size(r, s, open ? &given : NULL, &shape)) return false;
    s->value = shape;
    return !open || model_size_fits(r, s->declaration->binding->at, s->name, &shape, &given);
}

bool model_symbol_size(model_reader *r, model_symbol *s)
{
    if (s->sized == PROGRESS_DONE) return s->value.type.base != TYPE_NONE;
    if (s->sized == PROGRESS_RUNNING) {
        if (s->value.rank) return true;
        return model_error(r, s->declaration->at, "the size of %s depends on itself",
                           "write the size as a number or a parameter", s->name);
    }
    s->sized = PROGRESS_RUNNING;
    s->value.type = s->type;
    model_mode before = model_enter_model(r);
    bool known = s->type.base != TYPE_NONE && find_size(r, s);
    r->mode = before;
    s->sized = PROGRESS_DONE;
    if (!known) s->value = model_none();
    return known;
}

static const char *default_text(model_type type)
{
    switch (type.base) {
    case TYPE_BOOLEAN: return "false";
    case TYPE_STRING: return "an empty String";
    case TYPE_ENUMERATION: return "its first literal";
    default: return "0";
    }
}

static model_value default_value(model_reader *r, model_type type)
{
    double number = type.base == TYPE_ENUMERATION ? 1 : 0;
    if (type.base == TYPE_STRING) number = names_intern(r->words, "", 0);
    model_value v = model_number(r, type.base, number);
    v.type = type;
    return v;
}

static void note_start_value(model_reader *r, const model_symbol *s, const model_value *start)
{
    double number;
    const char *value = default_text(s->type);
    if (start) value = "as declared";
    if (start && !start->rank && s->type.base <= TYPE_INTEGER &&
        sym_is_number(r->graph, start->one, &number))
        value = arena_format(r->a, "%g", number);
    if (!start) list_push(r->a, &r->valueless, s->name);
    list_push(r->a, &r->note,
              arena_format(r->a, "%s:%u: the parameter %s has no value; it takes its %s, %s",
                           r->source.file, model_line_number(r, s->declaration->at), s->name,
                           start ? "start value" : "default", value));
}

/* A parameter without a value takes its start value, with a note. */
static model_value start_value(model_reader *r, model_symbol *s, bool free)
{
    model_value v;
    if (s->declaration->variability == VARIABILITY_CONSTANT)
        return model_fail(r, s->declaration->at, "the constant %s has no value",
                          "give it a value, or make it a parameter", s->name);
    bool given = model_attribute(r, s, ATTRIBUTE_START, &v);
    if (!free && !s->noted) note_start_value(r, s, given ? &v : NULL);
    s->noted = true;
    return given ? v : default_value(r, s->type);
}

/* Whether the i-th element is determined at the start: fixed = false. */
static bool is_free(const model_reader *r, const model_value *fixed, size_t i)
{
    return fixed && sym_is(r->graph, model_element_of(fixed, i), 0);
}

/* The values of a parameter before settings: its binding, or its start value. */
static model_value given_value(model_reader *r, model_symbol *s, bool free)
{
    model_value v;
    if (!s->declaration->binding) return start_value(r, s, free);
    return model_binding_value(r, s, &s->value, &v) ? v : model_none();
}

/* Whether an element of a parameter is known, or may become known once all unknowns have their
 * numbers. */
static bool is_settled(model_reader *r, const model_symbol *s, sym element)
{
    double number;
    const model_expression *binding = s->declaration->binding;
    model_span at = binding ? binding->at : s->declaration->at;
    if (sym_number_of(r->graph, element, &number)) {
        if (sym_ask(r->graph, IS_FINITE, number, 0)) return true;
        return model_error(r, at, "the value of %s is not finite",
                           "change the values that it is computed from", s->name);
    }
    if (!r->placed || !model_varies(r, element)) return true;
    return model_error(r, at, "%s is a %s, but its value depends on values that change with time",
                       "make it a variable with an equation", s->name,
                       s->declaration->variability == VARIABILITY_CONSTANT ? "constant"
                                                                           : "parameter");
}

/* Trace a Real parameter that can be set later without reading the text again, so that values that
 * follow from it are known. A parameter without a value of its own is not traced: it caused a note,
 * which a later setting would have to remove. */
static sym tunable(model_reader *r, const model_symbol *s, size_t i, sym element, bool set)
{
    double number;
    bool can_be_set = s->declaration->variability == VARIABILITY_PARAMETER &&
                      !s->declaration->final;
    if (!r->traces || !can_be_set || !sym_number_of(r->graph, element, &number)) return element;
    if (s->type.base != TYPE_REAL || s->noted) {
        const char *why = s->noted ? "it has no value of its own"
                                   : arena_format(r->a, "it is %s", model_type_text(r, s->type));
        if (i == 0) sym_note_structural(r->graph, s->name, why);
        return element;
    }
    return sym_number(r->graph,
                      sym_trace_parameter(r->graph, model_element_name(r, s, i), number, set));
}

static bool evaluate_object(model_reader *r, model_symbol *s)
{
    model_expression *from = s->declaration->binding;
    if (!from)
        return model_error(r, s->declaration->at, "the object %s has no value",
                           "make it by its constructor: X x = X(...)", s->name);
    model_value v = model_evaluate(r, from);
    if (v.type.base == TYPE_NONE || !model_convert(r, from->at, s->name, s->type, &v)) return false;
    s->value = v;
    s->valued = r->placed ? PROGRESS_DONE : PROGRESS_PROVISIONAL;
    return true;
}

static bool evaluate_parameter(model_reader *r, model_symbol *s)
{
    model_value fixed, v;
    double number;
    if (!model_symbol_size(r, s)) return false;
    if (s->type.base == TYPE_OBJECT) return evaluate_object(r, s);
    bool frees = s->declaration->variability == VARIABILITY_PARAMETER &&
                 model_attribute(r, s, ATTRIBUTE_FIXED, &fixed);
    bool replaced = !s->value.rank && model_setting_of(r, s, 0, &number);
    bool all_free = frees && !fixed.rank && is_free(r, &fixed, 0);
    v = replaced || all_free ? default_value(r, s->type) : given_value(r, s, false);
    if (v.type.base == TYPE_NONE) return false;
    bool settled = true, known = true;
    sym *element = model_new_elements(r, &s->value);
    for (size_t i = 0; i < s->value.count; i++) {
        bool free = is_free(r, frees ? &fixed : NULL, i);
        if (free)
            element[i] = s->leaf ? s->leaf[i] : model_stand_in(r);
        else if (model_setting_of(r, s, i, &number))
            element[i] = tunable(r, s, i, sym_number(r->graph, number), true);
        else
            element[i] = tunable(r, s, i, model_element_of(&v, i), false);
        settled = (free || is_settled(r, s, element[i])) && settled;
        known = known && sym_is_number(r->graph, element[i], NULL);
    }
    s->valued = known || r->placed ? PROGRESS_DONE : PROGRESS_PROVISIONAL;
    return settled;
}

/* The value of a variable before the unknowns have their numbers. Only its sizes matter. */
static model_value provisional_variable(model_reader *r, model_symbol *s)
{
    if (!model_symbol_size(r, s)) return model_none();
    model_value v = s->value;
    sym stand_in = model_stand_in(r);
    sym *element = model_new_elements(r, &v);
    for (size_t i = 0; i < v.count; i++) element[i] = stand_in;
    return v;
}

model_value model_symbol_value(model_reader *r, model_symbol *s)
{
    if (s->valued == PROGRESS_DONE || s->valued == PROGRESS_PROVISIONAL) return s->value;
    bool variable = s->declaration->variability < VARIABILITY_PARAMETER;
    if (variable && (!r->placed || s->type.base != TYPE_STRING)) return provisional_variable(r, s);
    if (s->valued == PROGRESS_RUNNING)
        return model_fail(r, s->declaration->at, "the value of %s depends on itself",
                          "make one of them a variable with an equation, or give it a number",
                          s->name);
    s->valued = PROGRESS_RUNNING;
    model_mode before = model_enter_model(r);
    if (variable) {
        model_evaluate_text(r, s);
        s->valued = PROGRESS_DONE;
    } else if (!evaluate_parameter(r, s)) {
        s->valued = PROGRESS_DONE;
        s->value = model_none();
    }
    r->mode = before;
    return s->value;
}

void model_search(model_reader *r, model_node *root,
                  void (*loop)(model_reader *r, const model_nodes *path, const model_node *end),
                  void (*done)(model_reader *r, model_node *node))
{
    model_nodes path = {0};
    if (root->state == NODE_NEW) list_push(r->a, &path, root);
    while (path.count) {
        model_node *top = path.item[path.count - 1];
        top->state = NODE_OPEN;
        model_node *used = top->next < top->uses.count ? top->uses.item[top->next++] : NULL;
        if (used && used->state == NODE_OPEN) loop(r, &path, used);
        if (used && used->state == NODE_NEW) list_push(r->a, &path, used);
        if (used) continue;
        path.count--;
        top->state = NODE_DONE;
        if (done) done(r, top);
    }
}

/* Report a loop that ends in `end` with all its names, and break it by giving up the values in it.
 */
static void break_loop(model_reader *r, const model_nodes *stack, const model_node *end)
{
    size_t first = stack->count - 1;
    if (stack->item[first] == end) return; /* reported when it is evaluated */
    while (stack->item[first] != end) first--;
    const model_symbol *s = (const model_symbol *)end;
    const char *path = s->name;
    for (size_t i = first + 1; i < stack->count && i <= first + 10; i++)
        path = arena_format(r->a, "%s -> %s", path, ((model_symbol *)stack->item[i])->name);
    model_error(r, s->declaration->at, "%s depends on itself: %s -> %s",
                "make one of them a variable with an equation, or give it a number", s->name, path,
                s->name);
    for (size_t i = first; i < stack->count; i++) {
        model_symbol *member = (model_symbol *)stack->item[i];
        member->sized = member->valued = PROGRESS_DONE;
        member->value = model_none();
    }
}

/* Evaluate a symbol after those that it needs. */
static void evaluate_symbol(model_reader *r, model_node *node)
{
    model_symbol *s = (model_symbol *)node;
    list_push(r->a, &r->order, s);
    if (s->declaration->variability >= VARIABILITY_PARAMETER)
        model_symbol_value(r, s);
    else
        model_symbol_size(r, s);
}

/* Note a parameter outside its given bounds. */
static void note_bounds(model_reader *r, const model_symbol *s)
{
    static const model_attribute_name bound[2] = {ATTRIBUTE_MIN, ATTRIBUTE_MAX};
    for (int k = 0; k < 2; k++) {
        model_value limit;
        if (s->type.base > TYPE_INTEGER || !model_attribute(r, s, bound[k], &limit)) continue;
        for (size_t i = 0; i < s->value.count; i++) {
            double x, b;
            if (!sym_number_of(r->graph, model_element(&s->value, i), &x) ||
                !sym_number_of(r->graph, model_element_of(&limit, i), &b) ||
                sym_ask(r->graph, IS_LESS_EQUAL, k ? x : b, k ? b : x))
                continue;
            x = sym_value(r->graph, x);
            b = sym_value(r->graph, b);
            list_push(r->a, &r->note,
                      arena_format(r->a, "%s:%u: the parameter %s is %g, %s its %s of %g",
                                   r->source.file, model_line_number(r, s->declaration->at),
                                   s->name, x, k ? "above" : "below", k ? "max" : "min", b));
            break;
        }
    }
}

void model_instantiate(model_reader *r)
{
    for (size_t i = 0; i < r->symbol.count; i++) model_check_attributes(r, r->symbol.item[i]);
    for (size_t i = 0; i < r->symbol.count; i++)
        model_search(r, &r->symbol.item[i]->node, break_loop, evaluate_symbol);
    model_place_unknowns(r);
    r->placed = true;
    for (size_t i = 0; i < r->order.count; i++) {
        model_symbol *s = r->order.item[i];
        if (s->valued == PROGRESS_PROVISIONAL) s->valued = PROGRESS_NONE;
    }
    for (size_t i = 0; i < r->order.count; i++) {
        model_symbol *s = r->order.item[i];
        if (s->declaration->variability < VARIABILITY_PARAMETER) continue;
        model_symbol_value(r, s);
        note_bounds(r, s);
    }
    model_describe_unknowns(r);
}

/* Sizes and types of declarations, and checks that values fit. */

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
    if (e->kind == EXPRESSION_REFERENCE && e->reference->meaning.kind == MEANS_LITERAL)
        return model_error(r, e->at, "%s is a literal and no size",
                           "an enumeration as a size has an element for each of its literals",
                           model_shown(r, e));
    if (!model_whole_number(r, e, "the size of an array", &n)) return false;
    if (n < 0)
        return model_error(r, e->at, "a size must not be negative, %s is %ld",
                           "the size of an empty array is 0", model_shown(r, e), n);
    *size = (size_t)n;
    return true;
}

/* A size in an array of records, {n for each element}: all elements have the same. */
static bool evaluate_sizes(model_reader *r, model_expression *e, size_t *size)
{
    model_value v = model_evaluate(r, e);
    double first = 0, n;
    *size = 0;
    if (v.type.base == TYPE_NONE) return false;
    for (size_t i = 0; i < v.count; i++) {
        if (!model_is_numeric(&v)) return model_report_type(r, e, &v, "an Integer");
        if (!sym_is_number(r->graph, model_element(&v, i), &n))
            return model_refuse(r, e->at, NULL,
                                "a size in an array of records that is not known before the start "
                                "is not supported yet",
                                "write a number, or give the parameter a value");
        if (i == 0) first = n;
        if (n != first || n < 0 || n != floor(n) || n > MODEL_MOST_ELEMENTS)
            return model_refuse(r, e->at, NULL,
                                "an array of records whose components differ in size is not "
                                "supported yet",
                                "declare the records one by one");
    }
    *size = (size_t)first;
    return true;
}

static bool evaluate_size(model_reader *r, model_expression *e, size_t *size)
{
    if (e->kind == EXPRESSION_ARRAY && e->iterator) return evaluate_sizes(r, e, size);
    const model_meaning *m = model_index_type(e);
    if (!m) return model_read_size(r, e, size);
    *size = m->kind == MEANS_TRUTHS ? 2 : m->enumeration->literal.count;
    return true;
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
            model_error(r, s->declaration->at, "%s has more than %d elements", NULL, s->name,
                        MODEL_MOST_ELEMENTS);
            known = false;
        }
        shape->count *= known ? size[k] : 1;
    }
    shape->rank = (uint32_t)s->sizes.count;
    shape->size = size;
    return known;
}

/* How values of a type are written in place of those of another one. */
static const char *form_of(model_base type, model_base other)
{
    if (type == TYPE_INTEGER && other == TYPE_REAL)
        return "declare it as Real, or round: integer(x)";
    switch (type) {
    case TYPE_BOOLEAN: return "a Boolean is true, false or a relation";
    case TYPE_STRING: return "a String is written in double quotes";
    case TYPE_ENUMERATION: return "a literal is written Type.literal";
    default: return "write a number; a Boolean is turned into one by (if b then 1 else 0)";
    }
}

bool model_convert(model_reader *r, model_span at, const char *name, model_type type,
                   model_value *v)
{
    double number = 0;
    if (type.base == TYPE_RECORD || v->type.base == TYPE_RECORD)
        return model_convert_record(r, at, name, type, v);
    if (type.base == TYPE_FUNCTION) return model_function_fits(r, at, name, type, v);
    bool whole = type.base == TYPE_INTEGER && v->type.base == TYPE_REAL;
    for (size_t i = 0; whole && i < v->count; i++)
        whole = sym_is_number(r->graph, model_element(v, i), &number) && number == floor(number);
    bool widened = type.base == TYPE_REAL && v->type.base == TYPE_INTEGER;
    if (model_same_type(r, type, v->type) || whole || widened) {
        v->type = type;
        return true;
    }
    if (type.base == TYPE_INTEGER && v->type.base == TYPE_REAL && !v->rank &&
        sym_is_number(r->graph, v->one, &number)) {
        model_error(r, at, "%s is Integer, but its value is %g",
                    "declare it as Real, or round: integer(x)", name, number);
    } else if (v->type.base != TYPE_NONE) {
        model_error(r, at, "%s is %s, but its value is %s", form_of(type.base, v->type.base), name,
                    model_type_text(r, type), model_type_text(r, v->type));
    }
    return false;
}

bool model_binding_value(model_reader *r, const model_symbol *s, const model_value *shape,
                         model_value *v)
{
    model_expression *binding = s->declaration->binding;
    *v = model_evaluate(r, binding);
    /* Real a.k[1] = 1, as flat models have it: the one element */
    bool element = v->type.base != TYPE_NONE && !v->rank && shape->rank && shape->count == 1;
    if (element) *v = model_reshape(r, v, shape->rank, shape->size);
    return v->type.base != TYPE_NONE && model_convert(r, binding->at, s->name, s->type, v) &&
           model_size_fits(r, binding->at, s->name, shape, v);
}

bool model_size_fits(model_reader *r, model_span at, const char *name, const model_value *shape,
                     const model_value *v)
{
    if (model_same_size(shape, v)) return true;
    model_error(r, at, "%s is %s, but its value is %s",
                "change the size where it is declared, or the value", name,
                model_size_text(r, shape), model_size_text(r, v));
    if (!v->rank && shape->rank == 1)
        model_remedy(r, "the same value for all elements is written fill(value, %zu)",
                     shape->size[0]);
    return false;
}
