/* Connections. Variables of connectors that are connected form sets: potentials of a set are equal,
 * and the flows of a set have the sum 0 (Modelica 3.6, Sec. 9.2). A flow of a connector of a
 * component counts with +. One of the class itself is seen from within and counts with -. */
#include "hierarchy/tree.h"

#include <string.h>

/* An element of a variable of a connector. A flow has two nodes: of the connector of a component,
 * and after it the same one seen from within. */
typedef struct node {
    hier_instance *leaf;
    uint32_t element;
    bool within, joined;
    uint32_t parent, next, last; /* in the set: its root; the next member; of a root the last one */
    hier_env env;                /* of the connection, or of the declaration */
    model_span at;
} node;

struct hier_net {
    LIST(node) node;
};

/* One end of a connection: a connector, or an element of a variable that is one. */
typedef struct end {
    hier_instance *instance;
    uint32_t element; /* of a leaf */
} end;

typedef struct ends {
    LIST(end) list;
    uint32_t shape[8], rank;
} ends;

/* The outermost connector of a connector in a connector. */
static const hier_instance *outermost(const hier_instance *i)
{
    while (i->parent && i->parent->connector) i = i->parent;
    return i;
}

static uint32_t elements_of(hier *h, hier_instance *leaf)
{
    if (!hier_measure(h, leaf)) return 0;
    uint32_t count = 1;
    for (uint32_t k = 0; k < leaf->rank; k++) count *= leaf->extent[k];
    return count;
}

void hier_open_net(hier *h)
{
    h->net = arena_take(h->a, sizeof *h->net);
    list_push(h->a, &h->net->node, ((node){0})); /* 0 is no node */
}

/* The nodes of a variable, in the order of its elements. */
static void add_nodes(hier *h, hier_instance *leaf)
{
    if (leaf->node) return;
    hier_net *n = h->net;
    uint32_t count = elements_of(h, leaf);
    const hier_instance *owner = outermost(leaf)->parent; /* its connector may not be connected */
    if (!owner->declaration) owner = outermost(leaf);
    leaf->node = (uint32_t)n->node.count;
    for (uint32_t k = 0; k < count * (leaf->flow ? 2 : 1); k++) {
        uint32_t own = (uint32_t)n->node.count;
        node new = {.leaf = leaf, .parent = own, .last = own, .env = owner->env};
        new.at = owner->declaration->at;
        new.element = leaf->flow ? k / 2 : k;
        new.within = leaf->flow &&k % 2;
        list_push(h->a, &n->node, new);
    }
}

static uint32_t root_of(hier_net *n, uint32_t k)
{
    while (n->node.item[k].parent != k) {
        n->node.item[k].parent = n->node.item[n->node.item[k].parent].parent;
        k = n->node.item[k].parent;
    }
    return k;
}

uint32_t hier_node_count(const hier *h)
{
    return (uint32_t)h->net->node.count;
}

uint32_t hier_connected(hier *h, uint32_t k)
{
    return root_of(h->net, k);
}

/* Joins two sets. The one that begins first keeps its root, so that the order is that of the text.
 */
static void join_nodes(hier *h, const hier_env *env, model_span at, uint32_t a, uint32_t b)
{
    hier_net *n = h->net;
    n->node.item[a].joined = n->node.item[b].joined = true;
    a = root_of(n, a), b = root_of(n, b);
    if (a == b) return;
    if (a > b) {
        uint32_t swap = a;
        a = b, b = swap;
    }
    node *x = n->node.item;
    x[b].parent = a;
    x[x[a].last].next = b;
    x[a].last = x[b].last;
    x[b].env = *env;
    x[b].at = at;
}

/* Whether a connector belongs to the class whose text has the connection. */
static bool is_within(const hier_env *env, const hier_instance *i)
{
    return outermost(i)->parent == env->instance;
}

/* --- the ends of a connection --- */

static bool add_shape(hier *h, const hier_env *env, model_span at, ends *e, uint32_t extent)
{
    if (e->rank == sizeof e->shape / sizeof *e->shape) {
        hier_error(h, env, at, "connect parts of it", "an array with too many dimensions");
        return false;
    }
    e->shape[e->rank++] = extent;
    return true;
}

/* The elements of a variable that is a connector, from dimension k on; `offset` counts those
 * before. */
