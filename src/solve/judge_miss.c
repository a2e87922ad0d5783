/* How far a point misses the equations. */
#include "solve/judge_parts.h"

#include "base/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What is less of a row, in tolerances, is not asked for. */
static const double LITTLE_MISSED = 0.002;

/* A point beside the one that is looked at: each variable aside by so many tolerances. Where one
 * may have jumped from branch to branch, differential variables stay: near a pole their tolerance
 * would account for any value of it. */
void judge_step_aside(judge *j, const engine *e, double tolerances, size_t sample)
{
    const engine_options *o = &e->options;
    const unsigned char *depth = problem_depth(e->problem);
    double h = problem_depth_factor(e->problem, e->dense.h),
           looser = fmax(1, JUDGE_TIGHTEST / o->rtol);
    for (size_t k = 0; k < j->n; k++) {
        double size = engine_tolerance(o, k, j->value[k]);
        double part = scattered(sample * j->n + k);
        double change = tolerances * copysign(0.5 + 0.5 * fabs(part), part) * looser * size;
        if (depth && depth[k] > 1) change /= depth[k] > 2 ? h * h : h; /* as in norms */
        bool stays = j->alone && e->problem->dynamic[k];
        j->other_value[k] = j->value[k] + (stays ? 0 : change);
        j->other_yp[k] = j->value_yp[k] + change / e->dense.h;
    }
}

/* The same with each variable moved away from 0: below 0 a root has no values. */
static void step_outward(judge *j, const engine *e)
{
    for (size_t k = 0; k < j->n; k++) {
        double change = j->other_value[k] - j->value[k];
        double outward = copysign(fabs(change), j->value[k]);
        j->other_yp[k] += (outward - change) / e->dense.h;
        j->other_value[k] = j->value[k] + outward;
    }
}

/* Into scale (n): the most that a change by so many tolerances makes of each row. */
static dae_status find_scale(judge *j, engine *e, double t, double tolerances, size_t samples,
                             double *scale)
{
    memset(scale, 0, j->n * sizeof *scale);
    for (size_t i = 0; i < samples; i++) {
        judge_step_aside(j, e, tolerances, i);
        dae_status status = problem_residual(e->problem, t, j->other_value, j->other_yp,
                                             j->changed);
        if (status == DAE_NOT_EVALUABLE) {
            step_outward(j, e);
            status = problem_residual(e->problem, t, j->other_value, j->other_yp, j->changed);
        }
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < j->n; k++)
            scale[k] = fmax(scale[k], fabs(j->changed[k] - j->residual[k]));
    }
    return DAE_OK;
}

/* An explicit method is stable while what a change of integrated variables makes of their
 * derivatives takes no longer than about a step. In longer ones those of fast states, whose rows a
 * tolerance changes much, may rest by chance, and a pulse beside them would be explained by it. */
static dae_status limit_scale(judge *j, engine *e, double t, size_t samples)
{
    static const double MOST_STABLE = 10; /* dop853 reaches 6 */
    const bool *dynamic = e->problem->dynamic;
    if (!e->is_explicit) return DAE_OK;
    memset(j->far_scale, 0, j->n * sizeof *j->far_scale);
    for (size_t i = 0; i < samples; i++) {
        judge_step_aside(j, e, 1, i);
        for (size_t k = 0; k < j->n; k++)
            if (dynamic[k]) j->other_value[k] = j->value[k];
        dae_status status = problem_residual(e->problem, t, j->other_value, j->other_yp,
                                             j->changed);
        if (status != DAE_OK) return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
        for (size_t k = 0; k < j->n; k++)
            j->far_scale[k] = fmax(j->far_scale[k], fabs(j->changed[k] - j->residual[k]));
    }
    for (size_t k = 0; k < j->n; k++)
        if (j->far_scale[k] > 0) j->scale[k] = fmin(j->scale[k], MOST_STABLE * j->far_scale[k]);
    return DAE_OK;
}

