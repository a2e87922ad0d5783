/* Conversion of the equations of the text to scalar equations. */
#ifndef MODEL_FLATTEN_H
#define MODEL_FLATTEN_H

#include "model/reader.h"

/* Checks of constructs for events. Events are not supported yet, but mistakes in them are reported.
 */

/* The remedy where events are not supported. */
#define MODEL_WITHOUT_EVENTS \
    "events are not simulated yet; an if-expression is evaluated as it stands, without an event"

/* A variable that is defined by an equation, assigned in a when-clause, or reinitialised. */
typedef struct model_defined {
    model_node node; /* uses: the definitions of the Boolean variables in its value */
    uint32_t id;     /* of its leaf */
    sym value;
    model_span at;
    const char *name;
    const model_clause *when; /* NULL: an equation that always holds */
} model_defined;

typedef struct model_events {
    LIST(model_defined) boolean;  /* Boolean variable = value */
    LIST(model_defined) assigned; /* in when-clauses */
    LIST(model_defined) reinit;
} model_events;

/* Report Boolean loops, variables assigned in several when-clauses, and reinit() of variables that
 * are not states. The equations are in r->system. */
void model_check_events(model_reader *r, model_events *events);

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

/* Whether both sides of an equation have the same type and size; if not, it is reported. */
bool model_sides_fit(model_reader *r, const model_clause *c, const model_value *lhs,
                     const model_value *rhs);

/* event.c */
void model_flatten_when(model_flattening *f, model_clause *c);
void model_flatten_in_when(model_flattening *f, model_clause *c); /* one equation in its body */
void model_flatten_reinit(model_flattening *f, model_expression *call);

/* execute.c */
void model_flatten_algorithm(model_flattening *f, const model_algorithm *section);

#endif
