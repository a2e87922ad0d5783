/* Values that decide what the flat model has: sizes of arrays, conditions of components, ranges of
 * loops. The parameters from which they follow are final in the flat text. */
#include "hierarchy/tree.h"

#include <math.h>
#include <string.h>

bool hier_no_value(hier *h, const hier_env *env, const model_expression *e, const char *why)
{
    model_reader *r = &env->part->class->unit->reader;
    hier_error(h, env, e->at, why,
               "%s decides what the model consists of, and its value cannot be found",
               model_excerpt(r, e->at));
    return false;
}

static bool number(hier_value *v, double x, bool whole)
{
    *v = (hier_value){.kind = whole ? HIER_INTEGER : HIER_REAL, .number = x};
    return true;
}

static bool truth(hier_value *v, bool is)
{
    *v = (hier_value){.kind = HIER_BOOLEAN, .number = is};
    return true;
}

static bool is_number(const hier_value *v)
{
    return v->kind == HIER_INTEGER || v->kind == HIER_REAL;
}

static bool evaluate_number(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    if (!hier_evaluate(h, env, e, v)) return false;
    return is_number(v) || hier_no_value(h, env, e, "a number is expected");
}

/* "a" + "b", of which `v` has the first String. */
static bool join_strings(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    const char *joined = names_string(h->words, (uint32_t)v->number);
    for (uint32_t i = 1; i < e->count; i++) {
        if (!hier_evaluate(h, env, e->operand[i], v)) return false;
        if (v->kind != HIER_TEXT || (e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_MINUS)
            return hier_no_value(h, env, e, "a String is joined with Strings by +");
        joined = arena_format(h->a, "%s%s", joined, names_string(h->words, (uint32_t)v->number));
    }
    *v = (hier_value){HIER_TEXT, names_intern(h->words, joined, strlen(joined)), NULL};
    return true;
}

static bool evaluate_sum(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    double sum = 0;
    bool whole = true;
    for (uint32_t i = 0; i < e->count; i++) {
        if (i == 0 && !hier_evaluate(h, env, e->operand[i], v)) return false;
        if (i == 0 && v->kind == HIER_TEXT && e->count > 1) return join_strings(h, env, e, v);
        if (!evaluate_number(h, env, e->operand[i], v)) return false;
        whole = whole && v->kind == HIER_INTEGER;
        sum += (e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_MINUS ? -v->number : v->number;
    }
    return number(v, sum, whole);
}

static bool evaluate_product(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    double product = 1;
    bool whole = true;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!evaluate_number(h, env, e->operand[i], v)) return false;
        bool divides = (e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_DIVIDE;
        if (divides && v->number == 0) return hier_no_value(h, env, e, "it divides by 0");
        whole = whole && v->kind == HIER_INTEGER && !divides;
        product = divides ? product / v->number : product * v->number;
    }
    return number(v, product, whole);
}

static bool evaluate_power(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    hier_value exponent;
    if (!evaluate_number(h, env, e->operand[0], v)) return false;
    if (!evaluate_number(h, env, e->operand[1], &exponent)) return false;
    double x = pow(v->number, exponent.number);
    return isfinite(x) ? number(v, x, false) : hier_no_value(h, env, e, "the power is not finite");
}

static bool evaluate_relation(hier *h, const hier_env *env, const model_expression *e,
                              hier_value *v)
{
    hier_value a, b;
    if (!hier_evaluate(h, env, e->operand[0], &a) || !hier_evaluate(h, env, e->operand[1], &b))
        return false;
    if ((a.kind == HIER_TEXT) != (b.kind == HIER_TEXT))
        return hier_no_value(h, env, e, "a String is compared with a String");
    if (a.kind == HIER_LITERAL && b.kind == HIER_LITERAL && a.of && b.of && a.of != b.of)
        return hier_no_value(h, env, e, "a literal is compared with one of its enumeration");
    if (a.kind == HIER_TEXT && e->sign[0] != SIGN_EQUAL && e->sign[0] != SIGN_UNEQUAL)
        return hier_no_value(h, env, e, "Strings are compared by == and <> here");
    switch (e->sign[0]) {
    case SIGN_LESS: return truth(v, a.number < b.number);
    case SIGN_LESS_EQUAL: return truth(v, a.number <= b.number);
    case SIGN_GREATER: return truth(v, a.number > b.number);
    case SIGN_GREATER_EQUAL: return truth(v, a.number >= b.number);
    case SIGN_EQUAL: return truth(v, a.number == b.number);
    default: return truth(v, a.number != b.number);
    }
}

/* a and b and c; a or b or c */
static bool evaluate_chain(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    bool decides = e->kind == EXPRESSION_OR, is;
    for (uint32_t i = 0; i < e->count; i++) {
        if (!hier_truth(h, env, e->operand[i], &is)) return false;
        if (is == decides) return truth(v, decides);
    }
    return truth(v, !decides);
}

static bool evaluate_if(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    bool is;
    for (uint32_t i = 0; i + 1 < e->count; i += 2) {
        if (!hier_truth(h, env, e->operand[i], &is)) return false;
        if (is) return hier_evaluate(h, env, e->operand[i + 1], v);
    }
    return hier_evaluate(h, env, e->operand[e->count - 1], v);
}

static bool evaluate_size(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    hier_value dimension;
    uint32_t extent;
    if (e->count != 2) return hier_no_value(h, env, e, "write the dimension: size(a, 1)");
    if (!evaluate_number(h, env, e->operand[1], &dimension)) return false;
    if (dimension.number < 1 || dimension.number > 1000)
        return hier_no_value(h, env, e, "dimensions are counted from 1");
    return hier_extent(h, env, e->operand[0], (uint32_t)dimension.number, &extent) &&
           number(v, extent, true);
}

/* Functions of one or two numbers. */
static bool apply(const char *f, uint32_t count, const hier_value *x, hier_value *v)
{
    bool whole = x[0].kind == HIER_INTEGER && (count < 2 || x[1].kind == HIER_INTEGER);
    double a = x[0].number, b = count > 1 ? x[1].number : 0;
    if (count == 2 && strcmp(f, "min") == 0) return number(v, a < b ? a : b, whole);
    if (count == 2 && strcmp(f, "max") == 0) return number(v, a > b ? a : b, whole);
    if (count == 2 && b != 0 && strcmp(f, "div") == 0) return number(v, trunc(a / b), whole);
    if (count == 2 && b != 0 && strcmp(f, "mod") == 0)
        return number(v, a - floor(a / b) * b, whole);
    if (count == 2 && b != 0 && strcmp(f, "rem") == 0)
        return number(v, a - trunc(a / b) * b, whole);
    if (count != 1) return false;
    if (strcmp(f, "abs") == 0) return number(v, fabs(a), whole);
    if (strcmp(f, "sign") == 0) return number(v, (a > 0) - (a < 0), true);
    if (strcmp(f, "integer") == 0) return number(v, floor(a), true);
    if (strcmp(f, "Integer") == 0) return number(v, a, true);
    if (strcmp(f, "floor") == 0) return number(v, floor(a), false);
    if (strcmp(f, "ceil") == 0) return number(v, ceil(a), false);
    return strcmp(f, "sqrt") == 0 && a >= 0 && number(v, sqrt(a), false);
}

static bool is_reduction(const char *f)
{
    return strcmp(f, "sum") == 0 || strcmp(f, "product") == 0 || strcmp(f, "min") == 0 ||
           strcmp(f, "max") == 0;
}

static bool evaluate_call(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    const model_path *path = &e->call->function;
    const char *f = names_string(h->words, path->first.name);
    hier_value x[2];
    hier_found found = {0};
    bool own = path->first.next || hier_lookup(h, env->part->class, path->first.name, &found);
    if (own && path->first.next && !hier_find_type(h, env, path, &found)) return false;
    if (found.class && found.class->text->kind == CLASS_FUNCTION)
        return hier_call(h, env, e, found.class, v);
    if (!own && e->count == 1 && is_reduction(f)) return hier_reduce(h, env, e, f, v);
    if (!own && strcmp(f, "size") == 0) return evaluate_size(h, env, e, v);
    if (own && !path->first.next && found.builtin != TYPE_NONE) own = false; /* Integer(e) */
    if (!own && e->count <= 2 && e->count > 0) {
        for (uint32_t i = 0; i < e->count; i++)
            if (!hier_evaluate(h, env, e->operand[i], &x[i])) return false;
        if (apply(f, e->count, x, v)) return true;
    }
    return hier_no_value(h, env, e,
                         "functions that are evaluated here are abs, sign, min, max, sum, product, "
                         "div, mod, rem, integer, floor, ceil, sqrt, size and those of the text");
}

/* The value of a parameter with subscripts, in the environment of its modifier. */
static bool evaluate_frame(hier *h, const hier_env *env, const model_expression *e,
                           const hier_frame *f, uint32_t count, const uint32_t *index,
                           hier_value *v)
{
    const hier_frame element = hier_element(h, f, count, index);
    hier_picked p = hier_pick(h, &element);
    if (p.count == 0) return hier_evaluate(h, &p.env, p.expression, v);
    if (p.expression->kind != EXPRESSION_REFERENCE)
        return hier_no_value(h, env, e, "write its elements: {1, 2, 3}");
    model_expression *with = arena_duplicate(h->a, p.expression, 1, sizeof *with);
    with->reference = arena_duplicate(h->a, p.expression->reference, 1, sizeof *with->reference);
    model_part *part = &with->reference->path.first;
    for (; part->next; part = part->next)
        part->next = arena_duplicate(h->a, part->next, 1, sizeof *part);
    if (part->count) return hier_no_value(h, env, e, "write its elements: {1, 2, 3}");
    part->count = p.count;
    part->subscript = arena_array(h->a, p.count, sizeof *part->subscript);
    for (uint32_t k = 0; k < p.count; k++) {
        model_expression *n = part->subscript[k] = arena_take(h->a, sizeof *n);
        *n = (model_expression){.kind = EXPRESSION_NUMBER, .whole = true, .number = p.index[k]};
    }
    return hier_evaluate(h, &p.env, with, v);
}

static bool evaluate_leaf(hier *h, const hier_env *env, const model_expression *e,
                          const hier_target *t, hier_value *v)
{
    hier_instance *leaf = t->instance;
    const model_declaration *d = leaf->declaration;
    if (d->variability < VARIABILITY_PARAMETER)
        return hier_no_value(h, env, e,
                             "it needs parameters and constants; this changes with time");
    if (t->part->next) return hier_no_value(h, env, e, "take a parameter that is no record");
    uint32_t *index = arena_array(h->a, t->part->count, sizeof *index);
    for (uint32_t k = 0; k < t->part->count; k++)
        if (!hier_integer(h, env, t->part->subscript[k], "a subscript", &index[k])) return false;
    hier_take_settings(h, leaf, false);
    h->late = h->late || (leaf->written && !leaf->evaluated);
    leaf->evaluated = true;
    const char *set = hier_setting(leaf, t->part->count, index);
    if (set) return hier_read_setting(h, env, e, leaf, set, v);
    const hier_frame *f = hier_value_of(leaf->frame);
    if (!f) return hier_no_value(h, env, e, arena_format(h->a, "give %s a value", leaf->name));
    if (leaf->valuing || h->value_depth >= HIER_DEEPEST_VALUE)
        return hier_no_value(h, env, e, "its value follows from itself, or from too many others");
    leaf->valuing = true;
    h->value_depth++;
    bool is = evaluate_frame(h, env, e, f, t->part->count, index, v);
    h->value_depth--;
    leaf->valuing = false;
    return is;
}

static bool evaluate_constant(hier *h, const hier_env *env, const model_expression *e,
                              const hier_target *t, hier_value *v)
{
    if (!t->declaration->binding || h->value_depth >= HIER_DEEPEST_VALUE)
        return hier_no_value(h, env, e, "give the constant a value");
    hier_env own = hier_class_env(h, t->class);
    hier_frame f = {.env = own};
    f.modifier = hier_modifier(h, NAMES_NONE, e->at, NULL, t->declaration->binding);
    uint32_t *index = arena_array(h->a, t->part->count, sizeof *index);
    for (uint32_t k = 0; k < t->part->count; k++)
        if (!hier_integer(h, env, t->part->subscript[k], "a subscript", &index[k])) return false;
    h->value_depth++;
    bool is = evaluate_frame(h, env, e, &f, t->part->count, index, v);
    h->value_depth--;
    return is;
}

static bool evaluate_reference(hier *h, const hier_env *env, const model_expression *e,
                               hier_value *v)
{
    hier_target t = hier_resolve(h, env, &e->reference->path);
    if (t.kind == TARGET_INSTANCE && t.instance->kind == HIER_LEAF)
        return evaluate_leaf(h, env, e, &t, v);
    if (t.kind == TARGET_CONSTANT) return evaluate_constant(h, env, e, &t, v);
    if (t.kind == TARGET_BOUND && t.bound->known) {
        *v = (hier_value){t.bound->kind ? t.bound->kind : HIER_INTEGER, t.bound->value,
                          t.bound->of};
        return true;
    }
    if (t.kind == TARGET_LITERAL && t.part) {
        for (size_t i = 0; i < t.class->text->literal.count; i++)
            if (t.class->text->literal.item[i].name == t.part->name)
                *v = (hier_value){HIER_LITERAL, (double)i + 1, t.class};
        return true;
    }
    if (t.kind == TARGET_NOTHING) return false; /* reported */
    return hier_no_value(h, env, e, "it needs numbers, Booleans, parameters and constants");
}

static bool evaluate_end(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    for (const hier_bound *b = env->bound; b; b = b->outer)
        if (b->name == NAMES_NONE && b->known) return number(v, b->value, true);
    return hier_no_value(h, env, e, "write the number of the last element");
}

static bool evaluate(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    bool is;
    switch (e->kind) {
    case EXPRESSION_NUMBER: return number(v, e->number, e->whole);
    case EXPRESSION_TRUTH: return truth(v, e->whole);
    case EXPRESSION_STRING: *v = (hier_value){HIER_TEXT, e->name, NULL}; return true;
    case EXPRESSION_REFERENCE: return evaluate_reference(h, env, e, v);
    case EXPRESSION_CALL: return evaluate_call(h, env, e, v);
    case EXPRESSION_SUM: return evaluate_sum(h, env, e, v);
    case EXPRESSION_PRODUCT: return evaluate_product(h, env, e, v);
    case EXPRESSION_POWER: return evaluate_power(h, env, e, v);
    case EXPRESSION_RELATION: return evaluate_relation(h, env, e, v);
    case EXPRESSION_AND:
    case EXPRESSION_OR: return evaluate_chain(h, env, e, v);
    case EXPRESSION_NOT: return hier_truth(h, env, e->operand[0], &is) && truth(v, !is);
    case EXPRESSION_IF: return evaluate_if(h, env, e, v);
    case EXPRESSION_END: return evaluate_end(h, env, e, v);
    default:
        return hier_no_value(h, env, e, "it needs numbers, Booleans, parameters and constants");
    }
}

bool hier_evaluate(hier *h, const hier_env *env, const model_expression *e, hier_value *v)
{
    if (h->expression_depth >= HIER_DEEPEST_EXPRESSION)
        return hier_no_value(h, env, e, "its value follows from too many others");
    h->expression_depth++;
    bool is = evaluate(h, env, e, v);
    h->expression_depth--;
    return is;
}
