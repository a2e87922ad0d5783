#include "symbolic/derive.h"

#include "symbolic/graph.h"
#include "symbolic/simplify.h"

#include <stdlib.h>
#include <string.h>

/* The short builders that functions.def uses for its derivatives. */
#define N(number)        sym_number(g, number)
#define ADD(p, q)        sym_add(g, p, q)
#define SUB(p, q)        sym_subtract(g, p, q)
#define MUL(p, q)        sym_multiply(g, p, q)
#define POW(p, exponent) sym_power_number(g, p, exponent)
#define FN(operation, p) sym_function(g, SYM_##operation, p)

/* The derivative of the function node `f` by its argument `a`. */
static sym function_partial(sym_graph *g, sym_op op, sym f, sym a)
{
    (void)f;
    switch (op) {
#define X(operation, name, formula, derivative) \
    case SYM_##operation:                       \
        return derivative;
#include "symbolic/functions.def"
#undef X
    default: return sym_number(g, 0);
    }
}

/* The partial derivative of a product by its i-th factor. */
static sym product_partial(sym_graph *g, const sym_view *view, uint32_t i)
{
    arena *a = g->scratch;
    arena_mark here = arena_here(a);
    sym few[8];
    double few_exponents[8];
    bool fits = view->count <= 8;
    sym *factor = fits ? few : arena_array(a, view->count, sizeof *factor);
    double *exponent = fits ? few_exponents : arena_array(a, view->count, sizeof *exponent);
    memcpy(factor, view->argument, view->count * sizeof *factor);
    memcpy(exponent, view->factor, view->count * sizeof *exponent);
    exponent[i] -= 1;
    sym product = sym_product(g, view->count, factor, exponent);
    arena_back(a, here);
    return sym_scale(g, view->factor[i], product);
}

/* d/da of a^b is b a^(b-1); d/db is log(a) a^b. */
static sym power_partial(sym_graph *g, sym f, const sym_view *view, uint32_t i)
{
    sym a = view->argument[0], b = view->argument[1];
    if (i == 1) return MUL(FN(LOG, a), f);
    return MUL(b, sym_power(g, a, SUB(b, N(1))));
}

/* d/dy atan2(y, x) = x / (x^2 + y^2); d/dx = -y / (x^2 + y^2). */
static sym atan2_partial(sym_graph *g, const sym_view *view, uint32_t i)
{
    sym y = view->argument[0], x = view->argument[1];
    sym square = ADD(POW(x, 2), POW(y, 2));
    return sym_divide(g, i == 0 ? x : sym_negate(g, y), square);
}

/* The partial derivative of the node `f` by its i-th argument; f is not if, min or max. */
static sym partial(sym_graph *g, sym f, const sym_view *view, uint32_t i)
{
    switch (view->op) {
    case SYM_SUM: return N(view->factor[i]);
    case SYM_PRODUCT: return product_partial(g, view, i);
    case SYM_POWER: return power_partial(g, f, view, i);
    case SYM_ATAN2: return atan2_partial(g, view, i);
    case SYM_INPUT: return sym_input(g, view->id, view->order + 1, view->argument[0]);
    default:
        return sym_is_function(view->op) ? function_partial(g, view->op, f, view->argument[0])
                                         : N(0);
    }
}

/* if, min and max select one of two arguments: `condition ? yes : no`. Their derivative is that of
 * the selected argument. The choice stands outermost, so that the other derivative may be
 * infinite. */
typedef struct branches {
    sym condition, yes, no;
} branches;

static bool branching(sym_graph *g, const sym_view *view, branches *b)
{
    const sym *a = view->argument;
    switch (view->op) {
    case SYM_IF: *b = (branches){a[0], a[1], a[2]}; return true;
    case SYM_MIN: *b = (branches){sym_binary(g, SYM_LESS, a[1], a[0]), a[1], a[0]}; return true;
    case SYM_MAX: *b = (branches){sym_binary(g, SYM_LESS, a[0], a[1]), a[1], a[0]}; return true;
    default: return false;
    }
}

