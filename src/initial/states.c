#include "initial/states.h"

#include "initial/reduced_start.h"

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
        qsort(chosen, *count, sizeof *chosen, ascending);
    }
    reduced_start_free(r);
    return status;
}