static bool add_elements(hier *h, const hier_env *env, const hier_target *t, bool first, ends *e,
                         uint32_t k, uint32_t offset)
{
    hier_instance *leaf = t->instance;
    if (k == leaf->rank) {
        list_push(h->a, &e->list, ((end){leaf, offset}));
        return true;
    }
    hier_numbers list = {0};
    bool single;
    const model_expression *s = k < t->part->count ? t->part->subscript[k] : NULL;
    if (!hier_taken(h, env, s, leaf, k, &list, &single)) return false;
    if (first && !single && !add_shape(h, env, t->part->at, e, (uint32_t)list.count)) return false;
    for (size_t m = 0; m < list.count; m++) {
        if (list.item[m] < 1 || list.item[m] > leaf->extent[k]) {
            hier_error(h, env, t->part->at, "subscripts begin with 1", "%s has no element %.0f",
                       leaf->name, list.item[m]);
            return false;
        }
        uint32_t at = offset * leaf->extent[k] + (uint32_t)list.item[m] - 1;
        if (!add_elements(h, env, t, first && m == 0, e, k + 1, at)) return false;
    }
    return true;
}

static bool add_leaf(hier *h, const hier_env *env, const hier_target *t, bool first, ends *e)
{
    if (!hier_measure(h, t->instance)) return false;
    uint32_t given = t->part->count;
    if (given == 0 || given == t->instance->rank) return add_elements(h, env, t, first, e, 0, 0);
    hier_error(h, env, t->part->at, "write a subscript for each dimension", "%s has %u dimensions",
               t->instance->name, t->instance->rank);
    return false;
}

/* Adds what a target consists of, and the extents of its dimensions where it is the first one. */
static bool add_ends(hier *h, const hier_env *env, const hier_target *t, bool first, ends *e)
{
    if (t->kind == TARGET_REMOVED) {
        list_push(h->a, &e->list, ((end){t->instance, 0}));
        return true;
    }
    if (t->kind == TARGET_GROUP) {
        if (first && !add_shape(h, env, t->part->at, e, t->count)) return false;
        for (uint32_t k = 0; k < t->count; k++)
            if (!add_ends(h, env, &t->member[k], first && k == 0, e)) return false;
        return true;
    }
    if (t->instance->kind == HIER_LEAF) return add_leaf(h, env, t, first, e);
    list_push(h->a, &e->list, ((end){t->instance, 0}));
    return true;
}

/* Whether an end may be connected here: a connector of this class, or of a component of it. */
static bool check_end(hier *h, const hier_env *env, model_span at, const hier_instance *i)
{
    const hier_instance *outer = outermost(i);
    if (!i->connector) {
        hier_error(h, env, at, "connect connectors, and declare what they are as connector",
                   "%s is no connector", i->name);
        return false;
    }
    if (outer->parent == env->instance || outer->parent->parent == env->instance) return true;
    hier_error(h, env, at, "connect connectors of this class and of its components",
               "%s lies in %s, which is no component of this class", i->name, outer->parent->name);
    return false;
}

/* --- pairs --- */

static void join_instances(hier *h, const hier_env *env, const model_clause *c, const end *a,
                           const end *b, const bool within[2]);

static bool mismatch(hier *h, const hier_env *env, const model_clause *c, const hier_instance *a,
                     const hier_instance *b, const char *why)
{
    hier_error(h, env, c->at, "connected connectors have the same variables",
               "%s and %s cannot be connected: %s", a->name, b->name, why);
    return false;
}

/* Parameters of connected connectors are equal. */
static void write_assertion(hier *h, const hier_env *env, const model_clause *c,
                            const hier_instance *a, const hier_instance *b)
{
    text_add(h->out, "  assert(");
    hier_write_leaf(h, a);
    text_add(h->out, " == ");
    hier_write_leaf(h, b);
    text_add(h->out, ", \"connected parameters differ\");");
    hier_end_line(h, env, c->at);
}

static void join_leaves(hier *h, const hier_env *env, const model_clause *c, const end *a,
                        const end *b, const bool within[2])
{
    hier_instance *x = a->instance, *y = b->instance;
    if (x->flow != y->flow) {
        mismatch(h, env, c, x, y, "one of them is a flow");
        return;
    }
    if (x->base != y->base || (x->base >= TYPE_ENUMERATION && x->class != y->class)) {
        mismatch(h, env, c, x, y, "their types differ");
        return;
    }
    if (x->declaration->variability >= VARIABILITY_PARAMETER) {
        if (x != y && x->rank == 0) write_assertion(h, env, c, x, y);
        return;
    }
    add_nodes(h, x);
    add_nodes(h, y);
    uint32_t step = x->flow ? 2 : 1;
    join_nodes(h, env, c->at, x->node + step * a->element + (x->flow && within[0]),
               y->node + step * b->element + (y->flow && within[1]));
}

