/* The solution that Newton's flow leads to.
 *
 * Equations that bend may have several solutions, and from guesses at which their Jacobian is
 * nearly singular long corrections lead to any of them: past the nearest one, and across points at
 * which the Jacobian is singular. The flow x' = -J(x)^-1 r(x) crosses none of these, and the miss
 * of each row goes to 0 in proportion to that at the guesses (Deuflhard, Newton Methods for
 * Nonlinear Problems, 2004, Sec. 3.1.4). So corrections are looked at, and where they may have left
 * the flow it is followed by short steps. */
#include "initial/search.h"

#include "base/round_off.h"
#include "base/scatter.h"

#include <math.h>
#include <stdlib.h>
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

/* A point at which all free entries are aside of the guesses; with derivatives as they are in
 * r->beside, or as guessed. */
static void go_aside(const reduced_start *r, bool beside, double *z)
{
    static const double DISTANCE = 0.3;
    const start_system *s = r->s;
    memcpy(z, s->guess, s->size * sizeof *z);
    for (size_t c = 0; c < r->system.columns; c++) {
        size_t j = r->entry[c];
        z[j] += DISTANCE * scattered(c) * fmax(fabs(z[j]), s->nominal[j]);
        if (beside) z[j] += r->beside[j] - s->guess[j];
    }
}

static bool are_alike(size_t count, const double *a, const double *b)
{
    for (size_t k = 0; k < count; k++)
        if (!(fabs(a[k] - b[k]) <= ROUND_OFF_AMPLIFIED * fabs(a[k]))) return false;
    return true;
}

bool start_flow_is_same(reduced_start *r)
{
    const start_system *s = r->s;
    size_t nonzeros = s->pattern->nonzeros;
    double *room = malloc((nonzeros + s->size + 1) * sizeof *room), *z = room + nonzeros;
    if (!room) return false;
    go_aside(r, false, z);
    bool same = start_system_jacobian(s, r->t, z, room) == DAE_OK;
    go_aside(r, true, z);
    same = same && start_system_jacobian(s, r->t, z, r->value_all) == DAE_OK &&
           are_alike(nonzeros, room, r->value_all);
    free(room);
    return same;
}
