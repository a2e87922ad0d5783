#include "integrate/engines.h"

#include "integrate/rosenbrock_stages.h"
#include "linalg/rows.h"
#include "stepping/stepping.h"

#include <math.h>
#include <string.h>

/* The point within the step, 0 to 1, at which the polynomial is checked. The errors of all three
 * methods in algebraic variables are near their largest there. That of RODAS4 has a zero in the
 * middle. */
static const double LOOK = 0.75;

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
    if (!(within > *size)) return DAE_OK;
    *size = within;
    memcpy(e->error, correction, p->n * sizeof *correction);
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
    dae_status status = rosenbrock_stages_solve(&e->stages, base->t, h, base->y, base->yp);
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
    for (size_t j = 0; p->index && j < p->n; j++) {
        if (p->index[j] < 2) continue;
        message_fail(m, DAE_INDEX, "%s advances variables of index 1, and ", which->name);
        p->form->name_variable(p->self, j, &m->sentence);
        message_more(m, " has index %d; try radau-iia3, or a formulation that lowers the index",
                     p->index[j]);
        return m->status;
    }
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
    rosenbrock_stages_take(&e->stages, base->problem, which);
    base->next.degree = e->stages.numbers.dense_rows + 1;
    stepping_hold(base, which->row->orders[1], which->row->orders[0], 0);
    return DAE_OK;
}

static void rosenbrock_carve(engine *base, workspace *space)
{
    rosenbrock *e = (rosenbrock *)base;
    rosenbrock_stages_carve(&e->stages, space);
    workspace_vectors(space, base->problem->n, (double **[]){&e->error, &e->end, NULL});
}

static dae_status rosenbrock_reserve(engine *base, const method *which, message *m)
{
    (void)which, (void)m;
    return problem_reserve(base->problem, 1, (const bool[]){false});
}

/* The Jacobian is exact, so the length of a step that fails is alone to blame. */
const engine_ops rosenbrock_engine = {
    .size = sizeof(rosenbrock),
    .create = rosenbrock_create,
    .carve = rosenbrock_carve,
    .reserve = rosenbrock_reserve,
    .start = rosenbrock_start,
    .attempt = attempt,
    .lend = rosenbrock_lend,
    .state = rosenbrock_state,
};
