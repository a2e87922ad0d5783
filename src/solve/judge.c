#include "solve/judge.h"

#include "base/scatter.h"

#include <math.h>
#include <string.h>

/* Points within a step lie so close that each hundredth of the run has one, ... */
static const double PARTS_OF_RUN = 100;

/* ... and at this part of their distances: away from the nodes of the usual methods. */
static const double PLACE = 0.4;

/* A tighter relative tolerance is judged as this one: below, round-off shows. */
static const double TIGHTEST = 1e-11;

/* A step is looked at within where it is so much longer than any before. */
static const double GROWN = 1.05;

/* Points within a step over which a variable may have jumped. */
enum { AT_JUMP = 2 };

/* A part of the change of slopes, and so often what it makes slopes may be off on their way. */
static const double SMALL_TURN = 0.1, MOST_OF_TURN = 2;

/* Changes by about the tolerance: in one the terms of a row may cancel. */
enum { SAMPLES = 2 };

/* A step that misses by more is made again, and not taken where its end does. On the examples, by
 * eleven methods at three tolerances, ends miss by at most 1 and points within by at most 20. */
static const double MOST_AT_END = 100, MOST_WITHIN = 100;

/* What is less of a row, in tolerances, is not asked for. */
static const double LITTLE_MISSED = 0.002;

/* Up an exponential a miss of fewer tolerances moves what is integrated by more than that: what was
 * missed is a pulse. */
static const double MOST_CLIMBED = 30;

/* Constraints that a step has followed are met by a change of no more tolerances than this, within
 * it as at its end. */
static const double MOST_MOVED = 100, USUAL = 10;

/* So often in a run: constraints that are far wherever a step ends are those of a formulation. */
enum { MOST_FAR = 500 };

/* A step is made again so often. */
enum { MOST_AGAIN = 5 };

/* How often a step is undone because the run cannot continue from its end, until the run has passed
 * the first such end. */
enum { MOST_ENDS_LEFT = 16 };

static void carve(judge *j)
{
    double **const vectors[] = {&j->y,           &j->yp,          &j->value,    &j->slope,
                                &j->other_value, &j->other_slope, &j->residual, &j->changed,
                                &j->scale,       &j->far_scale,   &j->calm,     &j->branch.rate};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        *vectors[k] = workspace_doubles(&j->space, j->n);
}

dae_status judge_begin(judge *j, size_t n, bool smooth, bool bent)
{
    judge_free(j);
    *j = (judge){.n = n, .branch.smooth = smooth};
    j->branch.bent = smooth && bent;
    carve(j);
    dae_status status = workspace_allocate(&j->space);
    if (status == DAE_OK) carve(j);
    return status;
}

void judge_remember(judge *j, const engine *e)
{
    j->t = e->t;
    memcpy(j->y, e->y, j->n * sizeof *j->y);
    memcpy(j->yp, e->yp, j->n * sizeof *j->yp);
}

/* A point beside the one that is looked at: each variable aside by so many tolerances. Where one
 * may have jumped from branch to branch, differential variables stay: near a pole their tolerance
 * would account for any value of it. */
static void step_aside(judge *j, const engine *e, double tolerances, size_t sample)
{
    const engine_options *o = &e->options;
    const unsigned char *depth = problem_depth(e->problem);
    double h = problem_depth_factor(e->problem, e->dense.h), looser = fmax(1, TIGHTEST / o->rtol);
    for (size_t k = 0; k < j->n; k++) {
        double size = o->rtol * fabs(j->value[k]) + (o->atols ? o->atols[k] : o->atol);
        double part = scattered(sample * j->n + k);
        double change = tolerances * copysign(0.5 + 0.5 * fabs(part), part) * looser * size;
        if (depth && depth[k] > 1) change /= depth[k] > 2 ? h * h : h; /* as in norms */
        bool stays = j->alone && e->problem->dynamic[k];
        j->other_value[k] = j->value[k] + (stays ? 0 : change);
        j->other_slope[k] = j->slope[k] + change / e->dense.h;
    }
}

/* Into scale (n): the most that a change by so many tolerances makes of each row. */
static dae_status find_scale(judge *j, engine *e, double t, double tolerances, size_t samples,
                             double *scale)
{
    memset(scale, 0, j->n * sizeof *scale);
    for (size_t i = 0; i < samples; i++) {
        step_aside(j, e, tolerances, i);
        dae_status status = problem_residual(e->problem, t, j->other_value, j->other_slope,
                                             j->changed);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < j->n; k++)
            scale[k] = fmax(scale[k], fabs(j->changed[k] - j->residual[k]));
    }
    return DAE_OK;
}

