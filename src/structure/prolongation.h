/* A system with some of its equations differentiated: the equations f_i, f_i', ..., f_i^(c_i) over
 * the unknowns x_j, x_j', ..., x_j^(d_j).
 *
 * All tapes of one prolongation share one input vector: time, then the derivatives of each unknown
 * in order, then any extra slots that a user appends. */
#ifndef STRUCTURE_PROLONGATION_H
#define STRUCTURE_PROLONGATION_H

#include "structure/explicit.h"
#include "symbolic/tape.h"

typedef struct prolongation_tapes prolongation_tapes;

typedef struct prolongation {
    sym_graph *g;
    prolongation_tapes *tapes; /* what has been compiled: see prolongation_tape() */
    size_t n;                  /* equations and unknowns */
    size_t columns;            /* n, and unknowns that count as known (explicit_core.known) */
    const uint32_t *c;         /* n */
    const uint32_t *d;         /* columns */
    const uint32_t *unknown;   /* columns: ids */
    const uint32_t *column_of; /* id -> column, INCIDENCE_NONE */
    size_t *first;       /* columns + 1: the first place of each unknown's derivatives; the last one
                            is size */
    size_t size;         /* sum of d_j + 1 */
    size_t *first_row;   /* n + 1 */
    size_t rows;         /* sum of c_i + 1 */
    sym *row;            /* rows: f_i^(k) at first_row[i] + k */
    sym_entries *system; /* structure_system_entries(), once they have been asked for */
} prolongation;

/* Differentiate the core's equations c_i times. d_j must be at least the highest order that then
 * occurs; that of unknowns that count as known is found. In `a`, under the protection of the
 * graph's arena as well. */
prolongation *structure_prolong(arena *a, sym_graph *g, const explicit_core *core,
                                const uint32_t *c, const uint32_t *d);

/* The entries of the system Jacobian, taken from the undifferentiated equations: df_i / dx_j^(d_j -
 * c_i). That is the simplest of the equal forms. They are found once, in the arena of the
 * prolongation, under its protection. */
const sym_entries *structure_system_entries(const prolongation *p);
void prolongation_forget_entries(const prolongation *p); /* they are found anew if asked for */

/* The place of a leaf in the input: 0 is time, 1 + first[j] + k the k-th derivative of unknown j. A
 * sym_slot with the prolongation as its context. */
size_t prolongation_slot(void *prolonged, const sym_view *leaf);

/* The number of inputs of tapes over a prolongation. */
size_t prolongation_inputs(const prolongation *p);

/* The place of a leaf among the `size` derivatives of unknowns; SIZE_MAX for time. A sym_column
 * with the prolongation as its context. */
size_t prolongation_column(void *prolonged, size_t row, const sym_view *leaf);

/* Expressions, a matrix of them, and the Jacobian of `rows` expressions by all `size` derivatives,
 * compiled over the inputs of a prolongation. In `a`, under its protection. Tapes and Jacobians in
 * the arena of the prolongation are compiled once: the same expressions give the same tape. */
sym_tape *prolongation_tape(arena *a, const prolongation *p, size_t count, const sym *f);
sym_matrix *prolongation_matrix(arena *a, const prolongation *p, size_t rows, size_t columns,
                                const sym_entries *entries);
sym_matrix *prolongation_jacobian(arena *a, const prolongation *p, size_t rows, const sym *f);

/* Has p take tapes from `other` as well, where both have the same inputs. Both live in one arena.
 */
void prolongation_share(prolongation *p, const prolongation *other);

/* For sym_graph_back(): the expressions that a prolongation refers to, but for those of tapes that
 * it shares with others, unless `tapes`. */
void prolongation_visit(prolongation *p, bool tapes, sym_visit *visit, void *context);

/* The j < n for which first[j] <= index < first[j + 1]. first (n + 1) ascends, as that of
 * derivatives or of rows. */
size_t prolongation_group(const size_t *first, size_t n, size_t index);

#endif
