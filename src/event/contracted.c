/* Root functions that a fast motion holds near 0.
 *
 * The voltage u - v over an ideal diode of R = 1e-9 that feeds a capacitor is 1e-9 times its
 * current. Errors of v of the tolerance's size are no errors of that: the equations do not bear
 * them. Let E = dF/dy', W = dF/dy and K = alpha E + W. Errors e of the differential variables decay
 * to P e, P = K^-1 alpha E, within a step (projection/algebraic.h), where a motion of rate lambda
 * has the eigenvalue alpha/(alpha + lambda) of P. The values at the end of an implicit step are so
 * exact but for what its iteration leaves, the polynomial between such ends is not. Where such
 * errors may change the sign of a root, or hide that it has changed, what they make of it, without
 * and with P, tells whether they decay. Then the root is looked at in the states of the polynomial
 * that are brought to the equations along slow motions. y changes by (I - P)(I + 2 P) x and y' by
 * alpha P (3 I - 2 P) x, x = -K^-1 F.
 *
 * Errors of y' move these states by little, but a root that is R times y' by all of it: where a
 * long step begins, the polynomial is far less exact in y' than in y. In an explicit step y' is as
 * the equations say, fast motions included. So y' is brought to slow motions first, along which
 * E y'' + W y' + dF/dt = 0 holds without the y'' of fast ones. It changes by (I - P)(I + 2 P) x,
 * x = -K^-1 (W y' + dF/dt).
 *
 * An explicit step is no longer than fast motions allow: 1/alpha is short beside the time since the
 * last event instead. */
#include "event/contracted.h"

#include "base/round_off.h"
#include "problem/pencil.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 1/alpha is shorter than a step, or than that time, by this factor, as in projection/algebraic.c.
 */
static const double SHORTER = 10;

/* Errors on a root that decay are less than this part of those that do not. */
static const double DECAYED = 0.1;

/* Safety factor on what errors make of a root. */
static const double MARGIN = 4;

/* v->rounded is a bound for sums of many terms. What rounding makes of this one is in the changes
 * by the last correction as well, so that the part that few operations give is enough besides. */
static const double FEW = ROUND_OFF_VALUE / ROUND_OFF_LONG_SUM;

/* Linearised elsewhere in the step, one correction is not enough. */
enum { CORRECTIONS = 2 };

struct contracted {
    arena memory;
    const problem *p;
    pencil *k;
    bool factored; /* in this step */
    double alpha;
    double *y, *yp, *x, *moved, *twice; /* n each */
    double *value;                      /* count */
};

typedef struct making {
    struct contracted *c;
    size_t count;
} making;

static void make(void *argument)
{
    making *m = argument;
    struct contracted *c = m->c;
    const problem *p = c->p;
    arena_vectors(&c->memory, p->n,
                  (double **const[]){&c->y, &c->yp, &c->x, &c->moved, &c->twice, NULL});
    arena_vectors(&c->memory, m->count, (double **const[]){&c->value, NULL});
    c->k = pencil_create(&c->memory, (pencil_matrix){.pattern = p->by_yp.pattern},
                         (pencil_matrix){.pattern = p->by_y.pattern});
}

void contracted_begin(events *v)
{
    contracted_end(v);
    memcpy(v->along, v->along_end, v->count * sizeof *v->along);
    contracted_forget(v);
}

void contracted_forget(events *v)
{
    for (size_t k = 0; k < v->count; k++) v->along_end[k] = (double)NAN;
}

void contracted_end(events *v)
{
    if (v->slow) memset(v->slow, 0, v->count * sizeof *v->slow);
    if (v->stays) memset(v->stays, 0, v->count * sizeof *v->stays);
    if (v->contracted) v->contracted->factored = false;
}

void contracted_free(events *v)
{
    struct contracted *c = v->contracted;
    contracted_end(v);
    v->contracted = NULL;
    if (!c) return;
    pencil_free(c->k);
    arena_free(&c->memory);
    free(c);
}

/* Room for all that, which stays as long as the equations do. Most models never need it. */
static dae_status take_room(events *v, const problem *p)
{
    if (v->contracted && v->contracted->p == p) return DAE_OK;
    contracted_free(v);
    struct contracted *c = v->contracted = calloc(1, sizeof *c);
    if (!c) return DAE_NO_MEMORY;
    c->p = p;
    dae_status status = arena_protect(&c->memory, make, &(making){c, v->count});
    if (status == DAE_OK) status = pencil_reserve(c->k, 1, (const bool[]){false});
    if (status != DAE_OK) contracted_free(v);
    return status;
}

