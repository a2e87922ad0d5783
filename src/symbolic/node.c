#include "symbolic/node.h"

#include "symbolic/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sym_graph *sym_graph_create(arena *a)
{
    sym_graph *g = arena_take(a, sizeof *g);
    g->home = a;
    g->scratch = arena_part(a);
    g->payloads = arena_part(a);
    g->known = arena_part(a);
    list_push(a, &g->relations.mode, SYM_FREE);
    return g;
}

arena *sym_graph_arena(sym_graph *g)
{
    return g->home;
}

static uint64_t hash_of(const sym_node *n, const double *factor, const sym *argument)
{
    uint64_t hash = hash_mix((uint64_t)n->count << 32 | (uint64_t)n->order << 8 | n->op,
                             hash_bits(n->value));
    for (uint32_t i = 0; factor && i < n->count; i++) hash = hash_mix(hash, hash_bits(factor[i]));
    for (uint32_t i = 0; i < n->count; i++) hash = hash_mix(hash, argument[i]);
    return hash;
}

/* The node that is equal to `key`, whose payload is not looked at; SYM_NONE: there is none. */
static sym find(const sym_graph *g, const sym_node *key, uint64_t hash, const double *factor,
                const sym *argument)
{
    uint32_t found;
    size_t factors = factor ? key->count : 0, at = hash_start(&g->table, hash);
    while ((found = hash_next(&g->table, hash, &at)) != HASH_NONE) {
        const sym_node *n = &g->node.item[found];
        if (n->op != key->op || n->order != key->order || n->count != key->count ||
            hash_bits(n->value) != hash_bits(key->value))
            continue;
        if (n->count == 0 ||
            ((factors == 0 || memcmp(n->payload, factor, factors * sizeof *factor) == 0) &&
             memcmp(n->payload + factors, argument, n->count * sizeof *argument) == 0))
            return found;
    }
    return SYM_NONE;
}

enum { LEAST_ROOM = 128, MOST_ROOM = 4096 }; /* numbers that are asked for at once */

double *sym_take_payload(sym_graph *g, size_t bytes)
{
    size_t wanted = (bytes + sizeof(double) - 1) / sizeof(double);
    if (wanted > g->room) {
        size_t most = g->node.count < MOST_ROOM ? g->node.count : MOST_ROOM;
        size_t room = wanted > LEAST_ROOM ? wanted : LEAST_ROOM;
        if (room < most) room = most;
        g->room = 0; /* if memory is exhausted */
        g->payload = arena_array(g->payloads, room, sizeof *g->payload);
        g->room = room;
    }
    double *payload = g->payload;
    g->payload += wanted;
    g->room -= wanted;
    return payload;
}

static const double *factors_of(const sym_node *n)
{
    return sym_has_factors((sym_op)n->op) ? n->payload : NULL;
}

/* A table of the nodes, which are there. The place of each is fetched some nodes ahead. */
static void find_nodes(sym_graph *g)
{
    enum { AHEAD = 16 };
    uint64_t hash[AHEAD];
    size_t count = g->node.count;
    hash_reserve(g->known, &g->table, count);
    for (size_t next = 0; next < count + AHEAD; next++) {
        uint64_t *at = &hash[next % AHEAD];
        if (next >= AHEAD) {
            const sym_node *n = &g->node.item[next - AHEAD];
            if (find(g, n, *at, factors_of(n), sym_arguments(n)) == SYM_NONE)
                hash_add(g->known, &g->table, *at, (sym)(next - AHEAD));
        }
        if (next >= count) continue;
        const sym_node *n = &g->node.item[next];
        *at = hash_of(n, factors_of(n), sym_arguments(n));
        hash_fetch(&g->table, *at);
    }
}

static sym intern(sym_graph *g, sym_node key, const sym *argument, const double *factor)
{
    if (g->table.size == 0 && g->node.count) find_nodes(g); /* sym_forget() */
    uint64_t hash = hash_of(&key, factor, argument);
    sym found = find(g, &key, hash, factor, argument);
    if (found != SYM_NONE) return found;
    size_t factors = factor ? key.count : 0;
    if (key.count) key.payload = sym_take_payload(g, sym_payload_size(&key));
    if (factors) memcpy(key.payload, factor, factors * sizeof *factor);
    if (key.count) memcpy(key.payload + factors, argument, key.count * sizeof *argument);
    sym number = (sym)g->node.count;
    list_push(g->home, &g->node, key);
    g->ops |= SYM_BIT(key.op);
    hash_add(g->known, &g->table, hash, number);
    return number;
}

