#include "method/structural.h"
#include "base/round_off.h"
#include "integrate/structural_parts.h"
#include "integrate/tangent_parts.h"
#include "stepping/newton.h"

#include <math.h>
#include <string.h>

/* Records what made a step fail. If the iteration did not converge, this is the equation of motion
 * of the coordinate that changes most, or the constraint of the multiplier. */
static void blame(structural *e, dae_status status)
{
    step_failure *failure = &e->base.failure;
    bool row = status == DAE_NOT_EVALUABLE;
    e->base.problem->bad_row = row ? e->mechanical->bad_row : PROBLEM_NOWHERE;
    e->base.problem->bad_column = row ? PROBLEM_NOWHERE : e->mechanical->bad_row;
    if (status != DAE_NEWTON) return;
    failure->cause = status;
    failure_find_variable(failure, e->base.problem->n, 1, e->change, e->base.stepping.weight);
    bool coordinate = failure->worst < e->nq && !e->mechanical->form->given.kinematics;
    failure->worst_row = coordinate ? failure->worst + e->nq : failure->worst;
}

/* Evaluates and factors the matrices at the start, so that factors take their memory here and not
 * within a step. What fails here fails again in the step. */
static void prepare(structural *e)
{
    const engine *base = &e->base;
    const structural_point *at = &e->at;
    memcpy(at->y, base->y, base->problem->n * sizeof(double));
    memcpy(at->vp, base->yp + e->nq, e->nv * sizeof(double));
    e->h = e->base.stepping.step * base->options.direction;
    e->t_end = base->t;
    if (e->tangent)
        tangent_start(e->tangent, e);
    else if (structural_renew_factor(e) != DAE_OK)
        e->factored = false;
    else if (e->level == 3) /* for structural_finish_velocities() */
        (void)mechanical_factor(e->mechanical, 0, 1, 0, 0);
}

/* The method settles to a = v' at t + shift h. It begins with that a, so that the start leaves no
 * oscillation of the multipliers (Arnold, Bruls & Cardona, Numer. Math. 129 (2015) 149). */
static void structural_start(engine *base)
{
    structural *e = (structural *)base;
    const double *q = base->y, *v = q + e->nq, *vp = base->yp + e->nq;
    e->factored = false;
    e->trend_step = 0;
    memset(e->bend, 0, e->nv * sizeof *e->bend);
    if (e->shift != 0 && structural_jerk(e, base->t, q, v, vp, e->room, e->bend) == DAE_OK)
        for (size_t k = 0; k < e->nv; k++) e->bend[k] *= e->shift;
    stepping_start(base);
    prepare(e);
}

/* At the start, v'' of a fast transient says nothing about a whole step. It may not move positions
 * further than velocities and accelerations do. */
static double trusted(const structural *e, double h)
{
    const double *v = e->base.y + e->nq, *vp = e->base.yp + e->nq,
                 *weight = e->base.stepping.weight;
    if (e->trend_step != 0) return 1;
    if (e->mechanical->form->given.kinematics) weight += e->nq;
    double motion = fabs(h) * control_norm(e->nv, v, weight, NULL, 1) +
                    h * h * control_norm(e->nv, vp, weight, NULL, 1);
    double further = fabs(h * h * h) * control_norm(e->nv, e->bend, weight, NULL, 1);
    return further > motion ? motion / further : 1;
}

/* Computes what the start contributes to the step. If h differs from the last one, a is moved along
 * the motion (Bruls & Arnold, J. Comput. Nonlinear Dyn. 3 (2008) 041007). */
static void begin_step(structural *e, double h)
{
    const double *vp = e->base.yp + e->nq;
    double bend = h * trusted(e, h);
    structural_finish_velocities(e, h);
    e->h = h;
    e->t_end = e->base.t + h;
    for (size_t k = 0; k < e->nv; k++) {
        e->a[k] = vp[k] + bend * e->bend[k];
        e->old[k] = (e->alpha_f * vp[k] - e->alpha_m * e->a[k]) / (1 - e->alpha_m);
    }
}

/* The error estimate of Zienkiewicz & Xie, Earthq. Eng. Struct. Dyn. 20 (1991) 871, for positions,
 * and the same with one more derivative for velocities. Multipliers follow from both and are left
 * out, as is usual on index 3. */
