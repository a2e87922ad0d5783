#include "integrate/engines.h"

#include "integrate/runge_kutta_parts.h"
#include "stepping/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the order levels of a method of variable order --- */

/* A higher order is tried after this many steps, if Newton's iteration converges this fast. A lower
 * order is taken if it converges this slowly, or fails this often in one step. FAST and SLOW are
 * RADAU's VITU and VITD. The lowest order only serves to pass a difficult place. */
enum {
    STEPS_BEFORE_RISE = 10,
    STEPS_AT_LOWEST = 3,
    FAILURES_BEFORE_FALL = 2,
    FAILURES_TO_LOWEST = 5
};
static const double FAST = 0.002, SLOW = 0.8;

/* On index 3 the first correction mainly removes the error of predicted multipliers, which is far
 * larger than that of positions. So the second correction makes the convergence look fast. The
 * error that then remains in positions enters the estimate of a later step, multiplied by lambda
 * squared, however short that step is. */
static const double RATE_ON_INDEX_3 = 0.1;

/* The scheme of a level, when it is first taken. */
static dae_status make_order_level(runge_kutta *e, int order_level)
{
    scheme *s = &e->scheme[order_level];
    if (s->method) return DAE_OK;
    dae_status status = scheme_make(
        s, e->which->order_levels > 0 ? e->which->order_level[order_level] : e->which);
    if (status != DAE_OK) s->method = NULL;
    return status;
}

/* More stages make longer steps, so that a failure loses more. Therefore they are allowed more
 * iterations, as in RADAU (Hairer & Wanner, J. Comput. Appl. Math. 111 (1999) 93). Three stages get
 * this many more, where RADAU gives them none. Measured on the problems of tests/zoo: up to a sixth
 * less work for three stages. */
enum { MORE_OF_THREE = 3 };

/* The most stages that are coupled. */
static int coupled_stages(const scheme *s)
{
    int coupled = 0;
    for (int k = 0; k < s->blocks; k++)
        if (s->block[k].is_implicit && s->block[k].stages > coupled) coupled = s->block[k].stages;
    return coupled;
}

static void take_order_level(runge_kutta *e, int order_level)
{
    if (make_order_level(e, order_level) != DAE_OK) return; /* the level stays */
    e->order_level = e->base.order_level = order_level;
    e->stages.scheme = &e->scheme[order_level];
    e->stages.factored_step = 0;
    e->reuse = (reuse){0};
    e->since_change = 0;
    const scheme *s = e->stages.scheme;
    if (s->estimate == SCHEME_NO_ESTIMATE) {
        e->stages.newton.rtol = e->base.options.rtol;
        return;
    }
    /* on a higher index the method's order is not that on ODEs: no tolerance below rtol itself */
    double least = problem_highest_index(e->base.problem) > 1 ? 1 : 0;
    if (s->is_implicit && s->estimate == SCHEME_EMBEDDED)
        least = fmax(least, control_least_exponent(s->estimate_order, s->order, s->stage_order));
    /* at its lowest level a variable order would ask for the square of rtol, but the values from
     * which it continues are not that accurate */
    int order = e->order_levels > 1 && s->order <= s->estimate_order ? s->estimate_order + 1
                                                                     : s->order;
    stepping_hold(&e->base, s->estimate_order, order, least);
    newton_hold(&e->stages.newton, e->base.stepping.rtol, NEWTON_OF_STAGES);
    e->instant.newton = e->stages.newton;
    e->instant.newton.count = NULL;
    int coupled = coupled_stages(s);
    e->stages.newton.more = coupled > 3 ? 5 * (coupled - 3) / 2 : coupled == 3 ? MORE_OF_THREE : 0;
    e->stages.newton.least = problem_highest_index(e->base.problem) > 2 ? RATE_ON_INDEX_3 : 0;
}

/* A variable order rises if Newton's iteration converges fast and falls if it converges slowly. In
 * between it would be hard to tell which order allows the longer step. */
static void choose_order_level(runge_kutta *e)
{
    if (e->order_levels == 1 || e->base.options.fixed_step > 0) return;
    double rate = fmin(e->stages.worst_rate,
                       e->reuse.best_rate); /* an old Jacobian's tells nothing */
    double mean = e->last_rate > 0 ? sqrt(rate * e->last_rate) : rate;
    int wait = e->order_level == 0 ? STEPS_AT_LOWEST : STEPS_BEFORE_RISE;
    bool tells = !e->unguessed;
    e->unguessed = false;
    e->last_rate = tells ? rate : 0;
    e->since_change++;
    e->failures = 0;
    if (!tells) return;
    if (mean >= SLOW && e->order_level > 1)
        take_order_level(e, e->order_level - 1);
    else if ((mean <= FAST || e->order_level == 0) && e->order_level + 1 < e->order_levels &&
             e->since_change > wait)
        take_order_level(e, e->order_level + 1);
}

