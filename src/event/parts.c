/* The parts of a model that nothing links at an instant.
 *
 * Equations link the variables, relations and discrete variables that they hold, and so do
 * definitions and what conditions set: the parts are the connected components of that graph
 * (Tarjan, J. ACM 22 (1975) 215, for their union). What follows from time alone has the same value
 * for all of them, and links none. At the start initial equations link what they hold as well. */
#include "event/settling.h"

#include "symbolic/cells.h"
#include "symbolic/graph.h"
#include "symbolic/lists.h"
#include "symbolic/relations.h"

#include <string.h>

typedef struct links {
    const switching *s;
    sym_graph *g;
    size_t unknowns, relations, cells;
    size_t *of;   /* unknowns, relations, cells: another one of the same part, or itself */
    bool *shared; /* cells: they follow from time alone; */
    bool *apart;  /* relations: so do they */
} links;

static size_t first_of(const links *l, size_t i)
{
    while (l->of[i] != i) i = l->of[i] = l->of[l->of[i]];
    return i;
}

static void link_two(const links *l, size_t i, size_t j)
{
    i = first_of(l, i), j = first_of(l, j);
    if (i < j)
        l->of[j] = i;
    else
        l->of[i] = j;
}

/* Whether an expression follows from time, numbers and shared cells alone. */
static bool is_shared(const links *l, sym f)
{
    const sym *node;
    size_t count = sym_reach(l->g, 1, &f, &node);
    for (size_t k = 0; k < count; k++) {
        sym_view v = sym_look(l->g, node[k]);
        bool cell = v.op == SYM_CELL && !l->shared[v.id];
        if (cell || v.op == SYM_VARIABLE || v.op == SYM_INPUT || v.op == SYM_CALL) return false;
    }
    return true;
}

/* The place of a node among what is linked: unknowns, relations, then cells. SIZE_MAX: it links
 * nothing, because it is of another kind or follows from time alone. */
static size_t place_of(const links *l, sym node)
{
    sym_view v = sym_look(l->g, node);
    if (v.op == SYM_VARIABLE) return v.id < l->unknowns ? v.id : SIZE_MAX;
    if (v.op == SYM_CELL) return l->shared[v.id] ? SIZE_MAX : l->unknowns + l->relations + v.id;
    size_t k = sym_relation_number(l->g, node);
    return k < l->relations && !l->apart[k] ? l->unknowns + k : SIZE_MAX;
}

/* Links all that expressions hold with each other, and with something else (or SIZE_MAX). */
static void link_all(const links *l, size_t count, const sym *f, size_t with)
{
    const sym *node;
    size_t nodes = sym_reach(l->g, count, f, &node);
    for (size_t k = 0; k < nodes; k++) {
        size_t at = place_of(l, node[k]);
        if (at == SIZE_MAX) continue;
        if (with != SIZE_MAX) link_two(l, with, at);
        with = at;
    }
}

/* A definition that reads a cell: which variable's, and the next one of that cell + 1. */
typedef struct reader {
    size_t variable, next;
} reader;

/* What is known of cells while those that follow from time alone are found. */
typedef struct striking {
    arena *a;
    LIST(reader) readers;
    size_t *first;         /* cells: its first reader + 1; 0: it has none */
    LIST(uint32_t) struck; /* whose readers are still to be struck out */
} striking;

static void strike(const links *l, striking *x, uint32_t cell)
{
    if (l->shared[cell]) list_push(x->a, &x->struck, cell);
    l->shared[cell] = false;
}

static void strike_variable(const links *l, striking *x, size_t i)
{
    const sym_discrete *v = &l->s->system->discrete.variable.item[i];
    strike(l, x, v->cell);
    strike(l, x, v->pre);
}

/* Notes which cells the definition of a variable reads. */
static void note_cells(const links *l, striking *x, size_t i)
{
    const sym *node;
    size_t count = sym_reach(l->g, 1, &l->s->system->discrete.variable.item[i].definition, &node);
    for (size_t k = 0; k < count; k++) {
        sym_view v = sym_look(l->g, node[k]);
        if (v.op != SYM_CELL) continue;
        list_push(x->a, &x->readers, ((reader){i, x->first[v.id]}));
        x->first[v.id] = x->readers.count;
    }
}

