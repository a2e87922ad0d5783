#include "mechanical/mechanical.h"

#include "linalg/rows.h"
#include "linalg/saddle_point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Larger systems are not examined. */
enum { MOST = 700 };

/* WELL: rows are clearly independent if each keeps more than this fraction of its length when the
 * others are projected out. MUCH_BETTER: other sizes are taken if they improve this fraction by
 * such a factor. */
static const double WELL = 1e-4, MUCH_BETTER = 100;

/* The number of independent rows, and the rest of the last one. */
typedef struct independence {
    size_t rank;
    double least;
} independence;

typedef struct work {
    const mechanical_sizing *s;
    double *rows;   /* constraints x nv */
    double *length; /* constraints */
    double *size;   /* nv */
    bool *taken;    /* constraints */
    arena memory;
} work;

static void take(void *argument)
{
    work *w = argument;
    size_t rows = w->s->gradient.pattern->rows, n = w->s->gradient.pattern->columns;
    w->rows = arena_array(&w->memory, rows * n, sizeof *w->rows);
    w->length = arena_array(&w->memory, rows, sizeof *w->length);
    w->size = arena_array(&w->memory, n, sizeof *w->size);
    w->taken = arena_array(&w->memory, rows, sizeof *w->taken);
}

static void find_lengths(work *w, const double *size)
{
    const mechanical_sizing *s = w->s;
    sparse_row_squares(s->gradient.pattern, s->gradient.value, size, w->length);
    for (size_t i = 0; i < s->gradient.pattern->rows; i++) w->length[i] = sqrt(w->length[i]);
}

static independence look(work *w, const double *size)
{
    const sparse_pattern *p = w->s->gradient.pattern;
    find_lengths(w, size);
    memset(w->rows, 0, p->rows * p->columns * sizeof *w->rows);
    memset(w->taken, 0, p->rows * sizeof *w->taken);
    for (size_t j = 0; j < p->columns; j++) {
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            size_t i = (size_t)p->row[k];
            double length = w->length[i] > 0 ? w->length[i] : 1;
            w->rows[i * p->columns + j] = w->s->gradient.value[k] * size[j] / length;
        }
    }
    independence found = {0};
    found.least = independent_rows_take(p->rows, p->columns, w->rows, NULL, SADDLE_POINT_DEPENDENT,
                                        w->taken);
    for (size_t i = 0; i < p->rows; i++) found.rank += w->taken[i];
    return found;
}

/* 1 / sqrt(M_jj), 0 without inertia. */
static void take_inertia(work *w)
{
    const sparse_pattern *p = w->s->mass.pattern;
    for (size_t j = 0; j < p->columns; j++) {
        w->size[j] = 0;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
            if ((size_t)p->row[k] == j && w->s->mass.value[k] > 0)
                w->size[j] = 1 / sqrt(w->s->mass.value[k]);
    }
}

/* A velocity without inertia gets the largest size at which it contributes no more to any row than
 * all other velocities together. One that occurs in no row keeps its size. */
static void take_massless(work *w)
{
    const sparse_pattern *p = w->s->gradient.pattern;
    find_lengths(w, w->size);
    for (size_t j = 0; j < p->columns; j++) {
        double most = 0;
        if (w->size[j] > 0) continue;
        for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++) {
            double length = w->length[p->row[k]];
            if (length > 0) most = fmax(most, fabs(w->s->gradient.value[k]) / length);
        }
        w->size[j] = most > 0 ? 1 / most : w->s->size[j];
    }
}

/* factor becomes the ratio of found to given sizes, divided by the median ratio. */
static void make_factors(const work *w, double *factor)
{
    size_t n = w->s->gradient.pattern->columns;
    double *sorted = w->rows; /* room */
    for (size_t j = 0; j < n; j++) sorted[j] = factor[j] = w->size[j] / w->s->size[j];
    qsort(sorted, n, sizeof *sorted, vector_order);
    double middle = sorted[n / 2];
    for (size_t j = 0; j < n; j++) factor[j] /= middle;
}

static bool is_usable(const double *value, size_t count)
{
    for (size_t j = 0; j < count; j++)
        if (!(value[j] > 0) || !isfinite(value[j])) return false;
    return true;
}

static bool find(work *w, double *factor)
{
    size_t rows = w->s->gradient.pattern->rows, n = w->s->gradient.pattern->columns;
    independence given = look(w, w->s->size);
    if (given.rank == rows && given.least > WELL) return false;
    take_inertia(w);
    take_massless(w);
    if (!is_usable(w->size, n)) return false;
    independence own = look(w, w->size);
    bool far = given.least <= WELL && own.least > MUCH_BETTER * given.least;
    if (own.rank < given.rank || (own.rank == given.rank && !far)) return false;
    make_factors(w, factor);
    return is_usable(factor, n);
}

dae_status mechanical_better_sizes(const mechanical_sizing *s, double *factor, bool *better)
{
    work w = {.s = s};
    size_t rows = s->gradient.pattern->rows, n = s->gradient.pattern->columns;
    *better = false;
    if (rows == 0 || n == 0 || rows + n > MOST) return DAE_OK;
    dae_status status = arena_protect(&w.memory, take, &w);
    if (status == DAE_OK) *better = find(&w, factor);
    arena_free(&w.memory);
    return status;
}
