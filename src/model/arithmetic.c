/* Sums, products and powers, of scalars and of arrays (Modelica 3.6, Sec. 10.6). */
#include "model/string.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <math.h>

static bool is_number(model_reader *r, const model_expression *e, const model_value *v)
{
    if (model_is_numeric(v)) return true;
    if (v->type.base == TYPE_STRING) {
        model_report_type(r, e, v, "a number");
        model_remedy(r, "a number is joined to a String as in \"x = \" + String(x)");
    } else if (v->type.base == TYPE_BOOLEAN) {
        model_report_type(r, e, v, "a number");
        model_remedy(r, "write (if %s then 1 else 0)", model_shown(r, e));
    } else if (v->type.base != TYPE_NONE) {
        model_report_type(r, e, v, "a number");
    }
    return false;
}

static void report_sizes(model_reader *r, model_span at, const model_value *a, const char *sign,
                         const model_value *b)
{
    model_error(r, at, "sizes do not fit: %s %s %s", NULL, model_size_text(r, a), sign,
                model_size_text(r, b));
    if (sign[0] == '*')
        model_remedy(r,
                     "the left factor needs as many columns as the right one has rows; a product "
                     "element by element is written .*");
    else if (sign[0] == '^')
        model_remedy(r, "a power element by element is written .^");
    else
        model_remedy(r, "both operands need the same size");
}

enum { FEW = 6 }; /* operands that need no memory of the arena */

/* Evaluate all operands, into `few` if they fit; NULL if one is not a number. Those of a sum may
 * all be Strings. */
static const model_value *operands(model_reader *r, model_expression *e, model_value *few)
{
    model_value *v = e->count <= FEW ? few : arena_array(r->a, e->count, sizeof *v);
    bool numbers = true;
    uint32_t strings = 0, unknown = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        v[i] = model_evaluate(r, e->operand[i]);
        strings += v[i].type.base == TYPE_STRING;
        unknown += v[i].type.base == TYPE_NONE;
    }
    if (strings > 0 && strings + unknown == e->count && unknown > 0) return NULL; /* reported */
    if (strings == e->count && e->kind == EXPRESSION_SUM) return v;
    for (uint32_t i = 0; i < e->count; i++) numbers = is_number(r, e->operand[i], &v[i]) && numbers;
    return numbers ? v : NULL;
}

