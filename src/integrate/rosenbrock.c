/* The engine of Rosenbrock methods.
 *
 * The stages of a Rosenbrock method on F(t, y, y') = 0.
 *
 * If F = M y' - f(t, y) with a constant M they are, with J = f_y (Hairer & Wanner, Solving ODEs II,
 * 2nd ed., (IV.7.25), with mass),
 *
 *   (M / (h gamma) - J) U_i = f(t_i, Y_i) + M sum_j c_ij U_j / h + h gamma_i f_t,
 *   t_i = t + alpha_i h,  Y_i = y + sum_j a_ij U_j.
 *
 * The matrix is F_y' / (h gamma) + F_y. The first two terms on the right are -F(t_i, Y_i, -sum_j
 * c_ij U_j / h), and f_t = -F_t.
 *
 * Otherwise y' = w is taken as a further variable, which is algebraic (loc. cit., Sec. VI.6), and
 * the method is applied to y' = w, 0 = F(t, y, w). With W_i beside U_i and w_i = w + sum_j a_ij
 * W_j, the first row gives
 *
 *   W_i = U_i / (h gamma) - v_i,  v_i = w_i + sum_j c_ij U_j / h,
 *
 * and with that the second row gives
 *
 *   (F_y' / (h gamma) + F_y) U_i = -F(t_i, Y_i, w_i) - h gamma_i F_t + F_y' v_i,
 *
 * with the same matrix. With a constant M the w_i would cancel. The error of w is not controlled:
 * where y' is a stiff variable, it would respond to errors in y far below the tolerance. Equations
 * that are linear in y' tolerate that. If they are strongly nonlinear in a fast y', an initial
 * layer may need a tighter tolerance, without which the error test fails. */
#include "base/round_off.h"
#include "integrate/engines.h"
#include "integrate/refusal.h"
#include "linalg/rows.h"
#include "stepping/stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The point within the step, 0 to 1, at which the polynomial is checked. The errors of all three
 * methods in algebraic variables are near their largest there. That of RODAS4 has a zero in the
 * middle. */
static const double LOOK = 0.75;

