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

/* A term over a factor that it contains; SYM_NONE: it does not. */
static sym term_over(sym_graph *g, sym term, sym factor)
{
    sym_view view = sym_look(g, term);
    if (term == factor) return sym_number(g, 1);
    sym rest = sym_number(g, 1);
    bool held = false;
    for (uint32_t k = 0; view.op == SYM_PRODUCT && k < view.count; k++) {
        sym argument = view.argument[k];
        bool own = argument == factor && view.factor[k] >= 1;
        double exponent = view.factor[k] - (own ? 1 : 0);
        held = held || own;
        if (exponent != 0) rest = sym_multiply(g, rest, sym_power_number(g, argument, exponent));
        view = sym_look(g, term); /* the graph may have moved */
    }
    return held ? rest : SYM_NONE;
}

/* A sum over a factor that all of its terms contain; the sum itself if one does not. */
static sym sum_over(sym_graph *g, sym sum, sym factor)
{
    sym_view view = sym_look(g, sum);
    sym result = sym_number(g, 0);
    for (uint32_t k = 0; k < view.count; k++) {
        double by = view.factor[k];
        sym over = term_over(g, view.argument[k], factor);
        if (over == SYM_NONE) return sum;
        result = sym_add(g, result, sym_scale(g, by, over));
        view = sym_look(g, sum);
    }
    return result;
}

/* The same of p f + p g = 0. */
static sym without_common_factors(sym_graph *g, sym sum)
{
    sym first = sym_look(g, sum).argument[0];
    sym_view view = sym_look(g, first);
    if (view.op != SYM_PRODUCT) return is_time_factor(g, first, 1) ? sum_over(g, sum, first) : sum;
    for (uint32_t k = 0; k < view.count; k++) {
        sym factor = view.argument[k];
        if (!is_time_factor(g, factor, view.factor[k])) continue;
        sym rest = sum_over(g, sum, factor);
        if (rest != sum) return structure_without_time_factors(g, rest);
        view = sym_look(g, first);
    }
    return sum;
}

sym structure_without_time_factors(sym_graph *g, sym residual)
{
    sym product = residual, rest = sym_number(g, 1);
    sym_view view = sym_look(g, residual);
    if (view.op == SYM_SUM && view.count > 1 && view.value == 0)
        return without_common_factors(g, residual);
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