/* The size of a sum, which is that of its operands. Only .+ and .- combine scalars with arrays. */
static bool sum_shape(model_reader *r, const model_expression *e, const model_value *v,
                      model_value *shape)
{
    *shape = v[0];
    for (uint32_t i = 0; i < e->count; i++) {
        bool broadcast = (e->sign[i] & SIGN_ELEMENTWISE) && (!shape->rank || !v[i].rank);
        if (v[i].type.base == TYPE_REAL) shape->type.base = TYPE_REAL;
        if (model_same_size(shape, &v[i])) continue;
        if (!broadcast) {
            bool minus = (e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_MINUS;
            report_sizes(r, e->operand[i]->at, shape, minus ? "-" : "+", &v[i]);
            if (!shape->rank || !v[i].rank)
                model_remedy(r, "write .%s to %s a scalar %s each element", minus ? "-" : "+",
                             minus ? "subtract" : "add", minus ? "from" : "to");
            return false;
        }
        model_base base = shape->type.base;
        if (!shape->rank) *shape = v[i];
        shape->type.base = base;
    }
    return true;
}

static bool all_numbers(const model_reader *r, uint32_t count, const model_value *v)
{
    for (uint32_t i = 0; i < count; i++)
        if (!sym_is_number(r->graph, v[i].one, NULL)) return false;
    return true;
}

/* A sum of numbers, as in subscripts. It is frequent, so it makes no nodes for intermediate values.
 */
static model_value sum_of_numbers(model_reader *r, const model_expression *e, const model_value *v,
                                  model_base base)
{
    double sum = 0, x = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        sym_number_of(r->graph, v[i].one, &x);
        if ((e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_MINUS)
            x = sym_calculate(r->graph, TRACED_PRODUCT, -1, x);
        sum = sym_calculate(r->graph, TRACED_SUM, sum, x);
    }
    return model_number(r, base, sum);
}

model_value model_sum(model_reader *r, model_expression *e)
{
    model_value few[FEW], shape, sum;
    const model_value *v = operands(r, e, few);
    if (v && v[0].type.base == TYPE_STRING) return model_join_texts(r, e, v);
    if (!v || !sum_shape(r, e, v, &shape)) return model_none();
    if (!shape.rank && all_numbers(r, e->count, v)) return sum_of_numbers(r, e, v, shape.type.base);
    sym few_terms[FEW];
    double few_factors[FEW];
    bool fits = e->count <= FEW;
    sym *term = fits ? few_terms : arena_array(r->a, e->count, sizeof *term);
    double *factor = fits ? few_factors : arena_array(r->a, e->count, sizeof *factor);
    sym *element = model_new_array(r, e->at, shape.type, shape.rank, shape.size, &sum);
    for (size_t k = 0; element && k < sum.count; k++) {
        for (uint32_t i = 0; i < e->count; i++) {
            term[i] = model_element(&v[i], k);
            factor[i] = (e->sign[i] & ~SIGN_ELEMENTWISE) == SIGN_MINUS ? -1 : 1;
        }
        element[k] = sym_sum(r->graph, 0, e->count, term, factor);
    }
    return sum;
}

/* To the report of a divisor that is 0: the first parameters without a value, which may be why. */
static void name_the_valueless(model_reader *r)
{
    enum { MOST_NAMED = 3 };
    size_t count = r->valueless.count;
    const char *name = "";
    for (size_t i = 0; i < count && i < MOST_NAMED; i++)
        name = arena_format(r->a, "%s%s%s", name, i ? ", " : "", r->valueless.item[i]);
    if (count > 0)
        model_remedy(r,
                     "its value follows from constants and parameters: change one of them. Without "
                     "a value, and so 0, %s %s%s",
                     count > 1 ? "are" : "is", name, count > MOST_NAMED ? ", ..." : "");
}

/* Whether a divisor is not the number 0. A 0 is reported. */
static bool divides(model_reader *r, const model_expression *divisor, const model_value *v)
{
    for (size_t i = 0; i < v->count; i++) {
        if (!sym_is(r->graph, model_element(v, i), 0)) continue;
        const char *shown = model_shown(r, divisor);
        bool literal = divisor->kind == EXPRESSION_NUMBER;
        model_error(r, divisor->at, "division by %s%s",
                    literal ? "a division by 0 has no value"
                            : "its value follows from constants and parameters: change one of them",
                    shown,
                    literal   ? ""
                    : v->rank ? ", which has an element that is 0"
                              : ", which is 0");
        if (!literal) name_the_valueless(r);
        return false;
    }
    return true;
}

static bool is_divide(uint8_t sign)
{
    return (sign & ~SIGN_ELEMENTWISE) == SIGN_DIVIDE;
}

/* A product of scalars. Numbers are multiplied from left to right as doubles; all other factors go
 * into one node. */
static model_value scalar_product(model_reader *r, const model_expression *e, const model_value *v)
{
    sym few_factors[FEW];
    double few_exponents[FEW], number = 1, x;
    bool fits = e->count <= FEW, whole = true;
    sym *factor = fits ? few_factors : arena_array(r->a, e->count, sizeof *factor);
    double *exponent = fits ? few_exponents : arena_array(r->a, e->count, sizeof *exponent);
    size_t factors = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        bool below = is_divide(e->sign[i]);
        whole = whole && !below && v[i].type.base == TYPE_INTEGER;
        if (sym_number_of(r->graph, v[i].one, &x)) {
            number = sym_calculate(r->graph, below ? TRACED_QUOTIENT : TRACED_PRODUCT, number, x);
        } else {
            factor[factors] = v[i].one;
            exponent[factors++] = below ? -1 : 1;
        }
    }
    model_base base = whole ? TYPE_INTEGER : TYPE_REAL;
    if (factors == 0 || sym_ask(r->graph, IS_EQUAL, number, 0))
        return model_number(r, base, number);
    sym product = sym_product(r->graph, factors, factor, exponent);
    return model_scalar(base, sym_scale(r->graph, number, product));
}

/* Combine element by element; a scalar is combined with each element. */
static model_value each_with_each(model_reader *r, model_span at, const model_value *a,
                                  const model_value *b, sym (*combine)(sym_graph *, sym, sym))
{
    const model_value *shape = a->rank ? a : b;
    bool whole = a->type.base == TYPE_INTEGER && b->type.base == TYPE_INTEGER &&
                 combine != sym_divide;
    model_type type = {.base = whole ? TYPE_INTEGER : TYPE_REAL};
    model_value v;
    sym *element = model_new_array(r, at, type, shape->rank, shape->size, &v);
    for (size_t i = 0; element && i < v.count; i++)
        element[i] = combine(r->graph, model_element(a, i), model_element(b, i));
    return v;
}

/* sum over j of a[j] b[j], where a and b step through their elements by `da` and `db` */
static sym dot(model_reader *r, size_t count, const sym *a, size_t da, const sym *b, size_t db)
{
    sym few[FEW], *term = count <= FEW ? few : arena_array(r->a, count, sizeof *term);
    for (size_t j = 0; j < count; j++) term[j] = sym_multiply(r->graph, a[j * da], b[j * db]);
    return sym_sum(r->graph, 0, count, term, NULL);
}

/* Vectors and matrices: the scalar product, or rows times columns. */
static model_value matrix_product(model_reader *r, model_span at, const model_value *a,
                                  const model_value *b)
{
    bool row = a->rank == 1, column = b->rank == 1;
    size_t inner = row ? a->size[0] : a->size[1];
    if (a->rank > 2 || b->rank > 2 || inner != b->size[0]) {
        report_sizes(r, at, a, "*", b);
        return model_none();
    }
    bool whole = a->type.base == TYPE_INTEGER && b->type.base == TYPE_INTEGER;
    model_type type = {.base = whole ? TYPE_INTEGER : TYPE_REAL};
    if (row && column) return model_scalar(type.base, dot(r, inner, a->element, 1, b->element, 1));
    size_t rows = row ? 1 : a->size[0], columns = column ? 1 : b->size[1];
    size_t size[2] = {row ? columns : rows, columns};
    model_value v;
    sym *element = model_new_array(r, at, type, row || column ? 1 : 2, size, &v);
    if (!element || !model_spend(r, at, v.count * inner)) return model_none();
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++)
            element[i * columns + k] = dot(r, inner, a->element + i * inner, 1, b->element + k,
                                           columns);
    return v;
}

