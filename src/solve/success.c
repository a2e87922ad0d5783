/* Whether what a run gives meets the equations as its author wrote them, whatever was integrated.
 *
 * Where states are projected it does so by construction; elsewhere drift, or a chain of definitions
 * that amplifies round-off, can make of a run that went well in its own unknowns one that is wrong
 * in the author's. It is checked where the run ends, never at rows. */
#include "solve/success.h"

#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative misses beyond so many tolerances, and beyond the first of these, are no result; nor are
 * any beyond the second. */
static const double MOST_TOLERANCES = 1000, GROSS = 1e-3, ABSURD = 0.3;

static double limit_of(const dae_solver *s)
{
    double tolerances = MOST_TOLERANCES * fmax(s->options.rtol, s->options.atol);
    return fmax(GROSS, fmin(ABSURD, tolerances));
}

/* The worst miss of the constraints as written at the values evaluated last: not of levels that
 * they hide, which the user may have let drift, nor of equations with derivatives, of which some
 * methods make no more than a guess. */
static dae_status find_miss(dae_solver *s, double *miss)
{
    course *c = s->course;
    dae_stats *stats = &s->stats;
    double residual = stats->max_residual;
    size_t bytes = c->constraint_levels * sizeof *c->constraint;
    memcpy(s->constraint, c->constraint, bytes);
    memset(c->constraint, 0, bytes);
    stats->max_residual = 0;
    dae_status status = solve_measure(s, s->engine->t);
    *miss = c->constraint_levels > 0 ? c->constraint[0] : 0;
    if (!(stats->max_residual >= residual)) stats->max_residual = residual;
    for (size_t k = 0; k < c->constraint_levels; k++)
        if (!(c->constraint[k] >= s->constraint[k])) c->constraint[k] = s->constraint[k];
    return status;
}

dae_status success_begin(dae_solver *s)
{
    free(s->constraint);
    s->constraint = malloc((s->course->constraint_levels + 1) * sizeof *s->constraint);
    if (!s->constraint) return message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
    return DAE_OK;
}

dae_status success_look(dae_solver *s, double t_end)
{
    course *c = s->course;
    bool judged = !(s->options.step > 0) && !course_projects_by(c, "none");
    if ((!judged && !c->row->verify) || s->engine->t != t_end) return DAE_OK;
    double miss = 0, t = s->engine->t;
    dae_status status = solve_evaluate(s, t, NULL);
    if (status == DAE_OK && c->row->verify) status = c->row->verify(c, t);
    if (status == DAE_OK && judged) status = find_miss(s, &miss);
    if (status != DAE_OK || !(miss > limit_of(s))) return status;
    return message_fail(&s->message, DAE_MISSED,
                        "stopped at t = %.9g after %zu steps: the equations as written are missed "
                        "by %.2g of their terms, more than a tolerance of %.2g allows for. Try "
                        "another method or formulation, or projection coordinate. What was "
                        "computed up to there is kept.",
                        t, s->engine->counts.steps, miss, fmax(s->options.rtol, s->options.atol));
}
