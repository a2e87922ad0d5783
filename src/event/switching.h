/* The switching part of a model: its relations and what it changes at events.
 *
 * Between events, relations keep their modes and cells their values, so that engines see smooth
 * equations (Modelica 3.6, Sec. 8.5). Relations of the state are root functions. Relations of time
 * alone change at times that are known in advance. At an event, continuous equations, relations and
 * definitions are solved together, round by round, until the values before the event are those
 * after it (App. B.1). */
#ifndef EVENT_SWITCHING_H
#define EVENT_SWITCHING_H

#include "base/message.h"
#include "event/enclosure.h"
#include "event/kept_roots.h"
#include "event/time_roots.h"
#include "formulation/from_model.h"
#include "symbolic/lists.h"
#include "symbolic/specialize.h"

/* What a relation depends on. */
typedef enum relation_kind {
    RELATION_DISCRETE, /* on cells, and on parameters that the start finds: it changes at events
                          alone */
    RELATION_TIME,     /* on time and cells: it changes at times that are known before */
    RELATION_STATE     /* on anything else: its root is located */
} relation_kind;

typedef struct switching_relation {
    relation_kind kind;
    sym_op op;     /* SYM_LESS, SYM_LESS_EQUAL, SYM_EQUAL */
    bool curved;   /* RELATION_TIME: not linear in time */
    bool equates;  /* SYM_EQUAL, on more than cells */
    bool is_found; /* RELATION_DISCRETE: the start finds a parameter in it */
    size_t root;   /* RELATION_STATE: its number as a root function */
    size_t other; /* of x < c and c + 1 <= x, which keep c the whole part of x: the other one, which
                     is 0 as well after the event of the first. SIZE_MAX: there is none */
    size_t whole; /* the number of their whole part; SIZE_MAX: there is none */
} switching_relation;

/* A discrete variable c with the relations x < c y and (c + 1) y <= x, for its value before. */
typedef struct whole_part {
    size_t below, above;    /* the relations */
    uint32_t pre;           /* the cell of its value before */
    const sym_list *bounds; /* of intervals; NULL: of whole parts */
} whole_part;

/* Of what belongs to no part of a model in which something switches. */
#define SWITCHING_NO_PART SIZE_MAX

/* The state of a relation. */
typedef struct relation_state {
    unsigned char is;   /* SYM_HELD_FALSE, SYM_HELD_TRUE */
    bool timed;         /* RELATION_TIME in the equations of all modes: in those of one mode alone a
                           relation of the state may be one of time by chance */
    bool sought;        /* neither time nor cells give it in the equations of all modes: in those of
                           one mode alone its sides may be numbers by chance, as those of a diode
                           beside one that conducts */
    bool kink;          /* equations only bend there: nothing is iterated */
    bool crossed;       /* at the present event */
    unsigned char to;   /* the mode to which it was crossed */
    bool leaves;        /* it has left 0 after that event */
    bool stuck;         /* the equations have no solution there in its other mode */
    double left;        /* left - right before that event, of a crossed one */
    size_t last_event;  /* the number of the last event at which it was crossed; 0: of none */
    double crossed_at;  /* ... and its time */
    bool again;         /* ... which was the one before the present event, at the same instant */
    bool turned;        /* after that event it was 0, and led back from the mode to which it was
                           crossed ... */
    double turned_at;   /* ... at this time */
    double fastest;     /* the largest rate of left - right in the modes tried at that event */
    bool selects;       /* equations hold it */
    bool decides;       /* equations depend on it, by themselves or by what is defined by it */
    bool moves;         /* a reinit() waits for it */
    bool awaited;       /* an action follows from it, or a discrete variable whose value before
                           something depends on */
    signed char thrown; /* at the present event it was led back where it is true: +1; false: -1 */
    bool against;       /* an impulse in its mode has led to the other side; or so it has ... */
    bool pierced;       /* ... of a relation on which no equation depends */
    bool decided;       /* in the solution found last it is 0, and with its value at 0 the equations
                           are missed there */
    bool slides;        /* the first one of a surface: the solution slides along it */
    bool slid;          /* ... and has begun to at the present event */
    bool second;        /* ... with its rate 0 on both sides, where second derivatives tell them
                           apart */
    bool ends;          /* its branch has no values beyond the next event */
    signed char ended;  /* no step is short enough for the branch where the relation is true: +1;
                           false: -1; it counts while the other one is held */
    bool lingers;       /* its rate was 0 at that event, but for the rounding of time */
    signed char passed; /* in the step before the present event the solution has gone through 0 to
                           where the relation is true: +1; false: -1; times the sign of its
                           discrete factor there */
    signed char factor; /* the sign of its discrete factor where its mode was found; 1: it has none
                         */
    unsigned char kept; /* it keeps a mode in the present round, whatever its value is: that mode
                           + 1; 0: it keeps none */
    bool hovers;        /* before the present event it has not been crossed, and has a value that
                           its mode excludes: it is 0 but for errors of the state */
    bool off;           /* before the present event it was 0 in a mode that 0 excludes */
    bool stood;         /* it was 0 before the present event, and has not been crossed */
    signed char share_ends; /* at the present event its share has come to 1: +1; to 0: -1 */
    size_t memory;          /* a discrete variable that depends on its own value before and follows
                               from the relation: its number + 1; 0: there is none */
    size_t surface;         /* the first relation that is 0 where this one is */
    bool opposite;          /* left - right of the two have opposite signs */
    double rounded;         /* what rounding makes of it in the solution that was found last; 0: it
                               was not looked at */
    double equal;           /* the equations of the present mode hold left - right at 0, up to
                               this; 0: they do not */
    bool is_of_state; /* it compares a variable that its author differentiates with a number */
    size_t part;      /* of the model, which nothing links to others at an instant;
                         SWITCHING_NO_PART: it follows from time alone */
} relation_state;