/* The time within which motions have to decay, to hold a root near 0: a part of it. */
static double time_of(const events *v, const engine *e)
{
    return fabs(e->t - (e->is_explicit ? v->since : e->dense.t));
}

/* Factors K with the matrices as they were linearised last, or, where the engine needs none, at the
 * end of the step. The factors depend on these alone. */
static dae_status begin(events *v, engine *e)
{
    problem *p = e->problem;
    dae_status status = take_room(v, p);
    if (status == DAE_OK && e->is_explicit) {
        status = problem_linearize(p, e->t, e->y, e->yp);
        if (e->ops->lend) e->ops->lend(e);
    }
    if (status != DAE_OK) return status;
    struct contracted *c = v->contracted;
    c->alpha = e->options.direction * SHORTER / time_of(v, e);
    pencil_forget(c->k, 0);
    status = pencil_factor(c->k, 0, c->alpha, p->by_yp.value, 1, p->by_y.value, NULL);
    c->factored = status == DAE_OK;
    return status;
}

/* moved (n) = P x */
static void contract(struct contracted *c, const double *x, double *moved)
{
    sparse_multiply(c->p->by_yp.pattern, c->p->by_yp.value, x, moved);
    for (size_t j = 0; j < c->p->n; j++) moved[j] *= c->alpha;
    pencil_solve(c->k, 0, moved);
}

/* x (n) = -K^-1 x; moved = P x; twice = P (I - P) x. Then x = (I - P) x. */
static void split(struct contracted *c)
{
    for (size_t j = 0; j < c->p->n; j++) c->x[j] = -c->x[j];
    pencil_solve(c->k, 0, c->x);
    contract(c, c->x, c->moved);
    for (size_t j = 0; j < c->p->n; j++) c->x[j] -= c->moved[j];
    contract(c, c->x, c->twice);
}

/* One correction of c->y and c->yp. */
static dae_status correct(struct contracted *c, engine *e, double t)
{
    dae_status status = problem_residual(e->problem, t, c->y, c->yp, c->x);
    if (status != DAE_OK) return status;
    split(c);
    for (size_t j = 0; j < c->p->n; j++) {
        c->y[j] += c->x[j] + 2 * c->twice[j];
        if (c->p->dynamic[j]) c->yp[j] += c->alpha * (c->moved[j] + 2 * c->twice[j]);
    }
    return DAE_OK;
}

/* Brings c->yp to slow motions, where dF/dt is known. */
static dae_status slow_down(struct contracted *c, engine *e, double t)
{
    problem *p = e->problem;
    dae_status status = DAE_NOT_EVALUABLE;
    if (p->form->time_derivative) status = p->form->time_derivative(p->self, t, c->y, c->yp, c->x);
    if (status == DAE_NOT_EVALUABLE && !e->is_explicit) return DAE_OK;
    if (status != DAE_OK) return status;
    sparse_multiply(p->by_y.pattern, p->by_y.value, c->yp, c->moved);
    for (size_t j = 0; j < p->n; j++) c->x[j] += c->moved[j];
    split(c);
    for (size_t j = 0; j < p->n; j++) c->yp[j] += c->x[j] + 2 * c->twice[j];
    return DAE_OK;
}

static dae_status bring(events *v, engine *e, double t, int corrections)
{
    struct contracted *c = v->contracted;
    memcpy(c->y, v->y, v->n * sizeof *c->y);
    memcpy(c->yp, v->yp, v->n * sizeof *c->yp);
    dae_status status = slow_down(c, e, t);
    for (int i = 0; i < corrections && status == DAE_OK; i++) status = correct(c, e, t);
    return status;
}

static dae_status evaluate(events *v, double t, const double *y, const double *yp, double *value)
{
    dae_status status = v->source->ops->roots(v->source->self, t, y, yp, value);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++)
        if (!isfinite(value[k])) status = DAE_NOT_EVALUABLE;
    return status;
}

static bool any_is_slow(const events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (v->slow[k]) return true;
    return false;
}

