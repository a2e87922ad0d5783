#include "stepping/corrector.h"

#include "base/round_off.h"
#include "base/scatter.h"
#include "stepping/control.h"

#include <math.h>
#include <string.h>

/* Factors are kept while c / c_0 lies between this and its inverse. */
static const double KEEP_FACTORS = 0.6;

/* The same where algebraic variables amplify errors: they show what scaled corrections leave in a
 * stiff direction. */
static const double KEEP_AMPLIFYING = 0.95;

/* In usual equations one tolerance of the other variables causes errors of fewer tolerances than
 * this in algebraic variables. */
static const double AMPLIFIES = 10;

/* Below these sizes (1 is the limit), the effect of errors and of corrections on algebraic
 * variables is not computed. */
static const double LITTLE_ERROR = 0.1, LITTLE_CORRECTION = 0.01;

/* A slower iteration makes the next step take another matrix. */
static const double SLOW = 0.3;

/* Bounds for the rate that is expected before the iteration shows its own. A rate is seen only if
 * two corrections are needed, and that does not happen with the best rates. */
static const double LEAST_RATE = 0.15, MOST_RATE = 0.5;

/* A Jacobian older than this, in steps, is not factored again. One that has become much too large
 * makes corrections small, and the iteration then looks as if it had converged. */
enum { OLD = 20 };

void corrector_carve(corrector *q, workspace *space, engine *e)
{
    q->engine = e;
    q->problem = e->problem;
    workspace_vectors(
        space, q->problem->n,
        (double **[]){&q->correction, &q->scaled, &q->effect, &q->first, &q->last, NULL});
}

void corrector_hold(corrector *q, engine *e)
{
    q->newton.exactly = e->options.fixed_step > 0;
    q->newton.rtol = q->newton.exactly ? 1 : e->stepping.rtol;
    q->newton.count = &e->counts.newton_iterations;
    q->newton.noisy = &e->noise_everywhere;
}

void corrector_restart(corrector *q)
{
    q->rate = MOST_RATE;
    q->linearized = q->fresh = false;
    q->factored = 0;
    q->amplification = 0;
}

void corrector_shorten(corrector *q, dae_status status, double *factor)
{
    newton_shorten(&q->newton, status, factor);
    corrector_restart(q);
}

void corrector_reject(corrector *q)
{
    if (q->fresh && !q->problem->constant) corrector_restart(q);
}

void corrector_leave(corrector *q)
{
    q->fresh = false;
    q->age++;
}

double corrector_norm(corrector *q, const double *x, double h)
{
    return control_norm_in_step(q->problem, x, q->engine->stepping.weight, h, q->scaled);
}

static bool is_algebraic(const problem *p, size_t k)
{
    return !p->dynamic[k] && !(p->index && p->index[k] > 1);
}

/* Finds the change that a change x of differential variables causes over the step, into q->effect:
 * (c F_y' + F_y)^-1 c F_y' x. */
static void find_response(corrector *q, const double *x)
{
    problem *p = q->problem;
    problem_multiply(p, x, q->effect);
    for (size_t k = 0; k < p->n; k++) q->effect[k] *= q->factored;
    problem_solve(p, 0, q->effect);
}

/* The same of algebraic variables alone. Returns its norm. */
static double find_effect(corrector *q, const double *x, const double *weight)
{
    problem *p = q->problem;
    find_response(q, x);
    for (size_t k = 0; k < p->n; k++)
        if (!is_algebraic(p, k)) q->effect[k] = 0;
    return control_norm(p->n, q->effect, weight, NULL, 1);
}

static bool is_of_index_1(const problem *p)
{
    return p->hidden_directions == 0 && problem_highest_index(p) == 1;
}

/* Finds, with new factors, by how much algebraic variables amplify an error of one tolerance. */
static void find_amplification(corrector *q)
{
    const problem *p = q->problem;
    const double *weight = q->engine->stepping.effect_weight;
    bool any = false;
    for (size_t k = 0; k < p->n; k++) {
        any = any || is_algebraic(p, k);
        q->scaled[k] = p->dynamic[k] ? copysign(1, scattered(k)) / weight[k] : 0;
    }
    bool looks = any && !q->newton.exactly && is_of_index_1(p);
    q->amplification = looks ? find_effect(q, q->scaled, weight) : 0;
}