/* The derivatives by time of abs, min and max jump where these bend. If the author's equations are
 * watched there, the mode of that relation chooses, so that no derivative jumps within a step.
 * Finds the branches; false: nothing is watched there. */
static bool held_branches(sym_graph *g, const sym_view *view, branches *b)
{
    const sym *a = view->argument;
    bool size = view->op == SYM_ABS;
    if (!size && view->op != SYM_MIN && view->op != SYM_MAX) return false;
    sym less = sym_relation(g, SYM_LESS, a[0], size ? N(0) : a[1]);
    if (g->node.item[less].slot == 0) return false;
    sym first = g->node.item[a[0]].derivative;
    sym other = size ? MUL(N(-1), first) : g->node.item[a[1]].derivative;
    bool smaller = view->op == SYM_MIN;
    *b = (branches){less, smaller ? first : other, smaller ? other : first};
    return true;
}

/* Sum over the arguments: partial derivative times the argument's derivative. */
static sym chain_rule(sym_graph *g, sym f)
{
    sym_view view = sym_look(g, f);
    branches b;
    if (held_branches(g, &view, &b)) return sym_if(g, b.condition, b.yes, b.no);
    if (branching(g, &view, &b))
        return sym_if(g, b.condition, g->node.item[b.yes].derivative,
                      g->node.item[b.no].derivative);
    arena *a = g->scratch;
    arena_mark here = arena_here(a);
    sym few[8];
    sym *term = view.count <= 8 ? few : arena_array(a, view.count, sizeof *term);
    size_t terms = 0;
    for (uint32_t i = 0; i < view.count; i++) {
        sym inner = g->node.item[view.argument[i]].derivative;
        if (!sym_is(g, inner, 0)) term[terms++] = MUL(partial(g, f, &view, i), inner);
    }
    sym sum = sym_sum(g, 0, terms, term, NULL);
    arena_back(a, here);
    return sum;
}

static sym leaf_derivative(sym_graph *g, sym leaf)
{
    sym_view view = sym_look(g, leaf);
    if (view.op == SYM_TIME) return N(1);
    if (view.op == SYM_VARIABLE) return sym_variable(g, view.id, view.order + 1);
    return N(0);
}

sym sym_time_derivative(sym_graph *g, sym f)
{
    if (g->node.item[f].derivative != SYM_NONE) return g->node.item[f].derivative;
    const sym *reached;
    size_t count = sym_reach(g, 1, &f, &reached);
    for (size_t i = 0; i < count; i++) {
        sym n = reached[i];
        if (g->node.item[n].derivative != SYM_NONE) continue;
        sym_view view = sym_look(g, n);
        sym derivative = view.count ? chain_rule(g, n) : leaf_derivative(g, n);
        g->node.item[n].derivative = derivative;
    }
    return g->node.item[f].derivative;
}

#define NO_MORE SIZE_MAX

static size_t position(const sym_sweep *s, sym n)
{
    return sym_place(s->node.count, s->node.item, n);
}

enum { WORD = 64 };

static void wait_for(sym_sweep *s, size_t at)
{
    s->waiting.item[at / WORD] |= UINT64_C(1) << at % WORD;
    s->group.item[at / WORD / WORD] |= UINT64_C(1) << at / WORD % WORD;
}

static size_t highest_bit(uint64_t word)
{
    return (size_t)(WORD - 1 - __builtin_clzll(word));
}

/* The last node with contributions, in this group of words or before it; NO_MORE: none is left. An
 * expression with many branches is swept as many times, each time from one branch to its leaves,
 * between which most nodes lie. */
static size_t take_last(sym_sweep *s, size_t *group)
{
    while (s->group.item[*group] == 0) {
        if (*group == 0) return NO_MORE;
        --*group;
    }
    size_t word = *group * WORD + highest_bit(s->group.item[*group]);
    size_t bit = highest_bit(s->waiting.item[word]);
    s->waiting.item[word] &= ~(UINT64_C(1) << bit);
    if (s->waiting.item[word] == 0) s->group.item[*group] &= ~(UINT64_C(1) << word % WORD);
    return word * WORD + bit;
}

