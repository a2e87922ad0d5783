/* Checks of constructs for events. Events are not supported yet, but mistakes in them are reported.
 */
#ifndef MODEL_EVENT_CHECK_H
#define MODEL_EVENT_CHECK_H

#include "model/reader.h"

/* The remedy where events are not supported. */
#define MODEL_WITHOUT_EVENTS \
    "events are not simulated yet; an if-expression is evaluated as it stands, without an event"

/* A variable that is defined by an equation, assigned in a when-clause, or reinitialised. */
typedef struct model_defined {
    uint32_t id; /* of its leaf */
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

#endif
