/* The generator itself: what is drawn has the solution, the index and the growth that it is said to
 * have, in quadruple precision. */
#include "base/unit.h"
#include "random/condition.h"
#include "random/derivative_array.h"
#include "random/kinds.h"
#include "random/quad_functions.h"

#include <math.h>

enum { DRAWS = 60 };

/* Of as many draws of a kind, those whose condition is computed, which takes most of the time. */
static int draws_of_run(void)
{
    static const int of[] = {[GRID_FULL] = DRAWS, [GRID_THINNED] = 20, [GRID_SANITIZED] = 10};
    return of[grid_of_run()];
}

/* Sums of angles and exponents; doubles agree with the library of C. */
START_TEST(functions)
{
    draw d = draw_of(11, (uint64_t)_i);
    quad a = (quad)draw_real(&d, -30, 30), b = (quad)draw_real(&d, -30, 30), sum = a + b;
    quad sine = quad_sin(a) * quad_cos(b) + quad_cos(a) * quad_sin(b);
    ck_assert(quad_abs(quad_sin(sum) - sine) < (quad)1e-31);
    quad cosine = quad_cos(a) * quad_cos(b) - quad_sin(a) * quad_sin(b);
    ck_assert(quad_abs(quad_cos(sum) - cosine) < (quad)1e-31);
    ck_assert(quad_abs(quad_exp(sum) / (quad_exp(a) * quad_exp(b)) - 1) < (quad)1e-31);
    double far = (double)a * 1e5;
    ck_assert_double_eq_tol((double)quad_sin((quad)far), sin(far), 1e-15);
    ck_assert_double_eq_tol((double)quad_exp(a) / exp((double)a), 1, 1e-15);
}
END_TEST

/* Taylor coefficients of exp(sin t)/(2 + t cos t) are those of its derivatives by symbols. */
START_TEST(series_and_symbols)
{
    expr_pool p;
    expr_pool_open(&p);
    expr t = expr_time(&p), e = expr_exp(&p, expr_sin(&p, t));
    expr below = expr_sum(&p, expr_constant(&p, 2), expr_product(&p, t, expr_cos(&p, t)));
    e = expr_quotient(&p, e, below);
    series whole, one;
    tape values;
    tape_open(&values, &p, 1, &e);
    tape_series(&values, 6, 0.7, NULL, NULL, NULL, &whole);
    tape_close(&values);
    quad factorial = 1;
    for (int k = 0; k < 6; k++, factorial *= k) {
        tape_open(&values, &p, 1, &e);
        tape_series(&values, 1, 0.7, NULL, NULL, NULL, &one);
        tape_close(&values);
        ck_assert(quad_abs(one.c[0] / factorial - whole.c[k]) < (quad)1e-29);
        e = expr_derivative(&p, e, t);
    }
    expr_pool_close(&p);
}
END_TEST

/* The largest of some functions along the solution at a time. */
static double largest(const random_system *s, const expr *e, int count, double t)
{
    series y[SYSTEM_MOST], yp[SYSTEM_MOST], value[SYSTEM_MOST];
    expr slope[SYSTEM_MOST];
    for (int i = 0; i < s->n; i++)
        slope[i] = expr_derivative(s->pool, s->solution[i], expr_time(s->pool));
    tape run;
    tape_open(&run, s->pool, s->n, s->solution);
    tape_series(&run, 1, t, NULL, NULL, NULL, y);
    tape_close(&run);
    tape_open(&run, s->pool, s->n, slope);
    tape_series(&run, 1, t, NULL, NULL, NULL, yp);
    tape_close(&run);
    tape_open(&run, s->pool, count, e);
    tape_series(&run, 1, t, y, yp, NULL, value);
    tape_close(&run);
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs((double)value[i].c[0]));
    return most;
}

static random_system drawn(int kind, int number, expr_pool *p, draw *d)
{
    *d = draw_of(17, (uint64_t)number);
    expr_pool_open(p);
    random_system s = {.kind = kinds[kind].name, .pool = p, .t0 = number % 2 ? 1e3 : 0};
    s.t1 = s.t0 + 2;
    kinds[kind].make(&s, d);
    for (int i = 0; i < s.n; i++) s.nominal[i] = 1;
    return s;
}

