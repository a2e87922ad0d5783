#include "projection/algebraic.h"

#include <math.h>
#include <string.h>

/* How much faster than the solution 1/alpha is: by so much less the integrated part moves than what
 * y' misses over a time in which the solution changes. */
static const double FASTER = 1e6;

static size_t add_column(const sparse_pattern *whole, size_t from, size_t to, size_t *row,
                         size_t *column, size_t *origin, size_t count)
{
    for (sparse_index k = whole->start[from]; k < whole->start[from + 1]; k++) {
        row[count] = (size_t)whole->row[k];
        column[count] = to;
        origin[count++] = (size_t)k;
    }
    return count;
}

static void build(void *self)
{
    algebraic_way *w = self;
    arena *a = &w->memory;
    const constraint_level *level = w->level;
    size_t rows = level->rows, most = level->pattern->nonzeros, count = 0;
    size_t *row = arena_array(a, most, sizeof *row), *column = arena_array(a, most, sizeof *column);
    size_t *origin = arena_array(a, most, sizeof *origin);
    size_t *where = arena_array(a, most, sizeof *where);
    for (size_t j = 0; j < rows; j++) {
        const level_pair *pair = &level->pair[j];
        count = add_column(level->pattern, pair->value, j, row, column, origin, count);
        if (pair->moves)
            count = add_column(level->pattern, pair->slope, j, row, column, origin, count);
    }
    w->pattern = sparse_build(a, rows, rows, count, row, column, where);
    w->place = arena_array(a, most, sizeof *w->place);
    for (size_t k = 0; k < count; k++) w->place[origin[k]] = where[k];
    w->matrix = arena_array(a, w->pattern->nonzeros, sizeof(double));
    w->value = arena_array(a, most, sizeof(double));
    w->motion = arena_array(a, 2 * rows, sizeof(double));
}

dae_status algebraic_way_begin(algebraic_way *w, const constraint_level *level)
{
    *w = (algebraic_way){.level = level};
    dae_status status = arena_protect(&w->memory, build, w);
    return status == DAE_OK ? linear_solver_create(&w->solver, w->pattern, false) : status;
}

static double fastest_change(const constraint_level *level, const double *z, const double *nominal)
{
    double fastest = 0;
    for (size_t j = 0; j < level->rows; j++) {
        const level_pair *pair = &level->pair[j];
        size_t y = level->column[pair->value];
        if (!pair->moves) continue;
        double slope = fmax(fabs(z[level->column[pair->slope]]), nominal[y]);
        fastest = fmax(fastest, slope / fmax(fabs(z[y]), nominal[y]));
    }
    return fastest > 0 ? fastest : 1;
}

static void add_entries(algebraic_way *w, size_t column, double factor, const double *value)
{
    const sparse_pattern *p = w->level->pattern;
    for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++) {
        w->value[k] = factor * value[k];
        w->matrix[w->place[k]] += w->value[k];
    }
}

dae_status algebraic_way_factor(algebraic_way *w, const double *value, const double *z,
                                const double *nominal)
{
    w->alpha = FASTER * fastest_change(w->level, z, nominal);
    memset(w->matrix, 0, w->pattern->nonzeros * sizeof *w->matrix);
    for (size_t j = 0; j < w->level->rows; j++) {
        const level_pair *pair = &w->level->pair[j];
        add_entries(w, pair->value, 1, value);
        if (pair->moves) add_entries(w, pair->slope, w->alpha, value);
    }
    return linear_solver_factor(w->solver, w->matrix);
}

void algebraic_way_correct(algebraic_way *w, const double *residual, double *change)
{
    const constraint_level *level = w->level;
    const sparse_pattern *p = level->pattern;
    double *x = w->motion + level->rows, *motion = w->motion;
    for (size_t i = 0; i < level->rows; i++) x[i] = -residual[i];
    linear_solver_solve(w->solver, x);
    memset(motion, 0, level->rows * sizeof *motion);
    for (size_t j = 0; j < level->rows; j++) {
        if (!level->pair[j].moves) continue;
        size_t column = level->pair[j].slope;
        for (sparse_index k = p->start[column]; k < p->start[column + 1]; k++)
            motion[p->row[k]] += w->value[k] * x[j];
    }
    linear_solver_solve(w->solver, motion);
    memset(change, 0, level->columns * sizeof *change);
    for (size_t j = 0; j < level->rows; j++) {
        const level_pair *pair = &level->pair[j];
        change[pair->value] = x[j] - motion[j];
        if (pair->moves) change[pair->slope] = w->alpha * motion[j];
    }
}

void algebraic_way_clear(algebraic_way *w)
{
    linear_solver_free(w->solver);
    arena_free(&w->memory);
    *w = (algebraic_way){0};
}
