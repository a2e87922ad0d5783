/* The choice of explicit variables. Only the files of explicit variables include this header. */
#ifndef STRUCTURE_EXPLICIT_CHOICE_H
#define STRUCTURE_EXPLICIT_CHOICE_H

#include "structure/explicit.h"

/* The fill, (variables in the expression - 1) (equations with v - 2), may not exceed LARGEST_FILL,
 * whether the expression is taken as it stands or in the remaining unknowns. Otherwise a chain of
 * small definitions, each also used elsewhere, would fill half a matrix. MANY variables exceed it
 * in any case. */
enum { LARGEST_FILL = 12, MANY = LARGEST_FILL + 2 };

/* The two directions of a search through the definitions: towards needed unknowns, and towards
 * unknowns that need one. */
enum { DOWN, UP };

/* The definition of to[UP] contains to[DOWN]; linked in two lists. */
typedef struct need {
    uint32_t to[2];
    uint32_t next[2]; /* the next need of the same unknown, NO_NEED after the last */
} need;

enum { NO_NEED = INT32_MAX };

/* One direction of a search. */
typedef struct front {
    uint32_t *seen;  /* unknowns: round of the last search that met it */
    uint32_t *first; /* unknowns: its first need */
    LIST(uint32_t) pending;
    size_t work; /* needs visited in this round */
} front;

typedef struct choice {
    const sym_system *system;
    sym_graph *g;
    arena *a;
    size_t unknowns;
    uint32_t *uses;     /* unknowns: equations in which it occurs */
    bool *switched;     /* unknowns: it occurs in an equation whose variables change with modes */
    uint32_t *highest;  /* unknowns: highest derivative that occurs */
    uint32_t *chained;  /* unknowns: the same, with those of the names of its derivatives */
    sym *definition;    /* unknowns: the expression as it stands, SYM_NONE */
    bool *defines;      /* equations: whether it is used as a definition */
    uint32_t *given_by; /* unknowns: the equation that defines it */
    LIST(need) need;
    front front[2]; /* DOWN, UP */
    uint32_t round;
    LIST(uint32_t) pending;
    size_t largest_fill;
    explicit_extent extent;
    bool reinit;       /* an event sets states */
    bool *solved;      /* unknowns: defined by an equation that was solved for it */
    const bool *plain; /* unknowns: may only be replaced by an expression without derivatives */
} choice;

/* Count in which equations unknowns occur, and how often they are differentiated. */
void explicit_count(choice *c);

/* Take the equation v = expression as the definition of v, if that is allowed. */
bool explicit_define(choice *c, uint32_t equation, sym side, sym expression);

/* Whether an expression is the first derivative of an unknown. */
bool explicit_is_derivative(const choice *c, sym expression);

/* Whether errors of the variables from which v would be computed do not become errors of v that are
 * larger by more than the factor `steepest`, in nominal sizes. A product of amounts with a large
 * equilibrium constant, or a quotient by an amount that may become small, is better solved for the
 * variable that it determines best. */
bool explicit_is_gentle(choice *c, sym expression, uint32_t v, double steepest);

#endif
