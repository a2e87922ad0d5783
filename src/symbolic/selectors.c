/* What selects branches of equations, and what gives numbers along a surface. */
#include "symbolic/specialize.h"

#include "symbolic/cells.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"
#include "symbolic/traced.h"

#include <string.h>

bool sym_is_of_discrete(const sym_system *system, const sym_equation *e)
{
    sym_view v = sym_view_of(system->graph, e->lhs), cell = sym_view_of(system->graph, e->rhs);
    if (v.op != SYM_VARIABLE || v.order != 0 || cell.op != SYM_CELL) return false;
    for (size_t i = 0; i < system->discrete.variable.count; i++) {
        const sym_discrete *d = &system->discrete.variable.item[i];
        if (d->cell == cell.id) return strcmp(d->name, system->unknown.item[v.id].name) == 0;
    }
    return false;
}

typedef LIST(sym_followed) followed_list;

/* A walk from cells to the definitions of their variables. */
typedef struct following {
    const sym_system *system;
    LIST(size_t) taken;        /* variables whose definitions have been looked at, or will be */
    bool *is_taken;            /* variables */
    const size_t *variable_of; /* cells: the variable whose value it is; SIZE_MAX: there is none */
    LIST(uint32_t) relation, cell; /* that were found */
} following;

static void take(following *f, size_t variable)
{
    if (variable == SIZE_MAX || f->is_taken[variable]) return;
    f->is_taken[variable] = true;
    list_push(f->system->memory, &f->taken, variable);
}

/* Takes the relations and cells of a definition, and the variables that it is built from. */
static void look_into(following *f, sym definition)
{
    arena *a = f->system->memory;
    sym_graph *g = f->system->graph;
    const sym *node;
    size_t nodes = sym_keep_reached(g, 1, &definition, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_view_of(g, node[k]);
        uint32_t slot = sym_mode_slot(g, node[k]);
        if (v.op == SYM_CELL) list_push(a, &f->cell, v.id);
        if (v.op == SYM_CELL) take(f, f->variable_of[v.id]);
        if (sym_is_relation(g, node[k]) && slot > 0) list_push(a, &f->relation, slot - 1);
    }
}

/* The relations and cells that the values of variables follow from. */
static sym_followed follow(following *f, size_t count, const size_t *variable)
{
    following of = {.system = f->system, .is_taken = f->is_taken, .variable_of = f->variable_of};
    for (size_t i = 0; i < count; i++) take(&of, variable[i]);
    for (size_t i = 0; i < of.taken.count; i++)
        look_into(&of, of.system->discrete.variable.item[of.taken.item[i]].definition);
    for (size_t i = 0; i < of.taken.count; i++) of.is_taken[of.taken.item[i]] = false;
    return (sym_followed){of.relation.count, of.cell.count, of.relation.item, of.cell.item};
}

sym sym_bends_at(const sym_system *system, sym node, sym *less, sym *other)
{
    sym_graph *g = system->graph;
    sym_view v = sym_view_of(g, node);
    bool bends = v.op == SYM_MIN || v.op == SYM_MAX || v.op == SYM_ABS;
    for (size_t i = 0; bends && i < system->discrete.watched.count; i++) {
        const sym_watched *w = &system->discrete.watched.item[i];
        sym_view at = sym_view_of(g, w->relation);
        if (!w->kink || at.count != 2) continue;
        bool as_is = at.argument[0] == v.argument[0];
        if (v.op == SYM_ABS && as_is && sym_is(g, at.argument[1], 0)) {
            *other = v.argument[0];
            *less = sym_negate(g, *other);
            return w->relation;
        }
        if (v.op == SYM_ABS || v.count != 2) continue;
        bool turned = at.argument[0] == v.argument[1] && at.argument[1] == v.argument[0];
        if (!turned && !(as_is && at.argument[1] == v.argument[1])) continue;
        *less = at.argument[v.op == SYM_MAX];
        *other = at.argument[v.op == SYM_MIN];
        return w->relation;
    }
    return 0;
}

