/* A system of equations as its author wrote it, without the syntax: scalar variables and scalar
 * equations over one expression graph. A model's text is flattened into it. Structure analysis,
 * formulations and initial values read it. */
#ifndef SYMBOLIC_SYSTEM_H
#define SYMBOLIC_SYSTEM_H

#include "base/arena.h"
#include "base/place.h"
#include "base/text.h"
#include "symbolic/discrete.h"
#include "symbolic/node.h"
#include "symbolic/said.h"

#include <daedal/problem.h>

#include <stdbool.h>
#include <stddef.h>

/* How much the author wants a variable to be a state (Modelica 3.6, Sec. 4.4.4.3), in ascending
 * order. */
typedef enum sym_select {
    SYM_SELECT_NEVER,
    SYM_SELECT_AVOID,
    SYM_SELECT_DEFAULT,
    SYM_SELECT_PREFER,
    SYM_SELECT_ALWAYS
} sym_select;

/* A scalar unknown; its number in the list is the id of its leaves in the graph. */
typedef struct sym_unknown {
    const char *name;      /* the author's, quotes dropped; elements as x[2], A[1,3] */
    const char *unit;      /* as written, "" if none */
    place at;              /* its declaration */
    sym_select select : 8; /* stateSelect */
    bool start_given : 1, fixed : 1;
    bool sized : 1;   /* whether a nominal is given */
    bool bounded : 1; /* its author says that it is from min to max, one of which may be infinite */
    bool discrete : 1;  /* the value of a discrete variable (discrete.h): its equation says that
                           alone */
    bool input : 1;     /* of the model, from outside */
    bool supplied : 1;  /* an input without an equation of the model's own */
    bool output : 1;    /* of the model */
    bool open : 1;      /* an input of a component that nothing is connected to */
    bool parameter : 1; /* a parameter with fixed = false: unknown, constant in time */
    double start;       /* a guess, or the value if fixed; 0 if none is given */
    double nominal;     /* a typical size, > 0; 1 if none is given */
    double min, max;
} sym_unknown;

/* A scalar parameter with a value, for lists of them. */
typedef struct sym_parameter {
    const char *name, *unit; /* as those of unknowns */
    const char *type;        /* "Real", "Integer", "Boolean", "String", "enumeration" */
    place at;
    double value;     /* traced or plain; of an enumeration the number of the literal */
    const char *text; /* of a string; NULL */
} sym_parameter;

/* A scalar equation lhs = rhs. */
typedef struct sym_equation {
    sym lhs, rhs;
    place at;
    const char
        *text; /* as written, on one line and shortened; "" where it stands for a declaration */
    uint32_t
        element;   /* which scalar equation of an array equation or loop, from 1; 0: the only one */
    bool selected; /* in one mode of a system: other modes may have other branches of it */
    bool unconnected; /* its left side is a flow of a connector to which nothing is connected */
} sym_equation;

typedef LIST(sym_equation) sym_equations;

/* assert(condition, message, level) */
typedef struct sym_assertion {
    sym condition;
    const char *message;
    const sym_said *said; /* the message with its values; NULL: it has none */
    place at;
    bool warning; /* AssertionLevel.warning: noted, not fatal */
} sym_assertion;

/* What an entry in the list of delays is. Three of them in this order make a transport,
 * spatialDistribution(in0, in1, x, ...): its content moves by x between its ends at 0 and 1. */
typedef enum sym_delay_kind {
    SYM_DELAYED,
    SYM_LEAVES_RIGHT, /* value: in0; lag: 1 - x. What leaves at 1 is an input of that */
    SYM_LEAVES_LEFT,  /* value: in1; lag: -x. What leaves at 0 is an input of that */
    SYM_CARRIER       /* value: x; lag: 1 where it moves to the right, else 0. No input */
} sym_delay_kind;

/* delay(value, lag): in equations it is input k of the graph at time - lag, where k is its number
 * in the list. Before the start it has its value at the start. */
typedef struct sym_delay {
    sym_delay_kind kind;
    sym value, lag;
    sym start, slope;           /* at the start: what the input stands for, and its derivative */
    sym most;                   /* number: the largest lag */
    bool varies;                /* the lag is not a number, or it is none */
    size_t first_point, points; /* of a carrier: its content at the start, in system->content */
    size_t
        assertion; /* of a lag that varies: the number of the one that it is within 0 to `most` */
    const char *text; /* as written */
    place at;
} sym_delay;

/* The content of a transport at a place between its ends, at the start: numbers. */
typedef struct sym_content {
    sym at, value;
} sym_content;

