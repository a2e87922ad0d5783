#include "integrate/engines.h"

#include "integrate/refusal.h"
#include "linalg/rows.h"
#include "method/half_explicit.h"
#include "stepping/stepping.h"

#include <math.h>
#include <string.h>

typedef struct half_explicit {
    engine base;
    instant instant;
    scheme scheme;
    watching watching;
    double constraint[METHOD_MOST_STAGES][METHOD_MOST_STAGES];
    bool first_is_start; /* y' and z of the first stage are those at the start of the step */
    bool carries;        /* the first stage takes z from the step before, on index 2 as well */
    double *yp;          /* (stages + extra) x n: y' of the stages, 0 of algebraic variables */
    double *stage;       /* n: y of the stage at work */
    double *from;        /* n: the point from which INSTANT_AHEAD starts, or a scratch point */
    double *error, *end, *end_yp; /* n */
    bool linearized, has_polynomial;
} half_explicit;

/* Polynomials of a higher degree than this are not continued beyond their step. */
enum { MOST_CARRIED = 4 };

static void half_explicit_start(engine *base)
{
    half_explicit *e = (half_explicit *)base;
    engine_forget_yp(base);
    e->linearized = e->has_polynomial = false;
    instant_start(&e->instant);
    stepping_start(base);
}

/* Evaluates the Jacobian, examines its rows and factors it, unless this is done already. */
static dae_status prepare(half_explicit *e, double h)
{
    dae_status status = DAE_OK;
    if (e->instant.solves_algebraic) {
        e->first_is_start = true;
        return instant_look(&e->instant);
    }
    if (!e->linearized) {
        status = problem_linearize(e->base.problem, e->base.t, e->base.y, e->base.yp);
        if (status != DAE_OK) return status;
        e->linearized = true;
        if (!e->base.problem->constant) e->instant.delta = 0;
        status = instant_look(&e->instant);
        e->first_is_start = e->carries || e->instant.positions == 0;
    }
    if (status == DAE_OK && e->instant.delta == 0) status = instant_factor(&e->instant, h);
    return status;
}

/* First guesses of y' and z at a stage: from the polynomial of the last step, continued, or, before
 * there is one, from the stage before. */
static void guess(half_explicit *e, int i, double t, double *yp)
{
    const bool *dynamic = e->base.problem->dynamic;
    size_t n = e->base.problem->n;
    const double *before = i > 0 ? yp - n : e->base.yp;
    if (e->instant.solves_algebraic) { /* no guess is needed; the problem finds no derivatives of
                                        * z */
        memcpy(e->stage, e->base.y, n * sizeof *e->stage);
        memset(yp, 0, n * sizeof *yp);
        return;
    }
    if (e->has_polynomial && e->base.dense.degree <= MOST_CARRIED) {
        dense_output_evaluate(&e->base.dense, t, e->from, yp);
    } else {
        if (i == 0) memcpy(e->from, e->base.y, n * sizeof *e->from);
        if (i > 0) memcpy(e->from, e->stage, n * sizeof *e->from);
        memcpy(yp, before, n * sizeof *yp);
    }
    memcpy(e->stage, e->base.y, n * sizeof *e->stage);
    for (size_t k = 0; k < n; k++) {
        if (dynamic[k]) continue;
        e->stage[k] = e->from[k];
        yp[k] = 0;
    }
}

/* The Jacobian is kept as long as the iteration converges with it, fast or not: one more iteration
 * costs less than a new Jacobian. If the iteration fails, the Jacobian is evaluated at the point
 * itself, because explicit stages may be far apart. */
static dae_status solve_instant(half_explicit *e, const instant_task *task)
{
    dae_status status = instant_solve(&e->instant, task);
    if (status != DAE_NEWTON) return status;
    status = instant_renew(&e->instant, task);
    return status == DAE_OK ? instant_solve(&e->instant, task) : status;
}

/* sum += h sum_j weight_j Y_j', j < count. */
static void add_stages(const half_explicit *e, int count, const double *weight, double h,
                       double *sum)
{
    rows_combine(e->base.problem->n, sum, count, weight, h, e->yp, sum);
}

/* Solves stage i, or an additional one, of a step h. y goes into e->stage, y' into its row of
 * e->yp. */
