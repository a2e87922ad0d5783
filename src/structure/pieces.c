#include "structure/signature.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

typedef struct wanted {
    sym_graph *g;
    uint32_t v;
} wanted;

static bool is_wanted(void *context, const sym_view *leaf)
{
    const wanted *w = context;
    return leaf->op == SYM_VARIABLE && leaf->id == w->v;
}

static sym set_to_zero(void *context, sym leaf)
{
    const wanted *w = context;
    sym_view view = sym_look(w->g, leaf);
    return is_wanted(context, &view) ? sym_number(w->g, 0) : leaf;
}

static bool occurs(wanted *w, sym f)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(w->g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (leaf[k].id == w->v) return true;
    return false;
}

/* The derivative of f by v if it is a number; 0: it is not, or f is not linear in v. */
static double find_factor(wanted *w, sym f)
{
    double slope = 0;
    sym_partials partials = {0};
    if (!sym_is_affine(w->g, 1, &f, is_wanted, w)) return 0;
    sym_gradient(w->g, f, &partials);
    for (size_t k = 0; k < partials.count; k++) {
        sym_view view = sym_look(w->g, partials.item[k].leaf);
        if (!is_wanted(w, &view)) continue;
        if (view.order > 0 || !sym_is_number(w->g, partials.item[k].value, &slope)) return 0;
    }
    return slope;
}

sym structure_solve_pieces(sym_graph *g, sym f, uint32_t v)
{
    wanted w = {g, v};
    sym_view view = sym_look(g, f);
    if (view.op == SYM_IF) {
        sym condition = view.argument[0], yes = view.argument[1], no = view.argument[2];
        if (occurs(&w, condition)) return SYM_NONE;
        yes = structure_solve_pieces(g, yes, v);
        if (yes != SYM_NONE) no = structure_solve_pieces(g, no, v);
        return yes == SYM_NONE || no == SYM_NONE ? SYM_NONE : sym_if(g, condition, yes, no);
    }
    double slope = find_factor(&w, f);
    if (slope == 0) return SYM_NONE;
    sym_substitute(g, 1, &f, set_to_zero, &w);
    return sym_scale(g, -1 / slope, f);
}
