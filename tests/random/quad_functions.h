/* sin, cos and exp in quadruple precision, to some units of the last place; compilers come without
 * them. */
#ifndef RANDOM_QUAD_FUNCTIONS_H
#define RANDOM_QUAD_FUNCTIONS_H

#include "base/quad.h"

quad quad_sin(quad x); /* |x| < 1e9 */
quad quad_cos(quad x);
quad quad_exp(quad x); /* |x| < 700 */

#endif
