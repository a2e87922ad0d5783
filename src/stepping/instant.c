#include "stepping/instant.h"
#include "base/round_off.h"
#include "base/scatter.h"
#include "stepping/control.h"

#include <math.h>
#include <string.h>

/* delta as a part of the step. A projection has the direction of F_y'^-1 F_z up to a term F_y
 * delta. That term times the projected distance has to be round-off. */
static const double PART_OF_STEP = 0x1p-36;

/* How far algebraic variables are followed to find their derivatives, as a part of the step; to
 * what relative size such a derivative is corrected, and how often at most. */
static const double PART_OF_WAY = 0x1p-10, EXACT = 1e-9;
enum { MOST_CORRECTIONS = 10 };

void instant_carve(instant *s, workspace *space, engine *e)
{
    size_t n = s->n = e->problem->n;
    s->engine = e;
    s->problem = e->problem;
    s->solves_algebraic = e->problem->form->solve_algebraic != NULL;
    s->position = workspace_take(space, n, sizeof *s->position);
    workspace_vectors(
        space, n,
        (double **[]){&s->residual, &s->ahead, &s->value, &s->change, &s->drift, &s->rise, NULL});
}

void instant_start(instant *s)
{
    s->delta = 0;
    s->rise_step = 0;
}

void instant_free(instant *s)
{
    arena_free(&s->memory);
}

static void make_along(void *self)
{
    instant *s = self;
    s->along = derivative_along_create(&s->memory, s->positions);
}

dae_status instant_look(instant *s)
{
    const problem *p = s->problem;
    if (s->looked) return DAE_OK;
    s->positions = s->algebraic = 0;
    for (size_t j = 0; j < s->n; j++) {
        s->change[j] = p->dynamic[j] ? 1 + 0.5 * scattered(j) : 0;
        s->algebraic += !p->dynamic[j];
    }
    memset(s->position, 0, s->n * sizeof *s->position);
    for (size_t j = 0; j < s->n; j++)
        if (!p->dynamic[j]) p->form->mark_rows(p->self, j, s->position);
    if (!s->solves_algebraic) problem_multiply(p, s->change, s->residual);
    for (size_t i = 0; !s->solves_algebraic && i < s->n; i++) {
        s->position[i] = s->residual[i] == 0 && !s->position[i];
        s->positions += s->position[i];
    }
    s->looked = true;
    if (s->positions == 0 || s->along) return DAE_OK;
    return arena_protect(&s->memory, make_along, s);
}

/* How far the point aside lies, in nominal sizes and in time. */
static const double ASIDE = 0.03;

size_t instant_find_vanishing(instant *s, double t, const double *y, const double *yp)
{
    problem *p = s->problem;
    size_t found = PROBLEM_NOWHERE;
    if (!s->looked || s->solves_algebraic || s->positions == 0 || p->constant_mass) return found;
    for (size_t k = 0; k < s->n; k++) {
        s->value[k] = y[k] + ASIDE * (1 + 0.5 * scattered(k)) * p->nominal[k];
        s->change[k] = p->dynamic[k] ? 1 + 0.5 * scattered(k) : 0;
    }
    double aside = t + ASIDE * fmax(1, 1e-3 * fabs(t));
    if (problem_linearize(p, aside, s->value, yp) == DAE_OK) {
        problem_multiply(p, s->change, s->residual);
        for (size_t i = s->n; i-- > 0;)
            if (s->position[i] && s->residual[i] != 0) {
                s->position[i] = false;
                s->positions--;
                found = i;
            }
    }
    return found;
}

dae_status instant_factor(instant *s, double h)
{
    int exponent;
    frexp(PART_OF_STEP * fabs(h), &exponent);
    double delta = ldexp(1, exponent);
    s->delta = 0;
    dae_status status = s->solves_algebraic ? DAE_OK
                                            : problem_factor(s->problem, s->slot, 1 / delta, 1);
    if (status == DAE_OK) s->delta = delta;
    return status;
}

/* Corrections of this size relative to the variables say nothing about a rate. */

/* At a rate above SLOW, many iterations are needed down to round-off, so a Jacobian at the point
 * itself pays. No rate is trusted to be below LEAST_RATE. */
static const double SLOW = 0.03, LEAST_RATE = 1e-3;

