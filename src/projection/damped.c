#include "projection/damped.h"

#include <math.h>
#include <string.h>

enum { MOST_HALVINGS = 40 };

/* Relative to the size of z: from there Newton's iteration converges in one or two steps. */
static const double NEAR = 1e-7;

/* The correction at z with the factors at hand, and its size. */
static dae_status correct(directions *d, size_t k, double t, const double *z, double *size)
{
    const constraint_levels *l = d->levels;
    dae_status status = l->form->value(l->self, k, t, z, d->work[k].residual);
    if (status != DAE_OK) return status;
    *size = directions_correct(d, k);
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* One correction, of that size, as far as the next one is shorter; whether all of it. */
static dae_status descend(damped *w, directions *d, size_t k, double t, double *z, double size,
                          bool *whole)
{
    const constraint_level *level = &d->levels->level[k];
    double part = 1, next;
    memcpy(w->base, z, d->levels->size * sizeof *z);
    memcpy(w->step, d->work[k].change, level->columns * sizeof *w->step);
    for (int i = 0; i < MOST_HALVINGS; i++, part /= 2) {
        for (size_t j = 0; j < level->columns; j++)
            z[level->column[j]] = w->base[level->column[j]] + part * w->step[j];
        dae_status status = correct(d, k, t, z, &next);
        if (status != DAE_OK && status != DAE_NOT_EVALUABLE) return status;
        *whole = part == 1;
        if (status == DAE_OK && next <= (1 - part / 4) * size) return DAE_OK;
    }
    return DAE_CONSTRAINT;
}

dae_status damped_meet(damped *w, directions *d, size_t k, double t, double *z, int most)
{
    bool whole = false; /* small corrections may lead out of where a logarithm has values, too */
    for (int i = 0; i < most; i++) {
        double size;
        dae_status status = directions_linearize(d, t, z);
        if (status == DAE_OK) status = directions_factor(d, k, z);
        if (status == DAE_OK) status = correct(d, k, t, z, &size);
        if (status != DAE_OK || (whole && size < NEAR)) return status;
        status = descend(w, d, k, t, z, size, &whole);
        if (status != DAE_OK) return status;
    }
    return DAE_CONSTRAINT;
}
