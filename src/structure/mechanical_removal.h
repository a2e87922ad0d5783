/* Taking names out of equations in rounds: what mechanical_names.c chooses by rules is done here.
 *
 * In a round each definition is free of what other definitions of the round define, so that all of
 * them are put in at once. */
#ifndef STRUCTURE_MECHANICAL_REMOVAL_H
#define STRUCTURE_MECHANICAL_REMOVAL_H

#include "structure/mechanical_names.h"

/* What an equation holds, looked at again when the equation has changed. */
typedef struct mechanical_contents {
    sym of;
    size_t leaves;
    sym_view *leaf;          /* leaves */
    bool derivatives;        /* of first or higher order */
    bool velocities_alone;   /* no others than first ones of variables with second ones */
    bool algebraic, blocked; /* holds an algebraic variable; one that may name an acceleration */
} mechanical_contents;

/* c1 v + c2 der(x) + ... = 0, in which v may be called the velocity of x. */
typedef struct mechanical_kinematic {
    uint32_t equation, velocity, coordinate;
} mechanical_kinematic;

typedef struct mechanical_removal {
    mechanical_names *names;
    sym_graph *g;
    arena *a;
    size_t equations, unknowns;
    mechanical_contents *holds; /* equations */
    sym *definition;            /* unknowns: in this round, or SYM_NONE */
    bool *needed;               /* unknowns: by a definition of this round */
    bool *may_accelerate;
    uint32_t *by_velocity, *by_coordinate; /* unknowns: kinematic equations that would name it */
    LIST(mechanical_kinematic) kinematic;
    LIST(sym) root;
    size_t defined; /* in this round */
} mechanical_removal;

/* c1 a + c2 b = 0 with numbers c1 and c2. */
bool removal_two_terms(const mechanical_removal *r, size_t i, sym_view *a, sym_view *b);

/* Of two terms: whether their factors are of one size, with the sign of c1/c2 that is given or any
 * for 0; all but for rounding. */
bool removal_equal_factors(const mechanical_removal *r, size_t i, int sign);

/* A leaf of a variable that is nowhere differentiated, and no parameter. */
bool removal_is_algebraic(const mechanical_removal *r, const sym_view *leaf);

/* The variables that stand in the sum alone, times a number: the k-th, or SYM_NONE after the last.
 */
sym removal_single(const mechanical_removal *r, size_t i, uint32_t k, sym_view *leaf);

/* Look at all equations again. */
void removal_survey(mechanical_removal *r);

/* Forget the definitions of the last round. */
void removal_begin_round(mechanical_removal *r);

/* Take equation i, the sum of `factor` times the variable v and what is free of v, as the
 * definition of v, unless one of this round needs v or is needed by it. */
bool removal_define(mechanical_removal *r, size_t i, uint32_t v, sym leaf);

/* Put the definitions of this round in; false where there are none. */
bool removal_end_round(mechanical_removal *r);

#endif