static dae_status find_error(structural *e, double *size)
{
    double h = e->h, *error = e->change, *way = e->right;
    double span = e->trend_step != 0 ? (h + e->trend_step) / 2 : 0;
    memset(error, 0, e->base.problem->n * sizeof *error);
    for (size_t k = 0; k < e->nv; k++) {
        double rise = e->at.a[k] - e->a[k], bend = 0;
        if (span != 0) bend = (rise / h - e->trend[k]) / span;
        way[k] = e->error_q * h * h * rise;
        error[e->nq + k] = e->error_v * h * h * h * bend;
    }
    if (e->tangent) tangent_keep(e->tangent, way);
    if (e->tangent) tangent_keep(e->tangent, error + e->nq);
    dae_status status = mechanical_kinematics(e->mechanical, e->t_end, e->at.q, way, error);
    *size = control_norm(e->nq + e->nv, error, e->base.stepping.weight, e->index, fabs(h));
    return status == DAE_OK && !isfinite(*size) ? DAE_NOT_EVALUABLE : status;
}

/* Interpolates positions and velocities by their values and derivatives at both ends. Multipliers
 * are interpolated linearly, because their derivatives are not known. */
static dae_status interpolate(structural *e)
{
    engine *base = &e->base;
    size_t motion = e->nq + e->nv, n = base->problem->n;
    mechanical *m = e->mechanical;
    dae_status status = mechanical_kinematics(m, base->t, base->y, base->y + e->nq, e->from);
    if (status == DAE_OK) status = mechanical_kinematics(m, e->t_end, e->at.q, e->at.v, e->yp);
    memcpy(e->yp + e->nq, e->at.vp, e->nv * sizeof(double));
    memcpy(e->from + e->nq, base->yp + e->nq, e->nv * sizeof(double));
    for (size_t k = motion; k < n; k++) e->from[k] = e->yp[k] = (e->at.y[k] - base->y[k]) / e->h;
    base->next.t = base->t;
    base->next.h = e->h;
    dense_output_make_hermite(&base->next, base->y, e->from, e->at.y, e->yp);
    return status;
}

static void accept(structural *e)
{
    for (size_t k = 0; k < e->nv; k++) {
        e->bend[k] = (e->at.a[k] - e->at.vp[k]) / e->h;
        e->trend_before[k] = e->trend_step != 0 ? e->trend[k] : HUGE_VAL;
        e->trend[k] = (e->at.a[k] - e->a[k]) / e->h;
    }
    e->trend_step = e->h;
    engine_accept(&e->base, e->t_end, e->at.y, e->yp);
}

/* Frequencies change within a step, so it may take only this part of the limit at its start. */
static const double STABLE_PART = 0.98;

/* Notes the frequency and the stable step of the reduced system at the end of the step. */
static void note_frequency(structural *e)
{
    engine *base = &e->base;
    double omega, ratio;
    if (!e->tangent || !tangent_frequency(e->tangent, &omega, &ratio)) return;
    double limit = structural_turning_point(e->numbers, fmax(0, ratio)) / omega;
    base->frequency = fmax(base->frequency, omega);
    if (isinf(limit)) return;
    if (base->stable_step == 0 || limit < base->stable_step) base->stable_step = limit;
    double bound = STABLE_PART * limit;
    if (base->options.stable_steps)
        base->options.max_step = e->max_step > 0 ? fmin(e->max_step, bound) : bound;
}

static dae_status attempt(engine *base, double h, bool last, bool *accepted)
{
    structural *e = (structural *)base;
    bool fixed = base->options.fixed_step > 0;
    begin_step(e, h);
    dae_status status = e->tangent ? tangent_solve(e->tangent, e) : structural_solve(e);
    base->problem->counts.residuals = e->mechanical->forces;
    base->problem->counts.jacobians = e->mechanical->jacobians;
    base->problem->counts.factorizations = e->mechanical->factorizations;
    double size = 0;
    if (status == DAE_OK && !fixed) status = find_error(e, &size);
    if (status == DAE_OK) status = interpolate(e);
    if (status != DAE_OK) {
        blame(e, status);
        return status;
    }
    *accepted = fixed || stepping_decide(base, h, size, e->change, 0.9, true, last);
    if (*accepted) accept(e);
    if (*accepted) note_frequency(e);
    return DAE_OK;
}

