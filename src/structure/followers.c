#include "structure/followers.h"

#include "symbolic/derive.h"
#include "symbolic/specialize.h"

#include <string.h>

typedef struct following {
    sym_system *system;
    size_t *uses;  /* unknowns: in how many equations they occur that are not taken aside */
    size_t *where; /* unknowns: the sum of the numbers of these */
    size_t *last;  /* unknowns: the last round of counting in which they were met */
    size_t round;
    bool *aside; /* equations */
} following;

/* Adds the unknowns of an equation to what is counted, or takes them away. */
static void count(following *f, size_t equation, bool add)
{
    const sym_leaf *leaf;
    size_t leaves = sym_leaves(f->system->graph, sym_residual(f->system, equation), &leaf);
    f->round++;
    for (size_t k = 0; k < leaves; k++) {
        if (f->last[leaf[k].id] == f->round) continue; /* with another derivative */
        f->last[leaf[k].id] = f->round;
        f->uses[leaf[k].id] += add ? 1 : (size_t)-1;
        f->where[leaf[k].id] += add ? equation : -equation;
    }
}

/* What conditions of the start speak of is not taken aside, nor what else has an equation of its
 * own kind. */
static void keep_others(following *f)
{
    const sym_system *s = f->system;
    const sym_leaf *leaf;
    for (size_t i = 0; i < s->initial.count; i++) {
        const sym side[] = {s->initial.item[i].lhs, s->initial.item[i].rhs};
        for (int k = 0; k < 2; k++)
            for (size_t left = sym_leaves(s->graph, side[k], &leaf); left > 0; left--, leaf++)
                f->uses[leaf->id] += 2;
    }
    for (size_t i = 0; i < s->flat.count; i++) f->uses[s->flat.item[i].unknown] += 2;
    for (size_t i = 0; i < s->root.count; i++) f->uses[s->root.item[i].unknown] += 2;
    for (uint32_t id = 0; id < s->unknown.count; id++)
        if (s->unknown.item[id].discrete || s->unknown.item[id].parameter) f->uses[id] += 2;
}

/* The highest derivative of an unknown in its equation, if that is a constant multiple of it but
 * for other terms; SYM_NONE otherwise. Derivatives of others beyond that would have the equation
 * differentiated more often than theirs before it gives that of the unknown. */
static sym follows(const following *f, uint32_t id)
{
    sym_graph *g = f->system->graph;
    if (f->uses[id] != 1) return SYM_NONE;
    sym equation = sym_residual(f->system, f->where[id]), slope, rest;
    const sym_leaf *leaf;
    sym_leaf highest = {.node = SYM_NONE};
    uint32_t others = 0;
    for (size_t left = sym_leaves(g, equation, &leaf); left > 0; left--, leaf++) {
        bool own = leaf->id == id;
        if (own && (highest.node == SYM_NONE || leaf->order > highest.order)) highest = *leaf;
        if (!own && leaf->order > others) others = leaf->order;
    }
    double number;
    bool fixed = f->system->unknown.item[id].fixed && highest.order == 0;
    bool known = highest.node != SYM_NONE && highest.order <= 1 && others <= highest.order &&
                 !fixed && sym_split_linear(g, equation, highest.node, &slope, &rest) &&
                 sym_is_number(g, slope, &number) && number != 0;
    return known ? highest.node : SYM_NONE;
}

static void take_aside(following *f, size_t equation, sym highest)
{
    count(f, equation, false);
    sym_equation *e = &f->system->equation.item[equation];
    e->lhs = highest;
    e->rhs = sym_number(f->system->graph, 0);
    f->aside[equation] = true;
}

const sym_system *structure_without_followers(const sym_system *from)
{
    arena *a = from->memory;
    if (from->delay.count > 0) return from; /* what is delayed is used without an equation */
    sym_system *system = arena_duplicate(a, from, 1, sizeof *from);
    size_t equations = from->equation.count, unknowns = from->unknown.count;
    following f = {.system = system,
                   .uses = arena_array(a, unknowns, sizeof *f.uses),
                   .where = arena_array(a, unknowns, sizeof *f.where),
                   .last = arena_array(a, unknowns, sizeof *f.last),
                   .aside = arena_array(a, equations, sizeof *f.aside)};
    system->equation.item = arena_duplicate(a, from->equation.item, equations,
                                            sizeof *from->equation.item);
    for (size_t i = 0; i < equations; i++) count(&f, i, true);
    keep_others(&f);
    bool any = false;
    for (bool more = true; more; any = any || more) {
        more = false;
        for (uint32_t id = 0; id < unknowns; id++) {
            sym highest = follows(&f, id);
            if (highest == SYM_NONE || f.aside[f.where[id]]) continue;
            take_aside(&f, f.where[id], highest);
            more = true;
        }
    }
    return any ? system : from;
}
