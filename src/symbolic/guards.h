/* What guards roots, logarithms and divisors. */
#ifndef SYMBOLIC_GUARDS_H
#define SYMBOLIC_GUARDS_H

#include "symbolic/system.h"

/* Of each of these nodes (count, ascending: all that a system's equations are built from), whether
 * an expression that may lack a value depends on it at an instant: the argument of a root or a
 * logarithm, or a divisor. Arguments depend on what they are built from, on what the equations that
 * define their variables are built from, and on all of a loop of equations that determines one of
 * them. Derivatives and algebraic variables pass this on. States do not: they keep their values.
 *
 * An exponential has values everywhere, but they soon grow too large: it depends on what its
 * argument is built from by definitions alone, as in exp(min(u, 40)).
 *
 * In the system's arena, under its protection. */
const bool *sym_find_guards(const sym_system *system, size_t count, const sym *node);

#endif
