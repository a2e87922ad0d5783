/* The root of a function between two points where it has different signs.
 *
 * Chandrupatla's method (Adv. Eng. Softw. 28 (1997) 145) interpolates inversely by a quadratic
 * where the last three values are known to allow that, and halves elsewhere. The bracket always
 * holds the root. Evaluations until a bracket of length 1 is as short as 2^-50, mean and (most), of
 * 2000 polynomials of degree 3 to 8 each: with random coefficients; with 3 or 5 roots within 1e-6
 * to 1e-1 of each other; with a root of multiplicity 3, 5 or 7; with a root beside 0 and values
 * that grow by up to 1e24; x^8 - r^8 with a root beside 1.
 *
 *                                      random      cluster     flat         steep       late
 *     bisection                        50.0 (50)   50.0 (50)   50.0 (50)    50.0 (50)   50.0 (50)
 *     Illinois, every third halves     16.3 (28)   45.0 (79)   119.5 (143)  27.6 (53)   9.6 (19)
 *     Illinois                          9.2 (14)   48.7 (100)  196.4 (296)  35.6 (182)  7.1 (12)
 *     Anderson and Bjorck               7.5 (14)   48.1 (107)  211.7 (312)  10.1 (97)   5.7 (11)
 *     Brent                            10.1 (38)   41.1 (75)   137.0 (150)   9.7 (30)  12.1 (29)
 *     ITP                               9.7 (51)   46.0 (51)   51.0 (51)    22.4 (51)   8.1 (51)
 *     Chandrupatla                      7.5 (10)   22.2 (34)   54.1 (63)    11.3 (19)   8.9 (10)
 */
#ifndef EVENT_BRACKET_H
#define EVENT_BRACKET_H

#include <stdbool.h>

typedef struct bracket_end {
    double x, value;
    bool behind; /* the root lies before it: the sign has changed, or the value is 0 */
} bracket_end;

typedef struct bracket {
    bracket_end newest, other, last; /* `newest` and `other` enclose the root; `last` was an end */
    double resolution;               /* > 0: ends closer than this are one point */
    double part;                     /* the next point, as a part of the way to `other` */
} bracket;

/* Begins with two ends of which one is after the root. */
void bracket_begin(bracket *b, bracket_end low, bracket_end high, double resolution);

/* Whether there is another point to evaluate, at *x. */
bool bracket_next(const bracket *b, double *x);

/* Takes the value there, and whether it is after the root. */
void bracket_take(bracket *b, bracket_end at);

/* The two ends: before the root, and after it. */
const bracket_end *bracket_before(const bracket *b);
const bracket_end *bracket_behind(const bracket *b);

#endif