/* Cells that follow from time alone. A definition may read others, in no order: those that do not
 * are struck out, with all that read them. */
static void find_shared(const links *l, arena *a)
{
    const sym_discrete_part *d = &l->s->system->discrete;
    striking x = {.a = a, .first = arena_array(a, l->cells + 1, sizeof *x.first)};
    for (size_t i = 0; i < l->cells; i++) l->shared[i] = true;
    for (size_t i = 0; i < d->variable.count; i++) note_cells(l, &x, i);
    for (size_t i = 0; i < d->variable.count; i++)
        if (!is_shared(l, d->variable.item[i].definition)) strike_variable(l, &x, i);
    for (size_t i = 0; i < d->left.count; i++) strike(l, &x, d->left.item[i].cell);
    while (x.struck.count > 0) {
        uint32_t cell = x.struck.item[--x.struck.count];
        for (size_t k = x.first[cell]; k > 0; k = x.readers.item[k - 1].next)
            strike_variable(l, &x, x.readers.item[k - 1].variable);
    }
    list_return(a, &x.struck);
    arena_return(a, x.first, l->cells + 1, sizeof *x.first);
    list_return(a, &x.readers);
}

static void link_discrete(const links *l)
{
    const sym_discrete_part *d = &l->s->system->discrete;
    const size_t cell = l->unknowns + l->relations;
    for (size_t i = 0; i < d->variable.count; i++) {
        const sym_discrete *v = &d->variable.item[i];
        if (l->shared[v->cell]) continue;
        link_two(l, cell + v->cell, cell + v->pre);
        link_all(l, 1, &v->definition, cell + v->cell);
    }
    for (size_t i = 0; i < d->left.count; i++)
        link_two(l, cell + d->left.item[i].cell, d->left.item[i].unknown);
    for (size_t i = 0; i < d->action.count; i++) {
        const sym_action *x = &d->action.item[i];
        if (x->kind == SYM_REINIT) link_all(l, 2, (sym[]){x->condition, x->value}, x->unknown);
    }
}

/* Numbers the parts by their first relations. */
static void number_parts(const links *l, arena *a)
{
    switching_modes *m = l->s->modes;
    size_t all = l->unknowns + l->relations + l->cells;
    size_t *number = arena_array(a, all + 1, sizeof *number);
    m->part_of = arena_array(a, l->unknowns + 1, sizeof *m->part_of);
    for (size_t i = 0; i < all; i++) number[i] = SWITCHING_NO_PART;
    m->parts = 0;
    for (size_t k = 0; k < l->relations; k++) {
        size_t first = first_of(l, l->unknowns + k);
        bool apart = l->apart[k];
        if (!apart && number[first] == SWITCHING_NO_PART) number[first] = m->parts++;
        m->relation[k].part = apart ? SWITCHING_NO_PART : number[first];
    }
    for (size_t i = 0; i < l->unknowns; i++) m->part_of[i] = number[first_of(l, i)];
    m->moved = arena_array(a, m->parts + 1, sizeof *m->moved);
    m->turned = arena_array(a, m->parts + 1, sizeof *m->turned);
    m->singly = arena_array(a, m->parts + 1, sizeof *m->singly);
    m->differs = arena_array(a, m->parts + 1, sizeof *m->differs);
    m->untold = arena_array(a, m->parts + 1, sizeof *m->untold);
    m->left = arena_array(a, m->parts + 1, sizeof *m->left);
    m->seen = arena_array(a, m->parts + 1, sizeof *m->seen);
    m->sliding_in = arena_array(a, m->parts + 1, sizeof *m->sliding_in);
}

