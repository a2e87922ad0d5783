/* Relations at the joint of a law that is flat on one side, where states determine the variable.
 *
 * The parameter s of h1 - h2 = if s > 0 then s^2 else s leaves 0 as the root of time: with no rate,
 * or an infinite one, and rounding of the states moves it by its root. The law is monotone, so that
 * s > 0 just where h1 - h2 > 0: what the law leaves at s = 0. This passes 0 at a rate, and is
 * compared instead. Where the law shares s with other equations, as that of a pipe behind the
 * valve, s itself passes 0 at a rate, and h1 - h2 does not. */
#include "symbolic/derive.h"
#include "symbolic/flat_joints.h"
#include "symbolic/graph.h"
#include "symbolic/relations.h"
#include "symbolic/simplify.h"

/* Sweeps over the equations to find what states determine. */
enum { MOST_SWEEPS = 40 };

typedef struct told {
    flat_laws *l;
    bool *known; /* of each unknown: states and time determine it, equation by equation */
    bool *law;   /* of each equation: it is such a law */
} told;

/* The number of unknowns of f that are not known, and the last of them. None is, if derivatives
 * occur. */
static size_t count_open(const told *k, sym f, uint32_t *last)
{
    const sym_leaf *leaf;
    size_t open = 0, leaves = sym_leaves(k->l->g, f, &leaf);
    for (size_t i = 0; i < leaves; i++) {
        if (leaf[i].order > 0) return SIZE_MAX;
        if (k->known[leaf[i].id]) continue;
        open++;
        *last = leaf[i].id;
    }
    return open;
}

static bool sweep(told *k, bool forward)
{
    const sym_equations *e = &k->l->system->equation;
    bool any = false;
    for (size_t i = 0; i < e->count; i++) {
        size_t at = forward ? i : e->count - 1 - i;
        uint32_t last = 0;
        if (k->law[at]) continue;
        if (count_open(k, flat_residual(k->l, &e->item[at]), &last) != 1) continue;
        k->known[last] = any = true;
    }
    return any;
}

/* Keeps what each law leaves at its joint, if states determine that, with the sign of
 * the side: it rises as the variable does. */
static void find_rests(told *k)
{
    flat_laws *l = k->l;
    for (size_t i = 0; i < l->system->unknown.count; i++) {
        const flat_half *h = &l->half[i];
        uint32_t last;
        if (h->at == SYM_NONE || h->rises == 0) continue;
        sym f = flat_residual(l, &l->system->equation.item[h->equation]);
        sym_substitute_leaf(l->g, 1, &f, h->leaf, h->at);
        if (count_open(k, f, &last) == 0) l->half[i].rest = h->rises > 0 ? sym_negate(l->g, f) : f;
    }
}

/* A sym_image. */
static sym compare_rest(void *context, sym old, sym rebuilt)
{
    flat_laws *l = context;
    sym a, b;
    flat_joint j;
    bool rises;
    sym_op op = sym_look(l->g, old).op;
    if (!sym_is_relation(l->g, old) || (op != SYM_LESS && op != SYM_LESS_EQUAL)) return rebuilt;
    if (!flat_find_compared(l, old, &a, &b) || !flat_find_joint(l, a, b, &j, &rises))
        return rebuilt;
    const flat_half *h = &l->half[j.id];
    if (h->at != j.at || h->rest == SYM_NONE) return rebuilt;
    sym none = sym_number(l->g, 0);
    return rises ? sym_relation(l->g, op, h->rest, none) : sym_relation(l->g, op, none, h->rest);
}

static void visit(void *context, sym *root)
{
    flat_laws *l = context;
    if (*root != SYM_NONE) sym_transform(l->g, 1, root, compare_rest, l);
}

void flat_compare_states(flat_laws *l)
{
    sym_system *s = l->system;
    told k = {.l = l};
    k.known = arena_array(l->a, s->unknown.count, sizeof *k.known);
    k.law = arena_array(l->a, s->equation.count, sizeof *k.law);
    for (size_t i = 0; i < s->unknown.count; i++) {
        k.known[i] = l->moves[i];
        if (l->half[i].at != SYM_NONE) k.law[l->half[i].equation] = true;
    }
    for (int i = 0; i < MOST_SWEEPS && (sweep(&k, true) || sweep(&k, false)); i++) continue;
    find_rests(&k);
    for (size_t i = 0; i < s->equation.count; i++) {
        visit(l, &s->equation.item[i].lhs);
        visit(l, &s->equation.item[i].rhs);
    }
    sym_discrete_visit(&s->discrete, visit, l);
}
