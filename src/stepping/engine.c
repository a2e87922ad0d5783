#include "stepping/engine.h"

#include "stepping/stepping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Below this part of the step the rounding of a time stays in the evaluation of a polynomial, so
 * that values are those at the time that is handed on. */
static const double VISIBLE = 1e-8;

static void carve(engine *e)
{
    size_t n = e->problem->n, coefficients = n * (size_t)(e->next.degree + 1);
    stepping *s = &e->stepping;
    e->room = e->next.degree;
    workspace_vectors(&e->space, n,
                      (double **[]){&e->y, &e->yp, &s->weight, &s->effect_weight, &s->noise,
                                    &s->largest, &s->y, &s->yp, &s->trial, &s->trial_yp,
                                    &s->correction, &s->previous, &s->noise_beside, NULL});
    workspace_vectors(&e->space, coefficients,
                      (double **[]){&e->dense.coefficient, &e->next.coefficient, NULL});
    e->ops->carve(e, &e->space);
}

static dae_status complete(engine *e, const method *which, message *m)
{
    dae_status status = e->ops->create(e, which, m);
    if (status != DAE_OK) return status;
    carve(e);
    status = workspace_allocate(&e->space);
    if (status != DAE_OK) return status;
    carve(e);
    if (e->ops->reserve) return e->ops->reserve(e, which, m);
    return problem_reserve(e->problem, 1, (const bool[]){false});
}

dae_status engine_make(engine **made, const engine_ops *ops, problem *p, const method *which,
                       const engine_options *options, message *m)
{
    engine *e = calloc(1, ops->size);
    if (!e) return DAE_NO_MEMORY;
    *e = (engine){.ops = ops, .problem = p, .options = *options};
    e->dense.n = e->next.n = p->n;
    e->stepping.rtol = e->stepping.share = 1;
    dae_status status = complete(e, which, m);
    if (status == DAE_OK)
        *made = e;
    else
        engine_free(e);
    return status;
}

void engine_point_carve(engine_point *p, size_t n, workspace *space)
{
    workspace_vectors(space, n, (double **[]){&p->y, &p->yp, NULL});
}

void engine_point_keep(engine_point *p, const engine *e)
{
    p->t = e->t;
    memcpy(p->y, e->y, e->problem->n * sizeof *p->y);
    memcpy(p->yp, e->yp, e->problem->n * sizeof *p->yp);
}

void engine_start(engine *e, double t, const double *y, const double *yp)
{
    size_t n = e->problem->n;
    engine_polynomial(e);
    e->t = t;
    e->problem->orientation = 0;
    e->problem->follows = 1;
    memcpy(e->y, y, n * sizeof *y);
    memcpy(e->yp, yp, n * sizeof *yp);
    e->ops->start(e);
}

void engine_restart(engine *e, double t, const double *y, const double *yp, double first_step,
                    int level)
{
    double given = e->options.first_step;
    e->options.first_step = first_step;
    e->start_level = level;
    engine_start(e, t, y, yp);
    e->options.first_step = given;
    e->start_level = 0;
}

dae_status engine_examine(engine *e, message *m)
{
    return e->ops->examine ? e->ops->examine(e, m) : DAE_OK;
}

const dense_output *engine_polynomial(engine *e)
{
    if (e->interpolates) e->ops->interpolate(e);
    e->interpolates = false;
    return &e->dense;
}

bool engine_follow(engine *e, const double *to, double *y)
{
    return e->ops->follow && e->ops->follow(e, to, y);
}

void engine_replace(engine *e, const double *y, const double *yp)
{
    size_t n = e->problem->n;
    engine_polynomial(e);
    if (e->ops->replace) e->ops->replace(e, y);
    memcpy(e->y, y, n * sizeof *y);
    for (size_t k = 0; yp && k < n; k++)
        if (e->problem->dynamic[k]) e->yp[k] = yp[k];
}

dae_status engine_carry(engine *e, const double *y, const double *yp, point_map map, void *self)
{
    if (!e->ops->carry) return DAE_UNSUPPORTED;
    engine_polynomial(e);
    memcpy(e->y, y, e->problem->n * sizeof *y);
    memcpy(e->yp, yp, e->problem->n * sizeof *yp);
    return e->ops->carry(e, map, self);
}

void engine_arrive(engine *e, double t, const double *y, const double *yp)
{
    memcpy(e->y, y, e->problem->n * sizeof *y);
    memcpy(e->yp, yp, e->problem->n * sizeof *yp);
    e->t = t;
    e->counts.steps++;
}

void engine_accept(engine *e, double t, const double *y, const double *yp)
{
    dense_output before = e->dense;
    e->dense = e->next;
    e->next = before;
    engine_arrive(e, t, y, yp);
}

