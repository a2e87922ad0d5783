#include "symbolic/domain.h"

#include "symbolic/simplify.h"

#include <math.h>

typedef LIST(sym_domain_limit) limit_list;

bool sym_is_divisor(const sym_domain_limit *limit)
{
    return limit->exponent < 0 && limit->exponent == floor(limit->exponent);
}

static void add(arena *a, limit_list *list, const sym_view *view)
{
    bool function = sym_is_function(view->op) && view->op != SYM_SIN && view->op != SYM_COS;
    if (function || view->op == SYM_POWER)
        list_push(a, list, ((sym_domain_limit){view->op, view->argument[0], 1}));
    for (uint32_t i = 0; view->op == SYM_PRODUCT && i < view->count; i++) {
        sym_domain_limit limit = {view->op, view->argument[i], view->factor[i]};
        if (limit.exponent < 0 || limit.exponent != floor(limit.exponent))
            list_push(a, list, limit);
    }
}

size_t sym_domain_limits(sym_graph *g, size_t count, const sym *roots, size_t known_count,
                         const sym *known, const sym_domain_limit **limits)
{
    arena *a = sym_graph_arena(g);
    const sym *node, *seen;
    limit_list list = {0};
    size_t before = sym_keep_reached(g, known_count, known, &seen);
    size_t nodes = sym_reach(g, count, roots, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(g, node[k]);
        if (before == 0 || seen[sym_place(before, seen, node[k])] != node[k]) add(a, &list, &view);
    }
    *limits = list.item;
    return list.count;
}