/* An estimate of the largest effect of x on algebraic variables. */
static double guess_effect(const corrector *q, const double *x)
{
    const problem *p = q->problem;
    const double *weight = q->engine->stepping.weight;
    double most = 0;
    if (q->amplification == 0 || q->factored == 0) return 0;
    for (size_t k = 0; k < p->n; k++)
        if (p->dynamic[k]) most = fmax(most, fabs(x[k]) * weight[k]);
    return most * q->amplification;
}

double corrector_error(corrector *q, double *x, double h)
{
    const stepping *s = &q->engine->stepping;
    if (guess_effect(q, x) > LITTLE_ERROR) {
        find_effect(q, x, s->weight);
        for (size_t k = 0; k < q->problem->n; k++) {
            double effect = q->effect[k] * (s->effect_weight[k] / s->weight[k]);
            if (fabs(effect) > fabs(x[k])) x[k] = effect;
        }
    }
    return corrector_norm(q, x, h);
}

/* As c = O(1/h) grows, (c F_y' + F_y)^-1 c F_y' tends to a projection along the null space of F_y'.
 * This also covers equations in which no variable but only combinations of variables are
 * algebraic. */
double corrector_norm_of_dynamic(corrector *q, double *x, double h)
{
    problem *p = q->problem;
    if (q->factored != 0) {
        problem_multiply(p, x, q->correction);
        for (size_t k = 0; k < p->n; k++) x[k] = q->factored * q->correction[k];
        problem_solve(p, 0, x);
    }
    for (size_t k = 0; k < p->n; k++)
        if (!p->dynamic[k]) x[k] = 0;
    return corrector_error(q, x, h);
}

/* The place in the first step at which its tangent is found. */
static const double TANGENT_AT = 0.25;

/* The change over the step by the tangent of the equations at its start, less what was predicted,
 * into q->correction; 0 where they have no value. */
static void follow_tangent(corrector *q, const corrector_start *at)
{
    problem *p = q->problem;
    double *y = q->scaled, *yp = q->effect, *r = q->correction;
    for (size_t k = 0; k < p->n; k++) {
        y[k] = at->y[k] + TANGENT_AT * at->rise[k];
        yp[k] = at->rise[k] / at->h;
    }
    bool known = problem_residual(p, at->t + TANGENT_AT * at->h, y, yp, r) == DAE_OK;
    if (known) problem_solve(p, 0, r);
    for (size_t k = 0; k < p->n; k++) r[k] = known ? -r[k] / TANGENT_AT : 0;
}

double corrector_error_at_start(corrector *q, const corrector_start *at, double *x)
{
    const problem *p = q->problem;
    follow_tangent(q, at);
    for (size_t k = 0; k < p->n; k++) {
        bool higher = !p->dynamic[k] && !is_algebraic(p, k);
        double tangent = is_algebraic(p, k) ? q->correction[k] : 0;
        x[k] = higher ? 0 : at->part * (at->change[k] - tangent);
    }
    return corrector_error(q, x, at->h);
}

/* Evaluates and factors the Jacobian if the present factors will not do. */
static dae_status prepare(corrector *q)
{
    const corrector_point *at = q->at;
    problem *p = q->problem;
    double ratio = q->factored != 0 ? at->c / q->factored : 0;
    double keep = q->amplification > AMPLIFIES ? KEEP_AMPLIFYING : KEEP_FACTORS;
    if (ratio > keep && ratio * keep < 1) return DAE_OK;
    q->factored = 0;
    if (!q->linearized || (q->age > OLD && !p->constant)) {
        dae_status status = problem_linearize(p, at->t, at->predicted, at->yp);
        q->linearized = status == DAE_OK;
        q->fresh = true; /* nothing newer can be had here, even if it failed */
        if (status != DAE_OK) return status;
        q->age = 0;
    }
    dae_status status = problem_factor(p, 0, at->c, 1);
    if (status != DAE_OK) return status;
    q->factored = at->c;
    find_amplification(q);
    return DAE_OK;
}

static dae_status correct(void *self, double *size)
{
    corrector *q = self;
    const corrector_point *at = q->at;
    dae_status status = problem_residual(q->problem, at->t, at->end, at->end_yp, q->correction);
    if (status != DAE_OK) return status;
    memcpy(q->newton.iterations == 1 ? q->first : q->last, q->correction,
           q->problem->n * sizeof *q->correction);
    problem_solve(q->problem, 0, q->correction);
    double factor = -2 / (1 + at->c / q->factored);
    for (size_t k = 0; k < q->problem->n; k++) {
        at->change[k] += factor * q->correction[k];
        at->end[k] = at->predicted[k] + at->change[k];
        at->end_yp[k] = at->yp[k] + at->c * at->change[k];
    }
    *size = corrector_norm(q, q->correction, at->h);
    if (q->amplification > AMPLIFIES && guess_effect(q, q->correction) > LITTLE_CORRECTION)
        *size = fmax(*size, find_effect(q, q->correction, q->engine->stepping.weight));
    *size *= fabs(factor);
    return isfinite(*size) ? DAE_OK : DAE_NEWTON;
}