typedef struct instant_work {
    instant *s;
    const instant_task *task;
    double last; /* size of the last correction; 0: none yet */
    double rate; /* of the last two, above round-off */
    bool renewed;
} instant_work;

/* y + distance * (y' of differential variables), into s->value. */
static void move(instant *s, const double *y, double distance, const double *yp)
{
    for (size_t k = 0; k < s->n; k++)
        s->value[k] = s->problem->dynamic[k] ? y[k] + distance * yp[k] : y[k];
}

/* The constraints of positions at time t and s->value, into g (positions). */
static dae_status look(const instant_work *w, double t, double *g)
{
    instant *s = w->s;
    size_t found = 0;
    dae_status status = problem_residual(s->problem, t, s->value, w->task->yp, s->ahead);
    for (size_t i = 0; i < s->n; i++)
        if (s->position[i]) g[found++] = s->ahead[i];
    return status;
}

static dae_status look_along(void *self, double distance, double *g)
{
    const instant_work *w = self;
    move(w->s, w->task->y, distance, w->task->yp);
    return look(w, w->task->t + distance, g);
}

/* The derivative of the constraints along (1, y'). It is first found by extrapolated differences.
 * Afterwards, since it is linear in y', the derivative along the last change of y' is added. */
static dae_status find_drift(instant_work *w)
{
    instant *s = w->s;
    const instant_task *task = w->task;
    double h = fabs(task->h), *g = s->residual;
    if (w->last == 0) return derivative_along_find(s->along, look_along, w, h, s->drift);
    move(s, task->y, h, s->change);
    dae_status status = look(w, task->t, g);
    for (size_t i = 0; i < s->positions; i++) s->drift[i] += g[i] / (2 * h);
    move(s, task->y, -h, s->change);
    if (status == DAE_OK) status = look(w, task->t, g);
    for (size_t i = 0; i < s->positions; i++) s->drift[i] -= g[i] / (2 * h);
    return status;
}

/* The right side of Newton's iteration, into s->residual. */
static dae_status evaluate(instant_work *w)
{
    instant *s = w->s;
    const instant_task *task = w->task;
    bool other = s->positions > 0 && task->kind != INSTANT_HERE;
    dae_status status = DAE_OK;
    if (other && task->kind == INSTANT_ALONG) {
        status = find_drift(w);
    } else if (other) {
        move(s, task->from, task->factor, task->yp);
        for (size_t k = 0; k < s->n; k++)
            if (!s->problem->dynamic[k]) s->value[k] = task->y[k];
        status = problem_residual(s->problem, task->t_ahead, s->value, task->yp, s->ahead);
    }
    if (status == DAE_OK)
        status = problem_residual(s->problem, task->t, task->y, task->yp, s->residual);
    for (size_t i = 0, found = 0; status == DAE_OK && other && i < s->n; i++) {
        if (!s->position[i]) continue;
        s->residual[i] = task->kind == INSTANT_ALONG ? s->delta * s->drift[found++]
                                                     : s->delta / task->factor * s->ahead[i];
    }
    return status;
}

/* If the last change led to a point where equations have no values, names the equation without a
 * value. */
static void name_failure(instant_work *w)
{
    const instant *s = w->s;
    step_failure *failure = &s->engine->failure;
    dae_status there = evaluate(w);
    if (there == DAE_OK)
        failure_of_newton(failure, s->problem, 1, s->change, s->engine->stepping.weight,
                          s->residual);
    else
        failure_of_problem(failure, s->problem, there);
}

/* Finds the size of a correction and, above round-off, its ratio to the last one. Down to round-off
 * the size of the next correction counts. */
static dae_status measure(instant_work *w, const double *x, double *size)
{
    instant *s = w->s;
    *size = control_norm_in_step(s->problem, x, s->engine->stepping.weight, w->task->h, NULL);
    double rtol = s->newton.exactly ? 1 : s->newton.rtol; /* that the weights are made of */
    if (w->last * rtol > ROUND_OFF_ELIMINATED) w->rate = *size / w->last;
    s->worst_rate = fmax(s->worst_rate, w->rate);
    w->last = *size;
    if (s->newton.exactly && w->rate > 0 && w->rate < 1) *size *= fmax(w->rate, LEAST_RATE);
    return isfinite(*size) ? DAE_OK : DAE_NEWTON;
}

