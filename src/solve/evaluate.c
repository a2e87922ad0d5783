/* Finds the author's variables at a time: evaluates the segment, projects onto all levels, and
 * lifts. */
#include "projection/algebraic.h"
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tells the projection of the step; before the first step there is none. */
static void set_step(simulation *c, const dense_output *step)
{
    c->step = step->h;
    if (c->projection && step->h != 0) projection_after_step(c->projection, step->h, step->follows);
}

/* Gives a problem back the numbers that evaluations between steps must not change: the work, by
 * which methods are chosen, and how well y' is determined. */
static void wipe_traces(problem *p, const problem *before)
{
    p->work = before->work;
    p->follows = before->follows, p->followed_best = before->followed_best;
    p->least_reach = before->least_reach, p->reached_best = before->reached_best;
    p->orientation = before->orientation;
}

/* Within a step, the polynomial is accurate to the tolerance but may change the sign of a variable
 * that has one sign at both ends, such as a small amount whose logarithm is taken. Such a variable
 * is replaced by the value between its ends. Returns whether there was one. */
static bool keep_signs(dae_solver *s, double t, const dense_output *step)
{
    static const double NEAR = 10; /* tolerances */
    simulation *c = s->simulation;
    const engine_options *o = &s->engine->options;
    double *from = s->judge.other_value, *to = s->judge.other_yp, x = (t - step->t) / step->h;
    bool any = false;
    dense_output_evaluate(step, step->t, from, NULL);
    dense_output_evaluate(step, step->t + step->h, to, NULL);
    for (size_t k = 0; k < c->problem->n; k++) {
        double between = from[k] + x * (to[k] - from[k]), is = c->y[k];
        bool near = fabs(between - is) <= NEAR * engine_tolerance(o, k, between);
        if (!(from[k] * to[k] > 0) || is * from[k] > 0 || !near) continue;
        c->y[k] = between;
        any = true;
    }
    return any;
}

/* Room for y and y' of a step. NULL: memory is exhausted. */
static double *room_for(dae_solver *s, const dense_output *step)
{
    simulation *c = s->simulation;
    if (step->formulation_number == c->formulation_number) return c->y;
    if (step->n <= s->most_earlier) return s->earlier;
    double *more = realloc(s->earlier, 2 * step->n * sizeof *more);
    if (!more) return NULL;
    s->earlier = more;
    s->most_earlier = step->n;
    return more;
}

static dae_status evaluate_as(dae_solver *s, double t, const dense_output *step,
                              simulation_place where)
{
    simulation *c = s->simulation;
    const problem before = *c->problem;
    const double *y = s->engine->y, *yp = s->engine->yp;
    if (step) {
        double *own = room_for(s, step), *own_yp = own == c->y ? c->yp : own + step->n;
        if (!own) return DAE_NO_MEMORY;
        dense_output_evaluate(step, t, own, own_yp);
        y = own;
        yp = own_yp;
    }
    c->rated = false;
    c->segment_formulation = step ? step->formulation_number : c->formulation_number;
    c->segment_modes = step ? step->mode_number : c->mode_number;
    set_step(c, step ? step : &s->engine->dense);
    dae_status status = c->ops->evaluate(c, t, y, yp, where);
    if (solve_is_of_state(status) && where == SIMULATION_WITHIN && y == c->y) {
        dense_output_evaluate(step, t, c->y, c->yp);
        dae_status other = DAE_CONSTRAINT;
        if (keep_signs(s, t, step)) other = c->ops->evaluate(c, t, c->y, c->yp, where);
        if (other == DAE_OK || other == DAE_STOPPED) status = other;
    }
    wipe_traces(s->simulation->problem, &before);
    return status;
}

static dae_status evaluate_at(dae_solver *s, double t, const dense_output *step)
{
    bool starts = s->engine->counts.steps == 0;
    return evaluate_as(s, t, step,
                       step     ? SIMULATION_WITHIN
                       : starts ? SIMULATION_START
                                : SIMULATION_STEP_END);
}

void solve_look_at_end(dae_solver *s)
{
    evaluate_as(s, s->engine->t, NULL, SIMULATION_STEP_END);
}

/* Where y' follows from y without constraints, there is nothing to meet. Not with sparse factors,
 * which repeat their analysis where they must not depend on earlier ones. */