/* To a lower level after failed attempts. */
static void fall_after_failure(runge_kutta *e)
{
    if (e->order_levels == 1 || e->base.options.fixed_step > 0) return;
    e->last_rate = 0;
    e->failures++;
    int patience = e->order_level == 1 ? FAILURES_TO_LOWEST : FAILURES_BEFORE_FALL;
    if (e->order_level == 0 || e->failures < patience) return;
    take_order_level(e, e->order_level - 1);
    e->failures = 0;
}

/* --- the start --- */

/* The length of the short step that finds derivatives of algebraic variables, as a part of the
 * first step. */
static const double FORMAL_STEP = 1e-4;

/* Finds the derivatives of algebraic variables by one implicit step of length delta, F_y z' = -F_t
 * - F_y y', with an error of order delta: into `found`. */
static dae_status find_formal(runge_kutta *e, double delta, double *found)
{
    problem *p = e->base.problem;
    const double *y = e->base.y, *yp = e->base.yp;
    for (size_t k = 0; k < p->n; k++) e->end[k] = y[k] + delta * yp[k];
    dae_status status = problem_factor(p, e->stages.yp_slot, 1 / delta, 1);
    if (status == DAE_OK) status = problem_residual(p, e->base.t, y, yp, e->error);
    if (status == DAE_OK) status = problem_residual(p, e->base.t + delta, e->end, yp, found);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < p->n; k++) found[k] = (e->error[k] - found[k]) / delta;
    problem_solve(p, e->stages.yp_slot, found);
    return DAE_OK;
}

/* Finds the derivatives of algebraic variables of index 1, which no equation determines but which a
 * first stage carries. They are extrapolated from two short steps; where that fails they are 0. */
static void find_formal_yp(runge_kutta *e)
{
    problem *p = e->base.problem;
    size_t algebraic = 0;
    for (size_t k = 0; k < p->n; k++) {
        if (p->index && p->index[k] > 1) return;
        if (!p->dynamic[k]) e->base.yp[k] = 0, algebraic++;
    }
    if (algebraic == 0 || e->stages.yp_slot == PROBLEM_NOWHERE) return;
    double delta = FORMAL_STEP * e->base.stepping.step * e->base.options.direction;
    dae_status status = problem_linearize(p, e->base.t, e->base.y, e->base.yp);
    if (status == DAE_OK) status = find_formal(e, delta, e->rate);
    if (status == DAE_OK) status = find_formal(e, delta / 2, e->end_yp);
    e->stages.yp_factored = false;
    for (size_t k = 0; status == DAE_OK && k < p->n; k++) {
        double yp = 2 * e->end_yp[k] - e->rate[k];
        if (!p->dynamic[k] && isfinite(yp)) e->base.yp[k] = yp;
    }
}

/* The order level to begin with. With fixed steps it is the level whose numbers the method has. */
static int first_order_level(const runge_kutta *e)
{
    if (e->base.options.fixed_step > 0) return e->order_levels - 1;
    int first = e->order_levels > 1 ? 1 : 0, known = e->base.start_level;
    return known > first && known < e->order_levels ? known : first;
}

static void runge_kutta_start(engine *base)
{
    runge_kutta *e = (runge_kutta *)base;
    e->has_polynomial = e->linearized = e->linearized_ahead = e->fresh = false;
    e->last_rate = 0;
    e->failures = 0;
    e->stages.yp_factored = false;
    instant_start(&e->instant);
    int since_change = e->since_change;
    take_order_level(e, first_order_level(e));
    e->unguessed = base->start_level > 0;
    if (e->unguessed) e->since_change = since_change; /* the wait for a higher level goes on */
    stepping_start(base);
    if (e->stages.scheme->carries_yp && !e->solves_end) find_formal_yp(e);
}

/* First guesses of the stages: the last polynomial, continued; before there is one, the tangent. */
static void predict(runge_kutta *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = e->stages.scheme;
    double *end = e->end;
    if (e->has_polynomial) dense_output_evaluate(&e->base.dense, e->base.t, end, NULL);
    for (int i = 0; i < s->stages; i++) {
        double *z = e->stages.z + (size_t)i * n;
        if (e->has_polynomial) {
            dense_output_evaluate(&e->base.dense, e->base.t + s->c[i] * h, z, NULL);
            for (size_t k = 0; k < n; k++) z[k] -= end[k];
        } else {
            for (size_t k = 0; k < n; k++)
                z[k] = e->base.problem->dynamic[k] ? s->c[i] * h * e->base.yp[k] : 0;
        }
    }
}

