#include "symbolic/affine.h"

/* The degree in the leaves that count. */
enum { FREE, LINEAR, HIGHER };

static unsigned char highest(const sym_view *view, const unsigned char *degree)
{
    unsigned char most = FREE;
    for (uint32_t i = 0; i < view->count; i++)
        if (degree[view->argument[i]] > most) most = degree[view->argument[i]];
    return most;
}

/* A product of which one factor, with the exponent 1, holds them. */
static unsigned char degree_of_product(const sym_view *view, const unsigned char *degree)
{
    unsigned char found = FREE;
    for (uint32_t i = 0; i < view->count; i++) {
        unsigned char one = degree[view->argument[i]];
        if (one == FREE) continue;
        if (found != FREE || view->factor[i] != 1) return HIGHER;
        found = one;
    }
    return found;
}

static unsigned char degree_of(const sym_view *view, const unsigned char *degree)
{
    unsigned char most = highest(view, degree);
    if (most == FREE || view->op == SYM_SUM) return most;
    if (view->op == SYM_PRODUCT) return degree_of_product(view, degree);
    return view->op == SYM_IF && degree[view->argument[0]] == FREE ? most : HIGHER;
}

bool sym_is_affine(sym_graph *g, size_t count, const sym *roots, sym_is_among among, void *context)
{
    const sym *node;
    size_t nodes = sym_reach(g, count, roots, &node);
    if (nodes == 0) return true;
    unsigned char *degree = arena_array(sym_graph_arena(g), (size_t)node[nodes - 1] + 1, 1);
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(g, node[k]);
        bool leaf = view.op == SYM_VARIABLE || view.op == SYM_TIME;
        degree[node[k]] = leaf && among(context, &view) ? LINEAR : degree_of(&view, degree);
        if (degree[node[k]] == HIGHER) return false;
    }
    return true;
}
