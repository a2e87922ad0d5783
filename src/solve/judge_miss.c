/* How far a point misses the equations. */
#include "solve/judge.h"

#include "base/scatter.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Where no row misses by more than this, in tolerances, and the change that removes the miss is
 * small, the point is accepted without further tests. */
static const double LITTLE_MISSED = 0.002;

/* Changes each variable by about `tolerances` tolerances. Where an algebraic variable may have
 * jumped to another branch (j->alone), differential variables stay: near a pole, their tolerance
 * would explain any value of it. */
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

dae_status judge_raise_scale(judge *j, engine *e, double t, double *scale)
{
    dae_status status = problem_residual(e->problem, t, j->other_value, j->other_yp, j->changed);
    for (size_t k = 0; status == DAE_OK && k < j->n; k++)
        if (fabs(j->changed[k] - j->residual[k]) > scale[k])
            scale[k] = fabs(j->changed[k] - j->residual[k]);
    return status;
}

/* Fills scale (n) with the largest change of each row by changes of that many tolerances.
 * `outward`: where F has no value beside the point, the change goes the other way. */
static dae_status find_scale(judge *j, engine *e, double t, double tolerances, size_t samples,
                             bool outward, double *scale)
{
    memset(scale, 0, j->n * sizeof *scale);
    for (size_t i = 0; i < samples; i++) {
        judge_step_aside(j, e, tolerances, i);
        dae_status status = judge_raise_scale(j, e, t, scale);
        if (outward && status == DAE_NOT_EVALUABLE) {
            step_outward(j, e);
            status = judge_raise_scale(j, e, t, scale);
        }
        if (status != DAE_OK) return status;
    }
    return DAE_OK;
}

/* Limits the scale for explicit methods. A change of the integrated variables changes their
 * derivatives. An explicit method is stable only where, in about a step, these move the variables
 * by no more than that change. In longer steps, fast states may be at rest by chance. A tolerance
 * changes their rows much, and would explain a pulse there. */
static dae_status limit_scale(judge *j, engine *e, double t, size_t samples)
{
    static const double MOST_STABLE = 10; /* dop853 reaches 6 */
    const bool alone = j->alone;
    if (!e->is_explicit) return DAE_OK;
    j->alone = true;
    dae_status status = find_scale(j, e, t, 1, samples, false, j->far_scale);
    j->alone = alone;
    if (status != DAE_OK) return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
    for (size_t k = 0; k < j->n; k++)
        if (j->far_scale[k] > 0) j->scale[k] = fmin(j->scale[k], MOST_STABLE * j->far_scale[k]);
    return DAE_OK;
}

dae_status judge_find_scale(judge *j, engine *e, double t)
{
    dae_status status = problem_residual(e->problem, t, j->value, j->value_yp, j->residual);
    if (status == DAE_OK) status = find_scale(j, e, t, 1, JUDGE_SAMPLES, true, j->scale);
    return status == DAE_OK ? limit_scale(j, e, t, JUDGE_SAMPLES) : status;
}

/* Subtracts from the residual what rounding of values and derivatives makes of it. */
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

/* How many tolerances the point lies up an exponential. There, each tolerance multiplies both the
 * miss and its scale by 1 + scale / |residual|. The scale at the end of the step tells how many
 * such factors there are. 0 where the scale is hardly larger than that. */
static double count_climbed(const judge *j, size_t k)
{
    double more = j->within_step && j->known[k] > 0 ? log(j->scale[k] / j->known[k]) : 0;
    return more > 1 && isfinite(more) ? more / log1p(j->scale[k] / fabs(j->residual[k])) : 0;
}

/* Raises *worst by the residual and the scale that were found last. */
static void take_worst(judge *j, double t, judge_miss *worst)
{
    for (size_t k = 0; k < j->n; k++) {
        if (j->residual[k] == 0 || (j->alone && j->scale[k] == 0)) continue;
        double size = fabs(j->residual[k]) / j->scale[k];
        if (size > worst->size) *worst = (judge_miss){.size = size, .row = k, .t = t};
        j->climbed = fmax(j->climbed, count_climbed(j, k));
    }
}

/* Judges large misses by a change of many tolerances. Under a root, and where a law saturates, this
 * makes less than as many times the effect of one tolerance. Otherwise an empty tank would count as
 * filled by the little that its outlet takes at once. */
static void take_far(judge *j, engine *e, double t, judge_miss *worst)
{
    if (find_scale(j, e, t, JUDGE_MOST_WITHIN, JUDGE_SAMPLES, true, j->far_scale) != DAE_OK) return;
    for (size_t k = 0; k < j->n; k++) {
        double size = JUDGE_MOST_WITHIN * fabs(j->residual[k]) / j->far_scale[k];
        if (j->far_scale[k] > 0 && size > JUDGE_MOST_WITHIN && size > worst->size)
            *worst = (judge_miss){.size = size, .row = k, .t = t};
    }
}

/* Where rounding or a tolerance has led below a root's end, there are values beside the point.
 * Where there are none, the step has passed what the equations forbid, as a pulse of the mains,
 * which forward biases a diode so much that its law overflows. */
