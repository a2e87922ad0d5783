/* Algorithms, run symbolically: the bodies of functions, and the algorithm sections of a model.
 *
 * A variable's value is an expression. If a condition is not a number, both branches are executed,
 * and each variable becomes `if condition then ... else ...` of its two values. */
#ifndef MODEL_EXECUTE_H
#define MODEL_EXECUTE_H

#include "model/reader.h"

/* One algorithm while it runs. */
typedef struct model_run {
    const model_class *function; /* NULL: an algorithm of the model */
    bool guarded;          /* the current statement depends on a condition that is not a number */
    bool returned, broken; /* by return; by break, until its loop ends */
} model_run;

/* Run statements in r->mode.run. */
void model_execute(model_reader *r, const model_clauses *list);

/* Assign a value to a variable that is declared like `s` and stored at `target`. */
void model_assign(model_reader *r, model_span at, const model_symbol *s, model_value *target,
                  model_value *value);

/* The variables that statements assign to, each once. */
typedef struct model_targets {
    const model_meaning **item;
    size_t count, capacity;
    uint32_t mark; /* the mark of symbols in the list */
} model_targets;

/* Make an empty list; add the variables that statements assign to. */
model_targets model_new_targets(model_reader *r);
void model_find_targets(model_reader *r, const model_clauses *list, model_targets *targets);

/* Note assert(condition, message, level), to be checked where the guards around it hold
 * (assertion.c). */
void model_assert(model_reader *r, model_expression *call);

#endif
