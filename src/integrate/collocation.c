#include "integrate/collocation.h"

#include "integrate/control.h"
#include "integrate/stages.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A Jacobian is kept while Newton converges faster than this; a factorisation while the step would
 * grow by less than KEEP_STEP (RADAU5's THET, QUOT1 and QUOT2). */
static const double KEEP_JACOBIAN = 1e-3, KEEP_STEP = 1.2;

/* The error within a step counts this much more than that at its end, which contracts in later
 * steps. */
static const double INTERPOLATION_SHARE = 2;

/* Failures of one step after which no smaller step is tried. */
enum { MOST_FAILURES = 60 };

typedef struct collocation {
    engine base;
    const collocation_row *row;
    stages stages;
    step_control control;
    double rtol, newton_tolerance; /* as used inside */
    double step;                   /* to be tried next, > 0 */
    double *weight, *error, *rate; /* n each */
    bool fresh;                    /* the Jacobian was evaluated at the present point */
    bool linearized, first, has_polynomial;
    workspace space;
} collocation;

/* Whether a very short step is no safe one: round-off grows with h^-2 and h^-3. */
static bool has_higher_index(const problem *p)
{
    for (size_t k = 0; k < p->n; k++)
        if (p->index && p->index[k] > 1) return true;
    return p->softs > 0;
}

static void collocation_start(engine *base, double t, const double *y, const double *yp)
{
    collocation *e = (collocation *)base;
    size_t n = base->problem->n;
    base->t = t;
    memcpy(base->y, y, n * sizeof *y);
    memcpy(base->yp, yp, n * sizeof *yp);
    e->control = (step_control){.order = e->row->error_order};
    e->has_polynomial = false;
    e->linearized = e->fresh = false;
    e->first = true;
    e->stages.factored_step = 0;
    e->step = base->options.fixed_step > 0 ? base->options.fixed_step : base->options.first_step;
    if (e->step > 0) return;
    /* the step over which y changes by a small part of itself: Hairer, Norsett & Wanner I, Sec.
     * II.4 */
    control_weights(n, y, e->rtol, base->options.atol / base->options.rtol * e->rtol, e->weight);
    double size = control_norm(n, y, e->weight, NULL, 1), speed = 0;
    for (size_t k = 0; k < n; k++) {
        double part = base->problem->dynamic[k] ? yp[k] * e->weight[k] : 0;
        speed += part * part;
    }
    speed = sqrt(speed / (double)(n ? n : 1));
    e->step = speed > 1e-5 && size > 1e-5 ? 0.01 * size / speed : 1e-6;
    if (speed > 0 && !has_higher_index(base->problem)) e->step = fmin(e->step, 1 / speed);
}

/* First guess of the stages: the last polynomial carried on; before there is one, the tangent. */
static void predict(collocation *e, double h)
{
    size_t n = e->base.problem->n;
    double *end = e->error;
    if (e->has_polynomial) dense_output_evaluate(&e->base.dense, e->base.t, end, NULL);
    for (int i = 0; i < e->row->stages; i++) {
        double *z = e->stages.z + (size_t)i * n;
        if (e->has_polynomial) {
            dense_output_evaluate(&e->base.dense, e->base.t + e->row->c[i] * h, z, NULL);
            for (size_t k = 0; k < n; k++) z[k] -= end[k];
        } else {
            for (size_t k = 0; k < n; k++)
                z[k] = e->base.problem->dynamic[k] ? e->row->c[i] * h * e->base.yp[k] : 0;
        }
    }
}

/* Jacobian and factors for the step h, as far as they are not at hand. */
static dae_status prepare(collocation *e, double h)
{
    if (!e->linearized) {
        dae_status status = problem_linearize(e->base.problem, e->base.t, e->base.y, e->base.yp);
        if (status != DAE_OK) return status;
        e->linearized = e->fresh = true;
        e->stages.factored_step = 0;
    }
    return e->stages.factored_step == h ? DAE_OK : stages_factor(&e->stages, h);
}

/* The residual form of (IV.8.20): (lambda/h F_y' + F_y) error = -F(t, y, -lambda/h sum e_i z_i). */
static dae_status estimate(collocation *e, double h, const double *y, double *norm)
{
    size_t n = e->base.problem->n;
    const collocation_row *row = e->row;
    memset(e->rate, 0, n * sizeof *e->rate);
    for (int i = 0; i < row->stages; i++)
        for (size_t k = 0; k < n; k++)
            e->rate[k] -= row->block[0].re / h * row->error[i] * e->stages.z[(size_t)i * n + k];
    dae_status status = problem_residual(e->base.problem, e->base.t, y, e->rate, e->error);
    if (status != DAE_OK) return status;
    problem_solve(e->base.problem, 0, e->error);
    *norm = stages_norm(&e->stages, e->error, e->weight, h);
    return isfinite(*norm) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* How far the polynomial of this step may be from the solution within it. Its error is the node
 * polynomial x (x - c_1) ... (x - c_s) times a divided difference, for which the last step lends
 * one value more. In stiff components this can be much larger than the error at the end of the
 * step. */
static double interpolation_error(collocation *e, double h)
{
    const collocation_row *row = e->row;
    size_t n = e->base.problem->n;
    double back = -fmin(0.5, fabs(e->base.dense.h / h)), product = back;
    double *difference = e->rate, *end = e->stages.slope;
    dense_output_evaluate(&e->base.dense, e->base.t + back * h, difference, NULL);
    dense_output_evaluate(&e->base.dense, e->base.t, end, NULL);
    for (int i = 0; i < row->stages; i++) product *= back - row->c[i];
    for (size_t k = 0; k < n; k++) difference[k] = (difference[k] - end[k]) / product;
    for (int i = 0; i < row->stages; i++) {
        product = row->c[i] * (row->c[i] - back);
        for (int j = 0; j < row->stages; j++)
            if (j != i) product *= row->c[i] - row->c[j];
        for (size_t k = 0; k < n; k++) difference[k] += e->stages.z[(size_t)i * n + k] / product;
    }
    double size = stages_norm(&e->stages, difference, e->weight, h);
    return INTERPOLATION_SHARE * row->largest_node_product * size;
}

/* The error of the stages as solved, 1 being the limit. A first estimate beyond it is filtered once
 * more on the first step and after a rejection, where stiff components may dominate it: (IV.8.20').
 */
static dae_status judge(collocation *e, double h, double *error)
{
    dae_status status = estimate(e, h, e->base.y, error);
    if (status != DAE_OK) return status;
    if (*error >= 1 && (e->first || e->control.rejected)) {
        for (size_t k = 0; k < e->base.problem->n; k++)
            e->stages.value[k] = e->base.y[k] - e->error[k];
        double again;
        if (estimate(e, h, e->stages.value, &again) == DAE_OK) *error = again;
    }
    if (e->base.options.dense && e->has_polynomial)
        *error = fmax(*error, interpolation_error(e, h));
    return DAE_OK;
}

static void make_polynomial(collocation *e, double h)
{
    size_t n = e->base.problem->n;
    dense_output *d = &e->base.dense;
    d->t = e->base.t;
    d->h = h;
    memcpy(d->coefficient, e->base.y, n * sizeof *e->base.y);
    for (int m = 0; m < e->row->stages; m++) {
        double *row = d->coefficient + (size_t)(m + 1) * n;
        memset(row, 0, n * sizeof *row);
        for (int i = 0; i < e->row->stages; i++)
            for (size_t k = 0; k < n; k++)
                row[k] += e->row->polynomial[m][i] * e->stages.z[(size_t)i * n + k];
    }
    e->has_polynomial = true;
}

static void accept(collocation *e, double h)
{
    size_t n = e->base.problem->n;
    int last = e->row->stages - 1;
    make_polynomial(e, h);
    stages_slope(&e->stages, last, h, e->base.yp);
    for (size_t k = 0; k < n; k++) e->base.y[k] += e->stages.z[(size_t)last * n + k];
    e->base.t += h;
    e->base.counts.steps++;
    e->first = false;
    e->fresh = false;
    if (e->stages.rate > KEEP_JACOBIAN || e->base.options.fixed_step > 0) e->linearized = false;
}

/* After an attempt that failed before its error could be judged: a shorter step, a fresh Jacobian.
 */
static void shorten(collocation *e, dae_status status)
{
    e->base.counts.rejected++;
    double factor = 0.5;
    if (status == DAE_NEWTON && e->stages.suggested > 0) factor = fmax(0.1, e->stages.suggested);
    if (status == DAE_NOT_EVALUABLE) factor = 0.25;
    if (factor > 0.5) factor = 0.5;
    /* with an old Jacobian the step itself may not be to blame */
    if (e->fresh || status != DAE_NEWTON || factor < 0.3) e->step *= factor;
    e->linearized = e->linearized && e->fresh;
    e->stages.factored_step = 0;
    e->control.rejected = true;
}

static double limited(const collocation *e, double t_end, bool *last)
{
    double left = fabs(t_end - e->base.t), h = e->step;
    if (e->base.options.max_step > 0) h = fmin(h, e->base.options.max_step);
    double tolerated = e->base.options.fixed_step > 0 ? 1 + 1e-9 : 1.01;
    *last = h * tolerated >= left;
    if (*last) h = left;
    return h * e->base.options.direction;
}

/* Which variable makes the step shorter, in case it becomes too short. */
static void blame_error(collocation *e)
{
    size_t worst = 0;
    for (size_t k = 1; k < e->base.problem->n; k++)
        if (fabs(e->error[k]) * e->weight[k] >= fabs(e->error[worst]) * e->weight[worst]) worst = k;
    e->base.trouble.cause = DAE_STEP_TOO_SMALL;
    e->base.trouble.worst = worst;
}

/* After the error was judged: accept or not, and choose the next step. */
static bool decide(collocation *e, double h, double error, bool last)
{
    double used = e->stages.iterations, most = 7;
    double effort = 0.9 * (2 * most + 1) / (2 * most + used);
    double factor = control_factor(&e->control, fabs(h), error, effort);
    if (factor < 1) blame_error(e);
    bool keeps = factor >= 1 && factor <= KEEP_STEP && e->stages.rate <= KEEP_JACOBIAN;
    if (error < 1) {
        accept(e, h);
        /* a step cut short at the end of an interval says nothing against a longer one */
        double next = fabs(h) * (keeps ? 1 : factor);
        e->step = last ? fmax(next, fmin(e->step, 8 * fabs(h))) : next;
        return true;
    }
    e->base.counts.rejected++;
    e->step = fabs(h) * (e->first ? 0.1 : factor);
    e->linearized = e->linearized && e->fresh;
    return false;
}

static dae_status attempt(collocation *e, double h, bool last, bool *accepted)
{
    bool fixed = e->base.options.fixed_step > 0;
    double error = 0;
    e->base.counts.attempts++;
    e->base.trouble.step = h;
    dae_status status = prepare(e, h);
    if (status == DAE_OK) {
        predict(e, h);
        status = fixed ? stages_solve_exactly(&e->stages, e->base.t, h, e->base.y, e->weight,
                                              &e->base.trouble)
                       : stages_solve(&e->stages, e->base.t, h, e->base.y, e->weight,
                                      e->newton_tolerance, &e->base.trouble);
        e->base.counts.newton_iterations += (size_t)e->stages.iterations;
    } else {
        e->base.trouble.cause = status;
        e->base.trouble.worst = e->base.problem->bad_column;
        e->base.trouble.worst_row = e->base.problem->bad_row;
    }
    if (status == DAE_OK && !fixed) status = judge(e, h, &error);
    if (status != DAE_OK) return status;
    if (fixed) accept(e, h);
    *accepted = fixed || decide(e, h, error, last);
    return DAE_OK;
}

static dae_status collocation_step(engine *base, double t_end)
{
    collocation *e = (collocation *)base;
    bool accepted = false, fixed = base->options.fixed_step > 0;
    double rtol = fixed ? 1 : e->rtol,
           atol = fixed ? 1 : base->options.atol / base->options.rtol * rtol;
    control_weights(base->problem->n, base->y, rtol, atol, e->weight);
    for (int failures = 0; !accepted; failures++) {
        bool last;
        double h = limited(e, t_end, &last);
        if (fabs(h) <= 4 * DBL_EPSILON * fmax(fabs(base->t), DBL_MIN) && !last)
            return DAE_STEP_TOO_SMALL;
        if (failures == MOST_FAILURES) return DAE_STEP_TOO_SMALL;
        dae_status status = attempt(e, h, last, &accepted);
        if (accepted && last) base->t = t_end;
        if (status == DAE_OK) continue;
        bool smaller_may_help = status == DAE_NEWTON || status == DAE_NOT_EVALUABLE ||
                                status == DAE_SINGULAR;
        if (!smaller_may_help || fixed) return status;
        shorten(e, status);
    }
    return DAE_OK;
}

static void collocation_replace(engine *base, const double *y, const double *yp)
{
    size_t n = base->problem->n;
    memcpy(base->y, y, n * sizeof *y);
    if (yp) memcpy(base->yp, yp, n * sizeof *yp);
}

static void collocation_free(engine *base)
{
    collocation *e = (collocation *)base;
    workspace_free(&e->space);
    free(e);
}

static const engine_row collocation_engine = {
    .name = "collocation",
    .start = collocation_start,
    .step = collocation_step,
    .replace = collocation_replace,
    .free = collocation_free,
};

static void carve(collocation *e, workspace *space)
{
    size_t n = e->base.problem->n;
    e->base.y = workspace_doubles(space, n);
    e->base.yp = workspace_doubles(space, n);
    e->base.dense.n = n;
    e->base.dense.degree = e->row->stages;
    e->base.dense.coefficient = workspace_doubles(space, n * (size_t)(e->row->stages + 1));
    e->weight = workspace_doubles(space, n);
    e->error = workspace_doubles(space, n);
    e->rate = workspace_doubles(space, n);
    stages_carve(&e->stages, space, e->base.problem, e->row);
}

dae_status collocation_create(engine **created, problem *p, const collocation_row *row,
                              const engine_options *options)
{
    collocation *e = calloc(1, sizeof *e);
    if (!e) return DAE_NO_MEMORY;
    e->base = (engine){.row = &collocation_engine, .problem = p, .options = *options};
    e->row = row;
    e->rtol = control_tolerance(options->rtol, row->error_order, row->order);
    e->stages.rtol = e->rtol;
    e->newton_tolerance = fmax(10 * DBL_EPSILON / e->rtol, fmin(0.03, sqrt(e->rtol)));
    carve(e, &e->space);
    dae_status status = workspace_allocate(&e->space);
    if (status == DAE_OK) {
        carve(e, &e->space);
        status = stages_reserve(&e->stages);
    }
    if (status != DAE_OK) {
        collocation_free(&e->base);
        return status;
    }
    *created = &e->base;
    return DAE_OK;
}