/* M v' - f - G^T lambda and phi of a mechanical form. */
static double mechanism_missed(random_system *s, double t)
{
    const system_mechanism *m = &s->mechanism;
    expr row[SYSTEM_COORDINATES];
    for (int i = 0; i < m->nq; i++) {
        row[i] = expr_negative(s->pool, m->force[i]);
        for (int j = 0; j < m->nq; j++) {
            expr a = expr_yp(s->pool, m->nq + j);
            row[i] = expr_sum(s->pool, row[i], expr_product(s->pool, m->mass[i][j], a));
        }
        for (int k = 0; k < m->nphi; k++) {
            expr g = expr_derivative(s->pool, m->phi[k], expr_y(s->pool, i));
            expr reaction = expr_product(s->pool, g, expr_y(s->pool, 2 * m->nq + k));
            row[i] = expr_difference(s->pool, row[i], reaction);
        }
        for (int k = 0; k < m->na; k++) {
            expr lambda = expr_y(s->pool, 2 * m->nq + m->nphi + k);
            expr reaction = expr_product(s->pool, m->a[k][i], lambda);
            row[i] = expr_difference(s->pool, row[i], reaction);
        }
    }
    double most = fmax(largest(s, row, m->nq, t), largest(s, m->phi, m->nphi, t));
    for (int k = 0; k < m->na; k++) {
        expr e = expr_negative(s->pool, m->b[k]);
        for (int i = 0; i < m->nq; i++) {
            expr v = expr_y(s->pool, m->nq + i);
            e = expr_sum(s->pool, e, expr_product(s->pool, m->a[k][i], v));
        }
        most = fmax(most, largest(s, &e, 1, t));
    }
    return most;
}

/* The solution meets the equations, as drawn, in another order and as a mechanical form. */
START_TEST(solutions)
{
    for (int k = 0; k < DRAWS; k++) {
        expr_pool p;
        draw d;
        random_system s = drawn(_i, k, &p, &d), varied = s, scaled = s;
        system_order order;
        ck_assert_double_lt(largest(&s, s.equation, s.n, s.t0 + 1.3), 1e-20);
        system_vary(&varied, &d, &order);
        ck_assert_double_lt(largest(&varied, varied.equation, s.n, s.t0 + 1.3), 1e-14);
        system_vary_time(&varied, &d);
        double inside = varied.t0 + 0.65 * (varied.t1 - varied.t0);
        ck_assert_double_lt(largest(&varied, varied.equation, s.n, inside), 1e-14);
        system_mechanism_vary(&scaled, &d, &order);
        if (s.mechanism.nq) ck_assert_double_lt(mechanism_missed(&scaled, s.t0 + 1.3), 1e-20);
        expr_pool_close(&p);
    }
}
END_TEST

/* Index and freedom are those that the kind is made with, whatever the equations look like, and
 * hardly a problem is left out. */
START_TEST(well_posed)
{
    int left_out = 0, draws = draws_of_run();
    for (int k = 0; k < draws; k++) {
        expr_pool p;
        draw d;
        condition c;
        random_system s = drawn(_i, k, &p, &d);
        condition_find(&s, &d, &c);
        if (c.fault) {
            ck_assert_str_eq(c.fault, "perturbations grow");
            left_out++;
        }
        if (s.index > 0) {
            s.index--;
            condition_find(&s, &d, &c);
            ck_assert_ptr_nonnull(c.fault);
        }
        expr_pool_close(&p);
    }
    if (draws == DRAWS) ck_assert_int_le(left_out, DRAWS / 8);
    report_left_out(kinds[_i].name, DRAWS - draws, DRAWS, "draws alike those that were looked at");
}
END_TEST

/* y1' = a y1 and 0 = y2 - y1 about y = 0, in time 2: perturbations grow by e^2 for a = 1, and not
 * at all for a = -1e9. */
