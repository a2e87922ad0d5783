/* Exact derivatives and substitution. */
#ifndef SYMBOLIC_DERIVE_H
#define SYMBOLIC_DERIVE_H

#include "symbolic/node.h"

/* The total derivative by time: d/dt of a variable's k-th derivative is its (k+1)-th. */
sym sym_time_derivative(sym_graph *g, sym f);

/* A partial derivative of an expression by one of its leaves (a variable's derivative, or time). */
typedef struct sym_partial {
    sym leaf, value;
} sym_partial;

typedef LIST(sym_partial) sym_partials;

/* All partial derivatives of `f` that are not zero, in one backward sweep. The adjoint of each node
 * is formed once, so the cost is that of f, whatever the number of leaves (Griewank & Walther,
 * Evaluating Derivatives, 2nd ed. 2008, Sec. 3.2). Leaves ascend. `list` is emptied first. */
void sym_gradient(sym_graph *g, sym f, sym_partials *list);

/* Replace leaves: `replace(context, leaf)` returns the replacement of a variable's derivative, or
 * the leaf itself. Results replace the entries of `roots`. */
typedef sym (*sym_replacement)(void *context, sym leaf);
void sym_substitute(sym_graph *g, size_t count, sym *roots, sym_replacement replace, void *context);

/* Rebuild expressions from their leaves: `image(context, old, rebuilt)` returns what stands for the
 * node `old`, whose form over the images of its arguments is `rebuilt`. Results replace the entries
 * of `roots`. */
typedef sym (*sym_image)(void *context, sym old, sym rebuilt);
void sym_transform(sym_graph *g, size_t count, sym *roots, sym_image image, void *context);

/* Keep exponential and hyperbolic functions from dying out. Where an argument is so large that the
 * function is flat or negligible, the argument's sine takes its place, in all functions of it. So
 * exp(u) exp(-u) stays 1, but exp(2 u) is no longer exp(u)^2 where u is large. A term that is zero
 * at a point only because it has died out there is not zero any more. Results replace the entries
 * of `roots`. */
void sym_enliven(sym_graph *g, size_t count, sym *roots);

/* Write expressions that contain one another by their names. An expression that is part of another
 * one is replaced there by its name; of equal expressions, all but the first become the name of the
 * first. Leaves and numbers stay. A chain of n definitions becomes n short ones. */
void sym_abbreviate(sym_graph *g, size_t count, sym *roots, const sym *name);

/* Write f as slope * leaf + rest, where neither contains the leaf. False if f is not of this form,
 * or free of the leaf. */
bool sym_split_linear(sym_graph *g, sym f, sym leaf, sym *slope, sym *rest);

/* Replace one leaf. Results replace the entries of `roots`. */
void sym_substitute_leaf(sym_graph *g, size_t count, sym *roots, sym leaf, sym by);

/* Replace each variable that has a definition by it, and its derivatives by derivatives of it.
 * definition[id]: SYM_NONE where there is none. Results replace the entries of `roots`. */
void sym_substitute_definitions(sym_graph *g, size_t count, sym *roots, const sym *definition);

/* A variable's derivative that occurs in an expression. */
typedef struct sym_leaf {
    sym node;
    uint32_t id, order;
} sym_leaf;

/* Whether a node is such a leaf, and which. */
bool sym_as_leaf(const sym_graph *g, sym node, sym_leaf *leaf);

/* The variables of `f`, with their orders, nodes ascending. The list stays until sym_forget(). */
size_t sym_leaves(sym_graph *g, sym f, const sym_leaf **leaves);

/* Give back what is kept of variables, of derivatives by them and of residuals, so that nobody
 * computes them twice, and the table in which nodes are found. They are found anew where they are
 * asked for. */
void sym_forget(sym_graph *g);

/* The highest order among them; 0 where there are none. */
uint32_t sym_highest_order(sym_graph *g, sym f);

#endif
