/* The equations of a step with constraints on one level. */
#include "base/round_off.h"
#include "integrate/structural_parts.h"

#include "linalg/rows.h"
#include "stepping/newton.h"

#include <math.h>
#include <string.h>

/* A factor serves steps whose length differs by no more than this part. */
static const double KEEP_LENGTH = 0.2;

/* The factor is renewed for the next step if an iteration took more corrections than this. */
enum { KEEP_ITERATIONS = 3, KEEP_ITERATIONS_EXACTLY = 6 };

/* Steps that differ by no more than SAME_STEP, relatively, count as equal. Velocities are not
 * finished if the step has changed by more than the factor MOST_CHANGE, or v'' by more than SMOOTH
 * of itself: that would bring more error of its own than it removes. */
static const double SAME_STEP = ROUND_OFF_AMPLIFIED, MOST_CHANGE = 2, SMOOTH = 0.5;

/* rows (constraints) = G v'' for the constraints on positions, 0 for others. Returns whether v'' is
 * smooth. */
static bool find_third_derivatives(structural *e, double *rows)
{
    const mechanical *m = e->mechanical;
    double *change = e->change; /* room */
    for (size_t k = 0; k < e->nv; k++) change[k] = e->trend[k] - e->trend_before[k];
    mechanical_gradient_times(m, change, rows);
    double off = vector_dot(m->holonomic, rows, rows);
    mechanical_gradient_times(m, e->trend, rows);
    for (size_t i = m->holonomic; i < e->constraints; i++) rows[i] = 0;
    return off <= SMOOTH * SMOOTH * vector_dot(m->holonomic, rows, rows);
}

/* Steps that meet constraints on positions leave velocities off the constraints on velocities by
 * h^2 error_q v'', in the directions of the reactions. This offset has to change when h does.
 * Otherwise multipliers are off by a part of h for some steps (Arnold, Bruls & Cardona, Numer.
 * Math. 129 (2015) 149, about the start). */
void structural_finish_velocities(structural *e, double h)
{
    mechanical *m = e->mechanical;
    const double *q = e->base.y;
    double last = e->trend_step, ratio = last != 0 ? h / last : 1;
    memcpy(e->v, q + e->nq, e->nv * sizeof *e->v);
    if (e->level != 3 || fabs(ratio - 1) <= SAME_STEP) return;
    if (ratio > MOST_CHANGE || ratio * MOST_CHANGE < 1) return;
    dae_status status = mechanical_evaluate(m, e->base.t, q);
    if (status == DAE_OK) status = mechanical_factor(m, 0, 1, 0, 0);
    if (status != DAE_OK) return; /* it fails again where it matters */
    if (!find_third_derivatives(e, e->right + e->nv)) return;
    memset(e->right, 0, e->nv * sizeof *e->right);
    mechanical_solve(m, 0, e->right);
    double part = e->error_q * (h * h - last * last);
    for (size_t k = 0; k < e->nv; k++) e->v[k] += part * e->right[k];
}

dae_status structural_find_point(structural *e)
{
    const engine *base = &e->base;
    const double *q = base->y, *v = e->v, h = e->h;
    for (size_t k = 0; k < e->nv; k++) {
        double a = e->share * e->at.vp[k] + e->old[k];
        e->at.a[k] = a;
        e->increment[k] = h * v[k] + h * h * ((0.5 - e->beta) * e->a[k] + e->beta * a);
        e->at.v[k] = v[k] + h * ((1 - e->gamma) * e->a[k] + e->gamma * a);
    }
    return structural_move(e, base->t, h, q, e->increment, e->at.q);
}

/* Finds the residuals of the constraints (c), in units of accelerations. With this scaling the
 * matrix keeps its condition as h falls (Bottasso, Dopico & Trainelli, Multibody Syst. Dyn. 19
 * (2008) 3). */