static void contribute(sym_graph *g, sym target, sym term)
{
    sym_sweep *s = &g->sweep;
    if (sym_is(g, term, 0) || sym_look(g, target).op == SYM_CONSTANT) return;
    size_t at = position(s, target);
    list_push(g->home, &s->pool, ((sym_contribution){term, s->first.item[at]}));
    s->first.item[at] = s->pool.count - 1;
    wait_for(s, at);
}

/* The sum of a node's contributions, which are removed. */
static sym adjoint(sym_graph *g, size_t at)
{
    sym_sweep *s = &g->sweep;
    s->term.count = 0;
    for (size_t c = s->first.item[at]; c != NO_MORE; c = s->pool.item[c].next)
        list_push(g->home, &s->term, s->pool.item[c].term);
    s->first.item[at] = NO_MORE;
    return sym_sum(g, 0, s->term.count, s->term.item, NULL);
}

static void pass_down(sym_graph *g, size_t at, sym bar)
{
    sym node = g->sweep.node.item[at];
    sym_view view = sym_look(g, node);
    const sym_partials *known = &g->sweep.branched.item[at];
    for (size_t i = 0; i < known->count; i++)
        contribute(g, known->item[i].leaf, sym_multiply(g, known->item[i].value, bar));
    branches b;
    if (branching(g, &view, &b)) return;
    for (uint32_t i = 0; i < view.count; i++) {
        if (sym_look(g, view.argument[i]).op == SYM_CONSTANT) continue;
        sym by_argument = partial(g, node, &view, i);
        contribute(g, view.argument[i], sym_multiply(g, by_argument, bar));
    }
}

/* The backward sweep from the node `f`. Nodes that branch are crossed by their known gradients. */
static void sweep_back(sym_graph *g, sym f, sym_partials *list)
{
    sym_sweep *s = &g->sweep;
    list->count = 0;
    s->pool.count = 0;
    contribute(g, f, sym_number(g, 1));
    size_t group = s->group.count - 1;
    for (size_t i; (i = take_last(s, &group)) != NO_MORE;) {
        sym bar = adjoint(g, i);
        sym_op op = sym_look(g, s->node.item[i]).op;
        if (op != SYM_VARIABLE && op != SYM_TIME)
            pass_down(g, i, bar);
        else if (!sym_is(g, bar, 0))
            list_push(g->home, list, ((sym_partial){.leaf = s->node.item[i], .value = bar}));
    }
    for (size_t i = 0; i < list->count / 2; i++) { /* the sweep found them descending */
        sym_partial other = list->item[list->count - 1 - i];
        list->item[list->count - 1 - i] = list->item[i];
        list->item[i] = other;
    }
}

/* Gradient of `condition ? yes : no` from those of its branches, leaf by leaf. */
static sym_partials merge(sym_graph *g, sym condition, const sym_partials *yes,
                          const sym_partials *no)
{
    sym_partials both = {0};
    sym zero = sym_number(g, 0);
    for (size_t i = 0, k = 0; i < yes->count || k < no->count;) {
        sym a = i < yes->count ? yes->item[i].leaf : SYM_NONE;
        sym b = k < no->count ? no->item[k].leaf : SYM_NONE;
        sym leaf = a < b ? a : b;
        sym value = sym_if(g, condition, a == leaf ? yes->item[i].value : zero,
                           b == leaf ? no->item[k].value : zero);
        list_push(g->home, &both, ((sym_partial){leaf, value}));
        i += a == leaf;
        k += b == leaf;
    }
    return both;
}

static void begin_sweep(sym_graph *g, sym f)
{
    sym_sweep *s = &g->sweep;
    const sym *reached;
    size_t count = sym_reach(g, 1, &f, &reached);
    s->node.count = s->first.count = s->branched.count = 0;
    s->waiting.count = s->group.count = 0;
    for (size_t i = 0; i <= count / WORD; i++) list_push(g->home, &s->waiting, 0);
    for (size_t i = 0; i <= count / WORD / WORD; i++) list_push(g->home, &s->group, 0);
    for (size_t i = 0; i < count; i++) {
        list_push(g->home, &s->node, reached[i]);
        list_push(g->home, &s->first, NO_MORE);
        list_push(g->home, &s->branched, (sym_partials){0});
    }
}

