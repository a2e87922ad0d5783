/* Algorithms, run symbolically: the bodies of functions, and the algorithm sections of a model.
 *
 * A variable's value is an expression. Where a condition is no number, both ways are gone and each
 * variable becomes `if condition then ... else ...` of its two values. */
#ifndef MODEL_EXECUTE_H
#define MODEL_EXECUTE_H

#include "model/reader.h"

/* One algorithm while it runs. */
typedef struct model_run {
    const model_class *function; /* NULL: an algorithm of the model */
    bool guarded;                /* the current statement is reached under a condition, no number */
    bool returned, broken;       /* by return; by break, until its loop ends */
} model_run;

/* Run statements in r->mode.run. */
void model_execute(model_reader *r, const model_clauses *list);

/* Give a variable that is declared like `s`, and is stored at `target`, a value. */
void model_assign(model_reader *r, model_span at, const model_symbol *s, model_value *target,
                  model_value *value);

/* The variables that statements assign to, each once. */
typedef struct model_targets {
    const model_meaning **item;
    size_t count, capacity;
    uint32_t mark; /* that symbols have which are in the list */
} model_targets;

/* An empty list; and the addition of what statements assign to. */
model_targets model_new_targets(model_reader *r);
void model_find_targets(model_reader *r, const model_clauses *list, model_targets *targets);

/* Note assert(condition, message, level) for where the guards around it hold (assertion.c). */
void model_assert(model_reader *r, model_expression *call);

#endif
