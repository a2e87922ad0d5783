/* Evaluation: expressions as a list of register instructions.
 *
 * This header is the only interface to evaluation: users do not see whether an interpreter or
 * machine code does it. Each shared subexpression is computed once. There is no recursion, and no
 * allocation but, once, that of machine code: a tape has its own work space, so one evaluation of
 * it runs at a time. */
#ifndef SYMBOLIC_TAPE_H
#define SYMBOLIC_TAPE_H

#include "linalg/sparse.h"
#include "symbolic/node.h"

#include <stddef.h>

typedef struct sym_tape sym_tape;

/* Expressions built alike are evaluated together where they are at least so many. Then variables
 * that stand in a row cost less. */
enum { SYM_TAPE_LANES = 64 };

/* The place of a leaf's value: an index into the input array. `leaf` is SYM_TIME or
 * SYM_VARIABLE. */
typedef size_t (*sym_slot)(void *context, const sym_view *leaf);

/* Compile `count` expressions over an input of `inputs` numbers. The tape lives in `a`; only under
 * arena_protect(a). */
sym_tape *sym_tape_compile(arena *a, sym_graph *g, size_t count, const sym *outputs, size_t inputs,
                           sym_slot slot, void *context);

/* Numbers that an evaluation goes through: a measure of its cost. */
size_t sym_tape_work(const sym_tape *tape);
size_t sym_tape_inputs(const sym_tape *tape);

/* Evaluate all outputs. Input and output do not overlap. */
void sym_tape_eval(const sym_tape *tape, const double *input, double *output);

/* A tape of some outputs alone, which costs what they do: of count outputs, by their numbers, over
 * `inputs` of the inputs, by their numbers, the first of which is 0. In `a`, under its protection;
 * NULL if they depend on other inputs, or on calls and functions of the time that only the whole
 * knows. room: as many numbers as sym_tape_work() says, all 0, and so they are again. */
sym_tape *sym_tape_part(arena *a, const sym_tape *whole, size_t count, const size_t *output,
                        size_t inputs, const size_t *input, uint32_t *room);

/* Sparse matrices of expressions, such as Jacobians. */

typedef struct sym_entry {
    uint32_t row, column;
    sym value;
} sym_entry;

typedef LIST(sym_entry) sym_entries;

typedef struct sym_matrix {
    sparse_pattern *pattern;
    sym_tape *tape;        /* of the entries that are not numbers */
    size_t varying;        /* how many those are */
    uint32_t *place;       /* varying: place of each among the nonzeros */
    const double *numbers; /* nonzeros: the entries that are numbers, 0 elsewhere */
    size_t nonzeros;       /* of the pattern */
    double *work;          /* varying: values of the tape */
} sym_matrix;

/* A matrix of the given entries, at most one per place, over inputs as in sym_tape_compile(). In
 * `a`, under its protection. */
sym_matrix *sym_matrix_compile(arena *a, sym_graph *g, size_t rows, size_t columns,
                               const sym_entries *entries, size_t inputs, sym_slot slot,
                               void *context);

/* The column for the partial derivative by a leaf (SYM_TIME or SYM_VARIABLE), or SIZE_MAX to leave
 * it out. */
typedef size_t (*sym_column)(void *context, size_t row, const sym_view *leaf);

/* The partial derivatives of `rows` expressions by the leaves to which `column` assigns a column.
 * In `a`, under its protection. */
sym_entries sym_jacobian_entries(arena *a, sym_graph *g, size_t rows, const sym *f,
                                 sym_column column, void *context);

/* Some nonzeros of a matrix alone, as sym_tape_part(); the part has no pattern. varying_of: for
 * each nonzero of the whole, the how manieth of `place` it is, counted from 1, or 0. */
sym_matrix *sym_matrix_part(arena *a, const sym_matrix *whole, size_t nonzeros,
                            const uint32_t *nonzero, const size_t *varying_of, size_t inputs,
                            const size_t *input, uint32_t *room);

/* A measure of the cost, as sym_tape_work(). */
size_t sym_matrix_work(const sym_matrix *m);

/* All entries, in the pattern's order. */
void sym_matrix_eval(const sym_matrix *m, const double *input, double *value);

#endif