sym sym_intern(sym_graph *g, sym_op op, double value, uint32_t count, const sym *argument,
               const double *factor)
{
    sym_node key = {.op = op & 0xffu, .count = count, .value = value == 0 ? 0 : value};
    return intern(g, key, argument, sym_has_factors(op) ? factor : NULL);
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
    return intern(g, (sym_node){.op = SYM_VARIABLE, .value = id, .order = order & 0xffffffu}, NULL,
                  NULL);
}

sym sym_cell(sym_graph *g, uint32_t cell)
{
    return intern(g, (sym_node){.op = SYM_CELL, .value = cell}, NULL, NULL);
}

sym sym_input(sym_graph *g, uint32_t id, uint32_t order, sym argument)
{
    const sym_node key = {.op = SYM_INPUT, .count = 1, .value = id, .order = order & 0xffffffu};
    return intern(g, key, &argument, NULL);
}

sym sym_intern_call(sym_graph *g, uint32_t callee, uint32_t output, const sym *argument)
{
    sym_node key = {.op = SYM_CALL, .value = callee, .order = output & 0xffffffu};
    key.count = sym_callee_of(g, callee)->inputs;
    return intern(g, key, argument, NULL);
}

static sym_input_name *name_of_input(sym_graph *g, uint32_t id)
{
    while (g->delayed.count <= id) list_push(g->home, &g->delayed, (sym_input_name){.count = 0});
    return &g->delayed.item[id];
}

void sym_call_delay(sym_graph *g, uint32_t id, sym value, sym lag)
{
    *name_of_input(g, id) = (sym_input_name){{value, lag}, 2, 0};
}

void sym_call_transport(sym_graph *g, uint32_t id, const sym *in0_in1_x, uint32_t output)
{
    const sym *a = in0_in1_x;
    *name_of_input(g, id) = (sym_input_name){{a[0], a[1], a[2]}, 3, output};
}

void sym_give_inputs(sym_graph *g, sym_inputs source)
{
    g->inputs = source;
}

sym_view sym_look(const sym_graph *g, sym number)
{
    return sym_view_of(g, number);
}

bool sym_is_number(const sym_graph *g, sym number, double *value)
{
    const sym_node *n = &g->node.item[number];
    if (n->op != SYM_CONSTANT) return false;
    if (value) *value = sym_is_traced(n->value) ? sym_pin((sym_graph *)g, n->value) : n->value;
    return true;
}

bool sym_is(const sym_graph *g, sym number, double value)
{
    const sym_node *n = &g->node.item[number];
    if (n->op != SYM_CONSTANT) return false;
    return n->value == value ||
           (sym_is_traced(n->value) && sym_ask((sym_graph *)g, IS_EQUAL, n->value, value));
}

static sym renumbered(const sym *number, sym node)
{
    return number && node != SYM_NONE ? number[node] : node;
}

/* Copy a node. Nodes that were distinct because of traced numbers may become equal; both stay, and
 * the first one is found from now on. */
static void copy_node(sym_graph *g, const sym_graph *from, const sym_node *old, bool traced,
                      const sym *number)
{
    size_t factors = sym_has_factors((sym_op)old->op) ? old->count : 0;
    sym_node *added = &g->node.item[g->node.count++];
    *added = *old;
    g->ops |= SYM_BIT(old->op);
    if (old->count) {
        added->payload = sym_take_payload(g, sym_payload_size(old));
        memcpy(added->payload, old->payload, sym_payload_size(old));
        sym *argument = (sym *)(added->payload + factors);
        for (uint32_t i = 0; i < old->count; i++) argument[i] = renumbered(number, argument[i]);
    }
    if (sym_is_traced(old->value) && !traced) added->value = sym_value(from, old->value) + 0.0;
    for (size_t i = 0; i < factors && !traced; i++)
        added->payload[i] = sym_value(from, old->payload[i]);
}

/* Marks nodes from which others are built, and what graphs say by nodes of their own. */
static void keep(sym *number, sym node)
{
    if (node != SYM_NONE) number[node] = 0;
}

