#include "random/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void system_manufacture(random_system *s)
{
    expr yp[SYSTEM_MOST], time = expr_time(s->pool);
    for (int i = 0; i < s->n; i++) yp[i] = expr_derivative(s->pool, s->solution[i], time);
    for (int i = 0; i < s->n; i++) {
        expr rest = expr_replace(s->pool, s->equation[i], s->solution, yp);
        s->equation[i] = expr_difference(s->pool, s->equation[i], rest);
    }
}

/* w (t - t0); where that is far from 0, w t for a w that is a power of two, which rounds nothing.
 */
static expr draw_phase(random_system *s, draw *d)
{
    expr_pool *p = s->pool;
    if (s->t0 != 0 && draw_chance(d, 0.5))
        return expr_times(p, draw_chance(d, 0.5) ? 1 : 0.5, expr_time(p));
    expr since = expr_difference(p, expr_time(p), expr_constant(p, s->t0));
    return expr_times(p, draw_eighths(d, 0.25, 2), since);
}

expr system_draw_function(random_system *s, draw *d)
{
    expr_pool *p = s->pool;
    expr phase = draw_phase(s, d);
    double size = draw_sign(d) * draw_eighths(d, 0.5, 2);
    expr since = expr_difference(p, expr_time(p), expr_constant(p, s->t0));
    expr wave = draw_chance(d, 0.5) ? expr_sin(p, phase) : expr_cos(p, phase);
    expr shift = expr_constant(p, draw_eighths(d, -1, 1));
    switch (draw_below(d, 4)) {
    case 0: return expr_times(p, size, wave);
    case 1: return expr_sum(p, shift, expr_times(p, size, wave));
    case 2:
        wave = expr_exp(p, expr_times(p, -draw_eighths(d, 0.25, 1.5), since));
        return expr_sum(p, shift, expr_times(p, size, wave));
    default: return expr_sum(p, expr_times(p, 0.25 * size, since), expr_times(p, size, wave));
    }
}

void system_draw_solution(random_system *s, draw *d)
{
    for (int i = 0; i < s->n; i++) s->solution[i] = system_draw_function(s, d);
}

/* A power of ten; of two, near it, for equations whose coefficients are to stay what they are: a
 * singular matrix that is rounded is none. */
static double unit_of(const random_system *s, double exponent)
{
    double k = round(exponent);
    return s->exact_units ? exp2(round(k * log2(10))) : pow(10, k);
}

static expr in_unit(random_system *s, expr e, double scale)
{
    if (s->exact_units) return expr_times(s->pool, 1 / scale, e);
    return expr_quotient(s->pool, e, expr_constant(s->pool, scale));
}

static void draw_order(const random_system *s, draw *d, bool shuffled, bool scaled,
                       system_order *order)
{
    draw_permutation(d, s->n, order->variable);
    double most = draw_between(d, 1, 6);
    for (int i = 0; i < s->n; i++) {
        if (!shuffled) order->variable[i] = i;
        order->scale[i] = scaled ? unit_of(s, draw_real(d, -most, most)) : 1;
    }
}

/* Unknowns in their new places and units. */
static void move_variables(random_system *s, const system_order *order)
{
    expr_pool *p = s->pool;
    random_system old = *s;
    expr y[SYSTEM_MOST], yp[SYSTEM_MOST];
    for (int k = 0; k < s->n; k++) {
        int i = order->variable[k];
        expr scale = expr_constant(p, order->scale[i]);
        y[i] = in_unit(s, expr_y(p, k), order->scale[i]);
        yp[i] = in_unit(s, expr_yp(p, k), order->scale[i]);
        s->solution[k] = expr_product(p, scale, old.solution[i]);
        s->nominal[k] = order->scale[i] * old.nominal[i];
        s->level[k] = old.level[i];
    }
    for (int i = 0; i < s->n; i++) s->equation[i] = expr_replace(p, old.equation[i], y, yp);
    for (int i = 0; i < s->invariants; i++)
        s->invariant[i] = expr_replace(p, old.invariant[i], y, yp);
}

static void turn_pair(random_system *s, draw *d, int i, int j)
{
    expr_pool *p = s->pool;
    expr time = expr_sum(p, expr_time(p), expr_constant(p, -s->t0));
    expr angle = expr_sum(p, expr_times(p, draw_eighths(d, -2, 2), time),
                          expr_constant(p, draw_eighths(d, 0, 6)));
    expr cosine = expr_cos(p, angle), sine = expr_sin(p, angle), e = s->equation[i];
    expr f = s->equation[j];
    s->equation[i] = expr_difference(p, expr_product(p, cosine, e), expr_product(p, sine, f));
    s->equation[j] = expr_sum(p, expr_product(p, sine, e), expr_product(p, cosine, f));
}