dae_status solve_look_within(dae_solver *s)
{
    simulation *c = s->simulation;
    judge *j = &s->judge;
    if (!c->projection || j->points == 0) return DAE_OK;
    if (strcmp(c->problem->linear_solver, "klu") == 0) return DAE_OK;
    if (c->problem->form->yp && c->levels && c->levels->count == 1) return DAE_OK;
    const engine_options *o = &s->engine->options;
    const dense_output *step = engine_polynomial(s->engine);
    for (size_t point = 0; point < j->points; point++) {
        double t = judge_time(j, step, point);
        dae_status status = evaluate_at(s, t, step);
        if (status == DAE_STOPPED) return status;
        if (status != DAE_OK) continue;
        dense_output_evaluate(step, t, j->value, j->value_yp);
        for (size_t k = 0; k < j->n; k++) {
            size_t i = c->problem->dynamic[k] ? c->ops->author_of(c, k) : PROBLEM_NOWHERE;
            if (i == PROBLEM_NOWHERE) continue;
            double allowed = engine_tolerance(o, k, j->value[k]);
            j->moved = fmax(j->moved, fabs(c->value[i] - j->value[k]) / allowed);
        }
    }
    return DAE_OK;
}

/* For equations of index 1 that cannot be met at a row, though the run continues. The row then
 * holds the values of the step. Exceptions: the step does not contain algebraic variables, or an
 * equation degenerates there. */
static dae_status take_unmet(dae_solver *s, double t, const dense_output *step, dae_status found)
{
    simulation *c = s->simulation;
    const dense_output *within = step ? step : &s->engine->dense;
    bool known = c->projection && c->levels && c->levels->count == 1 && !within->follows;
    if (!solve_is_of_state(found) || !known || s->engine->counts.steps == 0) return found;
    if (levels_lose_row(c->levels, t, projection_failure_point(c->projection))) return found;
    text why = {0};
    solve_report_undetermined(s, t, &why);
    dae_status status = evaluate_as(s, t, step, SIMULATION_UNMET);
    if (status == DAE_OK && !s->reported_unmet) {
        message_note(&s->message,
                     "at t = %.6g the equations could not be met: this row, and others like it, "
                     "hold the values of the steps as they are%s%s",
                     t, why.length ? "; " : "", text_string(&why));
        s->reported_unmet = true;
    }
    text_free(&why);
    return status;
}

dae_status solve_try_values(dae_solver *s, double t, const dense_output *step)
{
    s->simulation->passed = false;
    return evaluate_at(s, t, step);
}

/* Takes what stands for values where the equations give none; or fails. */
static dae_status finish(dae_solver *s, double t, const dense_output *step, dae_status status)
{
    status = solve_pass_instant(s, t, step, status);
    status = take_unmet(s, t, step, status);
    return status == DAE_OK ? DAE_OK : solve_explain_point(s, t, status);
}

dae_status solve_evaluate(dae_solver *s, double t, const dense_output *step)
{
    s->simulation->passed = false;
    return finish(s, t, step, evaluate_at(s, t, step));
}

dae_status solve_evaluate_to_show(dae_solver *s, double t, const dense_output *step)
{
    solve_ask_rates(s, true);
    dae_status status = solve_evaluate(s, t, step);
    solve_ask_rates(s, false);
    return status;
}

void solve_ask_rates(dae_solver *s, bool asked)
{
    s->simulation->asked = asked && s->simulation->rate;
}

dae_status solve_evaluate_before(dae_solver *s, double t, double before)
{
    const dense_output *within = engine_polynomial(s->engine);
    const dense_output *step = t == s->engine->t ? NULL : within;
    s->simulation->passed = false;
    dae_status status = evaluate_at(s, t, step);
    if (before == t || !solve_is_of_state(status)) return finish(s, t, step, status);
    if (evaluate_at(s, before, within) == DAE_OK) return DAE_OK;
    return solve_evaluate(s, t, step);
}

dae_status solve_evaluate_as_it_is(dae_solver *s, double t, const dense_output *step)
{
    dae_status status = evaluate_as(s, t, step, SIMULATION_UNMET);
    return status == DAE_OK ? DAE_OK : solve_explain_point(s, t, status);
}

/* Constraints count as dependent where less than this part is left of one. */
static const double DEPENDENT = 1e-3;

void solve_forget_weakest(dae_solver *s)
{
    s->most_left[0] = s->most_left[1] = s->left_at_first = 0;
    s->least_left = s->simulation->left = 1;
}

