#include "initial/consistent.h"

#include "initial/reduced_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

dae_status initial_states(const start_system *s, double t, const double *z, size_t *chosen,
                          size_t *count, bool *known)
{
    reduced_start *r = NULL;
    *count = 0;
    *known = false;
    dae_status status = reduced_start_create(&r, s, t, s->equations, true);
    if (status == DAE_OK) {
        memcpy(r->x, z, s->size * sizeof *z); /* nothing is fixed: columns are the entries of z */
        status = gauss_newton_look(r->solver, r->x, r->nominal);
    }
    if (status == DAE_OK && min_norm_knows_rank(r->solver->linear)) {
        *known = true;
        *count = s->size - min_norm_rank(r->solver->linear);
        status = min_norm_free_columns(r->solver->linear, s->preference, chosen);
        if (status == DAE_OK) qsort(chosen, *count, sizeof *chosen, ascending);
    }
    if (status == DAE_SINGULAR) { /* they are not known */
        *known = false;
        *count = 0;
        status = DAE_OK;
    }
    reduced_start_free(r);
    return status;
}

/* The part of a unit change of column j that does not change the rows, in the columns' nominal
 * sizes. */
static double unseen(reduced_start *r, size_t j)
{
    const sparse_pattern *p = r->system.pattern;
    double sum = 0, *row = r->probe, *change = r->spread;
    memset(row, 0, r->system.rows * sizeof *row);
    for (sparse_index k = p->start[j]; k < p->start[j + 1]; k++)
        row[p->row[k]] = r->solver->value[k] * r->nominal[j];
    min_norm_solve(r->solver->linear, row, change);
    change[j] += r->nominal[j];
    for (size_t k = 0; k < r->system.columns; k++) sum = hypot(sum, change[k] / r->nominal[k]);
    return sum;
}

dae_status initial_undetermined(const start_system *s, double t, const double *z, bool *open)
{
    static const double SEEN = 1e-6; /* round-off; the tolerance of the rank is its square */
    reduced_start *r = NULL;
    start_system held = *s;
    held.fixed = s->variable;
    memset(open, 0, s->size * sizeof *open);
    dae_status status = reduced_start_create(&r, &held, t, s->rows, false);
    if (status == DAE_OK) {
        reduced_start_go_to(r, z);
        status = gauss_newton_look(r->solver, r->x, r->nominal);
    }
    for (size_t j = 0; status == DAE_OK && j < r->system.columns; j++)
        open[r->entry[j]] = !min_norm_knows_null_space(r->solver->linear) || unseen(r, j) > SEEN;
    reduced_start_free(r);
    return status;
}
