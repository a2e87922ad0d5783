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
#ifndef METHOD_FORMULA_H
#define METHOD_FORMULA_H

#include "method/expression.h"
#include "method/method.h"

/* Reads `lines` into `f`, which is all zero. `names` holds the parameters; definitions of the text
 * are added to it. Returns NULL, or what is wrong, as a phrase. */
const char *formula_read(method_multistep *f, const char *lines, definitions *names);

#endif
