/* Hessenberg forms of index 2 and 3, chains, mechanical systems, and ODEs with invariants. */
#include "random/kinds.h"

#include <math.h>

/* size times a smooth bounded function of the unknowns first ... first + count - 1 */
static expr draw_bend(random_system *s, draw *d, int first, int count, double size)
{
    expr_pool *p = s->pool;
    expr a = expr_y(p, first + draw_below(d, count)), b = expr_y(p, first + draw_below(d, count));
    size *= draw_sign(d) * draw_eighths(d, 0.5, 1);
    switch (draw_below(d, 3)) {
    case 0: return expr_times(p, size, expr_sin(p, a));
    case 1: return expr_times(p, size, expr_cos(p, expr_sum(p, a, b)));
    default: return expr_times(p, 0.5 * size, expr_product(p, a, b));
    }
}

/* Constraint k of `count` unknowns from `first` on: the k-th of them and a bend of the others. */
static expr draw_constraint(random_system *s, draw *d, int first, int count, int k, int all)
{
    expr e = expr_y(s->pool, first + k);
    if (all < count) e = expr_sum(s->pool, e, draw_bend(s, d, first + all, count - all, 0.5));
    if (draw_chance(d, 0.5))
        e = expr_sum(s->pool, e,
                     expr_times(s->pool, draw_eighths(d, -0.5, 0.5),
                                expr_y(s->pool, first + draw_below(d, count))));
    return e;
}

/* y_i' + damping y_i + bend, left side of a differential equation */
static expr draw_dynamics(random_system *s, draw *d, int i, int first, int count)
{
    expr_pool *p = s->pool;
    expr e = expr_times(p, draw_eighths(d, 0.5, 2), expr_y(p, i));
    e = expr_sum(p, e, draw_bend(s, d, first, count, 0.5));
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
        expr g = s->equation[nx + k] = draw_constraint(s, d, 0, nx, k, nz), z = expr_y(p, nx + k);
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
        if (draw_chance(d, 0.3)) e = expr_sum(p, e, draw_bend(s, d, 0, nx, 0.25));
        s->equation[i] = e;
        e = draw_dynamics(s, d, nx + i, nx, nx);
        s->equation[nx + i] = expr_sum(p, e, expr_times(p, draw_eighths(d, 0, 2), expr_y(p, i)));
    }
    for (int k = 0; k < nz; k++) {
        expr g = s->equation[2 * nx + k] = draw_constraint(s, d, 0, nx, k, nz);
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
        s->equation[k] = draw_chance(d, 0.5) ? expr_sum(p, e, draw_bend(s, d, 0, k, 0.5)) : e;
    }
    for (int i = length; i < s->n; i++) {
        expr e = expr_sum(p, expr_yp(p, i), expr_times(p, draw_eighths(d, 0, 2), expr_y(p, i)));
        s->equation[i] = expr_sum(p, e, draw_bend(s, d, 0, length, 0.5));
    }
    system_draw_solution(s, d);
    system_manufacture(s);
}

/* M of the coordinates: a multiple of the identity and a bounded part that couples two of them. */
static void draw_mass(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    for (int i = 0; i < m->nq; i++)
        for (int j = 0; j < m->nq; j++)
            m->mass[i][j] = expr_constant(p, i == j ? draw_eighths(d, 1, 3) : 0);
    if (m->nq < 2 || draw_chance(d, 0.4)) return;
    int i = draw_below(d, m->nq - 1);
    expr gap = expr_difference(p, expr_y(p, i), expr_y(p, i + 1));
    m->mass[i][i + 1] = m->mass[i + 1][i] = expr_times(p, 0.5, expr_cos(p, gap));
}

/* M v' - f - G^T lambda, from the parts */
static expr momentum(random_system *s, int i)
{
    const system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    expr e = expr_constant(p, 0);
    for (int j = 0; j < m->nq; j++)
        e = expr_sum(p, e, expr_product(p, m->mass[i][j], expr_yp(p, m->nq + j)));
    e = expr_difference(p, e, m->force[i]);
    for (int k = 0; k < m->nphi; k++) {
        expr g = expr_derivative(p, m->phi[k], expr_y(p, i));
        e = expr_difference(p, e, expr_product(p, g, expr_y(p, 2 * m->nq + k)));
    }
    return e;
}

