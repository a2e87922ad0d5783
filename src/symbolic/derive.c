#include "symbolic/derive.h"

#include "symbolic/graph.h"
#include "symbolic/partial.h"
#include "symbolic/simplify.h"

#include <stdlib.h>
#include <string.h>

/* SYM_NONE: nobody has asked. */
static sym known_derivative(const sym_graph *g, sym node)
{
    return node < g->derivative.count ? g->derivative.item[node] : SYM_NONE;
}

static void keep_derivative(sym_graph *g, sym node, sym derivative)
{
    while (g->derivative.count <= node) list_push(g->home, &g->derivative, SYM_NONE);
    g->derivative.item[node] = derivative;
}

/* The derivatives by time of abs, min and max jump where these bend. If the author's equations are
 * watched there, the mode of that relation chooses, so that no derivative jumps within a step.
 * Finds the branches; false: nothing is watched there. */
static bool held_branches(sym_graph *g, const sym_view *view, sym_branches *b)
{
    const sym *a = view->argument;
    bool size = view->op == SYM_ABS;
    if (!size && view->op != SYM_MIN && view->op != SYM_MAX) return false;
    sym less = sym_relation(g, SYM_LESS, a[0], size ? sym_number(g, 0) : a[1]);
    if (sym_mode_slot(g, less) == 0) return false;
    sym first = known_derivative(g, a[0]);
    sym other = size ? sym_multiply(g, sym_number(g, -1), first) : known_derivative(g, a[1]);
    bool smaller = view->op == SYM_MIN;
    *b = (sym_branches){less, smaller ? first : other, smaller ? other : first};
    return true;
}

/* Sum over the arguments: partial derivative times the argument's derivative. */
static sym chain_rule(sym_graph *g, sym f)
{
    sym_view view = sym_view_of(g, f);
    sym_branches b;
    if (held_branches(g, &view, &b)) return sym_if(g, b.condition, b.yes, b.no);
    if (sym_branching(g, &view, &b))
        return sym_if(g, b.condition, known_derivative(g, b.yes), known_derivative(g, b.no));
    arena *a = g->scratch;
    arena_mark here = arena_here(a);
    sym few[8];
    sym *term = view.count <= 8 ? few : arena_array(a, view.count, sizeof *term);
    if (view.op == SYM_CALL) {
        for (uint32_t i = 0; i < view.count; i++) term[i] = known_derivative(g, view.argument[i]);
        sym rate = sym_call_by_time(g, &view, term);
        arena_back(a, here);
        return rate;
    }
    size_t terms = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        sym inner = known_derivative(g, view.argument[i]);
        if (!sym_is(g, inner, 0))
            term[terms++] = sym_multiply(g, sym_partial_rule(g, f, &view, i), inner);
    }
    sym sum = sym_sum(g, 0, terms, term, NULL);
    arena_back(a, here);
    return sum;
}

static sym leaf_derivative(sym_graph *g, sym leaf)
{
    sym_view view = sym_view_of(g, leaf);
    if (view.op == SYM_TIME) return sym_number(g, 1);
    if (view.op == SYM_VARIABLE) return sym_variable(g, view.id, view.order + 1);
    return sym_number(g, 0);
}

sym sym_time_derivative(sym_graph *g, sym f)
{
    if (known_derivative(g, f) != SYM_NONE) return known_derivative(g, f);
    const sym *reached;
    bool calls = g->callees.of.count > 0; /* their rates are substituted, which reaches, too */
    size_t count = calls ? sym_keep_reached(g, 1, &f, &reached) : sym_reach(g, 1, &f, &reached);
    for (size_t i = 0; i < count; i++) {
        sym n = reached[i];
        if (known_derivative(g, n) != SYM_NONE) continue;
        sym_view view = sym_view_of(g, n);
        sym derivative = view.count ? chain_rule(g, n) : leaf_derivative(g, n);
        keep_derivative(g, n, derivative);
    }
    return known_derivative(g, f);
}

/* Nodes that are rebuilt in ascending order, so that arguments come first. In scratch memory. */
typedef struct rebuild {
    sym_graph *g;
    arena_mark here;
    sym *node; /* ascending */
    size_t count;
    sym *image;
    sym *argument; /* of one node */
} rebuild;

static size_t place_of(const rebuild *r, sym n)
{
    return sym_place(r->count, r->node, n);
}