static void find_gradient(sym_graph *g, sym f, sym_partials *list)
{
    begin_sweep(g, f);
    const sym_sweep *s = &g->sweep;
    for (size_t i = 0; i < s->node.count; i++) { /* ascending order handles inner branches first */
        sym_view view = sym_look(g, s->node.item[i]);
        branches b;
        if (!branching(g, &view, &b)) continue;
        sym_partials yes = {0}, no = {0};
        sweep_back(g, b.yes, &yes);
        sweep_back(g, b.no, &no);
        s->branched.item[i] = merge(g, b.condition, &yes, &no);
    }
    sweep_back(g, f, list);
}

/* Each form of the equations asks for the derivatives of the same ones again. */
void sym_gradient(sym_graph *g, sym f, sym_partials *list)
{
    sym_partials *known = &g->gradients;
    if (g->node.item[f].gradient > 0) {
        const sym_partial *first = &known->item[g->node.item[f].gradient - 1];
        size_t count = first->leaf;
        list->count = 0;
        for (size_t i = 1; i <= count; i++) list_push(g->home, list, first[i]);
        return;
    }
    find_gradient(g, f, list);
    list_push(g->home, known, ((sym_partial){.leaf = (sym)list->count}));
    g->node.item[f].gradient = (uint32_t)known->count;
    for (size_t i = 0; i < list->count; i++) list_push(g->home, known, list->item[i]);
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
    sym_view view = sym_look(r->g, old);
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
    return sym_look(s->g, old).op == SYM_VARIABLE ? s->replace(s->context, old) : rebuilt;
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
    sym_view view = sym_look(g, leaf);
    *slope = SYM_NONE;
    *rest = f;
    if (!sym_is_affine(g, 1, &f, is_leaf, &view)) return false;
    sym_gradient(g, f, &partials);
    for (size_t k = 0; k < partials.count; k++)
        if (partials.item[k].leaf == leaf) *slope = partials.item[k].value;
    sym_substitute_leaf(g, 1, rest, leaf, N(0));
    return *slope != SYM_NONE;
}

typedef struct definitions {
    sym_graph *g;
    const sym *definition;
} definitions;

static sym replace_defined(void *context, sym leaf)
{
    const definitions *d = context;
    sym_view view = sym_look(d->g, leaf);
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
    sym_op op = sym_look(g, old).op;
    bool dies_out = op == SYM_EXP || op == SYM_TANH || op == SYM_SINH || op == SYM_COSH;
    if (!dies_out || sym_look(g, rebuilt).op != op) return rebuilt;
    sym u = sym_look(g, rebuilt).argument[0];
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
        if (sym_look(g, roots[k]).count > 0) named[place_of(&r, roots[k])] = 1 + k;
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
    sym_view view = sym_look(g, node);
    *leaf = (sym_leaf){node, view.id, view.order};
    return view.op == SYM_VARIABLE;
}

size_t sym_leaves(sym_graph *g, sym f, const sym_leaf **leaves)
{
    const sym *reached;
    sym_leaf leaf;
    size_t count = sym_reach(g, 1, &f, &reached), found = 0;
    for (size_t i = 0; i < count; i++) found += g->node.item[reached[i]].op == SYM_VARIABLE;
    sym_leaf *list = arena_array(g->home, found, sizeof *list);
    found = 0;
    for (size_t i = 0; i < count; i++)
        if (sym_as_leaf(g, reached[i], &leaf)) list[found++] = leaf;
    *leaves = list;
    return found;
}

uint32_t sym_highest_order(sym_graph *g, sym f)
{
    const sym *reached;
    sym_leaf leaf;
    uint32_t highest = 0;
    size_t count = sym_reach(g, 1, &f, &reached);
    for (size_t i = 0; i < count; i++)
        if (sym_as_leaf(g, reached[i], &leaf) && leaf.order > highest) highest = leaf.order;
    return highest;
}