/* Evaluates and factors the Jacobian for the step h, unless this is done already. */
static dae_status prepare(runge_kutta *e, double h)
{
    if (!e->linearized) {
        dae_status status = problem_linearize(e->base.problem, e->base.t, e->base.y, e->base.yp);
        if (status != DAE_OK) return status;
        e->linearized = e->fresh = true;
        if (!e->base.problem->constant) e->stages.factored_step = e->instant.delta = 0;
    }
    dae_status status = e->solves_end ? runge_kutta_prepare_end(e, h) : DAE_OK;
    if (status != DAE_OK || e->stages.factored_step == h) return status;
    status = stages_factor(&e->stages, h);
    if (status == DAE_OK && e->reuse.iteration == 0)
        reuse_estimate(&e->reuse, e->base.problem, e->stages.scheme);
    e->reuse.forgone = 0;
    return status;
}

/* Puts the last stage into e->end. */
static void take_last_stage(runge_kutta *e)
{
    size_t n = e->base.problem->n;
    const double *z = e->stages.z + (size_t)(e->stages.scheme->stages - 1) * n;
    for (size_t k = 0; k < n; k++) e->end[k] = e->base.y[k] + z[k];
}

/* Finds y and y' at the end of the step, into e->end and e->end_yp. */
static dae_status find_end(runge_kutta *e, double h)
{
    size_t n = e->base.problem->n;
    const scheme *s = e->stages.scheme;
    int last = s->stages - 1;
    if (s->stiffly_accurate) {
        take_last_stage(e);
    } else {
        memcpy(e->end, e->base.y, n * sizeof *e->end);
        stages_add(&e->stages, s->stages, s->b, h, e->end);
    }
    if (e->solves_end) return runge_kutta_solve_end(e, h);
    memcpy(e->end_yp, e->stages.yp + (size_t)last * n, n * sizeof *e->end_yp);
    if (s->stiffly_accurate) return DAE_OK;
    if (s->needs_yp) return stages_find_yp(&e->stages, e->base.t + h, e->end, e->end_yp);
    if (s->degree == 0) return DAE_OK;
    memset(e->end_yp, 0, n * sizeof *e->end_yp);
    for (int m = 0; m < s->degree; m++)
        stages_add(&e->stages, s->stages, s->interpolant[m], m + 1, e->end_yp);
    if (!runge_kutta_carries_missed(e)) return DAE_OK;
    return runge_kutta_meet_algebraic(e, e->base.t + h, e->end, e->end_yp);
}

static void accept(runge_kutta *e, double h)
{
    watching_measure(&e->watching, &e->base, h, e->end, e->end_yp, e->stages.yp);
    e->has_polynomial = true;
    if (e->solves_end) instant_note_rise(&e->instant, h, e->base.y, e->end);
    engine_accept(&e->base, e->base.t + h, e->end, e->end_yp);
    e->fresh = e->linearized_ahead;
    if (!e->fresh && !e->keeps_jacobian) e->linearized = false;
    e->linearized_ahead = false;
    choose_order_level(e);
}

/* Solves for all stages. */
static dae_status solve(runge_kutta *e, double h)
{
    dae_status status = e->stages.scheme->is_implicit ? prepare(e, h) : DAE_OK;
    if (status != DAE_OK) return status;
    if (e->stages.scheme->is_implicit) predict(e, h);
    e->instant.worst_rate = 0;
    return stages_solve(&e->stages, h);
}

/* Finds the end of the step and its polynomial, as long as the error is below its limit, 1. */
static dae_status finish(runge_kutta *e, double h, double *size)
{
    bool fixed = e->base.options.fixed_step > 0;
    dae_status status = fixed ? DAE_OK : runge_kutta_judge(e, h, size);
    if (status == DAE_OK && *size < 1) status = find_end(e, h);
    if (status == DAE_OK && *size < 1) status = runge_kutta_interpolate(e, h);
    if (status == DAE_OK && *size < 1 && !fixed) status = runge_kutta_judge_within(e, h, size);
    return status;
}

/* Decides whether a step of error `size` is accepted, whether its Jacobian and factors serve for
 * the next step, and how long that is. */
