#include "linalg/saddle_point.h"

#include "base/round_off.h"
#include "linalg/rows.h"
#include "linalg/saddle_point_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows of G count as independent where the smallest pivot of G H^-1 G' or G G' is above this part
 * of the largest. If the smallest pivot of a whole matrix is below `SUSPECT`, the pivots of G G'
 * are computed. If these are good and the pivot of the whole matrix is above round-off, its factors
 * are used; from then on only pivots below `LOWER` of that one, and in any case below `LEAST`, are
 * examined. Otherwise the system is solved by the rank of G, or, with more rows than
 * `LARGEST_RANKED`, with a shift. */
static const double INDEPENDENT = 1e-9, SUSPECT = 1e-5, LOWER = 0.1, LEAST = 1e-9;

enum { LARGEST_RANKED = 600 };

static void build(void *self)
{
    saddle_point *p = self;
    p->h_value = arena_array(&p->memory, p->h->nonzeros, sizeof(double));
    p->g_value = arena_array(&p->memory, p->g->nonzeros, sizeof(double));
    saddle_square_build(p);
    saddle_blocks_build(p);
    saddle_small_build(p);
}

dae_status saddle_point_create(saddle_point **created, const sparse_pattern *h,
                               const sparse_pattern *g, const double *scale)
{
    saddle_point *p = calloc(1, sizeof *p);
    if (!p) return DAE_NO_MEMORY;
    *p = (saddle_point){.h = h, .g = g, .scale = scale, .n = h->rows, .m = g->rows};
    p->trusted = SUSPECT;
    dae_status status = arena_protect(&p->memory, build, p);
    if (status == DAE_OK && p->blocks.pattern)
        status = linear_solver_create(&p->blocks.solver, p->blocks.pattern, false);
    if (status != DAE_OK) {
        saddle_point_free(p);
        return status;
    }
    *created = p;
    return DAE_OK;
}

/* Keep the values. Returns whether they were kept already. */
static bool keep(double *kept, const double *value, size_t count)
{
    if (memcmp(kept, value, count * sizeof *value) == 0) return true;
    memcpy(kept, value, count * sizeof *value);
    return false;
}

/* By the rank of G. */
static dae_status factor_ranked(saddle_point *p)
{
    dae_status status = saddle_null_factor(p);
    if (status != DAE_OK) return status;
    p->way = SADDLE_NULL;
    p->deficient = p->rank < p->m;
    return DAE_OK;
}

static void build_gram(void *self)
{
    saddle_point *p = self;
    p->unit = sparse_diagonal(&p->memory, p->n);
    p->weight = arena_array(&p->memory, p->n, sizeof(double));
    for (size_t j = 0; j < p->n; j++) p->weight[j] = 1 / (p->scale[j] * p->scale[j]);
}

static dae_status make_gram(saddle_point *p)
{
    dae_status status = arena_protect(&p->memory, build_gram, p);
    return status == DAE_OK ? saddle_point_create(&p->gram, p->unit, p->g, p->scale) : status;
}

/* Whether the rows of G are independent beyond doubt. */
static dae_status look_at_rows(saddle_point *p, bool *independent)
{
    dae_status status = p->gram ? DAE_OK : make_gram(p);
    *independent = false;
    if (status != DAE_OK || !p->gram->blocks.pattern) return status;
    memcpy(p->gram->h_value, p->weight, p->n * sizeof(double));
    memcpy(p->gram->g_value, p->g_value, p->g->nonzeros * sizeof(double));
    status = saddle_blocks_factor(p->gram, false);
    if (status == DAE_OK)
        *independent = linear_solver_least_pivot(p->gram->blocks.solver) > INDEPENDENT;
    return status == DAE_SINGULAR ? DAE_OK : status;
}

static dae_status factor_shifted(saddle_point *p)
{
    dae_status status = saddle_square_factor(p, true);
    if (status == DAE_SINGULAR) {
        size_t column = p->square.solver->singular_column;
        p->undetermined = column < p->n ? column : 0;
    }
    if (status == DAE_OK) p->way = SADDLE_SHIFTED;
    return status;
}

