#include "symbolic/partial.h"

#include "symbolic/graph.h"
#include "symbolic/simplify.h"

#include <string.h>

/* The short builders that functions.def uses for its derivatives. */
#define N(number)        sym_number(g, number)
#define ADD(p, q)        sym_add(g, p, q)
#define SUB(p, q)        sym_subtract(g, p, q)
#define MUL(p, q)        sym_multiply(g, p, q)
#define POW(p, exponent) sym_power_number(g, p, exponent)
#define FN(operation, p) sym_function(g, SYM_##operation, p)

/* The derivative of the function node `f` by its argument `a`. */
static sym function_partial(sym_graph *g, sym_op op, sym f, sym a)
{
    (void)f;
    switch (op) {
#define X(operation, name, formula, derivative) \
    case SYM_##operation:                       \
        return derivative;
#include "symbolic/functions.def"
#undef X
    default: return sym_number(g, 0);
    }
}

/* The partial derivative of a product by its i-th factor. */
static sym product_partial(sym_graph *g, const sym_view *view, uint32_t i)
{
    arena *a = g->scratch;
    arena_mark here = arena_here(a);
    sym few[8];
    double few_exponents[8];
    bool fits = view->count <= 8;
    sym *factor = fits ? few : arena_array(a, view->count, sizeof *factor);
    double *exponent = fits ? few_exponents : arena_array(a, view->count, sizeof *exponent);
    memcpy(factor, view->argument, view->count * sizeof *factor);
    memcpy(exponent, view->factor, view->count * sizeof *exponent);
    exponent[i] -= 1;
    sym product = sym_product(g, view->count, factor, exponent);
    arena_back(a, here);
    return sym_scale(g, view->factor[i], product);
}

/* d/da of a^b is b a^(b-1); d/db is log(a) a^b. */
static sym power_partial(sym_graph *g, sym f, const sym_view *view, uint32_t i)
{
    sym a = view->argument[0], b = view->argument[1];
    if (i == 1) return MUL(FN(LOG, a), f);
    return MUL(b, sym_power(g, a, SUB(b, N(1))));
}

/* d/dy atan2(y, x) = x / (x^2 + y^2); d/dx = -y / (x^2 + y^2). */
static sym atan2_partial(sym_graph *g, const sym_view *view, uint32_t i)
{
    sym y = view->argument[0], x = view->argument[1];
    sym square = ADD(POW(x, 2), POW(y, 2));
    return sym_divide(g, i == 0 ? x : sym_negate(g, y), square);
}

sym sym_partial_rule(sym_graph *g, sym f, const sym_view *view, uint32_t i)
{
    switch (view->op) {
    case SYM_SUM: return N(view->factor[i]);
    case SYM_PRODUCT: return product_partial(g, view, i);
    case SYM_POWER: return power_partial(g, f, view, i);
    case SYM_ATAN2: return atan2_partial(g, view, i);
    case SYM_INPUT: return sym_input(g, view->id, view->order + 1, view->argument[0]);
    case SYM_CALL: return sym_call_partial(g, view, i);
    default:
        return sym_is_function(view->op) ? function_partial(g, view->op, f, view->argument[0])
                                         : N(0);
    }
}

bool sym_branching(sym_graph *g, const sym_view *view, sym_branches *b)
{
    const sym *a = view->argument;
    switch (view->op) {
    case SYM_IF: *b = (sym_branches){a[0], a[1], a[2]}; return true;
    case SYM_MIN: *b = (sym_branches){sym_binary(g, SYM_LESS, a[1], a[0]), a[1], a[0]}; return true;
    case SYM_MAX: *b = (sym_branches){sym_binary(g, SYM_LESS, a[0], a[1]), a[1], a[0]}; return true;
    default: return false;
    }
}