/* Rounding values and slopes makes that much of the residual, of which nothing is missed. */
static dae_status leave_round_off(judge *j, engine *e, double t)
{
    static const double ROUND_OFF = 0x1p-52, MARGIN = 10;
    for (size_t i = 0; i < SAMPLES; i++) {
        for (size_t k = 0; k < j->n; k++) {
            double part = ROUND_OFF * scattered(i * j->n + k);
            j->other_value[k] = j->value[k] * (1 + part);
            j->other_slope[k] = j->slope[k] * (1 - part);
        }
        dae_status status = problem_residual(e->problem, t, j->other_value, j->other_slope,
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
    if (find_scale(j, e, t, MOST_WITHIN, SAMPLES, j->far_scale) != DAE_OK) return;
    for (size_t k = 0; k < j->n; k++) {
        double size = MOST_WITHIN * fabs(j->residual[k]) / j->far_scale[k];
        if (j->far_scale[k] > 0 && size > MOST_WITHIN && size > worst->size)
            *worst = (judge_miss){.size = size, .row = k, .t = t};
    }
}

/* The worst miss at (t, value, slope); 0 where F has no value there or beside it. First by a scale
 * of so many samples, which will do as long as by it nothing is missed by a tolerance. What a
 * change by the tolerance makes is found anew each time: over a few steps a diode that begins to
 * block makes it smaller by many decades. */
static dae_status look_at(judge *j, engine *e, double t, size_t samples, judge_miss *worst)
{
    judge_miss seen = *worst;
    dae_status status = problem_residual(e->problem, t, j->value, j->slope, j->residual);
    if (status == DAE_OK) status = find_scale(j, e, t, 1, samples, j->scale);
    if (status != DAE_OK) return status;
    take_worst(j, t, &seen);
    if (seen.size > 1) {
        if (samples < SAMPLES) status = find_scale(j, e, t, 1, SAMPLES, j->scale);
        if (status == DAE_OK) status = leave_round_off(j, e, t);
        seen = *worst;
        if (status == DAE_OK) take_worst(j, t, &seen);
        if (status == DAE_OK) take_far(j, e, t, &seen);
    }
    if (status == DAE_OK) *worst = seen;
    return status;
}

double judge_time(const judge *j, const dense_output *step, size_t point)
{
    return step->t + step->h * ((double)point + PLACE) / (double)j->points;
}

/* Into x (n), the residual: the change of y that would remove it, by the matrix of the step. How
 * much it moves what is integrated, in tolerances. */
static double find_move(const judge *j, engine *e, double *x)
{
    const engine_options *o = &e->options;
    const problem *p = e->problem;
    double most = 0, looser = fmax(1, TIGHTEST / o->rtol);
    problem_solve(e->problem, p->real_slot, x);
    for (size_t k = 0; k < j->n; k++) {
        double size = o->rtol * fabs(j->value[k]) + (o->atols ? o->atols[k] : o->atol);
        if (p->dynamic[k]) most = fmax(most, fabs(x[k]) / (looser * size));
    }
    return most;
}

/* Whether so many times the change x (n) of y leaves little of the rows that miss nearly as much as
 * the worst, or something on the other side. */
static dae_status try_move(judge *j, engine *e, double t, const double *x, double times,
                           double worst, bool *removes)
{
    static const double NEARLY = 0.1, LITTLE = 0.1;
    for (size_t k = 0; k < j->n; k++) {
        j->other_value[k] = j->value[k] - times * x[k];
        j->other_slope[k] = j->slope[k] - times * e->problem->real_c * x[k];
    }
    dae_status status = problem_residual(e->problem, t, j->other_value, j->other_slope, j->changed);
    *removes = status == DAE_OK;
    for (size_t k = 0; k < j->n && *removes; k++) {
        double left = copysign(1, j->residual[k]) * j->changed[k];
        bool is_among = fabs(j->residual[k]) > NEARLY * worst * j->scale[k];
        *removes = !(is_among && left > LITTLE * fabs(j->residual[k]));
    }
    return status;
}

/* Whether the change of y in far_scale, of that size, removes what is missed, or a multiple of it
 * of no more tolerances than may be missed. */
static dae_status look_along_move(judge *j, engine *e, double t, double size, double worst,
                                  bool *removes)
{
    static const double LONGER = 4;
    const double *x = j->far_scale;
    dae_status status = try_move(j, e, t, x, 1, worst, removes);
    for (double times = LONGER; status == DAE_OK && !*removes; times *= LONGER) {
        if (times * size > MOST_WITHIN || size == 0) break;
        status = try_move(j, e, t, x, times, worst, removes);
    }
    return status;
}

static double find_whole_move(judge *j, engine *e)
{
    memcpy(j->far_scale, j->residual, j->n * sizeof *j->far_scale);
    return find_move(j, e, j->far_scale);
}

/* The same by the matrix of this point, where the engine can go on with others afterwards. */
static dae_status look_with_matrix(judge *j, engine *e, double t, double *size, double worst,
                                   bool *removes)
{
    problem *p = e->problem;
    const double c = p->real_c;
    if (!e->row->lend) return DAE_OK;
    dae_status status = problem_linearize(p, t, j->value, j->slope);
    if (status == DAE_OK) status = problem_factor(p, p->real_slot, c, 1);
    if (status == DAE_OK) *size = find_whole_move(j, e);
    if (status == DAE_OK) status = look_along_move(j, e, t, *size, worst, removes);
    e->row->lend(e);
    return status;
}

/* Row by row little may be missed where all is lost: what two variables exchange fast makes their
 * rows large, and hides what acts on their sum; a law that is steep over less than the tolerance
 * and then saturates is changed much by one tolerance, and by a hundred no more. So the change is
 * looked for that removes what is missed, where an implicit method has a matrix at hand. It may be
 * that of another point: where it does not serve, and would find a miss, another is made. */
static dae_status look_at_all(judge *j, engine *e, double t, const judge_miss *rows,
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
    if (rows->size < LITTLE_MISSED && size <= MOST_WITHIN) return DAE_OK;
    dae_status status = look_along_move(j, e, t, size, rows->size, &removes);
    if (status == DAE_OK && !(removes && size <= MOST_WITHIN))
        status = look_with_matrix(j, e, t, &size, rows->size, &removes);
    if (status != DAE_OK || (removes && size <= MOST_WITHIN)) return status;
    size = fmax(size, 2 * MOST_WITHIN);
    if (size > worst->size) *worst = (judge_miss){.size = size, .row = rows->row, .t = t};
    return DAE_OK;
}

static dae_status look_at_end(judge *j, engine *e)
{
    memcpy(j->value, e->y, j->n * sizeof *j->value);
    memcpy(j->slope, e->yp, j->n * sizeof *j->slope);
    dae_status status = look_at(j, e, e->t, j->points > 0 ? SAMPLES : 1, &j->end);
    memcpy(j->calm, j->scale, j->n * sizeof *j->calm);
    return status == DAE_OK ? look_at_all(j, e, e->t, &j->end, &j->within) : status;
}

static dae_status look_within(judge *j, engine *e)
{
    const dense_output *step = engine_polynomial(e);
    dae_status status = DAE_OK;
    j->alone = j->branch.large && !j->branch.turns;
    j->within_step = true;
    for (size_t i = 0; i < j->points && status != DAE_STOPPED; i++) {
        double t = judge_time(j, step, i);
        dense_output_evaluate(step, t, j->value, j->slope);
        judge_miss rows = {0};
        status = look_at(j, e, t, SAMPLES, &rows);
        if (status == DAE_OK) status = look_at_all(j, e, t, &rows, &j->within);
        if (rows.size > j->within.size) j->within = rows;
    }
    j->alone = j->within_step = false;
    return status;
}

/* On the way of slopes, at this part of it: the residual over what a small part of their change
 * makes. Over a short step values hardly tell of slopes: within their tolerance slopes may have any
 * value. */
static dae_status look_along(judge *j, engine *e, double part)
{
    for (size_t k = 0; k < j->n; k++) {
        j->value[k] = (1 - part) * j->y[k] + part * e->y[k];
        j->slope[k] = (1 - part) * j->yp[k] + part * e->yp[k];
    }
    double t = j->t + part * (e->t - j->t);
    dae_status status = problem_residual(e->problem, t, j->value, j->slope, j->residual);
    for (int side = -1; side <= 1 && status == DAE_OK; side += 2) {
        step_aside(j, e, 1, side > 0);
        for (size_t k = 0; k < j->n; k++)
            j->other_slope[k] = j->slope[k] + side * SMALL_TURN * (e->yp[k] - j->yp[k]);
        status = problem_residual(e->problem, t, j->other_value, j->other_slope, j->changed);
        for (size_t k = 0; k < j->n && status == DAE_OK; k++) {
            j->scale[k] = side < 0 ? fabs(j->changed[k] - j->residual[k])
                                   : fmax(j->scale[k], fabs(j->changed[k] - j->residual[k]));
        }
    }
    for (size_t k = 0; k < j->n && status == DAE_OK; k++)
        if (j->scale[k] > 0) j->turn = fmax(j->turn, fabs(j->residual[k]) / j->scale[k]);
    return status;
}

static dae_status look_at_turn(judge *j, engine *e)
{
    dae_status status = look_along(j, e, 0.5);
    return status == DAE_STOPPED ? status : look_along(j, e, 1);
}

/* How many points within the step are looked at. */
static size_t count_points(judge *j, double h, double whole)
{
    bool grown = h > GROWN * j->longest;
    double points = ceil(h / whole * PARTS_OF_RUN - 0.5);
    j->longest = fmax(j->longest, h);
    return points > 1 ? (size_t)fmin(PARTS_OF_RUN, points) : grown;
}

dae_status judge_look(judge *j, engine *e, double whole)
{
    size_t points = count_points(j, fabs(e->dense.h), whole);
    j->within = j->end = (judge_miss){0};
    j->climbed = j->moved = 0;
    j->whole = whole;
    branch_suspect(&j->branch, e, j->y, j->yp);
    bool jumped = j->branch.suspect != PROBLEM_NOWHERE && !j->branch.turns;
    if (jumped && points < AT_JUMP) points = AT_JUMP;
    j->turn = 0;
    j->points = points;
    const double work = e->problem->work; /* by which methods are chosen */
    dae_status status = look_at_end(j, e);
    if (status != DAE_STOPPED) status = look_within(j, e);
    if (status != DAE_STOPPED && j->branch.turns) status = look_at_turn(j, e);
    e->problem->work = work;
    return status == DAE_STOPPED ? status : DAE_OK;
}

bool judge_moves_far(judge *j, const engine *e, const double *y)
{
    const engine_options *o = &e->options;
    double looser = fmax(1, TIGHTEST / o->rtol), moved = 0;
    for (size_t k = 0; k < j->n; k++) {
        double size = fmax(fabs(e->y[k]), fabs(y[k])), atol = o->atols ? o->atols[k] : o->atol;
        double part = fabs(y[k] - e->y[k]) / (looser * (o->rtol * size + atol));
        if (e->problem->dynamic[k] && !(part <= moved)) moved = part;
    }
    bool far = !(moved <= fmax(MOST_MOVED, USUAL * j->usual_move)) && j->far < MOST_FAR;
    j->far += far;
    if (!far || j->ends_left == MOST_ENDS_LEFT) j->usual_move = moved;
    return far;
}

void judge_undo(judge *j, engine *e)
{
    double first = e->options.first_step;
    j->longest = 0;
    e->options.first_step = JUDGE_SHORTER * fabs(e->dense.h);
    engine_start(e, j->t, j->y, j->yp);
    e->options.first_step = first;
    e->counts.steps--;
    e->counts.rejected++;
}

bool judge_leaves_end(judge *j, engine *e)
{
    bool is_behind = (e->t - j->left_end) * e->options.direction > 0;
    if (j->ends_left == 0 || is_behind) j->left_end = e->t, j->ends_left = 0;
    if (j->ends_left == MOST_ENDS_LEFT) return false;
    j->ends_left++;
    judge_undo(j, e);
    return true;
}

bool judge_makes_again(judge *j, engine *e)
{
    bool misses = j->end.size > MOST_AT_END || j->within.size > MOST_WITHIN;
    misses = misses || j->turn > MOST_OF_TURN || j->climbed > MOST_CLIMBED;
    bool suspect = j->branch.suspect != PROBLEM_NOWHERE;
    bool small = j->branch.turns && !j->branch.large;
    bool can_shorten = suspect && !small && branch_can_shorten(e, JUDGE_SHORTER, j->whole);
    bool jumped = misses || (j->branch.large && !j->branch.turns);
    j->branch.jumps = suspect && !small && !can_shorten && jumped;
    misses = misses || j->moved > MOST_MOVED;
    if (!misses) j->made_again = 0;
    bool is_long = fabs(e->dense.h) * PARTS_OF_RUN > j->whole; /* what lies within is no instant */
    bool gives_up = j->made_again >= MOST_AGAIN && !can_shorten && !is_long;
    if (!misses || j->branch.jumps || gives_up) {
        branch_keep(&j->branch, e, j->y);
        return false;
    }
    j->made_again++;
    judge_undo(j, e);
    return true;
}

bool judge_refuses(const judge *j)
{
    return j->end.size > MOST_AT_END || j->branch.jumps;
}

void judge_free(judge *j)
{
    workspace_free(&j->space);
}
