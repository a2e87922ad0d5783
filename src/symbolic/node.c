#include "symbolic/node.h"

#include "symbolic/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool has_factors(sym_op op)
{
    return op == SYM_SUM || op == SYM_PRODUCT;
}

sym_graph *sym_graph_create(arena *a)
{
    sym_graph *g = arena_take(a, sizeof *g);
    g->home = a;
    list_push(a, &g->relations.mode, SYM_FREE);
    return g;
}

arena *sym_graph_arena(sym_graph *g)
{
    return g->home;
}

static sym intern(sym_graph *g, node_key head, const sym *argument, const double *factor)
{
    arena *home = g->home;
    size_t factor_bytes = factor ? head.count * sizeof *factor : 0;
    size_t payload = factor_bytes + head.count * sizeof *argument;
    size_t size = sizeof head + payload;
    if (size > g->scratch_size) {
        g->scratch_size = 2 * size;
        g->scratch = arena_take(home, g->scratch_size);
    }
    char *key = (char *)g->scratch;
    memcpy(key, &head, sizeof head);
    if (factor_bytes) memcpy(key + sizeof head, factor, factor_bytes);
    if (head.count) memcpy(key + sizeof head + factor_bytes, argument, payload - factor_bytes);

    sym_node *found = NULL;
    unsigned hash;
    HASH_VALUE(key, size, hash);
    HASH_FIND_BYHASHVALUE(hh, g->table, key, size, hash, found);
    if (found) return found->number;

    sym_node *added = arena_take(home, sizeof *added + payload);
    memcpy(&added->key, key, sizeof head);
    memcpy(added->payload, key + sizeof head, payload);
    added->number = (sym)g->node.count;
    added->derivative = SYM_NONE;
    list_push(home, &g->node, added);
    HASH_ADD_KEYPTR_BYHASHVALUE(hh, g->table, &added->key, size, hash, added);
    return added->number;
}

sym sym_intern(sym_graph *g, sym_op op, double value, uint32_t count, const sym *argument,
               const double *factor)
{
    node_key head = {.op = op, .count = count, .value = value == 0 ? 0 : value};
    return intern(g, head, argument, has_factors(op) ? factor : NULL);
}

sym sym_number(sym_graph *g, double value)
{
    return sym_intern(g, SYM_CONSTANT, value, 0, NULL, NULL);
}

sym sym_time(sym_graph *g)
{
    return sym_intern(g, SYM_TIME, 0, 0, NULL, NULL);
}

sym sym_variable(sym_graph *g, uint32_t id, uint32_t order)
{
    return intern(g, (node_key){.op = SYM_VARIABLE, .value = id, .order = order}, NULL, NULL);
}

sym sym_cell(sym_graph *g, uint32_t cell)
{
    return intern(g, (node_key){.op = SYM_CELL, .value = cell}, NULL, NULL);
}

sym sym_input(sym_graph *g, uint32_t id, uint32_t order, sym argument)
{
    return intern(g, (node_key){.op = SYM_INPUT, .count = 1, .value = id, .order = order},
                  &argument, NULL);
}

void sym_call_delay(sym_graph *g, uint32_t id, sym value, sym lag)
{
    while (g->delayed.count <= 2 * (size_t)id + 1) list_push(g->home, &g->delayed, SYM_NONE);
    g->delayed.item[2 * id] = value;
    g->delayed.item[2 * id + 1] = lag;
}

void sym_give_inputs(sym_graph *g, sym_inputs source)
{
    g->inputs = source;
}

sym_view sym_look(const sym_graph *g, sym number)
{
    const sym_node *n = g->node.item[number];
    sym_view view = {.op = (sym_op)n->key.op, .count = n->key.count, .value = n->key.value};
    bool factors = has_factors(view.op);
    if (factors) view.factor = n->payload;
    view.argument = (const sym *)(n->payload + (factors ? view.count : 0));
    if (view.op == SYM_VARIABLE || view.op == SYM_CELL || view.op == SYM_INPUT ||
        sym_chooses(view.op)) {
        view.id = (uint32_t)n->key.value;
        view.order = (uint32_t)n->key.order;
    }
    return view;
}

bool sym_is_number(const sym_graph *g, sym number, double *value)
{
    const sym_node *n = g->node.item[number];
    if (n->key.op != SYM_CONSTANT) return false;
    if (value)
        *value = sym_is_traced(n->key.value) ? sym_pin((sym_graph *)g, n->key.value) : n->key.value;
    return true;
}

bool sym_is(const sym_graph *g, sym number, double value)
{
    const sym_node *n = g->node.item[number];
    if (n->key.op != SYM_CONSTANT) return false;
    return n->key.value == value ||
           (sym_is_traced(n->key.value) && sym_ask((sym_graph *)g, IS_EQUAL, n->key.value, value));
}

/* Copy a node. Nodes that were distinct because of traced numbers may become equal; both stay, and
 * the first one is found from now on. */