/* The parts of a model that nothing links at the start, those with relations: the number of that to
 * which each relation, unknown, cell, equation and initial equation belongs; SWITCHING_NO_PART. */
typedef struct switching_start_parts {
    size_t count;
    size_t *relation, *unknown, *cell, *equation, *initial;
} switching_start_parts;

/* The modes of a model, whatever formulation its equations have. */
typedef struct switching_modes {
    size_t relations;
    relation_state *relation; /* relations */
    kept_root *root;          /* relations; NULL: no formulation has them yet */
    author *written;          /* of the equations of all modes */
    size_t events;            /* that have passed */
    size_t attempts;          /* solutions of the equations sought at the present event */
    signed char *waiting; /* discrete variables: 1 for a condition that is true since the start */
    bool told_several;    /* a note says that modes had several solutions */
    double t_event;       /* the time of the last event */
    bool told_fold;       /* a note says that algebraic variables have jumped */
    bool told_pierced;    /* a note says that an impulse has led through a relation and back */
    bool told_memory;     /* a note says that a discrete variable waits for such a relation */
    bool told_equal;      /* a note says that equations depend on such a relation */
    bool told_repelling;  /* a note says that both sides of a surface led away from it */
    size_t sliding;       /* the number of surfaces along which the solution slides */
    bool starting;        /* at the start, conditions cannot have risen */
    bool passed_on;       /* at the start, pre() has the values of a round, not those given */
    bool quiet;           /* conditions that become true have been so before */
    bool keeps;           /* relations that were crossed stay so, whatever their values are */
    bool lenient;         /* no relation is excluded by a value that is an error of the state */
    bool jumped;          /* an impulse has moved states, in the last solution of the equations */
    bool lost;            /* ... from values that reinit() had given: modes are none of a solution
                             then, but the impulse tells which relations exclude them */
    bool keeps_given;     /* equations that exclude such values have no solution */
    bool behind;          /* relations of time are those just after the present instant */
    double *unset; /* actions: the value that reinit() has replaced and no equation has met yet;
                      NaN: none */
    double *solved_with;    /* discrete variables: their values in the equations solved last */
    size_t cells;           /* of the model: invariants add more */
    double *was_cell;       /* cells: their values before the present event */
    size_t unknowns;        /* of the model */
    bool *differentiated;   /* unknowns: its author differentiates it, or one that it stands for */
    bool *by_author;        /* unknowns: its author differentiates it */
    double *before;         /* unknowns: their values before the present event ... */
    bool moves;             /* ... at which reinit() or an impulse has moved some since */
    size_t parts, *part_of; /* of the model, those with relations; unknowns: which one */
    switching_start_parts start;
    bool *moved;                     /* parts: `jumped` has moved states of them */
    bool *turned, *singly, *differs; /* parts: scratch of a search for modes (search.c) */
    bool *untold, *left, *seen;      /* parts: the same of vertex.c and of sliding.c, */
    size_t *sliding_in;              /* ... and of shares.c: the surfaces along which it slides */
    double direction;                /* of time */
    double begun;                    /* the time of the start */
    double rtol, atol;               /* tolerances of the state */
} switching_modes;