static void shortened(engine *base, dae_status status, double *factor)
{
    structural *e = (structural *)base;
    e->factored = false;
    newton_shorten(&e->newton, status, factor);
}

static void structural_state(engine *base, state_visit *s)
{
    structural *e = (structural *)base;
    newton_state(&e->newton, s);
    STATE_MEMBERS(s, structural, e, max_step, numbers);
    double *const kept[] = {e->bend, e->a, e->trend, e->trend_before};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) state_doubles(s, kept[i], e->nv);
    STATE(s, e->trend_step);
    STATE_MEMBERS(s, structural, e, renews, tangent);
    STATE(s, e->mechanical->forces);
    STATE(s, e->mechanical->jacobians);
    STATE(s, e->mechanical->factorizations);
    if (s->way != STATE_COUNT) e->factored = false; /* the system holds factors: made anew */
}

/* The share of a step's error that Newton's iteration may leave. */
static const double SHARE_OF_NEWTON = 0.01;

static void take_numbers(structural *e, const method_structural *s)
{
    e->numbers = s;
    e->max_step = e->base.options.max_step;
    e->alpha_m = (double)s->alpha_m;
    e->alpha_f = (double)s->alpha_f;
    e->beta = (double)s->beta;
    e->gamma = (double)s->gamma;
    e->delta = e->level == 0 ? (double)s->delta : 0;
    e->shift = e->alpha_m - e->alpha_f;
    e->share = (1 - e->alpha_f) / (1 - e->alpha_m);
    structural_errors(s, &e->error_q, &e->error_v);
    e->newton.rtol = 1;
    e->newton.exactly = e->base.options.fixed_step > 0;
    e->newton.count = &e->base.counts.newton_iterations;
    if (e->base.options.fixed_step > 0) return;
    stepping_hold(&e->base, 2, 2, 0);
    newton_hold(&e->newton, e->base.stepping.rtol, SHARE_OF_NEWTON);
}

static void carve_point(structural *e, structural_point *at, workspace *space)
{
    at->y = workspace_doubles(space, e->base.problem->n);
    at->q = at->y;
    at->v = at->y ? at->y + e->nq : NULL;
    at->lambda = at->y ? at->v + e->nv : NULL;
    workspace_vectors(space, e->nv, (double **[]){&at->vp, &at->a, NULL});
}

static void structural_carve(engine *base, workspace *space)
{
    structural *e = (structural *)base;
    size_t n = base->problem->n;
    workspace_vectors(space, n, (double **[]){&e->change, &e->yp, &e->from, NULL});
    workspace_vectors(space, e->nq, (double **[]){&e->middle, &e->rate, NULL});
    workspace_vectors(space, e->nv,
                      (double **[]){&e->bend, &e->a, &e->trend, &e->old, &e->increment, &e->v,
                                    &e->trend_before, NULL});
    carve_point(e, &e->at, space);
    e->right = workspace_doubles(space, e->nv + e->constraints);
    e->room = workspace_doubles(space, e->nq + 3 * e->nv + e->constraints);
    e->index = workspace_take(space, n, sizeof *e->index);
}

/* --- what structural methods cannot do, and what does not converge --- */

static const char *level_word(int level)
{
    return level == 3 ? "positions" : "velocities";
}

/* The level on which a step meets constraints. If all constraints are on velocities, there is none
 * on positions. 0 in the tangent; 1 also if there are no constraints. */
static int level_of(const problem *p)
{
    const mechanical *m = p->mechanical;
    if (m->constraints == 0 && p->level > 0) return 1;
    return p->level == 3 && m->holonomic == 0 ? 2 : p->level;
}

/* The error estimate reads accelerations. With constraints on positions these have the errors of
 * multipliers, which are an error of position divided by h^2. If such errors do not decay, each
 * change of the step adds to them, and the next steps get shorter still (Cardona & Geradin, Comput.
 * Struct. 33 (1989) 801). */