START_TEST(growth)
{
    expr_pool p;
    draw d = draw_of(1, 1);
    condition c;
    expr_pool_open(&p);
    random_system s = {.pool = &p, .n = 2, .index = 1, .freedom = 1, .t1 = 2};
    s.solution[0] = s.solution[1] = expr_constant(&p, 0);
    s.equation[0] = expr_difference(&p, expr_yp(&p, 0), expr_y(&p, 0));
    s.equation[1] = expr_difference(&p, expr_y(&p, 1), expr_y(&p, 0));
    condition_find(&s, &d, &c);
    ck_assert_ptr_null(c.fault);
    ck_assert_double_eq_tol(c.growth, exp(2), 1e-2);
    s.equation[0] = expr_sum(&p, expr_yp(&p, 0), expr_times(&p, 1e9, expr_y(&p, 0)));
    condition_find(&s, &d, &c);
    ck_assert_ptr_null(c.fault);
    ck_assert_double_eq_tol(c.growth, 1, 1e-12);
    ck_assert(c.free[0] && !c.free[1]);
    s.equation[0] = expr_difference(&p, expr_yp(&p, 0), expr_times(&p, 400, expr_y(&p, 0)));
    condition_find(&s, &d, &c);
    ck_assert_str_eq(c.fault, "perturbations grow");
    expr_pool_close(&p);
}
END_TEST

/* y1' = y2' = 0 and y3 = 1000 (y1 - y2 cos t): at the start each of y1 and y2 moves y3 by a
 * thousand times itself, which does not grow, and both together do not; but later they do. */
START_TEST(growth_of_what_moves_nothing_else)
{
    expr_pool p;
    draw d = draw_of(1, 1);
    condition c;
    expr_pool_open(&p);
    random_system s = {.pool = &p, .n = 3, .index = 1, .freedom = 2, .t1 = 2};
    expr turned = expr_product(&p, expr_y(&p, 1), expr_cos(&p, expr_time(&p)));
    for (int i = 0; i < 3; i++) s.solution[i] = expr_constant(&p, 0);
    for (int i = 0; i < 2; i++) s.equation[i] = expr_yp(&p, i);
    s.equation[2] = expr_difference(
        &p, expr_y(&p, 2), expr_times(&p, 1000, expr_difference(&p, expr_y(&p, 0), turned)));
    condition_find(&s, &d, &c);
    ck_assert_str_eq(c.fault, "perturbations grow");
    ck_assert_double_gt(c.growth, 15);
    expr_pool_close(&p);
}
END_TEST

/* y1 = 2000 sin(t), y2 = y1': the effect of rounding is some units of the last place. */
START_TEST(rounding)
{
    expr_pool p;
    draw d = draw_of(1, 1);
    condition c;
    expr_pool_open(&p);
    random_system s = {.pool = &p, .n = 2, .index = 2, .freedom = 0, .t1 = 2};
    s.solution[0] = expr_times(&p, 2000, expr_sin(&p, expr_time(&p)));
    s.solution[1] = expr_times(&p, 2000, expr_cos(&p, expr_time(&p)));
    s.equation[0] = expr_difference(&p, expr_yp(&p, 0), expr_y(&p, 1));
    s.equation[1] = expr_difference(&p, expr_y(&p, 0), s.solution[0]);
    condition_find(&s, &d, &c);
    ck_assert_ptr_null(c.fault);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_gt(c.effect[i], 2000 * 0x1p-55);
        ck_assert_double_lt(c.effect[i], 2000 * 0x1p-50);
    }
    expr_pool_close(&p);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, functions, 0, 50);
    tcase_add_test(tests, series_and_symbols);
    tcase_add_loop_test(tests, solutions, 0, kind_count);
    tcase_add_loop_test(tests, well_posed, 0, kind_count);
    tcase_add_test(tests, growth);
    tcase_add_test(tests, growth_of_what_moves_nothing_else);
    tcase_add_test(tests, rounding);
    return unit_run("random/generator", tests);
}
