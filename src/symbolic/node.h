/* The expression graph, which holds every expression once.
 *
 * Nodes are hash-consed: two expressions that are built alike are the same node. So common
 * subexpressions are shared by construction, and equality is equality of numbers. A node is never
 * changed. Its arguments have smaller numbers than itself, so a loop over ascending numbers visits
 * arguments first, and neither this file nor its users need recursion.
 *
 * Sums and products have a normal form:
 *   sum      value + factor[0] argument[0] + factor[1] argument[1] + ...
 *   product  argument[0]^factor[0] argument[1]^factor[1] ...
 * Arguments ascend, so that like terms meet and cancel. Numbers are folded. Relations and logical
 * operations have the value 1 or 0. The builders of simplify.h make nodes; node.h reads them. */
#ifndef SYMBOLIC_NODE_H
#define SYMBOLIC_NODE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t sym; /* the number of a node in its graph */

#define SYM_NONE UINT32_MAX

typedef enum sym_op {
    SYM_CONSTANT,
    SYM_TIME,
    SYM_VARIABLE, /* a variable or one of its time derivatives */
    SYM_CELL,     /* a number that is held between events: cells.h */
    SYM_SUM,
    SYM_PRODUCT,
    SYM_POWER, /* argument[0] ^ argument[1], where the exponent is not a number */
    SYM_ATAN2,
    SYM_INPUT, /* a function of argument[0] that is given from outside, or one of its derivatives */
    SYM_CALL,  /* an output of a function of which no formula is known: calls.h */
    SYM_ELEMENT,  /* of a list, the one with the number argument[0]: lists.h */
    SYM_INTERVAL, /* between numbers of a list in which argument[0] is */
    SYM_MIN,
    SYM_MAX,
    SYM_LESS,       /* argument[0] < argument[1] */
    SYM_LESS_EQUAL, /* argument[0] <= argument[1] */
    SYM_EQUAL,
    SYM_AND,
    SYM_OR,
    SYM_NOT,
    SYM_IF, /* argument[0] ? argument[1] : argument[2] */
#define X(operation, name, value, derivative) SYM_##operation,
#include "symbolic/functions.def"
#undef X
    SYM_OP_COUNT
} sym_op;

typedef struct sym_graph sym_graph;

/* A node as it can be read; pointers stay valid as long as the graph. */
typedef struct sym_view {
    sym_op op;
    uint32_t count;       /* of arguments */
    const sym *argument;  /* count */
    const double *factor; /* count: coefficients of a sum, exponents of a product; else NULL */
    double value;         /* of a constant; the number in a sum; of a relation: relations.c */
    uint32_t id, order;   /* of a variable, cell or input: its number, and how often it is
                             differentiated; of a choice: the list; of a call: the function and
                             the number of its output */
} sym_view;

/* An empty graph that lives in `a`. Everything that adds nodes runs under arena_protect(a), as
 * this. */
sym_graph *sym_graph_create(arena *a);
arena *sym_graph_arena(sym_graph *g);

sym_view sym_look(const sym_graph *g, sym number);

/* Leaves. A number that is not finite is kept; -0 becomes 0. */
sym sym_number(sym_graph *g, double value);
sym sym_time(sym_graph *g);
sym sym_variable(sym_graph *g, uint32_t id, uint32_t order);

/* The order-th derivative of input `id` at an argument. */
sym sym_input(sym_graph *g, uint32_t id, uint32_t order, sym argument);

/* An input is written as delay(value, lag), instead of as a function of its argument. Under the
 * protection of the graph's arena. */
void sym_call_delay(sym_graph *g, uint32_t id, sym value, sym lag);

/* The same as spatialDistribution(in0, in1, x)[output], from 1. */
void sym_call_transport(sym_graph *g, uint32_t id, const sym *in0_in1_x, uint32_t output);

/* The source of the values of inputs. Without a source they are NaN. A graph has one source, which
 * all of its tapes ask in each evaluation. It may be exchanged between two evaluations. */
typedef struct sym_inputs {
    double (*value)(void *self, uint32_t id, uint32_t order, double argument);
    void *self;
} sym_inputs;

void sym_give_inputs(sym_graph *g, sym_inputs source);

/* A copy in another arena, under its protection: the nodes that `number` keeps, with the numbers
 * that it has for them, relations and inputs. NULL: all, with the same numbers. Traced numbers
 * (traced.h) become plain numbers with their present values, or for `traced` stay as they are. The
 * original is only read, so that several threads may copy it. */