/* An expression that keeps its value along a solution, as its author says. */
typedef struct sym_invariant {
    sym value;
    place at;
    const char *text;
    uint32_t element; /* of a vector of invariants, from 1; 0: the only one */
} sym_invariant;

/* What a new unknown of an embedding (embedding.h) stands for: a derivative of an unknown. */
typedef struct sym_held {
    uint32_t of, order;
} sym_held;

/* An equation that leaves open how fast an unknown changes where this has a certain value. */
typedef struct sym_flat {
    uint32_t unknown;
    size_t equation;
} sym_flat;

/* The unknown w = sign(X)*sqrt(abs(X)), and its equation: odd_roots.h. */
typedef struct sym_root {
    uint32_t unknown;
    size_t equation;
    sym of; /* X */
} sym_root;

/* The start value of an unknown that is not fixed, where it depends on parameters that are found at
 * the start. */
typedef struct sym_start_law {
    uint32_t unknown;
    sym value;
} sym_start_law;

typedef struct sym_system {
    arena *memory; /* holds everything here; not owned */
    sym_graph *graph;
    const char *name; /* of the model */
    place at;         /* where the model is declared */
    const char *file; /* the file that it was read from, for messages */
    LIST(sym_unknown) unknown;
    LIST(sym_parameter) parameter; /* of copies those that are 0, for messages */
    size_t hidden; /* the last unknowns that stand for what der() is applied to, as in der(sign(x)),
                      or for roots, and have an equation each; results do not show them */
    sym_equations equation, initial;
    LIST(sym_start_law) start_law;
    sym_equations implied; /* equations of an author that others imply (embedding.h): these are
                              measured, and not solved */
    LIST(sym_held) held;   /* what the last unknowns of an embedding stand for */
    LIST(sym_assertion) assertion;
    LIST(sym_delay) delay;
    LIST(sym_content) content;
    LIST(sym_invariant) invariant;
    dae_experiment experiment;
    sym_discrete_part discrete;
    LIST(place) switches; /* relations that switch without their instant being located */
    LIST(sym_flat) flat;  /* laws that are flat at a point: flat_laws.h */
    LIST(sym_root) root;  /* roots with a sign: odd_roots.h */
    struct {
        size_t count;  /* of calls homotopy(actual, simplified) whose values differ */
        bool led;      /* they are lead*actual + (1 - lead)*simplified; otherwise they are actual */
        uint32_t lead; /* a cell */
    } homotopy;
} sym_system;

/* A copy in another arena, under its protection. It shares nothing with the original:
 * sym_graph_copy() copies its graph, with plain numbers in place of traced ones unless `traced`.
 * Start values become plain. */
sym_system *sym_system_copy(arena *a, const sym_system *from, bool traced);

/* lhs - rhs of an equation by its number, which is formed once. Under the protection of the graph's
 * arena. */
sym sym_residual(const sym_system *system, size_t equation);

/* Number the relations of the equations, initial equations, delayed expressions, invariants and the
 * discrete part, each once (relations.h). Relations that occur only in
 * assertions stay without a mode, since they choose no branch. Under the protection of the system's
 * arena. */
void sym_system_number_relations(const sym_system *system);

/* Whether one of the sides of equation i is made of pieces (sym_has_pieces()). */
bool sym_equation_has_pieces(const sym_system *system, size_t i);

/* Marks the cells that equations contain, in `cell` (their number), but for the equations that give
 * discrete variables their names in the results. Under the protection of the system's arena. */
void sym_system_find_cells(const sym_system *system, bool *cell);

/* What delays stand for at the start: replaces each in `roots` by its expression in `value`
 * (delay.count), and derivatives of delays by their slopes, or 0. The delays within these
 * expressions are replaced first. Under the protection of the system's arena. */
void sym_system_undelay(const sym_system *system, sym *value, size_t count, sym *roots);

/* Appends a line that says of which parameter a term of an equation is left out, as it is 0. */
void sym_name_left_out(const sym_system *system, const sym_equation *e, text *t);

/* Append an equation in a form in which its author finds it: "x^2 + y^2 = L^2 (pendulum.mo:12)". */
void sym_equation_name(const sym_system *system, const sym_equation *e, text *t);

/* The same of the equation differentiated `order` times: "the derivative of x^2 + ...". */
void sym_derivative_name(const sym_system *system, const sym_equation *e, size_t order, text *t);

/* Append a relation or a discrete variable as a reader would write it. */
void sym_condition_name(const sym_system *system, sym condition, text *t);

#endif
