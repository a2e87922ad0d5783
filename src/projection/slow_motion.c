#include "projection/slow_motion.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The effect of rounding on a value or the time, and how many random samples of it are taken. */
enum { PROBES = 3 };

dae_status slow_motion_begin(slow_motion *m, const constraint_levels *levels,
                             const slow_motion *first)
{
    const constraint_level *whole = levels->whole;
    *m = (slow_motion){.levels = levels};
    m->value = calloc(whole->pattern->nonzeros + 2 * whole->rows + 3 * levels->size + 1,
                      sizeof *m->value);
    if (!m->value) return DAE_NO_MEMORY;
    m->residual = m->value + whole->pattern->nonzeros;
    m->change = m->residual + whole->rows;
    m->before = m->change + levels->size;
    m->rounded = m->before + levels->size;
    m->exact = m->rounded + levels->size;
    return first ? algebraic_way_begin_beside(&m->way, &first->way)
                 : algebraic_way_begin(&m->way, whole);
}

dae_status slow_motion_factor(slow_motion *m, double t, const double *z, double h)
{
    const constraint_levels *l = m->levels;
    dae_status status = l->form->whole_jacobian(l->self, t, z, m->value);
    return status == DAE_OK ? algebraic_way_factor(&m->way, m->value, h) : status;
}

static dae_status evaluate(const slow_motion *m, double t, const double *z, double *residual)
{
    const constraint_levels *l = m->levels;
    return l->form->value(l->self, l->count - 1, t, z, residual);
}

/* The change for the present residual, and its size relative to that of z. */
static double find_change(slow_motion *m, const double *z)
{
    const constraint_levels *l = m->levels;
    double size = 0;
    algebraic_way_correct(&m->way, m->residual, m->change);
    for (size_t j = 0; j < l->size; j++) {
        double part = fabs(m->change[j]) / miss_size(z[j], l->nominal[j]);
        if (!isfinite(part)) return HUGE_VAL;
        if (part > size) size = part;
    }
    return size;
}

dae_status slow_motion_find(slow_motion *m, double t, const double *z, double *size)
{
    dae_status status = evaluate(m, t, z, m->residual);
    if (status == DAE_OK) *size = find_change(m, z);
    return status;
}

/* The largest change that rounding of the values, of the time, or of both causes. HUGE_VAL if that
 * is not known. */
static double probe(slow_motion *m, double t, const double *z, bool of_values, bool of_time)
{
    size_t size = m->levels->size, rows = m->levels->whole->rows;
    double most = 0;
    if (evaluate(m, t, z, m->exact) != DAE_OK) return HUGE_VAL;
    for (size_t probe = 0; probe < PROBES; probe++) {
        size_t next = probe * (size + 1);
        for (size_t j = 0; j < size; j++)
            m->rounded[j] = z[j] * (1 + of_values * ROUND_OFF_VALUE * scattered(next + j));
        double moved = t * (1 + of_time * ROUND_OFF_VALUE * scattered(next + size));
        if (evaluate(m, moved, m->rounded, m->residual) != DAE_OK) return HUGE_VAL;
        for (size_t i = 0; i < rows; i++) m->residual[i] -= m->exact[i];
        most = fmax(most, find_change(m, z));
    }
    return most;
}

double slow_motion_round_off(slow_motion *m, double t, const double *z)
{
    double most = probe(m, t, z, true, true);
    return isfinite(most) ? most : 0;
}

double slow_motion_round_off_of_time(slow_motion *m, double t, const double *z)
{
    static const double LATE = 10;
    double of_time = probe(m, t, z, false, true);
    return isfinite(of_time) && of_time > LATE * probe(m, t, z, true, false) ? of_time : 0;
}

void slow_motion_clear(slow_motion *m)
{
    if (m->levels) algebraic_way_clear(&m->way);
    free(m->value);
    *m = (slow_motion){0};
}
