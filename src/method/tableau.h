/* A method as text: Butcher's tableau as its source prints it, in lines that end with ";":
 *
 * - "g = 1/4;"             a name for a number (expression.h); parameters of the row are names, too
 * - "c | a_1 a_2 ...;"     a stage; elements left out at its end are zero
 * - "  | b_1 b_2 ...;"     the weights; the last stage's row where this line is left out
 * - "^ | b^_1 b^_2 ...;"   embedded weights, at most twice
 * - "e | e_1 e_2 ...;"     the same by differences: b^ = b - e
 * - "c | a_1 a_2 ...;"     after the weights: further stages, for dense output
 * - "~ | r_1 r_2 ...;"     dense output: the next of the bumps r below, at most four
 * - "z | d_1 d_2 ...;"     after the stages of a half-explicit method: the last row of d
 *                          (half_explicit.h), and the first stage takes z from the step before
 * - "# | c_1 c_2 ...;"     alone: collocation at these nodes
 * - "decimals;"            the numbers were published as decimals
 *
 * Expressions are separated by blanks, and hold blanks only in parentheses. With r_m = h sum r_mi
 * Y_i', dense output is the cubic Hermite polynomial of both ends of the step, plus
 *
 *   x^2 (1-x)^2 (r_1 + x (r_2 + (1-x) (r_3 + x r_4))),
 *
 * where the derivative at the end of the step is that of the first stage that ends there: c = 1 and
 * a = b (Hairer, Norsett & Wanner I, Sec. II.6, and codes DOPRI5, DOP853). */
#ifndef METHOD_TABLEAU_H
#define METHOD_TABLEAU_H

#include "base/quad.h"
#include "method/method.h"

#include <stdbool.h>
#include <stddef.h>

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

enum { DEFINITIONS_MOST = 40, DEFINITION_SIZE = 16 };

/* Names that stand for numbers. */
typedef struct definitions {
    int count;
    char name[DEFINITIONS_MOST][DEFINITION_SIZE];
    quad value[DEFINITIONS_MOST];
} definitions;

/* The number of a name of `length` bytes; NULL where it stands for nothing. */
const quad *definitions_find(const definitions *d, const char *name, size_t length);

/* Adds a name. False if there is no room or the name is too long. */
bool definitions_add(definitions *d, const char *name, size_t length, quad value);

typedef struct expression {
    const char *at;     /* the next character to be read */
    const char *error;  /* what is wrong, as a phrase; NULL while nothing is */
    definitions *names; /* NULL: none */
    int depth;          /* 0: a blank ends an expression; in parentheses blanks are skipped */
    bool takes_open;    /* "?" in a row stands for NAN, a number that is still to be found */
} expression;

/* Keeps the first error. Returns 0. */
quad expression_fail(expression *e, const char *error);

/* Reads the expression at e->at, which moves after it, and returns its value. Values beyond the
 * range of a double are errors as well. After an error the value is meaningless. */
quad expression_value(expression *e);

/* The length of the name at `at`, 0 where none begins there. */
size_t expression_name(const char *at);

/* Numbers up to the end of a line, at most `most`; more are the error `too_many`. Returns how many.
 */
int expression_row(expression *e, int most, const char *too_many, quad *value);

/* Reads lines that end with ";". Those as "g = 1/4;" add a name to e->names. read_line(self) reads
 * the others from e->at up to their end; NULL: they are errors. Returns e->error. */
const char *expression_lines(expression *e, void (*read_line)(void *self), void *self);

/* A multistep method as text, in lines that end with ";" (method_multistep in method.h has the
 * formulas):
 *
 * - "g = 1/4;"                 a name for a number (expression.h); parameters are names, too
 * - "alpha | a_0 ... a_k;"     the coefficients of y, the newest point's last
 * - "beta  | b_0 ... b_k;"     those of y'; of a one-leg method the weights of the point in between
 * - "gamma | g_0 ... g_k;"     tau, which makes it a blocked method
 * - "one-leg;", "variable;"    what the method is
 *
 * A coefficient "?" of alpha or beta is determined by the order conditions, the lowest first:
 *
 *   sum_j alpha_j j^q = q sum_j beta_j j^(q-1),  q = 0, 1, ...,
 *
 * as many of them as there are such coefficients, from q = 1 on where alpha has none (Hairer,
 * Norsett & Wanner I, Thm III.2.4). */

/* Reads `lines` into `f`, which is all zero. `names` holds the parameters; definitions of the text
 * are added to it. Returns NULL, or what is wrong, as a phrase. */
const char *formula_read(method_multistep *f, const char *lines, definitions *names);

/* Reads `lines` into `m`. Its numbers are zero, unless the family has computed them, and then the
 * lines only add to them. `names` holds the parameters; definitions of the lines are added to it.
 * Returns NULL, or what is wrong, as a phrase. */
const char *tableau_read(method *m, const char *lines, definitions *names);

#endif