sym_graph *sym_graph_copy(arena *a, const sym_graph *from, bool traced, const sym *number);

/* The numbers that a copy has for the nodes of these expressions, and for what the graph itself
 * says by nodes; SYM_NONE: such a node is not copied. Expressions leave many nodes that nothing
 * refers to: terms of a sum that was formed from two sums, or what the text of a model says before
 * it is simplified. In `a`, under its protection; as many as the graph has nodes. */
sym *sym_number_kept(arena *a, const sym_graph *from, size_t count, const sym *roots);
size_t sym_graph_size(const sym_graph *g); /* its nodes */

/* What is called with each expression of something; it may put another one in its place. */
typedef void sym_visit(void *context, sym *expression);

/* A place in the growth of a graph, to which sym_graph_back() goes back: it gives back the nodes
 * made since then from which nothing is built that is still referred to. Those that stay keep their
 * order, and nodes from before their numbers. visit_held(holder, visit, context) calls visit() once
 * for each place in which somebody keeps the number of a node made since then, which may become
 * another one; NULL: there is none. What sym_forget() gives back goes as well. Under the protection
 * of the graph's arena. */
typedef struct sym_graph_mark {
    size_t nodes;
    arena_mark payload;
    double *next;
    size_t room;
} sym_graph_mark;

typedef void sym_holder(void *holder, sym_visit *visit, void *context);

sym_graph_mark sym_graph_here(const sym_graph *g);
void sym_graph_back(sym_graph *g, sym_graph_mark mark, sym_holder *visit_held, void *holder);

/* Whether a node is a number, and its value. A traced number is pinned if `value` is asked for. */
bool sym_is_number(const sym_graph *g, sym node, double *value);
bool sym_is(const sym_graph *g, sym node, double value);

/* The node of this operation with exactly these arguments; only simplify.c and relations.c call
 * it. */
sym sym_intern(sym_graph *g, sym_op op, double value, uint32_t count, const sym *argument,
               const double *factor);

/* A call as it is; only calls.c calls it. */
sym sym_intern_call(sym_graph *g, uint32_t callee, uint32_t output, const sym *argument);

/* All nodes that `roots` are built from, roots included, in ascending order; the list is valid
 * until the next call on this graph, or, for the second function, as long as the graph. */
size_t sym_reach(sym_graph *g, size_t count, const sym *roots, const sym **reached);
size_t sym_keep_reached(sym_graph *g, size_t count, const sym *roots, const sym **reached);

/* A number for each node that `root` is built from, by those of its arguments: rule(context, node,
 * view, argument), where argument[i] belongs to view->argument[i]. Returns the number of `root`. In
 * the graph's arena, under its protection. */
typedef double (*sym_rule)(void *context, sym node, const sym_view *view, const double *argument);
double sym_fold(sym_graph *g, sym root, sym_rule rule, void *context);

/* The position of `wanted` in such a list, which contains it. */
size_t sym_place(size_t count, const sym *ascending, sym wanted);

/* Whether one of the nodes that `roots` are built from has a wanted operation. */
bool sym_any(sym_graph *g, size_t count, const sym *roots, bool (*is_wanted)(sym_op op));

/* Whether an operation is made of pieces, like abs(), or switches between them; whether one of an
 * expression is. */
bool sym_is_piece(sym_op op);
bool sym_has_pieces(sym_graph *g, sym root);

/* Whether time itself occurs in one of them. */
bool sym_holds_time(sym_graph *g, size_t count, const sym *roots);

/* Expressions as a reader would write them. */

/* Writes the author's name for the k-th time derivative of variable `id`. */
typedef void (*sym_namer)(void *context, text *t, uint32_t id, uint32_t order);

/* Append `f` in the model language. Parts deeper than some 40 levels, or beyond about 400
 * characters, are written as "...". */
void sym_print(const sym_graph *g, sym f, sym_namer name, void *context, text *t);

/* The same of a side of a relation: in brackets where it needs them there. */
void sym_print_side(const sym_graph *g, sym f, sym_namer name, void *context, text *t);

/* Has `f` printed as this text, which is copied, wherever it is no part of a longer sum or product:
 * x - y c as mod(x, y). Under the protection of the graph's arena. */
void sym_write_as(sym_graph *g, sym f, const char *as);

#endif
