#include "integrate/rosenbrock.h"

#include "base/workspace.h"
#include "integrate/stepping.h"
#include "method/trees.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where within the step, 0 to 1, the polynomial is looked at: the errors of all three methods in
 * algebraic variables are near their largest there. That of RODAS4 has a zero in the middle. */
static const double LOOK = 0.75;

typedef struct numbers {
    int stages, dense_rows;
    double gamma;
    double a[METHOD_MOST_STAGES][METHOD_MOST_STAGES], c[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    double m[METHOD_MOST_STAGES], e[METHOD_MOST_STAGES];
    double alpha_sum[METHOD_MOST_STAGES], gamma_sum[METHOD_MOST_STAGES];
    double dense[METHOD_MOST_DEGREE][METHOD_MOST_STAGES];
} numbers;

typedef struct rosenbrock {
    engine base;
    numbers numbers;
    stepping stepping;
    bool linearized;      /* at the present point, or anywhere where the problem is constant */
    double factored_step; /* h for which the matrix is factored; 0: for none */
    double *u;            /* stages x n, rows contiguous */
    double *value, *slope, *time, *error, *end; /* n each; time: dF/dt */
    workspace space;
} rosenbrock;

static void rosenbrock_start(engine *base, double t, const double *y, const double *yp)
{
    rosenbrock *e = (rosenbrock *)base;
    size_t n = base->problem->n;
    base->t = t;
    memcpy(base->y, y, n * sizeof *y);
    memcpy(base->yp, yp, n * sizeof *yp);
    e->linearized = false;
    e->factored_step = 0;
    stepping_start(&e->stepping, base);
}

/* x (n) += factor * sum_j weight_j U_j over the first `count` stages. */
static void add_stages(const rosenbrock *e, int count, const double *weight, double factor,
                       double *x)
{
    size_t n = e->base.problem->n;
    for (int j = 0; j < count; j++) {
        const double *u = e->u + (size_t)j * n;
        double part = factor * weight[j];
        for (size_t k = 0; k < n; k++) x[k] += part * u[k];
    }
}

/* Jacobian and factors for the step h, as far as they are not at hand. */
static dae_status prepare(rosenbrock *e, double h)
{
    problem *p = e->base.problem;
    if (!e->linearized) {
        dae_status status = problem_linearize(p, e->base.t, e->base.y, e->base.yp);
        if (status != DAE_OK) return status;
        e->linearized = true;
        e->factored_step = 0;
    }
    if (e->factored_step == h) return DAE_OK;
    e->factored_step = 0;
    dae_status status = problem_factor(p, 0, 1 / (h * e->numbers.gamma), 1);
    if (status == DAE_OK) e->factored_step = h;
    return status;
}

/* dF/dt where y' = 0, as the problem gives it, or else from three points in the first part of the
 * step, the value at the first of which is at hand: (-3 F_0 + 4 F_1 - F_2) / (2 d), of second
 * order, with the d that balances that with round-off. Beyond the step F may not have a value. */
static dae_status find_time_derivative(rosenbrock *e, double h, const double *now)
{
    problem *p = e->base.problem;
    double t = e->base.t, *y = e->base.y;
    if (p->form->time_derivative) return p->form->time_derivative(p->self, t, y, e->slope, e->time);
    double d = fmax(cbrt(DBL_EPSILON) * fabs(h), 64 * DBL_EPSILON * fabs(t));
    volatile double moved = t + copysign(d, h); /* what the machine makes of it */
    d = moved - t;
    dae_status status = problem_residual(p, t + d, y, e->slope, e->end);
    if (status == DAE_OK) status = problem_residual(p, t + 2 * d, y, e->slope, e->error);
    for (size_t k = 0; k < p->n && status == DAE_OK; k++)
        e->time[k] = (4 * (e->end[k] - now[k]) - (e->error[k] - now[k])) / (2 * d);
    return status;
}

/* The stages of M y' = f(t, y) with J = f_y are, in Hairer & Wanner's (IV.7.25) with mass,
 *   (M / (h gamma) - J) U_i = f(t_i, Y_i) + M sum_j c_ij U_j / h + h gamma_i f_t,
 * t_i = t + alpha_i h, Y_i = y + sum_j a_ij U_j. With F = M y' - f the matrix is F_y' / (h gamma) +
 * F_y, the first two terms on the right are -F(t_i, Y_i, -sum_j c_ij U_j / h), and f_t = -F_t. */
static dae_status solve_stages(rosenbrock *e, double h)
{
    problem *p = e->base.problem;
    const numbers *c = &e->numbers;
    for (int i = 0; i < c->stages; i++) {
        double *u = e->u + (size_t)i * p->n;
        memcpy(e->value, e->base.y, p->n * sizeof *e->value);
        memset(e->slope, 0, p->n * sizeof *e->slope);
        add_stages(e, i, c->a[i], 1, e->value);
        add_stages(e, i, c->c[i], -1 / h, e->slope);
        dae_status status = problem_residual(p, e->base.t + c->alpha_sum[i] * h, e->value, e->slope,
                                             u);
        if (status == DAE_OK && i == 0) status = find_time_derivative(e, h, u);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < p->n; k++) u[k] = -u[k] - h * c->gamma_sum[i] * e->time[k];
        problem_solve(p, 0, u);
    }
    return DAE_OK;
}