/* Of each relation, itself and those at which its sides bend. */
static void find_bends(const sym_system *system, followed_list *found)
{
    arena *a = system->memory;
    sym_graph *g = system->graph;
    const sym *node;
    sym less, other;
    for (uint32_t i = 0; system->discrete.watched.count > 0 && i < sym_relation_count(g); i++) {
        LIST(uint32_t) relation = {0};
        sym root = sym_relation_node(g, i);
        size_t nodes = sym_keep_reached(g, 1, &root, &node);
        for (size_t k = 0; k < nodes; k++) {
            sym at = sym_bends_at(system, node[k], &less, &other);
            if (at && relation.count == 0) list_push(a, &relation, i);
            if (at) list_push(a, &relation, sym_mode_slot(g, at) - 1);
        }
        sym_followed one = {.relations = relation.count, .relation = relation.item};
        if (relation.count > 0) list_push(a, found, one);
    }
}

/* The discrete variables of the equations, but for those that say what one of them is. */
static void find_in_equations(following *f)
{
    const sym_system *system = f->system;
    LIST(sym) side = {0};
    const sym *node;
    for (size_t i = 0; i < system->equation.count; i++) {
        const sym_equation *e = &system->equation.item[i];
        if (sym_is_of_discrete(system, e)) continue;
        list_push(system->memory, &side, e->lhs);
        list_push(system->memory, &side, e->rhs);
    }
    size_t nodes = sym_keep_reached(system->graph, side.count, side.item, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_view_of(system->graph, node[k]);
        if (v.op == SYM_CELL) take(f, f->variable_of[v.id]);
    }
    arena_return(system->memory, node, nodes, sizeof *node);
    list_return(system->memory, &side);
    for (size_t i = 0; i < f->taken.count; i++) f->is_taken[f->taken.item[i]] = false;
}

/* So many relations and cells are told by variable; those of the others together. */
enum { MOST_FOLLOWED = 1000000 };

/* Finds the discrete variables of the equations that follow from relations. */
static void find_followed(const sym_system *system, followed_list *found)
{
    const sym_discrete_part *d = &system->discrete;
    arena *a = system->memory;
    size_t cells = sym_cell_count(system->graph), total = 0, together;
    size_t *variable_of = arena_array(a, cells + 1, sizeof *variable_of);
    following f = {.system = system, .variable_of = variable_of};
    f.is_taken = arena_array(a, d->variable.count + 1, sizeof *f.is_taken);
    for (size_t i = 0; i < cells; i++) variable_of[i] = SIZE_MAX;
    for (size_t i = 0; i < d->variable.count; i++) variable_of[d->variable.item[i].cell] = i;
    find_in_equations(&f);
    for (size_t i = 0; i < f.taken.count; i += together) {
        together = total > MOST_FOLLOWED ? f.taken.count - i : 1;
        sym_followed one = follow(&f, together, f.taken.item + i);
        total += one.relations + one.cells;
        if (one.relations > 0) list_push(a, found, one);
    }
}

sym_selectors sym_find_selectors(const sym_system *system)
{
    sym_graph *g = system->graph;
    arena *a = system->memory;
    LIST(sym) condition = {0}, side = {0};
    LIST(uint32_t) relation = {0}, cell = {0};
    followed_list followed = {0};
    const sym *node;
    for (size_t i = 0; i < system->equation.count; i++) {
        list_push(a, &side, system->equation.item[i].lhs);
        list_push(a, &side, system->equation.item[i].rhs);
    }
    size_t nodes = sym_reach(g, side.count, side.item, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_view_of(g, node[k]);
        if (v.op == SYM_IF) list_push(a, &condition, v.argument[0]);
    }
    list_return(a, &side);
    nodes = sym_reach(g, condition.count, condition.item, &node);
    for (size_t k = 0; k < nodes; k++) {
        sym_view v = sym_view_of(g, node[k]);
        uint32_t slot = sym_mode_slot(g, node[k]);
        if (v.op == SYM_CELL) list_push(a, &cell, v.id);
        if (sym_is_relation(g, node[k]) && slot > 0) list_push(a, &relation, slot - 1);
    }
    list_return(a, &condition);
    sym_selectors found = {.relations = relation.count, .relation = relation.item};
    found.cells = cell.count;
    found.cell = cell.item;
    find_bends(system, &followed);
    find_followed(system, &followed);
    found.followed = followed.count;
    found.of = followed.item;
    return found;
}