static bool decide(runge_kutta *e, double h, double size, bool last)
{
    const stages *s = &e->stages;
    double most = NEWTON_MOST_ITERATIONS + s->newton.more, effort = 0.9;
    if (s->scheme->is_implicit) effort *= (2 * most + 1) / (2 * most + s->iterations);
    double rate = fmax(s->worst_rate, e->instant.worst_rate);
    e->keeps_jacobian = s->scheme->is_implicit &&
                        reuse_keeps_jacobian(&e->reuse, s->iterations, rate, e->fresh);
    e->base.stepping.keep_growth = reuse_kept_growth(&e->reuse, s->iterations);
    bool accepted = stepping_decide(&e->base, h, size, e->error, effort, e->keeps_jacobian, last);
    if (accepted) reuse_note_growth(&e->reuse, e->base.stepping.declined, s->iterations);
    return accepted;
}

/* The length of a first step is a guess. An error that is too large there says nothing against the
 * order. Derivatives were found over a part of that length, in which a fast transient may have
 * ended. */
static void shorten_first(runge_kutta *e)
{
    if (e->stages.scheme->carries_yp && !e->solves_end) find_formal_yp(e);
}

/* The end of the last step may miss more of the equations than its older Jacobian could show. */
static dae_status mend_start(runge_kutta *e)
{
    engine *base = &e->base;
    size_t size = base->problem->n * sizeof *base->y;
    memcpy(e->end, base->y, size);
    dae_status status = runge_kutta_meet_algebraic(e, base->t, e->end, base->yp);
    if (status == DAE_OK) memcpy(base->y, e->end, size);
    return status;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    runge_kutta *e = (runge_kutta *)base;
    double size = 0;
    dae_status status = solve(e, h);
    if (status == DAE_OK) status = finish(e, h, &size);
    if (status != DAE_OK) return status;
    *accepted = base->options.fixed_step > 0 || decide(e, h, size, last);
    if (*accepted) {
        accept(e, h);
        return DAE_OK;
    }
    if (e->stages.scheme->stiffly_accurate && stepping_may_mend(base)) {
        take_last_stage(e);
        status = runge_kutta_correction(e, base->t, base->y, base->yp, e->rate);
        if (status == DAE_OK) stepping_mend_start(base, e->end, e->rate);
    }
    if (status != DAE_STOPPED && e->fresh && runge_kutta_carries_missed(e)) status = mend_start(e);
    e->linearized = e->linearized && e->fresh && !e->linearized_ahead;
    e->linearized_ahead = false;
    if (base->stepping.first)
        shorten_first(e);
    else
        fall_after_failure(e);
    return status == DAE_STOPPED ? status : DAE_OK;
}

/* Shortens the step if the Jacobian is fresh. With an old Jacobian the length of the step may not
 * be to blame, and the step is tried again with a fresh one. */
static void shortened(engine *base, dae_status status, double *factor)
{
    runge_kutta *e = (runge_kutta *)base;
    newton_shorten(&e->stages.newton, status, factor);
    if (!e->fresh && status == DAE_NEWTON && *factor >= 0.3) *factor = 1;
    e->linearized = e->linearized && e->fresh && !e->linearized_ahead;
    e->linearized_ahead = false;
    e->stages.factored_step = e->instant.delta = 0;
    e->stages.yp_factored = false;
    fall_after_failure(e);
}

static void runge_kutta_lend(engine *base)
{
    runge_kutta *e = (runge_kutta *)base;
    e->linearized = e->linearized_ahead = e->fresh = false;
    e->stages.factored_step = e->instant.delta = 0;
    e->stages.yp_factored = false;
}

static void runge_kutta_release(engine *base)
{
    runge_kutta *e = (runge_kutta *)base;
    instant_free(&e->instant);
    free(e->scheme);
}

/* The order level at work, with what follows from it. */
static void order_level_state(runge_kutta *e, state_visit *s)
{
    int level = e->order_level;
    STATE(s, level);
    if (s->way != STATE_RESTORE) return;
    state_fail(s, make_order_level(e, level));
    if (s->status == DAE_OK) take_order_level(e, level);
}

static void runge_kutta_state(engine *base, state_visit *s)
{
    runge_kutta *e = (runge_kutta *)base;
    if (e->order_levels > 1) order_level_state(e, s);
    stages_state(&e->stages, s);
    STATE(s, e->reuse);
    if (e->solves_end) instant_state(&e->instant, s);
    STATE_MEMBERS(s, runge_kutta, e, since_change, error);
    STATE_MEMBERS(s, runge_kutta, e, fresh, watching);
    STATE_MEMBERS(s, runge_kutta, e, linearized_ahead, scheme);
}