static rebuild rebuild_below(sym_graph *g, size_t count, const sym *roots)
{
    rebuild r = {.g = g, .here = arena_here(g->scratch)};
    const sym *reached;
    size_t most = 0;
    r.count = sym_reach(g, count, roots, &reached);
    r.node = arena_duplicate(g->scratch, reached, r.count, sizeof *r.node);
    for (size_t i = 0; i < r.count; i++)
        if (g->node.item[r.node[i]].count > most) most = g->node.item[r.node[i]].count;
    r.image = arena_array(g->scratch, r.count + most, sizeof *r.image);
    r.argument = r.image + r.count;
    return r;
}

/* Rebuild the i-th node over the images of its arguments. */
static sym rebuilt(rebuild *r, size_t i)
{
    sym old = r->node[i];
    sym_view view = sym_view_of(r->g, old);
    bool same = true;
    for (uint32_t k = 0; k < view.count; k++) {
        r->argument[k] = r->image[place_of(r, view.argument[k])];
        same = same && r->argument[k] == view.argument[k];
    }
    return same ? old : sym_rebuild(r->g, old, r->argument);
}

void sym_transform(sym_graph *g, size_t count, sym *roots, sym_image image, void *context)
{
    rebuild r = rebuild_below(g, count, roots);
    for (size_t i = 0; i < r.count; i++) r.image[i] = image(context, r.node[i], rebuilt(&r, i));
    for (size_t i = 0; i < count; i++) roots[i] = r.image[place_of(&r, roots[i])];
    arena_back(g->scratch, r.here);
}

typedef struct substitution {
    sym_graph *g;
    sym_replacement replace;
    void *context;
} substitution;

static sym replace_variable(void *context, sym old, sym rebuilt)
{
    const substitution *s = context;
    return sym_view_of(s->g, old).op == SYM_VARIABLE ? s->replace(s->context, old) : rebuilt;
}

void sym_substitute(sym_graph *g, size_t count, sym *roots, sym_replacement replace, void *context)
{
    sym_transform(g, count, roots, replace_variable, &(substitution){g, replace, context});
}

static sym replace_one(void *context, sym leaf)
{
    const sym *replaced = context;
    return leaf == replaced[0] ? replaced[1] : leaf;
}

void sym_substitute_leaf(sym_graph *g, size_t count, sym *roots, sym leaf, sym by)
{
    sym_substitute(g, count, roots, replace_one, (sym[]){leaf, by});
}

static bool is_leaf(void *context, const sym_view *view)
{
    const sym_view *leaf = context;
    return view->op == leaf->op && view->id == leaf->id && view->order == leaf->order;
}

bool sym_split_linear(sym_graph *g, sym f, sym leaf, sym *slope, sym *rest)
{
    sym_partials partials = {0};
    sym_view view = sym_view_of(g, leaf);
    *slope = SYM_NONE;
    *rest = f;
    if (!sym_is_affine(g, 1, &f, is_leaf, &view)) return false;
    sym_gradient(g, f, &partials);
    for (size_t k = 0; k < partials.count; k++)
        if (partials.item[k].leaf == leaf) *slope = partials.item[k].value;
    sym_substitute_leaf(g, 1, rest, leaf, sym_number(g, 0));
    return *slope != SYM_NONE;
}

typedef struct definitions {
    sym_graph *g;
    const sym *definition;
} definitions;

static sym replace_defined(void *context, sym leaf)
{
    const definitions *d = context;
    sym_view view = sym_view_of(d->g, leaf);
    sym value = d->definition[view.id];
    if (value == SYM_NONE) return leaf;
    for (uint32_t k = 0; k < view.order; k++) value = sym_time_derivative(d->g, value);
    return value;
}

void sym_substitute_definitions(sym_graph *g, size_t count, sym *roots, const sym *definition)
{
    sym_substitute(g, count, roots, replace_defined, &(definitions){g, definition});
}

/* For arguments up to this size, exp(-x) and 1 - tanh(x) are well above rounding. */
static const double MODERATE = 8;

/* u where it is moderate, else sin(u), in functions that die out. Both are odd, so exp(u) exp(-u)
 * stays 1. */
