/* A method as text: Butcher's tableau as its source prints it, in lines that end with ";":
 *
 * - "g = 1/4;"             a name for a number (expression.h); parameters of the row are names, too
 * - "c | a_1 a_2 ...;"     a stage; elements that are left out behind are zero
 * - "  | b_1 b_2 ...;"     the weights; the last stage's row where this line is left out
 * - "^ | b^_1 b^_2 ...;"   embedded weights, at most twice
 * - "e | e_1 e_2 ...;"     the same by differences: b^ = b - e
 * - "c | a_1 a_2 ...;"     behind the weights: further stages, for dense output
 * - "~ | r_1 r_2 ...;"     dense output: the next of the bumps r below, at most four
 * - "z | d_1 d_2 ...;"     behind the stages of a half-explicit method: the last row of d
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

#include "method/expression.h"
#include "method/method.h"

/* Reads `lines` into `m`. Its numbers are zero, unless the family has computed them, and then the
 * lines only add to them. `names` holds the parameters; definitions of the lines are added to it.
 * Returns NULL, or what is wrong, as a phrase. */
const char *tableau_read(method *m, const char *lines, definitions *names);

#endif
