/* The switching part of a model: its relations and what it changes at events.
 *
 * Between events, relations keep their modes and cells their values, so that engines see smooth
 * equations (Modelica 3.6, Sec. 8.5). Relations of the state are root functions. Relations of time
 * alone change at times that are known in advance. At an event, continuous equations, relations and
 * definitions are solved together, round by round, until the values before the event are those
 * behind it (App. B.1). */
#ifndef EVENT_SWITCHING_H
#define EVENT_SWITCHING_H

#include "base/message.h"
#include "formulation/from_model.h"

/* What a relation depends on. */
typedef enum relation_kind {
    RELATION_DISCRETE, /* on cells: it changes at events alone */
    RELATION_TIME,     /* on time and cells, linearly in time: it changes at a known time */
    RELATION_STATE     /* on anything else: its root is located */
} relation_kind;

typedef struct switching_relation {
    relation_kind kind;
    bool kink;        /* equations bend there: nothing is iterated */
    sym_op op;        /* SYM_LESS, SYM_LESS_EQUAL, SYM_EQUAL */
    size_t root;      /* RELATION_STATE: its number as a root function */
    bool crossed;     /* at the present event */
    double left;      /* left - right before the present event, of a crossed one */
    unsigned char is; /* SYM_HELD_FALSE, SYM_HELD_TRUE */
} switching_relation;

typedef struct switching {
    const formulation *f; /* the present one */
    const sym_system *system;
    size_t relations, roots;
    switching_relation *relation; /* relations */
    size_t *of_root;              /* roots: its relation */
    double *value, *size;         /* relations: left - right, |left| + |right| */
    sym_tape *slope;              /* relations: the derivative of left - right by time itself */
    double *by_time;              /* relations */
    sym_tape *definition;         /* of the discrete variables */
    sym_tape *action;             /* conditions, then values */
    sym_tape *left;               /* values of continuous variables for pre() */
    double *defined, *acted, *was_left;
    size_t *reinit;         /* actions: the entry of z that reinit() sets; SIZE_MAX: none */
    double *factor;         /* actions: of that entry in the variable */
    double *input;          /* time, then z */
    double *before;         /* z at the beginning of a search for modes */
    unsigned char *visited; /* SWITCHING_MOST_VISITED x relations: modes that were tried */
    bool starting;          /* at the start, conditions cannot have risen */
    bool finishing;         /* in the last event of a run, samples are not taken once more */
    bool behind;            /* relations of time are those just behind the present instant */
    double direction;       /* of time */
} switching;

enum { SWITCHING_MOST_VISITED = 64 };

/* The way to solve the continuous equations: z (f->p->size) holds the values of the states, of
 * which nothing changes; highest derivatives and algebraic variables become consistent in the
 * present modes. `moved`: states have been reinitialised. A status with its message in m. */
typedef dae_status (*switching_resolve)(void *self, double t, double *z, bool moved, message *m);

typedef struct switching_result {
    bool terminates;    /* by terminate() ... */
    const char *reason; /* ... with this message */
    size_t rounds;
    bool moved; /* a state has been reinitialised */
} switching_result;

/* Of a formulation, in its arena and under its protection; NULL: nothing switches in it. Modes and
 * cells, which belong to the graph, stay as they are. */
switching *switching_create(const formulation *f);

/* Before a start: frees all modes, and gives discrete variables the values that they have before
 * the start. */
void switching_reset(const sym_system *system);

/* The root functions (roots) at z: left - right of the relations of the state. */
void switching_roots(switching *s, double t, const double *z, double *value);

/* The side of 0 on which each root function (roots) is by its mode, +1 or -1; 0: it is not watched.
 */
void switching_sides(const switching *s, signed char *side);

/* The first time behind t at which a relation of time changes, or a sample is taken; infinite:
 * there is none. */
double switching_next(switching *s, double t, double direction);

/* At the start, while the search for consistent values goes on: gives cells the values of their
 * definitions at z. Returns whether one has changed. Relations are free. */
bool switching_define(switching *s, double t, const double *z);

/* At the end of the start, with consistent z: holds the relations, and iterates the event of the
 * start. */
dae_status switching_begin(switching *s, double t, double *z, switching_resolve resolve, void *self,
                           message *m, switching_result *result);

/* An event at t: z, consistent in the modes before it, becomes the state behind it. crossed
 * (roots): as in events.h. Statuses of `resolve`; DAE_EVENT_LOOP if the iteration does not end;
 * DAE_ASSERTION. */
dae_status switching_settle(switching *s, double t, const signed char *crossed, double *z,
                            switching_resolve resolve, void *self, message *m,
                            switching_result *result);

/* Whether sample i is taken at t. */
bool switching_is_sampled(const switching *s, size_t i, double t);

/* Append a relation as its author wrote it. */
void switching_name(const switching *s, size_t root, text *t);

/* Append, with commas, the relations of time that change at t and the samples that are taken there.
 */
void switching_name_due(switching *s, double t, text *to);

/* The values of all relations at z, into s->value, s->size and s->by_time. */
void switching_look(switching *s, double t, const double *z);

/* Whether relation k holds by its value. */
bool switching_holds(const switching *s, size_t k);

#endif
