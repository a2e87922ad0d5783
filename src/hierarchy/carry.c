/* What flows through connectors. A component may say of its connectors which fluid they are for, by
 * annotation(__daedal(fluid(inlet = e, outlet = inlet))): e is a number made of parameters that
 * tells fluids apart, and a connector instead of it says that the same fluid flows there.
 * Connectors that say nothing are for any fluid. So connectors that are joined have one number, as
 * have parameters of connectors by the language (Modelica 3.6, Sec. 9.2), which knows none for
 * "any". */
#include "hierarchy/tree.h"

#include <string.h>

/* By how much numbers of one fluid may differ that are calculated in two ways. */
static const double ROUNDING = 1e-9;

/* A connector whose fluid is known. */
typedef struct known_fluid {
    const hier_instance *connector;
    uint32_t node;
    hier_env env;
    model_expression *number;
} known_fluid;

typedef struct carrying {
    hier *h;
    LIST(known_fluid) known;
    uint32_t *joined; /* of each node: another one with the same fluid, or itself; NULL: no part of
                         a component hands a fluid on */
} carrying;

/* The first potential of a connector, which stands for it in connection sets; 0: nothing is
 * connected there. */
static uint32_t node_of(const hier_instance *connector)
{
    for (size_t k = 0; k < connector->child.count; k++) {
        const hier_instance *leaf = connector->child.item[k];
        if (leaf->kind == HIER_LEAF && !leaf->flow && leaf->node) return leaf->node;
    }
    return 0;
}

static uint32_t root_of(const carrying *c, uint32_t node)
{
    uint32_t k = hier_connected(c->h, node);
    while (c->joined && c->joined[k] != k) k = c->joined[k];
    return k;
}

static void join(carrying *c, const hier_instance *a, const hier_instance *b)
{
    uint32_t x = node_of(a), y = node_of(b), nodes = hier_node_count(c->h);
    if (x == 0 || y == 0) return;
    if (!c->joined) {
        c->joined = arena_array(c->h->a, nodes, sizeof *c->joined);
        for (uint32_t k = 0; k < nodes; k++) c->joined[k] = k;
    }
    x = root_of(c, x), y = root_of(c, y);
    c->joined[x > y ? x : y] = x > y ? y : x;
}

/* The connector that an expression names; NULL: it is none. */
static const hier_instance *named_connector(hier *h, const hier_env *env, const model_expression *e)
{
    if (e->kind != EXPRESSION_REFERENCE || !env->instance) return NULL;
    const model_part *first = &e->reference->path.first;
    const hier_instance *i = hier_child(h, env->instance, first->name);
    bool is = i && i->connector && i->kind == HIER_OBJECT && !first->next && first->count == 0;
    return is ? i : NULL;
}

static void note_fluid(carrying *c, const hier_env *env, const hier_instance *i,
                       model_expression *number)
{
    const hier_instance *same = named_connector(c->h, env, number);
    if (i->kind == HIER_ARRAY)
        for (size_t k = 0; k < i->child.count; k++) note_fluid(c, env, i->child.item[k], number);
    else if (i->kind == HIER_OBJECT && same)
        join(c, i, same);
    else if (i->kind == HIER_OBJECT && node_of(i))
        list_push(c->h->a, &c->known, ((known_fluid){i, node_of(i), *env, number}));
}

/* The connectors of which a class says what flows through them. */
static void note_fluids(carrying *c, const hier_env *env, const model_modifier *fluid)
{
    hier *h = c->h;
    for (size_t k = 0; k < fluid->nested.count; k++) {
        const model_modifier *m = &fluid->nested.item[k];
        const hier_instance *i = hier_child(h, env->instance, m->name);
        if (!i || !i->connector || !m->value)
            hier_error(h, env, m->at, "write fluid(connector = number)", "%s is no connector here",
                       hier_spelled(h, m->name));
        else
            note_fluid(c, env, i, m->value);
    }
}