/* What is left of the weakest constraint, relative to the most so far. */
static double look_at(dae_solver *s, bool by_nominal)
{
    double left = projection_weakest(s->simulation->projection, by_nominal);
    s->most_left[by_nominal] = fmax(s->most_left[by_nominal], left);
    return left / s->most_left[by_nominal];
}

/* The same by the systems that the last step has solved for y'. Their pivots are products of two
 * rows, hence the square root. Explicit methods solve such systems at each stage. For methods that
 * solve none, and whose states are not projected, one system is solved at the end of the step. */
static double look_at_yp(dae_solver *s)
{
    simulation *c = s->simulation;
    problem *p = c->problem;
    const engine *e = s->engine;
    bool hidden = c->levels && c->levels->count > 1, solved = p->follows < 1;
    dae_status status = DAE_OK;
    if (hidden && !solved && !c->project_steps && p->form->solve_algebraic) {
        memcpy(c->y, e->y, p->n * sizeof *c->y);
        status = problem_solve_algebraic(p, e->t, c->y, c->yp);
    }
    double left = status == DAE_SINGULAR ? 0 : sqrt(p->follows);
    p->follows = 1;
    return left;
}

/* The same at a time within the last step; 1 where there are no values. */
static double left_at(dae_solver *s, const dense_output *step, double t)
{
    simulation *c = s->simulation;
    c->problem->follows = 1;
    dense_output_evaluate(step, t, c->y, c->yp);
    dae_status status = problem_solve_algebraic(c->problem, t, c->y, c->yp);
    if (status != DAE_OK && status != DAE_SINGULAR) return 1;
    return status == DAE_SINGULAR ? 0 : sqrt(c->problem->follows);
}

/* The least within the last step, because stages may lie on both sides of a singular point. Takes
 * the least of some points, then divides the interval between its neighbours by thirds. */
static double least_within(dae_solver *s)
{
    enum { POINTS = 12, THIRDS = 24 };
    const dense_output *step = engine_polynomial(s->engine);
    const problem before = *s->simulation->problem;
    double begin = step->t, length = s->engine->t - begin, least = 1;
    int best = 0;
    for (int k = 0; k <= POINTS; k++) {
        double left = left_at(s, step, begin + length * k / POINTS);
        if (left < least) least = left, best = k;
    }
    double low = fmax(best - 1, 0) / POINTS, high = fmin(best + 1, POINTS) / POINTS;
    for (int i = 0; i < THIRDS; i++) {
        double one = (2 * low + high) / 3, other = (low + 2 * high) / 3;
        double left = left_at(s, step, begin + length * one);
        double right = left_at(s, step, begin + length * other);
        *(left < right ? &high : &low) = left < right ? other : one;
        least = fmin(least, fmin(left, right));
    }
    wipe_traces(s->simulation->problem, &before);
    return least;
}

/* Looks between stages where little is left at a stage, and less than at earlier ones: a singular
 * point may lie between two stages. */
static double look_between(dae_solver *s, double left)
{
    static const double LITTLE = 0.1, LESS = 0.7;
    const simulation *c = s->simulation;
    bool hidden = c->levels && c->levels->count > 1 && c->problem->form->solve_algebraic;
    if (!hidden || left > LITTLE || left > LESS * s->least_left) return left;
    s->least_left = left;
    return fmin(left, least_within(s));
}

void solve_report_dependence(dae_solver *s)
{
    simulation *c = s->simulation;
    const double left = c->left;
    if (s->reported_dependence || !(left < DEPENDENT)) return;
    s->reported_dependence = true;
    text remedy = {0};
    if (c->ops->report_remedy) c->ops->report_remedy(c, &remedy);
    message_note(&s->message,
                 "at t = %.6g one of the constraints hardly differs from what others ask for "
                 "(by %.2g of what it did): where they come to depend on each other, these "
                 "equations do not tell how the solution goes on, and what follows may be of "
                 "another branch",
                 s->engine->t, left);
    if (remedy.length > 0)
        message_note(&s->message, "%s", text_string(&remedy) + strspn(text_string(&remedy), "\n "));
    text_free(&remedy);
}

/* Watches for dependent constraints, because a solution may continue in several ways beyond a
 * singular point. For combined equations nothing is reported yet, because they may be formed anew
 * before it. */
