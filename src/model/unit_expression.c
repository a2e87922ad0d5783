/* The units of expressions. */
#include "base/round_off.h"
#include "model/builtin.h"
#include "model/evaluator.h"
#include "model/unit_check.h"

#include <math.h>
#include <string.h>

enum {
    KELVIN = 4,         /* among the base units */
    DEEPEST = 2000,     /* levels of expressions that are looked at */
    LARGEST_POWER = 100 /* largest exponent */
};

static quantity of_dimension(unit_check *c, dimension d)
{
    return (quantity){.unit = model_unit_add(c, (model_unit){.dimension = d})};
}

static const model_unit one = {.dimension = {.factor = 1}, .written = "1"};
static const model_unit second = {.dimension = {.power = {[2] = DIMENSION_PARTS}, .factor = 1},
                                  .written = "s"};

/* Whether a number is a count, which has the unit 1, and not a quantity: quarters of whole numbers
 * below 10, and 12, 16, 32, 64 and 128, which formulas of geometry have. */
static bool is_count(double number)
{
    double n = fabs(number), quarters = 4 * n;
    if (n == 12 || n == 16 || n == 32 || n == 64 || n == 128) return true;
    return n < 10 && quarters == floor(quarters);
}

/* All operands from the first to before the last agree: the unit of the first that is known. */
static quantity agreed(unit_check *c, const model_expression *e, uint32_t first, uint32_t last)
{
    quantity all = {.literal = true, .count = true};
    const model_expression *known = NULL;
    bool agree = true;
    for (uint32_t i = first; i < last && i < e->count; i++) {
        quantity one_of = model_quantity(c, e->operand[i]);
        if (known) agree &= model_unit_meet(c, known, all, e->operand[i], one_of);
        all.literal &= one_of.literal;
        all.count &= one_of.count;
        if (known || !one_of.unit || one_of.literal) continue;
        known = e->operand[i];
        all.unit = one_of.unit;
    }
    if (!agree) all.unit = NULL;
    return all;
}

