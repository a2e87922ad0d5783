#include "structure/signature.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

static bool occurs(sym_graph *g, sym f, uint32_t v)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (leaf[k].id == v) return true;
    return false;
}

sym structure_solve_pieces(sym_graph *g, sym f, uint32_t v)
{
    sym_view view = sym_look(g, f);
    if (view.op == SYM_IF) {
        sym condition = view.argument[0], yes = view.argument[1], no = view.argument[2];
        if (occurs(g, condition, v)) return SYM_NONE;
        yes = structure_solve_pieces(g, yes, v);
        if (yes != SYM_NONE) no = structure_solve_pieces(g, no, v);
        return yes == SYM_NONE || no == SYM_NONE ? SYM_NONE : sym_if(g, condition, yes, no);
    }
    sym slope, rest;
    double number;
    bool solved = sym_split_linear(g, f, sym_variable(g, v, 0), &slope, &rest) &&
                  !occurs(g, rest, v) && sym_is_number(g, slope, &number);
    return solved ? sym_scale(g, -1 / number, rest) : SYM_NONE;
}