model_value model_multiply(model_reader *r, model_span at, const model_value *a,
                           const model_value *b)
{
    if (!a->rank || !b->rank) return each_with_each(r, at, a, b, sym_multiply);
    return matrix_product(r, at, a, b);
}

static model_value multiply_step(model_reader *r, const model_expression *e, uint32_t i,
                                 const model_value *a, const model_value *b)
{
    bool elementwise = e->sign[i] & SIGN_ELEMENTWISE, below = is_divide(e->sign[i]);
    model_span at = e->operand[i]->at;
    if (!below && !elementwise) return model_multiply(r, at, a, b);
    if (below && !elementwise && b->rank) {
        report_sizes(r, at, a, "/", b);
        model_remedy(r, "a division element by element is written ./");
        return model_none();
    }
    if (a->rank && b->rank && !model_same_size(a, b)) {
        report_sizes(r, at, a, below ? "./" : ".*", b);
        return model_none();
    }
    return each_with_each(r, at, a, b, below ? sym_divide : sym_multiply);
}

model_value model_product(model_reader *r, model_expression *e)
{
    model_value few[FEW];
    const model_value *v = operands(r, e, few);
    if (!v) return model_none();
    bool scalars = true;
    for (uint32_t i = 0; i < e->count; i++) {
        if (is_divide(e->sign[i]) && !divides(r, e->operand[i], &v[i])) return model_none();
        scalars = scalars && !v[i].rank;
    }
    if (scalars) return scalar_product(r, e, v);
    model_value product = v[0];
    for (uint32_t i = 1; i < e->count && product.type.base != TYPE_NONE; i++)
        product = multiply_step(r, e, i, &product, &v[i]);
    return product;
}

/* A^n of a square matrix, by squaring. */
static model_value matrix_power(model_reader *r, const model_expression *e, model_value a)
{
    long n;
    if (a.rank != 2 || a.size[0] != a.size[1])
        return model_fail(r, e->at, "a power of an array %s needs a square matrix",
                          "powers of the elements are written .^", model_size_text(r, &a));
    if (!model_whole_number(r, e->operand[1], "an exponent of a matrix", &n)) return model_none();
    if (n < 0)
        return model_fail(r, e->operand[1]->at, "a power of a matrix needs an exponent >= 0",
                          "introduce the inverse as an unknown matrix B: A*B = identity(n)");
    model_value power;
    sym *element = model_new_array(r, e->at, a.type, 2, a.size, &power);
    for (size_t i = 0; i < power.count; i++)
        element[i] = sym_number(r->graph, i % (a.size[0] + 1) == 0);
    for (; n > 0 && power.type.base != TYPE_NONE && a.type.base != TYPE_NONE; n /= 2) {
        if (n % 2) power = model_multiply(r, e->at, &power, &a);
        if (n > 1) a = model_multiply(r, e->at, &a, &a);
    }
    return power;
}

/* Powers of numbers must be finite. */
static bool is_finite_power(model_reader *r, const model_expression *e, const model_value *a,
                            const model_value *b, const model_value *power)
{
    for (size_t i = 0; i < power->count; i++) {
        double x, y, z;
        bool known = sym_number_of(r->graph, model_element(a, i), &x) &&
                     sym_number_of(r->graph, model_element(b, i), &y);
        bool finite = sym_number_of(r->graph, model_element(power, i), &z) &&
                      sym_ask(r->graph, IS_FINITE, z, 0);
        if (!known || finite) continue;
        return model_error(r, e->at, "%s has no finite value: %g^(%g)",
                           "change the values of its parameters", model_shown(r, e),
                           sym_value(r->graph, x), sym_value(r->graph, y));
    }
    return true;
}

model_value model_power(model_reader *r, model_expression *e)
{
    model_value few[FEW] = {{.rank = 0}};
    const model_value *v = operands(r, e, few);
    if (!v) return model_none();
    bool elementwise = e->sign[0] & SIGN_ELEMENTWISE;
    if (!elementwise && v[0].rank && !v[1].rank) return matrix_power(r, e, v[0]);
    bool fits = elementwise ? !v[0].rank || !v[1].rank || model_same_size(&v[0], &v[1])
                            : !v[0].rank && !v[1].rank;
    if (!fits) {
        report_sizes(r, e->at, &v[0], elementwise ? ".^" : "^", &v[1]);
        return model_none();
    }
    model_value power = each_with_each(r, e->at, &v[0], &v[1], sym_power);
    power.type.base = TYPE_REAL;
    if (power.rank && !power.element) return model_none();
    return is_finite_power(r, e, &v[0], &v[1], &power) ? power : model_none();
}
