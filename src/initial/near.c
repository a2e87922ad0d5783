/* The start near a solution of equations that differ a little, as behind an event. */
#include "initial/consistent.h"

#include <string.h>

dae_status initial_near(const start_system *s, double t, double *z, size_t *rank)
{
    enum { FEW_ITERATIONS = 10 };
    reduced_start *r = NULL;
    start_system first = *s;
    first.fixed = s->held;
    *rank = 0;
    dae_status status = reduced_start_create(&r, &first, t, s->rows, false);
    if (status != DAE_OK) return status;
    status = reduced_start_solve(r, FEW_ITERATIONS);
    if (status == DAE_OK && !(reduced_start_violation(r) <= INITIAL_TOLERANCE)) status = DAE_NEWTON;
    if (status == DAE_OK) memcpy(z, r->z, s->size * sizeof *z);
    if (status == DAE_OK && min_norm_knows_rank(r->solver->linear))
        *rank = min_norm_rank(r->solver->linear);
    reduced_start_free(r);
    return status;
}
