/* System Jacobians and those of arrays without what is only rounding. */
#include "base/scatter.h"
#include "solve/model_simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point, and how exact its values are, relative to their sizes. */
typedef struct point {
    const formulation *f;
    double t;
    const double *z;
    double digits;
    double *moved; /* room for such a z */
} point;

/* By how much the digits of entry j may be off. A derivative of a fast variable has a nominal size
 * that may be far above its value; the variable's own is enough for one that is 0. */
static double error_of(const point *p, const double *nominal, size_t j)
{
    const prolongation *of = p->f->p;
    size_t first = j < of->size ? of->first[prolongation_group(of->first, of->n, j)] : j;
    return p->digits * fmax(fabs(p->z[j]), fmin(nominal[j], nominal[first]));
}

/* The Jacobian where z and t are changed within these digits. */
static dae_status look_beside(const point *p, size_t probe, double *value)
{
    prolonged_levels *levels = p->f->levels;
    const constraint_levels *l = &levels->levels;
    size_t next = probe * (l->size + 1);
    for (size_t j = 0; j < l->size; j++)
        p->moved[j] = p->z[j] + scattered(next + j) * error_of(p, l->nominal, j);
    double unit = p->f->start->time_unit;
    double t = p->t + p->digits * scattered(next + l->size) * fmax(fabs(p->t), unit);
    dae_status status = l->form->linearize(l->self, t, p->moved);
    size_t bytes = levels->jacobian->pattern->nonzeros * sizeof *value;
    if (status == DAE_OK) memcpy(value, levels->jacobian_value, bytes);
    return status;
}

/* beside, most: as many as entries. */
static dae_status drop_rounding(const point *p, double *value, double *beside, double *most)
{
    enum { PROBES = 4 };
    static const double MARGIN = 10;
    const prolonged_levels *levels = p->f->levels;
    const constraint_levels *l = &levels->levels;
    size_t entries = levels->jacobian->pattern->nonzeros;
    dae_status status = l->form->linearize(l->self, p->t, p->z);
    if (status != DAE_OK) return status;
    memcpy(value, levels->jacobian_value, entries * sizeof *value);
    for (size_t probe = 0; probe < PROBES; probe++) {
        status = look_beside(p, probe, beside);
        if (status != DAE_OK) return status;
        for (size_t e = 0; e < entries; e++) most[e] = fmax(most[e], fabs(beside[e] - value[e]));
    }
    for (size_t e = 0; e < entries; e++)
        if (fabs(value[e]) <= MARGIN * most[e]) value[e] = 0;
    return DAE_OK;
}

dae_status solve_jacobian_beyond_rounding(const formulation *f, double t, const double *z,
                                          double digits, double *value)
{
    size_t entries = f->levels->jacobian->pattern->nonzeros, size = f->levels->levels.size;
    double *room = calloc(size + 2 * entries + 1, sizeof *room);
    const point p = {.f = f, .t = t, .z = z, .digits = digits, .moved = room};
    dae_status status = room ? drop_rounding(&p, value, room + size, room + size + entries)
                             : DAE_NO_MEMORY;
    free(room);
    return status;
}
