/* Constrained mechanical systems, holonomic and nonholonomic, whose forces are made for a solution.
 */
#include "random/kinds.h"

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
    for (int k = 0; k < m->na; k++) {
        expr lambda = expr_y(p, 2 * m->nq + m->nphi + k);
        e = expr_difference(p, e, expr_product(p, m->a[k][i], lambda));
    }
    return e;
}

/* Constraints that do not move: the solution of a coordinate follows from those of others. */
static void rest_constraints(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    for (int k = 0; k < m->nphi; k++) {
        expr bend = kind_bend(s, d, m->nphi, m->nq - m->nphi, 0.5);
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
        for (int k = 0; k < m->nphi; k++) m->phi[k] = kind_constraint(s, d, 0, m->nq, k, m->nphi);
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
        m->force[i] = expr_sum(p, m->force[i], kind_at_solution(s, momentum(s, i)));
    for (int k = 0; k < m->nphi && moves; k++)
        m->phi[k] = expr_difference(p, m->phi[k], kind_at_solution(s, m->phi[k]));
}

/* a_k v - b_k */
static expr velocity_constraint(random_system *s, int k)
{
    const system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    expr e = expr_negative(p, m->b[k]);
    for (int i = 0; i < m->nq; i++)
        e = expr_sum(p, e, expr_product(p, m->a[k][i], expr_y(p, m->nq + i)));
    return e;
}

/* a = the direction of one coordinate and bends in others; b moves as the solution does. */
static void draw_velocity_constraints(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    for (int k = 0; k < m->na; k++) {
        for (int i = 0; i < m->nq; i++) m->a[k][i] = expr_constant(p, 0);
        m->a[k][m->nq - 1 - k] = expr_constant(p, 1);
        m->a[k][m->nphi] = kind_bend(s, d, 0, m->nq, 0.5);
        m->b[k] = expr_constant(p, 0);
    }
}

static void draw_forces(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    for (int i = 0; i < m->nq; i++) {
        double spring = draw_eighths(d, 0.5, 4), damper = draw_eighths(d, 0.25, 1.5);
        expr e = expr_times(p, -spring, expr_y(p, i));
        e = expr_difference(p, e, expr_times(p, damper, expr_y(p, m->nq + i)));
        m->force[i] = expr_sum(p, e, kind_bend(s, d, 0, 2 * m->nq, 0.25));
    }
}

static void make(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    expr_pool *p = s->pool;
    int nq = m->nq;
    s->n = 2 * nq + m->nphi + m->na;
    s->index = m->nphi ? 3 : 2, s->freedom = 2 * (nq - m->nphi) - m->na;
    draw_mass(s, d);
    draw_forces(s, d);
    system_draw_solution(s, d);
    bool moves = m->nphi > 0 && draw_constraints(s, d);
    draw_velocity_constraints(s, d);
    manufacture_force(s, moves);
    for (int k = 0; k < m->na; k++) m->b[k] = kind_at_solution(s, velocity_constraint(s, k));
    for (int i = 0; i < nq; i++) {
        s->equation[i] = expr_difference(p, expr_yp(p, i), expr_y(p, nq + i));
        s->equation[nq + i] = momentum(s, i);
    }
    for (int k = 0; k < m->nphi; k++) s->equation[2 * nq + k] = m->phi[k];
    for (int k = 0; k < m->na; k++) s->equation[2 * nq + m->nphi + k] = velocity_constraint(s, k);
}

void kind_mechanical(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    m->nq = draw_between(d, 2, 4);
    m->nphi = draw_between(d, 1, m->nq > 2 ? 2 : 1);
    make(s, d);
}

void kind_nonholonomic(random_system *s, draw *d)
{
    system_mechanism *m = &s->mechanism;
    m->nq = draw_between(d, 2, 4);
    m->nphi = m->nq > 2 ? draw_below(d, 2) : 0;
    m->na = 1;
    make(s, d);
}
