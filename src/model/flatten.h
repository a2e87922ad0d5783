/* Conversion of the equations of the text to scalar equations. */
#ifndef MODEL_FLATTEN_H
#define MODEL_FLATTEN_H

#include "model/event_check.h"
#include "model/reader.h"

typedef struct model_scalar_equation {
    sym lhs, rhs;
    model_clause *from;
} model_scalar_equation;

typedef LIST(model_scalar_equation) model_scalar_equations;

typedef struct model_flattening {
    model_reader *r;
    bool initial;                /* of a section `initial equation` */
    const model_clause *when;    /* the when-clause around; NULL: none */
    model_scalar_equations list; /* so far */
    model_events events;
} model_flattening;

/* All equations of the model, with its switches and assertions, into r->system. */
void model_flatten(model_reader *r);

void model_flatten_clauses(model_flattening *f, const model_clauses *list);

/* lhs = rhs, element by element; both have the same size. */
void model_emit(model_flattening *f, model_clause *from, const model_value *lhs,
                const model_value *rhs);

/* if_equation.c */
void model_flatten_if(model_flattening *f, model_clause *c);

/* when_equation.c */
void model_flatten_when(model_flattening *f, model_clause *c);
void model_flatten_in_when(model_flattening *f, model_clause *c); /* one equation in its body */
void model_flatten_reinit(model_flattening *f, model_expression *call);

/* algorithm_section.c */
void model_flatten_algorithm(model_flattening *f, const model_algorithm *section);

#endif