static dae_status factor_square(saddle_point *p)
{
    bool independent = true;
    dae_status status = saddle_square_factor(p, false);
    if (status != DAE_OK) return status;
    double pivot = linear_solver_least_pivot(p->square.solver);
    if (pivot <= ROUND_OFF_ELIMINATED) return DAE_OK;
    if (pivot <= p->trusted) status = look_at_rows(p, &independent);
    if (status != DAE_OK || !independent) return status;
    p->trusted = fmin(p->trusted, fmax(LOWER * pivot, LEAST));
    p->way = SADDLE_SQUARE;
    return DAE_OK;
}

/* Solve by S where H has small regular blocks, or as a whole matrix, unless pivots make that
 * doubtful. */
static dae_status factor_regular(saddle_point *p, bool same_h, double least)
{
    dae_status status = p->blocks.pattern ? saddle_blocks_factor(p, same_h) : DAE_SINGULAR;
    if (status == DAE_OK && linear_solver_least_pivot(p->blocks.solver) > least)
        p->way = SADDLE_BLOCKS;
    if (status == DAE_SINGULAR) status = factor_square(p);
    return status == DAE_SINGULAR ? DAE_OK : status;
}

dae_status saddle_point_factor(saddle_point *p, const double *h, const double *g)
{
    bool same_h = keep(p->h_value, h, p->h->nonzeros);
    bool same_g = keep(p->g_value, g, p->g->nonzeros);
    if (same_h && same_g && p->way != SADDLE_NONE) return DAE_OK;
    bool ranked = p->n + p->m <= LARGEST_RANKED;
    dae_status status = DAE_OK;
    if (!same_h) p->small.factored = p->blocks.inverted = false;
    p->way = SADDLE_NONE;
    p->factored++;
    p->undetermined = 0;
    p->rank = p->m;
    if (p->small.fits && !p->deficient && saddle_small_factor(p)) {
        p->way = SADDLE_SMALL; /* pivots that are no numbers do not serve */
        return DAE_OK;
    }
    if (!vector_is_finite(p->h->nonzeros, h) || !vector_is_finite(p->g->nonzeros, g))
        return DAE_SINGULAR;
    if (p->m <= p->n && !(ranked && p->deficient))
        status = factor_regular(p, same_h, ranked ? INDEPENDENT : ROUND_OFF_ELIMINATED);
    if (status != DAE_OK || p->way != SADDLE_NONE) return status;
    return ranked ? factor_ranked(p) : factor_shifted(p);
}

size_t saddle_point_rank(const saddle_point *p)
{
    return p->rank;
}

bool saddle_point_knows_rank(const saddle_point *p)
{
    return p->way != SADDLE_SHIFTED;
}

size_t saddle_point_factored(const saddle_point *p)
{
    return p->factored;
}

size_t saddle_point_undetermined(const saddle_point *p)
{
    return p->undetermined;
}

/* The solver that factors the matrix. NULL: only the rank has been examined so far. */
static const linear_solver *solver_of(const saddle_point *p)
{
    bool square = p->way == SADDLE_SQUARE || p->way == SADDLE_SHIFTED || !p->blocks.solver;
    return square ? p->square.solver : p->blocks.solver;
}

size_t saddle_point_nonzeros(const saddle_point *p)
{
    if (p->way == SADDLE_SMALL) return p->small.nonzeros;
    const linear_solver *solver = solver_of(p);
    return solver ? solver->nonzeros : p->n * p->n;
}

const char *saddle_point_name(const saddle_point *p)
{
    const linear_solver *solver = solver_of(p);
    if (p->way == SADDLE_SMALL) return "cholesky";
    return solver ? solver->name : "lapack";
}

void saddle_point_free(saddle_point *p)
{
    if (!p) return;
    linear_solver_free(p->blocks.solver);
    linear_solver_free(p->square.solver);
    if (p->null) min_norm_free(p->null->rows);
    saddle_point_free(p->gram);
    arena_free(&p->memory);
    free(p);
}