typedef struct switching {
    const formulation *f; /* the present one */
    const sym_system *system;
    switching_modes *modes; /* shared with those of other formulations */
    size_t relations, roots;
    size_t shares; /* of a sliding motion: one of each surface. Two root functions of each, after
                      those of relations, are its distances from 0 and 1 */
    size_t *share; /* shares: its entry in z; SIZE_MAX: it has none, as other equations give it */
    size_t *slid;  /* shares: the first relation of its surface */
    switching_relation *relation; /* relations */
    size_t *of_root;              /* roots: its relation */
    double *value, *size;         /* relations: left - right, the sum of the sizes of its terms */
    double *terms_of;             /* relations: the same by which rounding of a value is judged */
    double *largest;              /* relations: the same of terms of nominal sizes */
    double *nominal;              /* relations: what errors of the nominal sizes of all variables
                                     make of the value, over their size, at most `largest` */
    size_t *entry;            /* relations: the entry of z by which left - right is affine, if it
                                 depends on nothing else and is a state; SIZE_MAX: there is none */
    double *by_entry;         /* relations: its derivative by that entry */
    size_t *shift;            /* relations: an entry that is a state and by which left - right is
                                 affine; SIZE_MAX: there is none */
    double *by_shift;         /* relations: its derivative by that entry */
    size_t *slow;             /* relations: the same of the rate of left - right */
    double *by_slow;          /* relations */
    bool *chosen;             /* equations of the core: modes choose them, or what is in them */
    bool *replaced;           /* relations: the equations are those of its mode alone */
    bool *of_states;          /* relations: they depend on nothing but states, time and cells */
    sym_tape *terms;          /* relations: those sums, of left - right, then of its rate; then
                                 the first at nominal sizes, the size of what is
                                 compared, and what errors make of it, order by order */
    sym_tape *rate;           /* relations: its time derivative; NaN: not known */
    sym_tape *flow;           /* relations: the flows of the balance that gives it, without signs;
                                 NULL: none are known */
    double *flows;            /* relations: their values; 0: not known */
    bool *factored;           /* relations: they have a discrete factor, as pre(mode)*w < 0 */
    sym_tape *of_cells;       /* relations: these factors; 1 without one */
    double *by_cells;         /* relations: their values */
    double *changes, *summed; /* relations, and the results of `terms`: their values */
    double quickest, moves;   /* the fastest rate of a variable there, in its nominal size, and that
                                 of a variable or a derivative */
    sym_tape *bend;           /* relations: the second time derivative, then the sum of the sizes of
                                 its terms; NaN: not known */
    double *bends;            /* 2 relations: their values */
    enclosure **bent;         /* roots: bounds of those that bend (bent.c); NULL: it does not */
    range *bounds;            /* scratch */
    sym_tape *slope;          /* relations: the derivative of left - right by time itself */
    double *by_time;          /* relations */
    time_roots *curves;       /* of relations that are curved; numbered by `root` */
    size_t wholes;
    whole_part *whole;    /* wholes */
    sym_tape *of_whole;   /* 6 wholes: x, its slope and the size of its terms; the same of y */
    double *compared;     /* 6 wholes: their values */
    sym_tape *definition; /* of the discrete variables */
    sym_tape *action;     /* conditions, then values */
    sym_tape *left;       /* values of continuous variables for pre() */
    double *defined, *redefined, *acted, *was_left;
    size_t *first_said; /* of each action: where among `acted` the values of its message begin */
    char *said;         /* SWITCHING_LONGEST_SAID: the last of these messages */
    size_t *reinit;     /* actions: the entry of z that reinit() sets; SIZE_MAX: none */
    double *factor;     /* actions: of that entry in the variable */
    double *input;      /* time, then z */
    double *before;     /* z at the beginning of a search for modes */
    double *beyond;     /* z, then relations: scratch */
    double *strength;   /* the strengths of impulses of z that have moved states last */
    double *kept;       /* z, and */
    double *kept_cell;  /* cells, and */
    unsigned char *kept_is; /* relations: the modes, and */
    bool *seen;             /* cells: whether equations contain it */
    unsigned char *visited; /* SWITCHING_MOST_VISITED + 1 x relations: modes that were tried, and
                               those of a solution */
} switching;

