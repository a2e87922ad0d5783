#include "structure/mechanical_removal.h"

#include "symbolic/derive.h"
#include "symbolic/simplify.h"

#include <float.h>
#include <math.h>

typedef mechanical_removal removal;
typedef mechanical_contents contents;

static void look(removal *r, size_t i)
{
    contents *h = &r->holds[i];
    sym residual = r->names->residual[i];
    const sym *leaf;
    if (h->of == residual) return;
    h->of = residual;
    h->leaves = sym_leaves(r->g, residual, &leaf);
    h->leaf = arena_array(r->a, h->leaves, sizeof *h->leaf);
    for (size_t k = 0; k < h->leaves; k++) h->leaf[k] = sym_look(r->g, leaf[k]);
}

bool removal_two_terms(const removal *r, size_t i, sym_view *a, sym_view *b)
{
    sym_view sum = sym_look(r->g, r->names->residual[i]);
    if (sum.op != SYM_SUM || sum.count != 2 || sum.value != 0) return false;
    *a = sym_look(r->g, sum.argument[0]);
    *b = sym_look(r->g, sum.argument[1]);
    return a->op == SYM_VARIABLE && b->op == SYM_VARIABLE && a->id != b->id;
}

bool removal_equal_factors(const removal *r, size_t i, int sign)
{
    sym_view sum = sym_look(r->g, r->names->residual[i]);
    double c1 = sum.factor[0], c2 = sum.factor[1];
    return fabs(fabs(c1) - fabs(c2)) <= 8 * DBL_EPSILON * fabs(c1) && (!sign || sign * c1 * c2 > 0);
}

bool removal_is_algebraic(const removal *r, const sym_view *leaf)
{
    return r->names->highest[leaf->id] == 0 && !r->names->system->unknown.item[leaf->id].parameter;
}

static bool is_velocity(const removal *r, const sym_view *leaf)
{
    return leaf->order == 1 && r->names->highest[leaf->id] == 2;
}

/* An alias of what may name an acceleration may do so itself. */
static bool block_aliases(removal *r)
{
    bool more = false;
    for (size_t i = 0; i < r->equations; i++) {
        sym_view a, b;
        if (r->names->residual[i] == SYM_NONE || !removal_two_terms(r, i, &a, &b) || a.order ||
            b.order)
            continue;
        if (!removal_is_algebraic(r, &a) || !removal_is_algebraic(r, &b)) continue;
        if (r->may_accelerate[a.id] == r->may_accelerate[b.id]) continue;
        r->may_accelerate[a.id] = r->may_accelerate[b.id] = more = true;
    }
    return more;
}

/* Which algebraic variables may be names of accelerations. */
static void block(removal *r)
{
    for (size_t v = 0; v < r->unknowns; v++) r->may_accelerate[v] = false;
    for (size_t i = 0; i < r->equations; i++) {
        sym_view a, b;
        if (r->names->residual[i] == SYM_NONE || !removal_two_terms(r, i, &a, &b)) continue;
        if (removal_is_algebraic(r, &a) && b.order > 0 && !is_velocity(r, &b))
            r->may_accelerate[a.id] = true;
        if (removal_is_algebraic(r, &b) && a.order > 0 && !is_velocity(r, &a))
            r->may_accelerate[b.id] = true;
    }
    while (block_aliases(r)) {}
}

void removal_survey(removal *r)
{
    uint32_t *highest = r->names->highest;
    for (size_t v = 0; v < r->unknowns; v++) highest[v] = MECHANICAL_ABSENT;
    for (size_t i = 0; i < r->equations; i++) {
        if (r->names->residual[i] == SYM_NONE) continue;
        look(r, i);
        const contents *h = &r->holds[i];
        for (size_t k = 0; k < h->leaves; k++) {
            uint32_t *top = &highest[h->leaf[k].id];
            if (*top == MECHANICAL_ABSENT || *top < h->leaf[k].order) *top = h->leaf[k].order;
        }
    }
    block(r);
    for (size_t i = 0; i < r->equations; i++) {
        contents *h = &r->holds[i];
        if (r->names->residual[i] == SYM_NONE) continue;
        h->derivatives = h->algebraic = h->blocked = false;
        h->velocities_alone = true;
        for (size_t k = 0; k < h->leaves; k++) {
            const sym_view *leaf = &h->leaf[k];
            if (leaf->order > 0) h->derivatives = true;
            if (leaf->order > 0 && !is_velocity(r, leaf)) h->velocities_alone = false;
            if (removal_is_algebraic(r, leaf)) h->algebraic = true;
            if (r->may_accelerate[leaf->id]) h->blocked = true;
        }
    }
}