void engine_forget_yp(engine *e)
{
    for (size_t k = 0; k < e->problem->n; k++)
        if (!e->problem->dynamic[k]) e->yp[k] = 0;
}

bool engine_can_lend(const engine *e)
{
    return e->ops->lend != NULL;
}

void engine_lend(engine *e)
{
    e->ops->lend(e);
}

void engine_free(engine *e)
{
    if (!e) return;
    if (e->ops->release) e->ops->release(e);
    engine_free(e->starter.engine);
    method_free(e->starter.method);
    workspace_free(&e->space);
    free(e);
}

void engine_part_state(engine *e, state_visit *s)
{
    size_t n = e->problem->n;
    dense_output *d = &e->dense;
    if (s->way == STATE_SAVE) engine_polynomial(e);
    STATE(s, e->t);
    STATE_MEMBERS(s, dense_output, d, t, coefficient);
    STATE_MEMBERS(s, engine_options, &e->options, first_step, stable_steps);
    STATE_MEMBERS(s, engine, e, interpolates, stiffness);
    STATE(s, e->stiffness);
    state_doubles(s, e->y, n);
    state_doubles(s, e->yp, n);
    stepping_state(e, s);
    e->ops->state(e, s);
    if (d->coefficient) state_doubles(s, d->coefficient, n * (size_t)(d->degree + 1));
}

void engine_state(engine *e, state_visit *s)
{
    problem_state(e->problem, s);
    if (s->status == DAE_OK) engine_part_state(e, s);
}

static bool make_room(dense_output *d, size_t numbers)
{
    double *coefficient = realloc(d->coefficient, (numbers + 1) * sizeof *coefficient);
    if (coefficient) d->coefficient = coefficient;
    return coefficient != NULL;
}

static size_t count_numbers(const dense_output *d)
{
    return (size_t)(d->degree + 1) * d->n;
}

void dense_output_put(dense_output *to, const dense_output *from)
{
    double *coefficient = to->coefficient;
    size_t numbers = count_numbers(from);
    if (numbers > 0) memcpy(coefficient, from->coefficient, numbers * sizeof *coefficient);
    *to = *from;
    to->coefficient = coefficient;
}

bool dense_output_copy(dense_output *to, const dense_output *from)
{
    if (!make_room(to, count_numbers(from))) return false;
    dense_output_put(to, from);
    return true;
}

void dense_output_state(dense_output *d, state_visit *s)
{
    STATE_MEMBERS(s, dense_output, d, t, coefficient);
    if (s->way == STATE_RESTORE && !make_room(d, count_numbers(d)))
        state_fail(s, DAE_NO_MEMORY);
    else
        state_doubles(s, d->coefficient, count_numbers(d));
}

void dense_output_make_hermite(dense_output *d, const double *y, const double *yp,
                               const double *end, const double *end_yp)
{
    size_t n = d->n;
    double *row = d->coefficient;
    for (size_t k = 0; k < n; k++) {
        double rise = end[k] - y[k], from = d->h * yp[k], to = d->h * end_yp[k];
        row[k] = y[k];
        row[n + k] = from;
        row[2 * n + k] = 3 * rise - 2 * from - to;
        row[3 * n + k] = from + to - 2 * rise;
    }
    d->degree = 3;
}

/* Some of the components, by Horner's rule. */
static void evaluate_some(const dense_output *d, size_t from, size_t count, double x, double *y,
                          double *yp)
{
    const double *row = d->coefficient + (size_t)d->degree * d->n + from;
    double rate = d->degree / d->h;
    if (y) memcpy(y + from, row, count * sizeof *y);
    for (size_t k = 0; yp && k < count; k++) yp[from + k] = rate * row[k];
    for (int power = d->degree - 1; power >= 0; power--) {
        row -= d->n;
        rate = power / d->h;
        for (size_t k = 0; y && k < count; k++) y[from + k] = y[from + k] * x + row[k];
        for (size_t k = 0; yp && power > 0 && k < count; k++)
            yp[from + k] = yp[from + k] * x + rate * row[k];
    }
}

/* Components a few at a time: the values of a large model would leave the cache between powers. */
static void evaluate(const dense_output *d, double x, double *y, double *yp)
{
    enum { MOST = 256 };
    for (size_t from = 0; from < d->n; from += MOST)
        evaluate_some(d, from, d->n - from < MOST ? d->n - from : MOST, x, y, yp);
}

void dense_output_evaluate(const dense_output *d, double t, double *y, double *yp)
{
    evaluate(d, (t - d->t) / d->h, y, yp);
}

void dense_output_evaluate_at(const dense_output *d, double t, double x, double *y, double *yp)
{
    double rounded = (t - d->t) / d->h;
    evaluate(d, fabs(rounded - x) > VISIBLE ? x : rounded, y, yp);
}
