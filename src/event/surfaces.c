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

/* What definitions and conditions follow from: relations, and variables with what these follow
 * from. Each definition is looked at once, in rounds of all that the last ones have added. */
typedef struct origins {
    const switching *s;
    sym_graph *g;
    arena *a;
    const sym_discrete_part *d;
    size_t *of_cell; /* cells: the variable whose value, or value before, it is, + 1; 0: there is
                        none */
    bool *taken;     /* variables: their definition has been looked at, or is among `root` */
    bool *holds;     /* relations: what has been looked at holds it */
    LIST(sym) root;  /* to be looked at */
} origins;

static origins begin_origins(const switching *s, arena *a, sym_graph *g)
{
    const sym_discrete_part *d = &s->system->discrete;
    origins o = {.s = s, .g = g, .a = a, .d = d};
    o.of_cell = arena_array(a, sym_cell_count(g) + 1, sizeof *o.of_cell);
    o.taken = arena_array(a, d->variable.count + 1, sizeof *o.taken);
    o.holds = arena_array(a, s->relations + 1, sizeof *o.holds);
    for (size_t i = d->variable.count; i-- > 0;) {
        o.of_cell[d->variable.item[i].cell] = i + 1;
        o.of_cell[d->variable.item[i].pre] = i + 1;
    }
    return o;
}

static void end_origins(origins *o)
{
    list_return(o->a, &o->root);
    arena_return(o->a, o->holds, o->s->relations + 1, sizeof *o->holds);
    arena_return(o->a, o->taken, o->d->variable.count + 1, sizeof *o->taken);
    arena_return(o->a, o->of_cell, sym_cell_count(o->g) + 1, sizeof *o->of_cell);
}

/* Adds the definition of variable i, unless it has been added before. */
static void add_definition(origins *o, size_t i)
{
    if (o->taken[i]) return;
    o->taken[i] = true;
    list_push(o->a, &o->root, o->d->variable.item[i].definition);
}

/* Appends the conditions of actions. */
static void add_conditions(origins *o, bool only_moving)
{
    for (size_t i = 0; i < o->d->action.count; i++)
        if (!only_moving || o->d->action.item[i].kind == SYM_REINIT)
            list_push(o->a, &o->root, o->d->action.item[i].condition);
}

/* Looks at what is to be looked at, and at all that it follows from. */
static void follow(origins *o)
{
    while (o->root.count > 0) {
        const sym *reached;
        size_t count = sym_reach(o->g, o->root.count, o->root.item, &reached);
        o->root.count = 0;
        for (size_t i = 0; i < count; i++) {
            sym_view v = sym_look(o->g, reached[i]);
            size_t k = sym_relation_number(o->g, reached[i]);
            if (v.op == SYM_CELL && o->of_cell[v.id] > 0) add_definition(o, o->of_cell[v.id] - 1);
            if (k < o->s->relations && sym_relation_node(o->g, k) == reached[i]) o->holds[k] = true;
        }
    }
}

/* Whether variable i depends on its own value before, as a counter does. */
static bool remembers(const sym_discrete_part *d, sym_graph *g, size_t i)
{
    const sym_discrete *x = &d->variable.item[i];
    const sym *reached = NULL;
    size_t count = x->is_condition || x->is_whole ? 0 : sym_reach(g, 1, &x->definition, &reached);
    for (size_t k = 0; k < count; k++) {
        sym_view v = sym_look(g, reached[k]);
        if (v.op == SYM_CELL && v.id == x->pre) return true;
    }
    return false;
}

/* Marks the cells that equations, definitions or actions contain. */
static void mark_cells(const origins *o, bool *cell)
{
    const sym_discrete_part *d = o->d;
    LIST(sym) root = {0};
    const sym *reached = NULL;
    sym_system_find_cells(o->s->system, cell);
    for (size_t i = 0; i < d->variable.count; i++)
        list_push(o->a, &root, d->variable.item[i].definition);
    for (size_t i = 0; i < d->action.count; i++) {
        list_push(o->a, &root, d->action.item[i].condition);
        list_push(o->a, &root, d->action.item[i].value);
    }
    size_t count = root.count > 0 ? sym_reach(o->g, root.count, root.item, &reached) : 0;
    for (size_t i = 0; i < count; i++) {
        sym_view v = sym_look(o->g, reached[i]);
        if (v.op == SYM_CELL) cell[v.id] = true;
    }
    list_return(o->a, &root);
}

/* Marks the relations from which actions follow, or discrete variables whose values before
 * something depends on: what they have changed stays where a relation turns back. */
static void find_awaited(const switching *s, arena *a, sym_graph *g)
{
    origins o = begin_origins(s, a, g);
    bool *cell = arena_array(a, sym_cell_count(g) + 1, sizeof *cell);
    mark_cells(&o, cell);
    add_conditions(&o, false);
    for (size_t i = 0; i < o.d->variable.count; i++)
        if (cell[o.d->variable.item[i].pre]) add_definition(&o, i);
    follow(&o);
    for (size_t k = 0; k < s->relations; k++) s->modes->relation[k].awaited = o.holds[k];
    arena_return(a, cell, sym_cell_count(g) + 1, sizeof *cell);
    end_origins(&o);
}

/* Marks the relations that a reinit() waits for. */
static void find_moving(const switching *s, arena *a, sym_graph *g)
{
    origins o = begin_origins(s, a, g);
    add_conditions(&o, true);
    follow(&o);
    for (size_t k = 0; k < s->relations; k++) s->modes->relation[k].moves = o.holds[k];
    end_origins(&o);
}

/* A relation belongs to the first variable that keeps count of it: what that one follows from need
 * not be looked at again for others. */
void settling_find_memories(const switching *s, arena *a, sym_graph *g)
{
    origins o = begin_origins(s, a, g);
    for (size_t i = 0; i < o.d->variable.count; i++) {
        if (o.taken[i] || !remembers(o.d, g, i)) continue;
        add_definition(&o, i);
        follow(&o);
        for (size_t k = 0; k < s->relations; k++)
            if (o.holds[k] && s->modes->relation[k].memory == 0)
                s->modes->relation[k].memory = i + 1;
    }
    end_origins(&o);
    find_moving(s, a, g);
    find_awaited(s, a, g);
}

void settling_note_memories(settling *e)
{
    switching_modes *m = e->s->modes;
    for (size_t k = 0; k < m->relations && !m->told_memory; k++) {
        const relation_state *first = &m->relation[m->relation[k].surface];
        if (!first->slid || !first->slides || m->relation[k].memory == 0) continue;
        const sym_discrete *x = &e->s->system->discrete.variable.item[m->relation[k].memory - 1];
        text named = {0};
        m->told_memory = true;
        settling_name(e, 1, &k, &named);
        message_note(e->m,
                     "from t = %.9g on the solution slides along the surface of the relation %s, "
                     "which has no events until it ends: %s (line %u), which changes with it and "
                     "keeps its value between, counts none",
                     e->t, text_string(&named), x->name, x->at.line);
        text_free(&named);
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
