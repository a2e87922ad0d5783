#include "stepping/dense_output.h"

#include <string.h>

void dense_output_make_hermite(dense_output *d, const double *y, const double *yp,
                               const double *end, const double *end_yp)
{
    size_t n = d->n;
    double *row = d->coefficient;
    for (size_t k = 0; k < n; k++) {
        double rise = end[k] - y[k], from = d->h * yp[k], to = d->h * end_yp[k];
        row[k] = y[k];
        row[n + k] = from;
        row[2 * n + k] = 3 * rise - 2 * from - to;
        row[3 * n + k] = from + to - 2 * rise;
    }
    d->degree = 3;
}

void dense_output_evaluate(const dense_output *d, double t, double *y, double *yp)
{
    double x = (t - d->t) / d->h;
    const double *highest = d->coefficient + (size_t)d->degree * d->n;
    if (y) memcpy(y, highest, d->n * sizeof *y);
    if (yp)
        for (size_t k = 0; k < d->n; k++) yp[k] = d->degree / d->h * highest[k];
    for (int power = d->degree - 1; power >= 0; power--) { /* Horner */
        const double *row = d->coefficient + (size_t)power * d->n;
        if (y)
            for (size_t k = 0; k < d->n; k++) y[k] = y[k] * x + row[k];
        if (yp && power > 0)
            for (size_t k = 0; k < d->n; k++) yp[k] = yp[k] * x + power / d->h * row[k];
    }
}
