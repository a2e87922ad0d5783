#include "solve/method_selection.h"

#include <math.h>
#include <stdint.h>

/* After how many steps an arm is first examined (look) and is judged on trial, and how many of its
 * last steps count (window). A Radau method is judged soon, though on trial it takes longer to find
 * its step. A multistep method is judged once it has found its order. */
static const struct {
    size_t look, on_trial, window;
} arms[ARM_COUNT] = {
    [ARM_EXPLICIT] = {0, 60, 20},
    [ARM_ONE_STEP] = {10, 30, 6},
    [ARM_MULTISTEP] = {60, 60, 20},
};

/* The number of steps before the first trial of a kind (patience), and the factor by which it grows
 * after a trial that passed. Against the explicit arm, an implicit arm is judged by the explicit
 * arm's numbers. */
static const struct {
    size_t patience, passed;
} kinds[TRIAL_KINDS] = {
    [TRIAL_OF_EXPLICIT] = {20, 1},
    [TRIAL_OF_IMPLICIT] = {1000, 1},
    [TRIAL_OF_OTHER] = {1500, 2},
};

/* The factor after a trial that failed. Where the other arm crept, an arm on trial has SLOW_STEPS
 * to recover from the short steps that it was left with. */
enum { FAILED = 4, SLOW_STEPS = 300 };

/* Pieces before a Radau method is tried in place of a multistep one, or the other way round, and
 * after how many pieces it is judged. A multistep method with fewer steps in a piece than FEW_STEPS
 * has hardly found its order there, so that a Radau method is tried after the first piece. */
enum { PIECES_BEFORE_TRIAL = 20, PIECES_ON_TRIAL = 2, FEW_STEPS = 30 };

/* Where events of the state follow each other in SHORT_PIECES pieces of fewer steps than SHORT,
 * pieces are compared, until one is longer than LONG. What led to a multistep method was no
 * comparison of pieces, so that a Radau method is tried soon. */
enum { SHORT_PIECES = 2, SHORT = 200, LONG = 600, PIECES_BEFORE_FIRST = 2 };

/* Runs with a Radau method only, before a multistep method has a whole run for its trial. */
enum { RUNS_BEFORE_TRIAL = 2 };

/* A multistep method is worth a trial where its step costs WORTH_A_TRIAL times less. STEP_COST is
 * the cost of its step in residuals and solutions. */
static const double WORTH_A_TRIAL = 2.5, STEP_COST = 5.5;

/* At equal tolerances a Radau method is more accurate. The difference is worth about this factor in
 * progress at equal errors, so a multistep method has to make this much more progress. For a higher
 * index, the error estimates of Radau methods are held at more than the tolerance asks for
 * (runge_kutta.c). */
static const double ADVANTAGE = 1.5, ADVANTAGE_OF_INDEX = 1.8;

/* The largest factor that growing steps may add to the progress asked of a method on trial. */
static const double MOST_GROWTH = 5;

/* A trial begins when the work so far is BEFORE_TRIAL times the work of the trial. That is SET_UP
 * for a new engine, in the units of problem_costs, plus the steps that find an order. */
static const double BEFORE_TRIAL = 3, SET_UP = 1e5;

/* The sum over the last `count` steps, without the last `but` of them. */
static double sum(const double *last, size_t since, size_t count, size_t but)
{
    double all = 0;
    for (size_t k = but + 1; k <= count && k <= since; k++)
        all += last[(since - k) % LONGEST_WINDOW];
    return all;
}

/* What steps cost besides the engines' work. Explicit and implicit methods are compared by that
 * work alone: where an explicit method creeps, an implicit one takes as short steps at first. */
static double besides(const method_trial *r, trial_kind kind, size_t steps)
{
    return kind == TRIAL_OF_OTHER ? (double)steps * r->besides : 0;
}

/* The progress of the last steps per work. */
static double rate_of_last(const method_trial *r, trial_kind kind, size_t window)
{
    double work = sum(r->work, r->since, window, 0);
    work += besides(r, kind, r->since < window ? r->since : window);
    return work > 0 ? sum(r->advanced, r->since, window, 0) / work : 0;
}

static size_t window_of(const method_trial *r)
{
    bool against_explicit = r->on_trial && r->kind == TRIAL_OF_IMPLICIT;
    return against_explicit ? arms[ARM_EXPLICIT].window : arms[r->arm].window;
}

/* The progress per work since the arm at work began. */
static double rate_of_pieces(const method_trial *r, trial_kind kind, const problem *p)
{
    double work = p->work - r->begun + besides(r, kind, r->since);
    return p->work > r->begun ? r->length / work : 0;
}

/* After an event the last steps are those with which any method starts anew: an implicit method,
 * whose steps grow far beyond them, is judged by all of its steps where these show more. */
static double rate_of_implicit(const method_trial *r, trial_kind kind, const problem *p,
                               size_t window)
{
    return fmax(rate_of_last(r, kind, window), rate_of_pieces(r, kind, p));
}

