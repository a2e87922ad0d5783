#include "solve/judge.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Points within a step are so close that each hundredth of the run has one. */
static const double PARTS_OF_RUN = 100;

/* They lie at this part of their intervals, away from the nodes of the usual methods. */
static const double PLACE = 0.4;

/* A step is examined within where it is this much longer than any before. */
static const double GROWN = 1.05;

/* Where a point within misses by no more than this many tolerances as they count at the ends of the
 * step, it is not examined further. A point may miss by JUDGE_MOST_WITHIN. */
static const double CLOSE_WITHIN = 1;

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

void judge_carve(judge *j, workspace *space)
{
    engine_point_carve(&j->begun, j->n, space);
    workspace_vectors(space, j->n,
                      (double **[]){&j->value, &j->value_yp, &j->other_value, &j->other_yp,
                                    &j->residual, &j->changed, &j->scale, &j->far_scale, &j->known,
                                    &j->least, &j->matrix_y, &j->reach, &j->removed,
                                    &j->branch.rate, NULL});
}

double judge_time(const judge *j, const dense_output *step, size_t point)
{
    return step->t + step->h * ((double)point + PLACE) / (double)j->points;
}

/* A change counts as a jump only if it is at least LEAST_CHANGE tolerances. It must also be FASTER
 * times as fast as over the last step, or LARGE times the size of the variable, and not what its
 * derivatives say. */
static const double LEAST_CHANGE = 1000, FASTER = 2, LARGE = 0.5;

/* A derivative is suspect where it changes by this part of its size. */
static const double TURN = 0.1;

/* Relative tolerances below this one count as this one. */
static const double TIGHTEST = 1e-9;

/* The shortest steps that can be shortened: in units of round-off of the time, and as a part of the
 * run's length, of which the round-off is taken at least. */
static const double LEAST_UNITS = 16, LEAST_PART = 1e-3;

/* The fastest variable of interest changes by its size within this part of the run. */
static const double SMALL_PART = 1e-3;

/* Whether an integrated variable has moved as its derivatives at both ends say: by the trapezoidal
 * rule up to this part of what the larger one makes. Beyond a pole or a fold it has not. */
static bool moves_as_told(const engine *e, const engine_point *begun, size_t k)
{
    static const double PART = 0.5;
    double h = e->dense.h, before = begun->yp[k], after = e->yp[k];
    double off = e->y[k] - begun->y[k] - 0.5 * h * (before + after);
    return e->problem->dynamic[k] && fabs(off) <= PART * fabs(h) * fmax(fabs(before), fabs(after));
}

/* The same for derivatives, where the equations are nonlinear in them. */
static void suspect_turn(branch *b, const engine *e, const double *yp0)
{
    double worst = TURN;
    for (size_t k = 0; k < e->problem->n; k++) {
        double size = fmax(fabs(e->yp[k]), fabs(yp0[k])), change = fabs(e->yp[k] - yp0[k]);
        if (!e->problem->dynamic[k] || !(change > worst * size)) continue;
        worst = change / size;
        b->turns = true;
        b->suspect = k;
        b->before = yp0[k];
        b->after = e->yp[k];
        b->large = change >= LARGE * size;
    }
}

/* After a step from `begun`: sets b->suspect. */
static void find_suspect(branch *b, const engine *e, const engine_point *begun)
{
    const engine_options *o = &e->options;
    double h = fabs(e->dense.h), looser = fmax(1, TIGHTEST / o->rtol), worst = LEAST_CHANGE;
    const double *y0 = begun->y;
    b->suspect = PROBLEM_NOWHERE;
    b->large = b->turns = false;
    if (!b->smooth) return;
    for (size_t k = 0; k < e->problem->n; k++) {
        double change = fabs(e->y[k] - y0[k]);
        bool large = !(change < LARGE * fabs(e->y[k]) || change < LARGE * fabs(y0[k]));
        if (!large && change < FASTER * b->rate[k] * h) continue;
        double size = fmax(fabs(e->y[k]), fabs(y0[k]));
        double part = change / (looser * engine_tolerance(o, k, size));
        if (!(part > worst) || moves_as_told(e, begun, k)) continue;
        worst = part;
        b->suspect = k;
        b->before = y0[k];
        b->after = e->y[k];
        b->large = large && !e->problem->dynamic[k];
    }
    if (b->bent && b->suspect == PROBLEM_NOWHERE) suspect_turn(b, e, begun->yp);
}

