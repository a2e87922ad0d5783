/* Values at an instant at which the equations give none, or none but rounding, by those beside it.
 */
#include "base/round_off.h"
#include "solve/solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The points to one side, and the weights with which cubic polynomials through them extrapolate. */
enum { BESIDE = 4 };
static const double CUBIC[BESIDE] = {4, -6, 4, -1};

/* The extrapolation of value or derivative i from c->beside. */
static double expected(const simulation *c, size_t i)
{
    double sum = 0;
    for (size_t k = 0; k < BESIDE; k++) sum += CUBIC[k] * c->beside[2 * k * c->n + i];
    return sum;
}

static void take_expected(simulation *c)
{
    for (size_t i = 0; i < c->n; i++) {
        c->value[i] = expected(c, i);
        c->value_yp[i] = expected(c, c->n + i);
    }
    c->passed = true;
}

static bool is_expected(const dae_solver *s)
{
    const simulation *c = s->simulation;
    for (size_t i = 0; i < c->n; i++) {
        double value = expected(c, i);
        double atol = s->atols ? s->atols[i] : s->options.atol;
        if (!(fabs(c->value[i] - value) <= atol + s->options.rtol * fabs(value))) return false;
    }
    return true;
}

/* How far apart they are, in parts of the step. */
static const double DISTANCE = 1e-2, FARTHER = 0.2;

static bool look_beside(dae_solver *s, double t, const dense_output *step, double distance)
{
    const simulation *c = s->simulation;
    bool behind = (t - step->t) / step->h > 0.5;
    for (size_t k = 0; k < BESIDE; k++) {
        double way = (behind ? -distance : distance) * (double)(k + 1) * step->h;
        if (solve_try_values(s, t + way, step) != DAE_OK) return false;
        memcpy(c->beside + 2 * k * c->n, c->value, c->n * sizeof *c->value);
        memcpy(c->beside + (2 * k + 1) * c->n, c->value_yp, c->n * sizeof *c->value_yp);
    }
    return true;
}

/* Combined equations say nothing at an instant at which one of their divisors vanishes, though the
 * solution is smooth there. Where the values disagree with an extrapolation of those beside the
 * instant, the extrapolation is taken. */
static dae_status pass_divisor(dae_solver *s, double t, const dense_output *step, dae_status found)
{
    simulation *c = s->simulation;
    const dense_output *within = step ? step : engine_polynomial(s->engine);
    if (within->h == 0 || (found != DAE_OK && !solve_is_of_state(found))) return found;
    bool looked = look_beside(s, t, within, DISTANCE);
    dae_status status = solve_try_values(s, t, step);
    if (!looked || status == DAE_STOPPED || (status == DAE_OK && is_expected(s))) return status;
    take_expected(c);
    return DAE_OK;
}

/* Whether the extrapolation by one point less gives the same values: it does not towards a pole. */
static bool extrapolates(const dae_solver *s)
{
    static const double QUADRATIC[] = {3, -3, 1}, APART = 10;
    const simulation *c = s->simulation;
    for (size_t i = 0; i < c->n; i++) {
        double value = expected(c, i), other = 0, atol = s->atols ? s->atols[i] : s->options.atol;
        for (size_t k = 0; k < 3; k++) other += QUADRATIC[k] * c->beside[2 * k * c->n + i];
        if (!(fabs(other - value) <= APART * (atol + s->options.rtol * fabs(value)))) return false;
    }
    return true;
}

/* Where the matrix of algebraic equations is singular at an instant alone, as that of z*w = f where
 * z passes 0, a solution that is continuous is known by the values beside it, though the equations
 * give none at the very instant. Then these values are extrapolated, from farther away where steps
 * are so short that rounding shows beside it. `why` is freed. */