enum { SWITCHING_MOST_VISITED = 64 };

/* The most bytes of a message with values, with its end. */
enum { SWITCHING_LONGEST_SAID = 1024 };

/* The most relations of a model that may come to rest where events accumulate. */
enum { SWITCHING_MOST_AT_REST = 100 };

/* The way to solve the continuous equations: *z (f->p->size) holds the values of the states, which
 * stay or jump by an impulse; highest derivatives and algebraic variables become consistent in the
 * present modes. *s and *z become others if these modes have another formulation. A status with its
 * message in m. */
typedef dae_status (*switching_resolve)(void *self, double t, switching **s, double **z,
                                        message *m);

/* Called before an event of time that follows at once on the start: with the consistent state
 * there, and what changes, as switching_name_due() has it. */
typedef void (*switching_note)(void *self, double t, const double *z, const char *name);

/* Called at the start once the modes of its first round are found, before anything is done in them,
 * with the state z of the formulation of s, which is the present one: the status ends the event. */
typedef dae_status (*switching_verify)(void *self, double t, const double *z);

/* How events follow each other; as in event_outcome. */
typedef struct switching_gaps {
    double accumulates, nears, recurrence;
} switching_gaps;

typedef struct switching_result {
    bool terminates;    /* by terminate() ... */
    const char *reason; /* ... with this message */
    size_t rounds;
    bool moved;    /* a state has been reinitialised */
    bool switched; /* ... or a discrete variable of the equations, or these are others */
    bool rests;    /* where events accumulate, all is at rest */
    bool blurred;  /* where their gaps shrink, what follows cannot be told from 0 */
    bool recurs;   /* a relation that was crossed had been crossed shortly before, too */
    switching *s;  /* of the formulation after the event ... */
    double *z;     /* ... and the state in it */
} switching_result;

/* The modes of a system's relations, all free. In `a`, under its protection. */
switching_modes *switching_modes_create(arena *a, const sym_system *system);

/* Notes the conditions of when-clauses that were true at the start and have not risen since. */
void switching_tell_waiting(const switching *s, message *m);

/* Of a formulation, in its arena and under its protection; NULL: nothing switches in it. Modes and
 * cells stay as they are. whole: its equations are those of all modes; such a one comes first. */
switching *switching_create(const formulation *f, switching_modes *modes, bool whole);

/* Before a start: frees all modes, and gives discrete variables the values that they have before
 * the start. */
void switching_reset(const sym_system *system, switching_modes *modes);

/* Give the graph of a formulation the modes, and the cells of another graph. */
void switching_adopt(const switching *s, const sym_graph *from);

/* The number of root functions: those of relations of the state, then those of a sliding motion. */
size_t switching_root_count(const switching *s);

/* The root functions at z: left - right of the relations of the state. */
void switching_roots(switching *s, double t, const double *z, double *value);

/* The side of 0 on which each root function (roots) is by its mode, +1 or -1; 0: it is not watched.
 * closed (roots): 0 belongs to that side. */
void switching_sides(const switching *s, signed char *side, bool *closed);

/* How far each root function (roots) may be from 0, where they were evaluated last, and not be told
 * from it. */
void switching_bands(switching *s, double *band, double *edge);

/* How far errors of a step may move each root function (roots), after switching_bands(). */
void switching_errors(const switching *s, double *by);

/* How far rounding may move the root functions (roots) whose relations the equations hold at 0; 0:
 * others. */
void switching_equal(const switching *s, double *by);

/* The value of relation k at 0. */
bool switching_at_zero(const switching *s, size_t k);

/* How far rounding of their terms may have moved the root functions (roots), where they were
 * evaluated last. */
void switching_rounding(switching *s, double *by);

/* Marks in crossed (roots, zeroed), by the sign to which it changes, the root that is nearest to 0
 * of those that come to it and cannot be told from it, where they were evaluated last, with all
 * that have its distance; first of those whose last crossing was no such end. closely: only by the
 * rounding of its terms. band (roots): scratch. Returns whether there is one. */
