#include "solve/method_trial.h"

#include <math.h>

/* Steps after which a method is judged: a Radau method soon, a multistep one when it has found its
 * order; by the last of them. */
enum { RADAU_STEPS = 10, MULTISTEP_STEPS = 60, WINDOW = 6, LONG_WINDOW = 20, PATIENCE = 1500 };

/* Runs of a Radau method alone, before a multistep one has a whole run for its trial. */
enum { RUNS_BEFORE_TRIAL = 2 };

/* A Radau method takes longer to find its step, when it is on trial. */
enum { RADAU_TRIAL = 30 };

/* A multistep method is worth a trial where its step costs so many times less; what one step of it
 * takes, in residuals and solutions. */
static const double WORTH_A_TRIAL = 2.5, STEP_COST = 5.5;

/* At equal tolerances a Radau method is more accurate, by about as much as it would come further at
 * equal errors: a multistep method has to come so much further. On a higher index the estimates of
 * Radau methods are held at more than the tolerance asks for (order levels.c). */
static double advantage(const problem *p)
{
    return problem_highest_index(p) > 1 ? 1.8 : 1.5;
}

/* A trial is begun when what has been done so far has taken so many times what the trial will: a
 * new engine, in the units of problem_costs, and the steps that find an order. */
static const double BEFORE_TRIAL = 3, SET_UP = 1e5;

static void open_window(method_trial *r)
{
    r->advanced = r->work = r->early[0] = r->early[1] = 0;
    r->steps = 0;
}

static void take(method_trial *r, int method)
{
    r->at_work = method;
    r->since = 0;
    r->next_look = method == METHOD_TRIAL_MULTISTEP ? MULTISTEP_STEPS : RADAU_STEPS;
}

static double rate_over_all(const method_trial *r, int method)
{
    return r->spent[method] > 0 ? r->total[method] / r->spent[method] : 0;
}

void method_trial_begin(method_trial *r, const problem *p)
{
    double one_step = rate_over_all(r, METHOD_TRIAL_ONE_STEP);
    double multistep = rate_over_all(r, METHOD_TRIAL_MULTISTEP);
    r->open = true;
    r->on_trial = false;
    r->patience = PATIENCE;
    r->seen = p->work;
    r->runs++;
    take(r, r->at_work);
    bool both = one_step > 0 && multistep > 0;
    if (!both && (one_step == 0 || r->runs <= RUNS_BEFORE_TRIAL)) return;
    take(r, both && one_step >= multistep ? METHOD_TRIAL_ONE_STEP : METHOD_TRIAL_MULTISTEP);
    r->next_look = r->patience;
}

double method_trial_dearness(const method_trial *r, const problem *p)
{
    double step = STEP_COST * (p->costs.residual + p->solve_cost[0]);
    return step > 0 ? r->work / (double)r->steps / step : 0;
}

static bool is_worth_a_trial(const method_trial *r, const problem *p)
{
    double step = STEP_COST * (p->costs.residual + p->solve_cost[0]);
    double trial = SET_UP + MULTISTEP_STEPS * step;
    return method_trial_dearness(r, p) >= WORTH_A_TRIAL && p->work > BEFORE_TRIAL * trial;
}

double method_trial_rate(const method_trial *r)
{
    return r->work > 0 ? r->advanced / r->work : 0;
}

void method_trial_close(method_trial *r, int method)
{
    r->open = false;
    take(r, method);
}

/* The other one goes on: as before its trial, or on trial now. */
static void change(method_trial *r, double rate, bool on_trial)
{
    r->rate = rate;
    r->on_trial = on_trial;
    take(r, r->at_work == METHOD_TRIAL_ONE_STEP ? METHOD_TRIAL_MULTISTEP : METHOD_TRIAL_ONE_STEP);
    if (on_trial && r->at_work == METHOD_TRIAL_ONE_STEP) r->next_look = RADAU_TRIAL;
    if (on_trial) return;
    r->patience *= 4;
    r->next_look = r->patience;
}

/* How much further the second half of a window came for its work than the first: steps that grow by
 * themselves, as behind a transient, speak for no method. At least 1. */
static double growth(const method_trial *r)
{
    static const double MOST_GROWTH = 5;
    double work = r->work - r->early[1];
    if (!(r->early[0] > 0 && r->early[1] > 0 && work > 0)) return 1;
    double grown = (r->advanced - r->early[0]) / work / (r->early[0] / r->early[1]);
    return fmin(fmax(1, grown), MOST_GROWTH);
}

/* A method that stays is looked at again later, the other one tried where that may be worth it. */
static bool judge(method_trial *r, const problem *p)
{
    double rate = method_trial_rate(r);
    double least = r->at_work == METHOD_TRIAL_MULTISTEP ? advantage(p) * growth(r)
                                                        : 1 / advantage(p);
    if (r->on_trial && rate < least * r->rate) {
        change(r, rate, false);
        return true;
    }
    bool was_on_trial = r->on_trial;
    r->on_trial = false;
    if (was_on_trial) {
        r->next_look = r->since + r->patience;
        r->patience *= 2;
        return false;
    }
    if (r->at_work == METHOD_TRIAL_ONE_STEP && !is_worth_a_trial(r, p)) {
        r->next_look = r->since + RADAU_STEPS;
        return false;
    }
    change(r, rate, true);
    return true;
}

bool method_trial_watch(method_trial *r, const problem *p, double h)
{
    size_t window = r->at_work == METHOD_TRIAL_MULTISTEP ? LONG_WINDOW : WINDOW;
    double work = p->work - r->seen;
    r->seen = p->work;
    if (!r->open) return false;
    r->since++;
    if (r->since + window == r->next_look + 1) open_window(r);
    r->advanced += fabs(h);
    r->work += work;
    r->steps++;
    if (r->steps == window / 2) r->early[0] = r->advanced, r->early[1] = r->work;
    r->total[r->at_work] += fabs(h);
    r->spent[r->at_work] += work;
    return r->since >= r->next_look && judge(r, p);
}