static dae_status pass_instant(dae_solver *s, double t, const dense_output *step, text *why)
{
    simulation *c = s->simulation;
    c->beside = malloc(8 * (c->n + 1) * sizeof *c->beside);
    const dense_output *within = step ? step : engine_polynomial(s->engine);
    bool passes = c->beside && look_beside(s, t, within, DISTANCE) && extrapolates(s);
    if (c->beside && !passes) passes = look_beside(s, t, within, FARTHER) && extrapolates(s);
    dae_status status = solve_try_values(s, t, step); /* for what a failure is told of, too */
    if (passes && status != DAE_STOPPED && !(status == DAE_OK && is_expected(s))) {
        status = DAE_OK;
        take_expected(c);
        if (!s->reported_instant)
            message_note(&s->message,
                         "at t = %.6g the equations do not give all variables: this row, and "
                         "others like it, hold the limits of the values beside it; %s",
                         t, text_string(why));
        s->reported_instant = true;
    }
    free(c->beside);
    c->beside = NULL;
    text_free(why);
    return status;
}

/* A determinant or a divisor at a row is rounding if it is below this part of its largest value. */
static const double ROUNDING = ROUND_OFF_AMPLIFIED;

/* Whether a divisor is 0 within rounding at a point of the step. */
static bool divides_by_rounding(const dae_solver *s, double t, const double *y, const double *yp,
                                text *why)
{
    simulation *c = s->simulation;
    const poles *p = &s->poles;
    size_t k = 0;
    if (p->count == 0) return false;
    c->ops->divisors(c, t, y, yp, p->aside);
    while (k < p->count && !(fabs(p->aside[k]) <= ROUNDING * p->largest[k])) k++;
    if (k == p->count) return false;
    text_add(why, "a divisor, or the coefficient of the unknown, becomes 0 in ");
    c->ops->name_divided(c, k, why);
    return true;
}

/* The same of a determinant, where its values at the end of the step and before say that it may be.
 * Then the values evaluated before are lost (*lost). */
static bool determines_by_rounding(const dae_solver *s, double t, const double *y, const double *yp,
                                   text *why, bool *lost)
{
    static const double MAY_BE = 0.05;
    simulation *c = s->simulation;
    const crossing *x = &s->crossing;
    size_t k = 0;
    for (; k < x->count && !*lost; k++)
        *lost = fabs(x->before[k] + x->slope[k] * (t - s->engine->t)) <= MAY_BE * x->most[k];
    if (!*lost) return false;
    c->ops->determinants(c, t, y, yp, x->within);
    for (k = 0; k < x->count && !(fabs(x->within[k]) <= ROUNDING * x->most[k]);) k++;
    if (k == x->count) return false;
    text_add(why, "within rounding nothing is left of the determinant that gives ");
    c->ops->name_determined(c, k, why);
    return true;
}

/* The values at a row where the equations give none, or none but rounding. */
static dae_status look_at_instant(dae_solver *s, double t, const dense_output *step,
                                  dae_status found)
{
    text why = {0};
    bool asks = false, lost = false, fails = found != DAE_OK;
    const engine *e = s->engine;
    const double *y = step ? s->simulation->y : e->y, *yp = step ? s->simulation->yp : e->yp;
    const dense_output *within = step ? step : engine_polynomial(s->engine);
    bool known = within->formulation_number == s->simulation->formulation_number;
    if (within->h == 0 || !known || (fails && !solve_is_of_state(found))) return found;
    if (fails) asks = solve_report_undetermined(s, t, &why);
    if (!asks) asks = divides_by_rounding(s, t, fails ? y : NULL, yp, &why);
    if (!asks && !fails) asks = determines_by_rounding(s, t, y, yp, &why, &lost);
    if (asks) return pass_instant(s, t, step, &why);
    text_free(&why);
    return lost ? solve_try_values(s, t, step) : found;
}

dae_status solve_pass_instant(dae_solver *s, double t, const dense_output *step, dae_status found)
{
    if (s->engine->counts.steps == 0) return found;
    return s->simulation->beside ? pass_divisor(s, t, step, found)
                                 : look_at_instant(s, t, step, found);
}
