#include "symbolic/simplify.h"

/* The degree in the chosen leaves. */
enum { FREE, LINEAR, HIGHER };

typedef struct chosen {
    sym_is_among among;
    void *context;
} chosen;

/* A product is linear if exactly one factor, with the exponent 1, contains chosen leaves. */
static double degree_of_product(const sym_view *view, const double *degree)
{
    double found = FREE;
    for (uint32_t i = 0; i < view->count; i++) {
        if (degree[i] == FREE) continue;
        if (found != FREE || view->factor[i] != 1) return HIGHER;
        found = degree[i];
    }
    return found;
}

static double degree_of(void *context, sym node, const sym_view *view, const double *degree)
{
    (void)node;
    const chosen *c = context;
    double most = FREE;
    if (view->op == SYM_VARIABLE || view->op == SYM_TIME)
        return c->among(c->context, view) ? LINEAR : FREE;
    for (uint32_t i = 0; i < view->count; i++)
        if (degree[i] > most) most = degree[i];
    if (most == FREE || view->op == SYM_SUM) return most;
    if (view->op == SYM_PRODUCT) return degree_of_product(view, degree);
    return view->op == SYM_IF && degree[0] == FREE ? most : HIGHER;
}

bool sym_is_affine(sym_graph *g, size_t count, const sym *roots, sym_is_among among, void *context)
{
    chosen c = {among, context};
    for (size_t i = 0; i < count; i++)
        if (sym_fold(g, roots[i], degree_of, &c) == HIGHER) return false;
    return true;
}
