/* A method of k steps needs k points to begin, and p points for a polynomial of its order p within
 * the step. A one-step method of at least this order makes the first ones, with the same steps. It
 * also makes a step that is shorter than the others, as at the end of an interval. After such a
 * step the method begins anew. */
#include "method/multistep.h"
#include "base/round_off.h"
#include "integrate/multistep_parts.h"
#include "integrate/refusal.h"
#include "method/properties.h"

#include <math.h>
#include <string.h>

/* The name of explicit methods in refusals. */
static const char EXPLICIT[] = "explicit multistep methods";

/* sum_j alpha_j y_(n+j) = h sum_j beta_j y'_(n+j), solved for the newest derivative or, in an
 * explicit method, value. */
static void make_linear(multistep_formula *f, const method_multistep *numbers)
{
    int k = numbers->steps;
    quad alpha = numbers->alpha[k], beta = numbers->beta[k];
    f->leg = 1;
    if (f->is_implicit) f->gain = (double)(alpha / beta);
    for (int j = 0; j < k; j++) {
        quad value = numbers->alpha[k - 1 - j], yp = numbers->beta[k - 1 - j];
        f->value[j] = (double)(f->is_implicit ? value / beta : -value / alpha);
        f->yp[j] = (double)(f->is_implicit ? -yp / beta : yp / alpha);
    }
}

/* h x' = sum_j alpha_j y_(n+j) with y_(n+k) = (x - sum_(j < k) beta_j y_(n+j)) / beta_k. */
static void make_one_leg(multistep_formula *f, const method_multistep *numbers)
{
    int k = numbers->steps;
    quad alpha = numbers->alpha[k], beta = numbers->beta[k], leg = 0;
    for (int j = 0; j <= k; j++) leg += numbers->beta[j] * (j - k + 1);
    f->leg = (double)leg;
    f->gain = (double)(alpha / beta);
    f->new_part = (double)(1 / beta);
    for (int j = 0; j < k; j++) {
        quad old = numbers->beta[k - 1 - j];
        f->value[j] = (double)(numbers->alpha[k - 1 - j] - alpha * old / beta);
        f->old_part[j] = (double)(-old / beta);
    }
}

/* beta_k x = beta_k z_(n+k) - sum_j gamma_j z_(n+j), solved for the newest z. */
static void make_blocked(multistep_formula *f, const method_multistep *numbers)
{
    int k = numbers->steps;
    quad rest = numbers->beta[k] - numbers->gamma[k];
    make_linear(f, numbers);
    f->new_part = (double)(numbers->beta[k] / rest);
    for (int j = 0; j < k; j++) f->old_part[j] = (double)(numbers->gamma[k - 1 - j] / rest);
}

static void make_formula(multistep_formula *f, const method_multistep *numbers)
{
    *f = (multistep_formula){
        .steps = numbers->steps,
        .order = multistep_order(numbers),
        .is_implicit = numbers->beta[numbers->steps] != 0,
        .one_leg = numbers->one_leg,
        .blocked = numbers->blocked,
    };
    if (f->one_leg)
        make_one_leg(f, numbers);
    else if (f->blocked)
        make_blocked(f, numbers);
    else
        make_linear(f, numbers);
}

/* --- derivatives that the equations leave open --- */

/* If F_y' is singular its kernel is open: no equation determines the part of y' that lies in it.
 *
 * A linear multistep method still carries that part, and multiplies its errors by the roots of
 * sigma in each step. Those of Milne's method are multiplied by -3.7, so that after some fifty
 * steps they have swamped the other parts of the same derivatives. The equations do not see that
 * part as long as the kernel stands still (otherwise the method is refused, see stages.h). So in
 * each step it is taken anew from the polynomial through the values. For a variable whose
 * derivative does not occur, this is done in any case. */

/* alpha times the step. The error is of the order of 1 / alpha^2. */
static const double FAR = 1e8;

/* Overwrites the corrector's matrix. */
static dae_status factor(multistep *e, double alpha)
{
    e->corrector.factored = 0;
    return problem_factor(e->base.problem, 0, alpha, 1);
}

/* At the start: whether the equations leave combinations of derivatives open and the method lets
 * errors in these grow. */
