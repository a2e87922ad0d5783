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
    sym path;                    /* the condition under which the current statement is reached */
    bool guarded;                /* that condition is no number */
    bool returned, broken;       /* by return; by break, until its loop ends */
} model_run;

/* Run statements in r->mode.run. */
void model_execute(model_reader *r, const model_clauses *list);

/* Give a variable that is declared like `s`, and is stored at `target`, a value. */
void model_assign(model_reader *r, model_span at, const model_symbol *s, model_value *target,
                  model_value *value);

/* The symbols that statements assign to, each once. */
typedef LIST(const model_meaning *) model_targets;
void model_find_targets(model_reader *r, const model_clauses *list, model_targets *targets);

/* Note assert(condition, message, level) for wherever `path` holds (assertion.c). */
void model_assert(model_reader *r, model_expression *call, sym path);

#endif