static dae_status solve_stage(half_explicit *e, int i, double h)
{
    size_t n = e->base.problem->n;
    const double *row = e->constraint[i];
    double t = e->base.t + e->scheme.c[i] * h, *yp = e->yp + (size_t)i * n, sum = 0;
    if (i == 0 && e->first_is_start) {
        memcpy(e->stage, e->base.y, n * sizeof *e->stage);
        for (size_t k = 0; k < n; k++) yp[k] = e->base.problem->dynamic[k] ? e->base.yp[k] : 0;
        return DAE_OK;
    }
    guess(e, i, t, yp);
    add_stages(e, i, e->scheme.a[i], h, e->stage);
    instant_task task = {.kind = INSTANT_HERE, .t = t, .h = h, .y = e->stage, .yp = yp};
    if (i < e->scheme.stages && e->instant.positions > 0) {
        memcpy(e->from, e->base.y, n * sizeof *e->from);
        add_stages(e, i, row, h, e->from);
        for (int j = 0; j <= i; j++) sum += row[j];
        task.kind = INSTANT_AHEAD;
        task.t_ahead = e->base.t + sum * h;
        task.factor = h * row[i];
        task.from = e->from;
    }
    return solve_instant(e, &task);
}

/* --- the polynomial within a step --- */

/* The degree of the polynomial of algebraic variables where a quartic is not accurate enough, and
 * the number of points within the step that determine it. */
enum { SHARP = 6, INNER = 3 };

/* The degree of a step's polynomial. A method without its own has degree 3, or 4 where the
 * interpolant's error of order 4 would count. */
static int polynomial_degree(const scheme *s)
{
    if (s->degree > 3) return s->degree;
    return s->order > 4 ? 4 : 3;
}

/* Adds x^2 (1 - x)^2 (a + b x + c x^2), which changes neither values nor derivatives at the
 * ends. */
static void add_bump(half_explicit *e, size_t k, double a, double b, double c)
{
    size_t n = e->base.problem->n;
    double *from_second = e->base.next.coefficient + 2 * n + k;
    const double bump[SHARP - 1] = {a, b - 2 * a, c - 2 * b + a, b - 2 * c, c};
    for (size_t power = 0; power < SHARP - 1; power++) from_second[power * n] += bump[power];
}

/* Adds x^2 (1 - x)^2 a, which changes neither of them. */
static void add_quartic(half_explicit *e, size_t k, double a)
{
    double *coefficient = e->base.next.coefficient + k;
    size_t n = e->base.problem->n;
    coefficient[2 * n] += a;
    coefficient[3 * n] -= 2 * a;
    coefficient[4 * n] += a;
}

/* Solves for y' and the algebraic variables (in e->stage) at x. The values of the polynomial there
 * stay in e->from. */
static dae_status solve_within(half_explicit *e, double h, double x, double *yp)
{
    const instant_task task = {.kind = e->instant.positions > 0 ? INSTANT_ALONG : INSTANT_HERE,
                               .t = e->base.t + x * h,
                               .h = h,
                               .y = e->stage,
                               .yp = yp};
    dense_output_evaluate(&e->base.next, task.t, e->stage, yp);
    memcpy(e->from, e->stage, e->base.problem->n * sizeof *e->from);
    return instant_solve(&e->instant, &task);
}

/* The distance from the polynomial to the algebraic variables that solve the equations at x,
 * divided by the value of x^2 (1 - x)^2 there. */
static dae_status find_off(half_explicit *e, double h, double x, double *off)
{
    double size = x * x * (1 - x) * (1 - x);
    dae_status status = solve_within(e, h, x, off);
    for (size_t k = 0; status == DAE_OK && k < e->base.problem->n; k++)
        off[k] = (e->stage[k] - e->from[k]) / size;
    return status;
}

/* Solves for the algebraic variables at three points within the step and raises their polynomial to
 * degree SHARP. This is for steps whose differential variables are so accurate that a quartic would
 * not do. The rows of e->yp are free by now. */
static dae_status sharpen(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    double *off[INNER] = {e->yp, e->yp + n, e->yp + 2 * n};
    for (int i = 0; i < INNER; i++) {
        dae_status status = find_off(e, h, 0.25 * (i + 1), off[i]);
        if (status != DAE_OK) return status;
    }
    for (size_t k = 0; k < n; k++) {
        if (e->base.problem->dynamic[k]) continue;
        double c = 8 * (off[0][k] - 2 * off[1][k] + off[2][k]);
        double b = 2 * (off[2][k] - off[0][k]) - c;
        add_bump(e, k, off[1][k] - b / 2 - c / 4, b, c);
    }
    return DAE_OK;
}

