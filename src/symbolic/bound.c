#include "symbolic/domain.h"
#include "symbolic/traced.h"

#include <math.h>

static double bound_of_sum(const sym_graph *g, const sym_view *view, const double *bound)
{
    double sum = fabs(sym_value(g, view->value));
    for (uint32_t i = 0; i < view->count; i++)
        sum += fabs(sym_value(g, view->factor[i])) * bound[i];
    return sum;
}

/* A divisor may come near 0, so a quotient has no bound. */
static double bound_of_product(const sym_view *view, const double *bound)
{
    double product = 1;
    for (uint32_t i = 0; i < view->count; i++) {
        if (view->factor[i] < 0) return HUGE_VAL;
        product *= pow(bound[i], view->factor[i]);
    }
    return isnan(product) ? HUGE_VAL : product;
}

/* The bound of a node by those of its arguments. */
static double bound_of(void *graph, sym node, const sym_view *view, const double *bound)
{
    (void)node;
    switch (view->op) {
    case SYM_CONSTANT: return fabs(sym_value(graph, view->value));
    case SYM_SUM: return bound_of_sum(graph, view, bound);
    case SYM_PRODUCT: return bound_of_product(view, bound);
    case SYM_MIN:
    case SYM_MAX: return fmax(bound[0], bound[1]);
    case SYM_IF: return fmax(bound[1], bound[2]);
    case SYM_ABS: return bound[0];
    case SYM_ATAN:
    case SYM_ATAN2: return 2 * atan2(1, 0);
    case SYM_TIME:
    case SYM_LESS:
    case SYM_LESS_EQUAL:
    case SYM_EQUAL:
    case SYM_AND:
    case SYM_OR:
    case SYM_NOT:
    case SYM_SIN:
    case SYM_COS:
    case SYM_TANH:
    case SYM_SIGN: return 1;
    default: return HUGE_VAL;
    }
}

double sym_bound(sym_graph *g, sym f)
{
    return sym_fold(g, f, bound_of, g);
}
