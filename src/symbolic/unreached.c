/* Nodes that nothing refers to any more are given back: node.h.
 *
 * The nodes from a mark on are kept or dropped as in a collector of garbage that marks and compacts
 * (Jones, Hosking, Moss, The Garbage Collection Handbook (2011), Ch. 3), except that those before
 * it are not looked at: they keep their numbers. Arguments have smaller numbers than a node, so one
 * loop down the numbers marks all. */
#include "symbolic/derive.h"
#include "symbolic/graph.h"

#include <string.h>

sym_graph_mark sym_graph_here(const sym_graph *g)
{
    return (sym_graph_mark){g->node.count, arena_here(g->payloads), g->payload, g->room};
}

/* The nodes from `first` on, and the numbers that they get; SYM_NONE: they are dropped. */
typedef struct collection {
    sym_graph *g;
    size_t first, count, kept;
    sym *number; /* count */
} collection;

static void keep(void *collecting, sym *expression)
{
    collection *c = collecting;
    if (*expression != SYM_NONE && *expression >= c->first) c->number[*expression - c->first] = 0;
}

static void renumber(void *collecting, sym *expression)
{
    collection *c = collecting;
    if (*expression != SYM_NONE && *expression >= c->first)
        *expression = c->number[*expression - c->first];
}

/* The expressions that the graph itself refers to. */
static void visit_own(const sym_graph *g, sym_visit *visit, void *context)
{
    for (size_t i = 0; i < g->relations.node.count; i++) visit(context, &g->relations.node.item[i]);
    for (size_t i = 0; i < g->written.count; i++) visit(context, &g->written.item[i].node);
    for (size_t i = 0; i < g->delayed.count; i++)
        for (uint32_t k = 0; k < g->delayed.item[i].count; k++)
            visit(context, &g->delayed.item[i].argument[k]);
    for (size_t i = 0; i < g->callees.of.count; i++) {
        sym_callee *c = g->callees.of.item[i];
        for (uint32_t k = 0; c->rate.output && k < c->outputs; k++)
            visit(context, (sym *)&c->rate.output[k]);
    }
}

static void find_kept(collection *c)
{
    const sym_graph *g = c->g;
    for (size_t k = c->count; k-- > 0;) {
        const sym_node *n = &g->node.item[c->first + k];
        sym *argument = (sym *)sym_arguments(n);
        for (uint32_t i = 0; c->number[k] != SYM_NONE && i < n->count; i++) keep(c, &argument[i]);
    }
    for (size_t k = 0; k < c->count; k++)
        if (c->number[k] != SYM_NONE) c->number[k] = (sym)(c->first + c->kept++);
}

/* The nodes that are kept move down. Their factors and arguments are put aside meanwhile. Where
 * memory ends, the graph has those that are whole. */
static void move_nodes(collection *c, const sym_graph_mark *mark)
{
    sym_graph *g = c->g;
    sym_node *node = g->node.item + c->first;
    size_t bytes = 0, at = 0;
    for (size_t k = 0; k < c->count; k++)
        if (c->number[k] != SYM_NONE) bytes += sym_payload_size(&node[k]);
    unsigned char *aside = arena_array(g->scratch, bytes, 1);
    for (size_t k = 0, next = 0; k < c->count; k++) {
        if (c->number[k] == SYM_NONE) continue;
        size_t size = sym_payload_size(&node[k]);
        if (size) memcpy(aside + at, node[k].payload, size);
        at += size;
        node[next++] = node[k];
    }
    arena_back(g->payloads, mark->payload);
    g->payload = mark->next;
    g->room = mark->room;
    g->node.count = c->first;
    for (size_t k = 0, from = 0; k < c->kept; k++, g->node.count++) {
        size_t size = sym_payload_size(&node[k]);
        if (size == 0) continue;
        node[k].payload = sym_take_payload(g, size);
        memcpy(node[k].payload, aside + from, size);
        from += size;
        sym *argument = (sym *)sym_arguments(&node[k]);
        for (uint32_t i = 0; i < node[k].count; i++) renumber(c, &argument[i]);
    }
    list_fit(g->home, &g->node);
}

/* What is known of nodes by their numbers. */
static void move_known(collection *c)
{
    sym_graph *g = c->g;
    size_t next = c->first;
    for (size_t k = c->first; k < g->derivative.count; k++)
        if (c->number[k - c->first] != SYM_NONE) g->derivative.item[next++] = g->derivative.item[k];
    if (g->derivative.count > c->first) g->derivative.count = next;
    for (size_t k = 0; k < g->derivative.count; k++) renumber(c, &g->derivative.item[k]);
    next = c->first;
    for (size_t k = c->first; k < g->mode_slot.count; k++)
        if (c->number[k - c->first] != SYM_NONE) g->mode_slot.item[next++] = g->mode_slot.item[k];
    if (g->mode_slot.count > c->first) g->mode_slot.count = next;
}

void sym_graph_back(sym_graph *g, sym_graph_mark mark, sym_holder *visit_held, void *holder)
{
    sym_forget(g);
    collection c = {.g = g, .first = mark.nodes, .count = g->node.count - mark.nodes};
    if (c.count == 0) return;
    arena_mark here = arena_here(g->scratch);
    c.number = arena_array(g->scratch, c.count, sizeof *c.number);
    for (size_t k = 0; k < c.count; k++) c.number[k] = SYM_NONE;
    if (visit_held) visit_held(holder, keep, &c);
    visit_own(g, keep, &c);
    find_kept(&c);
    move_nodes(&c, &mark);
    if (visit_held) visit_held(holder, renumber, &c);
    visit_own(g, renumber, &c);
    move_known(&c);
    arena_back(g->scratch, here);
}