static sym moderate(void *graph, sym old, sym rebuilt)
{
    sym_graph *g = graph;
    sym_op op = sym_view_of(g, old).op;
    bool dies_out = op == SYM_EXP || op == SYM_TANH || op == SYM_SINH || op == SYM_COSH;
    if (!dies_out || sym_view_of(g, rebuilt).op != op) return rebuilt;
    sym u = sym_view_of(g, rebuilt).argument[0];
    sym large = sym_binary(g, SYM_LESS, sym_number(g, MODERATE), sym_function(g, SYM_ABS, u));
    return sym_function(g, op, sym_if(g, large, sym_function(g, SYM_SIN, u), u));
}

void sym_enliven(sym_graph *g, size_t count, sym *roots)
{
    sym_transform(g, count, roots, moderate, g);
}

void sym_abbreviate(sym_graph *g, size_t count, sym *roots, const sym *name)
{
    rebuild r = rebuild_below(g, count, roots);
    size_t *named = arena_array(g->scratch, r.count, sizeof *named); /* 1 + its root; 0: none */
    for (size_t k = count; k-- > 0;)
        if (sym_view_of(g, roots[k]).count > 0) named[place_of(&r, roots[k])] = 1 + k;
    sym *short_one = arena_array(g->scratch, count, sizeof *short_one);
    for (size_t i = 0; i < r.count; i++) {
        r.image[i] = rebuilt(&r, i);
        if (named[i] == 0) continue;
        short_one[named[i] - 1] = r.image[i];
        r.image[i] = name[named[i] - 1];
    }
    for (size_t k = 0; k < count; k++) {
        size_t first = named[place_of(&r, roots[k])];
        if (first) roots[k] = first - 1 == k ? short_one[k] : name[first - 1];
    }
    arena_back(g->scratch, r.here);
}

bool sym_as_leaf(const sym_graph *g, sym node, sym_leaf *leaf)
{
    sym_view view = sym_view_of(g, node);
    *leaf = (sym_leaf){node, view.id, view.order};
    return view.op == SYM_VARIABLE;
}

static sym_known_leaves find_leaves(sym_graph *g, sym f)
{
    const sym *reached;
    sym_leaf leaf;
    sym_known_leaves found = {.node = f};
    size_t count = sym_reach(g, 1, &f, &reached);
    for (size_t i = 0; i < count; i++) found.count += g->node.item[reached[i]].op == SYM_VARIABLE;
    sym_leaf *list = arena_array(g->known, found.count, sizeof *list);
    found.leaf = list;
    for (size_t i = 0; i < count; i++)
        if (sym_as_leaf(g, reached[i], &leaf)) *list++ = leaf;
    return found;
}

/* Each analysis asks for those of the same equations. */
size_t sym_leaves(sym_graph *g, sym f, const sym_leaf **leaves)
{
    uint32_t k;
    uint64_t hash = hash_mix(0, f);
    size_t at = hash_start(&g->leaves_table, hash);
    while ((k = hash_next(&g->leaves_table, hash, &at)) != HASH_NONE) {
        *leaves = g->leaves.item[k].leaf;
        if (g->leaves.item[k].node == f) return g->leaves.item[k].count;
    }
    sym_known_leaves found = find_leaves(g, f);
    list_push(g->known, &g->leaves, found); /* first: memory may end before it is in the table */
    hash_add(g->known, &g->leaves_table, hash, (uint32_t)g->leaves.count - 1);
    *leaves = found.leaf;
    return found.count;
}

void sym_forget(sym_graph *g)
{
    memset(&g->leaves, 0, sizeof g->leaves);
    memset(&g->difference, 0, sizeof g->difference);
    memset(&g->leaves_table, 0, sizeof g->leaves_table);
    memset(&g->gradients, 0, sizeof g->gradients);
    memset(&g->gradient, 0, sizeof g->gradient);
    g->met = NULL;
    g->marks = 0;
    memset(&g->table, 0, sizeof g->table);
    list_return(g->home, &g->reached);
    arena_back(g->known, (arena_mark){0});
}

uint32_t sym_highest_order(sym_graph *g, sym f)
{
    const sym_leaf *leaf;
    uint32_t highest = 0;
    size_t leaves = sym_leaves(g, f, &leaf);
    for (size_t k = 0; k < leaves; k++)
        if (leaf[k].order > highest) highest = leaf[k].order;
    return highest;
}