void system_turn_rows(random_system *s, draw *d)
{
    s->turned = true;
    for (int k = 0; k < 2 && s->n > 1; k++) {
        int i = draw_below(d, s->n), j = (i + draw_between(d, 1, s->n - 1)) % s->n;
        turn_pair(s, d, i, j);
    }
}

void system_vary(random_system *s, draw *d, system_order *order)
{
    bool shuffled = draw_chance(d, 0.5), scaled = draw_chance(d, 0.3);
    draw_order(s, d, shuffled, scaled, order);
    move_variables(s, order);
    int place[SYSTEM_MOST];
    draw_permutation(d, s->n, place);
    random_system old = *s;
    for (int i = 0; i < s->n; i++) {
        expr e = old.equation[shuffled ? place[i] : i];
        double factor = scaled ? unit_of(s, draw_between(d, -6, 6)) : 1;
        s->equation[i] = expr_times(s->pool, factor, e);
    }
    snprintf(s->variation, sizeof s->variation, "%s%s%st0=%g", shuffled ? "shuffled " : "",
             scaled ? "units " : "", s->turned ? "turned " : "", s->t0);
}

void system_vary_time(random_system *s, draw *d)
{
    double unit = exp2(draw_between(d, -30, 30));
    if (!draw_chance(d, 0.15)) return;
    for (int i = 0; i < s->n; i++) {
        s->equation[i] = expr_in_time_unit(s->pool, s->equation[i], unit);
        s->solution[i] = expr_in_time_unit(s->pool, s->solution[i], unit);
    }
    for (int i = 0; i < s->invariants; i++)
        s->invariant[i] = expr_in_time_unit(s->pool, s->invariant[i], unit);
    s->t0 *= unit;
    s->t1 *= unit;
    size_t said = strlen(s->variation);
    snprintf(s->variation + said, sizeof s->variation - said, " time=%.2g", unit);
}

/* Q = s q, V = s v, and a constraint times c: what makes M V' = f + G^T lambda again are rows over
 * s, and lambda over c. */
static void scale_mechanism(random_system *s, const system_order *order)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    expr y[SYSTEM_MOST];
    for (int i = 0; i < s->n; i++) {
        expr scale = expr_constant(p, order->scale[i]);
        y[i] = expr_quotient(p, expr_y(p, i), scale);
        s->solution[i] = expr_product(p, scale, s->solution[i]);
        s->nominal[i] *= order->scale[i];
    }
    for (int i = 0; i < m->nq; i++) {
        expr unit = expr_constant(p, order->scale[i]);
        m->force[i] = expr_quotient(p, expr_replace(p, m->force[i], y, NULL), unit);
        for (int j = 0; j < m->nq; j++) {
            expr e = expr_quotient(p, expr_replace(p, m->mass[i][j], y, NULL), unit);
            m->mass[i][j] = expr_quotient(p, e, expr_constant(p, order->scale[j]));
        }
    }
    for (int k = 0; k < m->nphi; k++) {
        expr unit = expr_constant(p, order->scale[2 * m->nq + k]);
        m->phi[k] = expr_quotient(p, expr_replace(p, m->phi[k], y, NULL), unit);
    }
    for (int k = 0; k < m->na; k++) {
        expr unit = expr_constant(p, order->scale[2 * m->nq + m->nphi + k]);
        m->b[k] = expr_quotient(p, expr_replace(p, m->b[k], y, NULL), unit);
        for (int i = 0; i < m->nq; i++) {
            expr e = expr_quotient(p, expr_replace(p, m->a[k][i], y, NULL), unit);
            m->a[k][i] = expr_quotient(p, e, expr_constant(p, order->scale[i]));
        }
    }
}

void system_mechanism_vary(random_system *s, draw *d, system_order *order)
{
    int nq = s->mechanism.nq;
    bool scaled = draw_chance(d, 0.3) && nq > 0;
    draw_order(s, d, false, scaled, order);
    for (int i = 0; i < nq; i++) order->scale[nq + i] = order->scale[i];
    if (scaled) scale_mechanism(s, order);
    snprintf(s->variation, sizeof s->variation, "%st0=%g", scaled ? "units " : "", s->t0);
}
