#include "linalg/saddle_point.h"

#include "linalg/saddle_point_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A whole matrix whose smallest pivot is below this part of the largest is looked at by its rank;
 * where that turned out to be full, only pivots below `LOWER` of the one then, and no less than
 * `LEAST`. Matrices with more
 * rows of both kinds than `LARGEST_RANKED` are not: they are shifted where pivots are round-off. */
static const double SUSPECT = 1e-5, LOWER = 0.1, LEAST = 1e-9, ROUND_OFF = 1e-13;

enum { LARGEST_RANKED = 600 };

static void carve(saddle_point *p, workspace *space)
{
    p->h_value = workspace_doubles(space, p->h->nonzeros);
    p->g_value = workspace_doubles(space, p->g->nonzeros);
}

dae_status saddle_point_create(saddle_point **created, const sparse_pattern *h,
                               const sparse_pattern *g, const double *scale)
{
    saddle_point *p = calloc(1, sizeof *p);
    if (!p) return DAE_NO_MEMORY;
    *p = (saddle_point){.h = h, .g = g, .scale = scale, .n = h->rows, .m = g->rows};
    p->trusted = SUSPECT;
    carve(p, &p->space);
    dae_status status = workspace_allocate(&p->space);
    if (status == DAE_OK) {
        carve(p, &p->space);
        status = saddle_square_create(p);
        if (status == DAE_OK) status = saddle_blocks_create(p);
    }
    if (status != DAE_OK) {
        saddle_point_free(p);
        return status;
    }
    *created = p;
    return DAE_OK;
}

/* Keep values; whether they were kept already. */
static bool keep(double *kept, const double *value, size_t count)
{
    if (memcmp(kept, value, count * sizeof *value) == 0) return true;
    memcpy(kept, value, count * sizeof *value);
    return false;
}

static bool all_finite(size_t count, const double *value)
{
    for (size_t k = 0; k < count; k++)
        if (!isfinite(value[k])) return false;
    return true;
}

/* By the rank of G, after the whole matrix had such a smallest pivot. */
static dae_status factor_ranked(saddle_point *p, double pivot)
{
    dae_status status = saddle_null_factor(p);
    if (status != DAE_OK) return status;
    p->way = SADDLE_NULL;
    p->deficient = p->rank < p->m;
    if (!p->deficient) p->trusted = fmin(p->trusted, fmax(LOWER * pivot, LEAST));
    return DAE_OK;
}

static dae_status factor_shifted(saddle_point *p)
{
    dae_status status = saddle_square_factor(p, true);
    if (status == DAE_SINGULAR) {
        size_t column = linear_solver_singular_column(p->square.solver);
        p->undetermined = column < p->n ? column : 0;
    }
    if (status == DAE_OK) p->way = SADDLE_SHIFTED;
    return status;
}

/* The smallest pivot of S, or of the whole matrix, is left in *pivot; 0 for a singular one. */
static dae_status factor_regular(saddle_point *p, bool same_h, double least, double *pivot)
{
    dae_status status = DAE_SINGULAR;
    if (p->blocks.pattern) {
        status = saddle_blocks_factor(p, same_h);
        if (status == DAE_OK) *pivot = linear_solver_least_pivot(p->blocks.solver);
        if (*pivot > least) p->way = SADDLE_BLOCKS;
    }
    if (status != DAE_SINGULAR) return status;
    status = saddle_square_factor(p, false);
    if (status == DAE_OK) *pivot = linear_solver_least_pivot(p->square.solver);
    if (*pivot > least) p->way = SADDLE_SQUARE;
    return status == DAE_SINGULAR ? DAE_OK : status;
}

dae_status saddle_point_factor(saddle_point *p, const double *h, const double *g)
{
    bool same_h = keep(p->h_value, h, p->h->nonzeros);
    bool same_g = keep(p->g_value, g, p->g->nonzeros);
    if (same_h && same_g && p->way != SADDLE_NONE) return DAE_OK;
    double pivot = 0;
    bool ranked = p->n + p->m <= LARGEST_RANKED;
    dae_status status = DAE_OK;
    p->way = SADDLE_NONE;
    p->factored++;
    p->undetermined = 0;
    p->rank = p->m;
    if (!all_finite(p->h->nonzeros, h) || !all_finite(p->g->nonzeros, g)) return DAE_SINGULAR;
    if (p->m <= p->n && !(ranked && p->deficient))
        status = factor_regular(p, same_h, ranked ? p->trusted : ROUND_OFF, &pivot);
    if (status != DAE_OK || p->way != SADDLE_NONE) return status;
    return ranked ? factor_ranked(p, pivot) : factor_shifted(p);
}

size_t saddle_point_rank(const saddle_point *p)
{
    return p->rank;
}

size_t saddle_point_factored(const saddle_point *p)
{
    return p->factored;
}

size_t saddle_point_undetermined(const saddle_point *p)
{
    return p->undetermined;
}

/* What factors the matrix; NULL: only what looks at its rank has done so. */
static const linear_solver *solver_of(const saddle_point *p)
{
    bool square = p->way == SADDLE_SQUARE || p->way == SADDLE_SHIFTED || !p->blocks.solver;
    return square ? p->square.solver : p->blocks.solver;
}

size_t saddle_point_nonzeros(const saddle_point *p)
{
    const linear_solver *solver = solver_of(p);
    return solver ? linear_solver_nonzeros(solver) : p->n * p->n;
}

double saddle_point_factor_cost(const saddle_point *p)
{
    const linear_solver *solver = solver_of(p);
    return solver ? linear_solver_factor_cost(solver) : (double)(p->n * p->n * p->n);
}

const char *saddle_point_name(const saddle_point *p)
{
    const linear_solver *solver = solver_of(p);
    return solver ? linear_solver_name(solver) : "lapack";
}

void saddle_point_free(saddle_point *p)
{
    if (!p) return;
    saddle_blocks_free(p);
    saddle_square_free(p);
    saddle_null_free(p);
    workspace_free(&p->space);
    free(p);
}
