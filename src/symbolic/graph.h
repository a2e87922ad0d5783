/* What a graph consists of. For this room only; others read nodes by sym_look(). */
#ifndef SYMBOLIC_GRAPH_H
#define SYMBOLIC_GRAPH_H

#include "base/hash.h"
#include "symbolic/calls.h"
#include "symbolic/cells.h"
#include "symbolic/derive.h"
#include "symbolic/lists.h"
#include "symbolic/node.h"
#include "symbolic/relations.h"
#include "symbolic/traced.h"

/* Its identity are operation, order, count, value, factors and arguments, bit for bit. */
typedef struct sym_node {
    double value;    /* of a variable, cell, input or choice: its number */
    double *payload; /* `count` factors, if the operation has them; then `count` arguments */
    uint32_t op : 8;
    uint32_t order : 24;
    uint32_t count;
} sym_node;

/* The terms of one node's adjoint while they are collected, as a list. */
typedef struct sym_contribution {
    sym term;
    size_t next; /* index of the next; SIZE_MAX: none */
} sym_contribution;

/* A backward sweep through an expression. Its lists are used again by the next one. */
typedef struct sym_sweep {
    LIST(sym) node;         /* the nodes of the expression, ascending */
    LIST(size_t) first;     /* of each node: the head of its contributions */
    LIST(uint64_t) waiting; /* bits of the nodes that have contributions, */
    LIST(uint64_t) group;   /* and of the words above that are not 0 */
    LIST(sym_contribution) pool;
    LIST(sym) term;
    sym_partials yes, no, both; /* of a node that branches: gradients of its branches; its own */
} sym_sweep;

/* The variables of an expression that was asked for them. */
typedef struct sym_known_leaves {
    sym node;
    uint32_t count;
    const sym_leaf *leaf;
} sym_known_leaves;

/* lhs - rhs of an equation that was asked for it. */
typedef struct sym_difference {
    sym lhs, rhs, value;
} sym_difference;

/* An expression that its author writes in another way. */
typedef struct sym_written {
    sym node;
    const char *as;
} sym_written;

/* What an input is written as: delay(argument[0], argument[1]), or the output of a transport of
 * three arguments. */
typedef struct sym_input_name {
    sym argument[3];
    uint32_t count, output; /* 0: it has none; from 1 */
} sym_input_name;

struct sym_graph {
    arena *home;
    arena *scratch;  /* a part of it, for what a function needs while it runs */
    arena *payloads; /* a part of it, for factors and arguments of nodes */
    arena *known;    /* a part for what sym_forget() gives back: */
    LIST(sym_known_leaves) leaves;
    LIST(sym_difference) difference; /* by the numbers of equations: sym_residual() */
    hash_table leaves_table;
    sym_partials gradients; /* derivatives that were asked for, each list after its length */
    LIST(uint32_t)
    gradient;         /* of the first nodes: where that list stands, plus 1; 0: nobody has
                         asked */
    hash_table table; /* of the nodes; empty: it is made for the next one */
    uint32_t *met;    /* of `marks` nodes: the number of the last sym_reach() that met it */
    size_t marks;
    LIST(sym_node) node;
    uint64_t ops;             /* a bit for each operation that a node has */
    LIST(sym) derivative;     /* by time, of the first nodes; SYM_NONE until asked for */
    LIST(uint32_t) mode_slot; /* of a relation's mode, of the first nodes; 0: none */
    double *payload;          /* room for those of the next nodes */
    size_t room;              /* numbers */
    LIST(sym) reached;
    uint32_t mark;
    size_t nearly_cancelled; /* sym_nearly_cancelled() */
    sym_relations relations;
    sym_cells cells;
    sym_lists lists;
    sym_callees callees;
    sym_inputs inputs;
    LIST(sym_written) written;
    LIST(sym_input_name) delayed; /* of inputs, by their numbers */
    sym_trace trace;
    sym_sweep sweep; /* scratch of derivatives */
};

static inline bool sym_has_factors(sym_op op)
{
    return op == SYM_SUM || op == SYM_PRODUCT;
}

/* Whether a node of the graph has one of these operations, a bit each. Where none has, no
 * expression needs to be searched for it. */
static inline bool sym_occurs(const sym_graph *g, uint64_t ops)
{
    _Static_assert(SYM_OP_COUNT <= 64, "a bit for each operation");
    return (g->ops & ops) != 0;
}

/* Bytes of its factors and arguments, and room for so many of a new node. */
static inline size_t sym_payload_size(const sym_node *n)
{
    size_t factors = sym_has_factors((sym_op)n->op) ? n->count : 0;
    return factors * sizeof(double) + n->count * sizeof(sym);
}

double *sym_take_payload(sym_graph *g, size_t bytes);

#define SYM_BIT(op) (UINT64_C(1) << (op))

static inline const sym *sym_arguments(const sym_node *n)
{
    return (const sym *)(n->payload + (sym_has_factors((sym_op)n->op) ? n->count : 0));
}

/* The slot of a relation's mode, 0: none. */
static inline uint32_t sym_mode_slot(const sym_graph *g, sym node)
{
    return node < g->mode_slot.count ? g->mode_slot.item[node] : 0;
}

static inline void sym_give_mode_slot(sym_graph *g, sym node, uint32_t slot)
{
    while (g->mode_slot.count <= node) list_push(g->home, &g->mode_slot, 0);
    g->mode_slot.item[node] = slot;
}

/* sym_look(), for loops over many nodes. */
static inline sym_view sym_view_of(const sym_graph *g, sym number)
{
    static const uint64_t numbered = UINT64_C(1) << SYM_VARIABLE | UINT64_C(1) << SYM_CELL |
                                     UINT64_C(1) << SYM_INPUT | UINT64_C(1) << SYM_CALL |
                                     UINT64_C(1) << SYM_ELEMENT | UINT64_C(1) << SYM_INTERVAL;
    _Static_assert(SYM_OP_COUNT <= 64, "a bit for each operation");
    const sym_node *n = &g->node.item[number];
    sym_view view = {
        .op = (sym_op)n->op, .count = n->count, .argument = sym_arguments(n), .value = n->value};
    if (sym_has_factors(view.op)) view.factor = n->payload;
    if (numbered >> view.op & 1) {
        view.id = (uint32_t)n->value;
        view.order = n->order;
    }
    return view;
}

#endif
