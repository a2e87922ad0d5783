/* Hessenberg forms of index 2 and 3, chains, and ODEs with invariants. */
#include "random/kinds.h"

#include <math.h>

/* y_i' + damping y_i + bend, left side of a differential equation; one in ten is stiff */
static expr draw_dynamics(random_system *s, draw *d, int i, int first, int count)
{
    expr_pool *p = s->pool;
    double damping = draw_eighths(d, 0.5, 2), stiff = pow(10, draw_between(d, 3, 6));
    expr e = expr_times(p, draw_chance(d, 0.1) ? stiff : damping, expr_y(p, i));
    e = expr_sum(p, e, kind_bend(s, d, first, count, 0.5));
    return expr_sum(p, expr_yp(p, i), e);
}

/* Column k of what multipliers act by, in equation i: near the gradient of the constraint. */
static expr draw_reaction(random_system *s, draw *d, expr constraint, int i, expr multiplier)
{
    expr_pool *p = s->pool;
    expr by = expr_derivative(p, constraint, expr_y(p, i));
    if (draw_chance(d, 0.3)) by = expr_sum(p, by, expr_constant(p, draw_eighths(d, -0.25, 0.25)));
    return expr_product(p, by, multiplier);
}

/* x' = f(x) + B(x) z, 0 = g(x): x, then z. */
void kind_hessenberg_2(random_system *s, draw *d)
{
    int nz = draw_between(d, 1, 2), nx = nz + draw_between(d, 1, 3);
    expr_pool *p = s->pool;
    s->n = nx + nz, s->index = 2, s->freedom = nx - nz;
    for (int i = 0; i < nx; i++) s->equation[i] = draw_dynamics(s, d, i, 0, nx);
    for (int k = 0; k < nz; k++) {
        expr g = s->equation[nx + k] = kind_constraint(s, d, 0, nx, k, nz), z = expr_y(p, nx + k);
        if (draw_chance(d, 0.3)) z = expr_sum(p, z, expr_times(p, 0.25, expr_sin(p, z)));
        for (int i = 0; i < nx; i++)
            s->equation[i] = expr_difference(p, s->equation[i], draw_reaction(s, d, g, i, z));
    }
    for (int i = 0; i < s->n; i++) s->level[i] = i < nx ? 1 : 2;
    system_draw_solution(s, d);
    system_manufacture(s);
}

/* x' = v + bend(x), v' = k(x, v) + B z, 0 = g(x): x, v, z. */
void kind_hessenberg_3(random_system *s, draw *d)
{
    int nz = draw_between(d, 1, 2), nx = nz + draw_between(d, 0, 2);
    expr_pool *p = s->pool;
    s->n = 2 * nx + nz, s->index = 3, s->freedom = 2 * (nx - nz);
    for (int i = 0; i < nx; i++) {
        expr e = expr_difference(p, expr_yp(p, i), expr_y(p, nx + i));
        if (draw_chance(d, 0.3)) e = expr_sum(p, e, kind_bend(s, d, 0, nx, 0.25));
        s->equation[i] = e;
        e = draw_dynamics(s, d, nx + i, nx, nx);
        s->equation[nx + i] = expr_sum(p, e, expr_times(p, draw_eighths(d, 0, 2), expr_y(p, i)));
    }
    for (int k = 0; k < nz; k++) {
        expr g = s->equation[2 * nx + k] = kind_constraint(s, d, 0, nx, k, nz);
        for (int i = 0; i < nx; i++)
            s->equation[nx + i] = expr_difference(p, s->equation[nx + i],
                                                  draw_reaction(s, d, g, i, expr_y(p, 2 * nx + k)));
    }
    for (int i = 0; i < s->n; i++) s->level[i] = (unsigned char)(1 + i / nx);
    system_draw_solution(s, d);
    system_manufacture(s);
}

/* 0 = w_1, w_k' = w_{k+1} with bends, index 1 to 4, and an ODE that sees them. */
void kind_chain(random_system *s, draw *d)
{
    int length = draw_between(d, 1, 4), ode = draw_below(d, 3);
    expr_pool *p = s->pool;
    s->n = length + ode, s->index = length, s->freedom = ode;
    expr w = expr_y(p, 0);
    s->equation[0] = draw_chance(d, 0.5) ? w : expr_sum(p, w, expr_times(p, 0.25, expr_sin(p, w)));
    for (int k = 1; k < length; k++) {
        expr e = expr_difference(p, expr_yp(p, k - 1), expr_y(p, k));
        s->equation[k] = draw_chance(d, 0.5) ? expr_sum(p, e, kind_bend(s, d, 0, k, 0.5)) : e;
    }
    for (int i = length; i < s->n; i++) {
        expr e = expr_sum(p, expr_yp(p, i), expr_times(p, draw_eighths(d, 0, 2), expr_y(p, i)));
        s->equation[i] = expr_sum(p, e, kind_bend(s, d, 0, length, 0.5));
    }
    system_draw_solution(s, d);
    system_manufacture(s);
}

/* u' = J u + forcing, and c' = 0 for the invariants c, in coordinates y that shears make. */
void kind_invariant(random_system *s, draw *d)
{
    expr_pool *p = s->pool;
    int n = draw_between(d, 2, 5);
    s->n = n, s->index = 0, s->freedom = n;
    s->invariants = draw_between(d, 1, n > 2 ? 2 : 1);
    system_draw_solution(s, d);
    for (int k = 0; k < s->invariants; k++) {
        expr bend = kind_bend(s, d, s->invariants, n - s->invariants, 0.5);
        s->invariant[k] = expr_sum(p, expr_y(p, k), bend);
        expr others = expr_replace(p, bend, s->solution, NULL);
        s->solution[k] = expr_difference(p, expr_constant(p, draw_eighths(d, -1, 1)), others);
    }
    expr y[SYSTEM_MOST], yp[SYSTEM_MOST], zero[SYSTEM_MOST];
    for (int i = 0; i < n; i++) {
        y[i] = expr_y(p, i), yp[i] = expr_yp(p, i), zero[i] = expr_constant(p, 0);
    }
    for (int i = 0; i < n; i++) {
        if (i < s->invariants) continue;
        expr e = draw_dynamics(s, d, i, 0, n);
        s->equation[i] = expr_difference(p, e, kind_at_solution(s, e));
        yp[i] = expr_negative(p, expr_replace(p, s->equation[i], y, zero));
    }
    for (int k = 0; k < s->invariants; k++)
        s->equation[k] = expr_replace(p, expr_along(p, s->invariant[k], n), y, yp);
}