/* The same at the middle only, for a quartic. */
static dae_status sharpen_middle(half_explicit *e, double h)
{
    dae_status status = find_off(e, h, 0.5, e->yp);
    for (size_t k = 0; status == DAE_OK && k < e->base.problem->n; k++)
        if (!e->base.problem->dynamic[k]) add_quartic(e, k, e->yp[k]);
    return status;
}

/* Raises the polynomial of the differential variables to the quartic whose derivative at a quarter
 * of the step is that of the equations. The cubic is accurate enough to evaluate the equations
 * there: its error of order 4 would cost the step one order, but a derivative times the step loses
 * none (W. H. Enright et al., ACM Trans. Math. Software 12 (1986)). */
static dae_status bootstrap(half_explicit *e, double h)
{
    static const double AT = 0.25, SLOPE = 2 * 0.25 * 0.75 * 0.5; /* of the bump, over a step */
    size_t n = e->base.problem->n;
    double *yp = e->yp, *cubic = e->yp + n;
    dense_output_evaluate(&e->base.next, e->base.t + AT * h, e->stage, cubic);
    dae_status status = solve_within(e, h, AT, yp);
    for (size_t k = 0; status == DAE_OK && k < n; k++)
        if (e->base.problem->dynamic[k]) add_quartic(e, k, h * (yp[k] - cubic[k]) / SLOPE);
    return status;
}

/* Takes the method's own polynomial for the differential variables. */
static dae_status take_own(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = &e->scheme;
    for (int i = 0; i < s->extra; i++) {
        dae_status status = solve_stage(e, s->stages + i, h);
        if (status != DAE_OK) return status;
    }
    for (int m = 0; m < s->degree; m++) {
        double *row = e->base.next.coefficient + (size_t)(m + 1) * n;
        for (size_t k = 0; k < n; k++)
            if (e->base.problem->dynamic[k]) row[k] = 0;
        add_stages(e, s->stages + s->extra, s->interpolant[m], h, row);
    }
    return DAE_OK;
}

/* The polynomial of a step with its end in e->end and e->end_yp, into e->base.next. */
static dae_status interpolate(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = &e->scheme;
    e->base.next.t = e->base.t;
    e->base.next.h = h;
    e->base.next.follows = true;
    dense_output_make_hermite(&e->base.next, e->base.y, e->base.yp, e->end, e->end_yp);
    if (polynomial_degree(s) == e->base.next.degree) return DAE_OK;
    e->base.next.degree = polynomial_degree(s);
    size_t higher = (size_t)e->base.next.degree - 3;
    memset(e->base.next.coefficient + 4 * n, 0, higher * n * sizeof *e->base.next.coefficient);
    dae_status status = s->degree > 3 ? take_own(e, h) : bootstrap(e, h);
    if (status != DAE_OK || e->instant.algebraic == 0) return status;
    return s->degree > SHARP ? sharpen(e, h) : sharpen_middle(e, h);
}

/* --- the step --- */

/* Finds y, y' and z at the end. If the last stage lies there and meets the equations, it is taken.
 * Otherwise z follows from y: it solves the equations there, which for index 2 are the derivatives
 * of the constraints. */
static dae_status find_end(half_explicit *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = &e->scheme;
    const double *last = e->yp + (size_t)(s->stages - 1) * n;
    memcpy(e->end, e->stage, n * sizeof *e->end);
    memcpy(e->end_yp, last, n * sizeof *e->end_yp);
    if (s->stiffly_accurate && (e->instant.positions == 0 || e->carries)) return DAE_OK;
    for (size_t k = 0; k < n; k++)
        if (e->base.problem->dynamic[k]) e->end[k] = e->base.y[k];
    add_stages(e, s->stages, s->b, h, e->end);
    const instant_task task = {
        .kind = INSTANT_ALONG, .t = e->base.t + h, .h = h, .y = e->end, .yp = e->end_yp};
    return solve_instant(e, &task);
}

static double error_norm(half_explicit *e, double h, int which)
{
    size_t n = e->base.problem->n;
    memset(e->error, 0, n * sizeof *e->error);
    add_stages(e, e->scheme.stages, e->scheme.error[which], h, e->error);
    return control_norm_in_step(e->base.problem, e->error, e->base.stepping.weight, h, NULL);
}