/* method_rosenbrock in doubles. */
typedef struct rosenbrock_numbers {
    int stages, dense_rows;
    double gamma;
    double a[METHOD_MOST_STAGES][METHOD_MOST_STAGES], c[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    double m[METHOD_MOST_STAGES], e[METHOD_MOST_STAGES];
    double alpha_sum[METHOD_MOST_STAGES], gamma_sum[METHOD_MOST_STAGES];
    double dense[METHOD_MOST_DEGREE][METHOD_MOST_STAGES];
} rosenbrock_numbers;

typedef struct rosenbrock {
    engine base;
    rosenbrock_numbers numbers;
    bool linearized;      /* at the point where the step begins, or anywhere if all is constant */
    double factored_step; /* h for which the matrix is factored; 0: for none */
    double *u, *w;        /* stages x n, rows contiguous; w NULL where the mass is constant */
    double *value, *yp;   /* n each: Y_i and its y'; otherwise scratch */
    double *time;         /* n: dF/dt */
    double *ahead[2];     /* n each: F a little later; otherwise scratch */
    double *error, *end;  /* n each */
} rosenbrock;

static void take_numbers(rosenbrock_numbers *c, const method *which)
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

static dae_status prepare(rosenbrock *e, double h)
{
    const engine *base = &e->base;
    if (!e->linearized) {
        dae_status status = problem_linearize(base->problem, base->t, base->y, base->yp);
        if (status != DAE_OK) return status;
        e->linearized = true;
        e->factored_step = 0;
    }
    if (e->factored_step == h) return DAE_OK;
    e->factored_step = 0;
    dae_status status = problem_factor(base->problem, 0, 1 / (h * e->numbers.gamma), 1);
    if (status == DAE_OK) e->factored_step = h;
    return status;
}

/* dF/dt at the first stage, as the problem gives it. If the problem does not give it, or if it does
 * not exist, as that of sqrt(t) at 0, it comes from three points in the first part of the step: (-3
 * F_0 + 4 F_1 - F_2) / (2 d), of second order. F_0 is known already. The distance d balances the
 * error of this formula with round-off. Points beyond the step are avoided, because F may not have
 * a value there. */
static dae_status find_time_derivative(rosenbrock *e, double h, const double *now)
{
    problem *p = e->base.problem;
    const double t = e->base.t, *y = e->base.y;
    dae_status status = DAE_NOT_EVALUABLE;
    if (p->form->time_derivative) status = p->form->time_derivative(p->self, t, y, e->yp, e->time);
    if (status != DAE_NOT_EVALUABLE) return status;
    double d = fmax(cbrt(DBL_EPSILON) * fabs(h), ROUND_OFF_LONG_SUM * fabs(t));
    volatile double moved = t + copysign(d, h); /* the rounded sum */
    d = moved - t;
    status = problem_residual(p, t + d, y, e->yp, e->ahead[0]);
    if (status == DAE_OK) status = problem_residual(p, t + 2 * d, y, e->yp, e->ahead[1]);
    for (size_t k = 0; k < p->n && status == DAE_OK; k++)
        e->time[k] = (4 * (e->ahead[0][k] - now[k]) - (e->ahead[1][k] - now[k])) / (2 * d);
    return status;
}

/* Puts Y_i and the y' at which F is evaluated into e->value and e->yp. */
static void evaluate_at(rosenbrock *e, int i, double h)
{
    const rosenbrock_numbers *c = &e->numbers;
    size_t n = e->base.problem->n;
    rows_combine(n, e->base.y, i, c->a[i], 1, e->u, e->value);
    if (e->w)
        rows_combine(n, e->base.yp, i, c->a[i], 1, e->w, e->yp);
    else
        rows_combine(n, NULL, i, c->c[i], -1 / h, e->u, e->yp);
}

/* u holds the right side of the case of constant mass, and becomes U_i. Also finds W_i where there
 * is one. */
static void solve_stage(rosenbrock *e, int i, double h, double *u)
{
    problem *p = e->base.problem;
    double *w = e->w ? e->w + (size_t)i * p->n : NULL;
    if (w) { /* v_i, and F_y' v_i */
        rows_combine(p->n, e->yp, i, e->numbers.c[i], 1 / h, e->u, w);
        problem_multiply(p, w, e->yp);
        for (size_t k = 0; k < p->n; k++) u[k] += e->yp[k];
    }
    problem_solve(p, 0, u);
    for (size_t k = 0; w && k < p->n; k++) w[k] = u[k] / (h * e->numbers.gamma) - w[k];
}

/* Solves for all stages of a step h. The Jacobian is evaluated and factored first, unless this is
 * done already. DAE_NOT_EVALUABLE, DAE_SINGULAR, or a status of the problem. */
static dae_status solve_stages(rosenbrock *e, double h)
{
    problem *p = e->base.problem;
    const rosenbrock_numbers *c = &e->numbers;
    dae_status status = prepare(e, h);
    for (int i = 0; i < c->stages && status == DAE_OK; i++) {
        double *u = e->u + (size_t)i * p->n;
        evaluate_at(e, i, h);
        status = problem_residual(p, e->base.t + c->alpha_sum[i] * h, e->value, e->yp, u);
        if (status == DAE_OK && i == 0) status = find_time_derivative(e, h, u);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < p->n; k++) u[k] = -u[k] - h * c->gamma_sum[i] * e->time[k];
        solve_stage(e, i, h, u);
    }
    return status;
}

static void rosenbrock_lend(engine *base)
{
    rosenbrock *e = (rosenbrock *)base;
    e->linearized = false;
    e->factored_step = 0;
}

static void rosenbrock_start(engine *base)
{
    rosenbrock_lend(base);
    stepping_start(base);
}

