#include "solve/judge.h"

#include <math.h>
#include <string.h>

/* Points within a step are so close that each hundredth of the run has one. */
static const double PARTS_OF_RUN = 100;

/* They lie at this part of their intervals, away from the nodes of the usual methods. */
static const double PLACE = 0.4;

/* A step is examined within where it is this much longer than any before. */
static const double GROWN = 1.05;

/* The number of points within a step over which a variable may have jumped. */
enum { AT_JUMP = 2 };

/* On the straight way of the derivatives over a step, the residual may be MOST_OF_TURN times what
 * SMALL_TURN of their change makes. */
static const double SMALL_TURN = 0.1, MOST_OF_TURN = 2;

/* A step that misses by more is repeated, and it is not accepted where its end does. On the
 * examples, by eleven methods at three tolerances, ends miss by at most 1 and points within by at
 * most 20. */
static const double MOST_AT_END = 100;

/* The end of a step that misses by more than this was solved with a matrix of a point where the
 * equations are much steeper. With that matrix, corrections are small however wrong the end is. So
 * the next step makes a new matrix. */
static const double LEFT_BY_ITERATION = 1;

/* The most tolerances that a point may lie up an exponential. There, a miss of few tolerances
 * stands for a long way of the integrated variables; a longer way than this means that a pulse was
 * missed. */
static const double MOST_CLIMBED = 30;

/* Where a step has followed its constraints, a change of at most MOST_MOVED tolerances meets them,
 * at its end and within it. At its end, USUAL times the last such change is also allowed. */
static const double MOST_MOVED = 100, USUAL = 10;

/* The most ends in a run that are rejected because they are far from their constraints. Where
 * constraints are far at the end of every step, the formulation is the reason. */
enum { MOST_FAR = 500 };

/* The most repetitions of a step. */
enum { MOST_AGAIN = 5 };

/* How often steps are undone because the run cannot continue from their ends, until the run has
 * passed the first such end. */
enum { MOST_ENDS_LEFT = 16 };

static void carve(judge *j)
{
    double **const vectors[] = {&j->y,           &j->yp,        &j->value,    &j->value_yp,
                                &j->other_value, &j->other_yp,  &j->residual, &j->changed,
                                &j->scale,       &j->far_scale, &j->calm,     &j->branch.rate};
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

double judge_time(const judge *j, const dense_output *step, size_t point)
{
    return step->t + step->h * ((double)point + PLACE) / (double)j->points;
}

static dae_status look_at_end(judge *j, engine *e)
{
    memcpy(j->value, e->y, j->n * sizeof *j->value);
    memcpy(j->value_yp, e->yp, j->n * sizeof *j->value_yp);
    dae_status status = judge_look_at(j, e, e->t, j->points > 0 ? JUDGE_SAMPLES : 1, &j->end);
    memcpy(j->calm, j->scale, j->n * sizeof *j->calm);
    return status == DAE_OK ? judge_look_at_all(j, e, e->t, &j->end, &j->within) : status;
}

static dae_status look_within(judge *j, engine *e)
{
    const dense_output *step = engine_polynomial(e);
    dae_status status = DAE_OK;
    j->alone = j->branch.large && !j->branch.turns;
    j->within_step = true;
    for (size_t i = 0; i < j->points && status != DAE_STOPPED; i++) {
        double t = judge_time(j, step, i);
        dense_output_evaluate(step, t, j->value, j->value_yp);
        judge_miss rows = {0};
        status = judge_look_at(j, e, t, JUDGE_SAMPLES, &rows);
        if (status == DAE_OK) status = judge_look_at_all(j, e, t, &rows, &j->within);
        if (rows.size > j->within.size) j->within = rows;
    }
    j->alone = j->within_step = false;
    return status;
}

/* Examines the straight way of y and y' over the step, at `part` of it: compares the residual with
 * what a small part of the change of y' makes. This is needed because, over a short step, values
 * say little about derivatives: within the tolerance of the values, derivatives may be anything. */
static dae_status look_along(judge *j, engine *e, double part)
{
    for (size_t k = 0; k < j->n; k++) {
        j->value[k] = (1 - part) * j->y[k] + part * e->y[k];
        j->value_yp[k] = (1 - part) * j->yp[k] + part * e->yp[k];
    }
    double t = j->t + part * (e->t - j->t);
    dae_status status = problem_residual(e->problem, t, j->value, j->value_yp, j->residual);
    for (int side = -1; side <= 1 && status == DAE_OK; side += 2) {
        judge_step_aside(j, e, 1, side > 0);
        for (size_t k = 0; k < j->n; k++)
            j->other_yp[k] = j->value_yp[k] + side * SMALL_TURN * (e->yp[k] - j->yp[k]);
        status = problem_residual(e->problem, t, j->other_value, j->other_yp, j->changed);
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

/* The number of points within the step that are examined. */
static size_t count_points(judge *j, double h, double whole)
{
    bool grown = h > GROWN * j->longest;
    double points = ceil(h / whole * PARTS_OF_RUN);
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
    const double work = e->problem->work; /* restored below, because methods are chosen by it */
    dae_status status = look_at_end(j, e);
    if (status != DAE_STOPPED) status = look_within(j, e);
    if (status != DAE_STOPPED && j->branch.turns) status = look_at_turn(j, e);
    e->problem->work = work;
    return status == DAE_STOPPED ? status : DAE_OK;
}

bool judge_moves_far(judge *j, const engine *e, const double *y)
{
    const engine_options *o = &e->options;
    double looser = fmax(1, JUDGE_TIGHTEST / o->rtol), moved = 0;
    for (size_t k = 0; k < j->n; k++) {
        double size = fmax(fabs(e->y[k]), fabs(y[k]));
        double part = fabs(y[k] - e->y[k]) / (looser * engine_tolerance(o, k, size));
        if (e->problem->dynamic[k] && !(part <= moved)) moved = part;
    }
    bool far = !(moved <= fmax(MOST_MOVED, USUAL * j->usual_move)) && j->far < MOST_FAR;
    j->far += far;
    if (!far || j->ends_left == MOST_ENDS_LEFT) j->usual_move = moved;
    return far;
}

void judge_undo(judge *j, engine *e)
{
    j->longest = 0;
    engine_restart(e, j->t, j->y, j->yp, JUDGE_SHORTER * fabs(e->dense.h), 0);
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
    bool misses = j->end.size > MOST_AT_END || j->within.size > JUDGE_MOST_WITHIN;
    misses = misses || j->turn > MOST_OF_TURN || j->climbed > MOST_CLIMBED;
    bool suspect = j->branch.suspect != PROBLEM_NOWHERE;
    bool small = j->branch.turns && !j->branch.large;
    bool can_shorten = suspect && !small && branch_can_shorten(e, JUDGE_SHORTER, j->whole);
    bool jumped = misses || (j->branch.large && !j->branch.turns);
    j->branch.jumps = suspect && !small && !can_shorten && jumped;
    misses = misses || j->moved > MOST_MOVED;
    if (!misses) j->made_again = 0;
    /* Within a long step, more than an instant may be missed. */
    bool is_long = fabs(e->dense.h) * PARTS_OF_RUN > j->whole;
    bool gives_up = j->made_again >= MOST_AGAIN && !can_shorten && !is_long;
    if (!misses || j->branch.jumps || gives_up) {
        if (j->end.size > LEFT_BY_ITERATION && engine_can_lend(e)) engine_lend(e);
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