dae_status instant_renew(instant *s, const instant_task *task)
{
    dae_status status = problem_linearize(s->problem, task->t, task->y, task->yp);
    return status == DAE_OK ? instant_factor(s, task->h) : status;
}

static dae_status correct(void *self, double *size)
{
    instant_work *w = self;
    instant *s = w->s;
    const instant_task *task = w->task;
    const bool *dynamic = s->problem->dynamic;
    if (s->newton.exactly && w->rate > SLOW && !w->renewed) {
        dae_status renewed = instant_renew(s, task);
        if (renewed != DAE_OK) return renewed;
        w->renewed = true;
    }
    dae_status status = evaluate(w);
    if (status != DAE_OK) return status;
    problem_solve(s->problem, s->slot, s->residual);
    for (size_t k = 0; k < s->n; k++) {
        s->change[k] = -s->residual[k] / (dynamic[k] ? s->delta : 1);
        if (dynamic[k])
            task->yp[k] += s->change[k];
        else
            task->y[k] += s->change[k];
        s->residual[k] = dynamic[k] ? task->h * s->change[k] : s->change[k];
    }
    return measure(w, s->residual, size);
}

static dae_status iterate(newton_correction correction, instant_work *w)
{
    dae_status status = newton_solve(&w->s->newton, correction, w);
    if (status == DAE_NEWTON) name_failure(w);
    return status;
}

dae_status instant_solve(instant *s, const instant_task *task)
{
    if (s->solves_algebraic) return problem_solve_algebraic(s->problem, task->t, task->y, task->yp);
    instant_work work = {.s = s, .task = task};
    return iterate(correct, &work);
}

static dae_status correct_position(void *self, double *size)
{
    instant_work *w = self;
    instant *s = w->s;
    const instant_task *task = w->task;
    dae_status status = problem_residual(s->problem, task->t, task->y, task->yp, s->change);
    if (status != DAE_OK) return status;
    for (size_t i = 0; i < s->n; i++) s->change[i] = s->position[i] ? -s->change[i] : 0;
    problem_solve(s->problem, s->slot, s->change);
    for (size_t k = 0; k < s->n; k++) {
        if (!s->problem->dynamic[k]) s->change[k] = 0;
        task->y[k] += s->change[k];
    }
    return measure(w, s->change, size);
}

dae_status instant_project(instant *s, const instant_task *task)
{
    instant_work work = {.s = s, .task = task};
    return s->positions > 0 ? iterate(correct_position, &work) : DAE_OK;
}

/* Makes one correction of the derivatives of algebraic variables, so that the equations hold where
 * y follows y'. `part` is its size relative to the largest of them. */
static dae_status follow_once(instant *s, double t, double distance, const double *y, double *yp,
                              double *part)
{
    double largest = 0, change = 0;
    for (size_t k = 0; k < s->n; k++) s->value[k] = y[k] + distance * yp[k];
    dae_status status = problem_residual(s->problem, t + distance, s->value, yp, s->ahead);
    if (status != DAE_OK) return status;
    problem_solve(s->problem, s->slot, s->ahead);
    for (size_t k = 0; k < s->n; k++) {
        if (s->problem->dynamic[k]) continue;
        yp[k] -= s->ahead[k] / distance;
        largest = fmax(largest, fabs(yp[k]));
        change = fmax(change, fabs(s->ahead[k] / distance));
    }
    *part = change > 0 ? change / largest : 0;
    return DAE_OK;
}

static dae_status follow(instant *s, double t, double distance, const double *y, double *yp)
{
    dae_status status = DAE_OK;
    double part = 1;
    for (int i = 0; status == DAE_OK && part > EXACT && i < MOST_CORRECTIONS; i++)
        status = follow_once(s, t, distance, y, yp, &part);
    return status;
}

/* Derivatives extrapolated from two distances. */
static dae_status follow_twice(instant *s, double t, double distance, const double *y, double *yp)
{
    dae_status status = follow(s, t, distance, y, yp);
    for (size_t k = 0; k < s->n; k++) s->drift[k] = yp[k];
    if (status == DAE_OK) status = follow(s, t, distance / 2, y, yp);
    for (size_t k = 0; k < s->n; k++)
        if (!s->problem->dynamic[k]) yp[k] = 2 * yp[k] - s->drift[k];
    return status;
}