static dae_status find_missed(structural *e, double *c)
{
    mechanical *m = e->mechanical;
    const double of_q = e->share * e->beta * e->h * e->h, of_v = e->share * e->gamma * e->h;
    const structural_point *at = &e->at;
    size_t holonomic = e->level == 3 ? m->holonomic : 0;
    dae_status status = DAE_OK;
    if (e->level == 1) {
        status = mechanical_gamma(m, e->t_end, at->q, at->v, c);
        double *gradient = e->change; /* room */
        mechanical_gradient_times(m, at->vp, gradient);
        for (size_t i = 0; i < e->constraints; i++) c[i] += gradient[i];
        return status;
    }
    if (holonomic < e->constraints) status = mechanical_velocity(m, e->t_end, at->q, at->v, c);
    if (status == DAE_OK && holonomic > 0) status = mechanical_position(m, e->t_end, at->q, c);
    for (size_t i = 0; i < e->constraints; i++) c[i] /= i < holonomic ? of_q : of_v;
    return status;
}

dae_status structural_renew_factor(structural *e)
{
    const structural_point *at = &e->at;
    double of_q = e->share * e->beta * e->h * e->h, of_v = e->share * e->gamma * e->h;
    dae_status status = mechanical_linearize(e->mechanical, e->t_end, at->q, at->v, at->vp,
                                             at->lambda);
    if (status == DAE_OK) status = mechanical_factor(e->mechanical, 1, 1, of_v, of_q);
    e->factored = status == DAE_OK;
    e->factor_h = e->h;
    if (!e->factored) return status;
    e->base.problem->linear_solver = saddle_point_name(mechanical_factors(e->mechanical, 1));
    e->base.problem->factor_nonzeros = saddle_point_nonzeros(mechanical_factors(e->mechanical, 1));
    return DAE_OK;
}

static dae_status correct(void *self, double *size)
{
    structural *e = self;
    const structural_point *at = &e->at;
    double of_q = e->share * e->beta * e->h * e->h, of_v = e->share * e->gamma * e->h;
    bool kept = e->factored && !e->renews;
    dae_status status = kept ? DAE_OK : structural_renew_factor(e);
    if (status == DAE_OK)
        status = mechanical_motion(e->mechanical, e->t_end, at->q, at->v, at->vp, at->lambda, NULL,
                                   e->right);
    if (status == DAE_OK) status = find_missed(e, e->right + e->nv);
    if (status != DAE_OK) return status;
    for (size_t k = 0; k < e->nv + e->constraints; k++) e->right[k] = -e->right[k];
    mechanical_solve(e->mechanical, 1, e->right);
    status = mechanical_kinematics(e->mechanical, e->t_end, at->q, e->right, e->change);
    for (size_t k = 0; k < e->nq; k++) e->change[k] *= of_q;
    for (size_t k = 0; k < e->nv; k++) {
        at->vp[k] += e->right[k];
        e->change[e->nq + k] = of_v * e->right[k];
    }
    for (size_t i = 0; i < e->constraints; i++) at->lambda[i] += e->right[e->nv + i];
    memcpy(e->change + e->nq + e->nv, e->right + e->nv, e->constraints * sizeof(double));
    if (status == DAE_OK) status = structural_find_point(e);
    *size = control_norm(e->base.problem->n, e->change, e->base.stepping.weight, e->index,
                         fabs(e->h));
    return status == DAE_OK && !isfinite(*size) ? DAE_NEWTON : status;
}

/* From v' and lambda of the start of the step. */
static dae_status iterate(structural *e)
{
    memcpy(e->at.vp, e->base.yp + e->nq, e->nv * sizeof(double));
    memcpy(e->at.lambda, e->base.y + e->nq + e->nv, e->constraints * sizeof(double));
    dae_status status = structural_find_point(e);
    if (status != DAE_OK) return status;
    status = newton_solve(&e->newton, correct, e);
    int most = e->newton.exactly ? KEEP_ITERATIONS_EXACTLY : KEEP_ITERATIONS;
    if (e->newton.iterations > most) e->factored = false;
    return status;
}

/* If multipliers alternate, so does the stiffness of the reactions. Then the matrix of the start of
 * a step has the wrong sign. If no shorter step may be tried, the matrix is renewed in each
 * iteration as a last resort. */
dae_status structural_solve(structural *e)
{
    if (fabs(e->h - e->factor_h) > KEEP_LENGTH * fabs(e->factor_h)) e->factored = false;
    bool kept = e->factored, fixed = e->base.options.fixed_step > 0;
    dae_status status = iterate(e);
    if (status == DAE_NEWTON && kept) {
        e->factored = false;
        status = iterate(e);
    }
    if (status != DAE_NEWTON || !fixed) return status;
    e->renews = true;
    status = iterate(e);
    e->renews = false;
    return status;
}

