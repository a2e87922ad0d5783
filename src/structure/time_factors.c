#include "structure/time_factors.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"
#include "symbolic/tape.h"

#include <math.h>

/* Less than this, at the times that are tried, may be rounding of a function that is 0 everywhere.
 */
static const double LEAST = 1e-6;

/* Whether an operation is none of those that lead from time to functions which are analytic
 * everywhere. */
static bool is_other(sym_op op)
{
    switch (op) {
    case SYM_CONSTANT:
    case SYM_TIME:
    case SYM_SUM:
    case SYM_SIN:
    case SYM_COS:
    case SYM_EXP: return false;
    default: return true;
    }
}

static size_t only_input(void *context, const sym_view *leaf)
{
    (void)context;
    (void)leaf;
    return 0;
}

static bool is_zero_somewhere_only(sym_graph *g, sym f)
{
    const double time[] = {0.1234, 0.7321, 1.6713, 2.9137};
    sym_tape *tape = sym_tape_compile(sym_graph_arena(g), g, 1, &f, 1, only_input, NULL);
    for (size_t k = 0; k < sizeof time / sizeof *time; k++) {
        double value;
        sym_tape_eval(tape, &time[k], &value);
        if (isfinite(value) && fabs(value) > LEAST) return true;
    }
    return false;
}

static bool is_time_factor(sym_graph *g, sym f, double exponent)
{
    return exponent > 0 && exponent == floor(exponent) && sym_holds_time(g, 1, &f) &&
           !sym_any(g, 1, &f, is_other) && is_zero_somewhere_only(g, f);
}

sym structure_without_time_factors(sym_graph *g, sym residual)
{
    sym product = residual, rest = sym_number(g, 1);
    sym_view view = sym_look(g, residual);
    if (view.op == SYM_SUM && view.count == 1 && view.value == 0) {
        rest = sym_number(g, view.factor[0]);
        product = view.argument[0];
        view = sym_look(g, product);
    }
    if (view.op != SYM_PRODUCT) return residual;
    bool dropped = false, keeps = false;
    for (uint32_t k = 0; k < view.count; k++) {
        sym argument = view.argument[k];
        double exponent = view.factor[k];
        if (is_time_factor(g, argument, exponent)) {
            dropped = true;
            view = sym_look(g, product); /* the graph may have moved */
            continue;
        }
        keeps = true;
        rest = sym_multiply(g, rest, sym_power_number(g, argument, exponent));
        view = sym_look(g, product);
    }
    return dropped && keeps ? rest : residual;
}
