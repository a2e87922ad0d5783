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

typedef struct rosenbrock_stages {
    problem *problem;
    rosenbrock_numbers numbers;
    bool linearized;      /* at the point where the step begins, or anywhere if all is constant */
    double factored_step; /* h for which the matrix is factored; 0: for none */
    double *u, *w;        /* stages x n, rows contiguous; w NULL where the mass is constant */
    double *value, *yp;   /* n each: Y_i and its y'; otherwise scratch */
    double *time;         /* n: dF/dt */
    double *ahead[2];     /* n each: F a little later; otherwise scratch */
} rosenbrock_stages;

/* The problem is borrowed. */
static void take_numbers(rosenbrock_stages *s, problem *p, const method *which)
{
    const method_rosenbrock *r = which->rosenbrock;
    rosenbrock_numbers *c = &s->numbers;
    s->problem = p;
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

static void carve_stages(rosenbrock_stages *s, workspace *space)
{
    size_t n = s->problem->n, all = n * (size_t)s->numbers.stages;
    s->u = workspace_doubles(space, all);
    s->w = s->problem->constant_mass ? NULL : workspace_doubles(space, all);
    workspace_vectors(space, n,
                      (double **[]){&s->value, &s->yp, &s->time, &s->ahead[0], &s->ahead[1], NULL});
}

static dae_status prepare(rosenbrock_stages *s, double t, double h, const double *y,
                          const double *yp)
{
    if (!s->linearized) {
        dae_status status = problem_linearize(s->problem, t, y, yp);
        if (status != DAE_OK) return status;
        s->linearized = true;
        s->factored_step = 0;
    }
    if (s->factored_step == h) return DAE_OK;
    s->factored_step = 0;
    dae_status status = problem_factor(s->problem, 0, 1 / (h * s->numbers.gamma), 1);
    if (status == DAE_OK) s->factored_step = h;
    return status;
}

/* dF/dt at the first stage, as the problem gives it. If the problem does not give it, or if it does
 * not exist, as that of sqrt(t) at 0, it comes from three points in the first part of the step: (-3
 * F_0 + 4 F_1 - F_2) / (2 d), of second order. F_0 is known already. The distance d balances the
 * error of this formula with round-off. Points beyond the step are avoided, because F may not have
 * a value there. */
static dae_status find_time_derivative(rosenbrock_stages *s, double t, double h, const double *y,
                                       const double *now)
{
    problem *p = s->problem;
    dae_status status = DAE_NOT_EVALUABLE;
    if (p->form->time_derivative) status = p->form->time_derivative(p->self, t, y, s->yp, s->time);
    if (status != DAE_NOT_EVALUABLE) return status;
    double d = fmax(cbrt(DBL_EPSILON) * fabs(h), ROUND_OFF_LONG_SUM * fabs(t));
    volatile double moved = t + copysign(d, h); /* the rounded sum */
    d = moved - t;
    status = problem_residual(p, t + d, y, s->yp, s->ahead[0]);
    if (status == DAE_OK) status = problem_residual(p, t + 2 * d, y, s->yp, s->ahead[1]);
    for (size_t k = 0; k < p->n && status == DAE_OK; k++)
        s->time[k] = (4 * (s->ahead[0][k] - now[k]) - (s->ahead[1][k] - now[k])) / (2 * d);
    return status;
}

/* Puts Y_i and the y' at which F is evaluated into s->value and s->yp. */
static void evaluate_at(rosenbrock_stages *s, int i, double h, const double *y, const double *yp)
{
    const rosenbrock_numbers *c = &s->numbers;
    size_t n = s->problem->n;
    rows_combine(n, y, i, c->a[i], 1, s->u, s->value);
    if (s->w)
        rows_combine(n, yp, i, c->a[i], 1, s->w, s->yp);
    else
        rows_combine(n, NULL, i, c->c[i], -1 / h, s->u, s->yp);
}

/* u holds the right side of the case of constant mass, and becomes U_i. Also finds W_i where there
 * is one. */
static void solve_stage(rosenbrock_stages *s, int i, double h, double *u)
{
    problem *p = s->problem;
    double *w = s->w ? s->w + (size_t)i * p->n : NULL;
    if (w) { /* v_i, and F_y' v_i */
        rows_combine(p->n, s->yp, i, s->numbers.c[i], 1 / h, s->u, w);
        problem_multiply(p, w, s->yp);
        for (size_t k = 0; k < p->n; k++) u[k] += s->yp[k];
    }
    problem_solve(p, 0, u);
    for (size_t k = 0; w && k < p->n; k++) w[k] = u[k] / (h * s->numbers.gamma) - w[k];
}

/* Solves for all stages of a step h from (t, y), with y' = yp where the mass is not constant. The
 * Jacobian is evaluated and factored first, unless this is done already. DAE_NOT_EVALUABLE,
 * DAE_SINGULAR, or a status of the problem. */
static dae_status solve_stages(rosenbrock_stages *s, double t, double h, const double *y,
                               const double *yp)
{
    problem *p = s->problem;
    const rosenbrock_numbers *c = &s->numbers;
    dae_status status = prepare(s, t, h, y, yp);
    for (int i = 0; i < c->stages && status == DAE_OK; i++) {
        double *u = s->u + (size_t)i * p->n;
        evaluate_at(s, i, h, y, yp);
        status = problem_residual(p, t + c->alpha_sum[i] * h, s->value, s->yp, u);
        if (status == DAE_OK && i == 0) status = find_time_derivative(s, t, h, y, u);
        if (status != DAE_OK) return status;
        for (size_t k = 0; k < p->n; k++) u[k] = -u[k] - h * c->gamma_sum[i] * s->time[k];
        solve_stage(s, i, h, u);
    }
    return status;
}

typedef struct rosenbrock {
    engine base;
    rosenbrock_stages stages;
    double *error, *end; /* n each */
} rosenbrock;

static void rosenbrock_start(engine *base)
{
    rosenbrock *e = (rosenbrock *)base;
    e->stages.linearized = false;
    e->stages.factored_step = 0;
    stepping_start(base);
}

/* sum (n) = start + factor * sum_i weight_i U_i */
static void add_stages(const rosenbrock *e, const double *start, const double *weight,
                       double factor, double *sum)
{
    const rosenbrock_stages *s = &e->stages;
    rows_combine(s->problem->n, start, s->numbers.stages, weight, factor, s->u, sum);
}

/* y at the end of the step and its error, 1 being the limit. */
static dae_status judge(rosenbrock *e, double h, double *size)
{
    size_t n = e->base.problem->n;
    add_stages(e, e->base.y, e->stages.numbers.m, 1, e->end);
    add_stages(e, NULL, e->stages.numbers.e, 1, e->error);
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
    const rosenbrock_numbers *c = &e->stages.numbers;
    problem *p = e->base.problem;
    double *correction = e->stages.time, *value = e->stages.value, *yp = e->stages.yp;
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
    int rows = e->stages.numbers.dense_rows;
    dense_output *d = &e->base.next;
    d->t = e->base.t;
    d->h = h;
    d->degree = rows + 1;
    memcpy(d->coefficient, e->base.y, n * sizeof *e->base.y);
    for (size_t k = 0; k < n; k++) d->coefficient[n + k] = e->end[k] - e->base.y[k];
    double *power = d->coefficient + n, *next = power + n, *own = e->stages.ahead[0];
    for (int i = 0; i < rows; i++, power = next, next += n) {
        add_stages(e, NULL, e->stages.numbers.dense[i], 1, own);
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
    double *yp = e->stages.yp;
    make_polynomial(e, h);
    dense_output_evaluate(&base->next, base->t + h, NULL, yp);
    if (e->stages.w) {
        const rosenbrock_numbers *c = &e->stages.numbers;
        rows_combine(n, base->yp, c->stages, c->m, 1, e->stages.w, e->stages.value);
        for (size_t k = 0; k < n; k++)
            if (base->problem->dynamic[k]) yp[k] = e->stages.value[k];
    }
    engine_accept(base, base->t + h, e->end, yp);
    e->stages.linearized = base->problem->constant;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    rosenbrock *e = (rosenbrock *)base;
    bool fixed = base->options.fixed_step > 0;
    double size = 0;
    dae_status status = solve_stages(&e->stages, base->t, h, base->y, base->yp);
    if (status == DAE_OK) status = judge(e, h, &size);
    if (status == DAE_OK && !fixed) status = judge_within(e, h, &size);
    if (status != DAE_OK) return status;
    *accepted = fixed ||
                stepping_decide(base, h, size, e->error, 0.9, base->problem->constant, last);
    if (*accepted)
        accept(e, h);
    else
        stepping_mend_start(base, e->end);
    return DAE_OK;
}

static void rosenbrock_lend(engine *base)
{
    rosenbrock *e = (rosenbrock *)base;
    e->stages.linearized = false;
    e->stages.factored_step = 0;
}

static void rosenbrock_state(engine *base, state_visit *s)
{
    rosenbrock *e = (rosenbrock *)base;
    STATE(s, e->stages.linearized);
    STATE(s, e->stages.factored_step);
    state_doubles(s, e->stages.time, base->problem->n);
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
    take_numbers(&e->stages, base->problem, which);
    base->next.degree = e->stages.numbers.dense_rows + 1;
    stepping_hold(base, which->row->orders[1], which->row->orders[0], 0);
    return DAE_OK;
}

static void rosenbrock_carve(engine *base, workspace *space)
{
    rosenbrock *e = (rosenbrock *)base;
    carve_stages(&e->stages, space);
    workspace_vectors(space, base->problem->n, (double **[]){&e->error, &e->end, NULL});
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