static double rate_over_all(const method_trial *r, method_arm arm)
{
    return r->spent[arm] > 0 ? r->total[arm] / r->spent[arm] : 0;
}

void method_trial_change(method_trial *r, const problem *p, method_arm arm)
{
    r->arm = arm;
    bool others = arm != ARM_EXPLICIT && arm != r->implicit;
    r->since = r->pieces = r->steps = 0;
    if (others) r->waited = 0;
    r->on_trial = false;
    r->seen = r->begun = p->work;
    r->length = 0;
    if (arm != ARM_EXPLICIT) r->implicit = arm;
}

void method_trial_begin(method_trial *r, const problem *p)
{
    double one_step = rate_over_all(r, ARM_ONE_STEP), multistep = rate_over_all(r, ARM_MULTISTEP);
    bool both = one_step > 0 && multistep > 0;
    for (int kind = 0; kind < TRIAL_KINDS; kind++) r->patience[kind] = kinds[kind].patience;
    if (r->implicit == ARM_EXPLICIT) r->implicit = ARM_ONE_STEP; /* the first time */
    r->closed = r->by_pieces = r->of_state = false;
    r->short_pieces = 0;
    r->piece_patience = PIECES_BEFORE_TRIAL;
    r->runs++;
    method_trial_change(r, p, r->implicit);
    r->next_look = arms[r->implicit].look;
    if (!both && (one_step == 0 || r->runs <= RUNS_BEFORE_TRIAL)) return;
    method_trial_change(r, p, both && one_step >= multistep ? ARM_ONE_STEP : ARM_MULTISTEP);
    r->next_look = r->patience[TRIAL_OF_OTHER];
}

void method_trial_close(method_trial *r, method_arm arm)
{
    r->closed = true;
    r->on_trial = false;
    r->arm = r->implicit = arm;
    r->since = 0;
}

/* Events of the state have ended. */
static void end_pieces_of_state(method_trial *r)
{
    r->by_pieces = r->of_state = false;
    r->short_pieces = 0;
    r->next_look = r->patience[TRIAL_OF_OTHER];
    if (r->on_trial && r->due == SIZE_MAX) r->due = r->since + arms[r->arm].on_trial;
}

void method_trial_step(method_trial *r, const problem *p, double h)
{
    double work = p->work - r->seen;
    size_t at = r->since++ % LONGEST_WINDOW;
    r->seen = p->work;
    r->advanced[at] = fabs(h);
    r->work[at] = work;
    r->steps++;
    r->length += fabs(h);
    r->total[r->arm] += fabs(h);
    r->spent[r->arm] += work + r->besides;
    if (r->arm != ARM_EXPLICIT && r->next_look > 0) r->next_look--;
    if (r->of_state && r->steps > LONG) end_pieces_of_state(r);
}

void method_trial_start(method_trial *r, const problem *p, trial_kind kind, bool slow)
{
    method_arm to = kind == TRIAL_OF_EXPLICIT     ? ARM_EXPLICIT
                    : kind == TRIAL_OF_IMPLICIT   ? r->implicit
                    : r->implicit == ARM_ONE_STEP ? ARM_MULTISTEP
                                                  : ARM_ONE_STEP;
    size_t window = kind == TRIAL_OF_OTHER ? arms[r->arm].window : arms[ARM_EXPLICIT].window;
    bool by_pieces = r->by_pieces && kind == TRIAL_OF_OTHER;
    r->rate = by_pieces                   ? rate_of_pieces(r, kind, p)
              : kind == TRIAL_OF_EXPLICIT ? rate_of_implicit(r, kind, p, window)
                                          : rate_of_last(r, kind, window);
    r->before = r->arm;
    method_trial_change(r, p, to);
    r->on_trial = true;
    r->kind = kind;
    r->due = slow                     ? SLOW_STEPS
             : by_pieces              ? SIZE_MAX
             : kind == TRIAL_OF_OTHER ? arms[to].on_trial
                                      : arms[ARM_EXPLICIT].on_trial;
}

double method_trial_step_length(const method_trial *r)
{
    return r->since > 0 ? r->length / (double)r->since : 0;
}

double method_trial_dearness(const method_trial *r, const problem *p)
{
    size_t window = window_of(r), steps = r->since < window ? r->since : window;
    double step = STEP_COST * (p->costs.residual + p->solve_cost[0]);
    return step > 0 && steps > 0 ? sum(r->work, r->since, steps, 0) / (double)steps / step : 0;
}

static bool is_worth_a_trial(const method_trial *r, const problem *p)
{
    double step = STEP_COST * (p->costs.residual + p->solve_cost[0]);
    double trial = SET_UP + (double)arms[ARM_MULTISTEP].on_trial * step;
    return method_trial_dearness(r, p) >= WORTH_A_TRIAL && p->work > BEFORE_TRIAL * trial;
}