dae_status contracted_roots(events *v, engine *e, double t, double *value)
{
    struct contracted *c = v->contracted;
    if (!any_is_slow(v)) return DAE_OK;
    dae_status status = bring(v, e, t, CORRECTIONS);
    if (status == DAE_OK) status = evaluate(v, t, c->y, c->yp, c->value);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++)
        if (v->slow[k]) value[k] = c->value[k];
    return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
}

dae_status contracted_state(events *v, engine *e, double t)
{
    struct contracted *c = v->contracted;
    bool any = false;
    for (size_t k = 0; k < v->count; k++) any = any || (v->slow[k] && v->crossed[k]);
    if (!any) return DAE_OK;
    dae_status status = bring(v, e, t, CORRECTIONS);
    /* Where the equations bend, as a root does at a level of 0, that is no state of the solution.
     */
    for (size_t j = 0; j < v->n; j++)
        if (c->p->dynamic[j] &&
            !(fabs(c->y[j] - v->y[j]) <= engine_tolerance(&e->options, j, v->y[j])))
            return DAE_OK;
    if (status != DAE_OK) return status == DAE_NOT_EVALUABLE ? DAE_OK : status;
    memcpy(v->y, c->y, v->n * sizeof *c->y);
    memcpy(v->yp, c->yp, v->n * sizeof *c->yp);
    return DAE_OK;
}

static bool is_looked_at(const events *v, size_t k)
{
    return !v->slow[k] && !v->stays[k] && v->equal[k] == 0 && v->edge[k] == 0 && v->sign[k] != 0;
}

/* Whether root k may have changed its sign: a change was found, or it is at the end on the other
 * side by no more than its band. */
static bool may_have_changed(const events *v, size_t k)
{
    if (!is_looked_at(v, k)) return false;
    bool within = fabs(v->at_end[k]) <= v->band[k] && v->at_end[k] * v->sign[k] < -v->rounded[k];
    return within || v->change[k].to != 0;
}

/* Whether errors of the state, which make `own` of root k, may move a change of it by much: what
 * depends on it is continuous there, so that the square of the part of the step counts. They may
 * hide one, too, where both ends are no farther from 0: only there an explicit step is looked at,
 * because what crosses 0 in passing is not held there. Steps in which they surely do not decay are
 * not looked at. */
static bool is_blurred(const events *v, const engine *e, size_t k, double own)
{
    double way = fabs(v->at_end[k] - v->now[k]);
    bool near = is_looked_at(v, k) && fmax(fabs(v->at_end[k]), fabs(v->now[k])) <= own;
    bool may = near || (may_have_changed(v, k) && !e->is_explicit);
    return may && own > sqrt(e->options.rtol) * way && time_of(v, e) > v->tried[k];
}

/* What errors of the state make of the roots (own, count) at v->y, where they are v->value; whether
 * that blurs a change. */
static dae_status look_at_errors(events *v, engine *e, double t, double *own, bool *any)
{
    memcpy(v->y_kept, v->y, v->n * sizeof *v->y);
    events_move_unknowns(v, e, false);
    dae_status status = evaluate(v, t, v->y, v->yp, own);
    memcpy(v->y, v->y_kept, v->n * sizeof *v->y);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++) {
        own[k] = fabs(own[k] - v->value[k]);
        *any = *any || is_blurred(v, e, k, own[k]);
    }
    return status;
}

/* The roots at v->y, brought to the equations, into `value`; and what is left there of errors of
 * the state, of the corrections and of rounding, into `left`. */
static dae_status look_along(events *v, engine *e, double t, double *value, double *left)
{
    struct contracted *c = v->contracted;
    dae_status status = bring(v, e, t, CORRECTIONS - 1);
    if (status == DAE_OK) status = evaluate(v, t, c->y, c->yp, left);
    if (status == DAE_OK) status = bring(v, e, t, CORRECTIONS);
    if (status == DAE_OK) status = evaluate(v, t, c->y, c->yp, value);
    if (status != DAE_OK) return status;
    for (size_t j = 0; j < v->n; j++) c->x[j] = -v->y[j];
    memcpy(v->y_kept, v->y, v->n * sizeof *v->y);
    events_move_unknowns(v, e, false);
    for (size_t j = 0; j < v->n; j++) c->x[j] += v->y[j];
    memcpy(v->y, v->y_kept, v->n * sizeof *v->y);
    contract(c, c->x, c->moved);
    for (size_t j = 0; j < v->n; j++) c->y[j] += c->moved[j];
    status = evaluate(v, t, c->y, c->yp, c->value);
    double part = sqrt(e->options.rtol) * (t - v->since) / (e->t - e->dense.t);
    for (size_t k = 0; status == DAE_OK && k < v->count; k++) {
        double error = MARGIN * fabs(c->value[k] - value[k]);
        double apart = MARGIN * fabs(value[k] - left[k]) + FEW * v->rounded[k];
        left[k] = error + apart;
        double now = isnan(v->along[k]) ? v->now[k] : v->along[k];
        v->left_over[k] = fmin(error, part * fabs(value[k] - now)) + apart;
    }
    return status;
}