/* sum (n) = start + factor * sum_i weight_i U_i */
static void add_stages(const rosenbrock *e, const double *start, const double *weight,
                       double factor, double *sum)
{
    rows_combine(e->base.problem->n, start, e->numbers.stages, weight, factor, e->u, sum);
}

/* y at the end of the step and its error, 1 being the limit. */
static dae_status judge(rosenbrock *e, double h, double *size)
{
    size_t n = e->base.problem->n;
    add_stages(e, e->base.y, e->numbers.m, 1, e->end);
    add_stages(e, NULL, e->numbers.e, 1, e->error);
    *size = control_norm_in_step(e->base.problem, e->error, e->base.stepping.weight, h, NULL);
    if (isfinite(*size)) return DAE_OK;
    size_t worst = 0; /* F had values, and so the solution of a linear system ran away */
    while (worst + 1 < n && isfinite(e->error[worst])) worst++;
    e->base.problem->bad_row = PROBLEM_NOWHERE;
    e->base.problem->bad_column = worst;
    return DAE_SINGULAR;
}

/* How far the polynomial is from the equations within the step: the correction of a Newton step at
 * LOOK. With D = D_1 + x D_2 + ..., the polynomial and its derivative there are
 *   (1 - x) y + x y_1 + x (1 - x) D,  h y' = y_1 - y + (1 - 2 x) D + x (1 - x) D'.
 * In algebraic variables its order is one lower than at the end of the step. This error does not
 * add up from step to step, so it is held at the user's tolerance. */
static dae_status judge_within(rosenbrock *e, double h, double *size)
{
    const rosenbrock_numbers *c = &e->numbers;
    problem *p = e->base.problem;
    double *correction = e->time, *value = e->value, *yp = e->yp;
    double x = LOOK, power = 1;
    for (size_t k = 0; k < p->n; k++) {
        value[k] = (1 - x) * e->base.y[k] + x * e->end[k];
        yp[k] = (e->end[k] - e->base.y[k]) / h;
    }
    for (int i = 0; i < c->dense_rows; i++, power *= x) {
        add_stages(e, value, c->dense[i], x * (1 - x) * power, value);
        add_stages(e, yp, c->dense[i], (1 - 2 * x + (1 - x) * i) * power / h, yp);
    }
    dae_status status = problem_residual(p, e->base.t + x * h, value, yp, correction);
    if (status != DAE_OK) return status;
    problem_solve(p, 0, correction);
    double within = control_norm_in_step(p, correction, e->base.stepping.weight, h, NULL);
    within *= e->base.stepping.within * e->base.stepping.share;
    control_raise(p->n, within, correction, size, e->error);
    return DAE_OK;
}

/* (1 - x) y + x (y_1 + (1 - x) (D_1 + x D_2 + ...)) by powers of x: y, y_1 - y + D_1, D_2 - D_1,
 * ..., -D_last. */
static void make_polynomial(rosenbrock *e, double h)
{
    size_t n = e->base.problem->n;
    int rows = e->numbers.dense_rows;
    dense_output *d = &e->base.next;
    d->t = e->base.t;
    d->h = h;
    d->degree = rows + 1;
    memcpy(d->coefficient, e->base.y, n * sizeof *e->base.y);
    for (size_t k = 0; k < n; k++) d->coefficient[n + k] = e->end[k] - e->base.y[k];
    double *power = d->coefficient + n, *next = power + n, *own = e->ahead[0];
    for (int i = 0; i < rows; i++, power = next, next += n) {
        add_stages(e, NULL, e->numbers.dense[i], 1, own);
        for (size_t k = 0; k < n; k++) {
            power[k] += own[k];
            next[k] = -own[k];
        }
    }
}

/* y' at the end is that of the polynomial. If there is a variable w, y' is w, from which the next
 * step continues. Derivatives that no equation determines are the polynomial's in any case. */
