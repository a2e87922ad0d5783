/* Partial derivatives by leaves, in backward sweeps: derive.h. */
#include "symbolic/graph.h"
#include "symbolic/partial.h"
#include "symbolic/simplify.h"

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
    if (sym_is(g, term, 0) || sym_view_of(g, target).op == SYM_CONSTANT) return;
    size_t at = position(s, target);
    list_push(g->home, &s->pool, ((sym_contribution){term, s->first.item[at]}));
    s->first.item[at] = s->pool.count - 1;
    wait_for(s, at);
}

/* The sum of a node's contributions, which are removed. */
static sym adjoint(sym_graph *g, size_t at)
{
    sym_sweep *s = &g->sweep;
    const sym_contribution only = s->pool.item[s->first.item[at]];
    if (only.next == NO_MORE) s->first.item[at] = NO_MORE;
    if (only.next == NO_MORE) return only.term;
    s->term.count = 0;
    for (size_t c = s->first.item[at]; c != NO_MORE; c = s->pool.item[c].next)
        list_push(g->home, &s->term, s->pool.item[c].term);
    s->first.item[at] = NO_MORE;
    return sym_sum(g, 0, s->term.count, s->term.item, NULL);
}

/* The stored gradient of a node; NULL: nobody has asked. The number of partial derivatives stands
 * in the place of the first one's leaf. */
static const sym_partial *stored(const sym_graph *g, sym node)
{
    uint32_t at = node < g->gradient.count ? g->gradient.item[node] : 0;
    return at > 0 ? &g->gradients.item[at - 1] : NULL;
}

static void store(sym_graph *g, sym node, const sym_partials *list)
{
    while (g->gradient.count <= node) list_push(g->known, &g->gradient, 0);
    list_push(g->known, &g->gradients, ((sym_partial){.leaf = (sym)list->count}));
    g->gradient.item[node] = (uint32_t)g->gradients.count;
    for (size_t i = 0; i < list->count; i++) list_push(g->known, &g->gradients, list->item[i]);
}

/* Nodes that branch are crossed by their gradients, which are stored. */
static void pass_down(sym_graph *g, size_t at, sym bar)
{
    sym node = g->sweep.node.item[at];
    sym_view view = sym_view_of(g, node);
    sym_branches b;
    if (sym_branching(g, &view, &b)) {
        const sym_partial *known = stored(g, node);
        for (size_t i = 1; i <= known->leaf; i++)
            contribute(g, known[i].leaf, sym_multiply(g, known[i].value, bar));
        return;
    }
    for (uint32_t i = 0; i < view.count; i++) {
        if (sym_view_of(g, view.argument[i]).op == SYM_CONSTANT) continue;
        sym by_argument = sym_partial_rule(g, node, &view, i);
        contribute(g, view.argument[i], sym_multiply(g, by_argument, bar));
    }
}

/* The backward sweep from the node `f`. */
static void sweep_back(sym_graph *g, sym f, sym_partials *list)
{
    sym_sweep *s = &g->sweep;
    list->count = 0;
    s->pool.count = 0;
    contribute(g, f, sym_number(g, 1));
    size_t group = s->group.count - 1;
    for (size_t i; (i = take_last(s, &group)) != NO_MORE;) {
        sym bar = adjoint(g, i);
        sym_op op = sym_view_of(g, s->node.item[i]).op;
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
static void merge(sym_graph *g, sym condition)
{
    const sym_partials *yes = &g->sweep.yes, *no = &g->sweep.no;
    sym_partials *both = &g->sweep.both;
    sym zero = sym_number(g, 0);
    both->count = 0;
    for (size_t i = 0, k = 0; i < yes->count || k < no->count;) {
        sym a = i < yes->count ? yes->item[i].leaf : SYM_NONE;
        sym b = k < no->count ? no->item[k].leaf : SYM_NONE;
        sym leaf = a < b ? a : b;
        sym value = sym_if(g, condition, a == leaf ? yes->item[i].value : zero,
                           b == leaf ? no->item[k].value : zero);
        if (!sym_is(g, value, 0)) list_push(g->home, both, ((sym_partial){leaf, value}));
        i += a == leaf;
        k += b == leaf;
    }
}

static void begin_sweep(sym_graph *g, sym f)
{
    sym_sweep *s = &g->sweep;
    const sym *reached;
    size_t count = sym_reach(g, 1, &f, &reached);
    s->node.count = s->first.count = 0;
    s->waiting.count = s->group.count = 0;
    for (size_t i = 0; i <= count / WORD; i++) list_push(g->home, &s->waiting, 0);
    for (size_t i = 0; i <= count / WORD / WORD; i++) list_push(g->home, &s->group, 0);
    for (size_t i = 0; i < count; i++) {
        list_push(g->home, &s->node, reached[i]);
        list_push(g->home, &s->first, NO_MORE);
    }
}

static void find_gradient(sym_graph *g, sym f)
{
    begin_sweep(g, f);
    sym_sweep *s = &g->sweep;
    for (size_t i = 0; i < s->node.count; i++) { /* ascending order handles inner branches first */
        sym node = s->node.item[i];
        sym_view view = sym_view_of(g, node);
        sym_branches b;
        if (!sym_branching(g, &view, &b) || stored(g, node)) continue;
        sweep_back(g, b.yes, &s->yes);
        sweep_back(g, b.no, &s->no);
        merge(g, b.condition);
        store(g, node, &s->both);
    }
    if (stored(g, f)) return;
    sweep_back(g, f, &s->both);
    store(g, f, &s->both);
}

/* Each form of the equations asks for the derivatives of the same ones again. */
void sym_gradient(sym_graph *g, sym f, sym_partials *list)
{
    if (!stored(g, f)) find_gradient(g, f);
    const sym_partial *first = stored(g, f);
    size_t count = first->leaf;
    list->count = 0;
    for (size_t i = 1; i <= count; i++) list_push(g->home, list, first[i]);
}