size_t branch_fastest(const branch *b, const engine *e, double whole)
{
    size_t fastest = PROBLEM_NOWHERE;
    double most = 1 / (SMALL_PART * whole);
    for (size_t k = 0; b->smooth && k < e->problem->n; k++) {
        double part = b->rate[k] / fmax(fabs(e->y[k]), e->problem->nominal[k]);
        if (e->problem->dynamic[k] || !(part > most)) continue;
        most = part;
        fastest = k;
    }
    return fastest;
}

/* Whether what a tolerance makes of rows at the ends of a step tells what it makes within. For
 * explicit methods no matrix looks at the point as a whole. There it does where the equations are
 * M y' = f(t, y), for the scale is limited to what M makes, which is the same at all points. */
static bool ends_tell(const judge *j, const engine *e)
{
    const problem *p = e->problem;
    return !j->alone && (!e->is_explicit || (p->constant_mass && p->form->yp));
}

/* Finds the worst row of a point within a step at (t, j->value, j->value_yp). Where no row misses
 * by more than a part of a tolerance at the ends of the step, its own scale is not found. */
static dae_status look_at_row(judge *j, engine *e, double t, judge_miss *worst)
{
    dae_status status = problem_residual(e->problem, t, j->value, j->value_yp, j->residual);
    if (status != DAE_OK) return status;
    bool compares = !ends_tell(j, e);
    judge_miss seen = {0};
    for (size_t k = 0; k < j->n && !compares; k++) {
        double size = j->residual[k] == 0 ? 0 : fabs(j->residual[k]) / j->least[k];
        if (size > seen.size) seen = (judge_miss){.size = size, .row = k, .t = t};
        compares = !(size <= CLOSE_WITHIN);
    }
    if (compares) return judge_compare(j, e, t, JUDGE_SAMPLES, worst);
    *worst = seen;
    return DAE_OK;
}

static dae_status look_within(judge *j, engine *e, events *v)
{
    const dense_output *step = engine_polynomial(e);
    dae_status status = DAE_OK;
    bool leaves = events_leave_step(v, e);
    j->alone = j->branch.large && !j->branch.turns;
    j->within_step = true;
    for (size_t i = 0; i < j->points && status != DAE_STOPPED; i++) {
        double t = judge_time(j, step, i);
        if (leaves && events_leave_before(v, e, t)) break;
        dense_output_evaluate(step, t, j->value, j->value_yp);
        judge_miss rows = {0};
        status = look_at_row(j, e, t, &rows);
        if (status == DAE_NOT_EVALUABLE) status = judge_look_beside(j, e, t, &j->within);
        if (status == DAE_OK) status = judge_look_at_all(j, e, t, &rows, &j->within);
        if (rows.size > j->within.size) j->within = rows;
    }
    j->alone = j->within_step = false;
    return status;
}

/* Examines the straight way of y and y' over the step, at `part` of it: compares the residual with
 * what a small part of the change of y' makes. This is needed because, over a short step, values
 * say little about derivatives: within the tolerance of the values, derivatives may be anything.
 * What moves a value by its tolerance over the whole run does not count: a derivative that is 0 is
 * found up to rounding. */
static dae_status look_along(judge *j, engine *e, double part)
{
    for (size_t k = 0; k < j->n; k++) {
        j->value[k] = (1 - part) * j->begun.y[k] + part * e->y[k];
        j->value_yp[k] = (1 - part) * j->begun.yp[k] + part * e->yp[k];
    }
    double t = j->begun.t + part * (e->t - j->begun.t);
    dae_status status = problem_residual(e->problem, t, j->value, j->value_yp, j->residual);
    memset(j->scale, 0, j->n * sizeof *j->scale);
    for (int side = -1; side <= 1 && status == DAE_OK; side += 2) {
        judge_step_aside(j, e, 1, side > 0);
        for (size_t k = 0; k < j->n; k++) {
            double change = e->yp[k] - j->begun.yp[k];
            double least = engine_tolerance(&e->options, k, j->value[k]) / j->whole;
            j->other_yp[k] = j->value_yp[k] +
                             side * (SMALL_TURN * change + copysign(least, change));
        }
        status = judge_raise_scale(j, e, t, j->scale);
    }
    for (size_t k = 0; k < j->n && status == DAE_OK; k++)
        if (j->scale[k] > 0) j->turn = fmax(j->turn, fabs(j->residual[k]) / j->scale[k]);
    return status;
}