static dae_status refuse_adaptive(const problem *p, const method *which, message *m)
{
    const method_structural *s = which->structural;
    if (structural_order(s, false) < 2)
        return message_fail(m, DAE_USAGE,
                            "%s is of order 1, and error control would take about 1/rtol steps: "
                            "give a fixed step (option step), or take generalized-alpha",
                            which->name);
    if (level_of(p) < 3 || structural_radius_at_infinity(s, 3) < 1 - ROUND_OFF_ITERATED)
        return DAE_OK;
    return message_fail(m, DAE_USAGE,
                        "%s has no error control with constraints on positions: errors of its "
                        "multipliers do not decay, and each change of the step adds to them; give "
                        "a fixed step (option step), or take formulation tangent, or "
                        "generalized-alpha with rho_inf < 1",
                        which->name);
}

/* Whether the method can advance the problem. */
static dae_status refuse(const problem *p, const method *which, const engine_options *options,
                         message *m)
{
    const mechanical *mech = p->mechanical;
    const method_structural *s = which->structural;
    if (!mech)
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s advances mechanical systems M v' = f + G^T lambda as they are, and "
                            "these equations are not given so; take another "
                            "method, such as trapezoidal or radau-iia3",
                            which->name);
    if (p->level == 0 && s->delta != 0 && mech->form->given.kinematics)
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s is corrected to order 4 where q' = v, and here q' = S v; take "
                            "fox-goodwin, of order 2",
                            which->name);
    int level = level_of(p);
    if ((level == 3 && s->beta == 0) || (level == 2 && s->gamma == 0))
        return message_fail(m, DAE_UNSUPPORTED,
                            "%s cannot meet constraints on %s: those of a step do not depend on "
                            "its accelerations; take formulation index1 or tangent",
                            which->name, level_word(level));
    return options->fixed_step > 0 ? DAE_OK : refuse_adaptive(p, which, m);
}

static void refuse_size(const structural *e, message *m)
{
    message_fail(m, DAE_UNSUPPORTED,
                 "the tangent formulation finds null spaces by dense decompositions, whose cost a "
                 "step grows with the cube of the size, and here there are %zu velocities and %zu "
                 "constraints; take generalized-alpha with formulation index3, whose matrices "
                 "are sparse",
                 e->nv, e->constraints);
}

/* Notes that multipliers do not converge. */
static void note_level(const problem *p, const method *which, message *m)
{
    int level = level_of(p);
    if (level < 2) return;
    double radius = structural_radius_at_infinity(which->structural, level);
    if (radius < 1 - ROUND_OFF_ITERATED) return;
    message_note(m,
                 "%s does not converge with constraints on %s: errors of the multipliers are "
                 "multiplied by %.4g in each step; formulation tangent has no such error, and "
                 "generalized-alpha with rho_inf < 1 lets it decay",
                 which->name, level_word(level), radius);
}

/* --- creation --- */

static dae_status structural_create(engine *base, const method *which, message *m)
{
    structural *e = (structural *)base;
    dae_status status = refuse(base->problem, which, &base->options, m);
    if (status != DAE_OK) return status;
    e->mechanical = base->problem->mechanical;
    e->nq = e->mechanical->nq;
    e->nv = e->mechanical->nv;
    e->constraints = e->mechanical->constraints;
    e->level = level_of(base->problem);
    base->next.degree = 3;
    take_numbers(e, which->structural);
    return DAE_OK;
}

static dae_status structural_reserve(engine *base, const method *which, message *m)
{
    structural *e = (structural *)base;
    dae_status status = e->level == 0 ? tangent_create(&e->tangent, e) : DAE_OK;
    if (status == DAE_UNSUPPORTED) refuse_size(e, m);
    if (status != DAE_OK) return status;
    /* On the level of positions, lambda has index 3 and velocities have index 2. On lower levels
     * all changes are of about the size of accelerations. */
    for (size_t k = 0; k < base->problem->n; k++)
        e->index[k] = e->level < 3 || k < e->nq ? 1 : k < e->nq + e->nv ? 2 : 3;
    note_level(base->problem, which, m);
    return DAE_OK;
}

static void structural_release(engine *base)
{
    tangent_free(((structural *)base)->tangent);
}

const engine_ops structural_engine = {
    .size = sizeof(structural),
    .create = structural_create,
    .carve = structural_carve,
    .reserve = structural_reserve,
    .release = structural_release,
    .start = structural_start,
    .attempt = attempt,
    .shortened = shortened,
    .state = structural_state,
};
