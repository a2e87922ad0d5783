/* The surfaces of relations: x < 0 and 0 < x have one, with opposite sides. */
#include "event/settling.h"

#include "symbolic/cells.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

/* left - right of relation k, divided by the factor of its first term. *opposite: that is negative.
 */
static sym without_factor(const switching *s, sym_graph *g, size_t k, bool *opposite)
{
    sym_view view = sym_look(g, sym_relation_node(g, k));
    sym difference = sym_subtract(g, view.argument[0], view.argument[1]);
    structure_to_core(s->system, s->f->core, 1, &difference);
    view = sym_look(g, difference);
    double factor = view.op == SYM_SUM && view.count > 0 ? sym_value(g, view.factor[0]) : 1;
    *opposite = factor < 0;
    return sym_scale(g, 1 / factor, difference);
}

void settling_find_surfaces(const switching *s, arena *a, sym_graph *g)
{
    relation_state *r = s->modes->relation;
    sym *surface = arena_array(a, s->relations, sizeof *surface);
    for (size_t k = 0; k < s->relations; k++) {
        surface[k] = without_factor(s, g, k, &r[k].opposite);
        size_t first = 0;
        while (surface[first] != surface[k] || s->relation[first].kind != s->relation[k].kind)
            first++;
        r[k].surface = first;
    }
    for (size_t k = 0; k < s->relations; k++)
        if (r[k].surface != k) r[k].opposite = r[k].opposite != r[r[k].surface].opposite;
    for (size_t k = 0; k < s->relations; k++)
        if (r[k].surface == k) r[k].opposite = false;
}

void settling_find_kinks(const switching *s, arena *a, sym_graph *g)
{
    const sym_system *from = s->system;
    const sym_discrete_part *d = &from->discrete;
    LIST(sym) root = {0};
    for (size_t i = 0; i < from->equation.count; i++) {
        list_push(a, &root, from->equation.item[i].lhs);
        list_push(a, &root, from->equation.item[i].rhs);
    }
    for (size_t i = 0; i < d->variable.count; i++)
        list_push(a, &root, d->variable.item[i].definition);
    for (size_t i = 0; i < d->watched.count; i++)
        if (!d->watched.item[i].kink) list_push(a, &root, d->watched.item[i].relation);
    const sym *reached;
    size_t count = sym_reach(g, root.count, root.item, &reached);
    for (size_t k = 0; k < s->relations; k++) {
        sym node = sym_relation_node(g, k);
        bool watched = false;
        bool used = count > 0 && reached[sym_place(count, reached, node)] == node;
        for (size_t i = 0; i < d->watched.count; i++)
            watched = watched || d->watched.item[i].relation == node;
        s->modes->relation[k].kink = watched && !used;
    }
}

const signed char *switching_along(const switching_modes *m, arena *a)
{
    signed char *along = arena_array(a, m->relations + 1, sizeof *along);
    for (size_t k = 0; m->slides != SYM_NONE && k < m->relations; k++)
        if (m->relation[k].surface == m->slides) along[k] = m->relation[k].opposite ? -1 : 1;
    return along;
}

bool switching_slides(const switching *s, size_t k)
{
    const switching_modes *m = s->modes;
    return m->slides != SYM_NONE && m->relation[k].surface == m->slides;
}

void settling_hold_side(switching *s, size_t surface, bool is)
{
    for (size_t k = 0; k < s->relations; k++) {
        relation_state *r = &s->modes->relation[k];
        if (r->surface != surface) continue;
        r->crossed = true;
        r->left = s->value[k];
        settling_hold(s, k, is != r->opposite);
    }
}