/* The number of points within the step that are examined. */
static size_t count_points(judge *j, double h, double whole)
{
    bool grown = h > GROWN * j->longest;
    double points = ceil(h / whole * PARTS_OF_RUN);
    j->longest = fmax(j->longest, h);
    return points > 1 ? (size_t)fmin(PARTS_OF_RUN, points) : grown;
}

/* Before the first step, no end has told what a tolerance makes of the rows. So its start is asked,
 * or each point within would be: three evaluations for one. */
static dae_status look_at_first_start(judge *j, engine *e)
{
    memcpy(j->value, j->begun.y, j->n * sizeof *j->value);
    memcpy(j->value_yp, j->begun.yp, j->n * sizeof *j->value_yp);
    dae_status status = judge_find_scale(j, e, j->begun.t);
    for (size_t k = 0; k < j->n && status == DAE_OK; k++)
        j->least[k] = fmin(j->known[k], j->scale[k]);
    return status;
}

dae_status judge_look(judge *j, engine *e, events *v, double whole)
{
    size_t points = count_points(j, fabs(e->dense.h), whole);
    j->within = j->end = (judge_miss){0};
    j->climbed = j->moved = 0;
    j->whole = whole;
    find_suspect(&j->branch, e, &j->begun);
    bool jumped = j->branch.suspect != PROBLEM_NOWHERE && !j->branch.turns;
    if (jumped && points < AT_JUMP) points = AT_JUMP;
    j->turn = 0;
    j->points = points;
    const double work = e->problem->work; /* restored below, because methods are chosen by it */
    const bool first = j->known_step == 0;
    dae_status status = judge_look_at_end(j, e);
    if (status == DAE_OK && first && points > 1 && ends_tell(j, e))
        status = look_at_first_start(j, e);
    if (status != DAE_STOPPED && points > 0) status = look_within(j, e, v);
    if (status != DAE_STOPPED && j->branch.turns) status = look_along(j, e, 0.5);
    if (status != DAE_STOPPED && j->branch.turns) status = look_along(j, e, 1);
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

static void undo(judge *j, engine *e, double step, int level)
{
    j->longest = 0;
    e->undone = true;
    engine_restart(e, j->begun.t, j->begun.y, j->begun.yp, step, level);
    e->undone = false;
    e->counts.steps--;
    e->counts.rejected++;
}

void judge_undo(judge *j, engine *e)
{
    undo(j, e, JUDGE_SHORTER * fabs(e->dense.h), 0);
}

void judge_repeat(judge *j, engine *e)
{
    undo(j, e, fabs(e->dense.h), e->order_level);
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
    double unit = DBL_EPSILON * fmax(fabs(e->t), LEAST_PART * j->whole);
    bool shortens = suspect && !small && JUDGE_SHORTER * fabs(e->dense.h) > LEAST_UNITS * unit;
    bool jumped = misses || (j->branch.large && !j->branch.turns);
    j->branch.jumps = suspect && !small && !shortens && jumped;
    misses = misses || j->moved > MOST_MOVED;
    if (!misses) j->made_again = 0;
    /* Within a long step, more than an instant may be missed. */
    bool is_long = fabs(e->dense.h) * PARTS_OF_RUN > j->whole;
    bool gives_up = j->made_again >= MOST_AGAIN && !shortens && !is_long;
    j->refused = j->end.size > MOST_AT_END || j->branch.jumps;
    if (!misses || j->branch.jumps || gives_up) {
        if (j->end.size > LEFT_BY_ITERATION && engine_can_lend(e)) engine_lend(e);
        for (size_t k = 0; j->branch.smooth && k < j->n; k++)
            j->branch.rate[k] = fabs((e->y[k] - j->begun.y[k]) / e->dense.h);
        return false;
    }
    j->made_again++;
    judge_undo(j, e);
    return true;
}
