/* Numbers of methods as their sources print them: rationals, radicals, roots of polynomials.
 *
 *   sum      = product { ("+" | "-") product }
 *   product  = factor { ("*" | "/") factor }
 *   factor   = [ "-" ] operand [ "^" digits ]
 *   operand  = decimal | name | "(" sum ")" | "sqrt(" sum ")"
 *            | "root(" low "," high "," p_0 "," p_1 { "," p_k } ")"
 *            | "weight(" c_1 "," ... "," c_n "," m_1 "," ... "," m_n ")"
 *
 * root() is the root between low and high of p_0 + p_1 x + p_2 x^2 + ... . weight() is the weight
 * of c_1 in the formula with nodes c_j that has the moments m: sum_j w_j c_j^k = m_k, k = 1 ... n;
 * so the stages of diagonally implicit methods follow from C(n), their weights from B(n). */
#ifndef METHOD_EXPRESSION_H
#define METHOD_EXPRESSION_H

#include "base/quad.h"

#include <stdbool.h>
#include <stddef.h>

enum { DEFINITIONS_MOST = 40, DEFINITION_SIZE = 16 };

/* Names that stand for numbers. */
typedef struct definitions {
    int count;
    char name[DEFINITIONS_MOST][DEFINITION_SIZE];
    quad value[DEFINITIONS_MOST];
} definitions;

/* Adds a name. False if there is no room or the name is too long. */
bool definitions_add(definitions *d, const char *name, size_t length, quad value);

typedef struct expression {
    const char *at;           /* the next character to be read */
    const char *error;        /* what is wrong, as a phrase; NULL while nothing is */
    const definitions *names; /* NULL: none */
    int depth;                /* 0: a blank ends an expression; in parentheses blanks are skipped */
} expression;

/* Reads the expression at e->at, which moves behind it, and returns its value. Values beyond the
 * range of a double are errors as well. After an error the value is meaningless. */
quad expression_value(expression *e);

/* The length of the name at `at`, 0 where none begins there. */
size_t expression_name(const char *at);

#endif