dae_status judge_look_beside(judge *j, engine *e, double t, judge_miss *worst)
{
    static const double tolerances[] = {1, -1, JUDGE_MOST_WITHIN, -JUDGE_MOST_WITHIN};
    dae_status status = problem_residual(e->problem, t, j->value, j->value_yp, j->residual);
    if (status != DAE_NOT_EVALUABLE) return status == DAE_OK ? DAE_NOT_EVALUABLE : status;
    size_t row = e->problem->bad_row == PROBLEM_NOWHERE ? 0 : e->problem->bad_row;
    for (size_t i = 0; i < 4 * JUDGE_SAMPLES; i++) {
        judge_step_aside(j, e, tolerances[i / JUDGE_SAMPLES], i % JUDGE_SAMPLES);
        status = problem_residual(e->problem, t, j->other_value, j->other_yp, j->changed);
        if (status != DAE_NOT_EVALUABLE) return status == DAE_OK ? DAE_NOT_EVALUABLE : status;
    }
    double size = 2 * JUDGE_MOST_WITHIN;
    if (size > worst->size) *worst = (judge_miss){.size = size, .row = row, .t = t};
    return DAE_NOT_EVALUABLE;
}

/* The worst miss at (t, value, value_yp); 0 where F has no value there or beside it. The first
 * scale has `samples` sample changes, which suffice while no row misses by more than a tolerance.
 * The scale is found anew each time: over a few steps, a diode that begins to block reduces it by
 * many decades. */
dae_status judge_compare(judge *j, engine *e, double t, size_t samples, judge_miss *worst)
{
    judge_miss seen = *worst;
    dae_status status = find_scale(j, e, t, 1, samples, true, j->scale);
    if (status == DAE_OK) status = limit_scale(j, e, t, samples);
    if (status != DAE_OK) return status;
    take_worst(j, t, &seen);
    if (seen.size > 1) {
        if (samples < JUDGE_SAMPLES) status = find_scale(j, e, t, 1, JUDGE_SAMPLES, true, j->scale);
        if (status == DAE_OK) status = limit_scale(j, e, t, JUDGE_SAMPLES);
        if (status == DAE_OK) status = leave_round_off(j, e, t);
        seen = *worst;
        if (status == DAE_OK) take_worst(j, t, &seen);
        if (status == DAE_OK) take_far(j, e, t, &seen);
    }
    if (status == DAE_OK) *worst = seen;
    return status;
}

/* Fills j->far_scale with the change of y that would remove the residual, by the matrix of the
 * step. Returns how far that moves an integrated variable, in tolerances. */
static double find_move(const judge *j, engine *e)
{
    const engine_options *o = &e->options;
    const problem *p = e->problem;
    double most = 0, looser = fmax(1, JUDGE_TIGHTEST / o->rtol), *x = j->far_scale;
    memcpy(x, j->residual, j->n * sizeof *x);
    problem_solve(e->problem, p->real_slot, x);
    for (size_t k = 0; k < j->n; k++) {
        double size = engine_tolerance(o, k, j->value[k]);
        if (p->dynamic[k]) most = fmax(most, fabs(x[k]) / (looser * size));
    }
    return most;
}

/* Whether `times` the change x (n) of y removes the miss. The matrix turns the residual there into
 * the change that remains; it must be small along x, or point the other way. Single rows do not
 * show this, because a pair of variables takes from one row what it gives to the other. A variable
 * that overshoots does not make up for another. */
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

/* Whether the change of y in far_scale, of that size in tolerances, removes the miss, or a multiple
 * of it that is no larger than the largest allowed miss. */
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

/* The same by the matrix of this point, where the engine can continue with another one afterwards.
 */
static dae_status look_with_matrix(judge *j, engine *e, double t, double *size, bool *removes)
{
    problem *p = e->problem;
    const double c = p->real_c;
    if (!e->ops->lend) return DAE_OK;
    dae_status status = problem_linearize(p, t, j->value, j->value_yp);
    if (status == DAE_OK) status = problem_factor(p, p->real_slot, c, 1);
    if (status == DAE_OK) *size = find_move(j, e);
    if (status == DAE_OK) status = look_along_move(j, e, t, *size, removes);
    e->ops->lend(e);
    return status;
}

/* Each row by itself may miss little where the whole point is wrong. Two variables with a fast
 * exchange have large rows, which hide what acts on their sum. A law that is steep over less than
 * the tolerance and then saturates changes much with one tolerance, and no more with a hundred. So,
 * where an implicit method has a matrix, the change that removes the miss is computed. The matrix
 * may belong to another point: where it fails and would report a miss, a new one is made. */
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
    size = find_move(j, e);
    if (rows->size < LITTLE_MISSED && size <= JUDGE_MOST_WITHIN) return DAE_OK;
    dae_status status = look_along_move(j, e, t, size, &removes);
    if (status == DAE_OK && !(removes && size <= JUDGE_MOST_WITHIN))
        status = look_with_matrix(j, e, t, &size, &removes);
    if (status != DAE_OK || (removes && size <= JUDGE_MOST_WITHIN)) return status;
    size = fmax(size, 2 * JUDGE_MOST_WITHIN);
    if (size > worst->size) *worst = (judge_miss){.size = size, .row = rows->row, .t = t};
    return DAE_OK;
}