static void keep_own(const sym_graph *g, sym *number)
{
    for (size_t i = 0; i < g->relations.node.count; i++) keep(number, g->relations.node.item[i]);
    for (size_t i = 0; i < g->written.count; i++) keep(number, g->written.item[i].node);
    for (size_t i = 0; i < g->delayed.count; i++)
        for (uint32_t k = 0; k < g->delayed.item[i].count; k++)
            keep(number, g->delayed.item[i].argument[k]);
    for (size_t i = 0; i < g->callees.of.count; i++) {
        const sym_callee *c = g->callees.of.item[i];
        for (uint32_t k = 0; c->rate.output && k < c->outputs; k++) keep(number, c->rate.output[k]);
    }
}

/* Nodes come after their arguments. */
sym *sym_number_kept(arena *a, const sym_graph *from, size_t count, const sym *roots)
{
    size_t nodes = from->node.count;
    sym *number = arena_array(a, nodes, sizeof *number), next = 0;
    for (size_t k = 0; k < nodes; k++) number[k] = SYM_NONE;
    for (size_t i = 0; i < count; i++) keep(number, roots[i]);
    keep_own(from, number);
    for (size_t k = nodes; k-- > 0;) {
        const sym_node *n = &from->node.item[k];
        const sym *argument = sym_arguments(n);
        for (uint32_t i = 0; number[k] != SYM_NONE && i < n->count; i++) number[argument[i]] = 0;
    }
    for (size_t k = 0; k < nodes; k++)
        if (number[k] != SYM_NONE) number[k] = next++;
    return number;
}

size_t sym_graph_size(const sym_graph *g)
{
    return g->node.count;
}

static void copy_nodes(sym_graph *g, const sym_graph *from, bool traced, const sym *number)
{
    size_t kept = 0;
    for (size_t i = 0; i < from->node.count; i++) kept += !number || number[i] != SYM_NONE;
    g->node.item = arena_array(g->home, kept, sizeof *g->node.item);
    g->node.capacity = kept;
    for (size_t i = 0; i < from->node.count; i++)
        if (!number || number[i] != SYM_NONE)
            copy_node(g, from, &from->node.item[i], traced, number);
}

/* What the graph says by nodes of its own. */
static void copy_own(sym_graph *g, const sym_graph *from, const sym *number)
{
    arena *a = g->home;
    for (sym i = 0; i < from->mode_slot.count; i++)
        if (from->mode_slot.item[i] && renumbered(number, i) != SYM_NONE)
            sym_give_mode_slot(g, renumbered(number, i), from->mode_slot.item[i]);
    list_copy(a, &g->relations.node, &from->relations.node);
    for (size_t i = 0; i < g->relations.node.count; i++)
        g->relations.node.item[i] = renumbered(number, g->relations.node.item[i]);
    for (size_t i = 0; i < from->written.count; i++)
        sym_write_as(g, renumbered(number, from->written.item[i].node), from->written.item[i].as);
    list_copy(a, &g->delayed, &from->delayed);
    for (size_t i = 0; i < g->delayed.count; i++)
        for (uint32_t k = 0; k < g->delayed.item[i].count; k++)
            g->delayed.item[i].argument[k] = renumbered(number, g->delayed.item[i].argument[k]);
    sym_copy_callees(g, from, number);
}

sym_graph *sym_graph_copy(arena *a, const sym_graph *from, bool traced, const sym *number)
{
    sym_graph *g = arena_take(a, sizeof *g);
    g->home = a;
    g->scratch = arena_part(a);
    g->payloads = arena_part(a);
    g->known = arena_part(a);
    copy_nodes(g, from, traced, number);
    if (traced) sym_trace_copy(g, from);
    copy_own(g, from, number);
    list_copy(a, &g->relations.same, &from->relations.same);
    list_copy(a, &g->relations.next, &from->relations.next);
    list_copy(a, &g->relations.mode, &from->relations.mode);
    for (size_t i = 0; i < from->cells.name.count; i++)
        list_push(a, &g->cells.name,
                  arena_copy(a, from->cells.name.item[i], strlen(from->cells.name.item[i])));
    list_copy(a, &g->cells.value, &from->cells.value);
    for (uint32_t k = 0; k < from->lists.of.count; k++) {
        const sym_list *l = sym_list_of(from, k);
        sym_new_list(g, l->count, l->value);
    }
    g->inputs = from->inputs;
    return g;
}

static int by_number(const void *a, const void *b)
{
    sym x = *(const sym *)a, y = *(const sym *)b;
    return (x > y) - (x < y);
}

/* Marks of all nodes. Those of earlier calls mean nothing any more, so none is kept. */
static void make_marks(sym_graph *g)
{
    if (g->marks >= g->node.count) return;
    arena_return(g->known, g->met, g->marks, sizeof *g->met);
    g->marks = 0; /* memory may end here */
    g->met = arena_array(g->known, g->node.capacity, sizeof *g->met);
    g->marks = g->node.capacity;
}