static dae_status look_for_open(multistep *e)
{
    problem *p = e->base.problem;
    e->solves_open = false;
    if (e->formula.one_leg || problem_highest_index(p) > 1 || p->hidden_directions > 0 ||
        !(multistep_radius(e->method->multistep, MULTISTEP_SIGMA) > 1))
        return DAE_OK;
    double alpha = FAR / e->base.stepping.step;
    dae_status status = problem_linearize(p, e->base.t, e->base.y, e->base.yp);
    if (status == DAE_OK) status = factor(e, alpha);
    if (status != DAE_OK) return status == DAE_STOPPED ? status : DAE_OK; /* a step will show it */
    open_yp_find(p, 0, alpha, e->x, e->xp);
    e->solves_open = open_yp_is_any(p, e->x, true);
    return DAE_OK;
}

/* Replaces the open part of e->base.yp by that of e->xp. */
static dae_status solve_open(multistep *e, double h)
{
    size_t n = e->base.problem->n;
    double alpha = FAR / fabs(h), *open = e->x;
    if (!e->solves_open) return DAE_OK;
    dae_status status = factor(e, alpha);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < n; k++) open[k] = e->xp[k] - e->base.yp[k];
    open_yp_keep(e->base.problem, 0, alpha, open, e->change);
    for (size_t k = 0; k < n; k++) e->base.yp[k] += open[k];
    return DAE_OK;
}

/* --- steps --- */

static void multistep_start(engine *base)
{
    multistep *e = (multistep *)base;
    e->known = 1;
    e->spacing = 0;
    e->met = false;
    multistep_find_carried(e);
    corrector_restart(&e->corrector);
    stepping_start(base);
}

/* The stages of the starter. An explicit method uses them too: they find derivatives. */
static stages *stages_of_starter(const multistep *e)
{
    return &((runge_kutta *)e->base.starter.engine)->stages;
}

static dae_status multistep_examine(engine *base, message *m)
{
    multistep *e = (multistep *)base;
    const char *name = e->method->name;
    const stages *s = stages_of_starter(e);
    if (e->formula.is_implicit) {
        dae_status status = multistep_examine_blocked(e, name, m);
        return status == DAE_OK ? look_for_open(e) : status;
    }
    if (s->yp_slot == PROBLEM_NOWHERE) return DAE_OK;
    return refusal_of_singular(base->problem, s->yp_slot, base->t, base->y, base->yp, name,
                               EXPLICIT, m);
}

/* Turns the rows of the table into backward differences of the newest values. */
static void find_differences(multistep *e, int order)
{
    size_t n = e->base.problem->n;
    for (int j = 0; j <= order; j++)
        memcpy(history_row(&e->table, j), e->value[j], n * sizeof *e->value[j]);
    for (int level = 1; level <= order; level++) {
        for (int j = order; j >= level; j--) {
            double *row = history_row(&e->table, j), *newer = row - n;
            for (size_t k = 0; k < n; k++) row[k] = newer[k] - row[k];
        }
    }
}

/* Makes the polynomial through the known values; h: the last step. */
static void interpolate(multistep *e, double t, double h)
{
    int order = e->known - 1;
    find_differences(e, order);
    e->table.h = h;
    history_interpolate(&e->table, order, &e->base.next);
    e->base.next.t = t;
    e->base.dense = e->base.next;
}

/* Makes the new point (y and yp, n each), h later, the newest. */
static void keep(multistep *e, double h, const double *y, const double *yp)
{
    int last = e->points - 1;
    double *value = e->value[last], *newest = e->yp[last];
    memmove(e->value + 1, e->value, (size_t)last * sizeof *e->value);
    memmove(e->yp + 1, e->yp, (size_t)last * sizeof *e->yp);
    e->value[0] = e->base.y = value;
    e->yp[0] = e->base.yp = newest;
    if (e->known < e->points) e->known++;
    engine_arrive(&e->base, e->base.t + h, y, yp);
}

/* Makes a step with the one-step method. */
static dae_status begin(multistep *e, double h)
{
    dae_status status = starter_step(&e->base, &e->corrector, e->base.t + h);
    if (status == DAE_OK) keep(e, h, e->base.starter.engine->y, e->base.starter.engine->yp);
    return status;
}

/* sum += factor_j row_j, over the steps of the method. */
static void add(const multistep *e, const double *factor, double h, double *const *row, double *sum)
{
    for (int j = 0; j < e->formula.steps; j++) {
        double weight = h * factor[j];
        for (size_t k = 0; weight != 0 && k < e->base.problem->n; k++) sum[k] += weight * row[j][k];
    }
}