static void accept(rosenbrock *e, double h)
{
    engine *base = &e->base;
    size_t n = base->problem->n;
    double *yp = e->yp;
    make_polynomial(e, h);
    dense_output_evaluate_at(&base->next, base->t + h, 1, NULL, yp);
    if (e->w) {
        const rosenbrock_numbers *c = &e->numbers;
        rows_combine(n, base->yp, c->stages, c->m, 1, e->w, e->value);
        for (size_t k = 0; k < n; k++)
            if (base->problem->dynamic[k]) yp[k] = e->value[k];
    }
    engine_accept(base, base->t + h, e->end, yp);
    e->linearized = base->problem->constant;
}

static dae_status mend_start(rosenbrock *e)
{
    engine *base = &e->base;
    problem *p = base->problem;
    dae_status status = problem_residual(p, base->t, base->y, base->yp, e->time);
    if (status != DAE_OK) return status == DAE_STOPPED ? status : DAE_OK;
    problem_solve(p, 0, e->time);
    stepping_mend_start(base, e->end, e->time);
    return DAE_OK;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    rosenbrock *e = (rosenbrock *)base;
    bool fixed = base->options.fixed_step > 0;
    double size = 0;
    dae_status status = solve_stages(e, h);
    if (status == DAE_OK) status = judge(e, h, &size);
    if (status == DAE_OK && !fixed) status = judge_within(e, h, &size);
    if (status != DAE_OK) return status;
    *accepted = fixed ||
                stepping_decide(base, h, size, e->error, 0.9, base->problem->constant, last);
    if (*accepted)
        accept(e, h);
    else if (stepping_may_mend(base))
        status = mend_start(e);
    return status;
}

static void rosenbrock_state(engine *base, state_visit *s)
{
    rosenbrock *e = (rosenbrock *)base;
    STATE(s, e->linearized);
    STATE(s, e->factored_step);
    state_doubles(s, e->time, base->problem->n);
}

/* Refuses problems with variables or directions of index 2 or 3. */
static dae_status refuse(const problem *p, const method *which, message *m)
{
    static const char remedy[] = "try radau-iia3, or a formulation that lowers the index";
    dae_status status = refusal_of_index(p, which->name, 1, remedy, m);
    if (status != DAE_OK) return status;
    if (p->hidden_directions > 0)
        return message_fail(m, DAE_INDEX,
                            "%s advances equations of index 1, and these have index 2; try "
                            "radau-iia3, or a formulation that lowers the index",
                            which->name);
    return DAE_OK;
}

static dae_status rosenbrock_create(engine *base, const method *which, message *m)
{
    rosenbrock *e = (rosenbrock *)base;
    dae_status status = refuse(base->problem, which, m);
    if (status != DAE_OK) return status;
    take_numbers(&e->numbers, which);
    base->next.degree = e->numbers.dense_rows + 1;
    stepping_hold(base, which->row->orders[1], which->row->orders[0], 0);
    return DAE_OK;
}

static void rosenbrock_carve(engine *base, workspace *space)
{
    rosenbrock *e = (rosenbrock *)base;
    size_t n = base->problem->n, all = n * (size_t)e->numbers.stages;
    e->u = workspace_doubles(space, all);
    e->w = base->problem->constant_mass ? NULL : workspace_doubles(space, all);
    workspace_vectors(space, n,
                      (double **[]){&e->value, &e->yp, &e->time, &e->ahead[0], &e->ahead[1],
                                    &e->error, &e->end, NULL});
}

/* The Jacobian is exact, so the length of a step that fails is alone to blame. */
const engine_ops rosenbrock_engine = {
    .size = sizeof(rosenbrock),
    .create = rosenbrock_create,
    .carve = rosenbrock_carve,
    .start = rosenbrock_start,
    .attempt = attempt,
    .lend = rosenbrock_lend,
    .state = rosenbrock_state,
};
