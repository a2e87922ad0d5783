/* The curve of solutions against curves that are known: the circle y^2 + t^2 = 1, whose arc length
 * is the angle, and a circle with an integral beside it. */
#include "base/unit.h"
#include "singular/impasse.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* g: y0^2 + t^2 = 1; and y1' = y0 where there are two unknowns. */
static dae_status residual(void *self, double t, const double *y, const double *yp, double *r)
{
    const problem *p = self;
    r[0] = y[0] * y[0] + t * t - 1;
    if (p->n == 2) r[1] = yp[1] - y[0];
    return DAE_OK;
}

typedef struct circle {
    problem problem;
    problem_form form;
    arena memory;
    double by_y[4], by_yp[4], nominal[2];
    bool dynamic[2];
    unsigned char index[2];
} circle;

static dae_status linearize(void *self, double t, const double *y, const double *yp)
{
    circle *c = self; /* whose first member is the problem */
    (void)t, (void)yp;
    c->by_y[0] = 2 * y[0];
    if (c->problem.n == 1) return DAE_OK;
    c->by_y[1] = -1;
    c->by_yp[3] = 1;
    return DAE_OK;
}

static dae_status by_time(void *self, double t, const double *y, const double *yp, double *r)
{
    const problem *p = self;
    (void)y, (void)yp;
    memset(r, 0, p->n * sizeof *r);
    r[0] = 2 * t;
    return DAE_OK;
}

static sparse_pattern *pattern;
static void make_pattern(void *self)
{
    circle *c = self;
    pattern = sparse_full(&c->memory, c->problem.n, c->problem.n);
}

static void begin(circle *c, size_t n, bool differences)
{
    *c = (circle){.nominal = {1, 1}, .dynamic = {false, true}, .index = {1, 1}};
    c->form = (problem_form){.name = "circle",
                             .residual = residual,
                             .linearize = linearize,
                             .time_derivative = differences ? NULL : by_time};
    c->problem = problem_make(&c->form, c, n);
    ck_assert_int_eq(arena_protect(&c->memory, make_pattern, c), DAE_OK);
    c->problem.by_y = (problem_matrix){pattern, c->by_y, NULL};
    c->problem.by_yp = (problem_matrix){pattern, c->by_yp, NULL};
    c->problem.nominal = c->nominal;
    c->problem.dynamic = c->dynamic;
    c->problem.index = c->index;
}

static solution_curve *curve_of(circle *c, size_t n, bool differences, double rtol)
{
    static const double y[] = {0.8, 0}, yp[] = {0.75, 0.8};
    const curve_options options = {.rtol = rtol, .atol = rtol, .time_unit = 1};
    solution_curve *made;
    begin(c, n, differences);
    ck_assert_int_eq(curve_create(&made, &c->problem, &options, -0.6, y, yp), DAE_OK);
    return made;
}

/* Once around: the arc length of the circle is the angle, whatever the steps. */
START_TEST(the_arc_of_a_circle_is_its_angle)
{
    circle c;
    const double rtol = 1e-11, begun = atan2(-0.6, 0.8);
    solution_curve *s = curve_of(&c, 1, _i == 1, rtol);
    double arc = 0;
    int orientation = curve_here(s)->orientation;
    ck_assert_int_ne(orientation, 0);
    while (arc < 2 * PI) {
        ck_assert_int_eq(curve_step(s, 2 * PI - arc > 1e-6 ? 2 * PI - arc : 1e-6), DAE_OK);
        arc += curve_length(s);
        curve_move(s, curve_next(s));
        const curve_point *at = curve_here(s);
        double angle = begun + arc;
        ck_assert_double_eq_tol(at->u[0], cos(angle), 1e-9);
        ck_assert_double_eq_tol(at->u[1], sin(angle), 1e-9);
        ck_assert_double_eq_tol(at->slope[0], -sin(angle), 1e-8);
        ck_assert_double_eq_tol(at->slope[1], cos(angle), 1e-8);
        ck_assert_double_eq_tol(hypot(at->u[0], at->u[1]), 1, 1e-14);
        ck_assert_int_eq(at->orientation, orientation);
    }
    curve_free(s);
    arena_free(&c.memory);
}
END_TEST

/* Time turns at t = 1, where the Jacobian without time is singular and the whole one is not. */
START_TEST(time_turns_at_the_side_of_the_circle)
{
    circle c;
    double y[2], yp[2], part = 0;
    solution_curve *s = curve_of(&c, 2, false, 1e-10);
    singular_point found = {.kind = SINGULAR_NONE};
    for (;;) {
        ck_assert_int_eq(curve_step(s, 0.1), DAE_OK);
        if (singular_turns(s, 1, &part)) break;
        curve_values(s, curve_next(s), y, yp);
        double t = curve_next(s)->u[2]; /* y1 = integral of sqrt(1 - t^2) from -0.6 on */
        double area = (t * sqrt(1 - t * t) + asin(t) + 0.6 * 0.8 + asin(0.6)) / 2;
        ck_assert_double_eq_tol(y[1], area, 1e-9);
        ck_assert_double_eq_tol(yp[1], y[0], 1e-9);
        ck_assert(isnan(yp[0]));
        curve_move(s, curve_next(s));
    }
    ck_assert_int_eq(singular_classify(s, 1, part, &found), DAE_OK);
    ck_assert_double_eq_tol(found.t, 1, 1e-14);
    ck_assert(found.accessible);
    ck_assert_double_eq(found.exponent, -0.5);
    ck_assert_double_lt(found.square, 1e-7);
    ck_assert_double_gt(found.whole, 0.1);
    ck_assert_uint_eq(found.named, 1);
    ck_assert_uint_eq(found.unknown[0], 0);
    curve_free(s);
    arena_free(&c.memory);
}
END_TEST

/* The same search in both directions of time. Rabier's and Rheinboldt's alpha is that of rising
 * times: solutions end at t = 1, and begin at t = -1. */
START_TEST(both_sides_are_found)
{
    circle c;
    const double direction = _i == 0 ? 1 : -1;
    solution_curve *s = curve_of(&c, 1, true, 1e-8);
    singular_search search = {.direction = direction, .reach = 3};
    singular_point found;
    ck_assert_int_eq(singular_look(s, &search, &found), DAE_OK);
    ck_assert_int_eq(found.kind, SINGULAR_IMPASSE);
    ck_assert_double_eq_tol(found.t, direction, 1e-12);
    ck_assert(found.accessible); /* in the direction of the search */
    curve_free(s);
    arena_free(&c.memory);
}
END_TEST

START_TEST(what_cannot_be_followed_is_refused)
{
    circle c;
    static const double far[] = {3}, yp[] = {0};
    const curve_options options = {.rtol = 1e-6, .atol = 1e-6, .time_unit = 1};
    solution_curve *made;
    begin(&c, 1, false);
    ck_assert_int_eq(curve_create(&made, &c.problem, &options, 0, far, yp), DAE_CONSTRAINT);
    ck_assert_ptr_null(made);
    c.index[0] = 2;
    ck_assert_int_eq(curve_create(&made, &c.problem, &options, 0, far, yp), DAE_UNSUPPORTED);
    arena_free(&c.memory);
}
END_TEST

int UNIT_ENTRY(void)
{
    TCase *t = tcase_create("all");
    tcase_add_loop_test(t, the_arc_of_a_circle_is_its_angle, 0, 2);
    tcase_add_test(t, time_turns_at_the_side_of_the_circle);
    tcase_add_loop_test(t, both_sides_are_found, 0, 2);
    tcase_add_test(t, what_cannot_be_followed_is_refused);
    return unit_run("singular/curve", t);
}
