/* Values of a variable at which branches of equations meet: where laws may be flat (flat_laws.h).
 */
#ifndef SYMBOLIC_FLAT_JOINTS_H
#define SYMBOLIC_FLAT_JOINTS_H

#include "symbolic/system.h"

/* The value of a variable at which branches meet. */
typedef struct flat_joint {
    sym leaf, at;
    uint32_t id; /* of the variable */
} flat_joint;

/* A law that is flat on one side of a joint. */
typedef struct flat_half {
    sym leaf, at; /* SYM_NONE: there is none of this unknown */
    size_t equation;
    int rises; /* as in flat_laws */
    sym rest; /* what it leaves at the joint, which rises with the variable, if states determine it;
                 SYM_NONE: they do not */
} flat_half;

typedef struct flat_laws {
    sym_system *system;
    sym_graph *g;
    arena *a;
    bool *moves;      /* of each unknown: its derivative occurs */
    flat_half *half;  /* of each unknown */
    bool *jumps;      /* of each unknown: an equation jumps there */
    sym *stands_for;  /* of each cell: what the variable compares whose value it is; SYM_NONE: it
                         may remember something */
    bool *is_told;    /* of each equation: it says what a variable is that no other one holds */
    flat_joint joint; /* under examination, and */
    bool below;       /* the side of it that is looked at */
    int straight;     /* flat_is_law(): the side with a slope, +1 above the joint, -1 below it; 0:
                         none has one; and */
    int rises;        /* +1 if the residual rises with the variable, -1 if it falls; 0: not known */
} flat_laws;

/* Whether a - b changes its sign at one value of an algebraic variable; *rises with it. */
bool flat_find_joint(const flat_laws *l, sym a, sym b, flat_joint *found, bool *rises);

/* What a node compares: a < b, min(a, b), abs(a) with b = 0. */
bool flat_find_compared(const flat_laws *l, sym node, sym *a, sym *b);

/* Whether f changes from one branch to another one at the joint. */
bool flat_changes_anywhere(flat_laws *l, sym f);

/* lhs - rhs. */
sym flat_residual(const flat_laws *l, const sym_equation *e);

/* Whether the branches of an equation have the same value at the joint. */
bool flat_is_continuous(flat_laws *l, const sym_equation *e);

/* The same, and a slope of 0 there in its variable: on both sides, or on one of them if the other
 * one leads on from it. Branches that other conditions choose are looked at one by one. */
bool flat_is_law(flat_laws *l, const sym_equation *e);

/* Whether its residual as a whole is such a law, flat on one side. */
bool flat_meets_half(flat_laws *l, const sym_equation *e);

/* Whether v is a product with an odd power of argument i, above 1; whether an equation that holds
 * such a power of the joint's variable has no slope in it. */
bool flat_is_odd_power(const sym_view *v, uint32_t i);
bool flat_holds_power(flat_laws *l, const sym_equation *e);

/* The sign of what f gains as the variable rises from the joint; 0: it is not known. */
int flat_direction(flat_laws *l, sym f);

/* Relations at the joint are evaluated literally in the equation. The joint itself belongs to the
 * straight side, if there is one, so that the law has a slope there. */
void flat_make_literal(flat_laws *l, sym_equation *e);

/* flat_relations.c: at joints of laws that are flat on one side, relations compare what states
 * determine, where they do. */
void flat_compare_states(flat_laws *l);

#endif