static void join_whole_leaves(hier *h, const hier_env *env, const model_clause *c, hier_instance *a,
                              hier_instance *b, const bool within[2])
{
    uint32_t count = elements_of(h, a);
    bool same = elements_of(h, b) == count && a->rank == b->rank;
    for (uint32_t k = 0; same && k < a->rank; k++) same = a->extent[k] == b->extent[k];
    if (!same && !h->failed) mismatch(h, env, c, a, b, "their sizes differ");
    bool constant = a->declaration->variability >= VARIABILITY_PARAMETER;
    if (constant && count > 1) count = 1;
    for (uint32_t k = 0; same && k < count; k++)
        join_leaves(h, env, c, &(end){a, k}, &(end){b, k}, within);
}

static void join_children(hier *h, const hier_env *env, const model_clause *c, hier_instance *a,
                          hier_instance *b, const bool within[2])
{
    bool array = a->kind == HIER_ARRAY;
    if (a->child.count != b->child.count) {
        mismatch(h, env, c, a, b, array ? "their sizes differ" : "one of them has more variables");
        return;
    }
    for (size_t k = 0; k < a->child.count; k++) {
        hier_instance *x = a->child.item[k];
        hier_instance *y = array ? b->child.item[k] : hier_child(h, b, x->declaration->name);
        if (!y) {
            mismatch(
                h, env, c, a, b,
                arena_format(h->a, "%s has no %s", b->name, hier_spelled(h, x->declaration->name)));
            return;
        }
        hier_expand(h, x);
        hier_expand(h, y);
        if (x->kind == HIER_LEAF && y->kind == HIER_LEAF)
            join_whole_leaves(h, env, c, x, y, within);
        else
            join_instances(h, env, c, &(end){x, 0}, &(end){y, 0}, within);
    }
}

static void join_instances(hier *h, const hier_env *env, const model_clause *c, const end *a,
                           const end *b, const bool within[2])
{
    hier_instance *x = a->instance, *y = b->instance;
    hier_expand(h, x);
    hier_expand(h, y);
    if (x->kind == HIER_REMOVED || y->kind == HIER_REMOVED) return;
    if (x->kind != y->kind) {
        mismatch(h, env, c, x, y, "they are of different kinds");
        return;
    }
    if (x->kind == HIER_LEAF)
        join_leaves(h, env, c, a, b, within);
    else
        join_children(h, env, c, x, y, within);
}

static bool has_removed(const ends *e)
{
    for (size_t k = 0; k < e->list.count; k++)
        if (e->list.item[k].instance->kind == HIER_REMOVED) return true;
    return false;
}

static bool find_ends(hier *h, const hier_env *env, const model_expression *e, ends *found)
{
    hier_target t = hier_resolve_end(h, env, &e->reference->path);
    bool fits = t.kind == TARGET_INSTANCE || t.kind == TARGET_GROUP || t.kind == TARGET_REMOVED;
    if (!fits && t.kind != TARGET_NOTHING)
        hier_error(h, env, e->at, "connect connectors", "this is no connector");
    return fits && add_ends(h, env, &t, true, found);
}

void hier_connect(hier *h, const hier_env *env, const model_clause *c)
{
    ends a = {0}, b = {0};
    if (!find_ends(h, env, c->left, &a) || !find_ends(h, env, c->right, &b)) return;
    if (has_removed(&a) || has_removed(&b)) return;
    bool same = a.rank == b.rank && a.list.count == b.list.count;
    for (uint32_t k = 0; same && k < a.rank; k++) same = a.shape[k] == b.shape[k];
    if (!same) {
        hier_error(h, env, c->at, "connect arrays of the same size, or elements in a for",
                   "the sizes of the connected arrays differ");
        return;
    }
    for (size_t k = 0; k < a.list.count; k++) {
        end *x = &a.list.item[k], *y = &b.list.item[k];
        if (!check_end(h, env, c->left->at, x->instance)) return;
        if (!check_end(h, env, c->right->at, y->instance)) return;
        bool within[2] = {is_within(env, x->instance), is_within(env, y->instance)};
        join_instances(h, env, c, x, y, within);
        if (h->failed) return;
    }
}

/* --- equations --- */

static void write_node(hier *h, const node *n)
{
    hier_instance *leaf = n->leaf;
    hier_write_leaf(h, leaf);
    if (leaf->rank == 0) return;
    uint32_t divisor = elements_of(h, leaf), rest = n->element;
    for (uint32_t k = 0; k < leaf->rank; k++) {
        divisor /= leaf->extent[k];
        text_format(h->out, "%s%u", k ? ", " : "[", rest / divisor + 1);
        rest %= divisor;
    }
    text_add(h->out, "]");
}

