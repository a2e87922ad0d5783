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
    }
    if (status != DAE_OK) {
        saddle_point_free(p);
        return status;
    }
    *created = p;
    return DAE_OK;
}

/* Whether these values were factored last; they are kept. */
static bool are_factored(saddle_point *p, const double *h, const double *g)
{
    size_t of_h = p->h->nonzeros * sizeof *h, of_g = p->g->nonzeros * sizeof *g;
    if (p->way != SADDLE_NONE && memcmp(h, p->h_value, of_h) == 0 &&
        memcmp(g, p->g_value, of_g) == 0)
        return true;
    memcpy(p->h_value, h, of_h);
    memcpy(p->g_value, g, of_g);
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

dae_status saddle_point_factor(saddle_point *p, const double *h, const double *g)
{
    if (are_factored(p, h, g)) return DAE_OK;
    double pivot = 0;
    bool ranked = p->n + p->m <= LARGEST_RANKED;
    p->way = SADDLE_NONE;
    p->factored++;
    p->undetermined = 0;
    p->rank = p->m;
    if (!all_finite(p->h->nonzeros, h) || !all_finite(p->g->nonzeros, g)) return DAE_SINGULAR;
    if (p->m <= p->n && !(ranked && p->deficient)) {
        dae_status status = saddle_square_factor(p, false);
        if (status == DAE_OK) pivot = linear_solver_least_pivot(p->square.solver);
        if (status != DAE_OK && status != DAE_SINGULAR) return status;
    }
    if (pivot > (ranked ? p->trusted : ROUND_OFF)) {
        p->way = SADDLE_SQUARE;
        return DAE_OK;
    }
    return ranked ? factor_ranked(p, pivot) : factor_shifted(p);
}

void saddle_point_solve(saddle_point *p, double *x)
{
    if (p->way == SADDLE_NULL)
        saddle_null_solve(p, x);
    else
        saddle_square_solve(p, x, p->way == SADDLE_SHIFTED);
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

size_t saddle_point_nonzeros(const saddle_point *p)
{
    return linear_solver_nonzeros(p->square.solver);
}

double saddle_point_factor_cost(const saddle_point *p)
{
    return linear_solver_factor_cost(p->square.solver);
}

const char *saddle_point_name(const saddle_point *p)
{
    return linear_solver_name(p->square.solver);
}

void saddle_point_free(saddle_point *p)
{
    if (!p) return;
    saddle_square_free(p);
    saddle_null_free(p);
    workspace_free(&p->space);
    free(p);
}