static void copy_node(sym_graph *g, const sym_graph *from, const sym_node *old, bool traced)
{
    size_t factors = has_factors((sym_op)old->key.op) ? old->key.count : 0;
    size_t payload = factors * sizeof(double) + old->key.count * sizeof(sym);
    arena *home = g->home;
    sym_node *added = arena_take(home, sizeof *added + payload), *found = NULL;
    added->number = old->number;
    added->derivative = old->derivative;
    added->slot = old->slot;
    added->key = old->key;
    memcpy(added->payload, old->payload, payload);
    if (sym_is_traced(old->key.value) && !traced)
        added->key.value = sym_value(from, old->key.value) + 0.0;
    for (size_t i = 0; i < factors && !traced; i++)
        added->payload[i] = sym_value(from, old->payload[i]);
    size_t size = sizeof added->key + payload;
    list_push(home, &g->node, added);
    unsigned hash;
    HASH_VALUE(&added->key, size, hash);
    HASH_FIND_BYHASHVALUE(hh, g->table, &added->key, size, hash, found);
    if (!found) HASH_ADD_KEYPTR_BYHASHVALUE(hh, g->table, &added->key, size, hash, added);
}

sym_graph *sym_graph_copy(arena *a, const sym_graph *from, bool traced)
{
    sym_graph *g = arena_take(a, sizeof *g);
    g->home = a;
    for (size_t i = 0; i < from->node.count; i++) copy_node(g, from, from->node.item[i], traced);
    if (traced) sym_trace_copy(g, from);
    list_copy(a, &g->relations.node, &from->relations.node);
    list_copy(a, &g->relations.same, &from->relations.same);
    list_copy(a, &g->relations.mode, &from->relations.mode);
    for (size_t i = 0; i < from->cells.name.count; i++)
        list_push(a, &g->cells.name,
                  arena_copy(a, from->cells.name.item[i], strlen(from->cells.name.item[i])));
    list_copy(a, &g->cells.value, &from->cells.value);
    for (uint32_t k = 0; k < from->lists.of.count; k++) {
        const sym_list *l = sym_list_of(from, k);
        sym_new_list(g, l->count, l->value);
    }
    for (size_t i = 0; i < from->written.count; i++)
        sym_write_as(g, from->written.item[i].node, from->written.item[i].as);
    g->inputs = from->inputs;
    list_copy(a, &g->delayed, &from->delayed);
    return g;
}

static int by_number(const void *a, const void *b)
{
    sym x = *(const sym *)a, y = *(const sym *)b;
    return (x > y) - (x < y);
}

size_t sym_reach(sym_graph *g, size_t count, const sym *roots, const sym **reached)
{
    g->mark++;
    g->reached.count = g->pending.count = 0;
    for (size_t i = 0; i < count; i++) list_push(g->home, &g->pending, roots[i]);
    while (g->pending.count) {
        sym_node *n = g->node.item[g->pending.item[--g->pending.count]];
        if (n->mark == g->mark) continue;
        n->mark = g->mark;
        list_push(g->home, &g->reached, n->number);
        sym_view view = sym_look(g, n->number);
        for (uint32_t i = 0; i < view.count; i++)
            if (g->node.item[view.argument[i]]->mark != g->mark)
                list_push(g->home, &g->pending, view.argument[i]);
    }
    if (g->reached.count) qsort(g->reached.item, g->reached.count, sizeof(sym), by_number);
    *reached = g->reached.item;
    return g->reached.count;
}

size_t sym_keep_reached(sym_graph *g, size_t count, const sym *roots, const sym **reached)
{
    size_t found = sym_reach(g, count, roots, reached);
    *reached = arena_duplicate(g->home, *reached, found, sizeof(sym));
    return found;
}

double sym_fold(sym_graph *g, sym root, sym_rule rule, void *context)
{
    const sym *node;
    LIST(double) argument = {0};
    size_t count = sym_keep_reached(g, 1, &root, &node);
    double *value = arena_array(g->home, count, sizeof *value);
    for (size_t k = 0; k < count; k++) {
        sym_view view = sym_look(g, node[k]);
        argument.count = 0;
        for (uint32_t i = 0; i < view.count; i++)
            list_push(g->home, &argument, value[sym_place(count, node, view.argument[i])]);
        value[k] = rule(context, node[k], &view, argument.item);
    }
    return value[count - 1];
}

size_t sym_place(size_t count, const sym *ascending, sym wanted)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (ascending[middle] <= wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool sym_any(sym_graph *g, size_t count, const sym *roots, bool (*is_wanted)(sym_op op))
{
    const sym *reached;
    size_t nodes = sym_reach(g, count, roots, &reached);
    for (size_t k = 0; k < nodes; k++)
        if (is_wanted(sym_look(g, reached[k]).op)) return true;
    return false;
}

static bool is_piece(sym_op op)
{
    return (op >= SYM_MIN && op <= SYM_IF) || op == SYM_ABS || op == SYM_SIGN || op == SYM_FLOOR ||
           op == SYM_CEIL || op == SYM_INTERVAL;
}

bool sym_has_pieces(sym_graph *g, sym root)
{
    return sym_any(g, 1, &root, is_piece);
}

static bool is_time(sym_op op)
{
    return op == SYM_TIME;
}

bool sym_holds_time(sym_graph *g, size_t count, const sym *roots)
{
    return sym_any(g, count, roots, is_time);
}