static expr at_solution(random_system *s, expr e)
{
    expr yp[SYSTEM_MOST], time = expr_time(s->pool);
    for (int i = 0; i < s->n; i++) yp[i] = expr_derivative(s->pool, s->solution[i], time);
    return expr_replace(s->pool, e, s->solution, yp);
}

/* Constraints that do not move: the solution of a coordinate follows from those of others. */
static void rest_constraints(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    for (int k = 0; k < m->nphi; k++) {
        expr bend = draw_bend(s, d, m->nphi, m->nq - m->nphi, 0.5);
        expr constant = expr_constant(p, draw_eighths(d, -1, 1));
        m->phi[k] = expr_difference(p, expr_sum(p, expr_y(p, k), bend), constant);
        s->solution[k] = expr_difference(p, constant, expr_replace(p, bend, s->solution, NULL));
    }
}

/* A rod: y_0^2 + y_1^2 = L^2. */
static void rod_constraint(random_system *s, draw *d)
{
    expr_pool *p = s->pool;
    expr x = expr_y(p, 0), y = expr_y(p, 1), angle = system_draw_function(s, d);
    double length = draw_eighths(d, 0.5, 2);
    expr square = expr_sum(p, expr_product(p, x, x), expr_product(p, y, y));
    s->mechanism.phi[0] = expr_difference(p, square, expr_constant(p, length * length));
    s->solution[0] = expr_times(p, length, expr_cos(p, angle));
    s->solution[1] = expr_times(p, length, expr_sin(p, angle));
}

/* Whether they move, so that the solution is to be taken off. */
static bool draw_constraints(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    int which = draw_below(d, 4);
    if (which == 0 && m->nphi == 1) {
        rod_constraint(s, d);
    } else if (which < 2) {
        rest_constraints(s, d);
    } else {
        for (int k = 0; k < m->nphi; k++) m->phi[k] = draw_constraint(s, d, 0, m->nq, k, m->nphi);
        return true;
    }
    return false;
}

/* What the force leaves of the equations of motion is added to it, and constraints move where they
 * have to. */
static void manufacture_force(random_system *s, bool moves)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    for (int i = 0; i < m->nq; i++)
        s->solution[m->nq + i] = expr_derivative(p, s->solution[i], expr_time(p));
    for (int i = 0; i < m->nq; i++)
        m->force[i] = expr_sum(p, m->force[i], at_solution(s, momentum(s, i)));
    for (int k = 0; k < m->nphi && moves; k++)
        m->phi[k] = expr_difference(p, m->phi[k], at_solution(s, m->phi[k]));
}

void kind_mechanical(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    m->nq = draw_between(d, 2, 4);
    m->nphi = draw_between(d, 1, m->nq > 2 ? 2 : 1);
    int nq = m->nq;
    s->n = 2 * nq + m->nphi, s->index = 3, s->freedom = 2 * (nq - m->nphi);
    draw_mass(s, d);
    for (int i = 0; i < nq; i++) {
        double spring = draw_eighths(d, 0.5, 4), damper = draw_eighths(d, 0.25, 1.5);
        expr e = expr_times(p, -spring, expr_y(p, i));
        e = expr_difference(p, e, expr_times(p, damper, expr_y(p, nq + i)));
        m->force[i] = expr_sum(p, e, draw_bend(s, d, 0, 2 * nq, 0.25));
    }
    system_draw_solution(s, d);
    manufacture_force(s, draw_constraints(s, d));
    for (int i = 0; i < nq; i++) {
        s->equation[i] = expr_difference(p, expr_yp(p, i), expr_y(p, nq + i));
        s->equation[nq + i] = momentum(s, i);
    }
    for (int k = 0; k < m->nphi; k++) s->equation[2 * nq + k] = m->phi[k];
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
        expr bend = draw_bend(s, d, s->invariants, n - s->invariants, 0.5);
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
        s->equation[i] = expr_difference(p, e, at_solution(s, e));
        yp[i] = expr_negative(p, expr_replace(p, s->equation[i], y, zero));
    }
    for (int k = 0; k < s->invariants; k++)
        s->equation[k] = expr_replace(p, expr_along(p, s->invariant[k], n), y, yp);
}
