#include "projection/directions.h"

#include "base/round_off.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RANK_TOLERANCE = ROUND_OFF_ELIMINATED;

static dae_status create_level(directions *d, size_t k, const directions *first)
{
    const constraint_level *level = &d->levels->level[k];
    level_work *w = &d->work[k];
    size_t rows = level->rows, columns = level->columns;
    w->value = calloc(level->pattern->nonzeros + 2 * rows + 3 * columns + 1, sizeof(double));
    if (!w->value) return DAE_NO_MEMORY;
    w->residual = w->value + level->pattern->nonzeros;
    w->change = w->residual + rows + columns;
    w->scale = w->change + rows + columns;
    if (level->metric)
        return saddle_point_create(&w->nearest, level->metric, level->pattern, d->levels->nominal);
    if (rows == columns && level->last_row)
        return linear_solver_create(&w->square, level->pattern, false);
    if (d->along_fz && level->pair) {
        w->algebraic = calloc(1, sizeof *w->algebraic);
        if (!w->algebraic) return DAE_NO_MEMORY;
        return first ? algebraic_way_begin_beside(w->algebraic, first->work[k].algebraic)
                     : algebraic_way_begin(w->algebraic, level);
    }
    if (d->along_fz) return DAE_OK;
    return first ? min_norm_create_like(&w->wide, first->work[k].wide)
                 : min_norm_create(&w->wide, level->pattern, MIN_NORM_FAST);
}

dae_status directions_begin(directions *d, const constraint_levels *levels, bool along_fz,
                            const directions *first)
{
    *d = (directions){.levels = levels, .along_fz = along_fz, .step = 1};
    d->work = calloc(levels->count + 1, sizeof *d->work);
    d->count = d->work ? levels->count : 0;
    d->right = calloc(levels->size + 1, sizeof(double));
    dae_status status = d->work && d->right ? DAE_OK : DAE_NO_MEMORY;
    for (size_t k = 0; status == DAE_OK && k < d->count; k++) status = create_level(d, k, first);
    return status == DAE_OK && levels->whole
               ? slow_motion_begin(&d->slow, levels, first ? &first->slow : NULL)
               : status;
}

void directions_forget(directions *d)
{
    for (size_t k = 0; k < d->count; k++) {
        level_work *w = &d->work[k];
        w->factored = false;
        if (w->square) linear_solver_forget(w->square);
        if (w->wide) min_norm_forget(w->wide);
        if (w->algebraic) algebraic_way_forget(w->algebraic);
    }
    if (d->slow.levels) algebraic_way_forget(&d->slow.way);
}

dae_status directions_linearize(directions *d, double t, const double *z)
{
    for (size_t k = 0; k < d->count; k++) d->work[k].factored = false;
    return d->levels->form->linearize(d->levels->self, t, z);
}

/* Whether level k's change comes from a solution with the last level's matrix. */
static bool is_part(const directions *d, size_t k)
{
    return d->along_fz && k + 1 < d->count;
}

static void take_sizes(directions *d, size_t k, const double *z)
{
    const constraint_level *level = &d->levels->level[k];
    for (size_t j = 0; j < level->columns; j++) {
        size_t entry = level->column[j];
        d->work[k].scale[j] = miss_size(z[entry], d->levels->nominal[entry]);
        if (d->unit) d->work[k].scale[j] *= d->unit[entry];
    }
}

static dae_status factor_values(const directions *d, size_t k)
{
    const constraint_levels *l = d->levels;
    level_work *w = &d->work[k];
    if (w->nearest) return saddle_point_factor(w->nearest, l->form->metric(l->self, k), w->value);
    if (w->square) return linear_solver_factor(w->square, w->value);
    if (w->algebraic) return algebraic_way_factor(w->algebraic, w->value, d->step);
    return min_norm_factor(w->wide, w->value, w->scale, fmax(RANK_TOLERANCE, l->accuracy));
}

dae_status directions_factor(directions *d, size_t k, const double *z)
{
    const constraint_levels *l = d->levels;
    level_work *w = &d->work[k];
    if (is_part(d, k) || !w->factored) take_sizes(d, k, z);
    if (is_part(d, k)) return directions_factor(d, d->count - 1, z);
    if (w->factored) return DAE_OK;
    l->form->jacobian(l->self, k, w->value);
    dae_status status = factor_values(d, k);
    w->factored = status == DAE_OK;
    return status;
}

double directions_weakest(directions *d, bool by_nominal)
{
    level_work *w = d->work;
    if (d->count == 0 || !w->wide || !w->factored) return 1;
    if (!by_nominal) return min_norm_weakest(w->wide);
    const constraint_level *level = d->levels->level;
    for (size_t j = 0; j < level->columns; j++) w->scale[j] = d->levels->nominal[level->column[j]];
    w->factored = false;
    return factor_values(d, 0) == DAE_OK ? min_norm_weakest(w->wide) : 1;
}

static void correct_along_multipliers(directions *d, size_t k)
{
    const constraint_level *level = &d->levels->level[k];
    level_work *w = &d->work[k], *last = &d->work[d->count - 1];
    size_t size = d->levels->level[d->count - 1].rows;
    memset(d->right, 0, size * sizeof *d->right);
    for (size_t i = 0; i < level->rows; i++) d->right[level->last_row[i]] = -w->residual[i];
    linear_solver_solve(last->square, d->right);
    for (size_t j = 0; j < level->columns; j++)
        w->change[j] = level->last_column[j] == LEVEL_NOWHERE ? 0 : d->right[level->last_column[j]];
}

double directions_correct(directions *d, size_t k)
{
    const constraint_level *level = &d->levels->level[k];
    level_work *w = &d->work[k];
    double size = 0;
    if (is_part(d, k)) {
        correct_along_multipliers(d, k);
    } else if (w->nearest) {
        memset(w->change, 0, level->columns * sizeof *w->change);
        for (size_t i = 0; i < level->rows; i++) w->change[level->columns + i] = -w->residual[i];
        saddle_point_solve_once(w->nearest, w->change);
    } else if (w->square) {
        for (size_t i = 0; i < level->rows; i++) w->change[i] = -w->residual[i];
        linear_solver_solve(w->square, w->change);
    } else if (w->algebraic) {
        algebraic_way_correct(w->algebraic, w->residual, w->change);
    } else {
        min_norm_solve(w->wide, w->residual, w->change);
    }
    for (size_t j = 0; j < level->columns; j++) {
        double part = fabs(w->change[j]) / w->scale[j];
        if (part > size) size = part;
    }
    return size;
}

void directions_apply(const directions *d, size_t k, double *z)
{
    const constraint_level *level = &d->levels->level[k];
    for (size_t j = 0; j < level->columns; j++) z[level->column[j]] += d->work[k].change[j];
}

void directions_clear(directions *d)
{
    for (size_t k = 0; k < d->count; k++) {
        level_work *w = &d->work[k];
        saddle_point_free(w->nearest);
        linear_solver_free(w->square);
        min_norm_free(w->wide);
        if (w->algebraic) algebraic_way_clear(w->algebraic);
        free(w->algebraic);
        free(w->value);
    }
    slow_motion_clear(&d->slow);
    free(d->work);
    free(d->right);
    *d = (directions){0};
}