static void watch_constraints(dae_solver *s)
{
    simulation *c = s->simulation;
    if (s->reported_dependence) return;
    double left = look_between(s, look_at_yp(s));
    if (c->projection && c->project_steps) {
        double met = look_at(s, false);
        if (met < DEPENDENT || s->most_left[true] == 0) met = look_at(s, true);
        left = fmin(left, met);
    }
    c->left = left;
    if (!c->combined) solve_report_dependence(s);
}

/* Projects the end of the last step, and once more from where the equations of the step lead with
 * it, if the engine asks for that. */
static dae_status project_end(dae_solver *s)
{
    simulation *c = s->simulation;
    engine *e = s->engine;
    double *from = s->judge.other_value;
    dae_status status = c->ops->project(c, e->t, e->y, e->yp);
    if (status != DAE_OK || !engine_follow(e, c->y, from)) return status;
    status = c->ops->project(c, e->t, from, e->yp);
    return solve_is_of_state(status) ? c->ops->project(c, e->t, e->y, e->yp) : status;
}

dae_status solve_project_step(dae_solver *s, bool *far)
{
    simulation *c = s->simulation;
    engine *e = s->engine;
    *far = false;
    if (!c->project_steps) {
        watch_constraints(s);
        return DAE_OK;
    }
    set_step(c, &e->dense);
    c->yp_meets = s->method->multistep && method_is_stiffly_accurate(s->method);
    dae_status status = project_end(s);
    if (status != DAE_OK) return status;
    *far = judge_moves_far(&s->judge, e, c->y);
    engine_replace(e, c->y, c->yp);
    watch_constraints(s);
    return DAE_OK;
}

/* Whether there are values at a time within the last step. */
static bool has_values_at(dae_solver *s, double t, const dense_output *step)
{
    simulation *c = s->simulation;
    return evaluate_at(s, t, step) == DAE_OK && c->ops->missing(c) < 0;
}

bool solve_take_margins(dae_solver *s, double t, const dense_output *step, double *value)
{
    if (!has_values_at(s, t, step)) return false;
    s->simulation->ops->take_margins(s->simulation, t, value);
    return true;
}

bool solve_fails_within(dae_solver *s, double *t)
{
    const judge *j = &s->judge;
    if (!s->simulation->asserts) return false;
    const dense_output *step = engine_polynomial(s->engine);
    for (size_t point = 0; point < j->points; point++) {
        *t = judge_time(j, step, point);
        if (has_values_at(s, *t, step) && !solve_holds(s, *t)) return true;
    }
    solve_turn turn[SOLVE_MOST_TURNS];
    size_t turns = solve_find_turns(s, turn);
    for (size_t k = 0; k < turns; k++) {
        *t = turn[k].behind;
        if (has_values_at(s, *t, step) && !solve_holds(s, *t)) return true;
    }
    return false;
}

bool solve_warns_within(dae_solver *s, double *before, double *t)
{
    simulation *c = s->simulation;
    const dense_output *step = engine_polynomial(s->engine);
    double length = fabs(s->engine->t - step->t);
    for (size_t point = 0; point < s->judge.points; point++) {
        double now = judge_time(&s->judge, step, point);
        if (fabs(now - step->t) > length || !has_values_at(s, now, step)) continue;
        if (c->ops->warns(c, now)) {
            *t = now;
            return true;
        }
        *before = now;
    }
    solve_turn turn[SOLVE_MOST_TURNS];
    size_t turns = solve_find_turns(s, turn);
    for (size_t k = 0; k < turns; k++) {
        *t = turn[k].behind;
        if (fabs(*t - step->t) > length) continue;
        if (!has_values_at(s, *t, step) || !c->ops->warns(c, *t)) continue;
        *before = turn[k].before;
        return true;
    }
    return false;
}

dae_status solve_check(dae_solver *s, double t)
{
    simulation *c = s->simulation;
    long missing = c->ops->missing(c);
    if (missing >= 0) return solve_explain_missing(s, t, (size_t)missing);
    return c->ops->check ? c->ops->check(c, t) : DAE_OK;
}

bool solve_holds(dae_solver *s, double t)
{
    simulation *c = s->simulation;
    return c->ops->missing(c) < 0 && (!c->ops->holds || c->ops->holds(c, t));
}

dae_status solve_measure(dae_solver *s, double t)
{
    if (s->simulation->passed) return DAE_OK;
    const problem before = *s->simulation->problem;
    dae_status status = s->simulation->ops->measure(s->simulation, t);
    wipe_traces(s->simulation->problem, &before);
    return status == DAE_OK ? DAE_OK : solve_explain_point(s, t, status);
}
