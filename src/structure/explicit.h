/* Variables that their author gives explicitly, v = expression, taken out of the equations.
 *
 * What remains is the core: fewer unknowns and equations over the same graph, in which each v has
 * been replaced, its derivatives by the derivatives of the expression. So der(x) = v makes v the
 * derivative of x, a definition costs nothing in an integration, and a constraint y = f(x) among
 * differentiated variables holds exactly. A variable goes only
 *   - if it is the derivative of another, v = der(x); or
 *   - if it is not differentiated itself; or
 *   - if the expression holds differentiated variables alone and no derivative of them, and cannot
 *     make errors of these much larger ones of v;
 * and not by an expression that holds a derivative in which an equation of the core would not be
 * linear: as an unknown of its own it has a tolerance, and is seen to jump. It does not go where
 * its author wants it as a state, or where it would make many equations depend on
 * many variables (the product rule of Markowitz, Management Sci. 3 (1957)).
 *
 * A replacement does not change how many degrees of freedom the equations have, but it may change
 * what their structure says of them: u = a + b in two equations says that one of these is for u;
 * of two equations in a + b the structure believes that they determine both a and b. A replacement
 * that fills in no entry, by one variable or in one equation, keeps what an assignment can reach.
 */
#ifndef STRUCTURE_EXPLICIT_H
#define STRUCTURE_EXPLICIT_H

#include "symbolic/system.h"

typedef struct explicit_core {
    size_t n;           /* equations and unknowns that remain */
    sym *residual;      /* n: lhs - rhs of each, in remaining unknowns */
    uint32_t *equation; /* n: its number in the system */
    uint32_t *unknown;  /* n: ids of the unknowns that remain, ascending */
    uint32_t
        *column_of;     /* system's unknowns: its place among them, INCIDENCE_NONE where replaced */
    sym *value;         /* system's unknowns: the expression that replaces it, or its own leaf */
    uint32_t *given_by; /* system's unknowns: the equation that it was taken from, INCIDENCE_NONE */
    bool bent;          /* an equation is not linear in the highest derivatives, all the same */
    size_t divisors;    /* conversion.h: what combinations divide by, which may vanish */
    const sym *divisor; /* divisors */
} explicit_core;

/* Which of them are taken out. */
typedef enum explicit_extent {
    EXPLICIT_NONE,       /* everything is left as it is */
    EXPLICIT_NO_FILL,    /* those that make no equation depend on more variables */
    EXPLICIT_LITTLE_FILL /* and those that add few entries to the equations */
} explicit_extent;

/* The core of a square system. In the system's arena, under its protection. */
explicit_core *structure_explicit(const sym_system *system, explicit_extent extent);

/* Rewrite expressions of the system in the core's unknowns. */
void structure_to_core(const sym_system *system, const explicit_core *core, size_t count,
                       sym *roots);

#endif