/* Whether the last step is short for slow motions, as explicit ones are where fast motions go on.
 */
static bool is_short(const events *v, const engine *e)
{
    return SHORTER * fabs(e->t - e->dense.t) < time_of(v, e);
}

/* Such roots take their values along slow motions in this step, and are told from 0 by what is left
 * of errors there: whether there are some. In a step that is short for slow motions those keep
 * their signs that are clear of 0 at its end. */
static bool take_slow(events *v, engine *e, const double *own, const double *left)
{
    bool any = false;
    for (size_t k = 0; k < v->count; k++) {
        if (!is_blurred(v, e, k, own[k])) continue;
        /* Elsewhere the equations bend too much to be linearised. */
        bool held = fabs(v->value[k] - v->at_end[k]) <= MARGIN * own[k];
        bool decays = held && left[k] < DECAYED * own[k];
        v->tried[k] = decays ? 0 : time_of(v, e) * fmax(left[k] / (DECAYED * own[k]), 1);
        if (!decays) continue;
        v->stays[k] = is_short(v, e) && v->value[k] * v->sign[k] > left[k];
        v->slow[k] = !v->stays[k];
        v->along_end[k] = v->value[k];
        v->change[k] = (event_change){0};
        any = any || v->slow[k];
    }
    return any;
}

static bool all_are_dynamic(const problem *p)
{
    for (size_t j = 0; j < p->n; j++)
        if (!p->dynamic[j]) return false;
    return true;
}

/* Whether the engine has linearised the equations of the present mode, as they are integrated, or
 * they can be. */
static bool has_matrices(const engine *e)
{
    const problem *p = e->problem;
    bool known = e->is_explicit ? p->form->time_derivative && all_are_dynamic(p) : p->linearized;
    return known && !p->mechanical && problem_highest_index(p) == 1;
}

static bool is_factored(const events *v)
{
    return v->contracted && v->contracted->factored;
}

static bool any_looked_at(const events *v)
{
    for (size_t k = 0; k < v->count; k++)
        if (is_looked_at(v, k)) return true;
    return false;
}

dae_status contracted_look(events *v, engine *e, bool *found, bool *anew)
{
    double t = events_time_at(e, v->end), *own = v->at_low, *left = v->at_high;
    bool any = false;
    *anew = false;
    if (!events_know_signs(v) || !v->source->ops->rounding || !has_matrices(e)) return DAE_OK;
    if (!any_looked_at(v)) return DAE_OK;
    events_take_state(v, e, t);
    dae_status status = any_is_slow(v) ? evaluate(v, t, v->y, v->yp, v->value) : DAE_OK;
    if (!any_is_slow(v)) memcpy(v->value, v->at_end, v->count * sizeof *v->value);
    if (status == DAE_OK) status = look_at_errors(v, e, t, own, &any);
    if (status == DAE_OK && any && !is_factored(v)) status = begin(v, e);
    if (is_short(v, e)) events_take_state(v, e, t = e->t);
    if (status == DAE_OK && any) status = look_along(v, e, t, v->value, left);
    if (status == DAE_OK && any) {
        *anew = take_slow(v, e, own, left);
        *found = false;
        for (size_t k = 0; k < v->count; k++) *found = *found || v->change[k].to != 0;
    }
    return status == DAE_STOPPED || status == DAE_NO_MEMORY ? status : DAE_OK;
}

dae_status contracted_go_back(events *v, engine *e, double begin, double t_begin)
{
    v->begin = begin;
    v->t_now = t_begin;
    return events_values_at(v, e, t_begin, v->now);
}