static dae_status iterate(corrector *q)
{
    size_t bytes = q->problem->n * sizeof(double);
    memset(q->at->change, 0, bytes);
    memcpy(q->at->end, q->at->predicted, bytes);
    memcpy(q->at->end_yp, q->at->yp, bytes);
    return newton_solve(&q->newton, correct, q);
}

/* The residual counts at the point predicted. */
static void name_failure(corrector *q)
{
    const corrector_point *at = q->at;
    engine *e = q->engine;
    bool found = problem_residual(q->problem, at->t, at->predicted, at->yp, q->scaled) == DAE_OK;
    failure_of_newton(&e->failure, q->problem, 1, q->correction, e->stepping.weight,
                      found ? q->scaled : NULL);
}

/* Whether the matrix is an old one. If so, the next prepare() makes a new one. */
static bool renew(corrector *q, double c)
{
    bool old_jacobian = !q->fresh && !q->problem->constant;
    bool old_factors = q->factored != 0 && q->factored != c;
    if (old_jacobian) q->linearized = false;
    if (old_jacobian || old_factors) q->factored = 0;
    return old_jacobian || old_factors;
}

dae_status corrector_solve(corrector *q, const corrector_point *at)
{
    dae_status status;
    q->at = at;
    if (q->newton.exactly) renew(q, at->c);
    q->newton.expected = q->expects ? fmax(LEAST_RATE, fmin(MOST_RATE, q->rate)) : 0;
    do {
        status = prepare(q);
        if (status == DAE_OK) status = iterate(q);
    } while ((status == DAE_NEWTON || status == DAE_SINGULAR) && renew(q, at->c));
    if (status == DAE_OK && q->newton.iterations > 1) q->rate = q->newton.rate;
    if (status == DAE_OK && q->newton.rate > SLOW) renew(q, at->c);
    if (status == DAE_NEWTON) name_failure(q);
    return status;
}

/* The largest of the algebraic variables, or all of them, in tolerances. */
static double largest(const corrector *q, const double *x, const double *less, bool algebraic)
{
    const problem *p = q->problem;
    double most = 0;
    for (size_t k = 0; k < p->n; k++)
        if (!algebraic || is_algebraic(p, k))
            most = fmax(most, fabs(x[k] - less[k]) * q->engine->stepping.weight[k]);
    return most;
}

/* Whether a differential variable is moved by more than its rounding and that of the time. */
static bool is_moved(const corrector *q, const double *to)
{
    const engine *e = q->engine;
    double late = ROUND_OFF_VALUE * fabs(e->t);
    for (size_t k = 0; k < q->problem->n; k++) {
        double rounding = ROUND_OFF_SUM * fabs(e->y[k]) + late * fabs(e->yp[k]);
        if (q->problem->dynamic[k] && fabs(to[k] - e->y[k]) > rounding) return true;
    }
    return false;
}

bool corrector_follow(corrector *q, const double *to, double *x)
{
    const problem *p = q->problem;
    const double *y = q->engine->y;
    if (q->factored == 0 || q->newton.exactly || !is_of_index_1(p)) return false;
    if (!(largest(q, to, y, true) > LITTLE_CORRECTION) || !is_moved(q, to)) return false;
    for (size_t k = 0; k < p->n; k++) x[k] = to[k] - y[k];
    find_response(q, x);
    for (size_t k = 0; k < p->n; k++) x[k] = y[k] + q->effect[k];
    return largest(q, to, x, false) > LITTLE_CORRECTION;
}

engine_evidence corrector_evidence(const corrector *q)
{
    return (engine_evidence){
        .before = q->first, .after = q->newton.iterations > 1 ? q->last : NULL, .fresh = q->fresh};
}

void corrector_state(corrector *q, state_visit *s)
{
    newton_state(&q->newton, s);
    STATE_MEMBERS(s, corrector, q, expects, correction);
    STATE_MEMBERS(s, corrector, q, factored, age);
    STATE(s, q->age);
}
