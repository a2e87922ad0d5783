#include "symbolic/domain.h"
#include "symbolic/traced.h"

#include <math.h>

/* Bounds by the place among the reached nodes. */
typedef struct bounds {
    const sym_graph *g;
    const sym *node; /* ascending */
    size_t nodes;
    double *most;
} bounds;

static double bound_at(const bounds *b, sym node)
{
    return b->most[sym_place(b->nodes, b->node, node)];
}

static double bound_of_sum(const sym_view *view, const bounds *b)
{
    double sum = fabs(sym_value(b->g, view->value));
    for (uint32_t i = 0; i < view->count; i++)
        sum += fabs(sym_value(b->g, view->factor[i])) * bound_at(b, view->argument[i]);
    return sum;
}

/* A divisor may come near 0, so a quotient has no bound. */
static double bound_of_product(const sym_view *view, const bounds *b)
{
    double product = 1;
    for (uint32_t i = 0; i < view->count; i++) {
        if (view->factor[i] < 0) return HUGE_VAL;
        product *= pow(bound_at(b, view->argument[i]), view->factor[i]);
    }
    return isnan(product) ? HUGE_VAL : product;
}

static double largest_from(const sym_view *view, uint32_t first, const bounds *b)
{
    double most = 0;
    for (uint32_t i = first; i < view->count; i++)
        most = fmax(most, bound_at(b, view->argument[i]));
    return most;
}

static double bound_of(const sym_view *view, const bounds *b)
{
    switch (view->op) {
    case SYM_CONSTANT: return fabs(sym_value(b->g, view->value));
    case SYM_SUM: return bound_of_sum(view, b);
    case SYM_PRODUCT: return bound_of_product(view, b);
    case SYM_MIN:
    case SYM_MAX: return largest_from(view, 0, b);
    case SYM_IF: return largest_from(view, 1, b);
    case SYM_ABS: return bound_at(b, view->argument[0]);
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
    const sym *node;
    size_t nodes = sym_reach(g, 1, &f, &node);
    bounds b = {g, node, nodes, arena_array(sym_graph_arena(g), nodes, sizeof(double))};
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(g, node[k]);
        b.most[k] = bound_of(&view, &b);
    }
    return bound_at(&b, f);
}
