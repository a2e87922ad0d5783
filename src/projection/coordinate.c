#include "projection/coordinate.h"

#include "linalg/linear_solver.h"
#include "linalg/min_norm.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Far from the level an exponential is approached by one unit of its argument an iteration. */
enum { MOST_ITERATIONS = 60 };

/* Corrections this small, relative to the size of z, are round-off; and the rate of convergence
 * above which the Jacobian is renewed. */
static const double ROUND_OFF = 4 * DBL_EPSILON, SLOW = 0.2, RANK_TOLERANCE = 1e-13;

/* Below this, corrections that no longer shrink are round-off, amplified by the matrix. */
static const double STAGNATION = 1e-7;

typedef struct level_work {
    linear_solver *square;                     /* of a square level */
    min_norm *wide;                            /* of any other */
    double *value, *residual, *change, *scale; /* nonzeros, rows, columns, columns */
} level_work;

struct projection {
    const constraint_levels *levels;
    level_work *work;
    double *saved; /* levels->size */
    size_t trouble_level, trouble_row;
};

static dae_status create_level(level_work *w, const constraint_level *level)
{
    size_t rows = level->rows, columns = level->columns;
    w->value = calloc(level->pattern->nonzeros + 1, sizeof(double));
    w->residual = calloc(rows + columns + 1, sizeof(double));
    w->change = calloc(rows + columns + 1, sizeof(double));
    w->scale = calloc(columns + 1, sizeof(double));
    if (!w->value || !w->residual || !w->change || !w->scale) return DAE_NO_MEMORY;
    if (rows == columns) return linear_solver_create(&w->square, level->pattern, false);
    return min_norm_create(&w->wide, level->pattern, false);
}

dae_status projection_create(projection **created, const constraint_levels *levels)
{
    projection *p = calloc(1, sizeof *p);
    if (!p) return DAE_NO_MEMORY;
    p->levels = levels;
    p->work = calloc(levels->count + 1, sizeof *p->work);
    p->saved = calloc(levels->size + 1, sizeof(double));
    dae_status status = p->work && p->saved ? DAE_OK : DAE_NO_MEMORY;
    for (size_t k = 0; status == DAE_OK && k < levels->count; k++)
        status = create_level(&p->work[k], &levels->level[k]);
    if (status != DAE_OK) {
        projection_free(p);
        return status;
    }
    *created = p;
    return DAE_OK;
}

static dae_status factor(projection *p, size_t k, const double *z)
{
    const constraint_levels *l = p->levels;
    const constraint_level *level = &l->level[k];
    level_work *w = &p->work[k];
    l->form->jacobian(l->self, k, w->value);
    for (size_t j = 0; j < level->columns; j++)
        w->scale[j] = fmax(fabs(z[level->column[j]]), l->nominal[level->column[j]]);
    if (w->square) return linear_solver_factor(w->square, w->value);
    return min_norm_factor(w->wide, w->value, w->scale, RANK_TOLERANCE);
}

/* The change of this level's entries by the last residual; its size. */
static double correction(level_work *w, const constraint_level *level)
{
    double size = 0;
    if (w->square) {
        for (size_t i = 0; i < level->rows; i++) w->change[i] = -w->residual[i];
        linear_solver_solve(w->square, w->change);
    } else {
        min_norm_solve(w->wide, w->residual, w->change);
    }
    for (size_t j = 0; j < level->columns; j++) size = fmax(size, fabs(w->change[j]) / w->scale[j]);
    return size;
}

static dae_status meet_level(projection *p, size_t k, double t, double *z)
{
    const constraint_levels *l = p->levels;
    const constraint_level *level = &l->level[k];
    level_work *w = &p->work[k];
    dae_status status = factor(p, k, z);
    double last = HUGE_VAL;
    for (int i = 0; status == DAE_OK && i < MOST_ITERATIONS; i++) {
        status = l->form->value(l->self, k, t, z, w->residual);
        if (status != DAE_OK) break;
        double size = correction(w, level);
        if (!isfinite(size)) return DAE_SINGULAR;
        for (size_t j = 0; j < level->columns; j++) z[level->column[j]] += w->change[j];
        if (size <= ROUND_OFF || (size < STAGNATION && size >= 0.5 * last)) return DAE_OK;
        if (size > SLOW * last || (i == 0 && size > 1e-3)) {
            status = l->form->linearize(l->self, t, z);
            if (status == DAE_OK) status = factor(p, k, z);
        }
        last = size;
    }
    return status == DAE_OK ? DAE_CONSTRAINT : status;
}

/* The row of the level that failed: one that nothing enters, else the one that is missed most. */
static void find_trouble(projection *p)
{
    const level_work *w = &p->work[p->trouble_level];
    size_t singular = w->square ? linear_solver_singular_row(w->square) : LINEAR_SOLVER_NOWHERE;
    p->trouble_row = 0;
    for (size_t i = 1; i < p->levels->level[p->trouble_level].rows; i++)
        if (!(fabs(w->residual[i]) <= fabs(w->residual[p->trouble_row]))) p->trouble_row = i;
    if (singular != LINEAR_SOLVER_NOWHERE) p->trouble_row = singular;
}

dae_status projection_meet(projection *p, double t, double *z, size_t count)
{
    const constraint_levels *l = p->levels;
    memcpy(p->saved, z, l->size * sizeof *z);
    dae_status status = l->form->settle ? l->form->settle(l->self, t, z) : DAE_OK;
    if (status == DAE_OK) status = l->form->linearize(l->self, t, z);
    for (size_t k = 0; status == DAE_OK && k < count; k++) {
        status = meet_level(p, k, t, z);
        p->trouble_level = k;
    }
    if (status == DAE_OK) return DAE_OK;
    memcpy(z, p->saved, l->size * sizeof *z);
    if (p->trouble_level < l->count) find_trouble(p); /* else the Jacobian itself had no value */
    return status;
}

void projection_trouble(const projection *p, size_t *level, size_t *row)
{
    *level = p->trouble_level;
    *row = p->trouble_row;
}

void projection_free(projection *p)
{
    if (!p) return;
    for (size_t k = 0; p->work && k < p->levels->count; k++) {
        level_work *w = &p->work[k];
        linear_solver_free(w->square);
        min_norm_free(w->wide);
        free(w->value);
        free(w->residual);
        free(w->change);
        free(w->scale);
    }
    free(p->work);
    free(p->saved);
    free(p);
}
