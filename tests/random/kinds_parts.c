/* What several kinds are made of. */
#include "random/kinds.h"

expr kind_bend(random_system *s, draw *d, int first, int count, double size)
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

expr kind_constraint(random_system *s, draw *d, int first, int count, int k, int all)
{
    expr e = expr_y(s->pool, first + k);
    if (all < count) e = expr_sum(s->pool, e, kind_bend(s, d, first + all, count - all, 0.5));
    if (draw_chance(d, 0.5))
        e = expr_sum(s->pool, e,
                     expr_times(s->pool, draw_eighths(d, -0.5, 0.5),
                                expr_y(s->pool, first + draw_below(d, count))));
    return e;
}

expr kind_at_solution(random_system *s, expr e)
{
    expr yp[SYSTEM_MOST], time = expr_time(s->pool);
    for (int i = 0; i < s->n; i++) yp[i] = expr_derivative(s->pool, s->solution[i], time);
    return expr_replace(s->pool, e, s->solution, yp);
}