/* Predicts by the tangent at a point: all variables, or those that the method carries. */
static void follow_tangent(multistep *e, const double *y, const double *yp, double h, bool all)
{
    const problem *p = e->base.problem;
    for (size_t k = 0; k < p->n; k++)
        if (all || e->carried[k]) e->predicted[k] = y[k] + (p->dynamic[k] ? h * yp[k] : 0);
}

/* The prediction is the last polynomial, continued; before there is one, it is the tangent.
 * Variables that the method carries may oscillate from point to point. They are smooth at the
 * points where the equations are met, so they follow the tangent there. */
static void predict(multistep *e, double t, double h)
{
    if (e->known > 1)
        dense_output_evaluate(&e->base.dense, t, e->predicted, NULL);
    else
        follow_tangent(e, e->base.y, e->base.yp, t - e->base.t, true);
    if (e->met) follow_tangent(e, e->met_at, e->met_yp, h, false);
}

/* Solves for x and x' at t. */
static dae_status solve_implicit(multistep *e, double t, double h)
{
    size_t n = e->base.problem->n;
    const multistep_formula *f = &e->formula;
    const corrector_point at = {.t = t,
                                .h = h,
                                .c = f->gain / h,
                                .predicted = e->predicted,
                                .yp = e->yp_there,
                                .change = e->change,
                                .end = e->x,
                                .end_yp = e->xp};
    predict(e, t, h);
    for (size_t k = 0; k < n; k++) e->yp_there[k] = at.c * e->predicted[k];
    add(e, f->value, 1 / h, e->value, e->yp_there);
    add(e, f->yp, 1, e->yp, e->yp_there);
    return corrector_solve(&e->corrector, &at);
}

static dae_status solve_explicit(multistep *e, double t, double h)
{
    size_t n = e->base.problem->n;
    memset(e->x, 0, n * sizeof *e->x);
    add(e, e->formula.value, 1, e->value, e->x);
    add(e, e->formula.yp, h, e->yp, e->x);
    memcpy(e->xp, e->base.yp, n * sizeof *e->xp);
    dae_status status = stages_find_yp(stages_of_starter(e), t, e->x, e->xp);
    if (status == DAE_NEWTON) e->base.failure = stages_of_starter(e)->engine->failure;
    return status;
}

/* Turns x into the new point, in the variables that the method carries. */
static void find_point(multistep *e)
{
    const multistep_formula *f = &e->formula;
    for (size_t k = 0; k < e->base.problem->n; k++) {
        if (!e->carried[k]) continue;
        double y = f->new_part * e->x[k];
        for (int j = 0; j < f->steps; j++) y += f->old_part[j] * e->value[j][k];
        e->x[k] = y;
    }
}

/* A step of the method. */
static dae_status advance(multistep *e, double h)
{
    double begun = e->base.t, t = begun + e->formula.leg * h;
    dae_status status = e->formula.is_implicit ? solve_implicit(e, t, h) : solve_explicit(e, t, h);
    if (status != DAE_OK) return status;
    e->met = true;
    memcpy(e->met_at, e->x, e->base.problem->n * sizeof *e->x);
    memcpy(e->met_yp, e->xp, e->base.problem->n * sizeof *e->xp);
    find_point(e);
    status = multistep_finish_blocked(e, t);
    if (status != DAE_OK) return status;
    keep(e, h, e->x, e->xp);
    interpolate(e, begun, h);
    /* derivatives that no equation determines at the new point are those of the polynomial */
    dense_output_evaluate(&e->base.dense, e->base.t, NULL, e->xp);
    for (size_t k = 0; k < e->base.problem->n; k++)
        if (e->formula.one_leg || !e->base.problem->dynamic[k]) e->base.yp[k] = e->xp[k];
    corrector_leave(&e->corrector);
    return solve_open(e, h);
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    multistep *e = (multistep *)base;
    (void)last;
    double round_off = ROUND_OFF_SUM * fmax(fabs(base->t), fabs(base->t + h));
    if (!(fabs(h - e->spacing) <= round_off)) { /* another length than that of the last steps */
        e->known = 1;
        e->met = false;
        e->spacing = h;
    }
    dae_status status = e->known < e->points - 1 ? begin(e, h) : advance(e, e->spacing);
    *accepted = status == DAE_OK;
    return status;
}

