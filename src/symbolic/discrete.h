/* The discrete part of a system: what changes at events alone (Modelica 3.6, Sec. 8.3.5, 8.5, App.
 * B).
 *
 * A discrete variable has two cells (cells.h): its value, and its value before the event. At an
 * event, the continuous equations, the relations and all definitions are solved together. Then the
 * values before become the present ones, and this is repeated until nothing changes. All syntax is
 * made of this. A when-clause is a discrete variable without a name for each condition, which has
 * risen where it is true and was not before; what the clause assigns has the definition
 *     if <condition has risen> then <value> else pre(v).
 * floor(x) is a discrete variable with that definition, and with relations that are watched. */
#ifndef SYMBOLIC_DISCRETE_H
#define SYMBOLIC_DISCRETE_H

#include "base/place.h"
#include "symbolic/cells.h"
#include "symbolic/node.h"
#include "symbolic/said.h"

typedef enum sym_discrete_type {
    SYM_REAL_TYPE,
    SYM_INTEGER_TYPE,
    SYM_BOOLEAN_TYPE,
    SYM_ENUMERATION_TYPE
} sym_discrete_type;

typedef struct sym_discrete {
    const char *name; /* the author's; for a condition or a whole part: as it is written */
    place at;
    sym_discrete_type type;
    uint32_t cell, pre; /* cells of its value, and of its value before the event */
    sym definition;     /* its value at an event, by unknowns, time, relations and cells */
    bool is_whole;      /* the whole part of an expression, by the function `name` ... */
    sym step;          /* ... by how much what its relations compare changes between two of them; */
    bool is_interval;  /* or the number of the interval of a list in which that is: */
    uint32_t bounds;   /* the list of the lower bounds of all intervals, and one more */
    bool is_condition; /* of a when-clause: at the start it cannot have risen ... */
    bool at_start;     /* ... unless it is initial() */
    bool waits;        /* nothing else makes that clause act at the start, either */
    double start;      /* of its value before the start, may be traced; of a Boolean 0 or 1 */
    bool start_given, fixed;
} sym_discrete;

/* pre(x) of a continuous variable: its value before the event, or before the present round of the
 * event's iteration. */
typedef struct sym_left {
    uint32_t unknown, cell;
} sym_left;

/* sample(start, interval): a cell that is 1 during the events at start + k interval, k >= 0. */
typedef struct sym_sample {
    uint32_t cell;
    sym start, interval; /* numbers */
    place at;
} sym_sample;

/* An initial equation of a discrete variable: its value at the start, or before it. */
typedef struct sym_initially {
    uint32_t discrete; /* number of the variable */
    bool before;       /* pre(v) = value */
    sym value;
    place at;
} sym_initially;

typedef enum sym_action_kind { SYM_REINIT, SYM_TERMINATE, SYM_ASSERT } sym_action_kind;

/* What is done once in each round of an event's iteration where `condition` holds. */
typedef struct sym_action {
    sym_action_kind kind;
    sym condition;        /* has risen */
    uint32_t unknown;     /* SYM_REINIT: the variable that takes ... */
    sym value;            /* ... this value. SYM_ASSERT: what must hold */
    const char *message;  /* of the others, */
    const sym_said *said; /* ... with its values; NULL: it has none */
    bool warning;         /* SYM_ASSERT */
    place at;
} sym_action;

/* A relation whose change of value is an event though no equation switches by it. */
typedef struct sym_watched {
    sym relation;
    bool kink; /* of abs, min, max, ...: equations bend there; nothing is iterated */
} sym_watched;

typedef struct sym_discrete_part {
    LIST(sym_discrete) variable;
    LIST(sym_left) left;
    LIST(sym_sample) sample;
    LIST(sym_initially) initially;
    LIST(sym_action) action;
    LIST(sym_watched) watched;
    struct {
        bool used;
        uint32_t cell;
    } initial, terminal; /* initial() and terminal() */
} sym_discrete_part;

/* Whether anything changes at events, beside relations in equations. */
bool sym_has_discrete(const sym_discrete_part *d);

/* All expressions of the part: definitions, values, conditions. In `a`, under its protection. */
size_t sym_discrete_roots(arena *a, const sym_discrete_part *d, sym **roots);

/* A copy in another arena, under its protection. */
sym_discrete_part sym_discrete_copy(arena *a, const sym_discrete_part *from);

/* A visit to each expression of a copy. */
void sym_discrete_visit(sym_discrete_part *copy, sym_visit *visit, void *context);

#endif
