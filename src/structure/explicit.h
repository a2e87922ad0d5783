/* Takes variables that their author gives explicitly, v = expression, out of the equations.
 *
 * What remains is the core: fewer unknowns and equations over the same graph. Each v is replaced by
 * its expression, and its derivatives by the derivatives of the expression. So der(x) = v makes v
 * the derivative of x, a definition costs nothing in an integration, and a constraint y = f(x)
 * among differentiated variables holds exactly. A variable is replaced only
 *   - if it is the derivative of another, v = der(x); or
 *   - if it is not differentiated itself; or
 *   - if the expression contains only differentiated variables and no derivative of them, and
 * cannot turn errors of these into much larger ones of v. It is not replaced by an expression that
 * contains a derivative in which an equation of the core would not be linear: as an unknown of its
 * own it has a tolerance, and its jumps are detected. It is not replaced if its author wants it as
 * a state, or if that would make many equations depend on many variables (the product rule of
 * Markowitz, Management Sci. 3 (1957)).
 *
 * A replacement does not change the degrees of freedom of the equations, but it may change what
 * their structure suggests. If u = a + b occurs in two equations, the structure assigns one of them
 * to u. If both contain a + b instead, the structure suggests that they determine a and b. A
 * replacement that fills in no entry, by one variable or in one equation, keeps what an assignment
 * can reach. */
#ifndef STRUCTURE_EXPLICIT_H
#define STRUCTURE_EXPLICIT_H

#include "symbolic/system.h"

/* A residual as it is, or as it was before a combination replaced it (conversion.h). */
typedef struct core_part {
    sym residual;
    sym made; /* of other parts and their derivatives: part k is the variable first_part + k.
                 SYM_NONE: it is none, or that is not known */
    bool known;
    uint32_t deepest; /* how often it differentiates parts that are no combinations */
} core_part;

typedef struct explicit_core {
    size_t n;           /* equations and unknowns that remain */
    sym *residual;      /* n: lhs - rhs of each, in remaining unknowns */
    uint32_t *equation; /* n: its number in the system */
    uint32_t *unknown;  /* n: ids of the unknowns that remain, ascending */
    size_t known;       /* of a part of a core: further unknowns after these, which other equations
                           determine and which count as known; otherwise 0 */
    uint32_t
        *column_of; /* system's unknowns: place among those that remain; INCIDENCE_NONE: replaced */
    sym *value;     /* system's unknowns: the expression that replaces it, or its own leaf */
    uint32_t *given_by;      /* system's unknowns: the equation that defines it, INCIDENCE_NONE */
    const uint32_t *highest; /* system's unknowns: their highest derivative in the equations; not
                                counted where nothing is replaced */
    bool bent;               /* an equation is still not linear in the highest derivatives */
    size_t divisors;         /* conversion.h: divisors of combinations, which may vanish */
    const sym *divisor;      /* divisors */
    bool partly;             /* conversion.h: some parts for which there may be none are as given */
    /* What residuals that are combinations are made of. n: the part that each residual is. NULL: no
     * residual is a combination. */
    const uint32_t *part_of;
    const core_part *part;
    uint32_t first_part;
} explicit_core;

/* Which explicit variables are taken out. */
typedef enum explicit_extent {
    EXPLICIT_NONE,        /* none */
    EXPLICIT_NO_FILL,     /* those whose replacement makes no equation depend on more variables */
    EXPLICIT_LITTLE_FILL, /* also those that add few entries to the equations */
    EXPLICIT_SOLVED /* also those for which a linear equation can be solved, as x in x + y = 0 */
} explicit_extent;

/* The core of a square system. In the system's arena, under its protection. */
explicit_core *structure_explicit(const sym_system *system, explicit_extent extent);

/* Rewrite expressions of the system in the core's unknowns. */
void structure_to_core(const sym_system *system, const explicit_core *core, size_t count,
                       sym *roots);

#endif