bool switching_find_ending(switching *s, bool closely, double *band, signed char *crossed);

/* Which leaves the relations of time have, in the equations of all modes. In its arena. */
void switching_find_kept_roots(switching *s, arena *a, sym_graph *g);

/* Whether relation k of time, a curved one, is told from 0 at t; and where it is not, the sign that
 * it has after. */
bool switching_is_clear(const switching *s, size_t k, double t);
signed char switching_sign_behind(const switching *s, size_t k, double t);

/* The first time after t at which it changes. */
double switching_next_root(switching *s, size_t k, double t, double direction);

/* The first time after t at which a relation of time changes, or a sample is taken; infinite:
 * there is none. */
double switching_next(switching *s, double t, double direction);

/* At the start, while the search for consistent values goes on: gives cells the values of their
 * definitions at z. Returns whether one has changed. Relations are free. */
bool switching_define(switching *s, double t, const double *z);

/* At the end of the start, with consistent z: holds the relations, and iterates the event of the
 * start. */
dae_status switching_begin(switching *s, double t, double *z, switching_resolve resolve,
                           switching_verify verify, switching_note note, void *self, message *m,
                           switching_result *result);

/* An event at t: z, consistent in the modes before it, becomes the state after it. crossed
 * (roots), due: as in events.h; samples are taken where t is due alone, not once more at an event
 * within rounding of one that has taken them. Events that accumulate are crossings of the same
 * relations: as many others as there are may come at once by chance. Statuses of
 * `resolve`; DAE_EVENT_LOOP if the iteration does not end; DAE_ASSERTION. */
dae_status switching_settle(switching *s, double t, const signed char *crossed, bool due,
                            const switching_gaps *gaps, double *z, switching_resolve resolve,
                            void *self, message *m, switching_result *result);

/* At the end of an event, where it is known which relations the equations hold at 0: these take the
 * values that they have there, unless the equations are other ones then. Statuses of `resolve`. */
dae_status switching_settle_equal(switching *s, double t, double *z, switching_resolve resolve,
                                  void *self, message *m, switching_result *result);

/* The entries of z that reinit() has just set, each once, and their values before (as many as there
 * are actions); their number. */
size_t switching_reinitialised(const switching *s, size_t *entry, double *before);

/* Whether reinit() has just set any. */
bool switching_reinitialises(const switching *s);

/* Whether sample i is taken at t. */
bool switching_is_sampled(const switching *s, size_t i, double t);

/* Append a relation as its author wrote it. */
void switching_name(const switching *s, size_t root, text *t);

/* Append, with commas, the relations of time that change at t and the samples that are taken there;
 * the samples alone; one relation. */
void switching_name_due(switching *s, double t, text *to);
void switching_name_samples(const switching *s, double t, text *to);
void switching_name_number(const switching *s, size_t relation, text *to);

/* whole_parts.c: finds the whole parts, which are defined as `if x < pre y then ... else if (pre +
 * 1) y <= x then ... else pre`; under the protection of `a`. And gives their relations the values,
 * slopes and sizes of terms where s->input is. */
void switching_find_whole_parts(switching *s, arena *a, sym_graph *g);
void switching_look_at_whole_parts(switching *s);

/* The derivative by time itself, with all variables held. */
sym switching_by_time(sym_graph *g, sym f);

/* The sum of the sizes of the terms of f. */
sym switching_terms(sym_graph *g, sym f);

/* given.c: finds the equations that modes choose, under the protection of `a`: other modes have
 * other ones in their place. */
void switching_find_chosen(switching *s, arena *a, sym_graph *g);

/* given.c: writes expressions f of the core's unknowns in states, as far as equations give by
 * states what else is in them; and their rates, as far as equations give those. */
void switching_to_states(const switching *s, arena *a, sym_graph *g, size_t count, sym *f,
                         sym *rate);

/* Whether all derivatives in f are among those of the prolongation. */
bool switching_knows(const switching *s, sym_graph *g, sym f);

/* bent.c: finds the relations of the state whose course points of a step may not show. Under the
 * protection of `a`. */
void switching_find_bent(switching *s, arena *a, sym_graph *g);

/* Whether a root is of such a relation; and bounds of it and of its derivative in a range of time,
 * with z from low to high. */
bool switching_bends(const switching *s, size_t root);
void switching_enclose(switching *s, size_t root, range time, const double *low, const double *high,
                       range *value, range *slope);

