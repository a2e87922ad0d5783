#include "initial/consistent.h"

#include <math.h>
#include <string.h>

/* One step of Newton's iteration, with the matrix of the point or the last one. */
static dae_status correct(reduced_start *r, bool anew)
{
    gauss_newton *solver = r->solver;
    dae_status status = anew ? gauss_newton_look(solver, r->x, r->weight)
                             : solver->system->value(r, r->x, solver->residual);
    if (status != DAE_OK) return status;
    min_norm_solve(solver->linear, solver->residual, solver->step);
    for (size_t j = 0; j < r->system.columns; j++) {
        r->x[j] += solver->step[j];
        r->z[r->entry[j]] = r->x[j];
        if (!isfinite(r->x[j])) return DAE_NOT_EVALUABLE;
    }
    return DAE_OK;
}

/* Without damping, from guesses that are a step away, as those after a corner of an input are. What
 * the rows hardly determine, such as a derivative of higher index, makes each correction as long as
 * the one before, and damping would then hold back the rest. So the rows decide when they are met,
 * and not the corrections. */
static bool is_a_step_away(reduced_start *r, double most)
{
    enum { FEW_STEPS = 3 };
    reduced_start_go_to(r, r->s->guess);
    for (int i = 0; i < FEW_STEPS; i++) {
        if (correct(r, true) != DAE_OK) return false;
        if (reduced_start_violation(r) <= most) return correct(r, false) == DAE_OK;
    }
    return false;
}

static dae_status solve(reduced_start *r, double most)
{
    enum { FEW_ITERATIONS = 10 };
    if (is_a_step_away(r, most)) return DAE_OK;
    reduced_start_go_to(r, r->s->guess);
    dae_status status = reduced_start_solve(r, FEW_ITERATIONS);
    if (status != DAE_OK) return status;
    return reduced_start_violation(r) <= most ? DAE_OK : DAE_NEWTON;
}

dae_status initial_near_within(const start_system *s, double t, double most, double *z,
                               size_t *rank)
{
    reduced_start *r = NULL;
    start_system first = *s;
    first.fixed = s->held;
    *rank = 0;
    dae_status status = reduced_start_create(&r, &first, t, s->rows, false);
    if (status != DAE_OK) return status;
    status = solve(r, most);
    if (status == DAE_OK) memcpy(z, r->z, s->size * sizeof *z);
    if (status == DAE_OK && min_norm_knows_rank(r->solver->linear))
        *rank = min_norm_rank(r->solver->linear);
    reduced_start_free(r);
    return status;
}

dae_status initial_near(const start_system *s, double t, double *z, size_t *rank)
{
    return initial_near_within(s, t, INITIAL_TOLERANCE, z, rank);
}