/* Rounding values and derivatives makes that much of the residual, of which nothing is missed. */
static dae_status leave_round_off(judge *j, engine *e, double t)
{
    static const double MARGIN = 10;
    for (size_t i = 0; i < JUDGE_SAMPLES; i++) {
        for (size_t k = 0; k < j->n; k++) {
            double part = DBL_EPSILON * scattered(i * j->n + k);
            j->other_value[k] = j->value[k] * (1 + part);
            j->other_yp[k] = j->value_yp[k] * (1 - part);
        }
        dae_status status = problem_residual(e->problem, t, j->other_value, j->other_yp,
                                             j->changed);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < j->n; k++) {
            double noise = MARGIN * fabs(j->changed[k] - j->residual[k]);
            j->residual[k] = copysign(fmax(0, fabs(j->residual[k]) - noise), j->residual[k]);
        }
    }
    return DAE_OK;
}

/* Up an exponential a change by the tolerance makes as much more as is missed. Beside what it makes
 * at the end of the step that is a way of several tolerances, each of which takes the same factor
 * off; 0 where it makes hardly more. */
static double count_climbed(const judge *j, size_t k)
{
    double more = j->within_step && j->calm[k] > 0 ? log(j->scale[k] / j->calm[k]) : 0;
    return more > 1 && isfinite(more) ? more / log1p(j->scale[k] / fabs(j->residual[k])) : 0;
}

/* By the residual and the scale at hand. */
static void take_worst(judge *j, double t, judge_miss *worst)
{
    for (size_t k = 0; k < j->n; k++) {
        if (j->residual[k] == 0 || (j->alone && j->scale[k] == 0)) continue;
        double size = fabs(j->residual[k]) / j->scale[k];
        if (size > worst->size) *worst = (judge_miss){.size = size, .row = k, .t = t};
        j->climbed = fmax(j->climbed, count_climbed(j, k));
    }
}

/* Under a root, and where a law saturates, a change by many tolerances makes less than so many
 * times what one makes: an empty tank is not filled by the little that its outlet would take at
 * once. */
static void take_far(judge *j, engine *e, double t, judge_miss *worst)
{
    if (find_scale(j, e, t, JUDGE_MOST_WITHIN, JUDGE_SAMPLES, j->far_scale) != DAE_OK) return;
    for (size_t k = 0; k < j->n; k++) {
        double size = JUDGE_MOST_WITHIN * fabs(j->residual[k]) / j->far_scale[k];
        if (j->far_scale[k] > 0 && size > JUDGE_MOST_WITHIN && size > worst->size)
            *worst = (judge_miss){.size = size, .row = k, .t = t};
    }
}

/* The worst miss at (t, value, value_yp); 0 where F has no value there or beside it. First by a
 * scale of so many samples, which will do as long as by it nothing is missed by a tolerance. What a
 * change by the tolerance makes is found anew each time: over a few steps a diode that begins to
 * block makes it smaller by many decades. */
dae_status judge_look_at(judge *j, engine *e, double t, size_t samples, judge_miss *worst)
{
    judge_miss seen = *worst;
    dae_status status = problem_residual(e->problem, t, j->value, j->value_yp, j->residual);
    if (status == DAE_OK) status = find_scale(j, e, t, 1, samples, j->scale);
    if (status == DAE_OK) status = limit_scale(j, e, t, samples);
    if (status != DAE_OK) return status;
    take_worst(j, t, &seen);
    if (seen.size > 1) {
        if (samples < JUDGE_SAMPLES) status = find_scale(j, e, t, 1, JUDGE_SAMPLES, j->scale);
        if (status == DAE_OK) status = limit_scale(j, e, t, JUDGE_SAMPLES);
        if (status == DAE_OK) status = leave_round_off(j, e, t);
        seen = *worst;
        if (status == DAE_OK) take_worst(j, t, &seen);
        if (status == DAE_OK) take_far(j, e, t, &seen);
    }
    if (status == DAE_OK) *worst = seen;
    return status;
}

/* Into x (n), the residual: the change of y that would remove it, by the matrix of the step. How
 * much it moves what is integrated, in tolerances. */
static double find_move(const judge *j, engine *e, double *x)
{
    const engine_options *o = &e->options;
    const problem *p = e->problem;
    double most = 0, looser = fmax(1, JUDGE_TIGHTEST / o->rtol);
    problem_solve(e->problem, p->real_slot, x);
    for (size_t k = 0; k < j->n; k++) {
        double size = engine_tolerance(o, k, j->value[k]);
        if (p->dynamic[k]) most = fmax(most, fabs(x[k]) / (looser * size));
    }
    return most;
}