/* The number of the part of an expression; SWITCHING_NO_PART: it has none. */
static size_t part_of_all(const links *l, const size_t *number, const sym_equation *x)
{
    const sym *node;
    size_t nodes = sym_reach(l->g, 2, (sym[]){x->lhs, x->rhs}, &node);
    for (size_t k = 0; k < nodes; k++) {
        size_t at = place_of(l, node[k]);
        if (at != SIZE_MAX) return number[first_of(l, at)];
    }
    return SWITCHING_NO_PART;
}

/* Numbers the parts of the start by their first relations. */
static void number_start_parts(const links *l, arena *a)
{
    const sym_system *from = l->s->system;
    switching_modes *m = l->s->modes;
    switching_start_parts *p = &m->start;
    size_t all = l->unknowns + l->relations + l->cells;
    size_t *number = arena_array(a, all + 1, sizeof *number);
    for (size_t i = 0; i < all; i++) number[i] = SWITCHING_NO_PART;
    *p = (switching_start_parts){.count = 0};
    p->relation = arena_array(a, l->relations + 1, sizeof *p->relation);
    p->unknown = arena_array(a, l->unknowns + 1, sizeof *p->unknown);
    p->cell = arena_array(a, l->cells + 1, sizeof *p->cell);
    p->equation = arena_array(a, from->equation.count + 1, sizeof *p->equation);
    p->initial = arena_array(a, from->initial.count + 1, sizeof *p->initial);
    for (size_t k = 0; k < l->relations; k++) {
        size_t first = first_of(l, l->unknowns + k);
        bool apart = l->apart[k];
        if (!apart && number[first] == SWITCHING_NO_PART) number[first] = p->count++;
        p->relation[k] = apart ? SWITCHING_NO_PART : number[first];
    }
    for (size_t i = 0; i < l->unknowns; i++) p->unknown[i] = number[first_of(l, i)];
    for (size_t i = 0; i < l->cells; i++)
        p->cell[i] = number[first_of(l, l->unknowns + l->relations + i)];
    for (size_t i = 0; i < from->equation.count; i++)
        p->equation[i] = part_of_all(l, number, &from->equation.item[i]);
    for (size_t i = 0; i < from->initial.count; i++)
        p->initial[i] = part_of_all(l, number, &from->initial.item[i]);
}

/* Initial equations link what they hold, and what they give discrete variables. */
static void link_initial(const links *l)
{
    const sym_system *from = l->s->system;
    for (size_t i = 0; i < from->initial.count; i++) {
        const sym_equation *x = &from->initial.item[i];
        link_all(l, 2, (sym[]){x->lhs, x->rhs}, SIZE_MAX);
    }
    for (size_t i = 0; i < from->discrete.initially.count; i++) {
        const sym_initially *x = &from->discrete.initially.item[i];
        uint32_t cell = from->discrete.variable.item[x->discrete].cell;
        link_all(l, 1, &x->value, l->unknowns + l->relations + cell);
    }
}

void settling_find_parts(const switching *s, arena *a, sym_graph *g)
{
    const sym_system *from = s->system;
    links l = {.s = s,
               .g = g,
               .unknowns = s->modes->unknowns,
               .relations = s->relations,
               .cells = sym_cell_count(g)};
    size_t all = l.unknowns + l.relations + l.cells;
    l.of = arena_array(a, all + 1, sizeof *l.of);
    l.shared = arena_array(a, l.cells + 1, sizeof *l.shared);
    l.apart = arena_array(a, l.relations + 1, sizeof *l.apart);
    for (size_t i = 0; i < all; i++) l.of[i] = i;
    find_shared(&l, a);
    for (size_t k = 0; k < l.relations; k++) l.apart[k] = is_shared(&l, sym_relation_node(g, k));
    for (size_t k = 0; k < l.relations; k++) {
        sym node = sym_relation_node(g, k);
        if (!l.apart[k]) link_all(&l, 1, &node, l.unknowns + k);
    }
    for (size_t i = 0; i < from->equation.count; i++) {
        const sym_equation *x = &from->equation.item[i];
        link_all(&l, 2, (sym[]){x->lhs, x->rhs}, SIZE_MAX);
    }
    link_discrete(&l);
    number_parts(&l, a);
    link_initial(&l);
    number_start_parts(&l, a);
}
