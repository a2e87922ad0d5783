/* The discrete part of the system while a model is read (symbolic/discrete.h): variables that
 * change at events alone, conditions of when-clauses, whole parts, and what is done at events. */
#ifndef MODEL_DISCRETE_H
#define MODEL_DISCRETE_H

#include "model/reader.h"

/* A new discrete variable with its cells. It keeps its value until it gets another definition.
 * Returns its number. */
uint32_t model_new_discrete(model_reader *r, const char *name, place at, model_type type);

/* A cell that belongs to no discrete variable. Returns its number. */
uint32_t model_new_cell(model_reader *r, const char *name);

/* The leaves of the value of a discrete variable, and of its value before the event. */
sym model_value_leaf(const model_reader *r, uint32_t variable);
sym model_before_leaf(const model_reader *r, uint32_t variable);

/* The discrete variable whose value this node is (before: its value before the event).
 * MODEL_NO_VARIABLE if it is another node. */
uint32_t model_variable_of(const model_reader *r, sym node, bool before);

/* The same among the variables that the author declared. */
uint32_t model_declared_of(const model_reader *r, sym node, bool before);

/* A discrete variable for a condition, whose text is `name`. Returns the node that is true in the
 * event at which the condition becomes true (Modelica 3.6, Sec. 8.3.5.1). */
sym model_rising(model_reader *r, const char *name, model_span at, sym condition, bool at_start);

/* The condition of a branch of a when-clause: the node that is true where it, or one element of
 * it, has become true. SYM_NONE: it is no condition (reported). */
sym model_when_condition(model_reader *r, model_expression *e);

/* Whether all conditions around the current place hold. */
sym model_reached(const model_reader *r);

/* Note what is done at events where the conditions around the current place hold. */
void model_act(model_reader *r, sym_action action);

/* terminate(message) */
void model_terminate(model_reader *r, model_expression *call);

/* The message of an assert or terminate, in the system's memory (message.c). */
typedef struct model_said {
    const char *text;
    const sym_said *said; /* with its values; NULL: it has none */
} model_said;

model_said model_message(model_reader *r, model_expression *e);

/* Watch a relation, because equations bend or jump where it changes. */
void model_watch(model_reader *r, sym relation, bool kink);

/* Traits of nodes. */
typedef enum model_trait {
    TRAIT_CHANGES = 1,   /* changes between events, too (Modelica 3.6, Sec. 3.8.3, 3.8.4) */
    TRAIT_UNKNOWN = 2,   /* contains an unknown, outside of relations */
    TRAIT_CONDITION = 4, /* is made of the conditions of when-clauses alone */
    TRAIT_WHOLE = 8,     /* is a whole number */
    TRAIT_WATCHED = 16,  /* a relation that is watched */
    TRAIT_PINNED = 32,   /* its numbers keep their values, so that it stays whole */
    TRAIT_FOUND = 64     /* contains a parameter that the start finds, outside of relations */
} model_trait;

bool model_has_trait(model_reader *r, sym node, model_trait trait);

/* Keep the numbers of a whole number that follow from parameters, outside of relations, so that it
 * stays one. */
void model_pin_whole(model_reader *r, sym root);

/* iteration.c: whether what a function relates here follows from many relations, one after the
 * other, so that it has no event. */
bool model_is_iterated(model_reader *r, sym x);

/* body_relations.c: gives relations in the bodies of when-clauses their modes, where the instants
 * at which they change are found. */
void model_settle_body_relations(model_reader *r);

#endif
