/* Complex numbers as real and imaginary parts, stored in turn (C17 6.2.5). The language's complex
 * operators test each product for NaN; these do not. */
#ifndef LINALG_COMPLEX_PARTS_H
#define LINALG_COMPLEX_PARTS_H

#include <math.h>

typedef struct complex_parts {
    double re, im;
} complex_parts;

static inline complex_parts complex_product(complex_parts a, complex_parts b)
{
    return (complex_parts){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Smith, Comm. ACM 5 (1962) 435. */
static inline complex_parts complex_inverse(complex_parts a)
{
    if (fabs(a.re) >= fabs(a.im)) {
        double ratio = a.im / a.re, size = a.re + a.im * ratio;
        return (complex_parts){1 / size, -ratio / size};
    }
    double ratio = a.re / a.im, size = a.re * ratio + a.im;
    return (complex_parts){ratio / size, -1 / size};
}

#endif