/* Mark a node and put it aside, unless it has been met. */
static void meet(sym_graph *g, sym node)
{
    if (g->met[node] == g->mark) return;
    g->met[node] = g->mark;
    list_push(g->home, &g->reached, node);
}

/* None has been met but the roots. */
static void meet_roots(sym_graph *g, size_t count, const sym *roots)
{
    make_marks(g);
    g->mark++;
    g->reached.count = 0;
    for (size_t i = 0; i < count; i++) meet(g, roots[i]);
}

enum { SHORT = 24, DENSE = 8 }; /* a list; one in so many numbers */

/* Ascending order of the nodes that have been met: a few by insertion, many by their marks. */
static void sort_reached(sym_graph *g)
{
    size_t count = g->reached.count;
    sym *node = g->reached.item;
    if (count <= SHORT) {
        for (size_t i = 1; i < count; i++) {
            sym moved = node[i];
            size_t k = i;
            for (; k > 0 && node[k - 1] > moved; k--) node[k] = node[k - 1];
            node[k] = moved;
        }
        return;
    }
    sym least = node[0], most = node[0];
    for (size_t i = 1; i < count; i++) {
        if (node[i] < least) least = node[i];
        if (node[i] > most) most = node[i];
    }
    if ((most - least) / DENSE > count) {
        qsort(node, count, sizeof *node, by_number);
        return;
    }
    count = 0;
    for (sym k = least; k <= most; k++)
        if (g->met[k] == g->mark) node[count++] = k;
}

size_t sym_reach(sym_graph *g, size_t count, const sym *roots, const sym **reached)
{
    meet_roots(g, count, roots);
    for (size_t k = 0; k < g->reached.count; k++) { /* the list grows */
        const sym_node *n = &g->node.item[g->reached.item[k]];
        const sym *argument = sym_arguments(n);
        for (uint32_t i = 0; i < n->count; i++) meet(g, argument[i]);
    }
    sort_reached(g);
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
    const sym *reached;
    arena_mark here = arena_here(g->scratch);
    size_t count = sym_reach(g, 1, &root, &reached), most = 0;
    sym *node = arena_duplicate(g->scratch, reached, count, sizeof *node);
    for (size_t k = 0; k < count; k++)
        if (g->node.item[node[k]].count > most) most = g->node.item[node[k]].count;
    double *value = arena_array(g->scratch, count + most, sizeof *value), *argument = value + count;
    for (size_t k = 0; k < count; k++) {
        sym_view view = sym_look(g, node[k]);
        for (uint32_t i = 0; i < view.count; i++)
            argument[i] = value[sym_place(count, node, view.argument[i])];
        value[k] = rule(context, node[k], &view, argument);
    }
    double last = value[count - 1];
    arena_back(g->scratch, here);
    return last;
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

/* Whether a node of the graph is wanted. */
static bool any_occurs(const sym_graph *g, bool (*is_wanted)(sym_op op))
{
    for (uint64_t left = g->ops; left; left &= left - 1)
        if (is_wanted((sym_op)__builtin_ctzll(left))) return true;
    return false;
}

bool sym_any(sym_graph *g, size_t count, const sym *roots, bool (*is_wanted)(sym_op op))
{
    if (!any_occurs(g, is_wanted)) return false;
    meet_roots(g, count, roots);
    for (size_t k = 0; k < g->reached.count; k++) { /* the list grows */
        const sym_node *n = &g->node.item[g->reached.item[k]];
        if (is_wanted((sym_op)n->op)) return true;
        const sym *argument = sym_arguments(n);
        for (uint32_t i = 0; i < n->count; i++) meet(g, argument[i]);
    }
    return false;
}

bool sym_is_piece(sym_op op)
{
    return (op >= SYM_MIN && op <= SYM_IF) || op == SYM_ABS || op == SYM_SIGN || op == SYM_FLOOR ||
           op == SYM_CEIL || op == SYM_INTERVAL;
}

bool sym_has_pieces(sym_graph *g, sym root)
{
    return sym_any(g, 1, &root, sym_is_piece);
}

static bool is_time(sym_op op)
{
    return op == SYM_TIME;
}

bool sym_holds_time(sym_graph *g, size_t count, const sym *roots)
{
    return sym_any(g, count, roots, is_time);
}