/* effects.c: what errors of the nominal sizes of all variables, times a small number, make of f:
 * the coefficients of the powers of that number from the first one on, SWITCHING_EFFECTS of them.
 * Under the protection of the graph's arena. */
enum { SWITCHING_EFFECTS = 6 };
void switching_effects(const switching *s, sym_graph *g, sym f, sym *effect);

/* rates.c: compiles what tells how relations of the state change. Under the protection of `a`. */
void switching_compile_rates(switching *s, arena *a, sym_graph *g);

/* flows.c: compiles the flows in these rates (relations); and gives their values at s->input. Under
 * the protection of `a`. */
void switching_compile_flows(switching *s, arena *a, sym_graph *g, const sym *rate);
void switching_look_at_flows(switching *s);

/* Two times closer than this are one instant. */
double switching_resolution(double t);

/* The values of all relations at z, into s->value, s->size and s->by_time. */
void switching_look(switching *s, double t, const double *z);

/* Impulses are about to move states: their strengths are not known yet, nor in which parts. */
void switching_jumped(switching *s);

/* against.c: finds the relations that decide, in the formulation of all modes, under the protection
 * of its arena; and those to whose other side the impulses at z have led. */
void switching_find_deciding(switching *s, arena *a, sym_graph *g);

/* against.c: after that, finds the relations that select equations and do not occur in those of the
 * formulation, which are of their present modes alone. */
void switching_find_replaced(switching *s, arena *a, sym_graph *g);
void switching_look_at_impulses(switching *s, double t, const double *z);

/* How far relation k may be from 0 and not be told from it, by the values of the last look. */
double switching_band(const switching *s, size_t k);

/* The same for rounding alone, of the values that are compared or of their nominal sizes, where
 * equations have been solved. */
double switching_rounded(const switching *s, size_t k);

/* The sizes of relations where they were looked at last. */
void switching_take_sizes(switching *s);

/* How relations of the state change where they were looked at last; and whether relation k, which
 * is 0 there but for the errors of the state, clearly leaves 0: *rate becomes its derivative in the
 * direction of time. */
void switching_look_at_rates(switching *s);
bool switching_leaves(const switching *s, size_t k, double *rate);

/* The rates at an instant after an event, which say nothing of how fast relations are at it. */
void switching_look_at_later_rates(switching *s);

/* What rounding may make of a rate of relation k that is 0. */
double switching_rate_rounding(const switching *s, size_t k);

/* The size from which on the rate of relation k is clearly not 0, by its terms there and the rates
 * that it has had in other modes at the present event. */
double switching_clear_rate(const switching *s, size_t k);

/* The surfaces along which the solution slides, by their first relations, ascending. In an arena,
 * under its protection. */
sym_sliding switching_sliding(const switching_modes *m, arena *a);

/* Which they are (relations), and to slide along such ones. */
void switching_sliding_key(const switching_modes *m, unsigned char *key);
void switching_slide_along(switching_modes *m, const unsigned char *key);

/* Whether the solution slides along the surface of relation k. */
bool switching_slides(const switching *s, size_t k);

/* Whether relation k turns back before it comes to 0 by its present rate: so small a rate tells
 * nothing, as that near the end of a spiral. By the last switching_look_at_rates(). */
bool switching_bends_back(switching *s, size_t k);

/* The second time derivative of relation k where it was looked at last, and the size of its terms;
 * NaN: it is not known. */
double switching_bend(switching *s, size_t k, double *size);

/* Whether it is clearly not 0, by this part of its terms, as that of the height of a ball that
 * stands still in the air. */
#define SWITCHING_PULLED 1e-3
bool switching_is_pulled(switching *s, size_t k);

/* decided.c: whether relation k of the state is 0 in the last look, but for rounding, in a mode
 * that 0 excludes, and has an effect there. Where a variable keeps its value before, as that of a
 * friction that sticks, the mode is one of several that are all right. */
bool switching_is_decidable(const switching *s, size_t k);

/* Marks those of some relations with this (open, relations) with whose values at 0 the equations as
 * written are missed at z: `decided`. */
dae_status switching_decide(switching *s, double t, const double *z, const bool *open);

/* Whether relation k holds by its value. */
bool switching_holds(const switching *s, size_t k);

#endif
