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

sym_sliding switching_sliding(const switching_modes *m, arena *a)
{
    uint32_t *relation = arena_array(a, m->sliding + 1, sizeof *relation);
    size_t *surface = arena_array(a, m->relations + 1, sizeof *surface), count = 0;
    signed char *along = arena_array(a, m->relations + 1, sizeof *along);
    for (size_t k = 0; k < m->relations; k++) {
        const relation_state *r = &m->relation[k];
        bool slides = m->relation[r->surface].slides; /* the first one of a surface comes first */
        if (r->slides) relation[count++] = (uint32_t)k;
        surface[k] = SIZE_MAX;
        for (size_t i = 0; slides && i < count; i++)
            if (relation[i] == r->surface) surface[k] = i;
        along[k] = !slides ? 0 : r->opposite ? -1 : 1;
    }
    return (sym_sliding){count, relation, surface, along};
}

void switching_sliding_key(const switching_modes *m, unsigned char *key)
{
    for (size_t k = 0; k < m->relations; k++) key[k] = m->relation[k].slides;
}

void switching_slide_along(switching_modes *m, const unsigned char *key)
{
    m->sliding = 0;
    for (size_t k = 0; k < m->relations; k++) {
        m->relation[k].slides = key[k] != 0;
        m->sliding += key[k] != 0;
    }
}

bool switching_slides(const switching *s, size_t k)
{
    const switching_modes *m = s->modes;
    return m->relation[m->relation[k].surface].slides;
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