bool removal_define(removal *r, size_t i, uint32_t v, sym leaf)
{
    sym residual = r->names->residual[i], rest = sym_number(r->g, 0);
    sym_view sum = sym_look(r->g, residual);
    double factor = 1;
    if (r->needed[v] || r->definition[v] != SYM_NONE) return false;
    if (sum.op == SYM_SUM) {
        double *others = arena_array(r->a, sum.count, sizeof *others);
        for (uint32_t k = 0; k < sum.count; k++)
            if (sum.argument[k] == leaf) factor = sum.factor[k];
        for (uint32_t k = 0; k < sum.count; k++)
            others[k] = sum.argument[k] == leaf ? 0 : -sum.factor[k] / factor;
        rest = sym_sum(r->g, -sum.value / factor, sum.count, sum.argument, others);
    }
    const sym *found;
    size_t leaves = sym_leaves(r->g, rest, &found);
    for (size_t k = 0; k < leaves; k++) {
        uint32_t id = sym_look(r->g, found[k]).id;
        if (id == v || r->definition[id] != SYM_NONE) return false;
    }
    for (size_t k = 0; k < leaves; k++) r->needed[sym_look(r->g, found[k]).id] = true;
    r->definition[v] = rest;
    r->names->given_by[v] = (uint32_t)i;
    r->names->residual[i] = SYM_NONE;
    r->defined++;
    return true;
}

sym removal_single(const removal *r, size_t i, uint32_t k, sym_view *leaf)
{
    sym residual = r->names->residual[i];
    sym_view sum = sym_look(r->g, residual);
    uint32_t count = sum.op == SYM_SUM ? sum.count : 1;
    for (uint32_t at = 0; at < count; at++) {
        sym argument = sum.op == SYM_SUM ? sum.argument[at] : residual;
        *leaf = sym_look(r->g, argument);
        if (leaf->op == SYM_VARIABLE && k-- == 0) return argument;
    }
    return SYM_NONE;
}

void removal_begin_round(removal *r)
{
    r->defined = 0;
    r->kinematic.count = 0;
    for (size_t v = 0; v < r->unknowns; v++) {
        r->definition[v] = SYM_NONE;
        r->needed[v] = false;
        r->by_velocity[v] = r->by_coordinate[v] = 0;
    }
}

static sym replace_leaf(void *context, sym leaf)
{
    const removal *r = context;
    sym_view view = sym_look(r->g, leaf);
    sym value = r->definition[view.id];
    if (value == SYM_NONE) return leaf;
    for (uint32_t k = 0; k < view.order; k++) value = sym_time_derivative(r->g, value);
    return value;
}

bool removal_end_round(removal *r)
{
    mechanical_names *n = r->names;
    if (r->defined == 0) return false;
    r->root.count = 0;
    for (size_t i = 0; i < r->equations; i++)
        if (n->residual[i] != SYM_NONE) list_push(r->a, &r->root, n->residual[i]);
    for (size_t v = 0; v < r->unknowns; v++) list_push(r->a, &r->root, n->value[v]);
    sym_substitute(r->g, r->root.count, r->root.item, replace_leaf, r);
    const sym *next = r->root.item;
    for (size_t i = 0; i < r->equations; i++)
        if (n->residual[i] != SYM_NONE) n->residual[i] = *next++;
    for (size_t v = 0; v < r->unknowns; v++) n->value[v] = *next++;
    removal_survey(r);
    return true;
}
