/* Whether what a run gives meets the equations as its author wrote them, whatever was integrated.
 *
 * Where states are projected it does so by construction; elsewhere drift, or a chain of definitions
 * that amplifies round-off, can make of a run that went well in its own unknowns one that is wrong
 * in the author's. It is checked where the run ends, never at rows; where combinations of equations
 * are integrated, which may come to say something else than these, at the end of each step. */
#include "solve/success.h"

#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative misses beyond so many tolerances, and beyond the first of these, are no result; nor are
 * any beyond the second. */
static const double MOST_TOLERANCES = 1000, GROSS = 1e-3, ABSURD = 0.3;

/* A pole of another order is not told from other growth. Tolerances tell the time of a pole to
 * about this part of them times the run, at which methods at 1e-2 to 1e-9 had x' = x^2 end. */
static const double LOWEST_POLE = 0.25, HIGHEST_POLE = 8, POLE_PART = 0.5;

/* In absolute tolerances. */
static const double LEAST_LARGE = 1000;

static double limit_of(const dae_solver *s)
{
    double tolerances = MOST_TOLERANCES * fmax(s->options.rtol, s->options.atol);
    return fmax(GROSS, fmin(ABSURD, tolerances));
}

/* The worst miss of the constraints at the values evaluated last: of levels that they hide where
 * these are met at each step, for else the user may have let them drift; of equations with
 * derivatives where rows are solved for these: elsewhere they are those of a method, which may make
 * no more than a guess of them. */
static dae_status find_miss(dae_solver *s, double *miss)
{
    simulation *c = s->simulation;
    dae_stats *stats = &s->stats;
    double residual = stats->max_residual;
    size_t bytes = c->constraint_levels * sizeof *c->constraint;
    memcpy(s->constraint, c->constraint, bytes);
    memset(c->constraint, 0, bytes);
    stats->max_residual = 0;
    dae_status status = solve_measure(s, s->engine->t);
    *miss = c->rows_meet ? stats->max_residual : 0;
    for (size_t k = 0; k < c->constraint_levels && (k == 0 || c->project_steps); k++)
        *miss = fmax(*miss, c->constraint[k]);
    if (!(stats->max_residual >= residual)) stats->max_residual = residual;
    for (size_t k = 0; k < c->constraint_levels; k++)
        if (!(c->constraint[k] >= s->constraint[k])) c->constraint[k] = s->constraint[k];
    return status;
}

dae_status success_begin(dae_solver *s)
{
    free(s->constraint);
    s->constraint = malloc((s->simulation->constraint_levels + 1) * sizeof *s->constraint);
    if (!s->constraint) return message_fail(&s->message, DAE_NO_MEMORY, "memory is exhausted");
    return DAE_OK;
}

/* By the last step a variable grows as (T - t)^-p: how long it is from its end to T, HUGE_VAL where
 * it does not. With r = y'/y, 1/r is (T - t)/p. */
static double time_to_pole(const dae_solver *s, size_t k)
{
    const engine *e = s->engine;
    const judge *j = &s->judge;
    double h = e->t - j->t, sign = e->options.direction;
    double first = sign * j->yp[k] / j->y[k], last = sign * e->yp[k] / e->y[k];
    if (!(first > 0 && last > first)) return HUGE_VAL;
    double power = fabs(h) / (1 / first - 1 / last);
    return power < HIGHEST_POLE ? power / last : HUGE_VAL;
}

/* Beside 0 growth is fast for the size of a variable, and says nothing. */
static bool is_at_its_largest(const dae_solver *s, size_t i, double size)
{
    double atol = s->atols ? s->atols[i] : s->options.atol;
    return size >= s->largest[i] && size > LEAST_LARGE * atol;
}

/* Whether a variable would be infinite so shortly behind the end that the tolerance does not tell
 * whether before it: its value is arbitrary there. */
static dae_status look_at_growth(dae_solver *s)
{
    const engine *e = s->engine;
    double unknown = POLE_PART * s->options.rtol * fabs(e->t - s->t_start);
    for (size_t k = 0; k < e->problem->n; k++) {
        size_t i = s->simulation->ops->author_of(s->simulation, k);
        double size = fabs(e->y[k]);
        bool rushes = e->problem->dynamic[k] && fabs(e->yp[k]) * unknown > LOWEST_POLE * size;
        if (!rushes || i == PROBLEM_NOWHERE || !is_at_its_largest(s, i, size)) continue;
        double left = time_to_pole(s, k);
        if (!(left < unknown)) continue;
        message *m = &s->message;
        message_fail(m, DAE_ERROR_TEST, "stopped at t = %.9g after %zu steps: ", e->t,
                     e->counts.steps);
        s->simulation->ops->name(s->simulation, i, &m->sentence);
        message_more(m,
                     " = %.3g grows faster and faster and would be infinite %.2g later, but a "
                     "relative tolerance of %.2g tells the time of that to about %.2g only. End "
                     "the run earlier, or tighten the tolerance. What was computed up to there is "
                     "kept.",
                     e->y[k], left, s->options.rtol, unknown);
        return m->status;
    }
    return DAE_OK;
}

dae_status success_look_at_start(dae_solver *s)
{
    const simulation *c = s->simulation;
    double miss = c->constraint_levels > 0 ? c->constraint[0] : 0;
    if (!(miss > GROSS)) return DAE_OK;
    return message_fail(&s->message, DAE_NO_START,
                        "no consistent initial values found: an equation as written is missed by "
                        "%.2g of its terms, which is no more than round-off in the nominal sizes "
                        "of its variables\n  remedy: give what is far from 1 in size its nominal",
                        miss);
}

dae_status success_look(dae_solver *s, double t_end)
{
    simulation *c = s->simulation;
    bool ends = s->engine->t == t_end;
    if (!ends && !c->combined) return DAE_OK;
    bool adapts = !(s->options.step > 0), judged = adapts && !simulation_projects_by(c, "none");
    bool verified = ends && c->ops->verify && (c->ends & (c->ends + 1)) == 0;
    c->ends += ends;
    if (ends && adapts && look_at_growth(s) != DAE_OK) return s->message.status;
    if (!judged && !verified) return DAE_OK;
    double miss = 0, t = s->engine->t;
    dae_status status = solve_evaluate(s, t, NULL);
    if (status == DAE_OK && verified) status = c->ops->verify(c, t);
    if (status == DAE_OK && judged) status = find_miss(s, &miss);
    if (status != DAE_OK || !(miss > limit_of(s))) return status;
    return message_fail(&s->message, DAE_MISSED,
                        "stopped at t = %.9g after %zu steps: the equations as written are missed "
                        "by %.2g of their terms, more than a tolerance of %.2g allows for. Give "
                        "what is far from 1 in size its nominal; or try another method or "
                        "formulation, or projection coordinate. What was computed up to there is "
                        "kept.",
                        t, s->engine->counts.steps, miss, fmax(s->options.rtol, s->options.atol));
}