/* The size of the error of the differential variables; 1 is the limit. */
static dae_status judge(half_explicit *e, double h, double *size)
{
    double other = e->scheme.errors == 2 ? error_norm(e, h, 1) : 0;
    *size = error_norm(e, h, 0);
    if (e->scheme.errors == 2) *size = control_joint_size(*size, other);
    return isfinite(*size) ? DAE_OK : DAE_NOT_EVALUABLE;
}

/* Algebraic variables follow from the differential ones and may change much more than these: beside
 * stiffness that the constraints absorb, by a thousand tolerances for one. Their error is the
 * change that the error of the differential variables causes through the equations at the end of
 * the step. */
static dae_status judge_algebraic(half_explicit *e, double h, double *size)
{
    size_t n = e->base.problem->n;
    const bool *dynamic = e->base.problem->dynamic;
    const double *weight = e->base.stepping.weight;
    double before = control_norm_in_step(e->base.problem, e->error, weight, h, NULL);
    if (e->instant.algebraic == 0 || e->instant.positions > 0 || before == 0) return DAE_OK;
    for (size_t k = 0; k < n; k++) e->stage[k] = e->end[k] + (dynamic[k] ? e->error[k] : 0);
    memcpy(e->from, e->end_yp, n * sizeof *e->from);
    const instant_task task = {
        .kind = INSTANT_HERE, .t = e->base.t + h, .h = h, .y = e->stage, .yp = e->from};
    dae_status status = solve_instant(e, &task);
    for (size_t k = 0; status == DAE_OK && k < n; k++)
        if (!dynamic[k]) e->error[k] = e->stage[k] - e->end[k];
    double whole = control_norm_in_step(e->base.problem, e->error, weight, h, NULL);
    if (status == DAE_OK) *size *= whole / before;
    return status == DAE_OK && !isfinite(*size) ? DAE_NOT_EVALUABLE : status;
}

static void accept(half_explicit *e, double h)
{
    instant_note_rise(&e->instant, h, e->base.y, e->end);
    e->has_polynomial = true;
    engine_accept(&e->base, e->base.t + h, e->end, e->end_yp);
}

static dae_status try_step(half_explicit *e, double h, double *size)
{
    bool fixed = e->base.options.fixed_step > 0;
    dae_status status = prepare(e, h);
    if (status == DAE_OK && !e->has_polynomial)
        instant_begin_yp(&e->instant, e->base.t, h, e->base.y, e->base.yp);
    for (int i = 0; status == DAE_OK && i < e->scheme.stages; i++) status = solve_stage(e, i, h);
    if (status == DAE_OK && !fixed) status = judge(e, h, size);
    if (status == DAE_OK && *size < 1) status = find_end(e, h);
    if (status == DAE_OK && *size < 1)
        status = instant_find_yp(&e->instant, e->base.t, h, e->base.y, e->base.yp, e->end,
                                 e->end_yp);
    if (status == DAE_OK && *size < 1 && !fixed) status = judge_algebraic(e, h, size);
    if (status == DAE_OK && *size < 1)
        watching_measure(&e->watching, &e->base, h, e->end, e->end_yp, e->yp);
    if (status == DAE_OK && *size < 1) status = interpolate(e, h);
    return status;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    half_explicit *e = (half_explicit *)base;
    bool fixed = base->options.fixed_step > 0;
    double size = 0;
    dae_status status = try_step(e, h, &size);
    if (status != DAE_OK) return status;
    *accepted = fixed || stepping_decide(base, h, size, e->error, 0.9, false, last);
    if (*accepted) accept(e, h);
    return DAE_OK;
}

/* The Jacobian was fresh, so the length of the step alone is to blame. */
static void shortened(engine *base, dae_status status, double *factor)
{
    (void)status, (void)factor;
    ((half_explicit *)base)->linearized = false;
}

static void half_explicit_lend(engine *base)
{
    half_explicit *e = (half_explicit *)base;
    e->linearized = false;
    e->instant.delta = 0;
}

static void half_explicit_release(engine *base)
{
    instant_free(&((half_explicit *)base)->instant);
}

/* --- what the engine cannot do --- */

