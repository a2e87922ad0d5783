#include "linalg/substitution.h"

#include <math.h>
#include <stddef.h>

/* Real and imaginary parts in turn (C17 6.2.5): the language's operators look for what is no number
 * at each product. */
typedef struct parts {
    double re, im;
} parts;

/* x (count) -= factor * a: four at a time, which compilers make two of. */
static void subtract(int count, double factor, const double *restrict a, double *restrict x)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        x[i] -= factor * a[i];
        x[i + 1] -= factor * a[i + 1];
        x[i + 2] -= factor * a[i + 2];
        x[i + 3] -= factor * a[i + 3];
    }
    for (; i < count; i++) x[i] -= factor * a[i];
}

static void subtract_complex(int count, parts factor, const parts *restrict a, parts *restrict x)
{
    for (int i = 0; i < count; i++) {
        x[i].re -= factor.re * a[i].re - factor.im * a[i].im;
        x[i].im -= factor.re * a[i].im + factor.im * a[i].re;
    }
}

void substitution_invert(int n, const double *factors, double *inverse)
{
    for (ptrdiff_t j = 0; j < n; j++) inverse[j] = 1 / factors[j * n + j];
}

/* Smith, Comm. ACM 5 (1962) 435. */
static parts inverse_of(parts a)
{
    if (fabs(a.re) >= fabs(a.im)) {
        double ratio = a.im / a.re, size = a.re + a.im * ratio;
        return (parts){1 / size, -ratio / size};
    }
    double ratio = a.re / a.im, size = a.re * ratio + a.im;
    return (parts){ratio / size, -1 / size};
}

void substitution_invert_complex(int n, const double complex *factors, double complex *inverse)
{
    const parts *a = (const parts *)factors;
    parts *of = (parts *)inverse;
    for (ptrdiff_t j = 0; j < n; j++) of[j] = inverse_of(a[j * n + j]);
}

void substitution_solve(int n, const double *factors, const double *inverse, double *x)
{
    const double *column = factors;
    for (int j = 0; j + 1 < n; j++, column += n)
        subtract(n - j - 1, x[j], column + j + 1, x + j + 1);
    for (int j = n - 1; j >= 0; j--, column -= n) {
        x[j] *= inverse[j];
        subtract(j, x[j], column, x);
    }
}

void substitution_solve_complex(int n, const double complex *factors, const double complex *inverse,
                                double complex *x)
{
    const parts *column = (const parts *)factors, *of = (const parts *)inverse;
    parts *y = (parts *)x;
    for (int j = 0; j + 1 < n; j++, column += n)
        subtract_complex(n - j - 1, y[j], column + j + 1, y + j + 1);
    for (int j = n - 1; j >= 0; j--, column -= n) {
        parts own = y[j];
        y[j].re = own.re * of[j].re - own.im * of[j].im;
        y[j].im = own.re * of[j].im + own.im * of[j].re;
        subtract_complex(j, y[j], column, y);
    }
}
