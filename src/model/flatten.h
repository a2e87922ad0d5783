/* Conversion of the equations of the text to scalar equations. */
#ifndef MODEL_FLATTEN_H
#define MODEL_FLATTEN_H

#include "model/reader.h"

/* A scalar equation. One that is not between continuous values defines a discrete variable. */
typedef struct model_scalar_equation {
    sym lhs, rhs;
    model_clause *from;
    bool other;   /* between values that are not numbers */
    bool defines; /* lhs is a discrete variable, which takes the value rhs */
} model_scalar_equation;

typedef LIST(model_scalar_equation) model_scalar_equations;

/* An assignment to a discrete variable in a when-clause. */
typedef struct model_assignment {
    uint32_t variable;
    sym value;
    model_span at;
    size_t earlier; /* the assignment to the variable before this one */
} model_assignment;

typedef struct model_flattening {
    model_reader *r;
    model_scalar_equations list;       /* so far */
    model_scalar_equations definition; /* of discrete variables, not in the list */
    LIST(model_assignment) assigned;   /* in when-clauses */
    size_t branch;                     /* where the assignments of the present branch begin */
} model_flattening;

/* All equations of the model, with its switches and assertions, into r->system. */
void model_flatten(model_reader *r);

void model_flatten_clauses(model_flattening *f, const model_clauses *list);

/* lhs = rhs, element by element; both have the same size. */
void model_emit(model_flattening *f, model_clause *from, const model_value *lhs,
                const model_value *rhs);

/* Whether both sides of an equation have the same type and size; if not, it is reported. */
bool model_sides_fit(model_reader *r, const model_clause *c, const model_value *lhs,
                     const model_value *rhs);

/* when.c: whether a when may stand here; if not, it is reported */
bool model_may_use_when(model_reader *r, const model_clause *c);

void model_flatten_when(model_flattening *f, model_clause *c);

/* One equation `left` = value in the body of a when-clause. */
void model_flatten_in_when(model_flattening *f, const model_clause *c, model_expression *left,
                           const model_value *lhs, const model_value *rhs);

/* Replace the assignments of `count` branches by those of the if that they make up. Branch i has
 * the condition condition[i] (SYM_NONE: else), and its assignments begin at begin[i]. A variable to
 * which no branch that is taken assigns keeps its value. */
void model_merge_assigned(model_flattening *f, size_t count, const sym *condition,
                          const size_t *begin);

/* reinit(x, value) */
void model_reinit(model_reader *r, model_expression *call);

/* Report reinit() of variables that are not states. The equations are in r->system. */
void model_check_resets(model_reader *r);

/* input.c: the equations of inputs that are given from outside */
void model_feed_inputs(model_flattening *f);

/* Notes which inputs keep their start values, once all definitions are known. */
void model_note_held(model_reader *r);

/* definition.c: take the equations that define discrete variables, or their initial values, out of
 * the list */
void model_take_definitions(model_flattening *f);

/* Give the discrete variables their definitions. Reports variables with none or several, and those
 * that depend on themselves. */
void model_define(model_flattening *f);

/* execute.c */
void model_flatten_algorithm(model_flattening *f, const model_algorithm *section);

#endif
