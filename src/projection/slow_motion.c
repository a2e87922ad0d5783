#include "projection/slow_motion.h"

#include <math.h>
#include <stdlib.h>

dae_status slow_motion_begin(slow_motion *m, const constraint_levels *levels)
{
    const constraint_level *whole = levels->whole;
    *m = (slow_motion){.levels = levels};
    m->value = calloc(whole->pattern->nonzeros + whole->rows + 2 * levels->size + 1,
                      sizeof *m->value);
    if (!m->value) return DAE_NO_MEMORY;
    m->residual = m->value + whole->pattern->nonzeros;
    m->change = m->residual + whole->rows;
    m->before = m->change + levels->size;
    return algebraic_way_begin(&m->way, whole);
}

dae_status slow_motion_factor(slow_motion *m, double t, const double *z, double h)
{
    const constraint_levels *l = m->levels;
    dae_status status = l->form->whole_jacobian(l->self, t, z, m->value);
    return status == DAE_OK ? algebraic_way_factor(&m->way, m->value, h) : status;
}

dae_status slow_motion_correct(slow_motion *m, double t, double *z, double *size)
{
    const constraint_levels *l = m->levels;
    dae_status status = l->form->value(l->self, l->count - 1, t, z, m->residual);
    if (status != DAE_OK) return status;
    algebraic_way_correct(&m->way, m->residual, m->change);
    *size = 0;
    for (size_t j = 0; j < l->size; j++) {
        double part = fabs(m->change[j]) / fmax(fabs(z[j]), l->nominal[j]);
        if (!isfinite(part)) return DAE_SINGULAR;
        *size = fmax(*size, part);
    }
    for (size_t j = 0; j < l->size; j++) z[j] += m->change[j];
    return DAE_OK;
}

void slow_motion_forget(slow_motion *m)
{
    pencil_forget(m->way.k, 0);
}

void slow_motion_clear(slow_motion *m)
{
    if (m->levels) algebraic_way_clear(&m->way);
    free(m->value);
    *m = (slow_motion){0};
}
