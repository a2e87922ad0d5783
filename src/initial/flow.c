/* The solution that Newton's flow leads to.
 *
 * Equations that bend may have several solutions, and from guesses at which their Jacobian is
 * nearly singular long corrections lead to any of them: past the nearest one, and across points at
 * which the Jacobian is singular. The flow x' = -J(x)^-1 r(x) crosses none of these, and the miss
 * of each row goes to 0 in proportion to that at the guesses (Deuflhard, Newton Methods for
 * Nonlinear Problems, 2004, Sec. 3.1.4). So corrections are looked at, and where they may have left
 * the flow it is followed by short steps. */
#include "initial/search.h"

#include <string.h>

dae_status start_solve_watched(reduced_start *r, size_t most_iterations)
{
    r->solver->watched = true;
    dae_status status = reduced_start_solve(r, most_iterations);
    r->solver->watched = false;
    return status;
}

bool start_meets_closely(reduced_start *r, bool (*is_met)(reduced_start *r))
{
    enum { MOST_ITERATIONS = 100 };
    static const double LONGEST_FIRST = 0.3;
    gauss_newton *solver = r->solver;
    double longest = solver->longest_first;
    reduced_start_go_to(r, r->s->guess);
    solver->closely = true;
    solver->longest_first = LONGEST_FIRST;
    bool met = reduced_start_solve(r, MOST_ITERATIONS) == DAE_OK && is_met(r);
    solver->closely = false;
    solver->longest_first = longest;
    return met;
}

bool start_follow_flow(reduced_start *r, bool (*is_met)(reduced_start *r))
{
    if (!r->solver->strayed) return true;
    memcpy(r->saved_z, r->z, r->s->size * sizeof *r->z);
    if (start_meets_closely(r, is_met)) return true;
    reduced_start_go_to(r, r->saved_z);
    return gauss_newton_look(r->solver, r->x, r->weight) == DAE_OK;
}