static void find_fluids(carrying *c, hier_instance *i)
{
    for (size_t p = 0; i->kind == HIER_OBJECT && p < i->part.count; p++) {
        const model_class *class = i->part.item[p]->class->text;
        hier_env env = {.instance = i, .part = i->part.item[p]};
        for (size_t k = 0; k < class->vendor.count; k++)
            if (strcmp(names_string(c->h->words, class->vendor.item[k].name), "fluid") == 0)
                note_fluids(c, &env, &class->vendor.item[k]);
    }
    for (size_t k = 0; k < i->child.count && i->kind != HIER_REMOVED; k++)
        find_fluids(c, i->child.item[k]);
}

static bool is_set(const hier *h, const hier_instance *leaf)
{
    bool set = false;
    for (size_t k = 0; k < h->request->settings && !set; k++)
        set = strstr(h->request->setting[k].name, leaf->name) != NULL;
    return set;
}

static const void *origin_of(hier *h, const hier_env *env, const model_expression *e, int depth);

/* A variable, or what its value names. */
static const void *origin_of_leaf(hier *h, const hier_instance *leaf, int depth)
{
    const hier_frame *f = leaf->frame;
    const void *origin = NULL;
    bool named = f && f->modifier->value && f->modifier->nested.count == 0 && f->count == 0;
    if (named && !is_set(h, leaf)) origin = origin_of(h, &f->env, f->modifier->value, depth + 1);
    return origin ? origin : leaf;
}

/* The constant or variable that an expression, or the argument of a function, names in the end;
 * NULL: it names none. */
static const void *origin_of(hier *h, const hier_env *env, const model_expression *e, int depth)
{
    if (e->kind != EXPRESSION_REFERENCE || depth > HIER_DEEPEST_VALUE) return NULL;
    hier_target t = hier_resolve_end(h, env, &e->reference->path);
    bool whole = t.part && !t.part->next && t.part->count == 0;
    if (whole && t.kind == TARGET_CONSTANT) return t.declaration;
    bool leaf = whole && t.kind == TARGET_INSTANCE && t.instance->kind == HIER_LEAF;
    return leaf ? origin_of_leaf(h, t.instance, depth) : NULL;
}

/* Whether two numbers are the same function of one variable, so that most of a network needs no
 * comparison. */
static bool are_same(hier *h, const known_fluid *a, const known_fluid *b)
{
    const model_expression *x = a->number, *y = b->number;
    if (x->kind != EXPRESSION_CALL || y->kind != EXPRESSION_CALL) return false;
    if (x->count != 1 || y->count != 1) return false;
    const model_part *f = &x->call->function.first, *g = &y->call->function.first;
    bool named_alike = f->name == g->name && !f->next && !g->next &&
                       a->env.part->class->outer == b->env.part->class->outer;
    const void *origin = named_alike ? origin_of(h, &a->env, x->operand[0], 0) : NULL;
    return origin && origin == origin_of(h, &b->env, y->operand[0], 0);
}

/* Both numbers are equal but for rounding. */
static void write_comparison(hier *h, const known_fluid *a, const known_fluid *b)
{
    if (are_same(h, a, b)) return;
    text_add(h->out, "  assert(abs((");
    hier_write_expression(h, &a->env, a->number);
    text_add(h->out, ") - (");
    hier_write_expression(h, &b->env, b->number);
    text_format(h->out, ")) <= %g*abs(", ROUNDING);
    hier_write_expression(h, &b->env, b->number);
    text_add(h->out, "), ");
    hier_write_string(
        h, arena_format(h->a,
                        "%s and %s are joined, and are for different fluids: give both the same "
                        "medium",
                        a->connector->name, b->connector->name));
    text_add(h->out, ");");
    hier_end_line(h, &b->env, b->number->at);
}

void hier_write_fluids(hier *h)
{
    carrying c = {.h = h};
    find_fluids(&c, h->top);
    if (c.known.count == 0 || h->failed) return;
    uint32_t nodes = hier_node_count(h);
    uint32_t *first = arena_array(h->a, nodes, sizeof *first); /* of a set: its first fluid, or 0 */
    for (size_t k = 0; k < c.known.count && !h->failed; k++) {
        uint32_t root = root_of(&c, c.known.item[k].node);
        if (first[root])
            write_comparison(h, &c.known.item[first[root] - 1], &c.known.item[k]);
        else
            first[root] = (uint32_t)k + 1;
    }
}