/* Notes that the error test leaves out variables of index 2. */
static void note_uncontrolled(const problem *p, const method *which, message *m)
{
    size_t j = 0;
    while (p->index && j < p->n && p->index[j] < 2) j++;
    if (!p->index || j == p->n) return;
    message_note(m,
                 "the error test of %s leaves out what has index 2, and within steps such "
                 "variables follow from three values: they can be less accurate than the "
                 "tolerance says",
                 which->name);
}

static dae_status refuse(const problem *p, const method *which, const engine_options *options,
                         message *m)
{
    dae_status status = instant_refuse_index(p, which, m);
    if (status != DAE_OK || options->fixed_step > 0) return status;
    if (method_is_adaptive(which)) {
        note_uncontrolled(p, which, m);
        return DAE_OK;
    }
    return refusal_of_control(which->name, "hedop5", m);
}

static dae_status half_explicit_examine(engine *base, message *m)
{
    half_explicit *e = (half_explicit *)base;
    dae_status status = prepare(e, INSTANT_SHORT * e->base.stepping.step);
    e->instant.delta = 0;
    e->linearized = false;
    return instant_refuse_rows(&e->instant, base, e->scheme.method, true, status, m);
}

/* --- creation --- */

static void half_explicit_state(engine *base, state_visit *s)
{
    half_explicit *e = (half_explicit *)base;
    size_t n = base->problem->n, rows = (size_t)(e->scheme.stages + e->scheme.extra);
    instant_state(&e->instant, s);
    STATE(s, e->linearized);
    STATE(s, e->first_is_start);
    STATE(s, e->has_polynomial);
    state_doubles(s, e->yp, n * rows);
}

/* Converts the method's coefficients to doubles and sets the tolerance of the error test. */
static dae_status take_numbers(half_explicit *e, const method *which)
{
    double least = problem_highest_index(e->base.problem) > 1 ? 1 : 0;
    dae_status status = scheme_make(&e->scheme, which);
    if (status != DAE_OK) return status;
    e->carries = which->family == METHOD_HALF_EXPLICIT && half_explicit_carries(which);
    for (int i = 0; i < which->stages; i++)
        for (int j = 0; j < which->stages; j++)
            e->constraint[i][j] = (double)which->constraint[i][j];
    e->base.stepping.control.choice = CONTROL_PI;
    e->base.next.degree = polynomial_degree(&e->scheme);
    e->instant.newton.exactly = e->base.options.fixed_step > 0;
    e->instant.newton.count = &e->base.counts.newton_iterations;
    if (e->scheme.estimate == SCHEME_NO_ESTIMATE) return DAE_OK;
    stepping_hold(&e->base, e->scheme.estimate_order, e->scheme.order, least);
    newton_hold(&e->instant.newton, e->base.stepping.rtol, NEWTON_OF_STAGES);
    return DAE_OK;
}

static dae_status half_explicit_create(engine *base, const method *which, message *m)
{
    half_explicit *e = (half_explicit *)base;
    dae_status status = refuse(base->problem, which, &base->options, m);
    if (status == DAE_OK) status = take_numbers(e, which);
    if (status == DAE_OK && base->options.watch) watching_begin(&e->watching, &e->scheme);
    return status;
}

static void half_explicit_carve(engine *base, workspace *space)
{
    half_explicit *e = (half_explicit *)base;
    size_t n = base->problem->n, rows = (size_t)e->scheme.stages + (size_t)e->scheme.extra;
    e->yp = workspace_doubles(space, n * rows);
    workspace_vectors(space, n,
                      (double **[]){&e->stage, &e->from, &e->error, &e->end, &e->end_yp, NULL});
    instant_carve(&e->instant, space, base);
}

static dae_status half_explicit_reserve(engine *base, const method *which, message *m)
{
    (void)which, (void)m;
    if (((half_explicit *)base)->instant.solves_algebraic) return DAE_OK;
    return problem_reserve(base->problem, 1, (const bool[]){false});
}

const engine_ops half_explicit_engine = {
    .size = sizeof(half_explicit),
    .create = half_explicit_create,
    .carve = half_explicit_carve,
    .reserve = half_explicit_reserve,
    .release = half_explicit_release,
    .start = half_explicit_start,
    .examine = half_explicit_examine,
    .attempt = attempt,
    .shortened = shortened,
    .lend = half_explicit_lend,
    .state = half_explicit_state,
};
