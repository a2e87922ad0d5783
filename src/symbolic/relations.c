#include "symbolic/relations.h"

#include "symbolic/graph.h"
#include "symbolic/simplify.h"

#include <math.h>

/* The least value in the node of a relation that can have a mode. */
enum { CAN_BE_HELD = 1 };

/* The value in the node of one in the body of a when-clause. */
enum { IN_BODY = -1 };

sym sym_relation(sym_graph *g, sym_op op, sym a, sym b)
{
    sym literal = sym_known_value(g, op, a, b);
    return literal != SYM_NONE ? literal : sym_intern(g, op, CAN_BE_HELD, 2, (sym[]){a, b}, NULL);
}

sym sym_body_relation(sym_graph *g, sym_op op, sym a, sym b)
{
    sym literal = sym_known_value(g, op, a, b);
    return literal != SYM_NONE ? literal : sym_intern(g, op, IN_BODY, 2, (sym[]){a, b}, NULL);
}

static bool is_relation_with(const sym_graph *g, sym node, double least, double most)
{
    sym_view view = sym_look(g, node);
    return view.op >= SYM_LESS && view.op <= SYM_EQUAL && view.value >= least && view.value <= most;
}

bool sym_is_body_relation(const sym_graph *g, sym node)
{
    return is_relation_with(g, node, IN_BODY, IN_BODY);
}

bool sym_is_relation(const sym_graph *g, sym node)
{
    return is_relation_with(g, node, CAN_BE_HELD, HUGE_VAL);
}

static void number_one(sym_graph *g, sym node)
{
    arena *a = sym_graph_arena(g);
    sym_relations *r = &g->relations;
    list_push(a, &r->same, (uint32_t)r->node.count);
    list_push(a, &r->next, (uint32_t)r->node.count);
    list_push(a, &r->node, node);
    list_push(a, &r->mode, SYM_FREE);
    sym_give_mode_slot(g, node, (uint32_t)r->node.count);
}

void sym_number_relations(sym_graph *g, size_t count, const sym *roots)
{
    const sym *node;
    size_t nodes = sym_reach(g, count, roots, &node);
    for (size_t k = 0; k < nodes; k++)
        if (sym_is_relation(g, node[k]) && sym_mode_slot(g, node[k]) == 0) number_one(g, node[k]);
}

/* The first of all relations that are equal to k. */
static uint32_t first_of(const sym_relations *r, uint32_t k)
{
    while (r->same.item[k] != k) k = r->same.item[k];
    return k;
}

/* Gives the image of a relation its number. */
static void inherit(sym_graph *g, uint32_t slot, sym image)
{
    if (slot == 0 || !sym_is_relation(g, image)) return;
    if (sym_mode_slot(g, image) == 0) {
        sym_give_mode_slot(g, image, slot);
        return;
    }
    sym_relations *r = &g->relations;
    uint32_t one = first_of(r, slot - 1), other = first_of(r, sym_mode_slot(g, image) - 1);
    if (one == other) return;
    r->same.item[one > other ? one : other] = one > other ? other : one;
    uint32_t next = r->next.item[one]; /* two rings become one */
    r->next.item[one] = r->next.item[other];
    r->next.item[other] = next;
}

/* Whether a node is a relation with another number than this slot's, and is not equal to that one.
 */
static bool is_another(const sym_graph *g, uint32_t slot, sym image)
{
    uint32_t other = sym_is_relation(g, image) ? sym_mode_slot(g, image) : 0;
    return other > 0 && first_of(&g->relations, slot - 1) != first_of(&g->relations, other - 1);
}

sym sym_relation_image(sym_graph *g, sym relation, sym a, sym b)
{
    sym_op op = sym_look(g, relation).op;
    uint32_t slot = sym_mode_slot(g, relation);
    sym image = sym_relation(g, op, a, b);
    double number;
    bool held = slot > 0 && g->relations.mode.item[slot] != SYM_FREE;
    if (held && (sym_is_number(g, image, &number) || is_another(g, slot, image)))
        image = sym_intern(g, op, CAN_BE_HELD + slot, 2, (sym[]){a, b}, NULL);
    inherit(g, slot, image);
    return image;
}

size_t sym_relation_count(const sym_graph *g)
{
    return g->relations.node.count;
}

sym sym_relation_node(const sym_graph *g, size_t k)
{
    return g->relations.node.item[k];
}

size_t sym_relation_number(const sym_graph *g, sym node)
{
    uint32_t slot = sym_is_relation(g, node) ? sym_mode_slot(g, node) : 0;
    return slot > 0 ? slot - 1 : SIZE_MAX;
}

bool sym_pieces_are_held(sym_graph *g, sym root)
{
    const sym *reached;
    size_t nodes = sym_reach(g, 1, &root, &reached);
    for (size_t k = 0; k < nodes; k++) {
        sym_op op = sym_look(g, reached[k]).op;
        bool follows = op == SYM_AND || op == SYM_OR || op == SYM_NOT || op == SYM_IF;
        if (sym_is_piece(op) && !follows && sym_relation_number(g, reached[k]) == SIZE_MAX)
            return false;
    }
    return true;
}

void sym_hold_relation(sym_graph *g, size_t k, sym_mode mode)
{
    sym_relations *r = &g->relations;
    uint32_t i = (uint32_t)k;
    do {
        r->mode.item[1 + i] = (unsigned char)mode;
        i = r->next.item[i];
    } while (i != k);
}

sym_mode sym_mode_of(const sym_graph *g, sym relation)
{
    return (sym_mode)g->relations.mode.item[sym_mode_slot(g, relation)];
}

sym_mode sym_relation_mode(const sym_graph *g, size_t k)
{
    return (sym_mode)g->relations.mode.item[1 + k];
}
