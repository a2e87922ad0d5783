#include "integrate/dense_output.h"

#include <string.h>

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