bool method_trial_wants_other(method_trial *r, const problem *p)
{
    if (r->by_pieces || r->closed || r->on_trial) return false;
    if (r->arm == ARM_EXPLICIT || r->next_look > 0) return false;
    if (r->arm == ARM_MULTISTEP || is_worth_a_trial(r, p)) return true;
    r->next_look = arms[ARM_ONE_STEP].look;
    return false;
}

/* The progress per work of the second half of a window relative to the first. Steps that grow by
 * themselves, as after a transient, are no merit of the method. At least 1. */
static double growth(const method_trial *r, size_t window)
{
    double late = sum(r->advanced, r->since, window / 2, 0);
    double late_work = sum(r->work, r->since, window / 2, 0);
    double early = sum(r->advanced, r->since, window, window / 2);
    double early_work = sum(r->work, r->since, window, window / 2);
    if (!(early > 0 && early_work > 0 && late_work > 0)) return 1;
    return fmin(fmax(1, late / late_work / (early / early_work)), MOST_GROWTH);
}

/* The least progress per work of the arm on trial, relative to the arm before. Between events a
 * Radau method is no more accurate at equal tolerances: on the circuits of tests/zoo, whose inputs
 * have corners, it errs by two to three times as much as a multistep method. */
static double least(const method_trial *r, const problem *p)
{
    double advantage = problem_highest_index(p) > 1 ? ADVANTAGE_OF_INDEX : ADVANTAGE;
    if (r->kind != TRIAL_OF_OTHER || r->by_pieces) return 1;
    return r->arm == ARM_MULTISTEP ? advantage * growth(r, window_of(r)) : 1 / advantage;
}

void method_trial_put_off(method_trial *r, trial_kind kind)
{
    r->patience[kind] *= FAILED;
}

/* The verdict on the arm on trial, by its progress per work. */
static trial_outcome end_trial(method_trial *r, const problem *p, double rate, double *part)
{
    bool fails = rate < least(r, p) * r->rate;
    *part = r->rate > 0 ? rate / r->rate : 0;
    r->on_trial = false;
    if (fails) {
        method_trial_put_off(r, r->kind);
        method_trial_change(r, p, r->before);
    }
    if (r->kind == TRIAL_OF_OTHER) r->next_look = r->patience[TRIAL_OF_OTHER];
    if (!fails) r->patience[r->kind] *= kinds[r->kind].passed;
    return fails ? TRIAL_FAILED : TRIAL_PASSED;
}

trial_outcome method_trial_judge(method_trial *r, const problem *p, double *part)
{
    if (!r->on_trial || r->since < r->due) return TRIAL_RUNS;
    size_t window = window_of(r);
    bool pieces = r->by_pieces && r->kind == TRIAL_OF_IMPLICIT;
    return end_trial(
        r, p, pieces ? rate_of_implicit(r, r->kind, p, window) : rate_of_last(r, r->kind, window),
        part);
}

bool method_trial_announce(method_trial *r, const problem *p)
{
    r->of_state = false;
    if (r->by_pieces || r->closed || r->since > 0 || r->arm == ARM_EXPLICIT) return false;
    bool changes = r->arm != ARM_MULTISTEP;
    method_trial_change(r, p, ARM_MULTISTEP);
    r->by_pieces = true;
    return changes;
}

bool method_trial_restart(method_trial *r, const problem *p)
{
    if (r->closed || r->arm == ARM_EXPLICIT) return false;
    if (r->by_pieces) {
        r->waited += !r->of_state;
        return r->of_state;
    }
    r->short_pieces = r->steps < SHORT ? r->short_pieces + 1 : 0;
    r->steps = 0;
    if (r->on_trial || r->short_pieces < SHORT_PIECES) return false;
    method_trial_change(r, p, r->arm);
    r->by_pieces = r->of_state = r->counted = true;
    r->waited = 0;
    r->piece_patience = r->arm == ARM_MULTISTEP ? PIECES_BEFORE_FIRST : PIECES_BEFORE_TRIAL;
    return false;
}

trial_outcome method_trial_end_piece(method_trial *r, const problem *p, double *part)
{
    r->pieces++;
    r->waited++;
    bool ends = r->by_pieces && r->on_trial && r->kind == TRIAL_OF_OTHER;
    if (!ends || r->pieces < PIECES_ON_TRIAL) return TRIAL_RUNS;
    trial_outcome outcome = end_trial(r, p, rate_of_pieces(r, TRIAL_OF_OTHER, p), part);
    r->piece_patience *= outcome == TRIAL_FAILED ? FAILED : kinds[TRIAL_OF_OTHER].passed;
    return outcome;
}

bool method_trial_wants_piece(const method_trial *r)
{
    if (!r->by_pieces || r->closed || r->on_trial || r->arm == ARM_EXPLICIT) return false;
    bool few = r->arm == ARM_MULTISTEP && r->pieces == 1 && r->steps < FEW_STEPS &&
               r->piece_patience == PIECES_BEFORE_TRIAL;
    return few || r->waited >= r->piece_patience;
}
