/* Checks whether the results of a run meet the equations as the author wrote them, whatever was
 * integrated.
 *
 * Where states are projected, results meet them by construction. Elsewhere, a run may go well in
 * its own unknowns and be wrong in the author's: by drift, or by a chain of definitions that
 * amplifies round-off. The check is made where the run ends, never at rows. Combinations of
 * equations may come to say something else than the equations. Where these are integrated, the
 * check is made at the end of each step. */
#include "problem/levels.h"
#include "solve/solver.h"

#include <math.h>
#include <string.h>

/* A relative miss is too large beyond MOST_TOLERANCES tolerances and beyond GROSS. It is always too
 * large beyond ABSURD. */
static const double MOST_TOLERANCES = 1000, GROSS = 1e-3, ABSURD = 0.3;

/* Poles of order LOWEST_POLE to HIGHEST_POLE can be told from other growth. A tolerance determines
 * the time of a pole to about POLE_PART times the tolerance times the run. There, methods at
 * tolerances from 1e-2 to 1e-9 ended for x' = x^2. */
static const double LOWEST_POLE = 0.25, HIGHEST_POLE = 8, POLE_PART = 0.5;

/* The least size of a variable at a pole, in absolute tolerances. */
static const double LEAST_LARGE = 1000;

/* The worst miss at the values evaluated last. Hidden levels count only where they are met at each
 * step; otherwise the user may have accepted drift. Equations with derivatives count only where
 * rows are solved for derivatives; elsewhere a method provides these, perhaps only as a guess. */
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
    *miss = c->rows_meet ? stats->max_residual : 0; /* NaN: an equation has no value */
    for (size_t k = 0; k < c->constraint_levels && (k == 0 || c->project_steps); k++)
        if (!isnan(*miss) && !(c->drifts && k + 1 == c->constraint_levels))
            miss_raise(miss, c->constraint[k]);
    double found = stats->max_residual; /* perhaps NaN */
    stats->max_residual = residual;
    miss_raise(&stats->max_residual, found);
    for (size_t k = 0; k < c->constraint_levels; k++)
        if (!(c->constraint[k] >= s->constraint[k])) c->constraint[k] = s->constraint[k];
    return status;
}

/* The time from the end of the step to T, where the last step shows that a variable grows as (T -
 * t)^-p; HUGE_VAL where it does not. With r = y'/y, 1/r is (T - t)/p. */
static double time_to_pole(const dae_solver *s, size_t k)
{
    const engine *e = s->engine;
    const judge *j = &s->judge;
    double h = e->t - j->begun.t, sign = e->options.direction;
    double first = sign * j->begun.yp[k] / j->begun.y[k], last = sign * e->yp[k] / e->y[k];
    if (!(first > 0 && last > first)) return HUGE_VAL;
    double power = fabs(h) / (1 / first - 1 / last);
    return power < HIGHEST_POLE ? power / last : HUGE_VAL;
}

/* Fails where a variable would become infinite so soon after the end that, within the tolerance, it
 * may have done so before it: its value there is arbitrary. */
static dae_status look_at_growth(dae_solver *s)
{
    const engine *e = s->engine;
    double unknown = POLE_PART * s->options.rtol * fabs(e->t - s->t_start);
    for (size_t k = 0; k < e->problem->n; k++) {
        size_t i = s->simulation->ops->author_of(s->simulation, k);
        double size = fabs(e->y[k]), left = HUGE_VAL;
        bool rushes = e->problem->dynamic[k] && fabs(e->yp[k]) * unknown > LOWEST_POLE * size;
        if (!rushes || i == PROBLEM_NOWHERE) continue;
        /* near 0, growth is fast relative to the size of a variable and means nothing */
        double least = LEAST_LARGE * (s->atols ? s->atols[i] : s->options.atol);
        if (size >= s->largest[i] && size > least) left = time_to_pole(s, k);
        if (!(left < unknown)) continue;
        message *m = &s->message;
        solve_begin_failure(s, DAE_ERROR_TEST, e->t);
        message_more(m,
                     "%s = %.3g grows faster and faster and would be infinite %.2g later, but a "
                     "relative tolerance of %.2g tells the time of that to about %.2g only. End "
                     "the run earlier, or tighten the tolerance. What was computed up to there is "
                     "kept.",
                     s->simulation->variable[i], e->y[k], left, s->options.rtol, unknown);
        return m->status;
    }
    return DAE_OK;
}

dae_status success_look_at_start(dae_solver *s)
{
    const simulation *c = s->simulation;
    double miss = c->constraint_levels > 0 ? c->constraint[0] : 0;
    if (c->rows_meet && s->stats.max_residual > miss) miss = s->stats.max_residual;
    if (!(miss > GROSS)) return DAE_OK;
    message_fail(&s->message, DAE_NO_START,
                 "no consistent initial values found: where the equations that are solved in their "
                 "place hold, an equation as written is missed by %.2g of its terms",
                 miss);
    if (c->ops->name_missed) {
        message_more(&s->message, ":\n    ");
        c->ops->name_missed(c, &s->message.sentence);
    }
    message_more(&s->message,
                 "\n  remedy: give what is far from 1 in size its nominal, and guesses "
                 "nearer to a solution (start = ...)");
    return s->message.status;
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
    double miss = 0, t = s->engine->t, tolerance = fmax(s->options.rtol, s->options.atol);
    double limit = fmax(GROSS, fmin(ABSURD, MOST_TOLERANCES * tolerance));
    dae_status status = solve_evaluate(s, t, NULL);
    if (status == DAE_OK && verified) status = c->ops->verify(c, t);
    if (status == DAE_OK && judged) status = find_miss(s, &miss);
    if (status != DAE_OK || miss <= limit) return status;
    if (isnan(miss))
        return message_fail(&s->message, DAE_NOT_EVALUABLE,
                            "stopped at t = %.9g after %zu steps: an equation as written has no "
                            "finite value there, such as 0/0. Write it so that it has one. What "
                            "was computed up to there is kept.",
                            t, s->engine->counts.steps);
    return message_fail(&s->message, DAE_MISSED,
                        "stopped at t = %.9g after %zu steps: the equations as written are missed "
                        "by %.2g of their terms, more than a tolerance of %.2g allows for. Give "
                        "what is far from 1 in size its nominal; or try another method or "
                        "formulation, or projection coordinate. What was computed up to there is "
                        "kept.",
                        t, s->engine->counts.steps, miss, tolerance);
}