/* y at the end of the step and its error, 1 being the limit. */
static dae_status judge(rosenbrock *e, double *size)
{
    size_t n = e->base.problem->n;
    memcpy(e->end, e->base.y, n * sizeof *e->end);
    memset(e->error, 0, n * sizeof *e->error);
    add_stages(e, e->numbers.stages, e->numbers.m, 1, e->end);
    add_stages(e, e->numbers.stages, e->numbers.e, 1, e->error);
    *size = control_norm(n, e->error, e->stepping.weight, NULL, 1);
    if (isfinite(*size)) return DAE_OK;
    e->base.problem->bad_row = e->base.problem->bad_column = 0;
    return DAE_NOT_EVALUABLE;
}

/* How far the polynomial is from the equations within the step: the correction of a Newton step at
 * LOOK, where it is, with D = D_1 + x D_2 + ...,
 *   (1 - x) y + x y_1 + x (1 - x) D,  h y' = y_1 - y + (1 - 2 x) D + x (1 - x) D'.
 * In algebraic variables its order is one lower than that of the end of the step. It does not add
 * up from step to step, and so is held at the user's tolerance. */
static dae_status judge_within(rosenbrock *e, double h, double *size)
{
    const numbers *c = &e->numbers;
    problem *p = e->base.problem;
    double *correction = e->time, x = LOOK, power = 1;
    for (size_t k = 0; k < p->n; k++) {
        e->value[k] = (1 - x) * e->base.y[k] + x * e->end[k];
        e->slope[k] = (e->end[k] - e->base.y[k]) / h;
    }
    for (int i = 0; i < c->dense_rows; i++, power *= x) {
        add_stages(e, c->stages, c->dense[i], x * (1 - x) * power, e->value);
        add_stages(e, c->stages, c->dense[i], (1 - 2 * x + (1 - x) * i) * power / h, e->slope);
    }
    dae_status status = problem_residual(p, e->base.t + x * h, e->value, e->slope, correction);
    if (status != DAE_OK) return status;
    problem_solve(p, 0, correction);
    double within = control_norm(p->n, correction, e->stepping.weight, NULL, 1);
    if (!(within * e->stepping.share > *size)) return DAE_OK;
    *size = within * e->stepping.share;
    memcpy(e->error, correction, p->n * sizeof *correction);
    return DAE_OK;
}

/* (1 - x) y + x (y_1 + (1 - x) (D_1 + x D_2 + ...)) by powers of x: y, y_1 - y + D_1, D_2 - D_1,
 * ..., -D_last. */
static void make_polynomial(rosenbrock *e, double h)
{
    size_t n = e->base.problem->n;
    int stages = e->numbers.stages, rows = e->numbers.dense_rows;
    dense_output *d = &e->base.dense;
    d->t = e->base.t;
    d->h = h;
    memcpy(d->coefficient, e->base.y, n * sizeof *e->base.y);
    for (size_t k = 0; k < n; k++) d->coefficient[n + k] = e->end[k] - e->base.y[k];
    memset(d->coefficient + 2 * n, 0, (size_t)rows * n * sizeof *d->coefficient);
    for (int i = 0; i < rows; i++) {
        add_stages(e, stages, e->numbers.dense[i], 1, d->coefficient + (size_t)(i + 1) * n);
        add_stages(e, stages, e->numbers.dense[i], -1, d->coefficient + (size_t)(i + 2) * n);
    }
}

static void accept(rosenbrock *e, double h)
{
    engine *base = &e->base;
    make_polynomial(e, h);
    memcpy(base->y, e->end, base->problem->n * sizeof *e->end);
    dense_output_evaluate(&base->dense, base->t + h, NULL, base->yp);
    base->t += h;
    base->counts.steps++;
    e->linearized = base->problem->constant;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    rosenbrock *e = (rosenbrock *)base;
    bool fixed = base->options.fixed_step > 0;
    double size = 0;
    dae_status status = prepare(e, h);
    if (status == DAE_OK) status = solve_stages(e, h);
    if (status == DAE_OK) status = judge(e, &size);
    if (status == DAE_OK && !fixed && base->options.dense) status = judge_within(e, h, &size);
    if (status != DAE_OK) {
        base->trouble.cause = status;
        base->trouble.worst = base->problem->bad_column;
        base->trouble.worst_row = base->problem->bad_row;
        return status;
    }
    *accepted = fixed || stepping_decide(&e->stepping, base, h, size, e->error, 0.9,
                                         base->problem->constant, last);
    if (*accepted) accept(e, h);
    return DAE_OK;
}