/* Sizes that serve every order level: those of the highest. It is a Radau IIA method with an odd
 * number of stages, and so has one real eigenvalue. */
static stages_sizes sizes_of_order_levels(runge_kutta *e)
{
    int most = e->which->order_level[e->order_levels - 1]->stages;
    stages_sizes sizes = {.stages = most, .coupled = most, .slots = (most + 1) / 2};
    for (int k = 1; k < sizes.slots; k++) sizes.slot_is_complex[k] = true;
    e->base.next.degree = most > 3 ? most : 3;
    return sizes;
}

/* Sets the highest degree of a polynomial as well. */
static stages_sizes sizes_of(runge_kutta *e)
{
    const scheme *s = e->stages.scheme;
    if (e->order_levels > 1) return sizes_of_order_levels(e);
    stages_sizes sizes = {.stages = s->stages + s->extra,
                          .coupled = coupled_stages(s),
                          .slots = s->slots,
                          .of_yp = s->needs_yp || s->carries_yp,
                          .ends = e->solves_end};
    memcpy(sizes.slot_is_complex, s->slot_is_complex, sizeof sizes.slot_is_complex);
    e->base.next.degree = s->degree > 3 ? s->degree : 3;
    return sizes;
}

static void runge_kutta_carve(engine *base, workspace *space)
{
    runge_kutta *e = (runge_kutta *)base;
    workspace_vectors(space, base->problem->n,
                      (double **[]){&e->error, &e->rate, &e->end, &e->end_yp, NULL});
    stages_carve(&e->stages, space, base);
    if (e->solves_end) instant_carve(&e->instant, space, base);
}

static dae_status make_first_scheme(runge_kutta *e, const method *which, message *m)
{
    e->which = which;
    e->order_levels = which->order_levels > 0 ? which->order_levels : 1;
    int most = e->base.options.max_order; /* order levels are Radau IIA methods, of order 2s - 1 */
    while (most > 0 && e->order_levels > 1 &&
           2 * which->order_level[e->order_levels - 1]->stages - 1 > most)
        e->order_levels--;
    e->scheme = calloc((size_t)e->order_levels, sizeof *e->scheme);
    if (!e->scheme) return DAE_NO_MEMORY;
    e->stages.scheme = &e->scheme[first_order_level(e)];
    dae_status status = make_order_level(e, first_order_level(e));
    if (status == DAE_UNSUPPORTED)
        message_fail(m, status,
                     "%s couples more than %d stages, which is the most that are solved "
                     "together; take fewer nodes",
                     which->name, SCHEME_MOST_COUPLED);
    if (status == DAE_SINGULAR)
        message_fail(m, DAE_UNSUPPORTED,
                     "the stages of %s cannot be decoupled: its matrix is "
                     "singular, or has multiple eigenvalues with too few eigenvectors; take other "
                     "nodes",
                     which->name);
    return m->status == DAE_OK ? status : m->status;
}

static dae_status runge_kutta_create(engine *base, const method *which, message *m)
{
    runge_kutta *e = (runge_kutta *)base;
    e->solves_end = which->base != NULL;
    if (e->solves_end) e->stages.instant = &e->instant;
    e->stages.newton.exactly = e->instant.newton.exactly = base->options.fixed_step > 0;
    e->stages.newton.count = &base->counts.newton_iterations;
    e->stages.newton.noisy = &base->noise_everywhere;
    dae_status status = make_first_scheme(e, which, m);
    if (status == DAE_OK) status = runge_kutta_refuse(e, which, m);
    if (status != DAE_OK) return status;
    e->stages.sizes = sizes_of(e);
    if (!e->stages.scheme->is_implicit) base->stepping.control.choice = CONTROL_PI;
    if (base->options.watch) watching_begin(&e->watching, &e->scheme[0]);
    return DAE_OK;
}

static dae_status runge_kutta_reserve(engine *base, const method *which, message *m)
{
    runge_kutta *e = (runge_kutta *)base;
    (void)which, (void)m;
    dae_status status = stages_reserve(&e->stages);
    e->instant.slot = e->stages.yp_slot;
    return status;
}

const engine_ops runge_kutta_engine = {
    .size = sizeof(runge_kutta),
    .create = runge_kutta_create,
    .carve = runge_kutta_carve,
    .reserve = runge_kutta_reserve,
    .release = runge_kutta_release,
    .start = runge_kutta_start,
    .examine = runge_kutta_examine,
    .attempt = attempt,
    .shortened = shortened,
    .lend = runge_kutta_lend,
    .state = runge_kutta_state,
};