/* The zero of a temperature in a sum: 20 - x, x - y and x + 273.15 have another one than x. */
static quantity summed(unit_check *c, const model_expression *e)
{
    quantity sum = {.literal = true, .count = true};
    const model_expression *known = NULL;
    bool mixed = false, agree = true;
    for (uint32_t i = 0; i < e->count; i++) {
        quantity term = model_quantity(c, e->operand[i]);
        mixed |= term.literal || (e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_MINUS;
        if (known && term.unit) {
            dimension x = sum.unit->dimension, y = term.unit->dimension;
            mixed |= x.zero != y.zero;
            x.zero = y.zero = ZERO_OF_SI;
            if (!dimension_equal(&x, &y))
                agree &= model_unit_meet(c, known, sum, e->operand[i], term);
        }
        sum.literal &= term.literal;
        sum.count &= term.count;
        if (known || !term.unit || term.literal) continue;
        known = e->operand[i];
        sum.unit = term.unit;
    }
    if (!agree) sum.unit = NULL;
    if (!sum.unit) return sum;
    for (uint32_t i = 0; i < e->count; i++)
        model_unit_take(c, model_unit_variable(e->operand[i]), sum.unit, e->at);
    bool temperature = sum.unit->dimension.power[KELVIN] == DIMENSION_PARTS;
    if (!mixed || !temperature) return sum;
    model_unit free = *sum.unit;
    free.dimension.zero = ZERO_UNKNOWN;
    sum.unit = model_unit_add(c, free);
    return sum;
}

static quantity multiplied(unit_check *c, const model_expression *e)
{
    dimension product = dimension_one();
    bool known = true, literal = true, numbers = false, counts = true, shifted = false;
    for (uint32_t i = 0; i < e->count; i++) {
        quantity factor = model_quantity(c, e->operand[i]);
        bool below = (e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_DIVIDE;
        literal &= factor.literal;
        numbers |= factor.literal && !factor.unit;
        counts &= factor.count;
        shifted |= factor.unit && factor.unit->dimension.zero != ZERO_OF_SI;
        if (factor.unit)
            dimension_multiply(&product, &factor.unit->dimension,
                               below ? -DIMENSION_PARTS : DIMENSION_PARTS);
        else
            known &= factor.count;
    }
    dimension d = dimension_one();
    bool any = numbers && (literal || dimension_alike(&product, &d)); /* 3*time, 5*sin(x)*(s/L) */
    if (any) return (quantity){.literal = true, .count = counts};
    if (!known) return (quantity){.literal = literal, .count = counts};
    if (shifted && product.power[KELVIN] == DIMENSION_PARTS)
        product.zero = ZERO_UNKNOWN; /* a mean */
    quantity q = of_dimension(c, product);
    q.literal = literal;
    return q;
}

/* A number that is written, perhaps with a sign or as a quotient. */
static bool number_of(const model_expression *e, double *number)
{
    double over;
    *number = e->number;
    if (e->kind == EXPRESSION_NUMBER) return true;
    if (e->kind == EXPRESSION_SUM && e->count == 1 && number_of(e->operand[0], number)) {
        if (e->sign[0] == SIGN_MINUS) *number = -*number;
        return true;
    }
    if (e->kind != EXPRESSION_PRODUCT || e->count != 2 || e->sign[1] != SIGN_DIVIDE) return false;
    if (!number_of(e->operand[0], number) || !number_of(e->operand[1], &over)) return false;
    *number /= over;
    return true;
}

static quantity to_power(unit_check *c, quantity base, double exponent)
{
    double twelfths = exponent * DIMENSION_PARTS;
    bool whole = fabs(twelfths - round(twelfths)) <= ROUND_OFF_ITERATED * (1 + fabs(twelfths));
    if (!base.unit || !whole || fabs(exponent) > LARGEST_POWER)
        return (quantity){.literal = base.literal};
    dimension d = dimension_one();
    dimension_multiply(&d, &base.unit->dimension, (int)round(twelfths));
    return of_dimension(c, d);
}

static void need_one(unit_check *c, const model_expression *e, quantity q, const char *of)
{
    dimension d = dimension_one();
    if (!c->told || !q.unit || q.literal || dimension_alike(&q.unit->dimension, &d)) return;
    model_unit_note(c, e->at,
                    arena_format(c->r->a, "the argument of %s has a unit: %s is in %s", of,
                                 model_shown(c->r, e), model_unit_text(c, q.unit)));
}

static quantity raised(unit_check *c, const model_expression *e)
{
    quantity base = model_quantity(c, e->operand[0]), exponent = model_quantity(c, e->operand[1]);
    double number;
    if (number_of(e->operand[1], &number)) return to_power(c, base, number);
    need_one(c, e->operand[1], exponent, "^");
    dimension d = dimension_one();
    bool pure = base.unit && dimension_equal(&base.unit->dimension, &d);
    return (quantity){.unit = pure ? &one : NULL};
}

/* --- calls --- */

typedef enum call_rule {
    CALL_ANY,
    CALL_PURE,  /* arguments and value have the unit 1 */
    CALL_SAME,  /* operands `first` to before `last` agree, and the value with them */
    CALL_RATIO, /* they agree; the value has the unit 1 */
    CALL_ROOT,
    CALL_RATE,
    CALL_PRODUCT,
    CALL_TABLE
} call_rule;

static const struct {
    const char *name;
    call_rule rule;
    uint32_t first, last;
} calls[] = {
    {"der", CALL_RATE, 0, 0},
    {"sin", CALL_PURE, 0, 0},
    {"cos", CALL_PURE, 0, 0},
    {"tan", CALL_PURE, 0, 0},
    {"asin", CALL_PURE, 0, 0},
    {"acos", CALL_PURE, 0, 0},
    {"atan", CALL_PURE, 0, 0},
    {"sinh", CALL_PURE, 0, 0},
    {"cosh", CALL_PURE, 0, 0},
    {"tanh", CALL_PURE, 0, 0},
    {"'Modelica.Math.asinh'", CALL_PURE, 0, 0},
    {"'Modelica.Math.acosh'", CALL_PURE, 0, 0},
    {"exp", CALL_PURE, 0, 0},
    {"log", CALL_PURE, 0, 0},
    {"log10", CALL_PURE, 0, 0},
    {"sqrt", CALL_ROOT, 0, 0},
    {"atan2", CALL_RATIO, 0, 2},
    {"abs", CALL_SAME, 0, 1},
    {"min", CALL_SAME, 0, 2},
    {"max", CALL_SAME, 0, 2},
    {"sum", CALL_SAME, 0, 1},
    {"noEvent", CALL_SAME, 0, 1},
    {"smooth", CALL_SAME, 1, 2},
    {"homotopy", CALL_SAME, 0, 2},
    {"pre", CALL_SAME, 0, 1},
    {"delay", CALL_SAME, 0, 1},
    {"mod", CALL_SAME, 0, 2},
    {"rem", CALL_SAME, 0, 2},
    {"fill", CALL_SAME, 0, 1},
    {"linspace", CALL_SAME, 0, 2},
    {"vector", CALL_SAME, 0, 1},
    {"scalar", CALL_SAME, 0, 1},
    {"transpose", CALL_SAME, 0, 1},
    {"cross", CALL_PRODUCT, 0, 2},
    {"'Modelica.Math.Vectors.interpolate'", CALL_TABLE, 0, 2},
    {"'Daedal.Tables.interpolate2'", CALL_TABLE, 0, 3},
};

static call_rule rule_of(const model_call *call, uint32_t *first, uint32_t *last)
{
    bool named = call->iterator.count > 0;
    for (size_t k = 0; call->builtin && !named && k < sizeof calls / sizeof *calls; k++) {
        if (strcmp(calls[k].name, call->builtin->name) != 0) continue;
        *first = calls[k].first;
        *last = calls[k].last;
        return calls[k].rule;
    }
    return CALL_ANY;
}

/* Of all operands, for what may be wrong in them. */
static quantity anything(unit_check *c, const model_expression *e)
{
    for (uint32_t i = 0; i < e->count; i++) (void)model_quantity(c, e->operand[i]);
    return (quantity){0};
}

/* A function of the text: its arguments have the units of its inputs. */
static quantity own_call(unit_check *c, const model_expression *e)
{
    const model_class *f = e->call->own;
    quantity value = {0};
    uint32_t k = 0;
    for (size_t i = 0; i < f->local.count; i++) {
        model_symbol *s = f->local.item[i];
        if (s->owner) continue; /* of a record, which is one argument */
        if (!s->input && s->declaration->direction == DIRECTION_OUTPUT && !value.unit)
            value.unit = model_unit_of(c, s);
        if (!s->input || k >= e->count || (e->call->argument && e->call->argument[k] != NAMES_NONE))
            continue;
        quantity given = model_quantity(c, e->operand[k]);
        const model_unit *wanted = model_unit_of(c, s);
        if (c->told && wanted && given.unit && !given.literal &&
            !dimension_equal(&wanted->dimension, &given.unit->dimension))
            model_unit_note(
                c, e->operand[k]->at,
                arena_format(c->r->a, "the units differ: %s is in %s, the input %s of %s in %s",
                             model_shown(c->r, e->operand[k]), model_unit_text(c, given.unit),
                             s->name, model_spelled(c->r, f->name), model_unit_text(c, wanted)));
        k++;
    }
    for (; k < e->count; k++) (void)model_quantity(c, e->operand[k]);
    return value;
}

/* The arguments have the units of the points, which come before them; the value that of the values,
 * which come last among the points. */
static quantity tabulated(unit_check *c, const model_expression *e, uint32_t points)
{
    if (e->count < 2 * points - 1) return anything(c, e);
    for (uint32_t k = 0; k + 1 < points; k++) {
        quantity x = model_quantity(c, e->operand[k]);
        model_unit_meet(c, e->operand[k], x, e->operand[points + k],
                        model_quantity(c, e->operand[points + k]));
    }
    quantity q = model_quantity(c, e->operand[points - 1]);
    return (quantity){.unit = q.unit};
}

/* The units of Modelica.Units.Conversions.from_X and to_X. */
static const struct {
    const char *name, *argument, *value;
} conversions[] = {
#define CONVERSION(unit, from, to, factor, summand)               \
    {"'Modelica.Units.Conversions.from_" unit "'", (from), (to)}, \
        {"'Modelica.Units.Conversions.to_" unit "'", (to), (from)},
#include "model/conversions.def"
#undef CONVERSION
};

static const model_unit *unit_called(unit_check *c, const char *spelled)
{
    model_unit unit = {.written = spelled};
    return dimension_read(spelled, &unit.dimension) ? model_unit_add(c, unit) : NULL;
}

/* A conversion: its argument has the unit that its name says, and its value the other one. */
static bool converted(unit_check *c, const model_expression *e, quantity *value)
{
    const model_builtin *f = e->call->builtin;
    size_t k = 0, count = sizeof conversions / sizeof *conversions;
    while (f && k < count && strcmp(conversions[k].name, f->name) != 0) k++;
    if (!f || k == count || e->count != 1) return false;
    quantity given = model_quantity(c, e->operand[0]);
    const model_unit *wanted = unit_called(c, conversions[k].argument);
    if (c->told && wanted && given.unit && !given.literal &&
        !dimension_equal(&wanted->dimension, &given.unit->dimension))
        model_unit_note(
            c, e->operand[0]->at,
            arena_format(c->r->a, "the units differ: %s is in %s, %s converts from %s",
                         model_shown(c->r, e->operand[0]), model_unit_text(c, given.unit),
                         model_excerpt(c->r, e->call->function.at), conversions[k].argument));
    *value = (quantity){.unit = unit_called(c, conversions[k].value)};
    return true;
}

static quantity called(unit_check *c, const model_expression *e)
{
    quantity value;
    if (converted(c, e, &value)) return value;
    if (e->call->own && e->call->own->kind == CLASS_FUNCTION) return own_call(c, e);
    uint32_t first = 0, last = 0;
    call_rule rule = e->count ? rule_of(e->call, &first, &last) : CALL_ANY;
    quantity q, r;
    dimension d;
    switch (rule) {
    case CALL_PURE:
        q = model_quantity(c, e->operand[0]);
        need_one(c, e->operand[0], q, e->call->builtin->name);
        return (quantity){.literal = true, .count = true}; /* of an amplitude that is 1 */
    case CALL_SAME: return agreed(c, e, first, last);
    case CALL_RATIO: (void)agreed(c, e, first, last); return (quantity){.unit = &one};
    case CALL_ROOT: return to_power(c, model_quantity(c, e->operand[0]), 0.5);
    case CALL_RATE:
        q = model_quantity(c, e->operand[0]);
        if (!q.unit) return q;
        d = q.unit->dimension;
        d.zero = ZERO_OF_SI;
        dimension_multiply(&d, &second.dimension, -DIMENSION_PARTS);
        return of_dimension(c, d);
    case CALL_PRODUCT:
        q = model_quantity(c, e->operand[0]);
        r = model_quantity(c, e->operand[1]);
        if (!q.unit || !r.unit) return (quantity){0};
        d = q.unit->dimension;
        dimension_multiply(&d, &r.unit->dimension, DIMENSION_PARTS);
        return of_dimension(c, d);
    case CALL_TABLE: return tabulated(c, e, last);
    default: return anything(c, e);
    }
}

static quantity referred(unit_check *c, const model_expression *e)
{
    const model_reference *r = e->reference;
    for (const model_part *p = r->part; p; p = p->next)
        for (uint32_t i = 0; i < p->count; i++) (void)model_quantity(c, p->subscript[i]);
    if (r->meaning.kind == MEANS_TIME) return (quantity){.unit = &second, .literal = true};
    bool named = r->meaning.kind == MEANS_SYMBOL || r->meaning.kind == MEANS_LOCAL;
    model_symbol *s = named ? r->meaning.symbol : NULL;
    if (!s) return (quantity){0};
    if (s->declaration->variability == VARIABILITY_CONSTANT &&
        strcmp(s->name, "Modelica.Constants.pi") == 0)
        return (quantity){.literal = true, .count = true};
    if (s->type.base == TYPE_INTEGER) return (quantity){.literal = true, .count = true};
    return (quantity){.unit = model_unit_of(c, s)};
}

/* The condition decides; the values agree. */
static quantity chosen(unit_check *c, const model_expression *e)
{
    quantity all = {0};
    const model_expression *known = NULL;
    bool agree = true;
    for (uint32_t i = 0; i < e->count; i++) {
        quantity q = model_quantity(c, e->operand[i]);
        if (i % 2 == 0 && i + 1 < e->count) continue; /* a condition */
        if (known) agree &= model_unit_meet(c, known, all, e->operand[i], q);
        if (known || !q.unit || q.literal) continue;
        known = e->operand[i];
        all.unit = q.unit;
    }
    if (!agree) all.unit = NULL;
    return all;
}

/* The elements of an array may have different units, as a state has: then it has none. */
static quantity gathered(unit_check *c, const model_expression *e)
{
    bool told = c->told;
    quantity all = {0};
    for (uint32_t i = 0; i < e->count; i++) {
        quantity q = model_quantity(c, e->operand[i]);
        bool same = i == 0 || (all.unit && q.unit &&
                               dimension_equal(&all.unit->dimension, &q.unit->dimension));
        all.unit = same ? q.unit : NULL;
        if (!same) break;
    }
    c->told = told;
    return all;
}

static quantity of_kind(unit_check *c, const model_expression *e)
{
    switch (e->kind) {
    case EXPRESSION_NUMBER: return (quantity){.literal = true, .count = is_count(e->number)};
    case EXPRESSION_REFERENCE: return referred(c, e);
    case EXPRESSION_CALL: return called(c, e);
    case EXPRESSION_SUM: return summed(c, e);
    case EXPRESSION_PRODUCT: return multiplied(c, e);
    case EXPRESSION_POWER: return raised(c, e);
    case EXPRESSION_RELATION: (void)agreed(c, e, 0, 2); return (quantity){0};
    case EXPRESSION_IF: return chosen(c, e);
    case EXPRESSION_ARRAY:
    case EXPRESSION_MATRIX:
    case EXPRESSION_ROW: return gathered(c, e);
    case EXPRESSION_SUBSCRIPT: {
        quantity q = model_quantity(c, e->operand[0]);
        return (quantity){.unit = q.unit};
    }
    default: return anything(c, e);
    }
}

quantity model_quantity(unit_check *c, const model_expression *e)
{
    if (!e || c->depth >= DEEPEST) return (quantity){0};
    c->depth++;
    quantity q = of_kind(c, e);
    c->depth--;
    return q;
}