/* Whether so many times the change x (n) of y leaves little of it to be made, or something on the
 * other side: what the matrix makes of the residual there, along x. Row by row that does not show:
 * a pair takes from one row what it gives to the other. What one variable has on the other side
 * makes up for nothing in another. */
static dae_status try_move(judge *j, engine *e, double t, const double *x, double times,
                           bool *removes)
{
    static const double LITTLE = 1e-3; /* a push may exceed friction by as little */
    const engine_options *o = &e->options;
    const problem *p = e->problem;
    double along = 0, whole = 0;
    for (size_t k = 0; k < j->n; k++) {
        j->other_value[k] = j->value[k] - times * x[k];
        j->other_yp[k] = j->value_yp[k] - times * p->real_c * x[k];
    }
    *removes = false;
    dae_status status = problem_residual(e->problem, t, j->other_value, j->other_yp, j->changed);
    if (status != DAE_OK) return status;
    problem_solve(e->problem, p->real_slot, j->changed);
    for (size_t k = 0; k < j->n; k++) {
        double size = engine_tolerance(o, k, j->value[k]);
        double part = p->dynamic[k] ? x[k] / size : 0;
        along += fmax(0, part * j->changed[k] / size);
        whole += part * part;
    }
    *removes = !(along > LITTLE * whole);
    return DAE_OK;
}

/* Whether the change of y in far_scale, of that size, removes what is missed, or a multiple of it
 * of no more tolerances than may be missed. */
static dae_status look_along_move(judge *j, engine *e, double t, double size, bool *removes)
{
    static const double LONGER = 2;
    const double *x = j->far_scale;
    dae_status status = try_move(j, e, t, x, 1, removes);
    for (double times = LONGER; status == DAE_OK && !*removes; times *= LONGER) {
        if (times * size > JUDGE_MOST_WITHIN || size == 0) break;
        status = try_move(j, e, t, x, times, removes);
    }
    return status;
}

static double find_whole_move(judge *j, engine *e)
{
    memcpy(j->far_scale, j->residual, j->n * sizeof *j->far_scale);
    return find_move(j, e, j->far_scale);
}

/* The same by the matrix of this point, where the engine can go on with others afterwards. */
static dae_status look_with_matrix(judge *j, engine *e, double t, double *size, bool *removes)
{
    problem *p = e->problem;
    const double c = p->real_c;
    if (!e->ops->lend) return DAE_OK;
    dae_status status = problem_linearize(p, t, j->value, j->value_yp);
    if (status == DAE_OK) status = problem_factor(p, p->real_slot, c, 1);
    if (status == DAE_OK) *size = find_whole_move(j, e);
    if (status == DAE_OK) status = look_along_move(j, e, t, *size, removes);
    e->ops->lend(e);
    return status;
}

/* Row by row little may be missed where all is lost: what two variables exchange fast makes their
 * rows large, and hides what acts on their sum; a law that is steep over less than the tolerance
 * and then saturates is changed much by one tolerance, and by a hundred no more. So the change is
 * looked for that removes what is missed, where an implicit method has a matrix at hand. It may be
 * that of another point: where it does not serve, and would find a miss, another is made. */
dae_status judge_look_at_all(judge *j, engine *e, double t, const judge_miss *rows,
                             judge_miss *worst)
{
    static const double NEAR = 0.1, FAR = 100;
    const problem *p = e->problem;
    double steps = p->real_c * e->dense.h, size;
    if (!p->has_real_slot || !(steps > NEAR && steps < FAR) || problem_highest_index(p) > 1)
        return DAE_OK;
    if (rows->size == 0) return DAE_OK;
    bool removes = false;
    size = find_whole_move(j, e);
    if (rows->size < LITTLE_MISSED && size <= JUDGE_MOST_WITHIN) return DAE_OK;
    dae_status status = look_along_move(j, e, t, size, &removes);
    if (status == DAE_OK && !(removes && size <= JUDGE_MOST_WITHIN))
        status = look_with_matrix(j, e, t, &size, &removes);
    if (status != DAE_OK || (removes && size <= JUDGE_MOST_WITHIN)) return status;
    size = fmax(size, 2 * JUDGE_MOST_WITHIN);
    if (size > worst->size) *worst = (judge_miss){.size = size, .row = rows->row, .t = t};
    return DAE_OK;
}
