/* Keeps what combinations are made of. */
#include "structure/conversion_parts.h"

#include "symbolic/derive.h"

sym conversion_add_part(conversion *v, sym residual, sym made)
{
    uint32_t first = v->core->first_part;
    core_part part = {.residual = residual, .made = made, .known = made != SYM_NONE};
    const sym_leaf *leaf;
    size_t leaves = part.known ? sym_leaves(v->g, made, &leaf) : 0;
    for (size_t i = 0; i < leaves; i++) {
        if (leaf[i].id < first) continue;
        const core_part *of = &v->part.item[leaf[i].id - first];
        uint32_t depth = leaf[i].order + of->deepest;
        if (depth > part.deepest) part.deepest = depth;
        part.known = part.known && of->known;
    }
    list_push(v->a, &v->part, part);
    return sym_variable(v->g, first + (uint32_t)v->part.count - 1, 0);
}

static bool is_held(sym_op op)
{
    return op == SYM_CELL || op == SYM_INPUT;
}

bool conversion_always_holds(const conversion *v, sym made)
{
    const sym_leaf *leaf;
    uint32_t first = v->core->first_part;
    size_t leaves = sym_leaves(v->g, made, &leaf);
    for (size_t i = 0; i < leaves; i++) {
        if (leaf[i].id < first) continue;
        const core_part *of = &v->part.item[leaf[i].id - first];
        if (!of->known) return false;
        bool given = of->made == SYM_NONE;
        bool holds = given ? !sym_has_pieces(v->g, of->residual) &&
                                 !sym_any(v->g, 1, &of->residual, is_held)
                           : conversion_always_holds(v, of->made);
        if (!holds) return false;
    }
    return true;
}

void conversion_begin_parts(conversion *v, explicit_core *core)
{
    for (size_t i = 0; i < core->n; i++) {
        core_part part = {.residual = core->residual[i], .made = SYM_NONE, .known = true};
        list_push(v->a, &v->part, part);
        core->residual[core->n + i] = sym_variable(v->g, core->first_part + (uint32_t)i, 0);
    }
}

void conversion_end_parts(const conversion *v, explicit_core *core)
{
    uint32_t *part_of = arena_array(v->a, core->n, sizeof *part_of);
    for (size_t i = 0; i < core->n; i++)
        part_of[i] = sym_look(v->g, core->residual[core->n + i]).id - core->first_part;
    core->part_of = part_of;
    core->part = v->part.item;
}