/* The starter begins each of its steps anew. Its stages find the derivatives of explicit
 * methods. */
static void multistep_lend(engine *base)
{
    multistep *e = (multistep *)base;
    corrector_restart(&e->corrector);
    stages_of_starter(e)->yp_factored = false;
}

static void multistep_state(engine *base, state_visit *s)
{
    multistep *e = (multistep *)base;
    size_t n = base->problem->n;
    corrector_state(&e->corrector, s);
    STATE_MEMBERS(s, multistep, e, known, value);
    for (int j = 0; j < e->points; j++) {
        state_doubles(s, e->value[j], n);
        state_doubles(s, e->yp[j], n);
    }
    state_doubles(s, e->met_at, n);
    state_doubles(s, e->met_yp, n);
    state_doubles(s, e->mass, n);
    state_bytes(s, e->row, n * sizeof *e->row);
    state_bytes(s, e->carried, n * sizeof *e->carried);
    starter_state(base, s);
}

/* A one-leg method gets algebraic variables from sums, by division by sigma. Therefore the roots of
 * sigma have to be inside the unit circle. */
static dae_status refuse_algebraic(const multistep *e, const method *which, message *m)
{
    const problem *p = e->base.problem;
    method_properties known;
    if (!e->formula.is_implicit)
        return refusal_of_algebraic(p, which->name, EXPLICIT, REFUSAL_OF_SLOPES, m);
    if (!e->formula.one_leg) return DAE_OK;
    dae_status status = method_properties_find(which, &known);
    if (status != DAE_OK || known.index1[1] != METHOD_NO_ORDER) return status;
    return refusal_of_algebraic(p, which->name,
                                "one-leg methods with a root of sigma that is not inside the unit "
                                "circle",
                                "do not lessen their errors from step to step", m);
}

static dae_status refuse(const multistep *e, const method *which, message *m)
{
    const problem *p = e->base.problem;
    dae_status status = refuse_algebraic(e, which, m);
    if (status == DAE_OK) status = multistep_refuse_blocked(e, which->name, m);
    if (status == DAE_OK && !(e->base.options.fixed_step > 0))
        status = refusal_of_control(which->name, "radau-iia3", m);
    return status == DAE_OK ? refusal_note_index(p, which, m) : status;
}

static void multistep_carve(engine *base, workspace *space)
{
    multistep *e = (multistep *)base;
    size_t n = base->problem->n;
    e->value[0] = base->y;
    e->yp[0] = base->yp;
    for (int j = 1; j < e->points; j++)
        workspace_vectors(space, n, (double **[]){&e->value[j], &e->yp[j], NULL});
    history_carve(&e->table, space, n, e->points - 1);
    corrector_carve(&e->corrector, space, base);
    workspace_vectors(space, n,
                      (double **[]){&e->predicted, &e->yp_there, &e->x, &e->xp, &e->change,
                                    &e->met_at, &e->met_yp, &e->mass, NULL});
    e->row = workspace_take(space, n, sizeof *e->row);
    e->carried = workspace_take(space, n, sizeof *e->carried);
    e->taken = workspace_take(space, n, sizeof *e->taken);
}

static dae_status multistep_create(engine *base, const method *which, message *m)
{
    multistep *e = (multistep *)base;
    e->method = which;
    make_formula(&e->formula, which->multistep);
    int steps = e->formula.steps, order = e->formula.order;
    e->points = (steps > order ? steps : order) + 1;
    if (e->points > MULTISTEP_MOST_POINTS) e->points = MULTISTEP_MOST_POINTS;
    base->next.degree = e->points - 1;
    e->corrector.newton.exactly = true;
    e->corrector.newton.count = &base->counts.newton_iterations;
    return refuse(e, which, m);
}

static dae_status multistep_reserve(engine *base, const method *which, message *m)
{
    multistep *e = (multistep *)base;
    const multistep_formula *f = &e->formula;
    const char *name = f->is_implicit ? starter_name(base->problem, f->order) : "dop853";
    (void)which;
    return starter_create(base, name, m);
}

/* No step is ever shortened. */
const engine_ops multistep_engine = {
    .size = sizeof(multistep),
    .create = multistep_create,
    .carve = multistep_carve,
    .reserve = multistep_reserve,
    .start = multistep_start,
    .examine = multistep_examine,
    .attempt = attempt,
    .lend = multistep_lend,
    .state = multistep_state,
};