/* The sum of the flows of a set is 0. */
static void write_sum(hier *h, uint32_t root)
{
    const node *x = h->net->node.item;
    text_add(h->out, "  ");
    for (uint32_t k = root;; k = x[k].next) {
        if (k == root)
            text_add(h->out, x[k].within ? "-" : "");
        else
            text_add(h->out, x[k].within ? " - " : " + ");
        write_node(h, &x[k]);
        if (k == x[root].last) break;
    }
    text_add(h->out, x[root].joined ? " = 0;" : " = 0 \"" MODEL_UNCONNECTED "\";");
    hier_end_line(h, &x[x[root].last].env, x[x[root].last].at);
}

/* Whether an output only hands on what another one has: that of a component within its own. */
static bool hands_on(const hier_instance *output, const hier_instance *inner)
{
    const hier_instance *owner = outermost(output)->parent, *i = outermost(inner)->parent;
    while (i && i != owner) i = i->parent;
    return i && outermost(inner)->parent != owner;
}

/* Reports a set in which several outputs give one value, as two outlets at one inlet. */
static void check_outputs(hier *h, uint32_t root)
{
    const node *x = h->net->node.item;
    LIST(uint32_t) output = {0};
    for (uint32_t k = root;; k = x[k].next) {
        if (x[k].leaf->direction == DIRECTION_OUTPUT) list_push(h->a, &output, k);
        if (k == x[root].last) break;
    }
    uint32_t first = 0; /* a source; 0 is no node */
    for (size_t i = 0; i < output.count; i++) {
        const node *o = &x[output.item[i]];
        bool source = true;
        for (size_t k = 0; k < output.count && source; k++)
            source = k == i || !hands_on(o->leaf, x[output.item[k]].leaf);
        if (!source) continue;
        if (first)
            hier_error(h, &o->env, o->at,
                       "an output gives its value to inputs; flows of fluid are joined by a Mixer, "
                       "signals by a block such as Add",
                       "%s and %s are connected, and both are outputs", x[first].leaf->name,
                       o->leaf->name);
        if (first) return;
        first = output.item[i];
    }
}

/* The potentials of a set are equal to the first one. */
static void write_equalities(hier *h, uint32_t root)
{
    const node *x = h->net->node.item;
    check_outputs(h, root);
    for (uint32_t k = root; k != x[root].last;) {
        k = x[k].next;
        text_add(h->out, "  ");
        write_node(h, &x[root]);
        text_add(h->out, " = ");
        write_node(h, &x[k]);
        text_add(h->out, ";");
        hier_end_line(h, &x[k].env, x[k].at);
    }
}

/* All flows of connectors, which are 0 where nothing is connected. */
static void add_flows(hier *h, hier_instance *i, bool connector)
{
    connector = connector || i->connector;
    if (i->kind == HIER_LEAF && connector && i->flow) add_nodes(h, i);
    for (size_t k = 0; k < i->child.count; k++) add_flows(h, i->child.item[k], connector);
}

/* Whether a variable is an input of a component that only an equation may give. */
static bool is_open_input(const hier *h, const hier_instance *i)
{
    if (i->kind != HIER_LEAF || !i->connector || i->direction != DIRECTION_INPUT) return false;
    bool own = outermost(i)->parent == h->top;
    return !own && !hier_value_of(i->frame) && (!i->node || !h->net->node.item[i->node].joined);
}

static void find_open_inputs(hier *h, hier_instance *i, hier_words *list)
{
    if (is_open_input(h, i))
        list_push(h->a, list, arena_copy(&h->flat->memory, i->name, strlen(i->name)));
    for (size_t k = 0; k < i->child.count && i->kind != HIER_REMOVED; k++)
        find_open_inputs(h, i->child.item[k], list);
}

void hier_list_open_inputs(hier *h)
{
    hier_words list = {0};
    find_open_inputs(h, h->top, &list);
    h->flat->open = list.count;
    h->flat->open_input = arena_array(&h->flat->memory, list.count, sizeof *list.item);
    for (size_t k = 0; k < list.count; k++) h->flat->open_input[k] = list.item[k];
}

void hier_write_connections(hier *h)
{
    add_flows(h, h->top, false);
    for (uint32_t k = 1; k < h->net->node.count && !h->failed; k++) {
        const node *n = &h->net->node.item[k];
        if (n->parent != k) continue;
        if (!n->leaf->flow)
            write_equalities(h, k);
        else if (n->joined || !n->within)
            write_sum(h, k);
    }
}