/* The Jacobian is exact: the step alone is to blame. */
static void shortened(engine *base, dae_status status, double *factor)
{
    (void)base, (void)status, (void)factor;
}

static dae_status rosenbrock_step(engine *base, double t_end)
{
    static const stepping_engine row = {.attempt = attempt, .shortened = shortened};
    return stepping_advance(&((rosenbrock *)base)->stepping, base, &row, t_end);
}

static void rosenbrock_replace(engine *base, const double *y, const double *yp)
{
    size_t n = base->problem->n;
    memcpy(base->y, y, n * sizeof *y);
    if (yp) memcpy(base->yp, yp, n * sizeof *yp);
}

static void rosenbrock_free(engine *base)
{
    rosenbrock *e = (rosenbrock *)base;
    workspace_free(&e->space);
    free(e);
}

static const engine_row rosenbrock_engine = {
    .name = "Rosenbrock",
    .start = rosenbrock_start,
    .step = rosenbrock_step,
    .replace = rosenbrock_replace,
    .free = rosenbrock_free,
};

/* Why this problem is none for these methods. */
static dae_status refuse(const problem *p, const method *which, message *m)
{
    if (!p->constant_mass)
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s needs a constant mass matrix, F = M y' - f(t, y), and here dF/dy' "
                            "changes with t, y or y'; try radau-iia3 or esdirk4",
                            which->name);
    for (size_t j = 0; p->index && j < p->n; j++) {
        if (p->index[j] < 2) continue;
        message_fail(m, DAE_INDEX, "%s advances variables of index 1, and ", which->name);
        p->form->name_variable(p->self, j, &m->sentence);
        message_more(m, " has index %d; try radau-iia3, or a formulation that lowers the index",
                     p->index[j]);
        return m->status;
    }
    if (p->softs > 0)
        return message_fail(m, DAE_INDEX,
                            "%s advances equations of index 1, and these have index 2; try "
                            "radau-iia3, or a formulation that lowers the index",
                            which->name);
    return DAE_OK;
}

static void take_numbers(numbers *c, const method *which)
{
    const method_rosenbrock *r = which->rosenbrock;
    c->stages = which->stages;
    c->dense_rows = r->dense_rows;
    c->gamma = (double)r->gamma;
    for (int i = 0; i < c->stages; i++) {
        c->m[i] = (double)r->m[i];
        c->e[i] = (double)r->e[i];
        c->alpha_sum[i] = (double)r->alpha_sum[i];
        c->gamma_sum[i] = (double)r->gamma_sum[i];
        for (int j = 0; j < i; j++) {
            c->a[i][j] = (double)r->a[i][j];
            c->c[i][j] = (double)r->c[i][j];
        }
        for (int k = 0; k < c->dense_rows; k++) c->dense[k][i] = (double)r->dense[k][i];
    }
}

static dae_status find_orders(rosenbrock *e, const method *which)
{
    tree_orders own, embedded;
    dae_status status = trees_find(which, which->b, false, &own);
    if (status == DAE_OK) status = trees_find(which, which->b_hat[0], false, &embedded);
    if (status == DAE_OK) stepping_hold(&e->stepping, &e->base.options, embedded.ode, own.ode);
    return status;
}

static void carve(rosenbrock *e, workspace *space)
{
    size_t n = e->base.problem->n;
    e->base.y = workspace_doubles(space, n);
    e->base.yp = workspace_doubles(space, n);
    e->base.dense.n = n;
    e->base.dense.degree = e->numbers.dense_rows + 1;
    e->base.dense.coefficient = workspace_doubles(space, n * (size_t)(e->numbers.dense_rows + 2));
    e->stepping.weight = workspace_doubles(space, n);
    e->u = workspace_doubles(space, n * (size_t)e->numbers.stages);
    e->value = workspace_doubles(space, n);
    e->slope = workspace_doubles(space, n);
    e->time = workspace_doubles(space, n);
    e->error = workspace_doubles(space, n);
    e->end = workspace_doubles(space, n);
}

dae_status rosenbrock_create(engine **created, problem *p, const method *which,
                             const engine_options *options, message *m)
{
    dae_status status = refuse(p, which, m);
    if (status != DAE_OK) return status;
    rosenbrock *e = calloc(1, sizeof *e);
    if (!e) return DAE_NO_MEMORY;
    e->base = (engine){.row = &rosenbrock_engine, .problem = p, .options = *options};
    take_numbers(&e->numbers, which);
    carve(e, &e->space);
    status = find_orders(e, which);
    if (status == DAE_OK) status = workspace_allocate(&e->space);
    if (status == DAE_OK) {
        carve(e, &e->space);
        status = p->form->reserve(p->self, 1, (const bool[]){false});
    }
    if (status != DAE_OK) {
        rosenbrock_free(&e->base);
        return status;
    }
    *created = &e->base;
    return DAE_OK;
}