/* The motion of coordinates over a step if they are not integrals of velocities, q' = S v, and the
 * derivative of the accelerations along it. */

enum { MOST_ITERATIONS = 60 };

/* One iteration of to = q + S((q + to) / 2) way. `change` is by how much `to` changes, relative to
 * the sizes of coordinates. */
static dae_status approach(structural *e, double t, const double *q, const double *way, double *to,
                           double *change)
{
    const double *nominal = e->mechanical->form->nominal;
    for (size_t k = 0; k < e->nq; k++) e->middle[k] = q[k] + (to[k] - q[k]) / 2;
    dae_status status = mechanical_kinematics(e->mechanical, t, e->middle, way, e->rate);
    *change = 0;
    for (size_t k = 0; k < e->nq && status == DAE_OK; k++) {
        double next = q[k] + e->rate[k];
        double off = fabs(next - to[k]) / fmax(fabs(next), nominal[k]);
        if (!(off <= *change)) *change = off;
        to[k] = next;
    }
    return status;
}

/* The implicit midpoint rule with velocities held constant. It keeps the norm of quaternions, which
 * nothing but S keeps, to round-off, like all quadratic invariants (Cooper, IMA J. Numer. Anal. 7
 * (1987) 1). Because v turns within h, a step has an error of h^3, as in integrators on Lie groups
 * (Bruls, Cardona & Arnold, Mech. Mach. Theory 48 (2012) 121). This is one of those, with Cayley's
 * map. */
dae_status structural_move(structural *e, double t, double h, const double *q, const double *way,
                           double *to)
{
    double last = HUGE_VAL, change = 0;
    if (!e->mechanical->form->given.kinematics) {
        for (size_t k = 0; k < e->nq; k++) to[k] = q[k] + way[k];
        return DAE_OK;
    }
    memcpy(to, q, e->nq * sizeof *to);
    for (int i = 0; i < MOST_ITERATIONS; i++, last = change) {
        dae_status status = approach(e, t + h / 2, q, way, to, &change);
        if (status != DAE_OK) return status;
        if (change <= ROUND_OFF_VALUE) return DAE_OK;
        if (i > 1 && !(change < last)) break;
    }
    return change <= ROUND_OFF_ITERATED ? DAE_OK : DAE_NEWTON;
}

/* The distance of the differences, as a part of the time in which something changes by its own
 * size. At this distance, differences of order 4 lose about as much to round-off as to
 * truncation. */
static const double DISTANCE = 1e-3;

static double shortest(double time, size_t n, const double *x, const double *speed,
                       const double *nominal)
{
    for (size_t k = 0; k < n; k++) {
        double size = fmax(fabs(x[k]), nominal[k]);
        if (fabs(speed[k]) * time > size) time = size / fabs(speed[k]);
    }
    return time;
}

dae_status structural_jerk(structural *e, double t, const double *q, const double *v,
                           const double *vp, double *trial, double *jerk)
{
    static const double at[] = {-2, -1, 1, 2},
                        weight[] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    size_t nq = e->nq, nv = e->nv;
    const double *nominal = e->mechanical->form->nominal;
    double *there_q = trial, *there_v = trial + nq, *there_vp = there_v + nv, *way = there_vp + nv;
    dae_status status = mechanical_kinematics(e->mechanical, t, q, v, e->rate);
    double step = status == DAE_OK ? shortest(1, nq, q, e->rate, nominal) : 1;
    step = DISTANCE * shortest(step, nv, v, vp, nominal + nq);
    memset(jerk, 0, nv * sizeof *jerk);
    for (int i = 0; i < 4 && status == DAE_OK; i++) {
        double move = at[i] * step;
        for (size_t k = 0; k < nv; k++) {
            way[k] = move * (v[k] + move / 2 * vp[k]);
            there_v[k] = v[k] + move * vp[k];
        }
        status = structural_move(e, t, move, q, way, there_q);
        if (status == DAE_OK)
            status = mechanical_accelerate(e->mechanical, t + move, there_q, there_v, there_vp,
                                           way + nv);
        for (size_t k = 0; k < nv && status == DAE_OK; k++)
            jerk[k] += weight[i] / step * there_vp[k];
    }
    return status;
}