/* The same where the problem solves for algebraic variables: from their values at t, which y holds,
 * at this distance, and at twice this distance. */
static dae_status follow_solved(instant *s, double t, double distance, const double *y, double *yp)
{
    for (int i = 1; i <= 2; i++) {
        move(s, y, i * distance, yp);
        dae_status status = problem_solve_algebraic(s->problem, t + i * distance, s->value,
                                                    s->change);
        if (status != DAE_OK) return status;
        if (i == 1) memcpy(s->ahead, s->value, s->n * sizeof *s->ahead);
    }
    for (size_t k = 0; k < s->n; k++)
        if (!s->problem->dynamic[k])
            yp[k] = (4 * s->ahead[k] - 3 * y[k] - s->value[k]) / (2 * distance);
    return DAE_OK;
}

void instant_begin_yp(instant *s, double t, double h, const double *y, double *yp)
{
    double distance = PART_OF_WAY * h;
    for (size_t k = 0; k < s->n; k++)
        if (!s->problem->dynamic[k]) yp[k] = 0;
    bool good = s->algebraic > 0 && s->positions == 0 &&
                (s->solves_algebraic ? follow_solved : follow_twice)(s, t, distance, y, yp) ==
                    DAE_OK;
    for (size_t k = 0; k < s->n; k++)
        if (!s->problem->dynamic[k] && !(good && isfinite(yp[k]))) yp[k] = 0;
}

dae_status instant_find_yp(instant *s, double t, double h, const double *y, double *yp,
                           const double *end, double *end_yp)
{
    if (s->algebraic == 0) return DAE_OK;
    if (s->solves_algebraic) return follow_solved(s, t + h, -PART_OF_WAY * h, end, end_yp);
    if (s->positions == 0) {
        for (size_t k = 0; k < s->n; k++)
            if (!s->problem->dynamic[k]) end_yp[k] = yp[k];
        return follow_twice(s, t + h, -PART_OF_WAY * h, end, end_yp);
    }
    for (size_t k = 0; k < s->n; k++) {
        if (s->problem->dynamic[k]) continue;
        double rise = (end[k] - y[k]) / h, bend = s->rise_step == 0 ? 0 : rise - s->rise[k];
        if (s->rise_step == 0) yp[k] = rise;
        end_yp[k] = rise + bend * h / (h + s->rise_step);
    }
    return DAE_OK;
}

void instant_note_rise(instant *s, double h, const double *y, const double *end)
{
    for (size_t k = 0; k < s->n; k++) s->rise[k] = (end[k] - y[k]) / h;
    s->rise_step = h;
}

void instant_state(instant *s, state_visit *to)
{
    STATE(to, s->looked);
    STATE(to, s->positions);
    state_bytes(to, s->position, s->n * sizeof *s->position);
    STATE_MEMBERS(to, instant, s, algebraic, newton);
    newton_state(&s->newton, to);
    STATE(to, s->worst_rate);
    state_doubles(to, s->rise, s->n);
    STATE(to, s->rise_step);
    if (to->way == STATE_RESTORE && s->positions > 0 && !s->along)
        state_fail(to, arena_protect(&s->memory, make_along, s));
    if (s->positions > 0 && s->along) derivative_along_state(s->along, to);
}

void open_yp_keep(problem *p, size_t slot, double alpha, double *v, double *scratch)
{
    for (int times = 0; times < 2; times++) {
        problem_multiply(p, v, scratch);
        for (size_t k = 0; k < p->n; k++) scratch[k] *= alpha;
        problem_solve(p, slot, scratch);
        for (size_t k = 0; k < p->n; k++) v[k] -= scratch[k];
    }
}

void open_yp_find(problem *p, size_t slot, double alpha, double *v, double *scratch)
{
    for (size_t k = 0; k < p->n; k++) v[k] = p->nominal[k] * scattered(2 * k + 1);
    open_yp_keep(p, slot, alpha, v, scratch);
}

bool open_yp_is_any(const problem *p, const double *v, bool dynamic)
{
    const double round_off = 1e-6;
    for (size_t k = 0; k < p->n; k++)
        if ((p->dynamic[k] || !dynamic) && fabs(v[k]) > round_off * p->nominal[k]) return true;
    return false;
}
