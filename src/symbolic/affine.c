#include "symbolic/simplify.h"

/* The degree in the chosen leaves. */
enum { FREE, LINEAR, HIGHER };

/* Degrees by the place among the reached nodes: a graph has far more nodes than one equation. */
typedef struct degrees {
    const sym *node; /* ascending */
    size_t nodes;
    unsigned char *degree;
} degrees;

static unsigned char degree_at(const degrees *d, sym node)
{
    return d->degree[sym_place(d->nodes, d->node, node)];
}

static unsigned char highest(const sym_view *view, const degrees *d)
{
    unsigned char most = FREE;
    for (uint32_t i = 0; i < view->count; i++) {
        unsigned char one = degree_at(d, view->argument[i]);
        if (one > most) most = one;
    }
    return most;
}

/* A product is linear if exactly one factor, with the exponent 1, contains chosen leaves. */
static unsigned char degree_of_product(const sym_view *view, const degrees *d)
{
    unsigned char found = FREE;
    for (uint32_t i = 0; i < view->count; i++) {
        unsigned char one = degree_at(d, view->argument[i]);
        if (one == FREE) continue;
        if (found != FREE || view->factor[i] != 1) return HIGHER;
        found = one;
    }
    return found;
}

static unsigned char degree_of(const sym_view *view, const degrees *d)
{
    unsigned char most = highest(view, d);
    if (most == FREE || view->op == SYM_SUM) return most;
    if (view->op == SYM_PRODUCT) return degree_of_product(view, d);
    return view->op == SYM_IF && degree_at(d, view->argument[0]) == FREE ? most : HIGHER;
}

bool sym_is_affine(sym_graph *g, size_t count, const sym *roots, sym_is_among among, void *context)
{
    const sym *node;
    size_t nodes = sym_reach(g, count, roots, &node);
    if (nodes == 0) return true;
    degrees d = {node, nodes, arena_array(sym_graph_arena(g), nodes, 1)};
    for (size_t k = 0; k < nodes; k++) {
        sym_view view = sym_look(g, node[k]);
        bool leaf = view.op == SYM_VARIABLE || view.op == SYM_TIME;
        d.degree[k] = leaf && among(context, &view) ? LINEAR : degree_of(&view, &d);
        if (d.degree[k] == HIGHER) return false;
    }
    return true;
}
