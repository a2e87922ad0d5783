#include "symbolic/bends.h"

#include "symbolic/graph.h"
#include "symbolic/guards.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

typedef struct bends {
    sym_system *system;
    sym_graph *g;
    arena *a;
    size_t count;
    const sym *node; /* count: of all equations, ascending */
    sym *image;
    bool *algebraic;    /* count: holds an algebraic variable */
    const bool *guards; /* count: a root, a logarithm or a divisor may need it */
    bool *moves;        /* of each unknown: its derivative occurs */
    sym *watched;       /* as the author has written them: the relations that are watched */
} bends;

static size_t position(const bends *b, sym node)
{
    return sym_place(b->count, b->node, node);
}

/* The watched bend at this relation; NULL: there is none. */
static sym_watched *watched_at(const bends *b, sym relation)
{
    for (size_t i = 0; i < b->system->discrete.watched.count; i++) {
        if (b->watched[i] == relation) return &b->system->discrete.watched.item[i];
    }
    return NULL;
}

static sym image_of(bends *b, size_t k, const sym_view *v, sym *argument)
{
    sym_graph *g = b->g;
    for (uint32_t i = 0; i < v->count; i++) argument[i] = b->image[position(b, v->argument[i])];
    bool size = v->op == SYM_ABS;
    if (!b->algebraic[k] || b->guards[k] || (!size && v->op != SYM_MIN && v->op != SYM_MAX))
        return sym_rebuild(g, b->node[k], argument);
    sym zero = sym_number(g, 0);
    sym_watched *w = watched_at(
        b, sym_relation(g, SYM_LESS, v->argument[0], size ? zero : v->argument[1]));
    if (!w) return sym_rebuild(g, b->node[k], argument);
    sym less = sym_relation(g, SYM_LESS, argument[0], size ? zero : argument[1]);
    *w = (sym_watched){less, false};
    if (size) return sym_if(g, less, sym_subtract(g, zero, argument[0]), argument[0]);
    bool smaller = v->op == SYM_MIN;
    return sym_if(g, less, argument[smaller ? 0 : 1], argument[smaller ? 1 : 0]);
}

static void find_algebraic(bends *b)
{
    b->moves = arena_array(b->a, b->system->unknown.count, sizeof *b->moves);
    b->algebraic = arena_array(b->a, b->count, sizeof *b->algebraic);
    for (size_t k = 0; k < b->count; k++) {
        sym_view v = sym_look(b->g, b->node[k]);
        if (v.op == SYM_VARIABLE && v.order > 0) b->moves[v.id] = true;
    }
    for (size_t k = 0; k < b->count; k++) {
        sym_view v = sym_look(b->g, b->node[k]);
        b->algebraic[k] = v.op == SYM_VARIABLE && !b->moves[v.id];
        for (uint32_t i = 0; i < v.count; i++)
            b->algebraic[k] = b->algebraic[k] || b->algebraic[position(b, v.argument[i])];
    }
}

void sym_hold_bends(sym_system *system)
{
    bends b = {.system = system, .g = system->graph, .a = system->memory};
    size_t equations = system->equation.count, invariants = system->invariant.count;
    size_t count = 2 * equations + invariants;
    sym *side = arena_array(b.a, count, sizeof *side);
    LIST(sym) argument = {0};
    for (size_t i = 0; i < equations; i++) {
        side[2 * i] = system->equation.item[i].lhs;
        side[2 * i + 1] = system->equation.item[i].rhs;
    }
    for (size_t i = 0; i < invariants; i++)
        side[2 * equations + i] = system->invariant.item[i].value;
    if (system->discrete.watched.count == 0) return;
    b.count = sym_keep_reached(b.g, count, side, &b.node);
    b.guards = sym_find_guards(system, b.count, b.node);
    b.image = arena_array(b.a, b.count, sizeof *b.image);
    find_algebraic(&b);
    b.watched = arena_array(b.a, system->discrete.watched.count, sizeof *b.watched);
    for (size_t i = 0; i < system->discrete.watched.count; i++)
        b.watched[i] = system->discrete.watched.item[i].relation;
    for (size_t k = 0; k < b.count; k++) {
        sym_view v = sym_look(b.g, b.node[k]);
        while (argument.count < v.count) list_push(b.a, &argument, 0);
        b.image[k] = image_of(&b, k, &v, argument.item);
    }
    for (size_t i = 0; i < equations; i++) {
        system->equation.item[i].lhs = b.image[position(&b, side[2 * i])];
        system->equation.item[i].rhs = b.image[position(&b, side[2 * i + 1])];
    }
    for (size_t i = 0; i < invariants; i++)
        system->invariant.item[i].value = b.image[position(&b, side[2 * equations + i])];
}
